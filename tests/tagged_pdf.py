"""A checker for tagged PDF files: what PDF/UA-1 (ISO 14289-1) asks for and a program can see."""

import io
import re

import pikepdf

ROLES = {
    "Document", "Sect", "Div", "H1", "H2", "P", "L", "LI", "Lbl", "LBody", "Table", "TR", "TH", "TD", "TOC",
    "TOCI", "Reference", "Link", "Figure",
}  # fmt: skip
KIDS = {
    "L": {"LI"}, "LI": {"Lbl", "LBody"}, "Table": {"TR"}, "TR": {"TH", "TD"}, "TOC": {"TOCI"},
}  # fmt: skip
PARENTS = {"LI": "L", "Lbl": "LI", "LBody": "LI", "TR": "Table", "TH": "TR", "TD": "TR", "TOCI": "TOC"}
PAINTING = {
    "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh", "Do", "Tj", "TJ", "'", '"', "BI", "INLINE IMAGE",
}  # fmt: skip


def read_tags(content):
    """Every element in reading order: its role, what it says in place of its content, and its content.

    The content is a list of the marked contents as pairs of page index and MCID.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        return [(role, said, marked) for role, said, marked, _ in _Checker(pdf).elements]


def tagging_problems(content):
    """All that is wrong with the tags of a file, in words; an empty list if it passes."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        checker = _Checker(pdf)
        return [
            *checker.document(), *checker.contents(), *checker.structure(), *checker.headings(),
            *checker.links(), *checker.fonts(),
        ]  # fmt: skip


def _list(value):
    return list(value) if isinstance(value, pikepdf.Array) else [] if value is None else [value]


