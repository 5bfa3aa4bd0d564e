"""A book as read is compared with the volume's record, with itself and with what it says about itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.volume import Volume
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import PuzzleError
from linkpress.preflight.findings import Finding
from linkpress.preflight.pdf_reading.drawn import Rgb
from linkpress.puzzle.notation.link_text import board_rows, solution_rows
from linkpress.puzzle.puzzle import Edge, Grid, Puzzle, Solution
from linkpress.puzzle.rules import check_drawing
from linkpress.verify.drawn_boards import BoardRead
from linkpress.verify.pdf_books import BookRead, PageRead, Phrases, PrintedLine
from linkpress.words.language import Words

_SQUARES_NAMED = 3
Rows = tuple[str, ...]  # of a board or an answer, as a volume writes them
_SAME_LINE_PT = 1.0


@dataclass(frozen=True, slots=True)
class Printed:
    """A puzzle as printed has the edges that its printed answer draws; None without a right answer."""

    number: int
    page: int
    puzzle: Puzzle
    answer: frozenset[Edge] | None


def compare_book(book: BookRead, volume: Volume, phrases: Phrases) -> tuple[list[Printed], list[Finding]]:
    """Compare what is drawn with the volume; return the puzzles read, for a new proof, and every fault."""
    records = {numbered.number: numbered.record for numbered in volume.numbered}
    number_of_board = {board_rows(record.puzzle): number for number, record in records.items()}
    _number_dots(book, records)
    comparison = _Comparison(book, records, number_of_board)
    puzzles = comparison.by_number(book.puzzles, "puzzle")
    answers = comparison.by_number(book.answers, "answer")
    comparison.find_missing(puzzles, answers)
    comparison.findings += [*_reference_findings(book, phrases, volume.spec.title), *_sample_findings(book)]
    comparison.findings += [
        *_lesson_findings(book, records, number_of_board, phrases),
        *_alternative_findings(book, volume.spec.wording()),
    ]
    printed = [comparison.printed(number, puzzles[number], answers.get(number)) for number in sorted(puzzles)]
    return [puzzle for puzzle in printed if puzzle is not None], comparison.findings


def _number_dots(book: BookRead, records: Mapping[int, PuzzleRecord]) -> None:
    """Give dots without numbers their numbers: each colour of the book has one place among a board's pairs.

    What a colour stands for is learned from the first puzzle that has it; all others, and all answers,
    must keep to it.
    """
    place_of: dict[Rgb, int] = {}
    for board in book.puzzles:
        record = records.get(board.number or 0)
        if record is not None:
            _learn_places(board, record.puzzle, place_of)
    samples = [sample for page in book.pages for sample in page.samples]
    lessons = [lesson for page in book.pages for lesson in page.lessons]
    for board in (*book.puzzles, *book.answers, *samples, *lessons):
        for colour in board.dots.values():
            place_of.setdefault(colour, len(place_of) + 1)
        record = records.get(board.number or 0)
        numbers = _numbers_on(record.puzzle) if record else []
        for cell, colour in board.dots.items():
            place = place_of[colour]
            board.numbers[cell] = numbers[place - 1] if place <= len(numbers) else place


def _learn_places(board: BoardRead, puzzle: Puzzle, place_of: dict[Rgb, int]) -> None:
    numbers = _numbers_on(puzzle)
    for cell, colour in board.dots.items():
        if colour not in place_of and cell in puzzle.number_at:
            place = numbers.index(puzzle.number_at[cell]) + 1
            if place not in place_of.values():
                place_of[colour] = place


def _numbers_on(puzzle: Puzzle) -> list[int]:
    return sorted(pair.number for pair in puzzle.pairs)


class _Comparison:
    """A comparison finds what of a book does not agree with its record, puzzle by puzzle."""

    def __init__(
        self, book: BookRead, records: Mapping[int, PuzzleRecord], number_of_board: Mapping[Rows, int]
    ) -> None:
        self.findings: list[Finding] = []
        self._solid_colours, self._kind = book.solid_colours, book.kind
        self._has_lines = any(answer.lines for answer in book.answers)
        self._records = records
        self._number_of_board = number_of_board

    def _add(self, text: str, board: BoardRead | None = None, puzzle: int | None = None) -> None:
        self.findings.append(Finding(text, page=board.page if board else None, puzzle=puzzle))

    def by_number(self, entries: list[BoardRead], kind: str) -> dict[int, BoardRead]:
        found: dict[int, BoardRead] = {}
        for entry in entries:
            number = entry.number
            if number is None:
                self._add(f"a board without a number stands among the {kind}s", entry)
            elif number in found:
                first = found[number].page
                self._add(f"a second {kind} has this number; the first is on p. {first}", entry, number)
            else:
                found[number] = entry
        return found

    def find_missing(self, puzzles: dict[int, BoardRead], answers: dict[int, BoardRead]) -> None:
        record = self._records
        if len(puzzles) != len(record):
            self._add(f"the {self._kind} has {len(puzzles)} puzzles, and the volume has {len(record)}")
        for number in sorted(record):
            if number not in puzzles:
                self._add(f"the volume has this puzzle and the {self._kind} has not", puzzle=number)
            if number not in answers:
                self._add(f"no answer to this puzzle is in the {self._kind}", puzzle=number)
        for number in sorted(puzzles.keys() - record.keys()):
            self._add(f"the {self._kind} has this puzzle and the volume has not", puzzles[number], number)
        for number in sorted(answers.keys() - puzzles.keys()):
            self._add("an answer without a puzzle", answers[number], number)

    def printed(self, number: int, board: BoardRead, answer: BoardRead | None) -> Printed | None:
        """Read a puzzle as printed and judge it with its answer; None where its board can't be read."""
        self._judge_words(number, board, answer)
        for text in board.faults:
            self._add(text, board, number)
        if board.lines:
            self._add("a line of an answer is drawn in the puzzle", board, number)
        try:
            puzzle = Puzzle.from_numbers(Grid(board.rows, board.cols, board.solids), board.numbers)
        except PuzzleError as fault:
            self._add(str(fault), board, number)
            return None
        record, rows = self._records.get(number), board_rows(puzzle)
        if record is not None and rows != board_rows(record.puzzle):
            other = self._number_of_board.get(rows)
            differing = _differences(rows, board_rows(record.puzzle), self._kind)
            text = f"the board of puzzle {other} stands here"
            self._add(text if other else f"{self._kind} and volume differ: {differing}", board, number)
        edges = None if answer is None else self._answer(number, puzzle, answer)
        return Printed(number, board.page, puzzle, edges)

    def _judge_words(self, number: int, board: BoardRead, answer: BoardRead | None) -> None:
        if board.printed_size is not None and board.printed_size != (board.cols, board.rows):
            cols, rows = board.printed_size
            self._add(f"it says {cols} × {rows}, and the board is {board.cols} × {board.rows}", board, number)
        if answer is None:
            return
        if board.solution_page not in (None, answer.page):
            text = f"its solution is said to be on p. {board.solution_page}"
            self._add(f"{text}; it is on p. {answer.page}", board, number)
        if answer.puzzle_page not in (None, board.page):
            text = f"the answer says that its puzzle is on p. {answer.puzzle_page}"
            self._add(f"{text}; it is on p. {board.page}", answer, number)

    def _answer(self, number: int, puzzle: Puzzle, board: BoardRead) -> frozenset[Edge] | None:
        """Judge an answer and return its edges; None where they solve nothing."""
        for text in board.faults:
            self._add(f"the answer: {text}", board, number)
        solids = board.answer_solids(self._solid_colours)
        same = (board.rows, board.cols) == (puzzle.grid.rows, puzzle.grid.cols)
        if not same or solids != puzzle.grid.solids or board.numbers != puzzle.number_at:
            self._add("the answer is drawn on another board than the puzzle's", board, number)
            return None
        if self._has_lines and not board.lines:
            self._add("no line of the answer is drawn", board, number)
            return None
        edges = board.answer_edges(solids)
        mistakes = check_drawing(puzzle, edges)
        if mistakes:
            self._add(f"the answer drawn is wrong: {mistakes[0].text}", board, number)
            return None
        record, rows = self._records.get(number), solution_rows(Solution.from_edges(puzzle, edges))
        if record is not None and rows != solution_rows(record.solution):
            differing = _differences(rows, solution_rows(record.solution), self._kind)
            self._add(f"the answer drawn and the volume's differ: {differing}", board, number)
        return edges


