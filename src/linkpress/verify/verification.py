"""Verify a built book: read its PDFs, and compare them with ``volume.json``.

For each puzzle, it is proven again that there is only one solution, and the puzzle is graded again.

The boards and texts that were read from a book's PDF are compared with the records in ``volume.json``.
Numbers that the book states, such as the count of puzzles on the title page, are compared with its boards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.volume import (
    INTERIOR_FILE,
    PAGES_FILE,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
)
from linkpress.documents.problem import listed, printable
from linkpress.engine.difficulty import difficulty_of
from linkpress.engine.proof import Proof, Verdict, no_solution_words, prove
from linkpress.engine.recipe import MEASURE, Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.files import read_limited
from linkpress.preflight.check_table import MAX_FILE_MB
from linkpress.preflight.judged_file import Finding
from linkpress.preflight.pdf_drawing import Rgb
from linkpress.puzzle.link_text import board_rows, solution_rows
from linkpress.puzzle.puzzle import Edge, Grid, Puzzle, Solution, square_name
from linkpress.puzzle.rules import check_drawing
from linkpress.verify.page_objects import PageComparison, compare_files
from linkpress.verify.pdf_books import BoardRead, BookRead, PageRead, Phrases, UnreadableError, read_book
from linkpress.version import __version__

Rows = tuple[str, ...]  # a board or an answer, with one text for each row as in volume.json

_MAX_CELLS_NAMED = 3  # maximum number of differing cells that a message lists
_SAME_LINE_PT = 1.0  # maximum difference in height between texts that are on the same line, in points


@dataclass(frozen=True, slots=True)
class Printed:
    """Puzzle as it is printed in a book.

    Args:
        number: the puzzle's printed number.
        page: the page that shows the puzzle's board.
        puzzle: the board.
        answer: the pairs of neighbouring cells that the printed answer connects; None if the book has no
            correct answer to the puzzle.
    """

    number: int
    page: int
    puzzle: Puzzle
    answer: frozenset[Edge] | None


def compare_book(book: BookRead, volume: Volume, phrases: Phrases) -> tuple[list[Printed], list[Finding]]:
    """Compare a book that was read from a PDF with its records in ``volume.json``.

    Returns:
        The printed puzzles, and all problems found. The caller must still prove that each puzzle has only one
        solution.
    """
    records = {numbered.number: numbered.record for numbered in volume.numbered}
    number_of_board = {_printed(board_rows(record.puzzle)): number for number, record in records.items()}
    _number_dots(book, records)
    comparison = _Comparison(book, records, number_of_board)
    puzzles = comparison.index_boards(book.puzzles, "puzzle")
    answers = comparison.index_boards(book.answers, "answer")
    comparison.find_missing(puzzles, answers)
    comparison.findings += [
        *_title_findings(book, phrases, volume.spec.title),
        *_section_findings(book, phrases),
        *_folio_findings(book),
        *_contents_findings(book, phrases),
        *_sample_findings(book),
    ]
    printed = [
        comparison.check_puzzle(number, puzzles[number], answers.get(number)) for number in sorted(puzzles)
    ]
    return [puzzle for puzzle in printed if puzzle is not None], comparison.findings


def _number_dots(book: BookRead, records: Mapping[int, PuzzleRecord]) -> None:
    """Give each coloured dot on the boards a number.

    On boards without printed numbers, the two dots of a pair have the same colour. All boards of a book use
    the colours in the same order: the pair with the lowest number has the first colour, the next pair the
    second colour, and so on. The record in ``volume.json`` of the first puzzle with a colour shows which
    position the colour has in this order. On all other boards, a dot gets its number from the position of its
    colour. So a dot in the wrong colour gets a wrong number, and the comparison with the record finds the
    mistake.
    """
    ranks: dict[Rgb, int] = {}
    for board in book.puzzles:
        record = records.get(board.number or 0)
        if record is not None:
            _learn_ranks(board, record.puzzle, ranks)
    samples = [sample for page in book.pages for sample in page.samples]
    for board in (*book.puzzles, *book.answers, *samples):
        for colour in board.dots.values():
            ranks.setdefault(colour, len(ranks) + 1)
        record = records.get(board.number or 0)
        numbers = _sorted_numbers(record.puzzle) if record else []
        for cell, colour in board.dots.items():
            rank = ranks[colour]
            board.numbers[cell] = numbers[rank - 1] if rank <= len(numbers) else rank


def _learn_ranks(board: BoardRead, puzzle: Puzzle, ranks: dict[Rgb, int]) -> None:
    """Add to ``ranks`` the dot colours of a board that have no rank yet.

    All boards of a book use the colours in the same order. The rank of a colour is its position in this
    order. On a board whose record is known, the rank of a dot's colour is the position of the dot's number
    among the board's sorted numbers, counted from 1.
    """
    numbers = _sorted_numbers(puzzle)
    for cell, colour in board.dots.items():
        if colour not in ranks and cell in puzzle.number_at:
            rank = numbers.index(puzzle.number_at[cell]) + 1
            if rank not in ranks.values():
                ranks[colour] = rank


def _sorted_numbers(puzzle: Puzzle) -> list[int]:
    return sorted(pair.number for pair in puzzle.pairs)


class _Comparison:
    """Comparison of a book's printed boards and answers with ``volume.json``. It collects all problems."""

    def __init__(
        self, book: BookRead, records: Mapping[int, PuzzleRecord], number_of_board: Mapping[Rows, int]
    ) -> None:
        self.findings: list[Finding] = []
        self._solid_colours = book.solid_colours
        self._draws_lines = any(answer.lines for answer in book.answers)
        self._records = records
        self._number_of_board = number_of_board

    def _add(self, text: str, board: BoardRead | None = None, puzzle: int | None = None) -> None:
        self.findings.append(Finding(text, page=board.page if board else None, puzzle=puzzle))

    def index_boards(self, boards: list[BoardRead], kind: str) -> dict[int, BoardRead]:
        """Map each printed number to the board that has it, and report missing and repeated numbers.

        Args:
            boards: the book's boards of one kind.
            kind: "puzzle" or "answer", for messages.
        """
        indexed: dict[int, BoardRead] = {}
        for board in boards:
            number = board.number
            if number is None:
                self._add(f"a board among the {kind}s has no number", board)
            elif number in indexed:
                first_page = indexed[number].page
                self._add(f"a second {kind} has this number; the first is on p. {first_page}", board, number)
            else:
                indexed[number] = board
        return indexed

    def find_missing(self, puzzles: dict[int, BoardRead], answers: dict[int, BoardRead]) -> None:
        """Report puzzles and answers that are missing from the PDF or from ``volume.json``."""
        records = self._records
        if len(puzzles) != len(records):
            self._add(f"the PDF has {len(puzzles)} puzzles, and the volume has {len(records)}")
        for number in sorted(records):
            if number not in puzzles:
                self._add("the volume has this puzzle, and the PDF doesn't", puzzle=number)
            if number not in answers:
                self._add("the PDF has no answer to this puzzle", puzzle=number)
        for number in sorted(puzzles.keys() - records.keys()):
            self._add("the PDF has this puzzle, and the volume doesn't", puzzles[number], number)
        for number in sorted(answers.keys() - puzzles.keys()):
            self._add("there is an answer without a puzzle", answers[number], number)

    def check_puzzle(self, number: int, board: BoardRead, answer: BoardRead | None) -> Printed | None:
        """Compare a printed board and its answer with the puzzle's record in ``volume.json``.

        Returns:
            The printed puzzle; None if its board can't be read.
        """
        self._check_captions(number, board, answer)
        for text in board.problems:
            self._add(text, board, number)
        if board.lines:
            self._add("a line of an answer is drawn in the puzzle", board, number)
        try:
            puzzle = Puzzle.from_numbers(Grid(board.rows, board.cols, board.solids), board.numbers)
        except PuzzleError as error:
            self._add(str(error), board, number)
            return None
        record, rows = self._records.get(number), _printed(board_rows(puzzle))
        if record is not None and rows != _printed(board_rows(record.puzzle)):
            other = self._number_of_board.get(rows)
            if other:
                self._add(f"the board of puzzle {other} is printed here", board, number)
            else:
                differences = _differences(rows, _printed(board_rows(record.puzzle)))
                self._add(f"PDF and volume differ: {differences}", board, number)
        edges = None if answer is None else self._check_answer(number, puzzle, answer)
        return Printed(number, board.page, puzzle, edges)

    def _check_captions(self, number: int, board: BoardRead, answer: BoardRead | None) -> None:
        read = (board.cols, board.rows) if board.grid_path is None else board.printed_size
        if board.printed_size is not None and board.printed_size != read:
            cols, rows = board.printed_size
            self._add(
                f"the caption says {cols} × {rows}, and the board is {board.cols} × {board.rows}",
                board,
                number,
            )
        if answer is None:
            return
        if board.solution_page not in (None, answer.page):
            text = f"the caption says that the solution is on p. {board.solution_page}"
            self._add(f"{text}; it is on p. {answer.page}", board, number)
        if answer.puzzle_page not in (None, board.page):
            text = f"the answer says that its puzzle is on p. {answer.puzzle_page}"
            self._add(f"{text}; it is on p. {board.page}", answer, number)

    def _check_answer(self, number: int, puzzle: Puzzle, board: BoardRead) -> frozenset[Edge] | None:
        """Check a printed answer. Return the edges that it draws; None if they don't solve the puzzle."""
        for text in board.problems:
            self._add(f"the answer: {text}", board, number)
        solids = board.answer_solids(self._solid_colours)
        same_size = (board.rows, board.cols) == (puzzle.grid.rows, puzzle.grid.cols)
        if not same_size or solids != puzzle.grid.solids or board.numbers != puzzle.number_at:
            self._add("the answer is drawn on another board than the puzzle's", board, number)
            return None
        if self._draws_lines and not (board.lines or board.walls):
            self._add("no line of the answer is drawn", board, number)
            return None
        edges = board.answer_edges(solids)
        mistakes = check_drawing(puzzle, edges)
        if mistakes:
            self._add(f"the answer drawn is wrong: {mistakes[0].text}", board, number)
            return None
        record, rows = self._records.get(number), _printed(solution_rows(Solution.from_edges(puzzle, edges)))
        if record is not None and rows != _printed(solution_rows(record.solution)):
            differences = _differences(rows, _printed(solution_rows(record.solution)))
            self._add(f"the answers in PDF and volume differ: {differences}", board, number)
        return edges


