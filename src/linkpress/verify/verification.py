"""``linkpress verify``: a built book's files, read back, compared with its volume, and proven again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from linkpress.book.volume import (
    EBOOK_FILE,
    INTERIOR_FILE,
    MAX_BYTES,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
)
from linkpress.documents.json_text import parse_json
from linkpress.documents.models import SpecModel, read_values
from linkpress.documents.problem import InvalidError
from linkpress.engine.prove.proof import (
    Proof,
    Verdict,
    no_solution_words,
    prove,
)
from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.files import read_within
from linkpress.preflight.check_table import MAX_FILE_MB
from linkpress.preflight.findings import Finding
from linkpress.puzzle.puzzle import Puzzle
from linkpress.verify.compare import (
    Printed,
    RecordedPuzzle,
    Rows,
    VolumeRecord,
    compare_book,
)
from linkpress.verify.ebooks import read_ebook
from linkpress.verify.pdf_books import (
    PageRead,
    Phrases,
    UnreadableError,
    read_book,
)
from linkpress.version import __version__
from linkpress.words.languages import ENGLISH, LanguageChoice, WordsChanges, words_of
from linkpress.words.wording import Words


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdict on a folder.

    Args:
        folder: as the user named it.
        files: those that were read.
        puzzles: number of puzzles that were proven again.
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
        """Whether all that was checked agrees and everything was proven."""
        return not self.findings and not self.gave_up

    def text(self) -> str:
        """The verdict for people."""
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
        """The verdict for programs."""
        return json.dumps(
            {
                "format": "linkpress-verification",
                "format_version": 1,
                "folder": self.folder,
                "files": list(self.files),
                "puzzles": self.puzzles,
                "passed": self.passed,
                "faults": [
                    {"file": one.file, "puzzle": one.puzzle, "page": one.page, "text": one.found}
                    for one in self.findings
                ],
                "gave_up": list(self.gave_up),
                "ungraded": self.ungraded,
            },
            ensure_ascii=False,
            indent=2,
        )


def verify_folder(folder: Path) -> Verification:
    """Verify a built book.

    Args:
        folder: with ``volume.json`` and ``interior.pdf``; ``screen.pdf`` and ``book.epub`` are read too if
            they are there.
    Raises:
        PuzzleError: the volume or the interior is missing or can't be read at all.
    """
    record = _read_record(folder / VOLUME_FILE)
    names_pages = record.volume is None or record.volume.spec.captions.page
    phrases = Phrases(record.words, names_pages)
    files = [INTERIOR_FILE, *_there(folder, SCREEN_FILE), *_there(folder, EBOOK_FILE)]
    read = [*files, *_there(folder, SOLUTIONS_FILE)]
    findings = [replace(record.finding, file=VOLUME_FILE)] if record.finding else []
    printed: list[tuple[str, Printed]] = []
    for name in files:
        found, wrong = _compare_file(folder / name, record, phrases)
        findings += [replace(finding, file=name) for finding in wrong]
        printed += [(name, puzzle) for puzzle in found]
    proofs = _prove_all([puzzle for _, puzzle in printed], record)
    for name, puzzle in printed:
        findings += [replace(wrong, file=name) for wrong in _proof_findings(puzzle, proofs[puzzle.puzzle])]
    gave_up = {one.number for _, one in printed if proofs[one.puzzle].verdict is Verdict.GAVE_UP}
    ungraded = _why_not_graded(record.volume)
    if record.volume is not None and ungraded is None:
        findings += _grade_findings(record.volume)
    return Verification(
        str(folder), tuple(read), len(proofs), tuple(findings), tuple(sorted(gave_up)), ungraded
    )


class _LanguageKeys(SpecModel):
    """The keys of a book that say in which words it is printed."""

    language: LanguageChoice = ENGLISH
    words: WordsChanges | None = None


def _words(volume: Volume | None, book: object) -> Words:
    """The words of a volume, also where its other keys don't hold."""
    if volume is not None:
        return volume.spec.wording()
    given = book if isinstance(book, dict) else {}
    try:
        keys = read_values({key: given.get(key) for key in _LanguageKeys.model_fields}, _LanguageKeys)
        return words_of(keys.language, keys.words)
    except InvalidError as fault:
        raise PuzzleError(f"the volume's printed words: {fault}") from fault


def _there(folder: Path, name: str) -> list[str]:
    return [name] if (folder / name).is_file() else []


def _compare_file(path: Path, record: VolumeRecord, phrases: Phrases) -> tuple[list[Printed], list[Finding]]:
    try:
        if path.name == EBOOK_FILE:
            ebook, broken = read_ebook(_content_of(path), phrases)
            printed, wrong = compare_book(ebook, record, phrases)
            return printed, [*broken, *wrong]
        book = read_book(_content_of(path), phrases)
        apart = path.with_name(SOLUTIONS_FILE)
        if path.name == INTERIOR_FILE and apart.is_file():
            book = replace(book, solutions=read_book(_content_of(apart), phrases).pages)
        elif path.name == SCREEN_FILE and record.volume is not None and record.volume.spec.cover:
            book = replace(book, pages=(PageRead(1), *book.pages[1:]))  # a cover's board is a picture
        return compare_book(book, record, phrases)
    except UnreadableError as fault:
        return [], [Finding(f"it can't be read back: {fault}")]


