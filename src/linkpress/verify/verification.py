"""Verify a built book: read its PDFs, compare them with volume.json, prove and grade each puzzle again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

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
from linkpress.engine.prove.proof import Proof, Verdict, no_solution_words, prove
from linkpress.engine.recipe import MEASURE, Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.files import read_limited
from linkpress.preflight.check_table import MAX_FILE_MB
from linkpress.preflight.findings import Finding
from linkpress.puzzle.puzzle import Puzzle
from linkpress.verify.compare import Printed, compare_book
from linkpress.verify.page_objects import PageComparison, compare_files
from linkpress.verify.pdf_books import PageRead, Phrases, UnreadableError, read_book
from linkpress.version import __version__

_PROOF_METHODS = {"kernel", "ladder", "search"}


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of verifying a built folder.

    Args:
        folder: the folder as the user named it.
        files: names of the PDFs that were read.
        puzzles: number of different puzzles that were proven again.
        findings: the problems found, each with the name of its file.
        gave_up: numbers of the puzzles whose proof was stopped because it took too much work.
        ungraded: the reason why the puzzles were not graded again; None if they were.
        pages: the result of comparing the pages of the files with the pages as linkpress draws them.
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
        """Return the result as text for a reader."""
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

    Its puzzles and answers are read back from the PDFs, compared with ``volume.json``, and proven and graded
    again. Then all pages of its files are compared with those that this release draws from ``volume.json``.
    If another release built the book, they are compared with the hashes in ``pages.json`` instead, and the
    puzzles are not graded.

    Args:
        folder: the folder with ``volume.json`` and ``interior.pdf``. If there is a ``screen.pdf`` or a
            ``solutions.pdf``, puzzles or answers are read from it too. Cover and e-book are only compared.
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
    # Leave out findings about puzzles whose records in volume.json can't be read.
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
    """Compare one PDF with the volume. Return its puzzles and the problems found."""
    try:
        book = read_book(_read_file(path), phrases)
        solutions = path.with_name(SOLUTIONS_FILE)
        if path.name == INTERIOR_FILE and solutions.is_file():
            book = replace(book, solutions=read_book(_read_file(solutions), phrases).pages)
        elif path.name == SCREEN_FILE and volume.spec.cover:
            # Skip the first page, which is the cover. The board on it is a decoration.
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
    """Prove each different puzzle once, under the rule that the volume records for its number."""
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
    """Grade each puzzle again and report differences. The same release must give the same grade."""
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
