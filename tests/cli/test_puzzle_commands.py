"""generate, solve and prove, run as a user runs them but in this process."""

import io
import json
import re
import sys

import pytest

from boards import SOLVED_BOARD, TOUCHING_BOARD
from linkpress.cli.app import run
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.production.dispatch import WorkerLost
from linkpress.puzzle import link_text
from linkpress.puzzle.ascii_drawing import draw_lines, draw_solution
from linkpress.puzzle.link_text import puzzle_text
from linkpress.puzzle.notations import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from linkpress.puzzle.rules import check_solution
from linkpress.words import load_words

TWO_ANSWERS = "3 3\n1 . .\n. . .\n. . 1\n"
NO_ANSWER = "3 3\n1 . 2\n. . .\n2 . 1\n"
ONE_ANSWER = "3 3\n1 2 3\n. . .\n1 2 3\n"
ONLY_UNTOUCHING = "4 4\n1 2 . 2\n. . . .\n. 3 1 .\n. . . 3\n"


def test_prove_prints_one_word_for_each_puzzle_and_exits_with_the_worst_code(puzzle_file, streams):
    all_three = puzzle_file(ONE_ANSWER + TWO_ANSWERS + NO_ANSWER)
    assert streams(["prove", all_three], 1).out == "unique\nmultiple\nnone\n"
    puzzles = json.loads(streams(["prove", "--json", all_three], 1).out)["puzzles"]
    verdicts = [(one["puzzle"], one["verdict"]) for one in puzzles]
    assert verdicts == [(1, "unique"), (2, "multiple"), (3, "none")]


def test_prove_and_solve_use_the_rule_of_books_and_name_a_weaker_one(puzzle_file, streams):
    board = "3 3\n1 . 1\n2 2 .\n. . .\n"
    out, err = streams(["prove", puzzle_file(ONE_ANSWER + board)], 1)
    assert out == "unique\nmultiple\n"
    assert err.startswith("puzzle 2: it has one solution only by the rule filled")
    assert streams(["prove", "--rule", "filled", puzzle_file(board)]) == ("unique\n", "")
    assert streams(["solve", puzzle_file(board)]).err.startswith(err.replace("2:", "1:"))
    assert "it has several solutions" in streams(["solve", "--rule", "strict", puzzle_file(board)], 1).err


def test_a_board_with_one_untouching_solution_is_proven_graded_and_solved(puzzle_file, streams):
    name = puzzle_file(ONLY_UNTOUCHING)
    out, said = streams(["prove", name], 1)
    assert (out, "only by the rule untouching" in said) == ("multiple\n", True)
    assert streams(["prove", "--rule", "untouching", name]) == ("unique\n", "")
    out, err = streams(["grade", name])
    assert ("; hardest step: beginner (" in out, err) == (True, said)
    solved = streams(["solve", "--rule", "untouching", name])
    assert solved == ("4 4\n1 2 2 2\n1 3 3 3\n1 3 1 3\n1 1 1 3\n", "")


def test_what_the_search_did_not_decide_is_told_and_the_rule_can_be_given(puzzle_file, streams, monkeypatch):
    """On costly boards the search gives up by the rules strict and filled."""
    name = puzzle_file(ONLY_UNTOUCHING)

    def costly(puzzle, rule, budget=None):
        found = prove(puzzle, rule)
        return found if rule is Rule.UNTOUCHING else found._replace(rule=rule, verdict=Verdict.GAVE_UP)

    monkeypatch.setattr("linkpress.engine.proof.prove", costly)
    for command in ("grade", "hint"):
        err = streams([command, name]).err
        assert "only by the rule" not in err
        assert "by the rule strict or filled could not be decided quickly; choose one with --rule" in err
    assert "could not be decided" not in streams(["hint", "--rule", "untouching", name]).err


def test_prove_reports_a_single_way_that_leaves_squares_empty(puzzle_file, streams):
    one_way = "3 3\n1 . 1\n# # #\n. . .\n"
    out, err = streams(["prove", "--rule", "strict", puzzle_file(NO_ANSWER + one_way)], 1)
    assert out == "none\nnone\n"
    assert err == "puzzle 2: it has no solution: the only way to join all pairs leaves 3 squares empty\n"


