"""The benchmark beside other programs: its judge, limits and sets, and stand-ins for programs that err."""

import hashlib
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given

import linkpress
from benchmarks.peers import by_size
from benchmarks.peers.__main__ import MARKS, TITLES, main
from benchmarks.peers.adapters import records
from benchmarks.peers.generators import Size
from benchmarks.peers.judge import Verdict, is_filling, judge
from benchmarks.peers.limits import Ending, Limits, run
from benchmarks.peers.runs import ENOUGH, make, solve
from benchmarks.peers.sets import PUBLIC, SetError, board, fetched, own
from benchmarks.peers.solvers import SOLVERS
from engine.brute_force import drawings
from linkpress.engine.recipe import Rule, Span
from strategies import puzzles

ONE = board(["A.A", "B.B", "C.C"])
NONE = board(["A.B", "B.A", "..."])
SEVERAL = board(["A..", "...", "..A"])


def touches_itself(puzzle, paths):
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
    assert outcome.at[0] < 1 <= outcome.seconds


def test_the_time_of_a_program_counts_while_it_runs():
    counting = "while :; do i=$((i+1)); [ $((i%5000)) = 0 ] && echo x && echo; done"
    outcome = run(lambda: records(["sh", "-c", counting]), Limits(1))
    assert outcome.at[0] < outcome.seconds / 2 < outcome.at[-1] <= outcome.seconds


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


@pytest.fixture
def small_sizes(monkeypatch):
    monkeypatch.setattr("benchmarks.peers.sets.OWN", ((5, 4), (5, 3)))
    monkeypatch.setattr("benchmarks.peers.__main__.SIZES", (Size(5, Span(4, 4)),))


@pytest.mark.usefixtures("small_sizes")
def test_our_own_set_has_boards_of_every_verdict():
    verdicts = [judge(puzzle, Rule.STRICT) for puzzle in own(12)]
    assert set(verdicts[::2]) == {Verdict.UNIQUE}
    assert set(verdicts[1::2]) == {Verdict.NONE, Verdict.MULTIPLE}


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


def stand_in(tmp_path, line):
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
    assert (solved.unsettled, solved.unasked) == (5, 7)


def test_boards_that_nobody_asked_for_and_repeats_are_wrong(tmp_path):
    turns = stand_in(tmp_path, "printf '3 3\\nA.A\\nB.B\\nC.C\\n'")
    made = make("thomasahle", turns, Size(3, Span(3, 4)), Limits(1))
    assert (made.right, made.wrong) == (1, ENOUGH - 1)
    made = make("thomasahle", turns, Size(4, Span(3, 4)), Limits(1))
    assert made.right == 0 < made.wrong
    two = stand_in(tmp_path, "printf '3 3\\n1 . 1\\n2 . 2\\n3 . 3\\n\\n3 3\\n1 . 1\\n2 . 2\\n3 . 3\\n\\n'")
    made = make("penciloid", two, Size(3, Span(3, 3)), Limits(1))
    assert (made.right, made.wrong) == (1, 1)


@pytest.mark.usefixtures("small_sizes")
def test_one_run_prints_one_table_with_its_notes_and_puts_it_into_a_file(tmp_path, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(f"Before.\n{MARKS[0]}as it was\n{MARKS[1]}After.\n")
    words = ["--boards", "2", "--seconds", "1", "--only", "linkpress,imos", "--into", str(readme)]
    main(words)
    printed = capsys.readouterr()
    assert readme.read_text() == f"Before.\n{MARKS[0]}{printed.out}{MARKS[1]}After.\n"
    rows = [line.strip("| ").split(" | ") for line in printed.out.splitlines() if line.startswith("| ")]
    assert rows[0] == list(TITLES)
    assert [row[:3] for row in rows[1:]] == [
        ["our own", "strict", "linkpress"],
        ["making 5 × 5 with 4 pairs", "strict", "linkpress"],
    ]
    assert rows[1][4:7] == ["2", "0", "0"]
    assert f"- Programs: linkpress {linkpress.__version__}" in printed.out
    assert "Left out: imos" in printed.err
    assert "Left out: the set Janko" in printed.err


def test_the_table_by_size_gives_each_ratio_with_its_spread_and_says_who_is_ahead():
    measured = [(49, [1.0, 0.5]), (64, [1.0, 0.5]), (100, [2.0, 8.0]), (225, [1000.0, 3000.0])]
    measured = [("hand-made", *row) for row in measured]
    lines = by_size.table(["linkpress", "other"], measured, 3)
    assert "| hand-made | up to 64 | 2 | 1 | 0.5 | 0.5 (0.5–0.5) |" in lines
    assert "| hand-made | up to 100 | 3 | 1 | 0.5 | 1 (0.5–4) |" in lines
    assert lines[-2:] == [
        "Ahead of linkpress: other on hand-made of up to 64 squares.",
        "Boards open after 3 s, which count as 3 s: linkpress 0, other 1.",
    ]
