"""Type with characters of equal width, so that tests can compute layouts by hand, and books to lay out."""

import boards
from linkpress.book.key_values import BoardSize, Trim
from linkpress.book.level import LevelSpec
from linkpress.book.printing_keys import PageSpec, SolutionsPlace, SolutionsSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.values import Size
from linkpress.engine.recipe import Grade, Method
from linkpress.layout.frame import FontKey, Placed, TextRun
from linkpress.layout.pages import layout_book
from linkpress.layout.setting import Edition
from linkpress.layout.text_flow import InkBox
from linkpress.layout.theme import load_theme
from linkpress.printers import load_printer
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution
from turning import turned_solution


class PlainMeasure:
    """Font sizes: a character is 0.6 em wide, and its ink 0.5 em wide and 0.7 em high."""

    def __init__(self, unknown="", language="en"):
        self._unknown = unknown
        self.language = language

    def width(self, text, font, size_pt):
        return 0.6 * len(text) * size_pt

    def ink(self, text, font, size_pt):
        return InkBox(0.05 * size_pt, 0.0, (0.6 * len(text) - 0.05) * size_pt, 0.7 * size_pt)

    def missing(self, text, font):
        if font is FontKey.ITALIC:
            return text
        return "".join(dict.fromkeys(char for char in text if char in self._unknown))


def numbered(number, level, solution=boards.SOLVED_BOARD, **facts):
    """Return a puzzle of a level with its printed number."""
    return NumberedPuzzle(number, boards.record_of(solution, level=level, **facts))


EASY = (Grade.EASY, Grade.EASY)
SIX_BY_NINE = Size(432, 648)
TALL = turned_solution(boards.SOLVED_BOARD, 1)
"""The shared board turned by a quarter: 7 rows, 5 columns."""


def rows_of(rows, cols):
    """Return a solved board whose paths are its rows."""
    paths = tuple(Path(row + 1, tuple(range(row * cols, (row + 1) * cols))) for row in range(rows))
    pairs = tuple(Pair(path.number, path.cells[0], path.cells[-1]) for path in paths)
    return Solution(Puzzle(Grid(rows, cols, frozenset()), pairs), paths)


def puzzles(*counts, board=boards.SOLVED_BOARD):
    """Return this number of puzzles for each of the levels A, B, C …, with numbers that run on."""
    levels = [level for level, count in zip("ABCDE", counts, strict=False) for _ in range(count)]
    return tuple(numbered(number, level, board) for number, level in enumerate(levels, start=1))


def level(name, per_page="auto"):
    """Return a level that doesn't limit its boards, so that they may have solids."""
    keys = {"name": name, "per_page": per_page, "size": (BoardSize(5, 7),)}
    return LevelSpec.model_construct(**keys, method=Method.CLASSIC)


def edition(
    *counts,
    per_page=4,
    made=None,
    trim=SIX_BY_NINE,
    solutions_per_page="auto",
    place=SolutionsPlace.BACK,
    version="",
    build="",
    **keys,
):
    """Return a book of levels A, B … with these numbers of puzzles, on 6 × 9 in.

    ``keys`` are further keys of the spec or of its page. They are not checked.
    """
    page = {key: keys.pop(key) for key in PageSpec.model_fields.keys() & keys.keys()}
    page["trim"] = Trim(*(side * 25.4 / 72 for side in trim), "")
    wanted = {
        "title": "Lines",
        "seed": 1,
        "levels": tuple(level(name, per_page) for name, _ in zip("ABCDE", counts, strict=False)),
        "page": PageSpec().model_copy(update=page),
        "solutions": SolutionsSpec.model_construct(per_page=solutions_per_page, place=place),
        **keys,
    }
    return Edition(BookSpec.model_construct(**wanted), made or puzzles(*counts), version, build)


def book(*counts, printer="generic", theme="classic", **changes):
    """Lay out the book of ``edition``."""
    return layout_book(edition(*counts, **changes), load_printer(printer), load_theme(theme), PlainMeasure())


def pages_of(made, kind):
    """Return the pages of a kind, in order."""
    return [page for page in made.pages if page.kind == kind]


def placed(page):
    """Return the placed frames of a page, in order."""
    return [item for item in page.frame.items if isinstance(item, Placed)]


def text_runs(page):
    return [item for item in page.frame.items if isinstance(item, TextRun)]


def texts(page):
    return [item.text for item in text_runs(page)]


def run(page, text):
    """Return the only run with this text."""
    (found,) = [item for item in text_runs(page) if item.text == text]
    return found
