"""Make and grade single puzzles, and draw how they are solved step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from linkpress.engine.grade import Grading, grade_puzzle
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.proof import Verdict, prove, strictest_rule
from linkpress.engine.recipe import Rule
from linkpress.errors import GaveUpError, Notify, OutputError, RecipeError, UsageError
from linkpress.puzzle.puzzle import Puzzle, Solution

if TYPE_CHECKING:  # Importing these modules at run time would take longer than grading a puzzle.
    from linkpress.book.level import RecipeKeys
    from linkpress.engine.explain.steps import Step
    from linkpress.layout.frame import Frame
    from linkpress.production.dispatch import Workers
    from linkpress.production.journal import RunLog, Watcher
    from linkpress.render.fonts import Faces
    from linkpress.words import Words

# If a board can't be graded, a search finds out why. It gives up after this number of conflicts (dead ends).
_REASON_BUDGET = 20_000
_REASONS = {
    "unique": "it has one solution, but no technique of the ladder finishes it",
    "multiple": "it has several solutions, so no reasoning can finish it",
    "none": "it has no solution",
    "gave-up": "no technique finishes it, and whether it has one solution is not known; "
    "linkpress prove may tell",
}

PICTURE_SUFFIXES = (".svg", ".png")
_CELL_PT = 18.0
# Minimum width of a picture of a solving step in points. Below a small board, the sentence about the step
# needs this width.
_LEAST_WIDTH_PT = 170.0
_PICTURES_IN_ROW = 4
_DPI = 144
# Maximum number of pixels in a PNG of solving steps. An image of this size takes 360 MB of memory.
_MOST_PX = 120_000_000


def make_puzzles(
    keys: RecipeKeys, count: int, seed: str, workers: Workers, log: RunLog, notify: Notify
) -> Iterator[Solution]:
    """Make puzzles, each proven to have one solution.

    Args:
        keys: the recipe: the size, paths, solid squares and difficulty of the boards. If it lists several
            sizes, the puzzles have these sizes in turn.
        count: the number of puzzles.
        seed: text that selects the puzzles. Equal seeds give equal puzzles.
        workers: the processes that make the puzzles.
        log: a log that gets an entry for each puzzle. This function doesn't close it.
        notify: function called with messages about the progress of the search.
    Raises:
        RecipeError: no puzzle that meets the recipe was found.
        GaveUpError: the processes that made a puzzle died several times.
    """
    from linkpress.engine.make.generate import AttemptLog, watching_attempts
    from linkpress.production.dispatch import WorkerLost, call_each
    from linkpress.production.slot_search import make_timed

    tasks = [
        (recipe, f"{seed}/{index}", keys.method, round(keys.effort * recipe.usual_work))
        for index, recipe in enumerate(keys.recipes(count))
    ]
    number = 0

    def report(attempts: AttemptLog) -> None:
        notify(f"puzzle {number + 1} of {count}: {attempts.so_far}")

    with watching_attempts(report):
        try:
            for number, (made, time_s) in enumerate(call_each(workers, make_timed, tasks), 1):
                technique = made.grading.technique if made.grading else None
                log.note(
                    "made",
                    slot=number,
                    attempt=0,
                    boards_tried=made.attempts,
                    time_s=time_s,
                    proof=f"{made.proof.rule} by {made.proof.method}",
                    technique=technique.label if technique else None,
                )
                yield made.solution
        except RecipeError as error:
            log.note("unmet", slot=number + 1, why=str(error), details=error.details)
            raise
        except WorkerLost as lost:
            raise GaveUpError(
                f"puzzle {lost.index + 1} can't be made: its worker was lost again and again; {lost}"
            ) from None


def grow_boards(keys: RecipeKeys, count: int, seed: str) -> Iterator[Solution]:
    """Yield solved boards made by the method "classic". The boards may have further solutions."""
    from linkpress.engine.make.cover import grow_cover

    for index in range(count):
        size = keys.sizes[index % len(keys.sizes)]
        yield grow_cover(size.rows, size.cols, f"{seed}/{index}").solution


def make_booklet(keys: RecipeKeys, count: int, seed: str, watcher: Watcher) -> tuple[bytes, int]:
    """Make puzzles, and print them with their solutions as a PDF, in the default design of a book.

    Args:
        keys: the recipe: the size, paths, solid squares and difficulty of the boards.
        count: the number of puzzles.
        seed: text that selects the puzzles. Equal seeds give equal booklets.
        watcher: object whose methods are called to report progress.
    Returns:
        The PDF, and its number of pages.
    Raises:
        LinkpressError: the puzzles can't be made or printed. See ``app.build.build``.
    """
    from linkpress.app.build import build
    from linkpress.production.ledger_session import LedgerChoice

    recipe = keys.model_dump(mode="json", by_alias=True, exclude_unset=True)
    spec = {"title": "Number Link", "seed": seed, "levels": [{"name": "Puzzles", "count": count, **recipe}]}
    with TemporaryDirectory() as folder:
        file = Path(folder, "booklet.yaml")
        file.write_text(json.dumps(spec), encoding="utf-8")
        built = build(file, folder, watcher=watcher, ledger=LedgerChoice(used=False))
        return (built.folder / "interior.pdf").read_bytes(), built.page_count


class GradedPuzzle(NamedTuple):
    """Puzzle with its difficulty.

    Args:
        puzzle: the puzzle.
        grading: the puzzle's score, and the techniques that solve it.
        steps: the steps by which the puzzle is solved; empty if they were not requested.
        rule: the rule that says which drawings count as solutions.
        why_ungraded: the reason why the puzzle can't be graded; empty if it is graded.
        undecided: stricter rules under which the search gave up, so the puzzle may also have exactly one
            solution under them.
    """

    puzzle: Puzzle
    grading: Grading
    steps: Sequence[Step]
    rule: Rule
    why_ungraded: str
    undecided: tuple[Rule, ...] = ()


def grade_puzzles(
    puzzles: Iterable[Puzzle], rule: Rule | None = None, *, with_steps: bool = False
) -> Iterator[GradedPuzzle]:
    """Find the difficulty of each puzzle, and the techniques that solve it.

    Args:
        puzzles: the puzzles.
        rule: the rule that says which drawings count as solutions. None for the strictest rule under which
            the puzzle has one solution.
        with_steps: whether to return the steps by which each puzzle is solved.
    """
    for puzzle in puzzles:
        if rule and (verdict := prove(puzzle, rule).verdict) is not Verdict.UNIQUE:
            why = f"{verdict.value} under {rule.value}"
            yield GradedPuzzle(puzzle, Grading(None, None, {}, None), (), rule, why)
            continue
        board_rule, undecided = (rule, ()) if rule else strictest_rule(puzzle)
        grading, steps = grade_puzzle(puzzle, board_rule), []
        if with_steps:
            from linkpress.engine.explain.steps import combine_steps, explain_climb

            climb = climb_ladder(position_of(puzzle, board_rule))
            # A contradiction means that the board has no solution, so there are no steps to explain.
            if climb.outcome is not ClimbOutcome.CONTRADICTED:
                steps = list(combine_steps(puzzle, explain_climb(puzzle, climb)))
        why = ""
        if grading.technique is None:
            why = _REASONS[prove(puzzle, Rule.FILLED, _REASON_BUDGET).verdict.value]
        yield GradedPuzzle(puzzle, grading, steps, board_rule, why, undecided)


def check_picture_file(path: Path, words: Words, faces: Faces) -> None:
    """Check that pictures of the steps that solve a puzzle can be written to a file.

    This is done before any picture is drawn, so that a mistake is reported at once.

    Args:
        path: the file to write.
        words: the phrases that explain the steps.
        faces: the fonts for these phrases.
    Raises:
        UsageError: the suffix is neither .svg nor .png, or the fonts lack a letter.
    """
    from linkpress.layout.frame import FontKey
    from linkpress.render.fonts import FontMeasure

    if path.suffix.lower() not in PICTURE_SUFFIXES:
        raise UsageError(
            f"--pictures {path}: its name ends in neither .svg nor .png, so the kind of file is unknown. "
            "Give it one of these endings."
        )
    phrases = "".join(phrase for _, phrase in words.steps if isinstance(phrase, str))
    lacking = FontMeasure(faces).missing(phrases, FontKey.REGULAR)
    if lacking:
        raise UsageError(
            f"--pictures: the fonts have no {lacking[0]!r} ({words.language}). Name one that has it with "
            "--font, leave --pictures out, or choose another --language."
        )


def write_pictures(
    solved: Sequence[tuple[Puzzle, Sequence[Step]]], words: Words, path: Path, faces: Faces
) -> None:
    """Draw how puzzles are solved, step by step, in one SVG or PNG file.

    For each step, a picture with a short caption shows the board after that step.

    Args:
        solved: the puzzles, each with the steps that solve it.
        words: the phrases that explain the steps.
        path: the file to write.
        faces: the fonts.
    Raises:
        UsageError: the file's suffix is neither .svg nor .png, or the fonts lack a letter.
        OutputError: the file can't be written, or the PNG would be too large.
    """
    from linkpress.files import write_file

    check_picture_file(path, words, faces)
    if path.suffix.lower() == ".svg":
        write_file(path, pictures_svg(solved, words, faces))
    else:
        write_file(path, _pictures_png(list(_picture_rows(solved, words, faces)), path, faces))


def pictures_svg(solved: Sequence[tuple[Puzzle, Sequence[Step]]], words: Words, faces: Faces) -> str:
    """Return an SVG that shows step by step how puzzles are solved, with a captioned picture for each step.

    Args:
        solved: the puzzles, each with the steps that solve it.
        words: the phrases that explain the steps.
        faces: the fonts.
    """
    from linkpress.layout.step_pictures import stacked
    from linkpress.render.svg import draw_svg

    rows = list(_picture_rows(solved, words, faces))
    return draw_svg(stacked(rows), words.steps.title, faces=faces, language=words.language)


def _picture_rows(
    solved: Sequence[tuple[Puzzle, Sequence[Step]]], words: Words, faces: Faces
) -> Iterator[Frame]:
    from linkpress.layout.step_pictures import StepPictures, heading_row, picture_rows
    from linkpress.layout.theme import load_theme
    from linkpress.render.fonts import FontMeasure

    theme, measure = load_theme("classic"), FontMeasure(faces, words.language)
    for number, (puzzle, steps) in enumerate(solved, 1):
        captions = [(step, words.steps.text_of(step.caption(puzzle.grid))) for step in steps]
        boards = StepPictures(puzzle, _CELL_PT, theme, measure)
        pictures = list(boards.of(captions, f"puzzle-{number}-step"))
        rows = list(picture_rows(pictures, _PICTURES_IN_ROW, theme, measure, _LEAST_WIDTH_PT))
        if len(solved) > 1 or not rows:
            text = words.say(words.puzzle if rows else words.steps.no_steps, number=str(number))
            yield heading_row(text, max([_LEAST_WIDTH_PT, *(row.width_pt for row in rows)]), theme, measure)
        yield from rows


def _pictures_png(rows: Sequence[Frame], path: Path, faces: Faces) -> bytes:
    """Draw rows of pictures as one PNG.

    Each row is rasterised as a PDF page of its own, because all rows together may exceed the maximum height
    of a PDF page.
    """
    from PIL import Image

    from linkpress.documents.values import PixelMode
    from linkpress.render.raster import png_bytes, rasterise

    scale = _DPI / 72
    sizes = [(round(row.width_pt * scale), round(row.height_pt * scale)) for row in rows]
    width, height = max(width for width, _ in sizes), sum(height for _, height in sizes)
    if width * height > _MOST_PX:
        raise OutputError(
            f"{path}: the steps would make a PNG of {width} × {height} pixels. Choose .svg, or fewer puzzles."
        )
    sheet, top = Image.new("RGB", (width, height), "white"), 0
    for row, size in zip(rows, sizes, strict=True):
        sheet.paste(rasterise(row, size, PixelMode.RGB, faces=faces), (0, top))
        top += size[1]
    return png_bytes(sheet, _DPI)
