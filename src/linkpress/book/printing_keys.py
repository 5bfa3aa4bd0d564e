"""Keys of a book spec that say how the book is printed. They don't change the puzzles.

Each key is a field of a class. The string below a field describes the key in the documentation, in editors
and in the studio.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import Annotated, Union
from urllib.parse import quote

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer

from linkpress.book.design_keys import NumberStyle, ShownOrText
from linkpress.book.key_values import Ages, Isbn, PerPageChoice, Trim, TrimSize, puzzles_a_page
from linkpress.documents.inks import PaletteValue
from linkpress.documents.models import Readable, SpecModel
from linkpress.documents.problem import Problem, invalid, printable
from linkpress.documents.shipped_files import NAME_OR_PATH, PRINTERS, FilePath, HoldsPaths, PicturePath
from linkpress.documents.values import (
    MM_PT,
    NO,
    YES,
    DefaultText,
    PixelMode,
    Share,
    ValueReader,
    YesNo,
    line_of_text,
    millimetres,
    one_of,
    paragraphs,
    parse_length,
    percent_text,
    scalar_text,
    some_of,
    whole_number,
)
from linkpress.engine.difficulty import marks_of
from linkpress.files import ImageFormat
from linkpress.words import Words

MAX_MATTER = 20


# The page


class Standard(StrEnum):
    """Kind of PDF for the interior of a book."""

    PDFX1A = "pdfx1a"
    PLAIN = "plain"


class Binding(StrEnum):
    """Binding of the book, which decides the inner margin."""

    GLUED = "glued"
    LAY_FLAT = "lay-flat"


class PageNumbers(StrEnum):
    """Position of page numbers at the foot of the page."""

    OUTSIDE = "outside"
    CENTRE = "centre"
    INSIDE = "inside"
    NONE = "none"


class Border(StrEnum):
    """Border around the text and boards of each page."""

    NONE = "none"
    LINE = "line"
    DOUBLE = "double"


class BackgroundPages(StrEnum):
    """Pages that have a picture in the background."""

    OPENERS = "openers"
    PUZZLES = "puzzles"
    BOTH = "both"


class BackgroundSpec(SpecModel):
    """Keys of ``page.background``, a picture that is printed behind the text and boards of pages."""

    image: PicturePath
    """The file of the picture, JPEG or PNG. It is cut to the page with its bleed, checked against the
    printer's resolution, and printed in gray if the paper is printed in black only."""
    pages: Annotated[BackgroundPages, one_of(BackgroundPages)] = BackgroundPages.BOTH
    """The pages with the picture: `openers` of levels and solutions, `puzzles`, or `both`."""
    strength: Share = Fraction(20, 100)
    """How strongly the picture is printed, 5% to 40%, so that text on it stays readable. Boards always have a
    white background."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if not Fraction(5, 100) <= self.strength <= Fraction(40, 100):
            yield Problem(percent_text(self.strength), "5% to 40% is allowed", ("strength",))


_MARGIN_WORDS = "a length with its unit, as 0.5in or 15mm"


def _read_margin(value: object) -> float:
    text = f"{value}pt" if isinstance(value, float) else scalar_text(value, _MARGIN_WORDS)
    try:
        length_pt = parse_length(text)
    except ValueError:
        raise invalid(printable(text), f"{_MARGIN_WORDS}, is needed") from None
    if not 0 < length_pt <= 200:
        raise invalid(printable(text), "up to 70 mm are allowed")
    return length_pt


Margin = Annotated[
    float,
    ValueReader(
        _read_margin, _MARGIN_WORDS, {"type": "string"}, lambda length_pt: f"{length_pt:g}pt", "length"
    ),
]


class MarginsSpec(SpecModel):
    """Keys of ``page.margins``. A margin must not be smaller than the printer's minimum."""

    inside: Annotated[Margin | None, DefaultText("by trim and thickness")] = None
    """The margin at the spine."""
    outside: Annotated[Margin | None, DefaultText("by the trim")] = None
    """The margin at the outer edge."""
    top: Annotated[Margin | None, DefaultText("by the trim")] = None
    """The margin at the top."""
    bottom: Annotated[Margin | None, DefaultText("by the trim")] = None
    """The margin at the bottom."""


