"""generate, solve and prove, run as a user runs them but in this process."""

import io
import json
import sys

import pytest

from linkpress.cli.main import run
from linkpress.engine.prove.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.production.dispatch import WorkerLost
from linkpress.puzzle.notation import article_table
from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.notation.reading import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from linkpress.puzzle.rules import check_solution

TWO_ANSWERS = "3 3\n1 . .\n. . .\n. . 1\n"
NO_ANSWER = "3 3\n1 . 2\n. . .\n2 . 1\n"
ONE_ANSWER = "3 3\n1 2 3\n. . .\n1 2 3\n"


def test_prove_says_one_word_a_record_and_exits_with_the_worst(puzzle_file, capfd):
    assert run(["prove", puzzle_file(ONE_ANSWER + TWO_ANSWERS + NO_ANSWER)]) == 1
    assert capfd.readouterr().out == "unique\nmultiple\nnone\n"


def test_prove_says_what_a_filled_board_is_under_strict_where_no_rule_is_asked(puzzle_file, capfd):
    board = "3 3\n1 . 1\n2 2 .\n. . .\n"
    assert run(["prove", puzzle_file(ONE_ANSWER + board)]) == 0
    out, err = capfd.readouterr()
    assert out == "unique\nunique\n"
    assert err == "puzzle 2: multiple under strict, as which generate and books make theirs\n"
    assert run(["prove", "--rule", "filled", puzzle_file(board)]) == 0
    assert capfd.readouterr().err == ""


def test_a_board_of_one_untouching_solution_is_told_so_and_graded_and_solved_by_it(puzzle_file, capfd):
    name = puzzle_file("4 4\n1 2 . 2\n. . . .\n. 3 1 .\n. . . 3\n")
    said = "puzzle 1: unique under untouching alone: a rule has to say that no line runs beside itself\n"
    assert run(["prove", name]) == 1
    assert capfd.readouterr() == ("multiple\n", said)
    assert run(["prove", "--rule", "untouching", name]) == 0
    assert capfd.readouterr() == ("unique\n", "")
    assert run(["grade", name]) == 0
    out, err = capfd.readouterr()
    assert (out.split()[0], err) == ("beginner", said)
    assert run(["solve", "--rule", "untouching", name]) == 0
    assert capfd.readouterr() == ("4 4\n1 2 2 2\n1 3 3 3\n1 3 1 3\n1 1 1 3\n", "")


def test_prove_tells_a_board_that_is_joined_in_one_way_from_one_that_is_not_at_all(puzzle_file, capfd):
    one_way = "3 3\n1 . 1\n# # #\n. . .\n"
    assert run(["prove", "--rule", "strict", puzzle_file(NO_ANSWER + one_way)]) == 1
    out, err = capfd.readouterr()
    assert out == "none\nnone\n"
    assert err == "puzzle 2: it has no solution: the only way to join all pairs leaves 3 squares empty\n"


def test_a_proof_that_gives_up_is_the_worst_of_a_file(puzzle_file, capfd):
    loose = Puzzle.from_numbers(Grid(9, 9), {0: 1, 80: 1, 4: 2, 77: 2})
    name = puzzle_file(f"{puzzle_text(loose)}\n{NO_ANSWER}\n{ONE_ANSWER}")
    assert run(["prove", name, "--rule", "strict", "--budget", "1"]) == 6
    out, err = capfd.readouterr()
    assert out == "gave-up\nnone\nunique\n"
    tried = "the compiled search and python-sat"
    assert f" conflicts of {tried}; allow more with --budget\n" in err
    assert run(["solve", puzzle_file(puzzle_text(loose)), "--budget", "1"]) == 6
    assert "the compiled search, python-sat and the techniques; allow more" in capfd.readouterr().err


def test_solve_writes_the_answer_in_the_header_and_rows_of_link_text(puzzle_file, capfd):
    assert run(["solve", puzzle_file(ONE_ANSWER)]) == 0
    assert capfd.readouterr().out == "3 3\n1 2 3\n1 2 3\n1 2 3\n"