def test_a_proof_that_gives_up_decides_the_exit_code(puzzle_file, streams):
    loose = Puzzle.from_numbers(Grid(9, 9), {0: 1, 80: 1, 4: 2, 77: 2})
    name = puzzle_file(f"{puzzle_text(loose)}\n{NO_ANSWER}\n{ONE_ANSWER}")
    out, err = streams(["prove", name, "--rule", "strict", "--budget", "1"], 6)
    assert out == "gave-up\nnone\nunique\n"
    assert " conflicts of the search; allow more with --budget\n" in err
    said = streams(["solve", puzzle_file(puzzle_text(loose)), "--budget", "1"], 6).err
    assert "the search and the techniques; allow more" in said


def test_solve_writes_the_answer_in_the_header_and_rows_of_link_text(puzzle_file, streams):
    assert streams(["solve", puzzle_file(ONE_ANSWER)]).out == "3 3\n1 2 3\n1 2 3\n1 2 3\n"


def test_solve_says_on_stderr_that_a_board_has_several_answers_or_none(puzzle_file, streams):
    out, err = streams(["solve", "--form", "ascii", puzzle_file(TWO_ANSWERS)], 1)
    assert not check_solution(Solution.from_edges(*read_drawings(out)[0]))
    assert "puzzle 1: it has several solutions" in err
    out, err = streams(["solve", puzzle_file(NO_ANSWER)], 1)
    assert out == ""
    assert "puzzle 1: it has no solution" in err


def test_an_answer_that_touches_itself_is_drawn_whatever_the_form(puzzle_file, capfd):
    run(["solve", puzzle_file(puzzle_text(TOUCHING_BOARD.puzzle))])
    out, err = capfd.readouterr()
    assert not check_solution(Solution.from_edges(*read_drawings(out)[0]))
    assert out.startswith("┌")
    assert "drawn as ascii" in err


def test_a_dash_reads_standard_input(monkeypatch, streams):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ONE_ANSWER.encode())))
    assert streams(["prove", "-"]).out == "unique\n"


def test_generate_prints_proven_puzzles_of_the_given_size(puzzle_file, streams):
    arguments = ["generate", "--method", "classic", "--size", "7x5", "--count", "3", "--seed", "4"]
    text = streams(arguments).out
    assert [(p.grid.cols, p.grid.rows) for p in read_puzzles(text)] == [(7, 5)] * 3
    streams(["prove", puzzle_file(text)])
    assert streams(arguments).out == text


def test_generate_without_a_seed_prints_the_seed_that_it_used(streams):
    assert "seed " in streams(["generate", "--method", "classic", "--size", "5"]).err


def test_generate_table_prints_puzzle_and_solution(streams):
    out = streams(["generate", "--method", "classic", "--form", "table", "--seed", "1"]).out
    assert out == link_text.both_tables(prove(read_puzzles(out)[0], Rule.FILLED).solution)


def test_unproven_boards_come_from_classic_alone(streams):
    words = ["generate", "--unproven", "--seed", "2"]
    assert read_puzzles(streams([*words, "--method", "classic", "--size", "9"]).out)[0].grid.rows == 9
    streams(words, 2)


def test_effort_sets_how_long_generate_searches(streams):
    words = ["generate", "--size", "7", "--technique", "fiendish", "--seed", "1"]
    assert run([*words, "--effort", "0.1"]) == 3
    assert run([*words, "--effort", "4"]) == 0
    assert "--effort 0.0: a number from 0.1 to 1000" in streams([*words, "--effort", "0"], 2).err


def test_generate_reads_a_recipe_as_text_or_file_and_options_override_it(tmp_path, streams):
    recipe = "{size: 5x7, paths: 5, unique: filled}"
    (tmp_path / "recipe.yaml").write_text("size: 9\npaths: 5\nunique: filled\n")
    order = ["generate", "--seed", "1", "--count", "2"]
    printed = streams([*order, "--size", "5x7", "--paths", "5", "--rule", "filled"]).out
    assert len(read_puzzles(printed)) == 2
    assert streams([*order, "--recipe", recipe]).out == printed
    assert streams([*order, "--recipe", str(tmp_path / "recipe.yaml"), "--size", "5x7"]).out == printed


