"""The kernels say what they said when these results were recorded, compiled and as plain Python.

``conformance/judged.jsonl``: boards with the verdicts under all rules (method, conflicts spent,
hashes of the drawings) and, by rule, the climb (outcome, what each round found, hash of all findings and
edges), grade, and for small boards score and a hash of the steps; by the strict rule only where a board is
strict. Sentences are not held to what they were: their own tests do that.
``conformance/made.jsonl``: orders with what one attempt at them came to (outcome, paths, work, conflicts,
hash of the cover, and the rng's next roll).

Where results are meant to change, record them anew: ``python tests/engine/test_conformance.py``. Where
scores change with the search, ``MEASURE`` gets another name.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest

from linkpress.engine import kernels
from linkpress.engine.explain.steps import explain_climb
from linkpress.engine.grade import grade_climb, score_of
from linkpress.engine.kernels import rng_from
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.make.cover import Order, make_cover
from linkpress.engine.proof import prove
from linkpress.engine.recipe import Pattern, Recipe, Rule, Span
from linkpress.puzzle.notations import read_puzzles

RECORDS = Path(__file__).parent / "conformance"
CONFLICTS = 40_000  # allowed to each proof
LARGEST_SCORED = 25  # squares: a score is eight proofs, and proofs are recorded of all boards
LARGEST_CLIMBED = 225  # squares, by the filled rule: on one of 20 × 20 it takes as long as all else together
LARGEST_EXPLAINED = 49  # squares of the boards whose steps are recorded


def records(name):
    """Return the recorded rows of a file.

    Plain Python and the sanitizers are slow, so they get one small row of each kind: of each size and
    verdicts, or of each rule, outcome and settings. ``LINKPRESS_RECORDS=sample`` asks for that sample.
    """
    lines = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    if not (kernels.WHY_PLAIN or os.environ.get("LINKPRESS_RECORDS") == "sample"):
        return rows
    small = (row for row in rows if row["size"][0] * row["size"][1] <= LARGEST_EXPLAINED)
    return list({kind_of(row): row for row in small}.values())


def kind_of(row):
    if "ended" in row:
        return row["rule"], row["ended"][0], *row["knobs"]
    return *row["size"], *(row[rule.value][0] for rule in Rule)


def digest(thing):
    return hashlib.sha256(repr(thing).encode()).hexdigest()[:12]


def puzzle_of(row):
    rows, cols = row["size"]
    words = row["board"].split()
    lines = [" ".join(words[at : at + cols]) for at in range(0, rows * cols, cols)]
    return read_puzzles("\n".join([f"{cols} {rows}", *lines]) + "\n")[0]


def proof_words(puzzle, rule):
    proof = prove(puzzle, rule, CONFLICTS)
    drawings = [digest(sorted(found.edges)) if found else "" for found in (proof.solution, proof.witness)]
    return [proof.verdict.value, proof.method, proof.spent, *drawings]


def solve_words(puzzle, rule):
    climb = climb_ladder(position_of(puzzle, rule))
    rounds = " ".join(f"{made.technique.name}:{made.findings}" for made in climb.rounds)
    words = [climb.outcome.name.lower(), rounds, digest((climb.log, climb.position.edges()))]
    grading = grade_climb(puzzle, climb)
    is_scored = grading.technique is not None and puzzle.grid.size <= LARGEST_SCORED
    words.append(grading.technique.label if grading.technique else None)
    words.append(score_of(puzzle, rule) if is_scored else None)
    if puzzle.grid.size <= LARGEST_EXPLAINED:
        steps = explain_climb(puzzle, climb)
        words.append(digest([(step.technique, step.cells, step.drawn, step.ruled_out) for step in steps]))
    return words


def judged(puzzle):
    proofs = {rule.value: proof_words(puzzle, rule) for rule in Rule}
    rules = [rule for rule in Rule if rule is not Rule.FILLED and proofs[rule.value][0] == "unique"]
    rules += [Rule.FILLED] if puzzle.grid.size <= LARGEST_CLIMBED else []
    return proofs | {f"{rule.value} solve": solve_words(puzzle, rule) for rule in rules}


@pytest.mark.parametrize("row", records("judged"), ids=lambda row: "x".join(map(str, row["size"])))
def test_a_board_is_judged_as_recorded(row):
    assert judged(puzzle_of(row)) == {key: row[key] for key in row if key not in ("size", "board")}


KNOBS = {
    "pattern": Pattern, "longest_share": float, "border_share": float, "adjacent_pairs": "True".__eq__,
    "shortest_path": int,
}  # fmt: skip


def made(row):
    rows, cols = row["size"]
    pairs, solids = row["pairs"], row["solids"]
    knobs = {name: KNOBS[name](value) for name, value in row["knobs"].items()}
    recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), Rule(row["rule"]), **knobs)
    rng = rng_from(row["seed"])
    attempt = make_cover(Order(recipe, pairs, solids), rng, row["limit"])
    cover = digest(attempt.cover.paths if attempt.cover else None)
    ended = [attempt.outcome.name.lower(), attempt.paths, attempt.work, attempt.conflicts, cover]
    return [*ended, rng.below(1 << 62)]


@pytest.mark.parametrize("row", records("made"), ids=lambda row: "x".join(map(str, row["size"])))
def test_an_attempt_ends_as_recorded(row):
    assert made(row) == row["ended"]


def record():
    """Write down what the engine says today of the boards and orders recorded."""
    boards = [
        {"size": row["size"], "board": row["board"]} | judged(puzzle_of(row)) for row in records("judged")
    ]
    orders = [row | {"ended": made(row)} for row in records("made")]
    for name, rows in (("judged", boards), ("made", orders)):
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (RECORDS / f"{name}.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    record()
