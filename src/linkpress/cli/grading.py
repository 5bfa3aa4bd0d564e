"""Commands that solve as a person would: grade and hint."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from linkpress.cli.puzzles import PuzzleFile
from linkpress.cli.streams import (
    announce_plain_engine,
    read_drawing_file,
    read_puzzle_file,
    say,
    worst,
    write,
)
from linkpress.errors import ExitCode

if TYPE_CHECKING:
    from linkpress.engine.grade import Grading


def register(app: typer.Typer) -> None:
    """Add this module's commands to the application."""
    for command in (grade, hint):
        app.command()(command)


def grade(
    file: PuzzleFile,
    steps: Annotated[bool, typer.Option("--steps", help="Tell the whole solve in words.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")] = False,
) -> None:
    """Print each puzzle's grade and score: what a solver has to be able to do.

    Each board is first proven: where squares can't be left empty, a solver may use that no path runs
    beside itself.

    A board that the techniques don't finish has no grade: the line says ungraded, and the
    command ends with 1.
    """
    from linkpress.engine.grade import grade_climb
    from linkpress.engine.ladder import climb_ladder, position_of
    from linkpress.engine.proof import strictest_rule
    from linkpress.engine.steps import tell_climb

    announce_plain_engine()
    codes = []
    for number, puzzle in enumerate(read_puzzle_file(file), 1):
        climb = climb_ladder(position_of(puzzle, strictest_rule(puzzle)))
        grading = grade_climb(puzzle, climb)
        codes.append(ExitCode.FOUND_WANTING if grading.grade is None else ExitCode.OK)
        told = [step.text for step in tell_climb(puzzle, climb)] if steps else []
        write(_json_line(number, grading, told) if as_json else _lines(grading, told))
    raise typer.Exit(worst(codes))


def hint(file: PuzzleFile) -> None:
    """Print the next step for each board, drawn in part or not at all.

    The ascii form holds half-drawn boards: a line counts where it crosses from one square to the
    next, as solve --form ascii draws it or drawn by hand with - and |, within a frame or over a
    ruled grid. What stands in a square besides its number is not looked at.
    """
    from linkpress.engine.hint import next_step
    from linkpress.engine.proof import strictest_rule

    announce_plain_engine()
    codes = []
    for number, (puzzle, drawn) in enumerate(read_drawing_file(file), 1):
        step = next_step(puzzle, drawn, strictest_rule(puzzle))
        if step is None:
            finished = len({cell for pair in drawn for cell in pair}) == len(puzzle.grid.free_cells)
            say(f"puzzle {number}: " + ("it is solved" if finished else "none of the techniques leads on"))
            codes.append(ExitCode.OK if finished else ExitCode.FOUND_WANTING)
            continue
        codes.append(ExitCode.FOUND_WANTING if step.technique == "mistake" else ExitCode.OK)
        write(f"{step.technique}: {step.text}\n")
    raise typer.Exit(worst(codes))


def _lines(grading: Grading, told: list[str]) -> str:
    if grading.grade is None:
        head = "ungraded"
    else:
        used = ", ".join(f"{name} {count}" for name, count in grading.techniques.items())
        head = f"{grading.grade.label} {grading.score} ({used})"
    return "\n".join([head, *(f"{at:>4}. {text}" for at, text in enumerate(told, 1))]) + "\n"


def _json_line(number: int, grading: Grading, told: list[str]) -> str:
    record: dict[str, object] = {
        "number": number,
        "grade": grading.grade.label if grading.grade else None,
        "score": grading.score,
        "techniques": dict(grading.techniques),
    }
    if told:
        record["steps"] = told
    return json.dumps(record, ensure_ascii=False) + "\n"
