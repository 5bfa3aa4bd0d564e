"""A cover is ordered with the book's keys and words, its colours, and the boards that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from linkpress.book.design_keys import LEAST_CONTRAST, ArtBoard, CoverDesign, CoverPalette, CoverSpec
from linkpress.book.printing_keys import SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.documents.inks import contrast
from linkpress.layout.boards import worked_example
from linkpress.layout.frame import BLACK, PAPER, FontKey, Ink
from linkpress.layout.setting import OwnPicture
from linkpress.layout.theme import Theme, words_for
from linkpress.press.book_looks import LoadedLooks
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words.language import Words

GROUND = Ink(1.0, 0.72, 0.1, 0.38, (0.086, 0.216, 0.4))  # deep blue, 220 % of ink in all
_USUAL_ON_BACK = 2  # puzzles, where there is no other art
ACCENT = Ink(0.0, 0.5, 1.0, 0.0, (0.902, 0.624, 0.0))  # the orange of Okabe and Ito


@dataclass(frozen=True)
class CoverOrder:
    """A cover is made by this order.

    Args:
        rules: the rules of all its boards, shown where the spec has no blurb.
        promise: one sentence on what was proven.
        pictures: answers of the puzzles that the front may show; only one where the spec names it.
        example: a board for the front where the numbers of all those would be too small to print.
        theme: the book's theme, whose dots the boards on the cover have too.
        samples: puzzles for the back, as many as the spec asks for.
        design: a design in one palette; None for the plain cover.
    """

    spec: BookSpec
    rules: str
    promise: str
    pictures: tuple[Solution, ...]
    example: Solution
    pages: int
    theme: Theme
    words: Words
    samples: tuple[Puzzle, ...] = ()
    image: OwnPicture | None = None
    design: CoverDesign | None = None

    @property
    def keys(self) -> CoverSpec:
        """Return the spec's keys of the cover."""
        return self.spec.cover or CoverSpec()

    @property
    def ground(self) -> Ink:
        """Return the background: the spec's, else the series' for this volume, else the theme's."""
        if self.keys.background is not None:
            return self.keys.background
        series = self.spec.series
        if series is not None and series.colours:
            return series.colours[((self.spec.volume or 1) - 1) % len(series.colours)]
        return self.palette.ground if self.palette else self.theme.cover.background or GROUND

    @property
    def palette(self) -> CoverPalette | None:
        """Return the design's colours for this volume, or those that the spec names."""
        return self.design.palettes[0] if self.design else None

    @property
    def title_face(self) -> FontKey:
        """Return the type of the title."""
        return FontKey.DISPLAY if self.design else FontKey.SEMIBOLD

    @property
    def accent(self) -> Ink:
        """Return the colour of the rule and the badge."""
        return self.keys.accent or self.theme.cover.accent or ACCENT

    @property
    def face(self) -> Ink:
        """Return the colour of the words: the design's, or white, or black on a light background."""
        palette = self.palette
        if palette and (palette.field or contrast(palette.words.rgb, self.ground.rgb) >= LEAST_CONTRAST):
            return palette.words
        return PAPER if self.ground.is_dark else BLACK

    @property
    def title_ink(self) -> Ink:
        """Return the title's colour: the design's if it can be read on the ground, else the other words'."""
        palette = self.palette
        title = palette.title if palette else None
        on = palette.field or self.ground if palette else self.ground
        return title if title and contrast(title.rgb, on.rgb) >= LEAST_CONTRAST else self.face

    @property
    def front_lines(self) -> Iterator[str]:
        """Yield the lines under the title: the subtitle or the count of puzzles, and the volume's number."""
        yield self.spec.subtitle or self.words.count_of(self.spec.puzzle_count)
        if self.spec.volume is not None:
            yield self.words.say(self.words.volume, number=self.spec.volume)


def order_cover(
    volume: Volume, pages: int, looks: LoadedLooks, image: OwnPicture | None = None
) -> CoverOrder:
    """Order the cover that a volume's spec asks for."""
    spec = volume.spec
    words = words_for(spec, looks.theme, (record.puzzle for record in volume.puzzles))
    asked = spec.cover.puzzle if spec.cover else None
    shown = volume.puzzles if asked is None else volume.puzzles[asked - 1 : asked]
    has_solids = any(puzzle.puzzle.grid.solids for puzzle in volume.puzzles)
    return CoverOrder(
        spec=spec,
        rules=words.rules_of(puzzle.puzzle for puzzle in volume.puzzles),
        promise=words.promise(
            (puzzle.rule for puzzle in volume.puzzles), spec.solutions.place is SolutionsPlace.BACK
        ),
        pictures=tuple(puzzle.solution for puzzle in shown),
        example=worked_example(has_solids),
        pages=pages,
        theme=looks.theme,
        words=words,
        samples=_samples(volume, _boards_on_back(spec, looks.design)),
        image=image,
        design=looks.design,
    )


def _boards_on_back(spec: BookSpec, design: CoverDesign | None) -> int:
    """Return how many puzzles the back shows, if they fit; some designs have art there."""
    if spec.cover and spec.cover.boards is not None:
        return spec.cover.boards
    on_front = design and design.art.board not in (ArtBoard.COVER, ArtBoard.BAND)
    return _USUAL_ON_BACK if on_front else 0


def _samples(volume: Volume, count: int) -> tuple[Puzzle, ...]:
    """Choose puzzles from all over the book that are easily read: they are no larger than most."""
    boards = sorted(
        (record.puzzle for record in volume.puzzles), key=lambda board: board.grid.rows * board.grid.cols
    )
    small = boards[: max(count, len(boards) // 2)]
    shown = min(count, len(small))
    return tuple(small[(2 * place + 1) * len(small) // (2 * count)] for place in range(shown))