def _printed(rows: Rows) -> Rows:
    """Leave out the rows and columns at the edges of a board that have only solid cells.

    A board in the form of a shape is printed without these rows and columns.
    """
    cells = [row.split() for row in rows]
    # Remove the solid rows at the top, then turn the board by 90 degrees. Do this four times, so that each
    # side of the board is at the top once.
    for _ in range(4):
        while set(cells[0]) == {"#"}:
            del cells[0]
        cells = [list(column) for column in zip(*cells, strict=True)][::-1]
    return tuple(map(" ".join, cells))


def _differences(drawn: Rows, recorded: Rows) -> str:
    """Describe how two boards differ, for a message: ``C1 is 2 in the PDF and 1 in the volume``.

    Only the first cells that differ are described; further ones are counted.
    """
    drawn_cells, recorded_cells = ([row.split() for row in rows] for rows in (drawn, recorded))
    if [len(row) for row in drawn_cells] != [len(row) for row in recorded_cells]:
        return "the boards have different sizes"
    differing = [
        f"{square_name(row, col)} is {_cell_name(cell)} in the PDF and {_cell_name(other)} in the volume"
        for row, (cells, others) in enumerate(zip(drawn_cells, recorded_cells, strict=True), 1)
        for col, (cell, other) in enumerate(zip(cells, others, strict=True), 1)
        if cell != other
    ]
    more = len(differing) - _MAX_CELLS_NAMED
    return "; ".join(differing[:_MAX_CELLS_NAMED]) + (f"; and {more} more cells" if more > 0 else "")


