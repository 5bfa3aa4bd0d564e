"""What there is to export: a built book's puzzles, or those of any puzzle file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from linkpress.book.volume import VOLUME_FILE, Volume, load_volume
from linkpress.engine.recipe import Rule
from linkpress.errors import FoundWantingError, PuzzleError
from linkpress.files import is_folder, read_input
from linkpress.images.image_captions import ShownPuzzle, shown_puzzle
from linkpress.images.image_files import ImageKind, Particulars
from linkpress.puzzle.notation.reading import MAX_PUZZLE_FILE_BYTES, read_file, read_puzzles
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.render.font_files import load_faces
from linkpress.render.fonts import FontMeasure
from linkpress.words.languages import ENGLISH, words_of
from linkpress.words.wording import Words

_MOST = f"{MAX_PUZZLE_FILE_BYTES >> 20} MiB"
_ADVICE = f"Give a built book's folder, its {VOLUME_FILE} or a puzzle file of {_MOST} or less."


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """Puzzles with what is known of all of them.

    Args:
        name: a short one, for file names.
        title, author, copyright: may be empty.
    """

    name: str
    title: str
    author: str
    copyright: str
    puzzles: tuple[ShownPuzzle, ...]
    words: Words
    measure: FontMeasure

    def particulars(self, shown: ShownPuzzle, what: ImageKind) -> Particulars:
        """Return the facts that an image of one of the puzzles states about itself."""
        title = f"{self.title or self.name} {shown.number}"
        return Particulars(title, shown, self.author, self.copyright, what, self.words.language)


def read_puzzle_source(path: Path, spec_folder: Path | None = None) -> PuzzleSource:
    """Read a built book's folder, a ``volume.json``, or a puzzle file in any notation.

    Args:
        spec_folder: that relative paths of a book's spec start from; the book's own if None.
    Raises:
        PuzzleError: it can't be read, is malformed or holds no puzzle.
        UsageError: as ``volume_source``.
    """
    file = volume_file(path)
    if file is None:
        return _file_source(path)
    return volume_source(load_volume(file), spec_folder or file.parent)


def volume_file(path: Path) -> Path | None:
    """The ``volume.json`` that a path names, itself or by its folder; None for a puzzle file."""
    file = path / VOLUME_FILE if is_folder(path) else path
    return file if file.suffix == ".json" else None


def volume_source(volume: Volume, folder: Path) -> PuzzleSource:
    """The puzzles of a book.

    Args:
        folder: that the paths of its own fonts start from.
    Raises:
        UsageError: a font of its own can't be used, with the reason.
    """
    spec, words = volume.spec, volume.spec.wording()
    measure = FontMeasure(load_faces(spec.fonts, folder), words.language)
    puzzles = tuple(shown_puzzle(puzzle.record, puzzle.number, spec.title) for puzzle in volume.numbered)
    rights = spec.copyright or (f"© {spec.year} {spec.author}" if spec.year and spec.author else "")
    return PuzzleSource(spec.book_id, spec.title, spec.author or "", rights, puzzles, words, measure)


def _file_source(file: Path) -> PuzzleSource:
    from linkpress.engine.prove.proof import strictest_rule

    content = read_input(file, MAX_PUZZLE_FILE_BYTES, PuzzleError, _ADVICE)
    puzzles = read_file(content, str(file), read_puzzles)
    rules = [strictest_rule(puzzle) for puzzle in puzzles]
    shown, words = tuple(_unprinted(puzzles, rules, file)), words_of(ENGLISH, rules=rules)
    return PuzzleSource(file.stem, "", "", "", shown, words, FontMeasure())


def _unprinted(puzzles: list[Puzzle], rules: list[Rule], file: Path) -> Iterator[ShownPuzzle]:
    from linkpress.engine.solve.grade import grade_puzzle

    for number, (puzzle, rule) in enumerate(zip(puzzles, rules, strict=True), 1):
        grading = grade_puzzle(puzzle, rule)
        solve = cache(partial(_solved, puzzle, grading.solution, f"{file}, puzzle {number}", rule))
        yield ShownPuzzle(puzzle, number, grading.grade, grading.stars, fingerprint(puzzle), solve)


def _solved(puzzle: Puzzle, known: Solution | None, where: str, rule: Rule) -> Solution:
    return known or only_solution(puzzle, where, rule)


def only_solution(puzzle: Puzzle, where: str, rule: Rule) -> Solution:
    """The solution of a board that has just one.

    Args:
        where: it comes from, for the message.
    Raises:
        FoundWantingError: it has none or several, or the proof gave up.
    """
    from linkpress.engine.prove.proof import Verdict, no_solution_words, prove

    proof = prove(puzzle, rule)
    if proof.verdict is Verdict.UNIQUE and proof.solution is not None:
        return proof.solution
    found = {
        Verdict.NONE: f"it has {no_solution_words(proof)}",
        Verdict.MULTIPLE: "it has several solutions",
        Verdict.GAVE_UP: "the proof ran out of its budget",
    }[proof.verdict]
    raise FoundWantingError(
        f"{where}: {found}, so no solution can be drawn. Repair the board, or export it with --what puzzle."
    )
