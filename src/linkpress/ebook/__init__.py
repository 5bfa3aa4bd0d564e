"""Convert a laid-out book to an e-book: an EPUB 3 file in which readers choose the size of the text.

``ebook_of`` writes the chapters. They are the parts of the printed book in the same order, without blank and
ruled pages. Each board has an alternative text that names its cells, so that readers who can't see the board
can solve it. ``epub_bytes`` packs the chapters and pictures into one file. The files beside this module are
templates of the e-book's files. ``ebook.css`` is the default style sheet, whose settings readers can override
in their reading app.

Source:
    W3C, EPUB 3.3 and EPUB Accessibility 1.1.
"""

from __future__ import annotations

import base64
import io
import re
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from html import escape
from itertools import groupby
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token
from PIL import Image

from linkpress.book.key_values import isbn_13
from linkpress.book.printing_keys import Colophon, EbookKind, MatterKind, MatterSpec, SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import PixelMode
from linkpress.layout.boards import board_frame, half_way, path_ornament, worked_example
from linkpress.layout.frame import FontKey, Frame, grey
from linkpress.layout.markdown import named_picture, parsed_markdown
from linkpress.layout.matter import CopyrightPart, back_texts, theme_with_lines
from linkpress.layout.sections import level_words
from linkpress.layout.setting import Edition, Setting
from linkpress.layout.sheets import Captions, board_sizes, range_words
from linkpress.layout.tutorial import Lesson, lessons_of
from linkpress.puzzle.puzzle import Solution
from linkpress.render.fonts import LOOPED, Faces, ShippedFont, family_of, font_blob
from linkpress.render.pdf import About
from linkpress.render.photos import PICTURE_TYPES, screen_picture
from linkpress.render.raster import inks_of, png_bytes, rasterise
from linkpress.render.svg import draw_svg
from linkpress.resources import fill_template, source_text
from linkpress.words import Words

# Cell width in points in the SVG drawings. Reading apps scale the drawings to the width of the screen.
CELL_PT = 30.0
# Maximum columns and rows of a board. A larger board gets an extra page on which readers can zoom. On a phone
# with a width of 360 pixels, its cells would be narrower than 20 pixels.
_MOST_COLS, _MOST_ROWS = 16, 24
# file name of the cover, and the width in pixels that e-book shops ask for
COVER, COVER_PX = "cover.png", 1600
# Width and height in pixels of two sizes of Kindle screens: first the Paperwhite and Colorsoft, then the
# Scribe. The larger screen of the Scribe is used for large boards.
_KINDLE_PX, _LARGE_KINDLE_PX = (1264, 1680), (1860, 2480)
# Minimum cell width in pixels for boards on a Kindle, at which the numbers are 21 pixels high. A very large
# board may have smaller cells, so that it fits on the screen of a Scribe.
_KINDLE_CELL_PX = 48
_EINK_GREYS, _MOST_COLOURS = 16, 64
# Patterns of a port number and of a whole link. EPUBCheck only accepts links that match the second pattern:
# the host name has no empty label, the port is at most 65535, and there is at most one fragment.
_PORT = "[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
_VALID_LINK = re.compile(
    rf"https?://[a-z0-9-]+(\.[a-z0-9-]+)*(:({_PORT}))?([/?][^#]*)?(#[^#]*)?|(mailto|tel):.+", re.IGNORECASE
)

_FILES = Path(__file__).parent  # the folder of the templates
_STYLE_FILE = "ebook.css"
_NAVIGATION = "contents"
_FOLDER = "EPUB"
_PACKAGE = f"{_FOLDER}/package.opf"
# Fixed date of all files in the e-book, so that equal books give equal bytes.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_MEDIA_TYPES = {".svg": "image/svg+xml", ".ttf": "font/ttf", **PICTURE_TYPES}
_ROLES = {"chapter": "doc-chapter", "part": "doc-part", "colophon": "doc-colophon"}