class PageSpec(SpecModel):
    """Keys of ``page``: printer, paper, size and margins."""

    printer: Annotated[str, NAME_OR_PATH, PRINTERS] = "generic"
    """The printer: the name of a shipped profile, such as `kdp-paperback`, or the path of your own
    profile."""
    paper: Annotated[str | None, line_of_text(60), DefaultText("the printer's first")] = None
    """The paper, by its name in the printer's profile."""
    trim: TrimSize = Trim(215.9, 279.4, "8.5x11in")
    """The size of the cut page, width first."""
    bleed: YesNo = False
    """Whether pages are delivered with bleed."""
    binding: Annotated[Binding | None, one_of(Binding), DefaultText("the printer's")] = None
    """The binding. With `lay-flat`, for spiral, wire-bound and sewn books, both side margins are equal."""
    margins: Annotated[MarginsSpec | None, DefaultText("as below")] = None
    """The margins of the page, if they differ from the usual ones."""
    single_sided: YesNo = False
    """Whether puzzles are only on right-hand pages, so that a pen does not show through to another puzzle."""
    large_print: YesNo = False
    """Whether the book is for large print: numbers of 18 points or more, and one puzzle on a page unless
    `per_page` asks for more."""
    min_cell_mm: Annotated[float | None, millimetres(3, 40), DefaultText("5")] = None
    """The smallest allowed square of a puzzle."""
    running_heads: YesNo = True
    """Whether a line at the top of the page names the level and its puzzles."""
    numbers: Annotated[PageNumbers, one_of(PageNumbers)] = PageNumbers.OUTSIDE
    """The position of page numbers at the foot of the page."""
    border: Annotated[Border, one_of(Border)] = Border.NONE
    """The line around every printed page."""
    background: Annotated[BackgroundSpec | None, DefaultText("none")] = None
    """A picture behind openers and puzzles that runs to the edge of the page; it needs `bleed: yes`."""
    max_cell_mm: Annotated[float | None, millimetres(5, 60), DefaultText("17; with `fill: yes` 60")] = None
    """The largest allowed square of a puzzle."""
    fill: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether puzzles grow until they fill the page, which suits large print."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.background and readable("bleed") and not self.bleed:
            message = "a picture behind pages runs over their edges: give page.bleed: yes"
            yield Problem("", message, ("background",))
        if self.min_cell_mm and self.max_cell_mm and self.min_cell_mm > self.max_cell_mm:
            message = f"min_cell_mm is {self.min_cell_mm:g}; give as much or more"
            yield Problem(f"{self.max_cell_mm:g}", message, ("max_cell_mm",))


# Book parts


# Matches the Markdown in front of a picture's relative path, as in ``![words](path)`` or ``[words]: path``.
_PICTURE = re.compile(
    r"(?:(?<!\\)!\[(?:[^\[\]\\]|\\.)*\]\(|^ {0,3}\[[^\]\n]+\]:(?=[ \t]*\S+[ \t]*(?:[\"'(].*)?$))"
    r"\s*<?(?=[^\s<>)/])(?![A-Za-z][A-Za-z0-9+.-]*:)",
    re.MULTILINE,
)
# Matches the folders in a picture's path. They don't count for the length of a text, because linkpress itself
# puts more folders in front if the spec's base file is in another folder.
_PICTURE_FOLDER = re.compile(rf"({_PICTURE.pattern})(?:[^\s<>()/]*/)+", re.MULTILINE)


class HoldsPicturePaths(HoldsPaths):
    """Annotation of a key whose value is a Markdown text with paths of pictures."""

    def rebase(self, text: str, folder: PurePath) -> str:
        """Put ``folder`` in front of each path of a picture, also in lines such as ``[map]: map.png``."""
        prefix = quote(f"{folder.as_posix()}/", safe="/.:~")
        return _PICTURE.sub(lambda match: f"{match[0]}{prefix}", text)


class SolutionsPlace(StrEnum):
    """Place of the solutions in the book."""

    BACK = "back"
    AFTER_SECTION = "after-section"
    FILE = "file"
    UPSIDE_DOWN = "upside-down"


