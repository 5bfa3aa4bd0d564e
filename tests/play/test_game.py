"""The player's rules and hints in node, against what linkpress itself says."""

import json
import random
import subprocess
from pathlib import Path

import pytest
from page_of import SUPPOSED

import boards
from linkpress.engine.explain.phrase_tree import square
from linkpress.engine.explain.telling import Step, explain_climb
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.solve.ladder import climb_ladder, position_of
from linkpress.play.hint_data import UNGRADED_RUNG, hinted_steps, pack_hints, steps_of
from linkpress.play.page import board_text, spoken_words
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.rules import check_drawing
from linkpress.words.languages import load_words
from node_runs import NODE, WEB, needs_node, run_node

HERE = Path(__file__).parent
ENGLISH = load_words("en")
WIDE_NUMBERS = read_puzzles("5 3\n1 12 . . 3\n. # 3 12 .\n. . . . 1\n")[0]
REASONED = boards.puzzle_of("7 8\n45....6\n...3..4\n.5.....\n.......\n.......\n.1.....\n3.2..6.\n2.1....\n")
PUZZLES = [boards.ARTICLE_PUZZLE, boards.SOLVED_BOARD.puzzle, boards.TOUCHING_BOARD.puzzle, WIDE_NUMBERS]


def as_json(puzzle: Puzzle) -> dict[str, object]:
    grid = puzzle.grid
    return {"rows": grid.rows, "cols": grid.cols, "text": board_text(puzzle)}


def code(puzzle: Puzzle, step: tuple[int, int]) -> int:
    return 2 * step[0] + int(step[1] - step[0] == puzzle.grid.cols)


def drawings(puzzle: Puzzle, count: int) -> list[list[tuple[int, int]]]:
    """Drawings from nearly empty to crowded, the same every time."""
    rng = random.Random(f"{puzzle}")
    return [
        sorted(rng.sample(puzzle.grid.edges, rng.randrange(len(puzzle.grid.edges)))) for _ in range(count)
    ]


@needs_node
def test_the_game_s_own_tests():
    done = subprocess.run(
        [str(NODE), "--test", str(HERE / "game.test.mjs")],
        env={"WEB": WEB.as_uri(), "PATH": "", "WORDS": json.dumps(spoken_words(ENGLISH))},
        capture_output=True,
        check=False,
    )
    said = done.stdout.decode()
    assert done.returncode == 0, said
    assert "# fail 0" in said
    assert "# pass 0" not in said


@needs_node
def test_the_page_finds_the_same_breaches_as_linkpress():
    cases, expected = [], []
    for puzzle in PUZZLES:
        for drawn in [*drawings(puzzle, 60), []]:
            cases.append({**as_json(puzzle), "edges": [code(puzzle, step) for step in drawn]})
            expected.append([[one.rule.value, list(one.cells)] for one in check_drawing(puzzle, drawn)])
    for solution in (boards.ARTICLE_SOLUTION, boards.SOLVED_BOARD, boards.TOUCHING_BOARD):
        edges = [code(solution.puzzle, step) for step in solution.edges]
        cases.append({**as_json(solution.puzzle), "edges": edges})
        expected.append([])
    assert json.loads(run_node(HERE / "cases.mjs", cases)) == expected


@pytest.fixture(scope="module")
def unpacked():
    """What the page makes of the packed steps of each puzzle."""
    return unpacked_in(ENGLISH)


def unpacked_in(words):
    told = ((puzzle.grid, steps_of(puzzle, Rule.FILLED, Grade.FIENDISH)) for puzzle in PUZZLES)
    packed = pack_hints(told, words)
    return json.loads(
        run_node(HERE / "hints.mjs", {"boards": [as_json(p) for p in PUZZLES], "hints": packed})
    )


def hinted(puzzle: Puzzle, rule: Rule) -> list[Step]:
    return [step for step, _ in hinted_steps(puzzle, rule)]


def worded(puzzle: Puzzle, step: dict) -> str:
    """A step's text with its gaps filled."""
    values = iter(step["values"])
    parts = step["text"].replace("{n}", "{c}\0").split("{c}")
    text = parts[0]
    for part in parts[1:]:
        value = next(values)
        text += f"{value}{part[1:]}" if part.startswith("\0") else f"{square(puzzle.grid, value).name}{part}"
    return text


