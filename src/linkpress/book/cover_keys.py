"""The keys of a book's cover, and of the series that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from linkpress.book.book_values import MAX_PUZZLES
from linkpress.documents.inks import InkValue, PaletteValue
from linkpress.documents.models import AlsoCalled, Readable, SpecModel
from linkpress.documents.problem import Problem, invalid, shown
from linkpress.documents.shipped_files import COVERS, NAME_OR_PATH, PicturePath
from linkpress.documents.values import (
    DefaultText,
    ValueReader,
    YesNo,
    line_of_text,
    millimetres,
    paragraphs,
    whole,
    written,
)

_SHOWN_WORDS = "yes, no or your own text, up to 400 characters"


def _read_shown(value: object) -> bool | str:
    text = "yes" if value is True else "no" if value is False else written(value, _SHOWN_WORDS)
    if text.lower() in ("yes", "true", "no", "false"):
        return text.lower() in ("yes", "true")
    own: str = paragraphs(400).read(text)
    return own


_INITIAL = "[A-Za-z]{1,3}|[0-9]{1,4}"
_INITIAL_WORDS = "one to three letters from A to Z, or a number up to 9999"


def _read_initial(value: object) -> str:
    text = written(value, _INITIAL_WORDS).upper()
    if not re.fullmatch(_INITIAL, text):
        raise invalid(shown(text), f"{_INITIAL_WORDS} is allowed")
    return text


ShownOrText = Annotated[
    bool | str,
    ValueReader(
        _read_shown, _SHOWN_WORDS, {"type": ["boolean", "string"], "maxLength": 400}, lambda shown: shown
    ),
]


class BackSpec(SpecModel):
    """The lines under the blurb on the back of the cover."""

    count: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """How many puzzles there are."""
    levels: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """The levels with their counts."""
    promise: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """What was proven of the puzzles."""


class SeriesSpec(SpecModel):
    """The series that a volume belongs to: its covers look alike and can be told apart."""

    name: Annotated[str, line_of_text(80)]
    """Printed above the title."""
    colours: Annotated[PaletteValue | None, DefaultText("the cover's background")] = None
    """Backgrounds of the covers, taken in turn by the volume's number."""


class CoverSpec(SpecModel):
    """The cover, made when this key is given."""

    design: Annotated[str | None, NAME_OR_PATH, COVERS, DefaultText("ground, title and a board")] = None
    """What the cover looks like: the name of a shipped design, or the path of a file of your own."""
    palette: Annotated[int | None, whole(1, 12), DefaultText("by the volume's number, in turn")] = None
    """Which of the design's palettes it has."""
    initial: Annotated[
        str | None,
        ValueReader(
            _read_initial, _INITIAL_WORDS, {"type": ["string", "integer"], "pattern": f"^({_INITIAL})$"}
        ),
        DefaultText("the number of puzzles"),
    ] = None
    """The letters or the number whose shape the art of the design `initial` has."""
    blurb: Annotated[
        str | None,
        paragraphs(1200),
        DefaultText("the rule in one line"),
        AlsoCalled("back_text", "description"),
    ] = None
    """The text on the back: plain, or Markdown as in `front[].text`."""
    background: Annotated[
        InkValue | None,
        DefaultText("the series', else the theme's"),
        AlsoCalled("colour", "color", "background_color", "background_colour"),
    ] = None
    """Of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("the theme's")] = None
    """Of the rule under the title and the volume's badge."""
    image: PicturePath | None = None
    """A picture over the whole front with its bleed, JPEG or PNG, cut to fit and checked for the printer's
    resolution; where words stand on it, it gets a shade of the background."""
    front: PicturePath | None = None
    """Finished art for the whole front with its bleed, title and all, printed as it is."""
    volume_badge: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether the volume's number stands in a disc."""
    boards: Annotated[
        int | None, whole(0, 3), DefaultText("2 if a design's art is on the front alone and they fit, else 0")
    ] = None
    """Puzzles of the book shown on the back."""
    back: Annotated[BackSpec | None, DefaultText("all of it")] = None
    """The words under the blurb."""
    puzzle: Annotated[int | None, whole(1, MAX_PUZZLES), DefaultText("the first of the smallest boards")] = (
        None
    )
    """The number of the puzzle shown on the front."""
    spine_mm: Annotated[float | None, millimetres(0.5, 100), DefaultText("from pages and paper")] = None
    """The spine's width, where the printer gives it."""

    @property
    def picture_key(self) -> str:
        """The key of the picture that the front has."""
        return "cover.image" if self.front is None else "cover.front"

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse keys of the front beside finished art."""
        for key in ("image", "puzzle", "volume_badge"):
            if self.front is not None and getattr(self, key):
                yield Problem("", "`front` is the whole front; leave this out", (key,))
        for key in ("front", "image", "puzzle", "volume_badge", "accent"):
            if self.design is not None and getattr(self, key):
                yield Problem("", "`design` is the whole front; leave one of the two out", (key,))
        for key, what in (("palette", "palettes"), ("initial", "art in the shape of letters")):
            if getattr(self, key) is not None and self.design is None:
                message = f"only a cover with a `design` has {what}; name one, or leave this out"
                yield Problem("", message, (key,))