def _cell_name(cell: str) -> str:
    return {".": "empty", "#": "solid"}.get(cell, cell)


def _sample_findings(book: BookRead) -> Iterator[Finding]:
    """Check the worked examples on the pages of rules and in the tutorial.

    A worked example, or sample, shows one puzzle on several boards. Each board has more lines than the board
    before. The last board shows the solution.
    """
    boards = (board for page in book.pages for board in page.samples)
    for _, alike in groupby(boards, key=lambda board: (board.rows, board.cols, board.numbers)):
        samples = list(alike)
        first, page = samples[0], samples[0].page
        # Tinted and crossed cells look like solid cells. But only real solid cells look so on every board
        # of the worked example.
        solids = frozenset.intersection(*(board.solids for board in samples))
        try:
            puzzle = Puzzle.from_numbers(Grid(first.rows, first.cols, solids), first.numbers)
        except PuzzleError as error:
            yield Finding(f"the sample: {error}", page=page)
            continue
        proofs = (prove(puzzle, rule) for rule in (Rule.STRICT, Rule.FILLED))
        proof = next((proof for proof in proofs if proof.verdict is Verdict.UNIQUE), None)
        if proof is None or proof.solution is None:
            yield Finding("the sample is not proven to have exactly one solution", page=page)
            continue
        for board in samples:
            is_whole = board is samples[-1] is not first
            if not _is_sample_correct(board, proof.solution.edges, solids, is_whole=is_whole):
                yield Finding("the sample's lines are not those of its solution", page=board.page)