class NumbersSpec(SpecModel):
    """Keys of ``numbers``, which override the keys of the theme."""

    style: Annotated[NumberStyle | None, one_of(NumberStyle), DefaultText("the theme's")] = None
    """How numbers are drawn. With `dots`, each pair has a disc and a line in its own colour."""
    show_numbers: Annotated[YesNo | None, DefaultText("the theme's: yes")] = None
    """Whether `dots` show their numbers. Without them, no board may have more pairs than the palette has
    colours."""
    palette: Annotated[PaletteValue | None, DefaultText("`twelve`")] = None
    """The colours of `dots`, for the pairs 1, 2, 3 and so on."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.style in (None, NumberStyle.DOTS):
            return
        for key in ("show_numbers", "palette"):
            if getattr(self, key) is not None:
                yield Problem("", f"only `style: dots` has this, and the style is {self.style}", (key,))


class SolutionsSpec(SpecModel):
    """Keys of ``solutions``: where and how the answers are printed."""

    place: Annotated[SolutionsPlace, one_of(SolutionsPlace)] = SolutionsPlace.BACK
    """The place of the solutions: at the back, after each section, in a separate file (`solutions.pdf`), or
    upside down at the foot of the next page of puzzles."""
    per_page: Annotated[PerPageChoice, puzzles_a_page(1, 2, 4, 6, 9, 12, 16)] = "auto"
    """The number of solutions on a page; with `auto` it depends on the size of the boards."""


class Colophon(StrEnum):
    """Place of the colophon, the line of text that says how the book was made."""

    COPYRIGHT = "copyright"
    END = "end"
    NONE = "none"


class PartsSpec(SpecModel):
    """Keys of ``parts``: the parts of the book besides its puzzles."""

    copyright: YesNo = True
    """Whether there is a copyright page."""
    contents: YesNo = True
    """Whether there is a table of contents."""
    how_to_play: YesNo = True
    """Whether the rules are explained with an example, on a single page if it stays readable."""
    tutorial: YesNo = False
    """Whether a worked example is printed before the puzzles of each level. It solves a small board in six
    pictures, and teaches what the level adds to those before it. It takes one page, or more in large print
    and on small pages. A level has no example if an earlier one asks for the same difficulty, or, without a
    difficulty, for boards of the same size."""
    openers: YesNo = True
    """Whether each level and the solutions begin with a page of their own."""
    techniques: YesNo = False
    """Whether the page before each level names the solving techniques that no earlier level needs, and
    explains the easiest of them. So does a level's page in the e-book. Books with dots have no such text."""
    recto: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether these pages are always right-hand pages, after a blank page if needed."""
    colophon: Annotated[Colophon, one_of(Colophon)] = Colophon.NONE
    """Where the book tells that it was made with linkpress, and its build: nowhere, on the copyright page, or
    at the end."""
    progress: YesNo = False
    """Whether a page after the solutions has a star to colour for each puzzle. The e-book lacks this page."""
    times: YesNo = False
    """Whether a page after the solutions has a line for each puzzle on which to write the time. It is there
    too if a level has `target_minutes`. The e-book lacks this page."""
    certificate: YesNo = False
    """Whether there is a certificate for a reader who has solved all puzzles, with lines for name and date.
    The e-book lacks it."""
    about_author: Annotated[
        str | None, paragraphs(4_000, partial(_PICTURE_FOLDER.sub, r"\1")), HoldsPicturePaths()
    ] = None
    """A text for the page "About the author" at the end, plain or in Markdown, as in `back`. A line
    `![](me.jpg "40mm")` adds a picture."""
    review: YesNo = False
    """Whether a page at the end asks for a review."""
    more_books: Annotated[tuple[Annotated[str, line_of_text(120)], ...], Field(max_length=40)] = ()
    """The titles of other books for a page at the end. The heading names the `series`, if there is one. The
    book's own title is left out, so the volumes of a series can share the list."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        for key, found in (("about_author", self.about_author), ("more_books", " ".join(self.more_books))):
            if found and found.strip().lower() in YES | NO:
                message = "write the text of this page here, or leave the key out to print no such page"
                yield Problem(found, message, (key,))


