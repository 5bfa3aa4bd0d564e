"""``linkpress verify`` reads a built book's files, compares them with its volume, and proves them again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from linkpress.book.printing_keys import EbookKind
from linkpress.book.volume import (
    EBOOK_FILE,
    INTERIOR_FILE,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
)
from linkpress.documents.problem import printable
from linkpress.engine.prove.proof import Proof, Verdict, no_solution_words, prove
from linkpress.engine.recipe import MEASURE, Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.files import read_limited
from linkpress.preflight.check_table import MAX_FILE_MB
from linkpress.preflight.findings import Finding
from linkpress.puzzle.puzzle import Puzzle
from linkpress.verify.compare import Printed, compare_book
from linkpress.verify.ebook_pictures import pictures_again
from linkpress.verify.ebooks import read_ebook
from linkpress.verify.pdf_books import PageRead, Phrases, UnreadableError, read_book
from linkpress.version import __version__

_METHODS = {"kernel", "sat", "ladder", "search"}


@dataclass(frozen=True, slots=True)
class Verification:
    """A verification is the verdict on a folder.

    Args:
        findings: what does not agree, each with the file that it was found in.
        gave_up: numbers of the puzzles whose proof ran out of its budget.
        ungraded: why the puzzles were not graded again; None where they were.
    """

    folder: str
    files: tuple[str, ...]
    puzzles: int
    findings: tuple[Finding, ...]
    gave_up: tuple[int, ...]
    ungraded: str | None = None

    @property
    def passed(self) -> bool:
        """Tell whether all that was checked agrees and everything was proven."""
        return not self.findings and not self.gave_up

    def text(self) -> str:
        """Return the verdict for people."""
        did = "proven again" if self.ungraded else "proven and graded again"
        read = f"{self.folder}: {' and '.join(self.files)} read back, {self.puzzles} puzzles {did}"
        unchecked = [f"  grades were not checked: {self.ungraded}"] if self.ungraded else []
        if self.passed:
            passed = f"{read}; every answer drawn is the only one, and volume.json says the same"
            return "\n".join([passed, *unchecked])
        lines = [f"{read}; {len(self.findings)} faults"]
        lines += [f"  {finding.file}, {finding}" for finding in self.findings]
        if self.gave_up:
            lines.append(f"  not proven within the budget: puzzles {', '.join(map(str, self.gave_up))}")
        return "\n".join([*lines, *unchecked])

    def as_json(self) -> str:
        """Return the verdict for programs."""
        return json.dumps(
            {
                "format": "linkpress-verification",
                "format_version": 1,
                "folder": self.folder,
                "files": list(self.files),
                "puzzles": self.puzzles,
                "passed": self.passed,
                "faults": [
                    {"file": fault.file, "puzzle": fault.puzzle, "page": fault.page, "text": fault.found}
                    for fault in self.findings
                ],
                "gave_up": list(self.gave_up),
                "ungraded": self.ungraded,
            },
            ensure_ascii=False,
            indent=2,
        )


def verify_folder(folder: Path, spec_folder: Path | None = None) -> Verification:
    """Verify a built book.

    Args:
        folder: with ``volume.json`` and ``interior.pdf``; ``screen.pdf`` and ``book.epub`` are read too if
            they are there.
        spec_folder: that relative paths of the spec start from; ``folder`` if None. Nothing is read there but
            for the pictures of an e-book for Kindles, which are drawn again.
    Raises:
        PuzzleError: the volume or the interior is missing or can't be read at all.
        UsageError: a theme, font or picture is missing that is needed to draw such pictures.
    """
    faults: list[PuzzleError] = []
    volume = load_volume(folder / VOLUME_FILE, faults.append)
    contradictions = [_contradiction(fault) for fault in faults]
    phrases = Phrases(volume.spec.wording(), volume.spec.captions.page)
    files = [INTERIOR_FILE, *_there(folder, SCREEN_FILE), *_there(folder, EBOOK_FILE)]
    read = (*files, *_there(folder, SOLUTIONS_FILE))
    findings: list[Finding] = []
    printed: list[tuple[str, Printed]] = []
    for name in files:
        puzzles, wrong = _compare_file(folder / name, volume, phrases, spec_folder or folder)
        findings += [replace(finding, file=name) for finding in wrong]
        printed += [(name, puzzle) for puzzle in puzzles]
    # A puzzle that can't be read is no measure of what is printed in its place.
    unread = {finding.puzzle for finding in contradictions if finding.puzzle}
    findings = [*contradictions, *(finding for finding in findings if finding.puzzle not in unread)]
    proofs = _prove_all([puzzle for _, puzzle in printed], volume)
    for name, puzzle in printed:
        findings += [replace(wrong, file=name) for wrong in _proof_findings(puzzle, proofs[puzzle.puzzle])]
    gave_up = {puzzle.number for _, puzzle in printed if proofs[puzzle.puzzle].verdict is Verdict.GAVE_UP}
    ungraded = None
    if contradictions:
        ungraded = "volume.json doesn't hold together"
    elif volume.linkpress_version != __version__:
        ungraded = f"volume.json is from another release than this linkpress {__version__}"
    else:
        findings += _grade_findings(volume)
    return Verification(str(folder), read, len(proofs), tuple(findings), tuple(sorted(gave_up)), ungraded)


def _there(folder: Path, name: str) -> list[str]:
    return [name] if (folder / name).is_file() else []


def _compare_file(
    path: Path, volume: Volume, phrases: Phrases, spec_folder: Path
) -> tuple[list[Printed], list[Finding]]:
    try:
        if path.name == EBOOK_FILE:
            is_kindle = volume.spec.epub is not None and volume.spec.epub.kind is EbookKind.KINDLE
            drawn = pictures_again(volume, spec_folder) if is_kindle else {}
            ebook, broken = read_ebook(_content_of(path), phrases, drawn)
            printed, wrong = compare_book(ebook, volume, phrases)
            return printed, [*broken, *wrong]
        book = read_book(_content_of(path), phrases)
        apart = path.with_name(SOLUTIONS_FILE)
        if path.name == INTERIOR_FILE and apart.is_file():
            book = replace(book, solutions=read_book(_content_of(apart), phrases).pages)
        elif path.name == SCREEN_FILE and volume.spec.cover:
            book = replace(book, pages=(PageRead(1), *book.pages[1:]))  # a cover's board is a picture
        return compare_book(book, volume, phrases)
    except UnreadableError as fault:
        return [], [Finding(f"it can't be read back: {fault}")]


def _content_of(path: Path) -> bytes:
    try:
        return read_limited(path, MAX_FILE_MB << 20)
    except OSError as fault:
        raise PuzzleError(
            f"{path} can't be read: {fault.strerror}. Give the folder that a build wrote."
        ) from fault


def _prove_all(puzzles: list[Printed], volume: Volume) -> dict[Puzzle, Proof]:
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
    """Grade each puzzle again; the same release gives the same grade."""
    from linkpress.engine.solve.grade import grade_puzzle

    for numbered in volume.numbered:
        record = numbered.record
        grading = grade_puzzle(record.puzzle, record.rule)
        score = grading.score if record.measure == MEASURE else record.score
        if not set(record.proof.split("+")) <= _METHODS:
            yield Finding(f"{printable(record.proof, 60)} is no proof that there is", puzzle=numbered.number)
        if (record.grade, record.score) != (grading.grade, score):
            recorded = _grade_text(record.grade, record.score)
            found = _grade_text(grading.grade, score)
            text = f"the record says {recorded}; grading it again gives {found}"
        elif record.techniques != grading.techniques:
            text = "the techniques recorded are not those that grading it again takes"
        else:
            continue
        yield Finding(text, puzzle=numbered.number, file=VOLUME_FILE)


def _grade_text(grade: Grade | None, score: int | None) -> str:
    named = grade.label if grade else "no grade"
    return named if score is None else f"{named}, score {score:,}"


def _contradiction(fault: PuzzleError) -> Finding:
    place = re.search(r": puzzles\[(\d+)\]", str(fault))
    return Finding(str(fault), puzzle=int(place[1]) + 1 if place else None, file=VOLUME_FILE)
