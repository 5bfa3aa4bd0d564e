"""Open our files and addresses in the puzz.link player, run in node."""

import json
from pathlib import Path

import pytest

import boards
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Rule
from linkpress.puzzle.puzzle import Solution
from linkpress.puzzle.pzpr import parse_url, puzzle_file, puzzle_url
from node_runs import node_package, run_node

pytestmark = pytest.mark.browser  # needs node
REPLAY = Path(__file__).with_name("replay.cjs")


@pytest.fixture(scope="module")
def judged():
    """Return a function that gives the player's verdict and its own address for each file or address.

    The verdict is ``right`` or the code of a mistake.
    """
    node_package("pzpr")

    def judge(*texts):
        return json.loads(run_node(REPLAY, list(texts)))

    return judge


@pytest.fixture(scope="module")
def solutions():
    """Return solutions of made puzzles, and one with a path that runs alongside itself."""
    made = [
        generate(Recipe(rows, cols, rule=rule), f"players/{rows}/{cols}").solution
        for rows, cols, rule in ((5, 7, Rule.STRICT), (9, 9, Rule.FILLED), (12, 10, Rule.FILLED))
    ]
    bare = boards.puzzle_of("5 3\n1 . . . .\n. . . . .\n. . . . 1\n")
    edges = {(c, c + 1) for c in (0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13)} | {(4, 9), (5, 10)}
    return [*made, Solution.from_edges(bare, edges)]


@pytest.mark.parametrize("filled", [True, False])
def test_our_answers_are_accepted(judged, solutions, filled):
    found = judged(*(puzzle_file(one.puzzle, one.edges, filled=filled) for one in solutions))
    assert [verdict for verdict, _ in found] == ["right"] * len(solutions)
    assert [parse_url(url) for _, url in found] == [one.puzzle for one in solutions]


@pytest.mark.parametrize("filled", [True, False])
def test_an_answer_with_a_step_left_out_is_refused(judged, solutions, filled):
    broken = []
    for one in solutions:
        lines = puzzle_file(one.puzzle, one.edges, filled=filled).splitlines()
        at = next(n for n, line in enumerate(lines) if n > len(lines) / 2 and "1 " in line)
        lines[at] = lines[at].replace("1 ", "0 ", 1)
        broken.append("\n".join(lines))
    assert {verdict for verdict, _ in judged(*broken)} <= {
        "lcDeadEnd",
        "lnDeadEnd",
        "lcIsolate",
        "nmNoLine",
        "ceNoLine",
    }


def test_a_drawing_that_leaves_squares_empty_is_right_for_numlin_alone(judged):
    board = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n2 . . 2\n")
    lazy = Solution.from_edges(board, {(c, c + 1) for c in (0, 1, 2, 8, 9, 10)})
    (as_numlin, _), (as_arukone, _) = judged(
        puzzle_file(lazy.puzzle, lazy.edges), puzzle_file(lazy.puzzle, lazy.edges, filled=True)
    )
    assert as_numlin == "right"
    assert as_arukone != "right"


def test_our_addresses_open_the_same_board(judged, solutions):
    for filled in (True, False):
        addresses = [puzzle_url(one.puzzle, filled=filled).partition("?")[2] for one in solutions]
        found = judged(*addresses)
        assert [url for _, url in found] == addresses
        assert {verdict for verdict, _ in found} == {"brNoLine"}
        assert [
            url for _, url in judged(*(puzzle_file(one.puzzle, filled=filled) for one in solutions))
        ] == addresses