class DifficultyMark(StrEnum):
    """Form in which the difficulty of a puzzle is printed."""

    NONE = "none"
    MARKS = "marks"
    NUMBER = "number"

    def text(self, difficulty: int | None, words: Words) -> str:
        """Return a puzzle's difficulty in its printed form; empty if it is unknown or not printed."""
        return "●" * self.marks(difficulty) or self.number_text(difficulty, words)

    def marks(self, difficulty: int | None) -> int:
        """Return how many marks to print; 0 if no marks are printed or the difficulty is unknown."""
        return marks_of(difficulty) if self is DifficultyMark.MARKS and difficulty is not None else 0

    def number_text(self, difficulty: int | None, words: Words) -> str:
        """Return a phrase with the difficulty as a number, in the language of ``words``.

        The phrase is empty if difficulties are printed in another form, or if this difficulty is unknown.
        """
        if self is not DifficultyMark.NUMBER or difficulty is None:
            return ""
        return words.say(words.difficulty, number=str(difficulty))


class CaptionsSpec(SpecModel):
    """Keys of ``captions``, the text that is printed beside the number of a puzzle."""

    titles: YesNo = False
    """Whether each puzzle has a name, such as `Staircase` or `Mind the gap`. It comes from what the numbers
    look like and from the hardest technique. No two puzzles of a book have the same name. The e-book and the
    page to play on show the names too."""
    size: YesNo = True
    """Whether the caption tells the board's size."""
    difficulty: Annotated[DifficultyMark, one_of(DifficultyMark)] = DifficultyMark.NONE
    """Whether books, e-books, the page to play on and the book's `images` show how hard each puzzle is: as
    `marks`, one to eight dots, or as a `number` from 0 to 100. Both mean the same in every book. With `none`,
    the level's name says it alone."""
    page: YesNo = True
    """Whether the caption tells the page of the solution, and at a solution the page of the puzzle."""
    time: YesNo = False
    """Whether there is a line on which to write the time."""


# Fonts


class Embed(StrEnum):
    """Choice between PDFs that contain whole fonts, and PDFs that contain only the glyphs that they use."""

    SUBSET = "subset"
    FULL = "full"


class ThaiFace(StrEnum):
    """Typeface for Thai letters: traditional letters with loops, or modern letters without loops."""

    LOOPED = "looped"
    LOOPLESS = "loopless"


class FontsSpec(SpecModel):
    """Keys of ``fonts``, which name the user's own fonts in place of IBM Plex Sans."""

    regular: Annotated[FilePath | None, DefaultText("IBM Plex Sans")] = None
    """The file of a TrueType font for the text."""
    semibold: Annotated[
        FilePath | None, DefaultText("the regular one, if given; of a variable font, its weight 600")
    ] = None
    """The file of a TrueType font for headings, numbers and **bold**."""
    italic: Annotated[
        FilePath | None, DefaultText("IBM Plex Sans Italic; with a regular font given, the semibold one")
    ] = None
    """The file of a TrueType font for *emphasis* in your own pages and in the blurb."""
    fallback: FilePath | None = None
    """The file of a font for letters that the other fonts lack, such as Japanese ones."""
    fallback_semibold: Annotated[FilePath | None, DefaultText("the fallback, if given")] = None
    """The file of a font for letters that the semibold font lacks, in headings and numbers."""
    thai: Annotated[
        ThaiFace | None,
        one_of(ThaiFace),
        DefaultText("`looped` in large print and where boards have no numbers, else `loopless`"),
    ] = None
    """The shipped typeface for Thai letters; letters with loops are easier to read."""
    embed: Annotated[Embed, one_of(Embed)] = Embed.SUBSET
    """Whether a PDF contains only the glyphs that it uses, or whole fonts, as some printers ask."""

    @property
    def files(self) -> dict[str, str]:
        return {name: file for name, file in self if file is not None and name not in ("embed", "thai")}

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.thai and self.regular:
            message = "your regular font is used for Thai letters too; leave this out"
            yield Problem(self.thai, message, ("thai",))


# Other outputs


class ScreenSpec(SpecModel):
    """Keys of ``screen``, a PDF for reading on a tablet. It is only made if the spec has this key."""

    trim: TrimSize = Trim(152.4, 203.2, "6x8in")
    """The size of its pages, width first."""
    per_page: Annotated[PerPageChoice | None, puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9), DefaultText("1")] = None
    """The number of puzzles on a page, or fewer if squares would get too small. A page has at most four
    answers."""
    isbn: Isbn | None = None
    """The ISBN of this file for its copyright page; it must not be that of the printed book."""