def _is_sample_correct(
    board: BoardRead, edges: frozenset[Edge], solids: frozenset[int], *, is_whole: bool
) -> bool:
    """Return whether the lines on a board of a worked example match its solution.

    If ``is_whole``, the lines must be the whole solution. Otherwise they may be a part of the solution.
    """
    if is_whole:
        return board.answer_edges(solids) == edges
    # If a partly solved board shows lines, they must be part of the solution. If it shows coloured areas, it
    # has walls between them, and no path of the solution may cross a wall.
    return edges.isdisjoint(board.walls) if board.walls else board.lines <= edges


def _title_findings(book: BookRead, phrases: Phrases, title: str) -> Iterator[Finding]:
    """Check that the number of puzzles on the title page is right. Ignore numbers in the title itself."""
    # The first page may be an image of the cover, without text.
    title_page = next((page for page in book.pages if page.lines), None)
    if title_page is None:
        return
    lines = [line.text for line in title_page.lines if line.text not in title]
    counts = [count for line in lines if (count := phrases.find_count(line)) is not None]
    if counts and max(counts) != len(book.puzzles):
        text = f"the title page says {max(counts)} puzzles, and the book has {len(book.puzzles)}"
        yield Finding(text, page=title_page.number)


def _section_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Compare the first page of each section with the puzzles that follow.

    The first page states which puzzles follow, and may name the page where their solutions begin. The name of
    a level, such as "Puzzles 1–5", may also look like a statement. So one correct statement on the page is
    enough.
    """
    answer_pages = {answer.number: answer.page for answer in book.answers}
    for opener, following in _sections(book, phrases):
        counts = _counts_on(opener, phrases)
        puzzles = [puzzle for page in following for puzzle in page.puzzles]
        if len(puzzles) not in counts:
            text = f"the section says {counts[-1]} puzzles, and {len(puzzles)} follow"
            yield Finding(text, page=opener.number)
        pages = [page for line in opener.lines if (page := phrases.find_solutions_page(line.text))]
        begins = answer_pages.get(puzzles[0].number)
        if pages and begins is not None and begins not in pages:
            text = f"the section says that its solutions begin on p. {pages[-1]}; they begin on p. {begins}"
            yield Finding(text, page=opener.number)


def _sections(book: BookRead, phrases: Phrases) -> Iterator[tuple[PageRead, list[PageRead]]]:
    """Yield each page that opens a section, with the section's pages of puzzles.

    A page opens a section if its text says which puzzles follow. A page of solutions can contain the same
    text, but it only ends a section.
    """
    opener: PageRead | None = None
    following: list[PageRead] = []
    for page in book.pages[1:]:
        if page.puzzles:
            following.append(page)
        elif page.answers or _counts_on(page, phrases):
            if opener is not None and following:
                yield opener, following
            opener, following = None if page.answers else page, []
    if opener is not None and following:
        yield opener, following


def _counts_on(page: PageRead, phrases: Phrases) -> list[int]:
    return [count for line in page.lines if (count := phrases.find_opened(line.text.strip()))]


def _folio_findings(book: BookRead) -> Iterator[Finding]:
    """Check the printed page numbers of pages with boards.

    If the lowest line of text on a page is a number, this number is the printed page number.
    """
    for page in (*book.pages, *book.solutions):
        lowest = min(
            [line for line in page.lines if not line.upside_down], key=lambda line: line.y, default=None
        )
        boards = [*page.puzzles, *page.answers]
        if lowest is None or not boards or not lowest.is_number:
            continue
        if lowest.y > min(board.box[1] for board in boards):
            continue  # The number is above a board, so it is a caption and not a page number.
        if int(lowest.text) != page.number:
            yield Finding(f"the page number printed is {lowest.text}", page=page.number)


def _contents_findings(book: BookRead, phrases: Phrases) -> Iterator[Finding]:
    """Check that the words of each entry in the table of contents are on the page that the entry names."""
    for page in book.pages:
        if not any(phrases.contents.fullmatch(line.text) for line in page.lines):
            continue
        for label, number in _contents_entries(page):
            words = book.pages[number - 1].words if 0 < number <= len(book.pages) else ""
            if label.casefold() not in words.casefold():
                yield Finding(f"the contents put {label!r} on p. {number}, where it is not", page=page.number)


def _contents_entries(page: PageRead) -> Iterator[tuple[str, int]]:
    """Yield the label and page number of each entry in a table of contents.

    An entry begins with its label and ends with its page number. The number of a puzzle may be printed
    between them.
    """
    for number in (line for line in page.lines if line.is_number):
        beside = [
            line for line in page.lines if line is not number and abs(line.y - number.y) < _SAME_LINE_PT
        ]
        if beside and all(line.x < number.x for line in beside):
            yield min(beside, key=lambda line: line.x).text, int(number.text)


_PROOF_METHODS = {"kernel", "ladder", "search"}


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of verifying the folder of a built book.

    Args:
        folder: the folder as the user named it.
        files: names of the PDFs that were read.
        puzzles: number of different puzzles that were proven again to have one solution.
        findings: the problems found, each with the name of its file.
        gave_up: numbers of the puzzles whose proof was stopped because it took too much work.
        ungraded: the reason why the puzzles were not graded again; None if they were graded again.
        pages: the result of comparing the pages of the files with the pages that linkpress draws.
    """

    folder: str
    files: tuple[str, ...]
    puzzles: int
    findings: tuple[Finding, ...]
    gave_up: tuple[int, ...]
    ungraded: str | None = None
    pages: PageComparison = field(default_factory=PageComparison)

    @property
    def passed(self) -> bool:
        return not self.findings and not self.gave_up

    def text(self) -> str:
        """Return the result of the verification as a text to read."""
        did = "proven again" if self.ungraded else "proven and graded again"
        read = f"{self.folder}: {' and '.join(self.files)} read back, {self.puzzles} puzzles {did}"
        notes = [f"  difficulties were not checked: {self.ungraded}"] if self.ungraded else []
        if self.pages.uncompared:
            notes.append(f"  pages not compared: {self.pages.uncompared}")
        elif self.pages.by_record:
            notes.append(f"  pages compared with {PAGES_FILE} of the build only: {self.pages.by_record}")
        if self.passed:
            passed = f"{read}; every answer drawn is the only one, and volume.json says the same"
            if self.pages.files:
                drew = "as it was built" if self.pages.by_record else f"as linkpress {__version__} draws it"
                notes.insert(0, f"  every page of {listed(self.pages.files)} is {drew}")
            return "\n".join([passed, *notes])
        count = len(self.findings)
        lines = [f"{read}; {count} problem{'s' * (count != 1)}"]
        lines += [f"  {finding.file}, {finding}" for finding in self.findings]
        if self.gave_up:
            lines.append(f"  not proven within the budget: puzzles {', '.join(map(str, self.gave_up))}")
        return "\n".join([*lines, *notes])

    def as_json(self) -> str:
        return json.dumps(
            {
                "format": "linkpress-verification",
                "format_version": 1,
                "folder": self.folder,
                "files": list(self.files),
                "compared": list(self.pages.files),
                "uncompared": self.pages.uncompared,
                "puzzles": self.puzzles,
                "passed": self.passed,
                "faults": [
                    {
                        "file": finding.file,
                        "puzzle": finding.puzzle,
                        "page": finding.page,
                        "text": finding.found,
                    }
                    for finding in self.findings
                ],
                "gave_up": list(self.gave_up),
                "ungraded": self.ungraded,
            },
            ensure_ascii=False,
            indent=2,
        )


