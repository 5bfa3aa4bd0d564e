"""This module reads an e-book out of its pages and drawings: boards with the words by them, and its links.

A page is a place in the order of reading, counted from 1.

Source:
    W3C, EPUB 3.3.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from linkpress.documents.problem import printable
from linkpress.preflight.findings import Finding
from linkpress.preflight.pdf_reading.covered import covered
from linkpress.preflight.pdf_reading.objects import MAX_STREAM_BYTES, TooMuchError
from linkpress.verify.drawn_boards import BoardRead, find_boards, middle_of, sort_shapes
from linkpress.verify.ebook_pictures import PictureAgain, read_svg, svg_size
from linkpress.verify.pdf_books import (
    LONGEST_LINE,
    BookRead,
    PageRead,
    Phrases,
    PrintedLine,
    UnreadableError,
    damage_as_unreadable,
    names_squares,
    number_of,
)

_CONTAINER = "META-INF/container.xml"
_HTML, _XML = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/XML/1998/namespace}"
_OPF, _OCF = "{http://www.idpf.org/2007/opf}", "{urn:oasis:names:tc:opendocument:xmlns:container}"
_TAGS = re.compile(
    "html|head|title|link|meta|body|section|nav|[oud]l|li|d[td]|a|div|p|b|span|h[1-6r]|br|img|figure|figcaption|em"
    "|strong|code|pre|blockquote|table|thead|tbody|t[rhd]"
)
# What can move a thing over another, or make it vanish: keys of CSS, lengths below nothing, disguised signs.
_HIDING = re.compile(
    r"(?<![-\w])(?:position|inset|transform|translate|scale|rotate|zoom|opacity|visibility|z-index|filter|clip"
    r"|clip-path|mask|mix-blend-mode|content|text-indent)\s*:|display\s*:\s*none|[\s:(,]-[.\d]|@import|\\"
    r"|(?:width|height|font-size)\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"


def read_ebook(
    content: bytes, phrases: Phrases, drawn: Mapping[str, PictureAgain]
) -> tuple[BookRead, list[Finding]]:
    """Read an e-book's puzzles and answers from what its pages show.

    Args:
        drawn: the pictures of pixels that it should have, by the names of their files.
    Returns:
        The book, in which links stand for the pages that a printed book names; and what of the file
        itself does not hold together: files, pages, links, languages.
    Raises:
        UnreadableError: it is no e-book, or one of its files has no end.
    """
    with damage_as_unreadable():
        reader = _EBookReader(_Archive(content), phrases, drawn)
        return BookRead(tuple(reader.pages()), kind="e-book"), reader.findings


class _Archive:
    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except zipfile.BadZipFile as fault:
            raise UnreadableError(f"it is no e-book, or not a whole one: {fault}") from fault
        listed = self._zip.namelist()
        self.names = frozenset(listed)
        if len(listed) > len(self.names):
            raise UnreadableError("two of its files have one name")

    def xml(self, name: str) -> Element:
        """Return the root of one of the e-book's files."""
        found = self.content(name)
        if "<!ENTITY" in found.decode("utf-8"):  # as words of a page it would be written &lt;!ENTITY
            raise ValueError("it has entities of its own")
        return ElementTree.fromstring(found)

    def content(self, name: str) -> bytes:
        """Unpack one of the e-book's files."""
        if name not in self.names:
            raise UnreadableError(f"{_quoted(name)} is not there")
        if self._zip.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("it is packed as no e-book's file may be")  # the others unpack without a bound
        with self._zip.open(name) as file:
            found = file.read(MAX_STREAM_BYTES + 1)
        if len(found) > MAX_STREAM_BYTES:
            raise TooMuchError(f"{_quoted(name)} unpacks to more than it should")
        return found


class _Link(NamedTuple):
    """A link leads to another file of the e-book.

    Args:
        page: where it stands; None in contents that are no page of the book.
        target: the file to which it leads.
        is_back: whether it leads from an answer to its puzzle: in the heading, or by the puzzle's name.
    """

    page: int | None
    label: str
    target: str
    is_back: bool