def _differences(drawn: Rows, recorded: Rows, kind: str) -> str:
    drawn_squares, recorded_squares = ([row.split() for row in rows] for rows in (drawn, recorded))
    if [len(row) for row in drawn_squares] != [len(row) for row in recorded_squares]:
        return "they are not of one size"
    differing = [
        f"r{row}c{col} is {_named(square)} in the {kind} and {_named(other)} in the volume"
        for row, (squares, others) in enumerate(zip(drawn_squares, recorded_squares, strict=True), 1)
        for col, (square, other) in enumerate(zip(squares, others, strict=True), 1)
        if square != other
    ]
    more = len(differing) - _SQUARES_NAMED
    return "; ".join(differing[:_SQUARES_NAMED]) + (f"; and {more} squares more" if more > 0 else "")


def _named(square: str) -> str:
    return {".": "empty", "#": "solid"}.get(square, square)


def _sample_findings(book: BookRead) -> Iterator[Finding]:
    """Judge the worked sample of the rules, whose boards are neither puzzles nor answers.

    The first of a page is the sample, the last its solution; what stands between shows a part of it.
    """
    for page in book.pages:
        if page.samples:
            solid_colours = {colour for found in page.samples[0].filled.values() for colour in found}
            yield from _sample_page_findings(page.samples, solid_colours)


