"""The benchmarks beside other programs, with shell scripts in the place of the programs."""

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("limits of processor time are those of POSIX", allow_module_level=True)

from benchmarks.peers import making, proving
from benchmarks.peers.making import Size, judge, make_by_penciloid, make_by_thomasahle, row_of
from benchmarks.peers.programs import board_of_signs, run, signs_of_board
from linkpress.engine.proof import Verdict
from linkpress.engine.recipe import Span

UNIQUE = board_of_signs(["A.A", "B.B", "C.C"])
SEVERAL = board_of_signs(["A..", "...", "..A"])
NONE = board_of_signs(["A.B", "B.A", "..."])


def script(tmp_path, line):
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


def test_a_program_is_stopped_at_the_limit_and_its_output_is_read(tmp_path):
    done = run([script(tmp_path, "ulimit -t; kill -XCPU $$")], limit_s=7)
    assert (done.printed, done.ended) == ("7\n", False)


def test_a_program_that_crashes_is_an_error(tmp_path):
    with pytest.raises(ChildProcessError, match="ended with -6"):
        run([script(tmp_path, "kill -6 $$")], limit_s=1)


@pytest.mark.parametrize(
    ("puzzle", "verdict"), [(UNIQUE, Verdict.UNIQUE), (SEVERAL, Verdict.MULTIPLE), (NONE, Verdict.NONE)]
)
def test_boards_are_judged(puzzle, verdict):
    assert judge(puzzle) is verdict


def test_boards_of_another_size_and_repeats_are_wrong():
    size = Size(3, Span(3, 3))
    boards = [UNIQUE, UNIQUE, SEVERAL, board_of_signs(["A.A.", "B.B.", "C.C.", "D..D"])]
    assert row_of(size, "program", boards, 0.5) == ["3 × 3 with 3 pairs", "program", "2", "1", "3", "0"]


def test_boards_of_penciloid_and_thomasahle_are_read(tmp_path):
    size = Size(3, Span(3, 3))
    path = script(tmp_path, "printf '3 3\\n1 . 1\\n2 . 2\\n3 . 3\\n\\n3 3\\n1 . .\\n. . .\\n. . 1\\n\\n'")
    assert make_by_penciloid(size, 1, path)[0] == [UNIQUE, SEVERAL]
    path = script(tmp_path, "printf '3 3\\nA.A\\nB.B\\nC.C\\n'")
    boards, used_s = make_by_thomasahle(size, 0.01, path)
    assert set(boards) == {UNIQUE}
    assert used_s >= 0.01
    assert board_of_signs(signs_of_board(UNIQUE).split()[2:]) == UNIQUE


def test_the_table_of_makers_is_printed_and_put_into_a_page(tmp_path, monkeypatch, capsys):
    lines = board_of_signs([f"{sign}...{sign}" for sign in "ABCDE"])
    monkeypatch.setattr(making, "SIZES", (Size(5, Span(5, 5)),))
    monkeypatch.setattr(
        making, "make_by_linkpress", lambda *_, graded=False: ([lines], 2.0 if graded else 1.0)
    )
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- benchmark -->\nold\n<!-- end of benchmark -->\nAfter.\n")
    making.main(["--into", str(page)])
    printed = capsys.readouterr()
    assert "| 5 × 5 with 5 pairs | linkpress plain, quick | 1 | 1 | 0 | 0 |" in printed.out
    assert "| 5 × 5 with 5 pairs | linkpress default | 0.5 | 1 | 0 | 0 |" in printed.out
    assert page.read_text() == (
        f"Before.\n<!-- benchmark -->\n{printed.out}<!-- end of benchmark -->\nAfter.\n"
    )
    assert "Left out: penciloid" in printed.err


def test_claims_about_makers_come_from_the_table():
    rows = [[size, name, rate] for size, name, rate in (
        ("7 × 7", "linkpress default", "1,000"), ("7 × 7", "penciloid", "100"),
        ("9 × 9", "linkpress default", "8"), ("9 × 9", "penciloid", "4"),
        ("15 × 15", "linkpress default", "2"), ("15 × 15", "penciloid", "0"),
    )]  # fmt: skip
    assert making.claims(rows) == [
        "Right boards a second ÷ those of penciloid: linkpress default 2 to 10.",
        "penciloid made no right board of 15 × 15.",
    ]


def test_thomasahles_time_is_without_the_start_of_the_program(tmp_path):
    solver = proving.Thomasahle(script(tmp_path, "cat >/dev/null"), 1)
    assert solver.ask(UNIQUE) < proving.ONCE_MS


def test_the_table_by_size_gives_each_ratio_with_its_spread_and_names_who_is_faster():
    times = [(49, [1.0, 0.5]), (64, [1.0, 0.5]), (100, [2.0, 8.0]), (225, [1000.0, 3000.0])]
    lines = proving.table(["linkpress", "other"], [("hand-made", *row) for row in times], 3)
    assert "| hand-made | up to 64 | 2 | 1 | 0.5 | 0.5 (0.5–0.5) |" in lines
    assert "| hand-made | up to 100 | 3 | 1 | 0.5 | 1 (0.5–4) |" in lines
    assert lines[-2:] == [
        "Faster than linkpress: other on hand-made of up to 64 squares.",
        "Boards open after 3 s, which count as 3 s: linkpress 0, other 1.",
    ]
