"""These keys of a book spec say how the book is printed; none of them changes a puzzle."""

import re
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import Annotated, Union
from urllib.parse import quote

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer

from linkpress.book.design_keys import NumberStyle
from linkpress.book.key_values import Isbn, PerPageChoice, Trim, TrimSize, puzzles_a_page
from linkpress.documents.inks import PaletteValue
from linkpress.documents.models import Readable, SpecModel, Synonyms
from linkpress.documents.problem import Problem, invalid, printable
from linkpress.documents.shipped_files import NAME_OR_PATH, PRINTERS, FilePath, HoldsPaths, PicturePath
from linkpress.documents.values import (
    NO,
    YES,
    DefaultText,
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
)

MAX_MATTER = 20


class Standard(StrEnum):
    """A standard is a kind of PDF that the interior can be."""

    PDFX1A = "pdfx1a"
    PLAIN = "plain"


class Binding(StrEnum):
    """A binding holds the pages together."""

    GLUED = "glued"
    LAY_FLAT = "lay-flat"


class PageNumbers(StrEnum):
    """This says where page numbers stand at the foot."""

    OUTSIDE = "outside"
    CENTRE = "centre"
    INSIDE = "inside"
    NONE = "none"


class Border(StrEnum):
    """A border is a line that can run round a page's live area."""

    NONE = "none"
    LINE = "line"
    DOUBLE = "double"


class BackgroundPages(StrEnum):
    """This says which pages have a picture behind all else."""

    OPENERS = "openers"
    PUZZLES = "puzzles"
    BOTH = "both"


class BackgroundSpec(SpecModel):
    """A background is a picture behind pages, made when this key is given."""

    image: PicturePath
    """The picture's file, JPEG or PNG, cut to the page with its bleed and checked for the printer's
    resolution; gray on paper that is printed in black."""
    pages: Annotated[BackgroundPages, one_of(BackgroundPages)] = BackgroundPages.BOTH
    """Which pages have it: `openers` of levels and solutions, `puzzles`, or `both`."""
    strength: Share = Fraction(20, 100)
    """How much of its ink is left, 5% to 40%, so that words on it are read; boards stand on white."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a picture that hides the words, or is not seen."""
        if not Fraction(5, 100) <= self.strength <= Fraction(40, 100):
            yield Problem(percent_text(self.strength), "5% to 40% is allowed", ("strength",))


_MARGIN_WORDS = "a length with its unit, as 0.5in or 15mm"


def _read_margin(value: object) -> float:
    text = f"{value}pt" if isinstance(value, float) else scalar_text(value, _MARGIN_WORDS)
    try:
        length = parse_length(text)
    except ValueError:
        raise invalid(printable(text), f"{_MARGIN_WORDS}, is needed") from None
    if not 0 < length <= 200:
        raise invalid(printable(text), "up to 70 mm are allowed")
    return length


Margin = Annotated[
    float, ValueReader(_read_margin, _MARGIN_WORDS, {"type": "string"}, lambda length: f"{length:g}pt")
]


class MarginsSpec(SpecModel):
    """The margins of the pages are nowhere less than the printer's."""

    inside: Annotated[Margin | None, DefaultText("by trim and thickness")] = None
    """At the spine."""
    outside: Annotated[Margin | None, DefaultText("by the trim")] = None
    """At the outer edge."""
    top: Annotated[Margin | None, DefaultText("by the trim")] = None
    """Above."""
    bottom: Annotated[Margin | None, DefaultText("by the trim")] = None
    """Below."""


