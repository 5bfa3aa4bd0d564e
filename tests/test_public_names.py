"""What ``import linkpress`` offers a script."""

import inspect
import os
import subprocess
import sys

import pytest

import linkpress
from linkpress import errors


@pytest.mark.parametrize("name", linkpress.__all__)
def test_every_public_name_is_there(name):
    assert getattr(linkpress, name).__module__.startswith("linkpress.")


def test_the_words_that_public_calls_take_are_public():
    assert {"ImageFormat", "ImageKind", "LedgerChoice", "Method", "Notation", "PixelMode"} <= set(
        linkpress.__all__
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Built", "BuiltBook"), ("Fed", "FeedResult"), ("Form", "Notation"), ("Format", "ImageFormat"),
        ("Made", "MadePuzzle"), ("Mode", "PixelMode"), ("Run", "FeedDates"), ("What", "ImageKind"),
    ],
)  # fmt: skip
def test_a_name_that_changed_is_still_there_and_its_warning_names_the_new_one(old, new):
    with pytest.warns(DeprecationWarning, match=rf"linkpress\.{old} is called linkpress\.{new} now"):
        assert getattr(linkpress, old) is getattr(linkpress, new)
    assert old not in linkpress.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = linkpress.nothing


def printed(code, **how):
    """What a script prints in a new process."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, capture_output=True, text=True, check=True, **how).stdout


def test_neither_the_package_nor_its_help_loads_the_engine():
    code = (
        "import sys, linkpress.cli.app, linkpress.cli.main\n"
        "linkpress.cli.main.run(['--help'])\n"
        "heavy = {'linkpress.engine.kernels', 'pysat', 'reportlab', 'PIL', 'pikepdf', 'pydantic'}\n"
        "heavy &= set(sys.modules)\n"
        "print('heavy', sorted(heavy))\n"
    )
    assert "heavy []" in printed(code)


@pytest.mark.parametrize("words", [["grade", "board.txt"], ["generate", "--size", "5"], ["ledger", "list"]])
def test_what_reads_no_spec_loads_no_words(words, tmp_path):
    (tmp_path / "board.txt").write_text("3 3\n1 . 1\n2 . 2\n3 . 3\n")
    (tmp_path / "ledger").touch()
    code = (
        f"import sys\nfrom linkpress.cli.main import run\nprint(int(run({words})))\n"
        "print({'linkpress.book.spec', 'linkpress.words.language', 'yaml'} & set(sys.modules))\n"
    )
    environment = os.environ | {"LINKPRESS_LEDGER": "ledger"}
    assert printed(code, cwd=tmp_path, env=environment).endswith("0\nset()\n")


def test_what_opens_no_ledger_loads_no_database(tmp_path):
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Small\nseed: 5\nlevels: [{name: One, count: 1, size: 5x7, paths: 5}]\n")
    build = ["build", str(spec), "-o", str(tmp_path), "--jobs", "1", "--no-ledger"]
    code = (
        "import sys\nfrom linkpress.cli.main import run\n"
        f"print([run(words) for words in ({build}, ['check', {str(spec)!r}])])\n"
        "print({'sqlite3', 'psycopg'} & set(sys.modules))\n"
    )
    said = printed(code)
    assert said.endswith("set()\n")
    assert "[<ExitCode.OK: 0>, <ExitCode.OK: 0>]" in said


def test_each_kind_of_error_has_its_documented_exit_code():
    kinds = {
        name: int(kind.exit_code)
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.LinkpressError)
    }
    assert kinds == {
        "LinkpressError": 2, "UsageError": 2, "SpecError": 2, "LayoutError": 2, "RecipeError": 3,
        "GradeError": 3, "PuzzleError": 4, "OutputError": 5, "GaveUpError": 6, "ClusterError": 6,
        "InstallationError": 70, "StoppedError": 130, "CheckFailedError": 1,
    }  # fmt: skip
