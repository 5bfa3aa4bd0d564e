"""``linkpress verify``: a built book's PDFs, read back, compared with its volume, and proven again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from linkpress.engine.proof import Proof, Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import LayoutError, PuzzleError
from linkpress.files import read_within
from linkpress.layout.text.wording import Words, words_of
from linkpress.press.preflight.run import MAX_FILE_MB
from linkpress.press.readback.book import UnreadableError, read_book
from linkpress.press.readback.captions import Phrases
from linkpress.press.readback.fault import Fault
from linkpress.press.readback.grades import grade_faults, why_not_graded
from linkpress.press.readback.judge import Printed, judge_book
from linkpress.press.readback.record import Record, read_record
from linkpress.production.executors import InProcess
from linkpress.puzzle.puzzle import Puzzle

VOLUME_FILE = "volume.json"
BOOK_FILES = ("interior.pdf", "screen.pdf")


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdict on a folder.

    Args:
        folder: as the user named it.
        files: the PDFs that were read.
        puzzles: number of puzzles that were proven again.
        faults: each with the file that it was found in.
        gave_up: numbers of the puzzles whose proof ran out of its budget.
        ungraded: why the puzzles were not graded again; None where they were.
    """

    folder: str
    files: tuple[str, ...]
    puzzles: int
    faults: tuple[tuple[str, Fault], ...]
    gave_up: tuple[int, ...]
    ungraded: str | None = None

    @property
    def passed(self) -> bool:
        """Whether all that was checked agrees and everything was proven."""
        return not self.faults and not self.gave_up

    def text(self) -> str:
        """The verdict for people."""
        did = "proven again" if self.ungraded else "proven and graded again"
        read = f"{self.folder}: {' and '.join(self.files)} read back, {self.puzzles} puzzles {did}"
        unchecked = [f"  grades were not checked: {self.ungraded}"] if self.ungraded else []
        if self.passed:
            passed = f"{read}; every answer drawn is the only one, and volume.json says the same"
            return "\n".join([passed, *unchecked])
        lines = [f"{read}; {len(self.faults)} faults", *(f"  {file}, {fault}" for file, fault in self.faults)]
        if self.gave_up:
            lines.append(f"  not proven within the budget: puzzles {', '.join(map(str, self.gave_up))}")
        return "\n".join([*lines, *unchecked])

    def as_json(self) -> str:
        """The verdict for programs."""
        faults = [
            {"file": file, "puzzle": fault.puzzle, "page": fault.page, "text": fault.text}
            for file, fault in self.faults
        ]
        return json.dumps(
            {
                "format": "linkpress-verification",
                "format_version": 1,
                "folder": self.folder,
                "files": list(self.files),
                "puzzles": self.puzzles,
                "passed": self.passed,
                "faults": faults,
                "gave_up": list(self.gave_up),
                "ungraded": self.ungraded,
            },
            ensure_ascii=False,
            indent=2,
        )


def verify_folder(folder: Path, executor: Executor | None = None) -> Verification:
    """Verify a built book.

    Args:
        folder: with ``volume.json`` and ``interior.pdf``; ``screen.pdf`` is read too if it is there.
        executor: where proofs and grading run; in this process if None.
    Raises:
        PuzzleError: the volume or the interior is missing or can't be read at all.
    """
    record = read_record(folder / VOLUME_FILE)
    phrases = Phrases(_words(record))
    faults = [(VOLUME_FILE, Fault(record.fault[0], None, record.fault[1]))] if record.fault else []
    files, printed = [], []
    for name in BOOK_FILES:
        if name != BOOK_FILES[0] and not (folder / name).is_file():
            continue
        files.append(name)
        try:
            found, wrong = judge_book(read_book(_read(folder / name), phrases), record, phrases)
        except UnreadableError as fault:
            faults.append((name, Fault(None, None, f"it can't be read back: {fault}")))
            continue
        faults += [(name, fault) for fault in wrong]
        printed += [(name, puzzle) for puzzle in found]
    runs = executor or InProcess()
    proofs = _prove_all([puzzle for _, puzzle in printed], record, runs)
    gave_up: set[int] = set()
    for name, puzzle in printed:
        proof = proofs[puzzle.puzzle]
        if proof.verdict is Verdict.GAVE_UP:
            gave_up.add(puzzle.number)
        faults += [(name, fault) for fault in _proof_faults(puzzle, proof)]
    ungraded = why_not_graded(record.volume)
    if record.volume is not None and ungraded is None:
        faults += [(VOLUME_FILE, fault) for fault in grade_faults(record.volume, runs)]
    return Verification(
        str(folder), tuple(files), len(proofs), tuple(faults), tuple(sorted(gave_up)), ungraded
    )


def _words(record: Record) -> Words:
    try:
        return words_of(record.language)
    except LayoutError as fault:
        raise PuzzleError(f"the volume's {fault}") from fault


def _read(path: Path) -> bytes:
    try:
        return read_within(path, MAX_FILE_MB << 20)
    except OSError as fault:
        raise PuzzleError(
            f"{path} can't be read: {fault.strerror}. Give the folder that a build wrote."
        ) from fault


def _prove_all(puzzles: list[Printed], record: Record, executor: Executor) -> dict[Puzzle, Proof]:
    """Each different board proven once, under its recorded rule."""
    futures = {}
    for puzzle in puzzles:
        recorded = record.puzzles.get(puzzle.number)
        if puzzle.puzzle not in futures:
            rule = recorded.rule if recorded else Rule.STRICT
            futures[puzzle.puzzle] = executor.submit(prove, puzzle.puzzle, rule)
    return {puzzle: future.result() for puzzle, future in futures.items()}


def _proof_faults(printed: Printed, proof: Proof) -> Iterator[Fault]:
    if proof.verdict is Verdict.MULTIPLE:
        yield Fault(printed.number, printed.page, f"the board printed has several solutions ({proof.rule})")
    elif proof.verdict is Verdict.NONE:
        yield Fault(printed.number, printed.page, f"the board printed has no solution ({proof.rule})")
    elif proof.solution is not None and printed.answer not in (None, proof.solution.edges):
        yield Fault(printed.number, printed.page, "the answer printed is not the board's solution")