class PageSpec(SpecModel):
    """These keys name the printer, its paper and the page."""

    printer: Annotated[str, NAME_OR_PATH, PRINTERS] = "generic"
    """A printer profile: a name as `kdp-paperback`, or the path of a profile file."""
    paper: Annotated[str | None, line_of_text(60), DefaultText("the printer's first"), Synonyms("ink")] = None
    """One of the printer's papers."""
    trim: Annotated[TrimSize, Synonyms("format", "page_size", "width", "height")] = Trim(
        215.9, 279.4, "8.5x11in"
    )
    """The size of the cut page, width first."""
    bleed: YesNo = False
    """Whether pages are delivered with bleed."""
    binding: Annotated[Binding | None, one_of(Binding), DefaultText("the printer's")] = None
    """`lay-flat`, for coil, wire and sewn books, has the same margin on both sides."""
    margins: Annotated[MarginsSpec | None, DefaultText("as below")] = None
    """The margins: each as given, if the printer allows as little."""
    single_sided: YesNo = False
    """Puzzles on right-hand pages only, against show-through."""
    large_print: YesNo = False
    """Numbers of 18 pt or more, one puzzle a page."""
    min_cell_mm: Annotated[float | None, millimetres(3, 40), DefaultText("5")] = None
    """The smallest square allowed on the page."""
    running_heads: YesNo = True
    """Whether a line above names the level and its puzzles."""
    numbers: Annotated[PageNumbers, one_of(PageNumbers)] = PageNumbers.OUTSIDE
    """Where page numbers stand, at the foot."""
    border: Annotated[Border, one_of(Border)] = Border.NONE
    """What runs round every page that is printed on."""
    background: Annotated[BackgroundSpec | None, DefaultText("none")] = None
    """A picture behind openers and puzzles, through the bleed; needs `bleed: yes`."""
    max_cell_mm: Annotated[float | None, millimetres(5, 60), DefaultText("17; with `fill: yes` 60")] = None
    """The largest square of a puzzle."""
    fill: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether puzzles grow until they fill the page, as large print wants it."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse least squares larger than the largest, and a picture to the edge of a page without bleed."""
        if self.background and readable("bleed") and not self.bleed:
            message = "a picture behind pages runs over their edges: give page.bleed: yes"
            yield Problem("", message, ("background",))
        if self.min_cell_mm and self.max_cell_mm and self.min_cell_mm > self.max_cell_mm:
            message = f"min_cell_mm is {self.min_cell_mm:g}; give as much or more"
            yield Problem(f"{self.max_cell_mm:g}", message, ("max_cell_mm",))


class SolutionsPlace(StrEnum):
    """This says where the solutions stand."""

    BACK = "back"
    AFTER_SECTION = "after-section"
    FILE = "file"
    UPSIDE_DOWN = "upside-down"


class NumbersSpec(SpecModel):
    """These keys change how the numbers look, in place of the theme's."""

    style: Annotated[NumberStyle | None, one_of(NumberStyle), DefaultText("the theme's")] = None
    """`dots` are discs with a colour of their own for each pair, its line's colour too."""
    show_numbers: Annotated[YesNo | None, DefaultText("the theme's: yes")] = None
    """Whether `dots` carry their numbers; a board of more pairs than the palette has colours always shows
    them."""
    palette: Annotated[PaletteValue | None, DefaultText("`twelve`")] = None
    """The colours of `dots`, for the pairs 1, 2, 3 …"""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse keys of dots where the numbers are no dots."""
        if self.style in (None, NumberStyle.DOTS):
            return
        for key in ("show_numbers", "palette"):
            if getattr(self, key) is not None:
                yield Problem("", f"only `style: dots` has this, and the style is {self.style}", (key,))


class SolutionsSpec(SpecModel):
    """These keys lay out the solutions."""

    place: Annotated[SolutionsPlace, one_of(SolutionsPlace)] = SolutionsPlace.BACK
    """Where solutions stand: at the back, after each section, in a file of their own (`solutions.pdf`), or
    upside down at the foot of the next page of puzzles."""

    per_page: Annotated[PerPageChoice, puzzles_a_page(1, 2, 4, 6, 9, 12, 16)] = "auto"
    """Solutions on a page of solutions; `auto` goes by the boards' sizes."""


class Colophon(StrEnum):
    """This says where the lines stand that tell how the book was made."""

    COPYRIGHT = "copyright"
    END = "end"
    NONE = "none"


class PartsSpec(SpecModel):
    """These keys switch on and off the parts beside the puzzles."""

    copyright: YesNo = True
    """The copyright page."""
    contents: YesNo = True
    """The contents."""
    how_to_play: YesNo = True
    """The rules with an example, on one page where that can be read."""
    tutorial: YesNo = False
    """Two pages, more in large print and on small pages, that solve the easiest board of the book in six to
    eight pictures; where none can be told in so few, the example of the rules."""
    openers: YesNo = True
    """A page before each level and before the solutions."""
    recto: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether these pages are right-hand ones, with a blank page before them where need be."""
    colophon: Annotated[Colophon, one_of(Colophon)] = Colophon.COPYRIGHT
    """Where proofs, seed and build are told: on the copyright page, at the end of the book, or nowhere."""


class GradeMark(StrEnum):
    """A grade mark is how a caption tells the grade."""

    NONE = "none"
    WORDS = "words"
    STARS = "stars"


class CaptionsSpec(SpecModel):
    """These keys give the parts of a caption beside the number of its board."""

    size: YesNo = True
    """The board's size."""
    grade: Annotated[GradeMark, one_of(GradeMark)] = GradeMark.WORDS
    """The grade in words, one to five stars by the score, or nothing."""
    page: YesNo = True
    """The page of the solution, and at a solution that of its puzzle."""
    time: YesNo = False
    """A line below for the time that it took."""