def verify_folder(folder: Path, spec_folder: Path | None = None) -> Verification:
    """Verify a built book.

    Its puzzles and answers are read back from the PDFs, and compared with ``volume.json``. For each puzzle,
    it is proven again that there is only one solution, and the puzzle is graded again. Then all pages of its
    files are compared with the pages that this release draws from ``volume.json``. If another release built
    the book, the pages are compared with the hashes in ``pages.json`` instead, and the puzzles are not
    graded.

    Args:
        folder: the folder with ``volume.json`` and ``interior.pdf``. If there is a ``screen.pdf`` or a
            ``solutions.pdf``, puzzles or answers are read from this file too. Pages of the cover and content
            of the e-book are only compared.
        spec_folder: the folder in which relative paths of the spec start; None for ``folder``.
    Raises:
        PuzzleError: the volume or the interior is missing or can't be read at all.
    """
    problems: list[PuzzleError] = []
    volume = load_volume(folder / VOLUME_FILE, problems.append, spec_folder=spec_folder)
    contradictions = [_contradiction(problem) for problem in problems]
    phrases = Phrases(volume.spec.wording(), volume.spec.captions.page)
    findings: list[Finding] = []
    printed: list[tuple[str, Printed]] = []
    for name in (INTERIOR_FILE, *_existing(folder, SCREEN_FILE)):
        puzzles, problems_in_file = _compare_file(folder / name, volume, phrases)
        findings += [replace(finding, file=name) for finding in problems_in_file]
        printed += [(name, puzzle) for puzzle in puzzles]
    # If the record of a puzzle in volume.json can't be read, report only that. A comparison of the PDF with
    # the record would find further problems with the puzzle, but they would only be consequences.
    unreadable = {finding.puzzle for finding in contradictions if finding.puzzle}
    findings = [*contradictions, *(finding for finding in findings if finding.puzzle not in unreadable)]
    proofs = _prove_all([puzzle for _, puzzle in printed], volume)
    for name, puzzle in printed:
        findings += [replace(found, file=name) for found in _proof_findings(puzzle, proofs[puzzle.puzzle])]
    gave_up = {puzzle.number for _, puzzle in printed if proofs[puzzle.puzzle].verdict is Verdict.GAVE_UP}
    ungraded = None
    if contradictions:
        ungraded = "volume.json contradicts itself"
    elif volume.linkpress_version != __version__:
        ungraded = f"volume.json is from another release than this linkpress {__version__}"
    else:
        findings += _grade_findings(volume)
    if any(finding.file == VOLUME_FILE for finding in findings):
        pages = PageComparison(uncompared="volume.json is wrong")
    else:
        pages = compare_files(folder, volume)
        # Leave out pages for which another problem has already been reported.
        reported = {(finding.file, finding.page) for finding in findings}
        findings += [found for found in pages.findings if (found.file, found.page) not in reported]
    return Verification(
        folder=str(folder),
        files=(INTERIOR_FILE, *_existing(folder, SCREEN_FILE, SOLUTIONS_FILE)),
        puzzles=len(proofs),
        findings=tuple(findings),
        gave_up=tuple(sorted(gave_up)),
        ungraded=ungraded,
        pages=pages,
    )