def test_solve_says_on_stderr_that_a_board_has_several_answers(puzzle_file, capfd):
    assert run(["solve", "--form", "ascii", puzzle_file(TWO_ANSWERS)]) == 1
    out, err = capfd.readouterr()
    assert not check_solution(Solution.from_edges(*read_drawings(out)[0]))
    assert "puzzle 1: it has several solutions" in err


def test_solve_prints_nothing_for_a_board_without_answer(puzzle_file, capfd):
    assert run(["solve", puzzle_file(NO_ANSWER)]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "puzzle 1: it has no solution" in err


def test_an_answer_that_touches_itself_is_drawn_whatever_the_form(puzzle_file, capfd, touching_board):
    run(["solve", puzzle_file(puzzle_text(touching_board.puzzle))])
    out, err = capfd.readouterr()
    assert not check_solution(Solution.from_edges(*read_drawings(out)[0]))
    assert out.startswith("┌")
    assert "drawn as ascii" in err


def test_a_dash_reads_standard_input(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ONE_ANSWER.encode())))
    assert run(["prove", "-"]) == 0
    assert capfd.readouterr().out == "unique\n"


def test_generate_prints_proven_puzzles_of_the_size_asked_for(puzzle_file, capfd):
    arguments = ["generate", "--method", "classic", "--size", "7x5", "--count", "3", "--seed", "4"]
    assert run(arguments) == 0
    text = capfd.readouterr().out
    assert [(p.grid.cols, p.grid.rows) for p in read_puzzles(text)] == [(7, 5)] * 3
    assert run(["prove", puzzle_file(text)]) == 0
    capfd.readouterr()
    assert run(arguments) == 0
    assert capfd.readouterr().out == text


def test_generate_without_a_seed_says_which_it_took(capfd):
    assert run(["generate", "--method", "classic", "--size", "5"]) == 0
    assert "seed " in capfd.readouterr().err


def test_generate_table_prints_puzzle_and_solution(capfd):
    assert run(["generate", "--method", "classic", "--form", "table", "--seed", "1"]) == 0
    out = capfd.readouterr().out
    assert out == article_table.both_tables(prove(read_puzzles(out)[0], Rule.FILLED).solution)


def test_unproven_boards_come_from_classic_alone(capfd):
    assert run(["generate", "--unproven", "--method", "classic", "--size", "9", "--seed", "2"]) == 0
    assert read_puzzles(capfd.readouterr().out)[0].grid.rows == 9
    assert run(["generate", "--unproven", "--seed", "2"]) == 2


def test_generate_searches_as_long_as_it_is_told(capfd):
    words = ["generate", "--size", "7", "--grade", "fiendish", "--seed", "1"]
    assert run([*words, "--effort", "0.1"]) == 3
    assert run([*words, "--effort", "4"]) == 0
    assert run([*words, "--effort", "0"]) == 2
    assert "--effort 0.0: a number from 0.1 to 1000" in capfd.readouterr().err


def test_generate_takes_the_keys_of_a_level_as_text_or_file_and_options_go_before_them(tmp_path, capfd):
    recipe = "{size: 5x7, paths: 5, unique: filled}"
    (tmp_path / "recipe.yaml").write_text("size: 9\npaths: 5\nunique: filled\n")
    order = ["generate", "--seed", "1", "--count", "2"]
    assert run([*order, "--size", "5x7", "--paths", "5", "--rule", "filled"]) == 0
    printed = capfd.readouterr().out
    assert len(read_puzzles(printed)) == 2
    assert run([*order, "--recipe", recipe]) == 0
    assert capfd.readouterr().out == printed
    assert run([*order, "--recipe", str(tmp_path / "recipe.yaml"), "--size", "5x7"]) == 0
    assert capfd.readouterr().out == printed