def _content_of(path: Path) -> bytes:
    try:
        return read_within(path, MAX_FILE_MB << 20)
    except OSError as fault:
        raise PuzzleError(
            f"{path} can't be read: {fault.strerror}. Give the folder that a build wrote."
        ) from fault


def _prove_all(puzzles: list[Printed], record: VolumeRecord) -> dict[Puzzle, Proof]:
    """Each different board proven once, under its recorded rule."""
    proofs: dict[Puzzle, Proof] = {}
    for puzzle in puzzles:
        recorded = record.puzzles.get(puzzle.number)
        if puzzle.puzzle not in proofs:
            rule = recorded.rule if recorded else Rule.STRICT
            proofs[puzzle.puzzle] = prove(puzzle.puzzle, rule)
    return proofs


def _proof_findings(printed: Printed, proof: Proof) -> Iterator[Finding]:
    if proof.verdict is Verdict.MULTIPLE:
        yield Finding(
            f"the board printed has several solutions ({proof.rule})",
            page=printed.page,
            puzzle=printed.number,
        )
    elif proof.verdict is Verdict.NONE:
        yield Finding(
            f"the board printed has {no_solution_words(proof)} ({proof.rule})",
            page=printed.page,
            puzzle=printed.number,
        )
    elif proof.solution is not None and printed.answer not in (None, proof.solution.edges):
        yield Finding(
            "the answer printed is not the board's solution", page=printed.page, puzzle=printed.number
        )


def _why_not_graded(volume: Volume | None) -> str | None:
    if volume is None:
        return "volume.json doesn't hold together"
    if volume.linkpress_version != __version__:
        return f"volume.json is from another release than this linkpress {__version__}"
    return None


def _grade_findings(volume: Volume) -> Iterator[Finding]:
    """Grade each puzzle again; the same release gives the same grade."""
    from linkpress.engine.solve.grade import grade_puzzle

    for one in volume.numbered:
        grading = grade_puzzle(one.record.puzzle, one.record.rule)
        if (one.record.grade, one.record.score) != (grading.grade, grading.score):
            said, found = (
                _grade_text(one.record.grade, one.record.score),
                _grade_text(grading.grade, grading.score),
            )
            text = f"the record says {said}; grading it again gives {found}"
        elif one.record.techniques != grading.techniques:
            text = "the techniques recorded are not those that grading it again takes"
        else:
            continue
        yield Finding(text, puzzle=one.number, file=VOLUME_FILE)


def _grade_text(grade: Grade | None, score: int | None) -> str:
    named = grade.label if grade else "no grade"
    return named if score is None else f"{named}, score {score:,}"


def _read_record(path: Path) -> VolumeRecord:
    """Read a ``volume.json`` without believing that it holds together.

    Raises:
        PuzzleError: it can't be read at all: missing, no JSON, or without puzzles.
    """
    fault: PuzzleError | None = None
    volume: Volume | None = None
    try:
        volume = load_volume(path)
    except PuzzleError as refused:
        fault = refused
    content = _content(path, fault)
    listed = content.get("puzzles")
    numbered = {
        place: item
        for place, item in enumerate(listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and isinstance(item.get("number"), int)
    }
    if not numbered:
        raise fault or PuzzleError(f"{path}: no puzzles are recorded there.")
    finding = None
    if fault is not None:
        named = (item["number"] for place, item in numbered.items() if f"puzzles[{place}]" in str(fault))
        finding = Finding(str(fault), puzzle=next(named, None))
    puzzles = {item["number"]: _recorded(item) for item in numbered.values()}
    return VolumeRecord(puzzles, _words(volume, content.get("book")), finding, volume)


def _content(path: Path, fault: PuzzleError | None) -> dict[str, object]:
    try:
        content = parse_json(read_within(path, MAX_BYTES))
    except (OSError, ValueError) as unreadable:
        raise fault or PuzzleError(f"{path} can't be read.") from unreadable
    if not isinstance(content, dict):
        raise fault or PuzzleError(f"{path}: an object with the key puzzles is needed.")
    return content


def _recorded(item: dict[str, object]) -> RecordedPuzzle:
    rule = next((rule for rule in Rule if rule == item.get("rule")), Rule.STRICT)
    return RecordedPuzzle(rule, _rows(item.get("board")), _rows(item.get("solution")))


def _rows(rows: object) -> Rows:
    listed = rows if isinstance(rows, list) else []
    return tuple(tuple(row.split()) if isinstance(row, str) else () for row in listed)