def _existing(folder: Path, *names: str) -> list[str]:
    return [name for name in names if (folder / name).is_file()]


def _compare_file(path: Path, volume: Volume, phrases: Phrases) -> tuple[list[Printed], list[Finding]]:
    """Compare one PDF of a book with the book's volume, which records its puzzles.

    Returns:
        The puzzles that were found in the PDF, and all problems found.
    """
    try:
        book = read_book(_read_file(path), phrases)
        solutions = path.with_name(SOLUTIONS_FILE)
        if path.name == INTERIOR_FILE and solutions.is_file():
            book = replace(book, solutions=read_book(_read_file(solutions), phrases).pages)
        elif path.name == SCREEN_FILE and volume.spec.cover:
            # Skip the first page, which is the cover. The board on the cover is only a decoration.
            book = replace(book, pages=(PageRead(1), *book.pages[1:]))
        return compare_book(book, volume, phrases)
    except UnreadableError as error:
        return [], [Finding(f"it can't be read back: {error}")]


def _read_file(path: Path) -> bytes:
    try:
        return read_limited(path, MAX_FILE_MB << 20)
    except OSError as error:
        raise PuzzleError(
            f"{path} can't be read: {error.strerror}. Give the folder that a build wrote."
        ) from error


def _prove_all(puzzles: list[Printed], volume: Volume) -> dict[Puzzle, Proof]:
    """Check whether each printed puzzle has exactly one solution.

    A puzzle that is printed several times is checked only once. For each puzzle number, the volume records
    the rule under which the puzzle must have one solution.
    """
    rules = {numbered.number: numbered.record.rule for numbered in volume.numbered}
    proofs: dict[Puzzle, Proof] = {}
    for printed in puzzles:
        if printed.puzzle not in proofs:
            proofs[printed.puzzle] = prove(printed.puzzle, rules.get(printed.number, Rule.STRICT))
    return proofs


