"""Holds a book as read to the volume's record and to itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from linkpress.errors import PuzzleError
from linkpress.press.readback.boards import BoardRead
from linkpress.press.readback.book import BookRead, Entry
from linkpress.press.readback.captions import Phrases
from linkpress.press.readback.fault import Fault
from linkpress.press.readback.record import Record, RecordedPuzzle
from linkpress.press.readback.references import reference_faults
from linkpress.press.readback.samples import sample_faults
from linkpress.puzzle.grid import Edge, Grid
from linkpress.puzzle.notation.link_text import board_rows, solution_rows
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.rules import check_drawing

_SQUARES_NAMED = 3
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A puzzle as printed, with the edges that its printed answer draws; None without a right answer."""

    number: int
    page: int
    puzzle: Puzzle
    answer: frozenset[Edge] | None


def judge_book(book: BookRead, record: Record, phrases: Phrases) -> tuple[list[Printed], list[Fault]]:
    """Compare what is drawn with what is recorded.

    Args:
        book: as read from the PDF.
        record: of its volume.
        phrases: of its language.
    Returns:
        The puzzles that could be read, for a new proof, and every fault.
    """
    puzzles, faults = _by_number(book.puzzles, "puzzle")
    answers, more = _by_number(book.answers, "answer")
    faults += [
        *more,
        *_missing(puzzles, answers, record),
        *reference_faults(book, phrases),
        *sample_faults(book),
    ]
    printed = []
    boards_of = {recorded.board: number for number, recorded in record.puzzles.items()}
    for number, entry in sorted(puzzles.items()):
        recorded, answer = record.puzzles.get(number), answers.get(number)
        faults += _page_faults(number, entry, answer)
        puzzle, unread = _puzzle_of(number, entry.board)
        faults += unread
        if puzzle is None:
            continue
        faults += _board_faults(number, entry, puzzle, recorded, boards_of)
        drawn, wrong = _answer_of(number, puzzle, answer, recorded, book)
        faults += wrong
        printed.append(Printed(number, entry.board.page, puzzle, drawn))
    return printed, faults


def _by_number(entries: list[Entry], kind: str) -> tuple[dict[int, Entry], list[Fault]]:
    found: dict[int, Entry] = {}
    faults = []
    for entry in entries:
        number = entry.caption.number
        if number is None:
            faults.append(Fault(None, entry.board.page, f"a board without a number stands among the {kind}s"))
        elif number in found:
            first = found[number].board.page
            faults.append(
                Fault(
                    number, entry.board.page, f"a second {kind} has this number; the first is on p. {first}"
                )
            )
        else:
            found[number] = entry
    return found, faults


def _missing(puzzles: dict[int, Entry], answers: dict[int, Entry], record: Record) -> Iterator[Fault]:
    if len(puzzles) != len(record.puzzles):
        yield Fault(
            None, None, f"the PDF has {len(puzzles)} puzzles, and the volume has {len(record.puzzles)}"
        )
    for number in sorted(record.puzzles):
        if number not in puzzles:
            yield Fault(number, None, "the volume has this puzzle and the PDF has not")
        if number not in answers:
            yield Fault(number, None, "no answer to this puzzle is in the PDF")
    for number in sorted(puzzles.keys() - record.puzzles.keys()):
        yield Fault(number, puzzles[number].board.page, "the PDF has this puzzle and the volume has not")
    for number in sorted(answers.keys() - puzzles.keys()):
        yield Fault(number, answers[number].board.page, "an answer without a puzzle")


def _page_faults(number: int, entry: Entry, answer: Entry | None) -> Iterator[Fault]:
    board, caption = entry.board, entry.caption
    if caption.size is not None and caption.size != (board.cols, board.rows):
        said = f"{caption.size[0]} × {caption.size[1]}"
        yield Fault(number, board.page, f"it says {said}, and the board is {board.cols} × {board.rows}")
    if answer is None:
        return
    if caption.solution_page != answer.board.page:
        said = f"its solution is said to be on p. {caption.solution_page}"
        yield Fault(number, board.page, f"{said}; it is on p. {answer.board.page}")
    if answer.caption.puzzle_page != board.page:
        said = f"the answer says that its puzzle is on p. {answer.caption.puzzle_page}"
        yield Fault(number, answer.board.page, f"{said}; it is on p. {board.page}")


def _puzzle_of(number: int, board: BoardRead) -> tuple[Puzzle | None, list[Fault]]:
    faults = [Fault(number, board.page, text) for text in board.faults]
    if board.lines:
        faults.append(Fault(number, board.page, "a line of an answer is drawn in the puzzle"))
    try:
        grid = Grid(board.rows, board.cols, board.solids)
        return Puzzle.from_numbers(grid, board.numbers), faults
    except PuzzleError as fault:
        return None, [*faults, Fault(number, board.page, str(fault))]


def _board_faults(
    number: int, entry: Entry, puzzle: Puzzle, recorded: RecordedPuzzle | None, boards_of: dict[Rows, int]
) -> Iterator[Fault]:
    rows = _split(board_rows(puzzle))
    if recorded is None or rows == recorded.board:
        return
    other = boards_of.get(rows)
    if other is not None:
        yield Fault(number, entry.board.page, f"the board of puzzle {other} stands here")
        return
    yield Fault(number, entry.board.page, f"PDF and volume differ: {_differences(rows, recorded.board)}")


def _answer_of(
    number: int, puzzle: Puzzle, answer: Entry | None, recorded: RecordedPuzzle | None, book: BookRead
) -> tuple[frozenset[Edge] | None, list[Fault]]:
    if answer is None:
        return None, []
    board, page = answer.board, answer.board.page
    faults = [Fault(number, page, f"the answer: {text}") for text in board.faults]
    solids = board.answer_solids(book.looks)
    same = (board.rows, board.cols) == (puzzle.grid.rows, puzzle.grid.cols)
    if not same or solids != puzzle.grid.solids or board.numbers != puzzle.number_at:
        return None, [*faults, Fault(number, page, "the answer is drawn on another board than the puzzle's")]
    edges = board.answer_edges(solids)
    breaches = check_drawing(puzzle, edges)
    if breaches:
        return None, [*faults, Fault(number, page, f"the answer drawn is wrong: {breaches[0].text}")]
    rows = _split(solution_rows(Solution.from_edges(puzzle, edges)))
    if recorded is not None and rows != recorded.solution:
        text = f"the answer drawn and the volume's differ: {_differences(rows, recorded.solution)}"
        faults.append(Fault(number, page, text))
    return edges, faults


def _split(rows: tuple[str, ...]) -> Rows:
    return tuple(tuple(row.split()) for row in rows)


def _differences(drawn: Rows, recorded: Rows) -> str:
    """The first squares in which two boards differ, in words."""
    shape = (len(drawn), {len(row) for row in drawn})
    if shape != (len(recorded), {len(row) for row in recorded}):
        return "they are not of one size"
    differing = [
        f"r{row + 1}c{col + 1} is {_named(square)} in the PDF and {_named(recorded[row][col])} in the volume"
        for row, squares in enumerate(drawn)
        for col, square in enumerate(squares)
        if square != recorded[row][col]
    ]
    more = len(differing) - _SQUARES_NAMED
    return "; ".join(differing[:_SQUARES_NAMED]) + (f"; and {more} squares more" if more > 0 else "")


def _named(square: str) -> str:
    return {".": "empty", "#": "solid"}.get(square, square)