@dataclass
class _EBookReader:
    archive: _Archive
    phrases: Phrases
    drawn: Mapping[str, PictureAgain]
    findings: list[Finding] = field(default_factory=list)
    _place_of: dict[str, int] = field(default_factory=dict)  # of each page's file, the first
    _lines_of: dict[str, set[str]] = field(default_factory=dict)  # title and lines of each page's file
    _texts: dict[str, str] = field(default_factory=dict)  # that the shapes of all drawings stand for
    _styles: set[str] = field(default_factory=set)  # the style sheets that were looked at
    _links: list[_Link] = field(default_factory=list)
    _languages: dict[str, list[int | None]] = field(default_factory=dict)  # wrong ones, with their pages

    def pages(self) -> Iterator[PageRead]:
        """Yield every page in the order of reading; then judge all links and languages."""
        order, contents = self._package()
        for number, name in enumerate(order, 1):
            self._place_of.setdefault(name, number)
        for number, name in enumerate(order, 1):
            page = PageRead(number)
            with self._going_on(name, number):
                page = self._page(name, number)
            yield page
        if contents is not None and contents not in self._place_of:
            with self._going_on(contents, None):
                self._page(contents, None)
        self._judge_links()
        self._judge_languages()

    def _add(self, text: str, page: int | None = None, puzzle: int | None = None) -> None:
        self.findings.append(Finding(text, page=page, puzzle=puzzle))

    @contextmanager
    def _going_on(self, name: str, page: int | None) -> Iterator[None]:
        try:
            yield
        except (TooMuchError, MemoryError):
            raise
        except UnreadableError as fault:
            self._add(str(fault), page)
        # A damaged file fails in as many ways as there are things in it.
        except Exception as fault:
            self._add(f"{_quoted(name)} can't be read: {_tidy(str(fault))}", page)

    def _package(self) -> tuple[list[str], str | None]:
        """Return the files of the pages in their order, and the file of the contents."""
        name = _first(self.archive.xml(_CONTAINER), f"{_OCF}rootfile").attrib["full-path"]
        package = self.archive.xml(name)
        self._judge_language(None, package.get(f"{_XML}lang"), package.findtext(f".//{_LANGUAGE}"))
        files: dict[str, str] = {}
        contents = None
        for item in package.iter(f"{_OPF}item"):
            file = files[item.get("id", "")] = _address_in(name, item.get("href", ""))
            if "nav" in item.get("properties", "").split():
                contents = file
        pages = (page for page in package.iter(f"{_OPF}itemref") if page.get("linear") != "no")
        order = (page.get("idref", "") for page in pages)
        return [files.get(page, page) for page in order], contents

    def _judge_language(self, page: int | None, *languages: str | None) -> None:
        for wrong in dict.fromkeys(str(found) for found in languages if found != self.phrases.language):
            self._languages.setdefault(wrong[:LONGEST_LINE], []).append(page)

    def _page(self, name: str, number: int | None) -> PageRead:
        root = self.archive.xml(name)
        body = _first(root, f"{_HTML}body")
        self._judge_looks(root, name, number)
        self._judge_language(number, root.get("lang"), root.get(f"{_XML}lang"))
        lines = [line for text in body.itertext() if (line := _tidy(text))]
        self._lines_of[name] = {_words(title) for title in root.iter(f"{_HTML}title")}.union(lines)
        heading = next(body.iter(f"{_HTML}h1"), None)
        title = "" if heading is None else _words(heading)
        solved = self.phrases.solution.fullmatch(title)
        named = solved or self.phrases.puzzle.fullmatch(title)
        images = body.iter(f"{_HTML}img")
        drawn = [found for image in images for found in self._boards_in(image, name, number)]
        # How to play may be called "Puzzle 3" too, but it shows three boards.
        puzzle = number_of(named["number"]) if named and len(drawn) < 2 else None
        for board, alternative, is_lesson in drawn:
            board.number = puzzle
            if not is_lesson:
                board.alternative = alternative
        boards = tuple(board for board, _, _ in drawn)
        links = list(_links_in(body, heading, name, number))
        if solved:  # before 0.3 the heading was the link
            links = [link._replace(is_back=bool(self.phrases.puzzle.fullmatch(link.label))) for link in links]
        self._judge_zoomed(body, name, number)
        self._links += links
        page = PageRead(number or 0, tuple(PrintedLine(line, 0.0, 0.0) for line in lines))
        if any(is_lesson for _, _, is_lesson in drawn):
            return replace(page, lessons=boards)
        return self._sorted(page, boards, links, puzzle)

    def _judge_looks(self, root: Element, name: str, page: int | None) -> None:
        """Find what could lie over a board, or hide it, in a page's elements, styles and style sheets."""
        for element in root.iter():
            tag = element.tag.removeprefix(_HTML)
            if not _TAGS.fullmatch(tag):
                self._add(f"{_quoted(name)} has <{tag[:80]}>, which no page of linkpress has", page)
            if element.get("hidden") is not None and tag != "ol":  # contents for the reader's own list alone
                self._add(f"{_quoted(name)} has a hidden <{tag}>", page)
            self._judge_style(element.get("style", ""), name, page)
            sheet = _address_in(name, element.get("href", "")) if tag == "link" else name
            if sheet != name and sheet not in self._styles:
                self._styles.add(sheet)
                self._judge_style(self.archive.content(sheet).decode("utf-8"), sheet, None)

    def _judge_style(self, style: str, name: str, page: int | None) -> None:
        found = _HIDING.search(re.sub(r"/\*.*?\*/", " ", style, flags=re.DOTALL))
        if found:
            self._add(f"{_quoted(name)} has {found[0].strip()!r} in a style, which can hide a board", page)

    def _judge_zoomed(self, body: Element, name: str, page: int | None) -> None:
        """Judge whether a picture that is a link leads to a page on which it is enlarged."""
        for link in body.iter(f"{_HTML}a"):
            printable = [_address_in(name, image.get("src", "")) for image in link.iter(f"{_HTML}img")]
            target = _address_in(name, link.get("href", ""))
            if printable:
                images = self.archive.xml(target).iter(f"{_HTML}img")
                if printable != [_address_in(target, image.get("src", "")) for image in images]:
                    self._add(f"{_quoted(target)}, to which the board leads, shows another", page)

    def _sorted(
        self, page: PageRead, boards: tuple[BoardRead, ...], links: list[_Link], puzzle: int | None
    ) -> PageRead:
        """Sort the boards of a page: links and headings tell puzzles from answers."""
        back = next((link.target for link in links if link.is_back), None)
        forth = (link.target for link in links if link.label == self.phrases.answer and not link.is_back)
        answer = next(forth, None)
        is_linked = answer is not None or back is not None
        # One of the three is not enough: a level may be called "Puzzle 3", or as the link to an answer is.
        if [bool(boards), is_linked, puzzle is not None].count(True) < 2:
            return replace(page, samples=boards)
        if not boards:
            self._add("no board is drawn here", page.number, puzzle)
        is_puzzle = answer is not None or (
            back is None and not any(board.lines or board.walls for board in boards)
        )
        if not is_linked:
            self._add(f"no link leads to its {'answer' if is_puzzle else 'puzzle'}", page.number, puzzle)
        size = self.phrases.size_in(line.text for line in page.lines)
        for board in boards:
            board.printed_size = size
            if is_puzzle:
                board.solution_page = self._place_of.get(answer or "")
            else:
                board.puzzle_page = self._place_of.get(back or "")
        return replace(page, puzzles=boards) if is_puzzle else replace(page, answers=boards)

    def _boards_in(
        self, image: Element, name: str, page: int | None
    ) -> Iterator[tuple[BoardRead, str, bool]]:
        """Yield the board of a picture, the words for it, and whether its rows and columns are named."""
        file = _address_in(name, image.get("src", ""))
        again = self.drawn.get(posixpath.basename(file))
        if again is None and not file.endswith(".svg"):
            return
        with self._going_on(file, page):
            if again is not None and not again.is_shown_by(self.archive.content(file)):
                raise ValueError("it is not the picture that is drawn of the volume")
            root = self.archive.xml(file) if again is None else ElementTree.fromstring(again.drawing)
            items = list(read_svg(root, self._texts))
            unseen = [id(item) for item, _ in covered(items)]
            shapes = sort_shapes(item for item in items if id(item) not in unseen)
            width, height = svg_size(root)
            for left, bottom, right, top in shapes.outlines:
                if len(shapes.outlines) > 1 or 2 * (right - left) < width or 2 * (top - bottom) < height:
                    raise ValueError("it has an outline that is no board's")
            boards = find_boards(shapes, page or 0)
            if not boards and image.get("alt"):
                self._add(f"{_quoted(file)} shows no board", page)
            for board in boards:
                around = {text.text for text in shapes.texts if not board.holds(middle_of(text))}
                yield board, image.get("alt", ""), names_squares(around)

    def _judge_languages(self) -> None:
        """Put wrong languages before all other findings: in a wrong one no other words are found."""
        for language, pages in self._languages.items():
            more = f"; so is that of {len(pages) - 1} pages more" if len(pages) > 1 else ""
            text = f"the language is {language!r}, and the volume's {self.phrases.language!r}{more}"
            self.findings.insert(0, Finding(text, page=pages[0]))

    def _judge_links(self) -> None:
        """Judge whether each link leads to a page, and to one that says what the link says."""
        for page, label, target, is_back in self._links:
            leads = f"the link {label!r} leads to {_quoted(target)}"
            if target not in self._place_of:
                self._add(f"{leads}, which is no page of the e-book", page)
            elif is_back or label == self.phrases.answer:
                continue  # puzzle and answer are held against one another
            elif label not in self._lines_of.get(target, {label}):  # a page that can't be read says nothing
                self._add(f"{leads}, which does not say so", page)


def _first(root: Element, tag: str) -> Element:
    found = next(root.iter(tag), None)
    if found is None:
        raise ValueError(f"it has no {tag.rpartition('}')[2]}")
    return found


def _quoted(file: str) -> str:
    return printable(file, LONGEST_LINE)


def _tidy(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]


def _words(element: Element) -> str:
    return _tidy("".join(element.itertext()))


def _address_in(file: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(urlsplit(address).path)))


def _links_in(body: Element, heading: Element | None, name: str, page: int | None) -> Iterator[_Link]:
    headed = set() if heading is None else set(heading.iter(f"{_HTML}a"))
    for link in body.iter(f"{_HTML}a"):
        address = link.get("href", "")
        if not urlsplit(address).scheme and link.find(f"{_HTML}img") is None:
            yield _Link(page, _words(link), _address_in(name, address), link in headed)