def _sample_page_findings(samples: tuple[BoardRead, ...], solid_colours: set[Rgb]) -> Iterator[Finding]:
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
        solids = board.answer_solids(solid_colours)
        if (board.rows, board.cols, solids) != (first.rows, first.cols, first.solids):
            yield Finding("the sample is drawn on different boards", page=page)
        elif board.numbers != first.numbers:
            yield Finding("the sample is drawn with different numbers", page=page)
        elif not _is_sample_right(board, proof.solution.edges, solids, whole=board is samples[-1]):
            yield Finding("the sample's lines are not those of its solution", page=page)


def _is_sample_right(board: BoardRead, edges: frozenset[Edge], solids: frozenset[int], whole: bool) -> bool:
    if whole:
        return board.answer_edges(solids) == edges
    # Areas say where a path may not go; of a board that is half drawn they say no more.
    return edges.isdisjoint(board.walls) if board.walls else board.lines <= edges


def _lesson_findings(
    book: BookRead, records: Mapping[int, PuzzleRecord], number_of_board: Mapping[Rows, int], phrases: Phrases
) -> Iterator[Finding]:
    """Find lines of the tutorial that its board's solution has not, and a wrong number or page."""
    pages = [page for page in book.pages if page.lessons]
    lessons = [board for page in pages for board in page.lessons]
    if not lessons:
        return
    first, last = lessons[0], lessons[-1]
    solids = frozenset.intersection(*(board.solids for board in lessons))  # tints and crosses come and go
    try:
        puzzle = Puzzle.from_numbers(Grid(first.rows, first.cols, solids), first.numbers)
    except PuzzleError as fault:
        yield Finding(f"the tutorial: {fault}", page=first.page)
        return
    number = number_of_board.get(board_rows(puzzle))
    proof = prove(puzzle, Rule.STRICT if number is None else records[number].rule)
    edges = proof.solution.edges if proof.solution else frozenset()
    for board in lessons:
        if (board.rows, board.cols, board.numbers) != (first.rows, first.cols, first.numbers):
            yield Finding("the tutorial is drawn on different boards", page=board.page)
        elif not board.lines <= edges or (board is last and board.lines != edges):
            yield Finding("the tutorial's lines are not those of its solution", page=board.page)
    printed_number, printed_page = phrases.tutorial_says(pages[0].words)
    puzzle_page = next((board.page for board in book.puzzles if board.number == number), None)
    if printed_number not in (None, number):
        yield Finding(f"the tutorial says puzzle {printed_number}; its board is another", page=first.page)
    elif printed_page not in (None, puzzle_page):
        text = f"the tutorial says that its puzzle is on p. {printed_page}; it is on p. {puzzle_page}"
        yield Finding(text, page=first.page)


def _alternative_findings(book: BookRead, words: Words) -> Iterator[Finding]:
    """Find drawings whose words for those who don't see them say something else.

    Of the worked sample only the first drawing and the last are put into words.
    """
    samples = [page.samples for page in book.pages if page.samples]
    unsolved = [*book.puzzles, *(boards[0] for boards in samples)]
    solved = [*book.answers, *(boards[-1] for boards in samples if len(boards) > 1)]
    for board, is_solved in [*((board, False) for board in unsolved), *((board, True) for board in solved)]:
        try:
            solids = board.answer_solids(book.solid_colours) if is_solved else board.solids
            puzzle = Puzzle.from_numbers(Grid(board.rows, board.cols, solids), board.numbers)
            answer = Solution.from_edges(puzzle, board.answer_edges(solids)) if is_solved else None
            text = words.board_in_words(puzzle, answer, board.number)
        except PuzzleError:
            continue  # the board itself is a finding
        if board.alternative not in (None, text):
            found = f"the drawing and the words for those who listen differ: {board.alternative[:60]!r}"
            yield Finding(found, page=board.page, puzzle=board.number)