_IMAGE_WIDTH = "a length with its unit, as 85mm or 3.25in"


def _read_image_width(value: object) -> float:
    text = f"{value}mm" if isinstance(value, float) else scalar_text(value, _IMAGE_WIDTH)
    try:
        width_mm = round(parse_length(text) / MM_PT, 6)
    except ValueError:
        raise invalid(printable(text), f"{_IMAGE_WIDTH}, is needed") from None
    if not 20 <= width_mm <= 600:
        raise invalid(printable(text), "20 to 600 mm are allowed")
    return width_mm


class ImagesOf(StrEnum):
    """Choice between images of the puzzles, of the solutions, or of both."""

    BOTH = "both"
    PUZZLE = "puzzle"
    SOLUTION = "solution"


class ImagesSpec(SpecModel):
    """Keys of ``images``, image files of the boards. They are only made if the spec has this key."""

    width: Annotated[
        float,
        ValueReader(
            _read_image_width, _IMAGE_WIDTH, {"type": "string"}, lambda width_mm: f"{width_mm:g}mm", "length"
        ),
    ] = 85.0
    """The width of each image."""
    dpi: Annotated[int | None, whole_number(72, 2400), DefaultText("1200 for 1bit, else 300")] = None
    """The resolution, in pixels an inch."""
    mode: Annotated[PixelMode, one_of(PixelMode)] = PixelMode.ONE_BIT
    """The kind of pixels: black and white, grey, or colour. Images in colour have the book's theme, all
    others the theme `lineart` or `newspaper`."""
    format: Annotated[tuple[ImageFormat, ...], some_of(ImageFormat), DefaultText("png")] = (ImageFormat.PNG,)
    """The formats of the files."""
    what: Annotated[ImagesOf, one_of(ImagesOf)] = ImagesOf.BOTH
    """Whether there are images of the puzzles, of the solutions, or of both."""


class ListingSpec(SpecModel):
    """Keys of ``listing``: texts for a book shop's form, which ``linkpress listing`` helps to fill in."""

    description: Annotated[
        str | None, paragraphs(4000), DefaultText("blurb, counts by level and promise, in the book's words")
    ] = None
    """The description of the book."""
    keywords: Annotated[
        tuple[Annotated[str, line_of_text(50)], ...],
        Field(max_length=7),
        DefaultText("those of the language's words file, for the ages and in large print"),
    ] = ()
    """Words by which customers find the book."""
    ages: Ages | None = None
    """The ages of the readers, if the book is for children."""
    ai: ShownOrText | None = None
    """Whether AI tools made texts, pictures or translations of the book: no, yes, or which ones. Shops ask
    this. linkpress makes puzzles, pages and cover designs without AI."""
    categories: Annotated[
        tuple[Annotated[str, line_of_text(120)], ...],
        Field(max_length=3),
        DefaultText("logic puzzles, or games for children if `ages` are given"),
    ] = ()
    """Categories of the book, by their names in the shop."""


class EbookKind(StrEnum):
    """Kind of e-book."""

    EPUB = "epub"
    KINDLE = "kindle"


class EbookSpec(SpecModel):
    """Keys of ``epub``, the e-book. It is only made if the spec has this key."""

    kind: Annotated[EbookKind, one_of(EbookKind)] = EbookKind.EPUB
    """The kind of e-book: `epub`, with boards as drawings, for all shops and reading apps; or `kindle`, with
    boards as pictures in the resolution of Amazon's devices."""
    certifier: Annotated[str | None, line_of_text(120)] = None
    """Who certifies that the e-book meets EPUB Accessibility 1.1 and WCAG 2.2 AA, such as your publishing
    house after its own checks. Without this key, the e-book makes no such claim."""
    isbn: Isbn | None = None
    """The ISBN of the e-book, for its copyright page and as its identifier. Without one it gets a generated
    identifier."""

    @model_serializer(mode="wrap")
    def _write(self, write: SerializerFunctionWrapHandler) -> object:
        """Return the keys as they are saved in a volume.

        If all keys have their defaults, return True, which means ``epub: yes``.
        """
        keys = {**write(self), "kind": self.kind.value}
        if self.kind is EbookKind.EPUB:
            del keys["kind"]
        return keys or True


