"""The worked sample of the rules: proven, and its drawings held to the proof."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import PuzzleError
from linkpress.press.pdf_reading.drawn import Rgb
from linkpress.press.readback.boards import BoardRead
from linkpress.press.readback.book import BookRead
from linkpress.press.readback.fault import Fault
from linkpress.puzzle.grid import Edge, Grid
from linkpress.puzzle.puzzle import Puzzle


def sample_faults(book: BookRead) -> Iterator[Fault]:
    """What is wrong with the boards that are neither puzzles nor answers, page by page.

    The first of a page is the sample, the last its solution; what stands between shows a part of it.

    Args:
        book: as read.
    """
    for page in book.pages:
        if page.samples:
            looks = {colour for found in page.samples[0].filled.values() for colour in found}
            yield from _page_faults(page.samples, looks)


def _page_faults(samples: tuple[BoardRead, ...], looks: set[Rgb]) -> Iterator[Fault]:
    first, page = samples[0], samples[0].page
    try:
        puzzle = Puzzle.from_numbers(Grid(first.rows, first.cols, first.solids), first.numbers)
    except PuzzleError as fault:
        yield Fault(None, page, f"the sample: {fault}")
        return
    proof = prove(puzzle, Rule.STRICT)
    if proof.verdict is not Verdict.UNIQUE or proof.solution is None:
        yield Fault(None, page, "the sample is not proven to have exactly one solution (strict)")
        return
    for board in samples[1:]:
        solids = board.answer_solids(looks)
        if (board.rows, board.cols, solids) != (first.rows, first.cols, first.solids):
            yield Fault(None, page, "the sample is drawn on different boards")
        elif board.numbers != first.numbers:
            yield Fault(None, page, "the sample is drawn with different numbers")
        elif not _is_right(board, proof.solution.edges, solids, whole=board is samples[-1]):
            yield Fault(None, page, "the sample's lines are not those of its solution")


def _is_right(board: BoardRead, wanted: frozenset[Edge], solids: frozenset[int], whole: bool) -> bool:
    if whole:
        return board.answer_edges(solids) == wanted
    # Areas say where a path may not go; of a board that is half drawn they say no more.
    return wanted.isdisjoint(board.walls) if board.walls else board.lines <= wanted
