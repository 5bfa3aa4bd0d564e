"""Compares a book as read with the volume's record, with itself and with what it says about itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from linkpress.book.volume import Volume
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import PuzzleError
from linkpress.press.findings import Finding
from linkpress.press.pdf_reading.drawn import Rgb
from linkpress.press.verify.boards import BoardRead
from linkpress.press.verify.book import BookRead, CaptionedBoard, PageRead, Phrases, PrintedLine
from linkpress.puzzle.grid import Edge, Grid
from linkpress.puzzle.notation.link_text import board_rows, solution_rows
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.rules import check_drawing

_SQUARES_NAMED = 3
Rows = tuple[tuple[str, ...], ...]
_SAME_LINE_PT = 1.0


class RecordedPuzzle(NamedTuple):
    """One puzzle as recorded, as rows of squares.

    Args:
        rule: under which its solution is the only one; ``strict`` where the record names no rule.
    """

    rule: Rule
    board: Rows
    solution: Rows


@dataclass(frozen=True, slots=True)
class VolumeRecord:
    """A volume's record, read leniently: what is wrong in it is to be named, not refused.

    Args:
        puzzles: by number.
        language: of the book's printed words.
        finding: what a strict reading refuses, with the puzzle's number where it names one.
        volume: what a strict reading gives; None where it refuses.
    """

    puzzles: dict[int, RecordedPuzzle]
    language: str
    finding: Finding | None
    volume: Volume | None


@dataclass(frozen=True, slots=True)
class Printed:
    """A puzzle as printed, with the edges that its printed answer draws; None without a right answer."""

    number: int
    page: int
    puzzle: Puzzle
    answer: frozenset[Edge] | None


def compare_book(
    book: BookRead, record: VolumeRecord, phrases: Phrases
) -> tuple[list[Printed], list[Finding]]:
    """Compare what is drawn with what is recorded.

    Returns:
        The puzzles that could be read, for a new proof, and every fault.
    """
    puzzles, findings = _by_number(book.puzzles, "puzzle")
    answers, more = _by_number(book.answers, "answer")
    findings += [
        *more,
        *_missing(puzzles, answers, record),
        *reference_findings(book, phrases),
        *_sample_findings(book),
    ]
    printed = []
    boards_of = {recorded.board: number for number, recorded in record.puzzles.items()}
    for number, entry in sorted(puzzles.items()):
        recorded, answer = record.puzzles.get(number), answers.get(number)
        findings += _page_findings(number, entry, answer)
        puzzle, unread = _puzzle_of(number, entry.board)
        findings += unread
        if puzzle is None:
            continue
        findings += _board_findings(number, entry, puzzle, recorded, boards_of)
        drawn, wrong = _answer_of(number, puzzle, answer, recorded, book)
        findings += wrong
        printed.append(Printed(number, entry.board.page, puzzle, drawn))
    return printed, findings


def _by_number(entries: list[CaptionedBoard], kind: str) -> tuple[dict[int, CaptionedBoard], list[Finding]]:
    found: dict[int, CaptionedBoard] = {}
    findings = []
    for entry in entries:
        number = entry.caption.number
        if number is None:
            findings.append(
                Finding(f"a board without a number stands among the {kind}s", page=entry.board.page)
            )
        elif number in found:
            first = found[number].board.page
            findings.append(
                Finding(
                    f"a second {kind} has this number; the first is on p. {first}",
                    page=entry.board.page,
                    puzzle=number,
                )
            )
        else:
            found[number] = entry
    return found, findings


def _missing(
    puzzles: dict[int, CaptionedBoard], answers: dict[int, CaptionedBoard], record: VolumeRecord
) -> Iterator[Finding]:
    if len(puzzles) != len(record.puzzles):
        yield Finding(f"the PDF has {len(puzzles)} puzzles, and the volume has {len(record.puzzles)}")
    for number in sorted(record.puzzles):
        if number not in puzzles:
            yield Finding("the volume has this puzzle and the PDF has not", puzzle=number)
        if number not in answers:
            yield Finding("no answer to this puzzle is in the PDF", puzzle=number)
    for number in sorted(puzzles.keys() - record.puzzles.keys()):
        yield Finding(
            "the PDF has this puzzle and the volume has not", page=puzzles[number].board.page, puzzle=number
        )
    for number in sorted(answers.keys() - puzzles.keys()):
        yield Finding("an answer without a puzzle", page=answers[number].board.page, puzzle=number)


def _page_findings(number: int, entry: CaptionedBoard, answer: CaptionedBoard | None) -> Iterator[Finding]:
    board, caption = entry.board, entry.caption
    if caption.size is not None and caption.size != (board.cols, board.rows):
        said = f"{caption.size[0]} × {caption.size[1]}"
        yield Finding(
            f"it says {said}, and the board is {board.cols} × {board.rows}", page=board.page, puzzle=number
        )
    if answer is None:
        return
    if caption.solution_page != answer.board.page:
        said = f"its solution is said to be on p. {caption.solution_page}"
        yield Finding(f"{said}; it is on p. {answer.board.page}", page=board.page, puzzle=number)
    if answer.caption.puzzle_page != board.page:
        said = f"the answer says that its puzzle is on p. {answer.caption.puzzle_page}"
        yield Finding(f"{said}; it is on p. {board.page}", page=answer.board.page, puzzle=number)


def _puzzle_of(number: int, board: BoardRead) -> tuple[Puzzle | None, list[Finding]]:
    findings = [Finding(text, page=board.page, puzzle=number) for text in board.faults]
    if board.lines:
        findings.append(Finding("a line of an answer is drawn in the puzzle", page=board.page, puzzle=number))
    try:
        grid = Grid(board.rows, board.cols, board.solids)
        return Puzzle.from_numbers(grid, board.numbers), findings
    except PuzzleError as fault:
        return None, [*findings, Finding(str(fault), page=board.page, puzzle=number)]


def _board_findings(
    number: int,
    entry: CaptionedBoard,
    puzzle: Puzzle,
    recorded: RecordedPuzzle | None,
    boards_of: dict[Rows, int],
) -> Iterator[Finding]:
    rows = _split(board_rows(puzzle))
    if recorded is None or rows == recorded.board:
        return
    other = boards_of.get(rows)
    if other is not None:
        yield Finding(f"the board of puzzle {other} stands here", page=entry.board.page, puzzle=number)
        return
    yield Finding(
        f"PDF and volume differ: {_differences(rows, recorded.board)}", page=entry.board.page, puzzle=number
    )


def _answer_of(
    number: int,
    puzzle: Puzzle,
    answer: CaptionedBoard | None,
    recorded: RecordedPuzzle | None,
    book: BookRead,
) -> tuple[frozenset[Edge] | None, list[Finding]]:
    if answer is None:
        return None, []
    board, page = answer.board, answer.board.page
    findings = [Finding(f"the answer: {text}", page=page, puzzle=number) for text in board.faults]
    solids = board.answer_solids(book.looks)
    same = (board.rows, board.cols) == (puzzle.grid.rows, puzzle.grid.cols)
    if not same or solids != puzzle.grid.solids or board.numbers != puzzle.number_at:
        return None, [
            *findings,
            Finding("the answer is drawn on another board than the puzzle's", page=page, puzzle=number),
        ]
    edges = board.answer_edges(solids)
    breaches = check_drawing(puzzle, edges)
    if breaches:
        return None, [
            *findings,
            Finding(f"the answer drawn is wrong: {breaches[0].text}", page=page, puzzle=number),
        ]
    rows = _split(solution_rows(Solution.from_edges(puzzle, edges)))
    if recorded is not None and rows != recorded.solution:
        text = f"the answer drawn and the volume's differ: {_differences(rows, recorded.solution)}"
        findings.append(Finding(text, page=page, puzzle=number))
    return edges, findings


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


def _sample_findings(book: BookRead) -> Iterator[Finding]:
    """What is wrong with the worked sample of the rules: boards that are neither puzzles nor answers.

    The first of a page is the sample, the last its solution; what stands between shows a part of it.
    """
    for page in book.pages:
        if page.samples:
            looks = {colour for found in page.samples[0].filled.values() for colour in found}
            yield from _sample_page_findings(page.samples, looks)


def _sample_page_findings(samples: tuple[BoardRead, ...], looks: set[Rgb]) -> Iterator[Finding]:
    first, page = samples[0], samples[0].page
    try:
        puzzle = Puzzle.from_numbers(Grid(first.rows, first.cols, first.solids), first.numbers)
    except PuzzleError as fault:
        yield Finding(f"the sample: {fault}", page=page)
        return
    proof = prove(puzzle, Rule.STRICT)
    if proof.verdict is not Verdict.UNIQUE or proof.solution is None:
        yield Finding("the sample is not proven to have exactly one solution (strict)", page=page)
        return
    for board in samples[1:]:
        solids = board.answer_solids(looks)
        if (board.rows, board.cols, solids) != (first.rows, first.cols, first.solids):
            yield Finding("the sample is drawn on different boards", page=page)
        elif board.numbers != first.numbers:
            yield Finding("the sample is drawn with different numbers", page=page)
        elif not _is_sample_right(board, proof.solution.edges, solids, whole=board is samples[-1]):
            yield Finding("the sample's lines are not those of its solution", page=page)


def _is_sample_right(board: BoardRead, wanted: frozenset[Edge], solids: frozenset[int], whole: bool) -> bool:
    if whole:
        return board.answer_edges(solids) == wanted
    # Areas say where a path may not go; of a board that is half drawn they say no more.
    return wanted.isdisjoint(board.walls) if board.walls else board.lines <= wanted


def reference_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Every count and page number in the book that is not so."""
    yield from _title_findings(book, phrases)
    yield from _section_findings(book, phrases)
    yield from _folio_findings(book)
    yield from _contents_findings(book, phrases)