def or_yes_no(model: type[SpecModel]) -> BeforeValidator:
    return BeforeValidator(_read_yes_no, json_schema_input_type=Union[model, YesNo])  # noqa: UP007 - a variable


def _read_yes_no(value: object) -> object:
    if isinstance(value, str) and value.lower() in YES | NO:
        value = value.lower() in YES
    if isinstance(value, bool):
        return {} if value else None
    if isinstance(value, str):
        raise invalid(printable(value), "yes, no, or keys of its own, set in by two spaces, are needed")
    return value


class MatterSpec(SpecModel):
    """Keys of an entry of ``front`` or ``back``: a text of the publisher for pages of the book."""

    text: Annotated[str, paragraphs(20_000, partial(_PICTURE_FOLDER.sub, r"\1")), HoldsPicturePaths()]
    """The text of the page, plain or in Markdown: paragraphs, headings, lists, tables, **bold**, *emphasis*
    and links, which are printed with their address. `---` gives a short rule. `![](map.png)` in a paragraph
    of its own gives a picture as wide as the text, and `![](map.png "60mm")` one of that width."""
    title: Annotated[str | None, line_of_text(80)] = None
    """A heading, which is also listed in the contents."""


_ADDRESS_WORDS = "a web address as `https://example.com/play.html`"
# A QR code of 20 mm has room for an address of this length, followed by the number of a puzzle.
_MAX_ADDRESS = 200


def _read_address(value: object) -> str:
    text = scalar_text(value, _ADDRESS_WORDS)
    if not re.fullmatch(r"https?://[^\s/?#<>\"'\\]+[^\s#<>\"'\\]*", text, re.ASCII | re.IGNORECASE):
        message = f"{_ADDRESS_WORDS} is allowed: with https://, without blanks and #, which is added"
        raise invalid(printable(text), message)
    if len(text) > _MAX_ADDRESS:
        raise invalid(f"{len(text)} characters", f"at most {_MAX_ADDRESS} are allowed")
    return text


Address = Annotated[
    str,
    ValueReader(
        _read_address,
        _ADDRESS_WORDS,
        {"type": "string", "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$"},
    ),
]


class PlaySpec(SpecModel):
    """Keys of ``play``, a web page for playing the puzzles. It is only made if the spec has this key."""

    url: Annotated[Address | None, DefaultText("codes lead to puzz.link")] = None
    """The address at which you publish `play.html`. The book's QR codes lead there, to each puzzle by its
    number."""
    answers: YesNo = False
    """Whether the page contains the answers."""
    hints: YesNo = True
    """Whether the page contains hints: the steps that solve each puzzle, shown one at a time."""


class QrPer(StrEnum):
    """Choice between a QR code for each puzzle, and a QR code for each section of the book."""

    PUZZLE = "puzzle"
    SECTION = "section"


_FIELDS = {QrPer.PUZZLE: ("url", "number"), QrPer.SECTION: ("level", "first", "last", "url")}


class QrSpec(SpecModel):
    """Keys of ``qr``, the QR codes. They are only printed if the spec has this key."""

    per: Annotated[QrPer, one_of(QrPer)] = QrPer.PUZZLE
    """Whether there is a code below each puzzle, or on the opener of each section."""
    text: Annotated[
        str,
        line_of_text(300),
        DefaultText("`{url}`; required with `per: section` unless there is `play.url`"),
    ] = "{url}"
    """The text of a code, in which names in braces are filled in. For puzzles these are `{number}` and
    `{url}`, which is the puzzle at `play.url`, or else on puzz.link if the board has no solid squares. For
    sections they are `{level}` (the section's number), `{first}`, `{last}`, and with `play.url` also
    `{url}`."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        allowed = [f"{{{name}}}" for name in _FIELDS[self.per]]
        for name in re.findall(r"\{[^{}]*\}", self.text):
            if name not in allowed:
                message = f"a code per {self.per.value} fills in {' and '.join(allowed)}"
                yield Problem(name, message, ("text",))
