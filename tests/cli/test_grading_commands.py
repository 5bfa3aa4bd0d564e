"""grade and hint, as a user runs them."""

import json
import re

import pytest

from linkpress.cli.main import run
from linkpress.puzzle.notation.ascii_drawing import draw_lines, draw_solution
from linkpress.puzzle.notation.link_text import puzzle_text

TWO_ANSWERS = "3 3\n1 . .\n. . .\n. . 1\n"

SHARED_CORNER = """\
10 10
. 6 . . . . 8 . . .
. 2 . # 7 . . 2 7 .
. . . . . . . . . .
. . . . . . . . . .
. 5 . . . . 8 3 . .
. . . . . . . . 6 .
. . . . . # 4 . . 3
. 9 . . . . . # . .
. # 1 . 5 9 . . 1 .
. . . . . . 4 . . .
"""


def test_grade_prints_grade_score_and_techniques(puzzle_file, solved_board, capfd):
    assert run(["grade", puzzle_file(puzzle_text(solved_board.puzzle))]) == 0
    line = capfd.readouterr().out
    assert line.split()[0] == "beginner"
    assert line.split()[1].isdigit()
    assert "exits" in line


def test_grade_steps_tells_the_solve_in_numbered_sentences(puzzle_file, solved_board, capfd):
    assert run(["grade", "--steps", puzzle_file(puzzle_text(solved_board.puzzle))]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert re.match(r"beginner \d+ \(\d of 5 stars; exits ", lines[0])
    assert lines[1].startswith("   1. ")
    assert any("A1" in line for line in lines[1:])


def test_grade_steps_draws_pictures(puzzle_file, solved_board, tmp_path, capfd):
    path = tmp_path / "steps.svg"
    text = puzzle_text(solved_board.puzzle)
    assert run(["grade", "--steps", "--pictures", str(path), puzzle_file(text)]) == 0
    out, err = capfd.readouterr()
    last = out.splitlines()[-1].split(". ", 1)
    assert f"puzzle-1-step-{last[0].strip()}" in path.read_text(encoding="utf-8")
    assert str(path) in err


def test_steps_and_hints_are_told_in_the_language_asked_for(puzzle_file, solved_board, capfd):
    board = puzzle_file(puzzle_text(solved_board.puzzle))
    assert run(["grade", "--steps", "--language", "de", board]) == 0
    headline, first, *_ = capfd.readouterr().out.splitlines()
    assert headline.startswith("Einsteiger ")
    assert "jedes Mal bleibt ein Ausgang: " in first
    assert run(["hint", "--language", "ja", puzzle_file(draw_lines(solved_board.puzzle, set()))]) == 0
    assert capfd.readouterr().out == "exits: A1の出口は二つだけなので両方使う：右と下\n"
    assert run(["grade", "--language", "de", board]) == 2
    assert "with --steps" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "advice"),
    [
        (["--pictures", "steps.svg"], 2, "--steps"),
        (["--steps", "--pictures", "steps.pdf"], 2, ".svg"),
        (["--steps", "--pictures", "."], 2, ".png"),
        (["--steps", "--pictures", "steps.svg", "--language", "ja"], 2, "--language"),
        (["--steps", "--pictures", "file/steps.svg"], 5, "can't be written"),
    ],
)
def test_pictures_that_can_not_be_drawn_are_refused_before_any_work(
    puzzle_file, solved_board, tmp_path, monkeypatch, capfd, options, code, advice
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    before = sorted(tmp_path.iterdir())
    text = puzzle_file(puzzle_text(solved_board.puzzle))
    assert run(["grade", *options, text]) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert advice in err
    assert [one for one in sorted(tmp_path.iterdir()) if one.name != text.split("/")[-1]] == before


@pytest.mark.parametrize("command", [["grade", "--steps"], ["grade"], ["hint"], ["init"]])
def test_an_empty_language_is_refused(tmp_path, monkeypatch, capfd, command):
    monkeypatch.chdir(tmp_path)
    assert run([*command, "--language", "", "file.txt"]) == 2
    said = " ".join(capfd.readouterr().err.replace("│", " ").split())
    assert "'--language': it is empty. Give a language, or leave the option out." in said
    assert not (tmp_path / "file.txt").exists()


def test_grade_json_is_one_object_a_line(puzzle_file, solved_board, capfd):
    assert run(["grade", "--json", puzzle_file(puzzle_text(solved_board.puzzle) * 2)]) == 0
    records = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [r["number"] for r in records] == [1, 2]
    assert records[0]["grade"] == records[1]["grade"]


def test_a_board_with_several_fillings_is_ungraded(puzzle_file, capfd):
    assert run(["grade", puzzle_file(TWO_ANSWERS)]) == 1
    out, err = capfd.readouterr()
    assert out == "ungraded\n"
    assert err == "puzzle 1: it has several solutions, so no reasoning can finish it\n"


def test_a_board_without_a_solution_is_ungraded(puzzle_file, capfd):
    assert run(["grade", puzzle_file("3 3\n1 # .\n. # .\n1 # .\n")]) == 1
    out, err = capfd.readouterr()
    assert (out, err) == ("ungraded\n", "puzzle 1: it has no solution\n")


def test_a_square_that_takes_both_its_ways_is_told_once(puzzle_file, capfd):
    assert run(["grade", "--steps", puzzle_file(SHARED_CORNER)]) == 0
    assert "one way out each: C10–A10–A8\n" in capfd.readouterr().out


def test_hint_gives_a_step_that_the_solution_has(puzzle_file, solved_board, capfd):
    some = frozenset(sorted(solved_board.edges)[::2])
    assert run(["hint", puzzle_file(draw_lines(solved_board.puzzle, some))]) == 0
    assert capfd.readouterr().out == "exits: the line runs A1–A4, the only way out each time\n"


def test_hint_says_what_is_wrong_in_a_drawing(puzzle_file, solved_board, capfd):
    puzzle = solved_board.puzzle
    wrong = next(
        e for e in puzzle.grid.edges if e not in solved_board.edges and not set(e) & set(puzzle.number_at)
    )
    assert run(["hint", puzzle_file(draw_lines(puzzle, frozenset({wrong})))]) == 1
    assert capfd.readouterr().out.startswith("mistake: ")


def test_hint_on_a_solved_board_says_so(puzzle_file, solved_board, capfd):
    assert run(["hint", puzzle_file(draw_solution(solved_board))]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "solved" in err


def test_hint_takes_a_puzzle_in_any_notation(puzzle_file, solved_board, capfd):
    assert run(["hint", puzzle_file(puzzle_text(solved_board.puzzle))]) == 0
    assert ": " in capfd.readouterr().out