def _title_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    for page in book.pages[:1]:
        counts = [count for line in page.lines if (count := phrases.count_in(line.text)) is not None]
        if counts and max(counts) != len(book.puzzles):
            said = f"the title page says {max(counts)} puzzles"
            yield Finding(f"{said}, and the book has {len(book.puzzles)}", page=page.number)


def _section_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Each opener against the puzzles that follow it: how many, and where their answers begin."""
    answer_pages = {entry.caption.number: entry.board.page for entry in book.answers}
    for opener, following in _sections(book, phrases):
        stated = _stated(opener, phrases)
        found = [entry for page in following for entry in page.puzzles]
        if stated != len(found):
            yield Finding(f"the section says {stated} puzzles, and {len(found)} follow", page=opener.number)
        said = next((p for line in opener.lines if (p := phrases.solutions_page(line.text))), None)
        begins = answer_pages.get(found[0].caption.number)
        if said is not None and begins is not None and said != begins:
            text = f"the section says that its solutions begin on p. {said}; they begin on p. {begins}"
            yield Finding(text, page=opener.number)


def _sections(book: BookRead, phrases: Phrases) -> Iterator[tuple[PageRead, list[PageRead]]]:
    """Pages that state a number of puzzles, each with the puzzle pages up to the next such page."""
    opener: PageRead | None = None
    following: list[PageRead] = []
    for page in book.pages[1:]:
        if page.puzzles:
            following.append(page)
        elif _stated(page, phrases) is not None:
            if opener is not None and following:
                yield opener, following
            opener, following = page, []
    if opener is not None and following:
        yield opener, following


def _stated(page: PageRead, phrases: Phrases) -> int | None:
    return next((n for line in page.lines if (n := phrases.count_in(line.text, at_start=True))), None)


def _folio_findings(book: BookRead) -> Iterator[Finding]:
    """On pages with boards the lowest line is the page number, if it is a number alone."""
    for page in book.pages:
        lowest = min(page.lines, key=lambda line: line.y, default=None)
        if lowest is None or not (page.puzzles or page.answers) or not lowest.is_number:
            continue
        if int(lowest.text) != page.number:
            yield Finding(f"the page number printed is {lowest.text}", page=page.number)


def _contents_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Each entry of the contents against the words on the page that it names."""
    for page in book.pages:
        if not any(line.text == phrases.contents for line in page.lines):
            continue
        for label, said in _entries(page):
            words = book.pages[said - 1].words if 0 < said <= len(book.pages) else ""
            if label.casefold() not in words.casefold():
                yield Finding(f"the contents put {label!r} on p. {said}, where it is not", page=page.number)


def _entries(page: PageRead) -> Iterator[tuple[str, int]]:
    for number in (line for line in page.lines if line.is_number):
        beside = [
            line for line in page.lines if line is not number and abs(line.y - number.y) < _SAME_LINE_PT
        ]
        label: PrintedLine | None = min(beside, key=lambda line: line.x, default=None)
        if label is not None and label.x < number.x:
            yield label.text, int(number.text)