@dataclass(frozen=True, slots=True)
class Chapter:
    """Page of an e-book that begins on a new screen.

    Args:
        name: the name of the page's file, without the suffix.
        title: the title for tables of contents.
        body: the content, as XHTML.
        listed: whether the contents page lists this page. The menu of the reading app lists every page.
        kind: the ``epub:type`` from the EPUB Structural Semantics Vocabulary, or an empty string.
        zoomed: the width and height of the picture, for a page that only shows one picture on which
            readers can zoom; None for all other pages.
    """

    name: str
    title: str
    body: str
    listed: bool = False
    kind: str = "chapter"
    zoomed: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class EBook:
    """Content of an e-book.

    Args:
        spec: the spec of the book.
        build: the identifier of the build. It lets reading apps recognize a new version of the book.
        rights: the copyright line.
        words: the phrases of the book's language.
        date: the date of the last change.
        opening: the chapters before the contents page.
        chapters: all other chapters.
        pictures: maps the file name of each picture to its content. The cover's file name is ``cover.png``.
        fonts: the fonts to embed. Empty if readers choose the font.
    """

    spec: BookSpec
    build: str
    rights: str
    words: Words
    date: datetime
    opening: Sequence[Chapter]
    chapters: Sequence[Chapter]
    pictures: Mapping[str, bytes]
    fonts: Sequence[ShippedFont]


def ebook_of(edition: Edition, setting: Setting, about: About, faces: Faces, front: Frame | None) -> EBook:
    """Convert a laid-out book to the chapters and pictures of an e-book.

    Args:
        edition: the book's spec, puzzles and pictures.
        setting: the theme, phrases, captions and margins of the book's pages.
        about: the metadata of the book. Only its date is used.
        faces: the book's fonts.
        front: the front of the cover, or None for no cover.
    """
    spec, words = edition.spec, setting.words
    writer = _Chapters(edition, setting, faces)
    if front is not None:
        size = (COVER_PX, round(COVER_PX * front.height_pt / front.width_pt))
        drawn = rasterise(front, size, PixelMode.RGB, faces=faces)
        writer.pictures[COVER] = png_bytes(drawn, COVER_PX / front.width_pt * 72)
    opening, chapters = list(writer.opening()), [*writer.chapters(), *writer.zoomed]
    thai = (*faces.files[FontKey.REGULAR], *faces.files[FontKey.SEMIBOLD]) if words.is_thai else ()
    paragraphs = CopyrightPart(setting).paragraphs()
    rights = [text for text, _, _, key in paragraphs if key in ("copyright", "author")]
    return EBook(
        spec=spec,
        build=edition.build,
        rights="".join(rights),
        words=words,
        date=about.date,
        opening=opening,
        chapters=chapters,
        pictures=writer.pictures,
        fonts=[file for file in thai if isinstance(file, ShippedFont) and file in LOOPED],
    )


def kindle_picture(frame: Frame, faces: Faces) -> bytes:
    """Draw a frame as a PNG file for Kindle screens.

    A frame without colours is drawn in the 16 greys of electronic paper. Any other frame is drawn in at most
    64 colours.
    """
    size = (frame.width_pt, frame.height_pt)
    scale, most = (
        min(px / side for px, side in zip(screen, size, strict=True))
        for screen in (_KINDLE_PX, _LARGE_KINDLE_PX)
    )
    scale = min(max(scale, _KINDLE_CELL_PX / CELL_PT), most)
    mode = PixelMode.GRAY if all(ink.is_grey for ink in inks_of(frame)) else PixelMode.RGB
    drawn = rasterise(frame, (round(scale * size[0]), round(scale * size[1])), mode, faces=faces)
    if mode is PixelMode.RGB:
        return png_bytes(drawn.quantize(_MOST_COLOURS, Image.Quantize.FASTOCTREE), 72 * scale)
    step = 255 // (_EINK_GREYS - 1)
    greys = drawn.point([round(value / step) for value in range(256)])
    picture = Image.frombytes("P", greys.size, greys.tobytes())
    picture.putpalette([step * level for level in range(_EINK_GREYS) for _ in "rgb"])
    return png_bytes(picture, 72 * scale)