def test_the_sizes_of_a_recipe_s_list_take_turns(streams):
    words = ["generate", "--recipe", "{size: [5, 5x7]}", "--count", "3", "--seed", "1"]
    puzzles = read_puzzles(streams(words).out)
    assert [(puzzle.grid.cols, puzzle.grid.rows) for puzzle in puzzles] == [(5, 5), (5, 7), (5, 5)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{sze: 5}"], "--recipe: sze: there is no such key; did you mean `size`?"),
        (["{paths: 9-3}"], "--recipe: paths 9-3: the low end is above the high end"),
        (["{paths: 5}", "--paths", "9-3"], "--paths 9-3: the low end is above the high end"),
        (["{size: 5, otherwise: nearest}"], "--recipe: leave out the key otherwise"),
        (["{size: 5"], "--recipe:1:9"),
        (["{size: 2}"], "--recipe: size 2:"),
        (["{size: [[5]]}", "--size", "2"], "--size 2:"),
        (["no-such-file"], "--recipe no-such-file: there is no such file. Give a file, or keys in braces"),
        (["size: 5" * 1000], "there is no such file. Give a file, or keys in braces"),
        (["{method: classic, paths: 5}", "--unproven"], "Leave out --paths"),
    ],
)
def test_a_problem_of_a_recipe_is_reported_with_its_key(arguments, words, streams):
    assert words in streams(["generate", "--recipe", *arguments], 2).err


def test_generate_reports_each_puzzle_with_verbose_and_log(streams, tmp_path):
    words = ["generate", "--size", "5x7", "--paths", "5", "--count", "2", "--seed", "1"]
    printed, said = streams(words)
    assert said == ""
    again, said = streams([*words, "-v", "--log", str(tmp_path / "log")])
    assert again == printed
    assert said.startswith("made: slot 1, attempt 0, boards_tried ")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    made = [("made", slot, "strict by kernel") for slot in (1, 2)]
    assert [(line["event"], line["slot"], line["proof"]) for line in lines] == made


def test_a_long_search_reports_its_progress(monkeypatch, streams):
    monkeypatch.setattr("linkpress.cli.process._PULSE_S", 0.0)
    said = streams(["generate", "--size", "5x7", "--paths", "4", "--count", "2", "--seed", "1"]).err
    lines = [line for line in said.splitlines() if " begun" in line]
    assert lines[0].startswith("puzzle 1 of 2: 1 board begun, 0 proven")
    assert lines[-1].startswith("puzzle 2 of 2: ")


@pytest.mark.parametrize(
    "option",
    [
        ["--paths", "5"], ["--solids", "1"], ["--technique", "easy"], ["--rule", "strict"],
        ["--shortest-path", "6"], ["--no-adjacent-pairs"], ["--longest-share", "40%"],
        ["--border-share", "50%"], ["--solid-pattern", "mirror"],
    ],
)  # fmt: skip
def test_unproven_refuses_options_that_it_would_ignore(option, streams):
    out, err = streams(["generate", "--unproven", "--method", "classic", "--size", "7", *option], 2)
    assert out == ""
    assert f"Leave out {option[0].replace('--no-', '--')}." in err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["generate", "--solids", "0.05"], 2, "5%"),
        (["prove", "no-such-file"], 4, "no-such-file can't be read"),
        (["prove", ""], 2, "prove: an argument is empty"),
        (["studio", __file__], 2, "this is no YAML file. Give the folder"),
        (["build", "http://example.org/book.yaml"], 2, "this is a web address; download the file"),
    ],
)
def test_a_wrong_argument_is_reported_on_one_line(arguments, code, words, streams):
    out, err = streams(arguments, code)
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("text", "kind"), [("%PDF-1.7\n", "a PDF"), ('{"puzzles": []}\n', "JSON")])
def test_a_file_of_another_kind_is_named_in_place_of_its_first_line(text, kind, puzzle_file, streams):
    err = streams(["hint", puzzle_file(text)], 4).err
    assert f"this is {kind}; puzzles are read from plain text files" in err


@pytest.mark.parametrize("text", ["", "3 3\n1 . .\n. . .\n. . 2\n"])
def test_a_malformed_puzzle_file_exits_with_four(text, puzzle_file, streams):
    out, err = streams(["prove", puzzle_file(text)], 4)
    assert out == ""
    assert "puzzles.txt" in err


def test_a_puzzle_whose_workers_are_lost_is_named(monkeypatch, streams):
    def lose(*call):
        raise WorkerLost("the machine is gone", 2)

    monkeypatch.setattr("linkpress.production.dispatch.call_each", lose)
    said = streams(["generate", "--size", "5", "--seed", "1"], 6).err
    assert "puzzle 3 can't be made: its worker was lost again and again; the machine" in said


def test_a_board_is_graded_by_the_given_rule(puzzle_file, streams):
    board = puzzle_file("5 5\n2 . . . .\n. 3 4 . .\n. . 2 . .\n1 4 . . .\n. . . 1 3\n")
    rules = [([], "beginner"), (["--rule", "filled"], "easy"), (["--rule", "strict"], "beginner")]
    for rule, technique in rules:
        assert f"; hardest step: {technique} (" in streams(["grade", *rule, board]).out