class _Checker:
    def __init__(self, pdf):
        self.pdf = pdf
        self.index_of = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
        self.elements = []  # role, words in place of the content, marked contents, the object itself
        self.shape_problems = []
        tree = pdf.Root.get("/StructTreeRoot")
        self.parent_tree = self._numbers(tree.ParentTree) if tree else {}
        for top in _list(tree.K) if tree else []:
            self._read(top, tree, "")

    def _numbers(self, tree):
        keys = _list(tree.Nums)
        assert [int(key) for key in keys[::2]] == sorted(map(int, keys[::2])), (
            "the parent tree is not in order"
        )
        return dict(zip(map(int, keys[::2]), keys[1::2], strict=True))

    def _read(self, element, parent, parent_role):
        role, marked, roles = str(element.S)[1:], [], []
        if role not in ROLES:
            self.shape_problems.append(f"{role} is no role")
        if element.P.objgen != parent.objgen:
            self.shape_problems.append(f"a {role} has another parent")
        if PARENTS.get(role, parent_role) != parent_role:
            self.shape_problems.append(f"a {role} is in a {parent_role}")
        said = str(element.get("/Alt", element.get("/ActualText", "")))
        self.elements.append((role, said, marked, element))
        for kid in _list(element.get("/K")):
            if "/MCID" in kid:
                marked.append((self.index_of[kid.Pg.objgen], int(kid.MCID)))
            elif "/S" in kid:
                roles.append(str(kid.S)[1:])
                self._read(kid, element, role)
        if role in KIDS and (not roles or not set(roles) <= KIDS[role]):
            self.shape_problems.append(f"a {role} contains {roles}")

    def document(self):
        root = self.pdf.Root
        wanted = {
            "it is not marked as tagged": "/MarkInfo" in root and root.MarkInfo.get("/Marked") == True,  # noqa: E712
            "it has no language": bool(str(root.get("/Lang", ""))),
            "its title is not shown": "/ViewerPreferences" in root
            and root.ViewerPreferences.get("/DisplayDocTitle") == True,  # noqa: E712
            "it has no outline": "/Outlines" in root,
        }
        yield from (problem for problem, holds in wanted.items() if not holds)
        with self.pdf.open_metadata() as xmp:
            if xmp.get("pdfuaid:part") != "1" or not xmp.get("dc:title"):
                yield "its XMP lacks the title or PDF/UA's part"

    def contents(self):
        in_tree = [pair for _, _, marked, _ in self.elements for pair in marked]
        if len(in_tree) != len(set(in_tree)):
            yield "a marked content is in two elements"
        on_pages = []
        for index, page in enumerate(self.pdf.pages):
            marks = list(self._marks(page.obj, f"page {index + 1}"))
            yield from (mark for mark in marks if isinstance(mark, str))
            mcids = [mark for mark in marks if not isinstance(mark, str)]
            on_pages += [(index, mcid) for mcid in mcids]
            if len(mcids) != len(set(mcids)):
                yield f"page {index + 1} has an MCID twice"
            parents = _list(self.parent_tree.get(int(page.obj.get("/StructParents", -1))))
            if len(parents) != len(mcids):
                yield f"page {index + 1} has {len(mcids)} marks, the parent tree {len(parents)}"
            if page.obj.get("/Tabs") != "/S":
                yield f"page {index + 1} is not tabbed through by structure"
            owners = {pair: element.objgen for _, _, marked, element in self.elements for pair in marked}
            for mcid, parent in enumerate(parents):
                if owners.get((index, mcid)) != parent.objgen:
                    yield f"page {index + 1}: the parent tree has another element for MCID {mcid}"
        if sorted(on_pages) != sorted(in_tree):
            yield "marked contents and structure tree differ"

    def _marks(self, stream, where, inside=False):
        """Yield the MCIDs of a page or form, and a text for each problem with its marks."""
        open_marks, in_text, resources = [], False, stream.get("/Resources", pikepdf.Dictionary())
        for operands, operator in pikepdf.parse_content_stream(stream):
            name = str(operator)
            if name in ("BT", "ET"):
                in_text = name == "BT"
                if name == "ET" and any(began_in_text for _, began_in_text in open_marks):
                    yield f"{where}: a mark goes on after its text object"
            elif name in ("BMC", "BDC"):
                is_artifact = operands[0] == "/Artifact"
                has_id = (
                    name == "BDC" and isinstance(operands[1], pikepdf.Dictionary) and "/MCID" in operands[1]
                )
                if has_id:
                    yield int(operands[1].MCID)
                if (has_id or is_artifact) and any(real for real, _ in open_marks):
                    yield f"{where}: marks are in one another"
                if has_id and inside:
                    yield f"{where}: a form has an MCID"
                open_marks.append((has_id or is_artifact, in_text))
            elif name == "EMC":
                if open_marks.pop()[1] != in_text:
                    yield f"{where}: a mark ends in another text object"
            elif name in PAINTING:
                if not inside and not any(real for real, _ in open_marks):
                    yield f"{where}: {name} is outside of marked content"
                if name == "Do":
                    drawn = resources.XObject[str(operands[0])]
                    if drawn.Subtype == "/Form":
                        yield from self._marks(drawn, f"{where}, {operands[0]}", inside=True)
        if open_marks:
            yield f"{where}: a mark has no end"

    def structure(self):
        yield from self.shape_problems
        for role, said, _marked, element in self.elements:
            if role == "Figure" and not said:
                yield "a figure has no description"
            if role == "Figure" and ("/A" not in element or len(element.A.BBox) != 4):
                yield "a figure has no box"
            if role == "TH" and element.A.Scope != "/Column":
                yield "a header has no scope"
            if role == "Table":
                widths = {len(_list(row.K)) for row in _list(element.K)}
                if len(widths) != 1:
                    yield f"a table's rows have {widths} cells"
            if role == "L" and element.A.ListNumbering not in ("/Disc", "/Decimal"):
                yield "a list has no numbering"
            if role in ("H1", "H2", "P") and not _list(element.K):
                yield f"a {role} is empty"

    def headings(self):
        last = 0
        for role, _, marked, _ in self.elements:
            if re.fullmatch("H[1-6]", role):
                level = int(role[1])
                if level > last + 1:
                    yield f"an {role} follows an H{last}" if last else f"the first heading is an {role}"
                if not marked:
                    yield f"an {role} has no content"
                last = level

    def links(self):
        tagged = {
            kid.Obj.objgen: element
            for role, _, _, element in self.elements if role == "Link"
            for kid in _list(element.K) if kid.get("/Type") == "/OBJR"
        }  # fmt: skip
        for index, page in enumerate(self.pdf.pages):
            for note in _list(page.obj.get("/Annots")):
                element = tagged.get(note.objgen)
                if element is None or self.parent_tree[int(note.StructParent)].objgen != element.objgen:
                    yield f"page {index + 1}: a link is not in the structure tree"
                if not str(note.get("/Contents", "")).strip():
                    yield f"page {index + 1}: a link has no description"

    def fonts(self):
        fonts = [
            item
            for item in self.pdf.objects
            if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font"
        ]
        for font in fonts:
            if font.Subtype in ("/CIDFontType2", "/CIDFontType0"):
                if font.get("/CIDToGIDMap") != "/Identity" or "/FontFile2" not in font.FontDescriptor:
                    yield f"{font.BaseFont} is not embedded"
                continue
            if font.Subtype != "/Type0" and "/FontFile2" not in font.get("/FontDescriptor", {}):
                yield f"{font.BaseFont} is not embedded"
            if font.Subtype == "/TrueType" and (not font.FontDescriptor.Flags & 4 or "/Encoding" in font):
                yield f"{font.BaseFont} is not symbolic or has an encoding"
            if "/ToUnicode" not in font:
                yield f"{font.BaseFont} has no ToUnicode"
            elif {"0000", "FEFF", "FFFE"} & set(re.findall(r"<([0-9A-F]{4})>", _targets(font))):
                yield f"{font.BaseFont} gives characters that are none"


def _targets(font):
    """What the ToUnicode map of a font gives: the second column of its bfchar sections."""
    cmap = font.ToUnicode.read_bytes().decode("ascii").upper()
    sections = re.findall(r"BEGINBFCHAR(.*?)ENDBFCHAR", cmap, re.DOTALL)
    return " ".join(
        f"<{target}>" for part in sections for _, target in re.findall(r"<(\w+)>\s*<(\w+)>", part)
    )
