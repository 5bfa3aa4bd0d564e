"""The benchmark beside other programs: its judge, limits and sets, and stand-ins for programs that err."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given

from benchmarks.peers.__main__ import main
from benchmarks.peers.adapters import Peer
from benchmarks.peers.judge import Rule, Verdict, is_filling, judge
from benchmarks.peers.limits import Ending, Limits, run
from benchmarks.peers.runs import make, solve
from benchmarks.peers.sets import PUBLIC, SetError, board, fetched, own, sample
from benchmarks.peers.solvers import SOLVERS
from engine.drawing_count import drawings
from linkpress.puzzle.puzzle import Puzzle
from strategies import puzzles

ONE = board(["A.A", "B.B", "C.C"])
NONE = board(["A.B", "B.A", "..."])
SEVERAL = board(["A..", "...", "..A"])


def touches_itself(puzzle: Puzzle, paths: tuple[tuple[int, ...], ...]) -> bool:
    return any(
        abs(path.index(other) - path.index(cell)) != 1
        for path in paths
        for cell in path
        for other in puzzle.grid.neighbours[cell]
        if other in path
    )


@given(puzzles(max_side=4))
def test_the_judge_counts_as_walking_every_path_does(puzzle):
    free = len(puzzle.grid.free_cells)
    counted = {rule: [] for rule in Rule}
    for paths in drawings(puzzle):
        whole = sum(map(len, paths)) == free
        counted[Rule.STRICT].append(whole)
        if whole:
            counted[Rule.FILLED].append(whole)
            marks = {cell: n for n, path in enumerate(paths) for cell in path}
            untouching = not touches_itself(puzzle, paths)
            assert is_filling(puzzle, [marks.get(cell) for cell in range(puzzle.grid.size)]) is untouching
            if untouching:
                counted[Rule.UNTOUCHING].append(whole)
    for rule, wholes in counted.items():
        said = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(2, len(wholes))]
        assert judge(puzzle, rule) is (Verdict.GAPPED if wholes == [False] else said)


def test_marks_that_break_a_path_are_no_filling():
    assert is_filling(ONE, "AAABBBCCC")
    assert not is_filling(ONE, "AAABBBCC.")
    assert not is_filling(board(["A...", "..A.", "B..B"]), "AAAABBABBBAA")


def test_work_past_its_limit_is_ended_and_what_it_had_is_kept():
    def busy():
        yield "first"
        for _ in count():
            pass

    outcome = run(busy, Limits(1))
    assert (outcome.items, outcome.ending) == (["first"], Ending.LIMIT)
    assert outcome.seconds >= 1


def test_work_that_fails_says_why():
    outcome = run(lambda: [1 // 0], Limits(1))
    assert (outcome.ending, outcome.fault.partition(":")[0]) == (Ending.FAILED, "ZeroDivisionError")


def test_work_gets_no_more_memory_than_its_limit():
    assert run(lambda: [bytes(2000 << 20)], Limits(5, megabytes=1000)).fault.startswith("MemoryError")


def test_a_set_of_another_hash_is_refused(tmp_path):
    public = replace(PUBLIC[0], folder="checkout", files="*.txt", boards=2)
    assert fetched(public, tmp_path) is None
    text = "# two boards\n3 3\nA.A\nB.B\nC.C\n\n3 3\nA..\n...\n..A\n0 0\n"
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "some.txt").write_text(text)
    with pytest.raises(SetError, match=r"has the SHA-256 .* not .* check out commit ba9d670"):
        fetched(public, tmp_path)
    public = replace(public, sha256=hashlib.sha256(text.encode()).hexdigest())
    assert fetched(public, tmp_path) == [ONE, SEVERAL]
    with pytest.raises(SetError, match="2 boards, not 3"):
        fetched(replace(public, boards=3), tmp_path)


def test_our_own_set_has_boards_of_every_verdict():
    verdicts = [judge(puzzle, Rule.STRICT) for puzzle in own(5, 4, 12)]
    assert set(verdicts[::2]) == {Verdict.UNIQUE}
    assert set(verdicts[1::2]) == {Verdict.NONE, Verdict.MULTIPLE}


def test_a_sample_is_spread_over_the_set():
    assert sample(list(range(10)), 4) == [0, 2, 5, 7]
    assert sample([1, 2], 4) == [1, 2]


JUDGED = [(ONE, Verdict.UNIQUE), (NONE, Verdict.NONE), (SEVERAL, Verdict.MULTIPLE)]


@pytest.mark.parametrize(
    "solver", [one for one in SOLVERS if not one.peer.program], ids=lambda one: one.peer.name
)
def test_each_library_that_is_here_is_right(solver):
    if solver.peer.missing(None):
        pytest.skip(solver.peer.missing(None))
    rule = solver.rules[0]
    judged = [(puzzle, judge(puzzle, rule)) for puzzle, _ in JUDGED]
    solved = solve(solver.peer.name, None, judged, rule, Limits(10))
    assert (solved.right, solved.wrong, solved.unsettled) == (3, 0, 0)


def stand_in(tmp_path: Path, line: str) -> Path:
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("name", "rule", "line", "counts"),
    [
        ("ddnumlin", Rule.STRICT, "echo '  #solution = 1' >&2", (1, 2, 0)),
        ("imos", Rule.STRICT, "echo '# of solutions: 1.7e+20'", (1, 2, 0)),
        ("numlin_v2", Rule.STRICT, "echo nothing of use", (0, 0, 3)),
        ("numlin_v2", Rule.STRICT, "kill -6 $$", (0, 0, 3)),
        ("thomasahle", Rule.UNTOUCHING, "echo IMPOSSIBLE", (1, 2, 0)),
        ("thomasahle", Rule.UNTOUCHING, 'printf \'3 3\\n!!!\\n"""\\n###\\n\'', (1, 2, 0)),
        ("flow_solver", Rule.UNTOUCHING, "echo search unsolvable after 0 seconds", (1, 2, 0)),
    ],
)
def test_a_program_is_held_to_what_it_says(tmp_path, name, rule, line, counts):
    solved = solve(name, stand_in(tmp_path, line), JUDGED, rule, Limits(2))
    assert (solved.right, solved.wrong, solved.unsettled) == counts


