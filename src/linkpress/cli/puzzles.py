"""Commands on single puzzles: generate, solve, prove."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from linkpress.cli.options import LogFile, Verbose
from linkpress.cli.streams import Pulse, announce_plain_engine, read_puzzle_file, say, worst, write
from linkpress.engine.recipe import Method, NumberPattern, Pattern, Recipe, Rule
from linkpress.errors import ExitCode, UsageError
from linkpress.puzzle.notation import Form

if TYPE_CHECKING:
    from linkpress.book.level import RecipeKeys
    from linkpress.engine.proof import Proof
    from linkpress.production.log import RunLog
    from linkpress.puzzle.puzzle import Puzzle, Solution

PuzzleFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="Puzzles in any notation of linkpress; - reads standard input."),
]
Budget = Annotated[
    int | None, typer.Option(min=1, help="Conflicts allowed for each proof; gave-up when they are spent.")
]

LongestShare = Annotated[
    str | None, typer.Option(help="Most of the free squares that one path may cover: 40%. Default: 60%.")
]
BorderShare = Annotated[
    str | None,
    typer.Option(help="Most of the pairs with both numbers on the border. Default: 50%, from 10x10 up 20%."),
]
BorderNumbers = Annotated[
    str | None, typer.Option(help="Most of the numbers that may stand on the border: 25%.")
]

RECORD_BREAK = {Form.ASCII: "\n", Form.TABLE: "\n"}


def register(app: typer.Typer) -> None:
    """Add this module's commands to the application."""
    for command in (generate, solve, prove):
        app.command()(command)


def generate(
    size: Annotated[str, typer.Option(help="Side, or columns x rows: 7 or 7x9.")] = "7",
    paths: Annotated[str | None, typer.Option(help="Number of pairs: 5 or 4-6.")] = None,
    solids: Annotated[str | None, typer.Option(help="Solid squares: 3, 0-4, 5% or 0-10%.")] = None,
    grade: Annotated[str | None, typer.Option(help="A grade or a range: medium, easy-hard.")] = None,
    rule: Annotated[
        Rule | None,
        typer.Option(help="What one solution means. Default: strict; filled with classic."),
    ] = None,
    method: Annotated[Method, typer.Option(help="How boards are made.")] = Method.WALK,
    shortest_path: Annotated[int | None, typer.Option(help="Fewest squares on a path.")] = None,
    adjacent_pairs: Annotated[
        bool | None, typer.Option(help="Whether the two numbers of a pair may be neighbours.")
    ] = None,
    longest_share: LongestShare = None,
    border_share: BorderShare = None,
    border_numbers: BorderNumbers = None,
    solid_pattern: Annotated[Pattern, typer.Option(help="How solids lie.")] = Pattern.SCATTERED,
    number_pattern: Annotated[
        NumberPattern, typer.Option(help="How the squares with numbers lie.")
    ] = NumberPattern.FREE,
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many puzzles.")] = 1,
    seed: Annotated[str | None, typer.Option(help="The same seed makes the same puzzles.")] = None,
    form: Annotated[Form, typer.Option(help="How puzzles are written; table adds the solution.")] = Form.LINK,
    unproven: Annotated[
        bool, typer.Option("--unproven", help="With classic: boards as they grow, unique or not.")
    ] = False,
    verbose: Verbose = False,
    log: LogFile = None,
) -> None:
    """Make puzzles to a recipe, each proven to have one solution, and print them."""
    from linkpress.production.log import RunLog

    unique = rule or (Rule.FILLED if method is Method.CLASSIC else Rule.STRICT)
    knobs = {
        "paths": paths,
        "solids": solids,
        "grade": grade,
        "shortest_path": shortest_path,
        "adjacent_pairs": adjacent_pairs,
        "longest_share": longest_share,
        "border_share": border_share,
        "border_numbers": border_numbers,
        "solid_pattern": None if solid_pattern is Pattern.SCATTERED else solid_pattern.value,
        "number_pattern": None if number_pattern is NumberPattern.FREE else number_pattern.value,
    }
    keys = _read_keys({"size": size, "unique": unique.value, "method": method.value, **knobs})
    if unproven:
        _check_unproven(method, {**knobs, "unique": rule})
    if seed is None:
        seed = str(secrets.randbelow(10**9))
        say(f"seed {seed}")
    recipe = keys.recipe(keys.size[0])
    with RunLog(log, say if verbose else None) as run_log:
        announce_plain_engine()
        made = _grown(recipe, seed, count) if unproven else _made(recipe, method, seed, count, run_log)
        for number, solution in enumerate(made):
            write((RECORD_BREAK.get(form, "") if number else "") + _puzzle_text(solution, form))