def test_grade_steps_prints_the_solve_in_numbered_sentences(puzzle_file, streams):
    lines = streams(["grade", "--steps", puzzle_file(puzzle_text(SOLVED_BOARD.puzzle))]).out.splitlines()
    assert re.match(r"easy \d+/100 overall; hardest step: beginner \(score \d+; exits ", lines[0])
    assert lines[1].startswith("   1. ")
    assert any("A1" in line for line in lines[1:])


def test_grade_steps_first_prints_the_rules_that_the_steps_rely_on(puzzle_file, streams):
    name = puzzle_file(ONLY_UNTOUCHING)
    _, rule, first, *_ = streams(["grade", "--steps", "--rule", "untouching", name]).out.splitlines()
    assert rule.startswith("      A line may never double back alongside itself: ")
    assert first.startswith("   1. ")


def test_grade_steps_first_prints_the_lessons_of_the_techniques_that_a_board_needs(puzzle_file, streams):
    board = (
        "8 8\n5 . . . . . 1 8\n. . 4 8 . . . .\n. 1 . . . . . 9\n. . . 5 3 7 . .\n. . . . . . 4 .\n"
        "3 . . . 6 . 2 .\n. . 7 . . . . .\n6 2 . . . . . 9\n"
    )
    lines = streams(["grade", "--steps", puzzle_file(board)]).out.splitlines()
    techniques = load_words("en").techniques
    assert [line.strip() for line in lines[2:4]] == [techniques[name].lesson for name in ("corner", "gap")]
    assert lines[4].startswith("   1. ")


def test_links_of_a_chain_have_numbers_only_beside_pictures(puzzle_file, tmp_path, streams):
    text = (
        "8 8\n. . . . . . 4 2\n. 1 2 . . . . .\n. . . . . . . .\n. 5 . . . . 5 .\n. . . . . . . .\n"
        ". . 3 4 . . . .\n3 1 . . . . 7 6\n6 . . . . . . 7\n"
    )
    steps = ["grade", "--steps", puzzle_file(text)]
    assert "[" not in streams(steps).out
    assert (
        " [1 C6–C5, 2 B7–C7, 3 A6–B6]\n" in streams([*steps, "--pictures", str(tmp_path / "steps.svg")]).out
    )


def test_links_that_a_sentence_leaves_out_are_told_in_words(puzzle_file, streams):
    text = (
        "10 10\n. . . . . . . . . 2\n. 4 . . . . . . . .\n. . . . 2 . . . . .\n5 . . . . . . 3 . .\n"
        ". . . . . . . 1 . .\n. . 3 . . . . . . .\n. . 6 . . . . . . 6\n. . . . . 5 . . . .\n"
        ". . . . . . . . 4 .\n1 . . . . . . . . .\n"
    )
    said = "D7–E7 is out: otherwise, sooner or later, the 5 would double back at A6 and B6 [forced: D8–C8"
    assert said in streams(["grade", "--steps", puzzle_file(text)]).out


def test_grade_steps_draws_pictures(puzzle_file, tmp_path, streams):
    path = tmp_path / "steps.svg"
    text = puzzle_text(SOLVED_BOARD.puzzle)
    out, err = streams(["grade", "--steps", "--pictures", str(path), puzzle_file(text)])
    last = out.splitlines()[-1].split(". ", 1)
    assert f"puzzle-1-step-{last[0].strip()}" in path.read_text(encoding="utf-8")
    assert str(path) in err


def test_steps_and_hints_are_printed_in_the_given_language(puzzle_file, streams):
    board = puzzle_file(puzzle_text(SOLVED_BOARD.puzzle))
    headline, first, *_ = streams(["grade", "--steps", "--language", "de", board]).out.splitlines()
    assert headline.startswith("Leicht ")
    assert "erzwungen: " in first
    drawn = puzzle_file(draw_lines(SOLVED_BOARD.puzzle, set()))
    said = streams(["hint", "--language", "ja", drawn]).out
    assert said == "exits: A1の出口は二つだけなので両方使う：右と下\n"
    assert "Give --steps too" in streams(["grade", "--language", "de", board], 2).err


