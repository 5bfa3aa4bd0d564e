"""These commands take single puzzles: generate, solve, prove, grade, hint."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkpress.cli.options import (
    ClusterAddress,
    LogOptions,
    is_there,
    language_option,
    path_option,
    with_option_groups,
)
from linkpress.cli.streams import (
    Pulse,
    announce_plain_engine,
    read_drawing_file,
    read_puzzle_file,
    say,
    write,
)
from linkpress.engine.recipe import MOST_STARS, Method, NumberPattern, Pattern, Rule
from linkpress.errors import ExitCode, UsageError
from linkpress.files import check_writable
from linkpress.puzzle.notation.notations import Notation, notation_rows, write_puzzle, write_solution

if TYPE_CHECKING:
    from linkpress.book.level import RecipeKeys
    from linkpress.documents.problem import Problem
    from linkpress.engine.explain.steps import Step
    from linkpress.engine.prove.proof import Proof
    from linkpress.engine.solve.grade import Grading
    from linkpress.puzzle.puzzle import Puzzle, Solution
    from linkpress.render.font_files import Faces
    from linkpress.words.language import Words

PuzzleFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Puzzles in any notation of linkpress; - reads standard input.")
]
Budget = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Conflicts allowed for each proof; gave-up when they are spent. Default: up to a minute's.",
    ),
]

# A verdict's exit code, and what is said of the board.
_OUTCOMES = {
    "unique": (ExitCode.OK, ""),
    "none": (ExitCode.CHECK_FAILED, "it has no solution"),
    "multiple": (ExitCode.CHECK_FAILED, "it has several solutions; this is one of them"),
    "gave-up": (ExitCode.GAVE_UP, ""),
}
_UNTOUCHING = "unique under untouching alone: a rule has to say that no line runs beside itself"


@dataclass(frozen=True, kw_only=True)
class RecipeOptions:
    """Boards must be as these say; all but ``unproven`` are keys of a level (``rule`` is ``unique``)."""

    size: Annotated[str | None, typer.Option(help="Side, or columns x rows: 7 or 7x9. Default: 7.")] = None
    paths: Annotated[str | None, typer.Option(help="Number of pairs: 5 or 4-6.")] = None
    solids: Annotated[
        str | None, typer.Option(help="Solid squares: 3, 0-4, 5% or 0-10%, or a shape as '{mask: heart}'.")
    ] = None
    grade: Annotated[str | None, typer.Option(help="A grade or a range: medium, easy-hard.")] = None
    stars: Annotated[str | None, typer.Option(help="Stars, one to five, or a range: 2, 3-4.")] = None
    rule: Annotated[
        Rule | None, typer.Option(help="What one solution means. Default: strict; filled with classic.")
    ] = None
    method: Annotated[Method | None, typer.Option(help="How boards are made. Default: walk.")] = None
    shortest_path: Annotated[int | None, typer.Option(help="Fewest squares on a path.")] = None
    adjacent_pairs: Annotated[
        bool | None, typer.Option(help="Whether the two numbers of a pair may be neighbours.")
    ] = None
    apart: Annotated[bool | None, typer.Option(help="Whether no two numbers stand side by side.")] = None
    longest_share: Annotated[
        str | None, typer.Option(help="Most of the free squares that one path may cover: 40%. Default: 60%.")
    ] = None
    border_share: Annotated[
        str | None, typer.Option(help="Most of the pairs with both numbers on the border. Default: 50%.")
    ] = None
    border_numbers: Annotated[
        str | None, typer.Option(help="Most of the numbers that may stand on the border: 25%.")
    ] = None
    solid_pattern: Annotated[Pattern | None, typer.Option(help="How solids lie. Default: scattered.")] = None
    number_pattern: Annotated[
        NumberPattern | None,
        typer.Option(help="How the squares with numbers lie. Default: symmetric from 10x10 to 15x15."),
    ] = None
    composed: Annotated[
        bool | None, typer.Option(help="Whether boards look as authors' do. Default: from 8x8 up.")
    ] = None
    effort: Annotated[
        float | None,
        typer.Option(help="How many times the usual work each may take, 0.1 to 1000. Default: 1."),
    ] = None
    unproven: Annotated[
        bool, typer.Option("--unproven", help="With classic: boards as they grow, unique or not.")
    ] = False

    def keys(self, recipe: str | None) -> RecipeKeys:
        """Read what boards must be, as a level of a spec is read.

        Keys come as YAML, or from a file of them; an option goes before the key of its name. Faults
        are raised as a ``UsageError`` or, where there is no YAML, as a ``SpecError``.
        """
        from linkpress.book.level import IfGradeMissing, RecipeKeys, with_mask_rows
        from linkpress.documents.models import read_values
        from linkpress.documents.problem import InvalidError

        written, folder = ({}, Path()) if recipe is None else _read_recipe(recipe)
        options: dict[str, Any] = asdict(self)
        del options["unproven"]
        options["unique"] = options.pop("rule")
        if str(options["solids"]).startswith("{"):
            options |= _read_recipe(f"{{solids: {options['solids']}}}")[0]
            folder = Path()
        given = written | {key: value for key, value in options.items() if value is not None}
        try:
            given = with_mask_rows(given, folder)
            keys = read_values({"size": "7", **given}, RecipeKeys)
        except InvalidError as error:
            raise UsageError("; ".join(_fault(problem, options) for problem in error.problems)) from None
        if keys.otherwise is not IfGradeMissing.FAIL:
            raise UsageError("--recipe: otherwise is for books, which print the nearest grade and say so.")
        if self.unproven:
            _check_unproven(keys.method, given.keys() - {"size", "method"})
        if keys.method is Method.CLASSIC and "unique" not in given:
            return keys.model_copy(update={"unique": Rule.FILLED})
        return keys


@with_option_groups
def generate(
    recipe: Annotated[
        str | None,
        typer.Option(
            metavar="KEYS|FILE",
            help="What a puzzle must be, in the keys of a book's level, as '{size: 10, paths: 8-10, grade: "
            "hard}', or a file of them. Name, count, from and per_page are a book's alone.",
        ),
    ] = None,
    *,
    options: RecipeOptions,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many puzzles.")] = 1,
    seed: Annotated[str | None, typer.Option(help="The same seed makes the same puzzles.")] = None,
    form: Annotated[Notation, typer.Option(help="The notation; table adds the solution.")] = Notation.LINK,
    cluster: ClusterAddress = None,
    logging: LogOptions,
) -> None:
    """Make puzzles to a recipe, each proven to have one solution, and print them."""
    from linkpress.app.puzzles import grow_boards, make_puzzles
    from linkpress.production.dispatch import Workers
    from linkpress.production.executors import InProcess, open_workers

    keys = options.keys(recipe)
    if options.unproven and cluster is not None:
        raise UsageError("--unproven prints boards as they grow: leave out --cluster.")
    if seed is None:
        seed = str(secrets.randbelow(10**9))
        say(f"seed {seed}")
    announce_plain_engine()
    in_process = nullcontext(Workers(1, InProcess))
    with (
        logging.open_log() as log,
        in_process if cluster is None else open_workers(None, cluster, say) as workers,
    ):
        for problem in keys.mix_problems(count):
            raise UsageError(f"{_fault(problem, {})} with --count {count}.")
        made = (
            grow_boards(keys, count, seed)
            if options.unproven
            else make_puzzles(keys, count, seed, workers, log, Pulse().say)
        )
        for number, solution in enumerate(made):
            text = _puzzle_text(solution, form, filled=keys.unique.covers)
            write("\n" * (number > 0 and notation_rows()[form].blank_line_between) + text)


def solve(
    file: PuzzleFile,
    rule: Annotated[Rule, typer.Option(help="Which drawings count.")] = Rule.FILLED,
    form: Annotated[Notation, typer.Option(help="How answers are written.")] = Notation.LINK,
    budget: Budget = None,
) -> None:
    """Print the answer of each puzzle.

    A board with several answers gets one of them and a line on stderr. An answer that runs
    alongside itself can't be told from its numbers, so it is drawn whatever the form.
    """
    from linkpress.engine.prove.proof import prove as prove_board

    announce_plain_engine()
    codes, rows = [], notation_rows()
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        proof = prove_board(puzzle, rule, budget)
        codes.append(_OUTCOMES[proof.verdict.value][0])
        for remark in _remarks(proof):
            say(f"puzzle {number}: {remark}")
        if proof.solution is not None:
            needs_lines = proof.solution.touches_itself and rows[form].read_drawing is None
            own = Notation.ASCII if needs_lines else form
            write("\n" * (number > 1 and rows[own].blank_line_between) + write_solution(proof.solution, own))
    raise typer.Exit(max(codes, default=ExitCode.OK))


def prove(
    file: PuzzleFile,
    rule: Annotated[
        Rule | None, typer.Option(help="Which drawings count; filled if left out.", show_default=False)
    ] = None,
    budget: Budget = None,
) -> None:
    """Print one word per puzzle: unique, multiple, none or gave-up.

    Where no rule is given and a puzzle is unique under filled alone, a line on stderr says what it is under
    strict, as which books are made; where it is unique under untouching alone, one says that. Under strict,
    none may mean that all pairs can be joined in one way only, which leaves squares empty: a line on stderr
    says so.
    """
    from linkpress.engine.prove.proof import Verdict, gave_up_words, no_solution_words
    from linkpress.engine.prove.proof import prove as prove_board

    announce_plain_engine()
    codes = []
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        proof = prove_board(puzzle, rule or Rule.FILLED, budget)
        write(f"{proof.verdict.value}\n")
        if proof.verdict is Verdict.GAVE_UP:
            say(f"puzzle {number}: {gave_up_words(proof)}")
        if rule is None and proof.verdict is Verdict.UNIQUE:
            strict = prove_board(puzzle, Rule.STRICT, budget).verdict
            if strict is not Verdict.UNIQUE:
                say(f"puzzle {number}: {strict.value} under strict, as which generate and books make theirs")
        several = rule is None and proof.verdict is Verdict.MULTIPLE
        if several and prove_board(puzzle, Rule.UNTOUCHING, budget).verdict is Verdict.UNIQUE:
            say(f"puzzle {number}: {_UNTOUCHING}")
        if proof.verdict is Verdict.NONE and proof.solution is not None:
            say(f"puzzle {number}: it has {no_solution_words(proof)}")
        codes.append(_OUTCOMES[proof.verdict.value][0])
    raise typer.Exit(max(codes, default=ExitCode.OK))


def grade(
    file: PuzzleFile,
    rule: Annotated[
        Rule | None,
        typer.Option(help="Grade by this rule, as a book with this unique: does.", show_default=False),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Tell the whole solve in words.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --steps: draw the board after each step, as .svg or .png."),
    ] = None,
    language: Annotated[str | None, language_option("With --steps, the language of their words")] = None,
    font: Annotated[
        Path | None,
        path_option(
            "--font",
            metavar="FILE",
            help="With --pictures: a font for letters that others lack.",
            there_is="file",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")] = False,
) -> None:
    """Print each puzzle's grade, score and stars: what a solver has to be able to do, and how hard it feels.

    Each board is first proven. Without a rule it is the first of strict, filled and untouching by which
    the board has one solution; where that is untouching, a line on stderr says so. A solver may use what
    the rule lets them: under strict and untouching, that no path runs beside itself.

    A board that is not proven to have one solution has no grade: the line says ungraded, and the
    command ends with 1.
    """
    from linkpress.app.puzzles import grade_puzzles

    announce_plain_engine()
    words = _words_of_steps(steps, pictures, language, font)
    codes, solved = [], []
    graded = grade_puzzles(read_puzzle_file(file), rule, with_steps=words is not None)
    for number, (puzzle, grading, solve_steps, used, why_ungraded) in enumerate(graded, 1):
        if rule is None and used is Rule.UNTOUCHING:
            say(f"puzzle {number}: {_UNTOUCHING}")
        if why_ungraded:
            say(f"puzzle {number}: {why_ungraded}")
        codes.append(ExitCode.CHECK_FAILED if why_ungraded else ExitCode.OK)
        solved.append((puzzle, solve_steps))
        texts = [words.steps.text_of(step.sentence) for step in solve_steps] if words else []
        if not as_json:
            texts = [text + _chain_text(puzzle, step) for text, step in zip(texts, solve_steps, strict=True)]
        write(_json_line(number, grading, texts) if as_json else _grading_lines(grading, texts, words))
    if pictures is not None and words is not None:
        _write_pictures(solved, words, pictures, font)
    raise typer.Exit(max(codes, default=ExitCode.OK))


def hint(
    file: PuzzleFile, language: Annotated[str, language_option("The language of the sentence")] = "en"
) -> None:
    """Print the next step for each board, drawn in part or not at all.

    The ascii form holds half-drawn boards: a line counts where it crosses from one square to the
    next, as solve --form ascii draws it or drawn by hand with - and |, within a frame or over a
    ruled grid. What stands in a square besides its number is not looked at.
    """
    from linkpress.engine.explain.steps import next_step
    from linkpress.engine.prove.proof import strictest_rule
    from linkpress.words.language import load_words

    announce_plain_engine()
    words = load_words(language)
    codes = []
    for number, (puzzle, drawn) in enumerate(read_drawing_file(file), 1):
        step = next_step(puzzle, drawn, strictest_rule(puzzle))
        if step is None:
            finished = len({cell for pair in drawn for cell in pair}) == len(puzzle.grid.free_cells)
            say(f"puzzle {number}: " + ("it is solved" if finished else "none of the techniques leads on"))
            codes.append(ExitCode.OK if finished else ExitCode.CHECK_FAILED)
            continue
        codes.append(ExitCode.CHECK_FAILED if step.technique == "mistake" else ExitCode.OK)
        write(f"{step.technique}: {words.steps.text_of(step.sentence)}\n")
    raise typer.Exit(max(codes, default=ExitCode.OK))


def _read_recipe(recipe: str) -> tuple[dict[str, Any], Path]:
    """Read the keys of a recipe, and the folder that their paths start from."""
    from linkpress.documents.problem import printable, raise_problems
    from linkpress.documents.yaml_source import parse_yaml, read_yaml

    is_text = recipe.lstrip().startswith("{")
    if not is_text and not is_there(Path(recipe)):
        raise UsageError(
            f"--recipe {printable(recipe)}: there is no such file. Keys are written in braces, as "
            "'{size: 10, paths: 8-10}'."
        )
    source = parse_yaml(recipe, "--recipe") if is_text else read_yaml(Path(recipe))
    raise_problems(source.problems)
    return dict(source.value), Path() if is_text else Path(recipe).parent


def _fault(problem: Problem, options: Mapping[str, object]) -> str:
    key = str(problem.key[0]) if problem.key else "options"
    named = _option_of(key) if options.get(key) is not None else f"--recipe: {key}"
    return f"{named} {problem.found}".rstrip() + f": {problem.message}"


def _option_of(key: str) -> str:
    return "--" + {"unique": "rule"}.get(key, key).replace("_", "-")


def _check_unproven(method: Method, ordered: Collection[str]) -> None:
    if method is not Method.CLASSIC:
        raise UsageError("--unproven goes with --method classic; the walk proves each puzzle as it makes it.")
    if ordered:
        named = ", ".join(map(_option_of, sorted(ordered)))
        raise UsageError(f"--unproven prints boards as they grow: leave out {named}.")


def _puzzle_text(solution: Solution, form: Notation, *, filled: bool) -> str:
    from linkpress.puzzle.notation.link_text import both_tables

    if form is Notation.TABLE:
        return both_tables(solution)
    return write_puzzle(solution.puzzle, form, filled=filled)


def _remarks(proof: Proof) -> Iterator[str]:
    """Yield what the reader of an answer must know beside it."""
    from linkpress.engine.prove.proof import Verdict, gave_up_words

    if remark := _OUTCOMES[proof.verdict.value][1]:
        yield remark
    if proof.verdict is Verdict.GAVE_UP:
        yield gave_up_words(proof)
    if proof.solution is not None:
        if proof.verdict is Verdict.GAVE_UP:
            yield "this is a solution, perhaps not the only one"
        if proof.solution.touches_itself:
            yield "a path runs alongside itself, which numbers can't show: drawn as ascii"


def _words_of_steps(
    steps: bool, pictures: Path | None, language: str | None, font: Path | None
) -> Words | None:
    """Return the words for steps, and for what stands below pictures; None where no steps are wanted."""
    if font is not None and pictures is None:
        raise UsageError("--font is that of the pictures: ask for these too, with --steps and --pictures.")
    if steps:
        from linkpress.words.language import ENGLISH, load_words

        words = load_words(language or ENGLISH)
        if pictures is not None:
            from linkpress.app.step_picture_files import check_picture_file

            check_picture_file(pictures, words, _faces(font))
            check_writable(pictures)
        return words
    if language is not None:
        raise UsageError("--language is that of the steps: ask for these too, with --steps.")
    if pictures is not None:
        raise UsageError("--pictures draws the board after each step: ask for these too, with --steps.")
    return None


def _faces(font: Path | None) -> Faces:
    from linkpress.render.font_files import book_faces

    try:
        return book_faces({"fallback": font} if font else {})
    except UsageError as fault:
        raise UsageError(f"--font: {fault.message}") from None


def _write_pictures(
    solved: Sequence[tuple[Puzzle, Sequence[Step]]], words: Words, path: Path, font: Path | None
) -> None:
    from linkpress.app.step_picture_files import write_pictures

    write_pictures(solved, words, path, _faces(font))
    say(f"linkpress: the steps are drawn in {path}")


def _chain_text(puzzle: Puzzle, step: Step) -> str:
    listed = ", ".join(link.text(puzzle.grid) for link in step.chain)
    return f" [{listed}]" if len(step.chain) > 1 else ""


def _grading_lines(grading: Grading, sentences: list[str], words: Words | None) -> str:
    """Return the headline, whose grade is in the steps' language unless English, and the steps below."""
    if words is not None and words.language == "en":
        words = None
    if grading.grade is None:
        head = words.no_grade if words else "ungraded"
    else:
        stars = grading.stars or 0
        used = ", ".join(f"{name} {count}" for name, count in grading.techniques.items())
        head = f"{grading.grade.label} {grading.score} ({stars} of {MOST_STARS} stars; {used})"
        if words:
            head = f"{words.grades[grading.grade]} {grading.score} {'★' * stars}{'☆' * (MOST_STARS - stars)}"
    return "\n".join([head, *(f"{number:>4}. {text}" for number, text in enumerate(sentences, 1))]) + "\n"


def _json_line(number: int, grading: Grading, sentences: list[str]) -> str:
    record: dict[str, object] = {
        "number": number,
        "grade": grading.grade.label if grading.grade else None,
        "score": grading.score,
        "stars": grading.stars,
        "techniques": dict(grading.techniques),
    }
    if sentences:
        record["steps"] = sentences
    return json.dumps(record, ensure_ascii=False) + "\n"
