"""Write the structure tree of a tagged PDF. Screen readers follow this tree to read the pages aloud.

The pages must be drawn with marked content. The elements of the tree refer to the marked content.

Source:
    PDF 1.7 (ISO 32000-1): 14.7.2 "Structure hierarchy", 14.7.4 "Structure content", 14.8.5 "Standard
    structure attributes". PDF/UA-1 (ISO 14289-1): 7.3 "Graphics", 7.18.5 "Links".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, groupby
from typing import NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from linkpress.layout.frame import Area, Discs, Page, Placed, Tag, TextRun, marked_contents
from linkpress.layout.page_draft import text_box

# Roles of table cells. Empty cells are kept, so that the columns of a table stay aligned.
_CELLS = ("TH", "TD")


class _Marked(NamedTuple):
    """Marked content of a PDF page: the index of the page, the identifier (MCID), and the drawn items."""

    page: int
    mcid: int
    items: tuple[object, ...]


class _Link(NamedTuple):
    """Link annotation of a PDF page.

    Args:
        page: the index of the page.
        annotation: the annotation.
        key: the annotation's key in the parent tree, which leads to its structure element.
    """

    page: int
    annotation: pikepdf.Object
    key: int


def add_structure(pdf: pikepdf.Pdf, pages: Sequence[Page]) -> None:
    """Add the structure tree to a PDF that was drawn with marked content.

    Args:
        pdf: the PDF. It must have a page for each of ``pages``, with an annotation for each link.
        pages: the laid-out pages that were drawn.
    """
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    writer = _StructureWriter(pdf, pages)
    document = writer.group("Document", root)
    known: set[Tag] = set()
    for section, same in groupby(pages, lambda page: page.section):
        tags = list(dict.fromkeys(tag for page in same for tag in page.tags if tag not in known))
        known.update(tags)
        parent = writer.group("Sect", document) if section else document
        parent.K.extend(writer.elements(tags, parent))
        if section:
            document.K.append(parent)
    root.K = document
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array(writer.parent_tree())))
    root.ParentTreeNextKey = writer.next_key
    pdf.Root.StructTreeRoot, pdf.Root.MarkInfo = root, Dictionary(Marked=True)
    for font in pdf.objects:
        if isinstance(font, Dictionary) and "/ToUnicode" in font:
            _drop_unused_codes(font.ToUnicode)


def _drop_unused_codes(to_unicode: pikepdf.Object) -> None:
    """Remove the character codes that no text uses from a font's ``ToUnicode`` map.

    ReportLab maps such codes to the character 0, which PDF/UA forbids.
    """

    def section(found: re.Match[bytes]) -> bytes:
        lines = [line for line in found[1].splitlines() if not line.endswith(b"<0000>")]
        return b"\n".join([b"%d beginbfchar" % len(lines), *lines, b"endbfchar"])

    to_unicode.write(
        re.sub(rb"\d+ beginbfchar\n(.*?)endbfchar", section, to_unicode.read_bytes(), flags=re.DOTALL)
    )


class _StructureWriter:
    """Writer of the structure tree of a tagged PDF, which screen readers use.

    It writes the structure elements. Pages and links get the keys ``StructParents`` and ``StructParent``,
    which lead to their structure elements by way of the PDF's parent tree.
    """

    def __init__(self, pdf: pikepdf.Pdf, pages: Sequence[Page]) -> None:
        self._pdf = pdf
        self._drawn = [page.obj for page in pdf.pages]
        self._marked = defaultdict[Tag, list[_Marked]](list)
        self._links = defaultdict[Tag, list[_Link]](list)
        # For the index of each page, maps the identifier (MCID) of each piece of marked content on the page
        # to the structure element of this content.
        self._parents: dict[int, dict[int, pikepdf.Object]] = {}
        self._link_parents: dict[int, pikepdf.Object] = {}
        # In the PDF's parent tree, the pages have the keys from 0 on. Links get the keys after those.
        self.next_key = len(pages)
        for index, page in enumerate(pages):
            self._read(index, page)

    def _read(self, index: int, page: Page) -> None:
        drawn = self._drawn[index]
        drawn.StructParents, drawn.Tabs = index, Name.S
        self._parents[index] = {}
        for tag, mcid, _, items in marked_contents(page.frame.items):
            if mcid is not None:
                self._marked[tag].append(_Marked(index, mcid, items))
        annotations = drawn.get("/Annots", Array()).as_list()
        for link, annotation in zip(page.links, annotations, strict=True):
            assert link.tag is not None
            annotation.StructParent = self.next_key
            self._links[link.tag].append(_Link(index, annotation, self.next_key))
            self.next_key += 1

    def group(self, role: str, parent: pikepdf.Object) -> pikepdf.Object:
        return self._pdf.make_indirect(
            Dictionary(Type=Name.StructElem, S=Name(f"/{role}"), P=parent, K=Array())
        )

    def elements(self, tags: Iterable[Tag], parent: pikepdf.Object) -> Iterator[pikepdf.Object]:
        """Create the structure elements of tags, together with the elements inside these elements.

        Tags without any content on the pages are left out, except for table cells.
        """
        for tag in tags:
            if self._has_content(tag):
                yield self._element(tag, parent)

    def _has_content(self, tag: Tag) -> bool:
        if tag in self._marked or tag in self._links or tag.role in _CELLS:
            return True
        return any(map(self._has_content, tag.kids))

    def _element(self, tag: Tag, parent: pikepdf.Object) -> pikepdf.Object:
        element = self.group(tag.role, parent)
        marked, links = self._marked.get(tag, []), self._links.get(tag, [])
        if tag.alt and tag.role == "Figure":
            element.Alt = String(tag.alt)
        if tag.text:
            element.ActualText = String(tag.text)
        if tag.attribute:
            owner, name, value = tag.attribute
            element.A = Dictionary({"/O": Name(f"/{owner}"), f"/{name}": Name(f"/{value}")})
        elif tag.role == "Figure":
            box = _bounds(item for each in marked for item in each.items)
            element.A = Dictionary(O=Name.Layout, Placement=Name.Block, BBox=Array(box))
        for page, mcid, _ in marked:
            element.K.append(Dictionary(Type=Name.MCR, Pg=self._drawn[page], MCID=mcid))
            self._parents[page][mcid] = element
        words = " ".join(item.text for each in marked for item in each.items if isinstance(item, TextRun))
        for page, annotation, key in links:
            annotation.Contents = String(tag.alt or words)
            element.K.append(Dictionary(Type=Name.OBJR, Pg=self._drawn[page], Obj=annotation))
            self._link_parents[key] = element
        element.K.extend(self.elements(tag.kids, element))
        return element

    def parent_tree(self) -> Iterator[object]:
        """Yield the keys and values of the PDF's parent tree, in the order of the keys."""
        for page, parents in self._parents.items():
            yield page
            yield Array([parents[mcid] for mcid in range(len(parents))])
        yield from chain.from_iterable(sorted(self._link_parents.items()))


def _bounds(items: Iterable[object]) -> list[float]:
    """Return the left, bottom, right and top edge of the area that a figure's items cover."""
    boxes = [
        Area(*(text_box(item) if isinstance(item, TextRun) else item.box))
        for item in items
        if isinstance(item, TextRun | Placed | Discs)
    ]
    whole = reduce(Area.union, boxes)
    return [round(edge, 3) for edge in (whole.x, whole.y, whole.right, whole.top)]