def test_a_solver_that_never_answers_is_asked_no_more(tmp_path):
    ended_by_the_limit = stand_in(tmp_path, "kill -XCPU $$")
    solved = solve("numlin_v2", ended_by_the_limit, JUDGED * 4, Rule.STRICT, Limits(1))
    assert (solved.boards, solved.unsettled) == (12, 5)


def test_our_own_generator_makes_what_it_promises():
    made = make("linkpress", None, 5, 4, Limits(1))
    assert made.count > 10
    assert 0 < made.strict <= made.filled <= 1
    assert made.grades.total() > 0


def test_the_script_prints_a_table_and_names_who_is_missing(capsys):
    main(["--boards", "2", "--limit", "2", "--seconds", "0", "--only", "linkpress,imos"])
    printed = capsys.readouterr()
    rows = [line.split(" | ") for line in printed.out.splitlines() if "linkpress" in line]
    assert len(rows) == 4  # two of our own sets by two rules
    assert {tuple(row[4:8]) for row in rows} == {("2", "2", "0", "0")}
    assert "Left out: imos" in printed.err
    assert "Left out: the set Janko" in printed.err


def test_a_package_that_is_not_there_is_named():
    peer = Peer("ours", "example.org", "MIT", package="nowhere", module="nowhere.generator")
    assert peer.missing(None) == "ours (MIT, example.org): pip install nowhere"


def test_an_unknown_program_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--program", "chess=/bin/true"])
    assert "write NAME=PATH, with one of the names" in capsys.readouterr().err