class Embed(StrEnum):
    """This says how much of a font a PDF holds."""

    SUBSET = "subset"
    FULL = "full"


class ThaiFace(StrEnum):
    """A face of Thai letters is traditional, with loops, or modern, without."""

    LOOPED = "looped"
    LOOPLESS = "loopless"


class FontsSpec(SpecModel):
    """These keys name fonts in place of IBM Plex Sans, and say how fonts are embedded."""

    regular: Annotated[FilePath | None, DefaultText("IBM Plex Sans")] = None
    """A TrueType font's file, beside the spec or with its path."""
    semibold: Annotated[FilePath | None, DefaultText("the regular one, if given")] = None
    """For headings, numbers and **bold**, likewise."""
    italic: Annotated[
        FilePath | None, DefaultText("IBM Plex Sans Italic; with a regular font given, the semibold one")
    ] = None
    """For *emphasis* in your own pages and the blurb, likewise."""
    fallback: FilePath | None = None
    """For letters that the fonts above lack, such as Japanese ones, likewise."""
    fallback_semibold: Annotated[FilePath | None, DefaultText("the fallback, if given")] = None
    """The same where the semibold font lacks them, in headings and numbers."""
    thai: Annotated[
        ThaiFace | None,
        one_of(ThaiFace),
        DefaultText("`looped` in large print and where boards have no numbers, else `loopless`"),
    ] = None
    """The shipped face of Thai letters; those with loops are read more easily."""
    embed: Annotated[Embed, one_of(Embed)] = Embed.SUBSET
    """What a PDF holds of its fonts: the glyphs used, or all, as some printers ask."""

    @property
    def files(self) -> dict[str, str]:
        """Return the files that are given, by their keys."""
        return {name: file for name, file in self if file is not None and name not in ("embed", "thai")}

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a choice between faces that are not used."""
        if self.thai and self.regular:
            yield Problem(
                self.thai, "your regular font stands for Thai letters too; leave this out", ("thai",)
            )


class ScreenSpec(SpecModel):
    """The book for tablets is made when this key is given."""

    trim: TrimSize = Trim(152.4, 203.2, "6x8in")
    """The size of its pages, width first."""
    per_page: Annotated[PerPageChoice | None, puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9), DefaultText("1")] = None
    """Puzzles on a page, fewer where squares would be too small; answers stand four to a page at most."""
    isbn: Isbn | None = None
    """Its own, for its copyright page: the printed book's belongs to the printed book alone."""


class ListingSpec(SpecModel):
    """A shop's form asks this and the book does not say it; `linkpress listing` takes it."""

    description: Annotated[
        str | None, paragraphs(4000), DefaultText("blurb, counts by level and promise, in the book's words")
    ] = None
    """The description."""
    keywords: Annotated[
        tuple[Annotated[str, line_of_text(50)], ...],
        Field(max_length=7),
        DefaultText("those of the language's words file"),
    ] = ()
    """What the book is looked for by."""
    categories: Annotated[tuple[Annotated[str, line_of_text(120)], ...], Field(max_length=3)] = ()
    """The shop's categories, by their names there."""


class EbookKind(StrEnum):
    """An e-book is of one of these kinds."""

    EPUB = "epub"
    KINDLE = "kindle"


class EbookSpec(SpecModel):
    """The e-book is made when this key is given."""

    kind: Annotated[EbookKind, one_of(EbookKind)] = EbookKind.EPUB
    """For whom it is: `epub` for all shops and programs, with boards as drawings; `kindle` for Amazon's, with
    boards as pictures of as many pixels as the devices have."""
    certifier: Annotated[str | None, line_of_text(120), DefaultText("publisher, else author")] = None
    """Who says that it meets EPUB Accessibility 1.1 and WCAG 2.2 AA. Where nobody is named, it does not say
    that it does."""
    isbn: Isbn | None = None
    """Its own, for its copyright page and its identifier; without one it is known by a number made for it."""

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> object:
        scalar_text = {**write(self), "kind": self.kind.value}
        if self.kind is EbookKind.EPUB:
            del scalar_text["kind"]
        return scalar_text or True  # as releases before 0.3 wrote and read it