def _tag(name: str, text: str, **attributes: str) -> str:
    written = "".join(f' {key.replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{escape(text)}</{name}>"


@dataclass
class _Chapters:
    """Write the chapters of an e-book, and collect the pictures that the chapters show.

    Args:
        edition: the book's spec, puzzles and pictures.
        setting: the theme, phrases, captions and margins of the book's pages.
        faces: the book's fonts.
        pictures: maps the file name of each picture to its content.
        picture_files: the file name in the e-book for each picture that the publisher's texts name.
        zoomed: the extra pages on which readers can zoom large boards.
    """

    edition: Edition
    setting: Setting
    faces: Faces
    pictures: dict[str, bytes] = field(default_factory=dict)
    picture_files: dict[str, str] = field(default_factory=dict)
    zoomed: list[Chapter] = field(default_factory=list)

    @property
    def _is_kindle(self) -> bool:
        epub = self.edition.spec.epub
        return epub is not None and epub.kind is EbookKind.KINDLE

    def opening(self) -> Iterator[Chapter]:
        """Yield the chapters before the contents page: cover, title page and copyright page."""
        spec, words = self.edition.spec, self.setting.words
        if COVER in self.pictures and not self._is_kindle:  # a Kindle shows the cover without this page
            kind = 'class="cover" epub:type="cover" role="doc-cover"'
            body = f'<img {kind} src="{COVER}" alt="{escape(spec.title)}"/>'
            yield Chapter("cover", spec.title, body, kind="")
        lines = [_tag("h1", spec.title)]
        lines += [_tag("p", spec.subtitle)] if spec.subtitle else []
        if spec.volume is not None:
            lines.append(_tag("p", words.say(words.volume, number=str(spec.volume))))
        lines.append(self._ornament())
        lines += [_tag("p", name) for name in (spec.author, spec.publisher) if name]
        body = f'<section class="title">{"".join(lines)}</section>'
        yield Chapter("title", spec.title, body, kind="titlepage")
        if spec.parts.copyright:
            has_colophon = spec.parts.colophon is Colophon.COPYRIGHT
            yield self._imprint("copyright", CopyrightPart(self.setting, colophon=has_colophon))

    def chapters(self) -> Iterator[Chapter]:
        spec = self.edition.spec
        yield from self._publisher_pages("front", spec.front)
        if spec.parts.how_to_play:
            yield self._how_to_play()
        puzzles = self.edition.puzzles
        earlier: list[Sequence[NumberedPuzzle]] = []
        for place, (name, level) in enumerate(groupby(puzzles, key=lambda puzzle: puzzle.record.level), 1):
            section = tuple(level)
            name = spec.headings[name]
            yield from self._level(place, name, section, earlier)
            earlier.append(section)
            if spec.solutions.place is SolutionsPlace.AFTER_SECTION:
                title = self.setting.words.say(self.setting.words.section_solutions, section=name)
                yield from self._solutions(f"solutions-{place}", title, section)
        if spec.solutions.place is not SolutionsPlace.AFTER_SECTION:
            yield from self._solutions("solutions", self.setting.words.solutions, puzzles)
        yield from self._publisher_pages("back", spec.back)
        for key, text in back_texts(spec, self.setting.words):
            yield from self._publisher_pages(key, [text])
        if spec.parts.colophon is Colophon.END:
            yield self._imprint("colophon", CopyrightPart(self.setting, imprint=False, colophon=True))

    def _imprint(self, name: str, part: CopyrightPart) -> Chapter:
        lines = [
            _tag("p", text) if not strong else f"<p>{_tag('b', text)}</p>"
            for text, strong, _, _ in part.paragraphs()
        ]
        kind = "copyright-page" if name == "copyright" else "colophon"
        return Chapter(
            name, self.edition.spec.title, f'<div class="imprint">{"".join(lines)}</div>', kind=kind
        )

    def _publisher_pages(self, key: str, pages: Sequence[MatterSpec]) -> Iterator[Chapter]:
        for place, matter in enumerate(pages, 1):
            heading = _tag("h1", matter.title) if matter.title else ""
            title = matter.title or self.edition.spec.title
            body = self._from_markdown(matter.markdown)
            if matter.kind is MatterKind.DEDICATION:
                body = f'<div class="dedication">{body}</div>'
            body = heading + body
            yield Chapter(f"{key}-{place}", title, body, listed=bool(matter.title) and key != "review")

    def _from_markdown(self, text: str) -> str:
        tokens = parsed_markdown(text)
        for token in tokens:
            if token.type in ("heading_open", "heading_close"):
                # Make the headings of a text one level lower than the chapter's own heading.
                token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
            elif token.type == "html_block":
                token.type = "code_block"  # show HTML as plain text, as the printed book does
            for child in token.children or ():
                if child.type == "image":
                    child.attrs["src"] = self._picture_file(named_picture(child))
                    if width := str(child.attrs.pop("title", "")):
                        # CSS doesn't allow a space between a number and its unit.
                        child.attrs["style"] = f"width: {''.join(width.split())}"
                elif child.type == "html_inline":
                    child.type = "text"
            _unlink_invalid(token.children or ())
        parser = MarkdownIt("commonmark")
        return str(parser.renderer.render(tokens, parser.options, {}))

    def _picture_file(self, name: str) -> str:
        """Return the file name that a picture has in the e-book.

        If the e-book doesn't have the picture yet, add it.

        Args:
            name: the picture's name in the Markdown texts that the publisher has written for the book, such
                as a foreword.
        """
        if name not in self.picture_files:
            content, suffix = screen_picture(self.setting.edition.pictures[name].content)
            self.picture_files[name] = f"picture-{len(self.pictures)}{suffix}"
            self.pictures[self.picture_files[name]] = content
        return self.picture_files[name]

    def _how_to_play(self) -> Chapter:
        setting, words = self.setting, self.setting.words
        solids = self.setting.has_solids
        solution = worked_example(solids)
        theme = theme_with_lines(setting.theme)
        figures = []
        drawn = {"puzzle": None, "half": half_way(solution), "solved": solution}
        for (name, state), caption in zip(drawn.items(), words.example_captions, strict=True):
            frame = board_frame(solution.puzzle, state, CELL_PT, theme, setting.measure, 0.0, solution)
            image = self._board(f"example-{name}", frame, setting.board_in_words(solution.puzzle, state))
            figures.append(f"<figure>{image}{_tag('figcaption', caption)}</figure>")
        rules = "".join(_tag("li", rule) for rule in (words.rules_solids if solids else words.rules))
        tips = "".join(_tag("li", tip) for tip in words.tips)
        body = [_tag("h1", words.how_to_play), f"<p>{_tag('b', words.rules_intro)}</p><ol>{rules}</ol>"]
        body.append(f'<div class="examples">{"".join(figures)}</div>')
        body.append(f"{_tag('h2', words.tips_title)}<ul>{tips}</ul>")
        return Chapter("how-to-play", words.how_to_play, "\n".join(body), listed=True)

    @cached_property
    def _lessons(self) -> Mapping[str, Lesson]:
        setting = self.setting
        asked = setting.spec.parts.tutorial
        return lessons_of(self.edition, setting.words, setting.theme.numbers) if asked else {}

    def _lesson(self, place: int, name: str, lesson: Lesson) -> Chapter:
        """Return the chapter with the worked example of a level.

        Args:
            place: the number of the level in the book, for use in file names.
            name: the level's heading.
            lesson: the worked example.
        """
        setting, title = self.setting, lesson.title(self.setting.words, name)
        body = [_tag("h1", title), *(_tag("p", text) for text in lesson.intro(setting))]
        for picture in lesson.pictures(setting, CELL_PT, f"lesson-{place}"):
            image = self._board(picture.name, picture.board, picture.text)
            body.append(f"<figure>{image}{_tag('figcaption', picture.text)}</figure>")
        return Chapter(f"tutorial-{place}", title, "\n".join(body))

    def _level(
        self,
        place: int,
        name: str,
        puzzles: Sequence[NumberedPuzzle],
        earlier: Sequence[Sequence[NumberedPuzzle]],
    ) -> Iterator[Chapter]:
        setting, words = self.setting, self.setting.words
        body = [_tag("h1", name), _tag("p", range_words(setting, puzzles))]
        body.append(_tag("p", board_sizes(words, puzzles)))
        is_asked = setting.spec.parts.techniques and not setting.theme.numbers.is_dots
        if is_asked and (spans := level_words(words, earlier, puzzles)):
            texts = (_tag("b" if span.strong else "span", span.text) for span in spans)
            body.append(f"<p>{''.join(texts)}</p>")
        yield Chapter(f"level-{place}", name, "\n".join(body), listed=True, kind="part")
        if lesson := self._lessons.get(puzzles[0].record.level):
            yield self._lesson(place, name, lesson)
        captions = Captions(setting, answers=False)
        for numbered in puzzles:
            yield self._puzzle(numbered, captions)

    def _puzzle(self, numbered: NumberedPuzzle, captions: Captions) -> Chapter:
        setting, words = self.setting, self.setting.words
        name = f"puzzle-{numbered.number}"
        title = words.title_of(numbered.number, numbered.name)
        caption = [_tag("span", detail)] if (detail := captions.detail(numbered)) else []
        if captions.marks(numbered):
            marks = setting.spec.captions.difficulty.text(numbered.record.difficulty, words)
            label = words.say(words.difficulty, number=str(numbered.record.difficulty))
            caption.append(_tag("span", marks, role="img", aria_label=label))
        board = self._whole_board(name, title, numbered, None)
        links = [_tag("a", words.player.answer, href=f"solution-{numbered.number}.xhtml")]
        if setting.spec.play_url:
            address = normalizeLink(f"{setting.spec.play_url}#{numbered.number}")
            links.append(_tag("a", words.scan, href=address))
        heading = f'<div class="heading">{_tag("h1", title)}{"".join(caption)}</div>'
        key = words.colour_key(numbered.record.puzzle)
        picture = [_tag("p", words.picture_rule), _tag("p", " · ".join(key.values()))] if key else []
        return Chapter(name, title, "\n".join([heading, board, *picture, f"<p>{' · '.join(links)}</p>"]))

    def _solutions(self, name: str, title: str, puzzles: Sequence[NumberedPuzzle]) -> Iterator[Chapter]:
        setting, words = self.setting, self.setting.words
        opener = _tag("h1", title) + _tag("p", range_words(setting, puzzles))
        yield Chapter(name, title, opener, listed=True, kind="part")
        for numbered in puzzles:
            number, name = str(numbered.number), f"solution-{numbered.number}"
            title = words.say(words.solution_number, number=number)
            board = self._whole_board(name, title, numbered, numbered.record.solution)
            puzzle_title = words.title_of(numbered.number, numbered.name)
            link = _tag("a", puzzle_title, href=f"puzzle-{number}.xhtml")
            yield Chapter(name, title, f"{_tag('h1', title)}\n{board}\n<p>{link}</p>")

    def _ornament(self) -> str:
        solution = self.edition.puzzles[0].record.solution
        size = CELL_PT * solution.puzzle.grid.cols, CELL_PT * solution.puzzle.grid.rows
        items = path_ornament(solution, CELL_PT, (0.0, 0.0), [self.setting.theme.accent], grey(0.4))
        file = self._draw("ornament", Frame(*size, tuple(items)))
        return f'<img class="ornament" src="{file}" alt="" role="presentation"/>'

    def _whole_board(self, name: str, title: str, numbered: NumberedPuzzle, solution: Solution | None) -> str:
        """Return the HTML of a page's board.

        A large board is a link to an extra page where it can be zoomed.
        """
        setting, puzzle, grid = self.setting, numbered.record.puzzle, numbered.record.puzzle.grid
        frame = board_frame(puzzle, solution, CELL_PT, setting.theme, setting.measure)
        described = setting.board_in_words(puzzle, solution, numbered.number, numbered.name)
        board = self._board(name, frame, described)
        if self._is_kindle or (grid.cols <= _MOST_COLS and grid.rows <= _MOST_ROWS):
            return board
        body = f'<a href="{name}.xhtml"><img src="{name}.svg" alt="{escape(title)}"/></a>'
        size = (round(frame.width_pt), round(frame.height_pt))
        self.zoomed.append(Chapter(f"zoomed-{name}", title, body, kind="", zoomed=size))
        return f'<a href="zoomed-{name}.xhtml">{board}</a>'

    def _board(self, name: str, frame: Frame, alternative: str) -> str:
        return f'<img class="board" src="{self._draw(name, frame)}" alt="{escape(alternative)}"/>'

    def _draw(self, name: str, frame: Frame) -> str:
        file = f"{name}.png" if self._is_kindle else f"{name}.svg"
        if self._is_kindle:
            self.pictures[file] = kindle_picture(frame, self.faces)
        else:
            self.pictures[file] = draw_svg(frame, faces=self.faces, outlined=True).encode()
        return file


def _unlink_invalid(tokens: Sequence[Token]) -> None:
    """Replace links that don't work in an e-book with their text and address, as in the printed book."""
    address = ""
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrs.get("href", ""))
        if token.type in ("link_open", "link_close") and not _VALID_LINK.fullmatch(address):
            shows_address = token.type == "link_close" and address and token.markup != "autolink"
            token.type, token.nesting, token.content = "text", 0, f" ({address})" if shows_address else ""


