"""The names that ``import linkpress`` offers to scripts."""

import inspect
import os
import subprocess
import sys

import pytest

import linkpress
from linkpress import errors


def test_every_public_name_exists():
    for name in linkpress.__all__:
        assert getattr(linkpress, name).__module__.startswith("linkpress."), name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = linkpress.nothing


def test_a_guessed_name_is_an_error_that_gives_the_right_one():
    with pytest.raises(AttributeError, match=r"no attribute 'load_book'\. Use linkpress\.load_spec"):
        _ = linkpress.load_book


def output(code, **settings):
    """Return what a script prints in a new process."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, capture_output=True, text=True, check=True, **settings).stdout


def test_neither_the_package_nor_its_help_loads_the_engine():
    code = (
        "import sys, linkpress.cli.app\n"
        "linkpress.cli.app.run(['--help'])\n"
        "heavy = {'linkpress.engine.kernels', 'pysat', 'reportlab', 'PIL', 'pikepdf', 'pydantic'}\n"
        "print('heavy', sorted(heavy & set(sys.modules)))\n"
    )
    assert "heavy []" in output(code)


@pytest.mark.parametrize("words", [["grade", "board.txt"], ["generate", "--size", "5"], ["ledger", "list"]])
def test_commands_without_a_spec_load_no_words(words, tmp_path):
    (tmp_path / "board.txt").write_text("3 3\n1 . 1\n2 . 2\n3 . 3\n")
    (tmp_path / "ledger").touch()
    code = (
        f"import sys\nfrom linkpress.cli.app import run\nprint(int(run({words})))\n"
        "print({'linkpress.book.spec', 'linkpress.words', 'yaml'} & set(sys.modules))\n"
    )
    environment = os.environ | {"LINKPRESS_LEDGER": "ledger"}
    assert output(code, cwd=tmp_path, env=environment).endswith("0\nset()\n")


def test_commands_without_a_ledger_load_no_database(tmp_path):
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Small\nseed: 5\nlevels: [{name: One, count: 1, size: 5x7, paths: 5}]\n")
    build = ["build", str(spec), "-o", str(tmp_path), "--jobs", "1", "--no-ledger"]
    code = (
        "import sys\nfrom linkpress.cli.app import run\n"
        f"codes = [int(run(words)) for words in ({build}, ['check', {str(spec)!r}])]\n"
        "print(codes, {'sqlite3', 'psycopg'} & set(sys.modules))\n"
    )
    assert output(code).endswith("[0, 0] set()\n")


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