def test_the_sizes_of_a_recipe_s_list_take_turns(capfd):
    assert run(["generate", "--recipe", "{size: [5, 5x7]}", "--count", "3", "--seed", "1"]) == 0
    puzzles = read_puzzles(capfd.readouterr().out)
    assert [(puzzle.grid.cols, puzzle.grid.rows) for puzzle in puzzles] == [(5, 5), (5, 7), (5, 5)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{sze: 5}"], "--recipe: sze: there is no such key; did you mean `size`?"),
        (["{paths: 9-3}"], "--recipe: paths 9-3: the low end is above the high end"),
        (["{paths: 5}", "--paths", "9-3"], "--paths 9-3: the low end is above the high end"),
        (["{size: 5, otherwise: nearest}"], "--recipe: otherwise is for books"),
        (["{size: 5"], "--recipe:1:9"),
        (["{size: 2}"], "--recipe: size 2:"),
        (["{size: [[5]]}", "--size", "2"], "--size 2:"),
        (["no-such-file"], "--recipe no-such-file: there is no such file. Keys are written in braces"),
        (["size: 5" * 1000], "there is no such file. Keys are written in braces"),
        (["{method: classic, paths: 5}", "--unproven"], "leave out --paths"),
    ],
)
def test_a_fault_of_a_recipe_is_told_by_its_key(arguments, words, capfd):
    assert run(["generate", "--recipe", *arguments]) == 2
    assert words in capfd.readouterr().err


def test_generate_tells_each_puzzle_when_asked(capfd, tmp_path):
    words = ["generate", "--size", "5x7", "--paths", "5", "--count", "2", "--seed", "1"]
    assert run(words) == 0
    printed, said = capfd.readouterr()
    assert said == ""
    assert run([*words, "-v", "--log", str(tmp_path / "log")]) == 0
    again, said = capfd.readouterr()
    assert again == printed
    assert said.startswith("made: slot 1, attempt 0, boards_tried ")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(line["event"], line["slot"], line["proof"]) for line in lines] == [
        ("made", 1, "strict by kernel"),
        ("made", 2, "strict by kernel"),
    ]


def test_a_long_search_says_how_far_it_is(monkeypatch, capfd):
    monkeypatch.setattr("linkpress.cli.streams._LINE_EVERY_S", 0.0)
    assert run(["generate", "--size", "5x7", "--paths", "4", "--count", "2", "--seed", "1"]) == 0
    lines = [line for line in capfd.readouterr().err.splitlines() if " begun" in line]
    assert lines[0].startswith("puzzle 1 of 2: 1 board begun, 0 proven")
    assert lines[-1].startswith("puzzle 2 of 2: ")


@pytest.mark.parametrize(
    "option",
    [
        ["--paths", "5"],
        ["--solids", "1"],
        ["--grade", "easy"],
        ["--rule", "strict"],
        ["--shortest-path", "6"],
        ["--no-adjacent-pairs"],
        ["--longest-share", "40%"],
        ["--border-share", "50%"],
        ["--solid-pattern", "mirror"],
    ],
)
def test_unproven_refuses_what_boards_that_grow_ignore(option, capfd):
    assert run(["generate", "--unproven", "--method", "classic", "--size", "7", *option]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert f"leave out {option[0].replace('--no-', '--')}." in err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["generate", "--paths", "9-3"], 2, "--paths 9-3: the low end is above the high end"),
        (["generate", "--size", "2"], 2, "--size 2"),
        (["generate", "--solids", "0.05"], 2, "5%"),
        (["prove", "no-such-file"], 4, "no-such-file can't be read"),
    ],
)
def test_a_wrong_word_is_answered_on_one_line(arguments, code, words, capfd):
    assert run(arguments) == code
    out, err = capfd.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "3 3\n1 . .\n. . .\n. . 2\n"])
def test_a_malformed_puzzle_file_exits_with_four(text, puzzle_file, capfd):
    assert run(["prove", puzzle_file(text)]) == 4
    out, err = capfd.readouterr()
    assert out == ""
    assert "puzzles.txt" in err


def test_a_puzzle_whose_workers_are_lost_is_named(monkeypatch, capfd):
    def lose(*call):
        raise WorkerLost("the machine is gone", 2)

    monkeypatch.setattr("linkpress.production.dispatch.call_each", lose)
    assert run(["generate", "--size", "5", "--seed", "1"]) == 6
    assert (
        "puzzle 3 can't be made: its worker was lost again and again; the machine" in capfd.readouterr().err
    )
