"""Standard streams that are closed, full, or whose reader has left: run as processes of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

import boards
from linkpress.cli.streams import write
from linkpress.puzzle.notation.link_text import puzzle_text

LINKPRESS = f"'{sys.executable}' -m linkpress"


def ends_with(command):
    """Exit code and diagnostics of a shell command."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", ["schema", "--help"])
def test_a_reader_that_has_left_is_no_fault(words):
    assert ends_with(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}") == (0, "")


def test_export_draws_every_image_though_nobody_reads_their_names(tmp_path):
    board = tmp_path / "board.txt"
    board.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle), "utf-8")
    words = f"export '{board}' -o '{tmp_path}/images' --png --svg --dpi 100"
    code, said = ends_with(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}")
    assert (code, said.split(",")[0]) == (0, "4 files")
    assert len(list((tmp_path / "images").iterdir())) == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", ["schema", "--help"])
def test_a_full_disk_behind_stdout_is_an_output_that_cannot_be_written(words):
    code, said = ends_with(f"{LINKPRESS} {words} > /dev/full")
    assert code == 5
    assert said.startswith("linkpress: standard output")
    assert said.count("\n") == 1


def test_a_closed_stdout_is_an_output_that_cannot_be_written():
    code, said = ends_with(f"{LINKPRESS} schema >&-")
    assert (code, said.count("\n")) == (5, 1)


def test_a_file_name_that_is_no_utf8_is_told_as_it_is(capfdbinary):
    write("no\udcfce/interior.pdf\n")
    assert capfdbinary.readouterr().out == b"no\xfce/interior.pdf\n"


@pytest.mark.parametrize("words", ["prove -", "ledger import - --ledger '{}/ledger'"])
def test_a_closed_stdin_is_an_unreadable_puzzle_file(words, tmp_path):
    code, said = ends_with(f"{LINKPRESS} {words.format(tmp_path)} <&-")
    assert code == 4
    assert said.startswith("linkpress: standard input can't be read: it is closed.")


def test_with_a_closed_stderr_diagnostics_stay_out_of_the_results(tmp_path):
    results = tmp_path / "results.txt"
    code, _ = ends_with(f"{LINKPRESS} prove '{tmp_path}/none.txt' 2>&- > '{results}'")
    assert (code, results.read_text(encoding="utf-8")) == (4, "")