def epub_bytes(book: EBook) -> bytes:
    """Return an e-book as an EPUB file. Equal books give equal bytes."""
    files: dict[str, str | bytes] = {
        "META-INF/container.xml": fill_template(_FILES / "container.xml", package=_PACKAGE)
    }
    files[_PACKAGE] = _package(book)
    contents = Chapter(_NAVIGATION, book.words.contents, _navigation(book), kind="")
    for chapter in (contents, *book.opening, *book.chapters):
        files[f"{_FOLDER}/{chapter.name}.xhtml"] = _page(book, chapter)
    files |= {f"{_FOLDER}/{name}": content for name, content in book.pictures.items()}
    for file in book.fonts:
        files[f"{_FOLDER}/{file.value}.ttf"] = bytes(font_blob(file).data)
    files[f"{_FOLDER}/{_STYLE_FILE}"] = source_text(_FILES / _STYLE_FILE) + _font_rules(book.fonts)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        # The EPUB standard requires this file to be the first, and not to be compressed.
        archive.writestr(zipfile.ZipInfo("mimetype", _ZIP_DATE), "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def single_page(book: EBook) -> str:
    """Return all chapters of an e-book as one web page, for viewing in a browser."""

    def embedded(match: re.Match[str]) -> str:
        name = match[1]
        data = base64.b64encode(book.pictures[name]).decode("ascii")
        return f'src="data:{_MEDIA_TYPES[Path(name).suffix]};base64,{data}"'

    chapters = (chapter for chapter in (*book.opening, *book.chapters) if not chapter.zoomed)
    body = "<hr/>\n".join(
        f'<section id="{chapter.name}">\n{chapter.body}\n</section>' for chapter in chapters
    )
    body = re.sub(r'src="([^":]+)"', embedded, body)
    body = re.sub(r'href="([\w-]+)\.xhtml', r'href="#\1', body)
    style, title = source_text(_FILES / _STYLE_FILE), escape(book.spec.title)
    return fill_template(
        _FILES / "single_page.html", language=book.words.language, title=title, style=style, body=body
    )


def _font_rules(fonts: Sequence[ShippedFont]) -> str:
    rules = (
        f'@font-face {{ font-family: "{family_of(file)}"; '
        f"font-weight: {600 if 'SemiBold' in file.value else 400}; src: url({file.value}.ttf); }}\n"
        for file in fonts
    )
    families = ", ".join(f'"{family}"' for family in dict.fromkeys(map(family_of, fonts)))
    return "".join(rules) + (f"body {{ font-family: {families}, sans-serif; }}\n" if fonts else "")


def _page(book: EBook, chapter: Chapter) -> str:
    title, body, view = escape(chapter.title), chapter.body, ""
    if chapter.kind:
        role = f' role="{_ROLES[chapter.kind]}" aria-label="{title}"' if chapter.kind in _ROLES else ""
        body = f'<section epub:type="{chapter.kind}"{role}>\n{body}\n</section>'
    if chapter.zoomed:
        view = '<meta name="viewport" content="width={}, height={}"/>'.format(*chapter.zoomed)
    body_class = ' class="zoomed"' if chapter.zoomed else ""
    parts = {"title": title, "view": view, "body_class": body_class, "body": body}
    return fill_template(_FILES / "page.xhtml", language=book.words.language, **parts)


def _navigation(book: EBook) -> str:
    """Return the HTML of the contents page.

    Chapters with ``listed=False`` are hidden on this page, but the menu of the reading app shows them.
    """
    entries: list[tuple[Chapter, list[Chapter]]] = []
    for chapter in (*book.opening, *book.chapters):
        if chapter.listed:
            entries.append((chapter, []))
        elif entries and not chapter.zoomed:
            entries[-1][1].append(chapter)
    rows = ""
    for chapter, under in entries:
        inner = "".join(f"<li>{_link(chapter)}</li>\n" for chapter in under)
        nested = f'\n<ol hidden="">\n{inner}</ol>' if inner else ""
        rows += f"<li>{_link(chapter)}{nested}</li>\n"
    heading = f"<h1>{escape(book.words.contents)}</h1>"
    return f'<nav epub:type="toc" role="doc-toc">{heading}<ol>\n{rows}</ol></nav>'


def _link(chapter: Chapter) -> str:
    return f'<a href="{chapter.name}.xhtml">{escape(chapter.title)}</a>'


def _package(book: EBook) -> str:
    """Return the package document, which lists the files of the e-book and says what it is."""
    chapters = [chapter.name for chapter in (*book.opening, *book.chapters)]
    items = [
        f'<item id="text-{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in chapters
    ]
    for number, name in enumerate((*book.pictures, *(f"{file.value}.ttf" for file in book.fonts))):
        cover = ' properties="cover-image"' if Path(name).stem == "cover" else ""
        kind = _MEDIA_TYPES[Path(name).suffix]
        items.append(f'<item id="resource-{number}" href="{escape(name)}" media-type="{kind}"{cover}/>')
    order = [chapter.name for chapter in book.opening]
    order += [_NAVIGATION] if book.spec.parts.contents else []
    order += [chapter.name for chapter in book.chapters]
    fixed = ' linear="no" properties="rendition:layout-pre-paginated"'
    zoomed = {chapter.name for chapter in book.chapters if chapter.zoomed}
    spine = [f'<itemref idref="text-{name}"{fixed if name in zoomed else ""}/>' for name in order]
    spec = book.spec
    own_id = uuid.uuid5(uuid.NAMESPACE_OID, f"{spec.book_id} {book.build}").urn
    # An e-book may only claim to conform to EPUB Accessibility if it names the person or company that has
    # certified its conformance.
    certifier = spec.epub and spec.epub.certifier
    return fill_template(
        _FILES / "package.opf",
        language=book.words.language,
        identifier=f"urn:isbn:{isbn_13(spec.isbn)}" if spec.isbn else own_id,
        title=escape(spec.title),
        details="\n".join(_details(book)),
        date=f"{book.date:%Y-%m-%dT%H:%M:%SZ}",
        summary=escape(f"{book.words.ebook_summary} {book.words.tutorial_squares}"),
        claims=fill_template(_FILES / "claims.xml", certifier=escape(certifier)) if certifier else "",
        manifest="\n".join(items),
        spine="\n".join(spine),
    )


def _details(book: EBook) -> Iterator[str]:
    """Yield the XML elements of the package document's metadata that depend on the book's spec.

    These are the language and the optional subtitle, author, publisher, copyright line and series.
    """
    spec = book.spec
    if spec.subtitle:
        yield f'<dc:title id="subtitle">{escape(spec.subtitle)}</dc:title>'
        yield '<meta refines="#subtitle" property="title-type">subtitle</meta>'
    yield f"<dc:language>{book.words.language}</dc:language>"
    known = {"creator": spec.author, "publisher": spec.publisher, "rights": book.rights}
    yield from (f"<dc:{name}>{escape(text)}</dc:{name}>" for name, text in known.items() if text)
    if spec.series:
        yield f'<meta property="belongs-to-collection" id="series">{escape(spec.series.name)}</meta>'
        yield '<meta refines="#series" property="collection-type">series</meta>'
        if spec.volume is not None:
            yield f'<meta refines="#series" property="group-position">{spec.volume}</meta>'