def _reference_findings(book: BookRead, phrases: Phrases, own_title: str) -> Iterator[Finding]:
    """Find every count and page number in the book that is not so."""
    yield from _title_findings(book, phrases, own_title)
    yield from _section_findings(book, phrases)
    if book.kind == "PDF":  # an e-book has links instead
        yield from _folio_findings(book)
        yield from _contents_findings(book, phrases)


def _title_findings(book: BookRead, phrases: Phrases, own_title: str) -> Iterator[Finding]:
    title = next((page for page in book.pages if page.lines), None)  # an e-book's may have a cover before it
    if title is None:
        return
    lines = [line.text for line in title.lines if line.text not in own_title]
    counts = [count for line in lines if (count := phrases.count_in(line)) is not None]
    if counts and max(counts) != len(book.puzzles):
        text = f"the title page says {max(counts)} puzzles, and the book has {len(book.puzzles)}"
        yield Finding(text, page=title.number)


def _section_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Compare each opener with the puzzles that follow it: how many, and where their answers begin.

    A level may be called "5 puzzles to begin with": the line below that is right will do.
    """
    answer_pages = {entry.number: entry.page for entry in book.answers}
    for opener, following in _sections(book, phrases):
        stated = _stated(opener, phrases)
        found = [entry for page in following for entry in page.puzzles]
        if len(found) not in stated:
            text = f"the section says {stated[-1]} puzzles, and {len(found)} follow"
            yield Finding(text, page=opener.number)
        named = [page for line in opener.lines if (page := phrases.solutions_page(line.text))]
        begins = answer_pages.get(found[0].number)
        if book.kind == "PDF" and named and begins is not None and begins not in named:
            text = f"the section says that its solutions begin on p. {named[-1]}; they begin on p. {begins}"
            yield Finding(text, page=opener.number)


def _sections(book: BookRead, phrases: Phrases) -> Iterator[tuple[PageRead, list[PageRead]]]:
    """Yield the pages that state a number of puzzles, each with the puzzle pages up to the next such page."""
    opener: PageRead | None = None
    following: list[PageRead] = []
    for page in book.pages[1:]:
        if page.puzzles:
            following.append(page)
        elif _stated(page, phrases):
            if opener is not None and following:
                yield opener, following
            opener, following = page, []
    if opener is not None and following:
        yield opener, following


def _stated(page: PageRead, phrases: Phrases) -> list[int]:
    return [n for line in page.lines if (n := phrases.count_in(line.text, at_start=True))]


def _folio_findings(book: BookRead) -> Iterator[Finding]:
    """Judge page numbers: on a page with boards the lowest line is its number, if it is a number alone."""
    for page in (*book.pages, *book.solutions):
        lowest = min([line for line in page.lines if not line.turned], key=lambda line: line.y, default=None)
        boards = [*page.puzzles, *page.answers]
        if lowest is None or not boards or not lowest.is_number:
            continue
        if lowest.y > min(board.box[1] for board in boards):
            continue  # a caption's number, on a page without one of its own
        if int(lowest.text) != page.number:
            yield Finding(f"the page number printed is {lowest.text}", page=page.number)


def _contents_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Compare each entry of the contents with the words on the page that it names."""
    for page in book.pages:
        if not any(phrases.contents.fullmatch(line.text) for line in page.lines):
            continue
        for label, number in _entries(page):
            words = book.pages[number - 1].words if 0 < number <= len(book.pages) else ""
            if label.casefold() not in words.casefold():
                yield Finding(f"the contents put {label!r} on p. {number}, where it is not", page=page.number)


def _entries(page: PageRead) -> Iterator[tuple[str, int]]:
    for number in (line for line in page.lines if line.is_number):
        beside = [
            line for line in page.lines if line is not number and abs(line.y - number.y) < _SAME_LINE_PT
        ]
        label: PrintedLine | None = min(beside, key=lambda line: line.x, default=None)
        if label is not None and label.x < number.x:
            yield label.text, int(number.text)