@pytest.mark.parametrize(
    ("options", "code", "advice"),
    [
        (["--pictures", "steps.svg"], 2, "--steps"),
        (["--steps", "--pictures", "steps.pdf"], 2, ".svg"),
        (["--steps", "--pictures", "."], 2, ".png"),
        (["--steps", "--pictures", "steps.svg", "--language", "ja"], 2, "with --font"),
        (["--steps", "--pictures", "steps.svg", "--font", "gone.ttf"], 2, "there is no file gone.ttf"),
        (["--steps", "--pictures", "steps.svg", "--font", "file"], 2, "--font: file can't be used"),
        (["--steps", "--font", "file"], 2, "--pictures"),
        (["--steps", "--pictures", "file/steps.svg"], 5, "can't be written"),
    ],
)
def test_pictures_that_can_not_be_drawn_are_refused_before_any_work(
    puzzle_file, tmp_path, monkeypatch, streams, options, code, advice
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    before = sorted(tmp_path.iterdir())
    text = puzzle_file(puzzle_text(SOLVED_BOARD.puzzle))
    out, err = streams(["grade", *options, text], code)
    assert out == ""
    assert advice in err
    assert [one for one in sorted(tmp_path.iterdir()) if one.name != text.split("/")[-1]] == before


@pytest.mark.parametrize("command", [["grade", "--steps"], ["grade"], ["hint"], ["init"]])
def test_an_empty_language_is_refused(tmp_path, monkeypatch, streams, command):
    monkeypatch.chdir(tmp_path)
    said = " ".join(streams([*command, "--language", "", "file.txt"], 2).err.replace("│", " ").split())
    assert "'--language': it is empty. Give a language, or leave the option out." in said
    assert not (tmp_path / "file.txt").exists()


def test_grade_json_is_one_object_a_line(puzzle_file, streams):
    printed = streams(["grade", "--json", puzzle_file(puzzle_text(SOLVED_BOARD.puzzle) * 2)]).out
    records = [json.loads(line) for line in printed.splitlines()]
    assert [r["number"] for r in records] == [1, 2]
    assert records[0]["technique"] == records[1]["technique"]


@pytest.mark.parametrize(
    ("options", "board", "said"),
    [
        ([], TWO_ANSWERS, "it has several solutions, so no reasoning can finish it"),
        ([], "3 3\n1 # .\n. # .\n1 # .\n", "it has no solution"),
        (["--rule", "strict"], ONLY_UNTOUCHING, "multiple under strict"),
        # no way out of a square that takes two, and a line that closes into a ring
        (["--steps"], "9 3\n. . 6 2 . . . 4 5\n. 6 . . 1 . . 3 .\n. 4 2 . . 3 . 1 5\n", "it has no solution"),
        (["--steps"], "3 6\n. . 1\n. 1 .\n" + 4 * ". . .\n", "it has no solution"),
    ],
)
def test_a_board_with_several_fillings_or_none_is_ungraded(puzzle_file, streams, options, board, said):
    assert streams(["grade", *options, puzzle_file(board)], 1) == ("ungraded\n", f"puzzle 1: {said}\n")


def test_a_square_with_two_exits_is_explained_once(puzzle_file, streams):
    board = (
        "10 10\n. 6 . . . . 8 . . .\n. 2 . # 7 . . 2 7 .\n. . . . . . . . . .\n. . . . . . . . . .\n"
        ". 5 . . . . 8 3 . .\n. . . . . . . . 6 .\n. . . . . # 4 . . 3\n. 9 . . . . . # . .\n"
        ". # 1 . 5 9 . . 1 .\n. . . . . . 4 . . .\n"
    )
    assert "forced: C10–A10–A8\n" in streams(["grade", "--steps", puzzle_file(board)]).out


def test_hint_prints_a_step_or_that_the_board_is_solved(puzzle_file, streams):
    some = frozenset(sorted(SOLVED_BOARD.edges)[::2])
    said = "exits: the line at A1 can only go down\n"
    assert streams(["hint", puzzle_file(draw_lines(SOLVED_BOARD.puzzle, some))]).out == said
    assert ": " in streams(["hint", puzzle_file(puzzle_text(SOLVED_BOARD.puzzle))]).out
    out, err = streams(["hint", puzzle_file(draw_solution(SOLVED_BOARD))])
    assert (out, "solved" in err) == ("", True)


def test_hint_says_what_is_wrong_in_a_drawing(puzzle_file, streams):
    puzzle, right = SOLVED_BOARD.puzzle, SOLVED_BOARD.edges
    wrong = next(e for e in puzzle.grid.edges if e not in right and not set(e) & set(puzzle.number_at))
    drawn = puzzle_file(draw_lines(puzzle, frozenset({wrong})))
    assert streams(["hint", drawn], 1).out.startswith("mistake: ")