def solve(
    file: PuzzleFile,
    form: Annotated[Form, typer.Option(help="How answers are written.")] = Form.LINK,
    budget: Budget = None,
) -> None:
    """Print the answer of each puzzle.

    A board with several answers gets one of them and a line on stderr. An answer that runs
    alongside itself can't be told from its numbers, so it is drawn whatever the form.
    """
    from linkpress.puzzle.notation.forms import write_solution

    announce_plain_engine()
    codes = []
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        proof = _proof(puzzle, Rule.FILLED, budget)
        codes.append(_code(proof))
        for remark in _remarks(proof):
            say(f"puzzle {number}: {remark}")
        if proof.solution is not None:
            own = Form.ASCII if proof.solution.touches_itself else form
            write((RECORD_BREAK.get(own, "") if number > 1 else "") + write_solution(proof.solution, own))
    raise typer.Exit(worst(codes))


def prove(
    file: PuzzleFile,
    rule: Annotated[Rule, typer.Option(help="Which drawings count.")] = Rule.FILLED,
    budget: Budget = None,
) -> None:
    """Print one word per puzzle: unique, multiple, none or gave-up."""
    announce_plain_engine()
    codes = []
    for puzzle in read_puzzle_file(file):
        proof = _proof(puzzle, rule, budget)
        write(f"{proof.verdict.value}\n")
        codes.append(_code(proof))
    raise typer.Exit(worst(codes))


def _read_keys(options: Mapping[str, object]) -> RecipeKeys:
    """The options that say what puzzles must be, read as a level of a spec is, by the spec's key names."""
    from linkpress.book.level import RecipeKeys
    from linkpress.config.models import read_values
    from linkpress.config.problem import InvalidError

    try:
        return read_values(options, RecipeKeys)
    except InvalidError as error:
        places = [str(one.key[0]) if one.key else "options" for one in error.problems]
        faults = [
            f"{_option_of(place)} {one.found}: {one.message}"
            for place, one in zip(places, error.problems, strict=True)
        ]
        raise UsageError("; ".join(faults)) from None


def _option_of(key: str) -> str:
    return "--" + {"unique": "rule"}.get(key, key).replace("_", "-")


def _check_unproven(method: Method, knobs: Mapping[str, object]) -> None:
    if method is not Method.CLASSIC:
        raise UsageError("--unproven goes with --method classic; the walk proves each puzzle as it makes it.")
    ordered = [_option_of(key) for key, value in knobs.items() if value is not None]
    if ordered:
        raise UsageError(f"--unproven prints boards as they grow: leave out {', '.join(ordered)}.")


def _made(recipe: Recipe, method: Method, seed: str, count: int, log: RunLog) -> Iterator[Solution]:
    from linkpress.engine.attempts import AttemptLog, watching_attempts
    from linkpress.engine.generate import generate as make

    pulse = Pulse()
    for number in range(count):

        def tell(log: AttemptLog, at: int = number + 1) -> None:
            pulse.say(f"puzzle {at} of {count}: {log.so_far}")

        start = time.perf_counter()
        with watching_attempts(tell):
            made = make(recipe, f"{seed}/{number}", method)
        log.note(
            "made",
            slot=number + 1,
            attempt=0,
            boards_tried=made.attempts,
            time_s=time.perf_counter() - start,
            proof=f"{made.proof.rule} by {made.proof.method}",
            grade=made.grading.grade.label if made.grading and made.grading.grade else None,
        )
        yield made.solution


def _grown(recipe: Recipe, seed: str, count: int) -> Iterator[Solution]:
    from linkpress.engine.classic import grow_cover

    for number in range(count):
        yield grow_cover(recipe.rows, recipe.cols, f"{seed}/{number}").solution


def _puzzle_text(solution: Solution, form: Form) -> str:
    from linkpress.puzzle.notation.article_table import both_tables
    from linkpress.puzzle.notation.forms import write_puzzle

    return both_tables(solution) if form is Form.TABLE else write_puzzle(solution.puzzle, form)


def _proof(puzzle: Puzzle, rule: Rule, budget: int | None) -> Proof:
    from linkpress.engine import proof

    return proof.prove(puzzle, rule, proof.DEFAULT_BUDGET if budget is None else budget)


def _remarks(proof: Proof) -> Iterator[str]:
    """What the reader of an answer must know beside it."""
    if proof.verdict.value == "none":
        yield "it has no solution"
    elif proof.verdict.value == "multiple":
        yield "it has several solutions; this is one of them"
    elif proof.verdict.value == "gave-up":
        yield "gave up within the budget; raise --budget"
        if proof.solution is not None:
            yield "this is a solution, perhaps not the only one"
    if proof.solution is not None and proof.solution.touches_itself:
        yield "a path runs alongside itself, which numbers can't show: drawn as ascii"


def _code(proof: Proof) -> ExitCode:
    codes = {"unique": ExitCode.OK, "gave-up": ExitCode.GAVE_UP}
    return codes.get(proof.verdict.value, ExitCode.FOUND_WANTING)