def _proof_findings(printed: Printed, proof: Proof) -> Iterator[Finding]:
    text = None
    if proof.verdict is Verdict.MULTIPLE:
        text = f"the board printed has several solutions ({proof.rule})"
    elif proof.verdict is Verdict.NONE:
        text = f"the board printed has {no_solution_words(proof)} ({proof.rule})"
    elif proof.solution is not None and printed.answer not in (None, proof.solution.edges):
        text = "the answer printed is not the board's solution"
    if text is not None:
        yield Finding(text, page=printed.page, puzzle=printed.number)


def _grade_findings(volume: Volume) -> Iterator[Finding]:
    """Grade each puzzle again, and report each grade that differs from the one in ``volume.json``.

    Call this only if this release of linkpress made the volume: another release may grade differently.
    """
    from linkpress.engine.grade import grade_puzzle

    for numbered in volume.numbered:
        record = numbered.record
        grading = grade_puzzle(record.puzzle, record.rule)
        score = grading.score if record.measure == MEASURE else record.score
        if not set(record.proof.split("+")) <= _PROOF_METHODS:
            yield Finding(
                f"{printable(record.proof, 60)} is not a known proof method", puzzle=numbered.number
            )
        if (record.technique, record.score) != (grading.technique, score):
            recorded = _grade_text(record.technique, record.score)
            again = _grade_text(grading.technique, score)
            text = f"the record says {recorded}; grading it again gives {again}"
        elif score is not None and record.difficulty != difficulty_of(score):
            right = difficulty_of(score)
            text = f"the record says difficulty {record.difficulty}; its score {score} gives {right}"
        elif record.findings != grading.findings:
            text = "the record names other techniques than grading the puzzle again finds"
        else:
            continue
        yield Finding(text, puzzle=numbered.number, file=VOLUME_FILE)


def _grade_text(technique: Grade | None, score: int | None) -> str:
    label = f"technique {technique.label}" if technique else "no technique"
    return label if score is None else f"{label}, score {score:,}"


def _contradiction(problem: PuzzleError) -> Finding:
    place = re.search(r": puzzles\[(\d+)\]", str(problem))
    return Finding(str(problem), puzzle=int(place[1]) + 1 if place else None, file=VOLUME_FILE)