@needs_node
def test_steps_come_out_as_they_went_in(unpacked):
    for puzzle, found in zip(PUZZLES, unpacked, strict=True):
        told = hinted(puzzle, Rule.FILLED)
        assert [worded(puzzle, step) for step in found["steps"]] == [
            ENGLISH.steps.text_of(step.sentence) for step in told
        ]
        assert [sorted(step["cells"]) for step in found["steps"]] == [
            sorted(set(step.cells)) for step in told
        ]
        assert [sorted(step["edges"]) for step in found["steps"]] == [codes(puzzle, step) for step in told]


@needs_node
def test_in_an_other_order_of_words_steps_say_the_same_squares_and_settle_the_same_edges(unpacked):
    words = load_words("ja")
    for puzzle, found, english in zip(PUZZLES, unpacked_in(words), unpacked, strict=True):
        told = [words.steps.text_of(step.sentence) for step in hinted(puzzle, Rule.FILLED)]
        assert [worded(puzzle, step) for step in found["steps"]] == told
        for key in ("cells", "edges"):
            assert [sorted(step[key]) for step in found["steps"]] == [
                sorted(step[key]) for step in english["steps"]
            ]


def codes(puzzle: Puzzle, step: Step) -> list[int]:
    return sorted(code(puzzle, one) for one in step.drawn or step.ruled_out)


@needs_node
def test_hints_alone_lead_to_the_solution(unpacked):
    kind, count, breaches = unpacked[PUZZLES.index(boards.SOLVED_BOARD.puzzle)]["played"]
    assert (kind, breaches) == ("done", 0)
    assert count > 3


@needs_node
def test_a_line_that_is_not_part_of_the_solution_is_told(unpacked):
    kind, edge, told = unpacked[PUZZLES.index(boards.SOLVED_BOARD.puzzle)]["mistake"]
    assert (kind, told) == ("mistake", [edge])


def test_only_reasons_that_a_later_step_rests_on_are_kept():
    told = list(explain_climb(REASONED, climb_ladder(position_of(REASONED, Rule.STRICT))))
    kept = hinted_steps(REASONED, Rule.STRICT)
    assert [step.drawn for step, _ in kept].count(()) < [step.drawn for step in told].count(())
    needed = {place for _, reasons in kept for place in reasons}
    assert needed >= {place for place, (step, _) in enumerate(kept) if not step.drawn}


def test_a_joint_hint_has_the_reasons_of_all_its_squares():
    kept = hinted_steps(SUPPOSED, Rule.STRICT)
    joint = [(step, reasons) for step, reasons in kept if reasons and len(step.cells) > 1]
    assert joint
    for step, reasons in joint:
        for place in reasons:
            assert {cell for edge in kept[place][0].ruled_out for cell in edge} & set(step.cells)


@needs_node
def test_a_chain_comes_out_with_the_marks_that_its_links_have():
    told = hinted_steps(SUPPOSED, Rule.STRICT)
    packed = pack_hints([(SUPPOSED.grid, steps_of(SUPPOSED, Rule.STRICT, Grade.FIENDISH))], ENGLISH)
    given = {"boards": [as_json(SUPPOSED)], "hints": packed}
    (found,) = json.loads(run_node(HERE / "hints.mjs", given))
    links = [[[link.mark, list(link.cells), link.number] for link in step.chain] for step, _ in told]
    assert any(links)
    assert [step["links"] for step in found["steps"]] == links
    assert [step["reasons"] for step in found["steps"]] == [list(reasons) for _, reasons in told]


def test_a_board_without_a_grade_is_told_as_far_as_the_easier_techniques_lead():
    record = boards.record_of(boards.ARTICLE_SOLUTION, grade=None)
    told = hinted_steps(record.puzzle, record.rule, UNGRADED_RUNG)
    assert len(steps_of(record.puzzle, record.rule, None)) == len(told)
    rungs = {step.rung for step, _ in told}
    assert 0 < max(rungs) <= UNGRADED_RUNG


def test_the_board_s_text_keeps_neighbouring_numbers_apart():
    assert board_text(WIDE_NUMBERS) == "1,12b3a#3,12e1"