def or_yes_no(model: type[SpecModel]) -> BeforeValidator:
    """Return the validator of a mapping, of ``yes`` for an empty one, or of ``no`` for none."""
    return BeforeValidator(_read_yes_no, json_schema_input_type=Union[model, YesNo])  # noqa: UP007 - of a variable


def _read_yes_no(value: object) -> object:
    if isinstance(value, str) and value.lower() in YES | NO:
        value = value.lower() in YES
    if isinstance(value, bool):
        return {} if value else None
    if isinstance(value, str):
        raise invalid(printable(value), "yes, no, or keys of its own, set in by two spaces, are needed")
    return value


# Up to a relative path in ``![words](path)``, or in a line ``[words]: path``.
_PICTURE = re.compile(
    r"(?:(?<!\\)!\[(?:[^\[\]\\]|\\.)*\]\(|^ {0,3}\[[^\]\n]+\]:(?=[ \t]*\S+[ \t]*(?:[\"'(].*)?$))"
    r"\s*<?(?=[^\s<>)/])(?![A-Za-z][A-Za-z0-9+.-]*:)",
    re.MULTILINE,
)
# Folders of pictures are not counted, since a base's folder is added to what was written.
_PICTURE_FOLDER = re.compile(rf"({_PICTURE.pattern})(?:[^\s<>()/]*/)+", re.MULTILINE)


class NamesPictures(HoldsPaths):
    """This annotates a key whose text is Markdown, with paths of pictures in it."""

    def rebase(self, text: str, folder: PurePath) -> str:
        """Rewrite the path of each picture, also where `[map]: map.png` stands apart."""
        way = quote(f"{folder.as_posix()}/", safe="/.:~")
        return _PICTURE.sub(lambda found: f"{found[0]}{way}", text)


class MatterSpec(SpecModel):
    """Matter is a page or more of the publisher's own text."""

    text: Annotated[str, paragraphs(20_000, partial(_PICTURE_FOLDER.sub, r"\1")), NamesPictures()]
    """Plain text or Markdown: paragraphs, headings, lists, tables, **bold**, *emphasis*, links printed with
    their address, `---` for a short rule, `![](map.png)` in a paragraph of its own for a picture as wide as
    the text, `![](map.png "60mm")` for one of that width."""
    title: Annotated[str | None, line_of_text(80)] = None
    """A heading, listed in the contents."""


_ADDRESS_WORDS = "a web address as `https://example.com/play.html`"
_LONGEST = 200  # a code of 20 mm still holds it with a puzzle's number behind it


def _read_address(value: object) -> str:
    text = scalar_text(value, _ADDRESS_WORDS)
    if not re.fullmatch(r"https?://[^\s/?#<>\"'\\]+[^\s#<>\"'\\]*", text, re.ASCII | re.IGNORECASE):
        message = f"{_ADDRESS_WORDS} is allowed: with https://, without blanks and #, which is added"
        raise invalid(printable(text), message)
    if len(text) > _LONGEST:
        raise invalid(f"{len(text)} characters", f"at most {_LONGEST} are allowed")
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
    """The page in the browser is made when this key is given."""

    url: Annotated[Address | None, DefaultText("codes lead to puzz.link")] = None
    """Where `play.html` will lie; QR codes lead there, to each puzzle by its number."""
    answers: YesNo = False
    """Whether the page holds the answers."""
    hints: YesNo = True
    """Whether it holds each puzzle's steps, given away one at a time."""


class QrPer(StrEnum):
    """This says which parts of a book have QR codes."""

    PUZZLE = "puzzle"
    SECTION = "section"


_FIELDS = {QrPer.PUZZLE: ("url", "number"), QrPer.SECTION: ("level", "first", "last", "url")}


class QrSpec(SpecModel):
    """QR codes are put into the book when this key is given."""

    per: Annotated[QrPer, one_of(QrPer)] = QrPer.PUZZLE
    """A code below each puzzle, or on each section's opener."""
    text: Annotated[
        str,
        line_of_text(300),
        DefaultText("`{url}`; required with `per: section` unless there is `play.url`"),
    ] = "{url}"
    """What a code says. Filled in are, for puzzles, `{number}` and `{url}`: the puzzle at `play.url`, else on
    puzz.link (boards without solids); for sections `{level}` (its number), `{first}`, `{last}`, and with
    `play.url` `{url}`."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find names in braces that nothing is filled in for."""
        allowed = [f"{{{name}}}" for name in _FIELDS[self.per]]
        for name in re.findall(r"\{[^{}]*\}", self.text):
            if name not in allowed:
                message = f"a code per {self.per.value} fills in {' and '.join(allowed)}"
                yield Problem(name, message, ("text",))
