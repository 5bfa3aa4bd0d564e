"""Folders, ledgers and files that may not be read or written.

Root may read and write all files, so the commands run in a process that has given up this right.
"""

import ctypes
import json
import os
import subprocess
import sys

import pytest

from linkpress.app.build import build
from linkpress.production.ledger_session import LedgerChoice

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="gives up rights in the way of Linux")

_DROP = 24  # PR_CAPBSET_DROP
_RIGHTS = (1, 2, 3)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
SCRIPT = """
import contextlib, io, json, sys
from linkpress.cli.app import run
for words in json.load(sys.stdin):
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    print(json.dumps([code, err.getvalue()]))
"""
SPEC = """
title: Bound
seed: 5
levels:
  - {name: Small, count: 2, size: 7x5, paths: 4-6}
"""
# Each case: the command, its exit code, and words of its message. {} is the folder of the test.
CASES = {
    "build": ("build {}/b.yaml -o {}/shut --no-ledger", 5, "Nothing was begun. Change the permissions"),
    "build over a book": ("build {}/b.yaml -o {}/books --no-ledger", 5, "Nothing was begun."),
    "build, log": (
        "build {}/b.yaml -o {}/new --no-ledger --log {}/shut/log",
        5,
        "can't be written: Permission",
    ),
    "typeset": ("typeset {}/books/bound -o {}/shut", 5, "can't be written: Permission denied"),
    "build, ledger": ("build {}/b.yaml -o {}/new --ledger {}/read/ledger", 5, "is read-only. Change their"),
    "new ledger": (
        "build {}/b.yaml -o {}/new --ledger {}/shut/ledger",
        5,
        "can't be opened: it is a folder, or",
    ),
    "folder as ledger": ("ledger list --ledger {}/books", 5, "it is a folder. "),
    "read-only ledger": ("ledger list --ledger {}/read/ledger", 0, ""),
    "draft": ("build {}/b.yaml -o {}/draft --draft --ledger {}/read/ledger", 0, "2 puzzles on "),
    "closed spec": ("build {}/closed -o {}/new", 2, "Permission denied"),
    "closed puzzles": ("prove {}/closed", 4, "can't be read: Permission denied"),
    "closed book": ("verify {}/away/book", 4, "Permission denied"),
}


def give_up_rights():
    libc = ctypes.CDLL(None)
    for right in _RIGHTS:
        libc.prctl(_DROP, right, 0, 0, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder where ``shut`` and ``read`` may not be written, and ``closed`` and ``away`` not read."""
    folder = tmp_path_factory.mktemp("bound")
    (folder / "b.yaml").write_text(SPEC)
    for name in ("shut", "read", "away"):
        (folder / name).mkdir()
    built = build(folder / "b.yaml", folder / "books", 1, ledger=LedgerChoice(folder / "read" / "ledger"))
    (folder / "closed").write_text("")
    shut = {"shut": 0o555, "read": 0o555, "read/ledger": 0o444, "closed": 0, "away": 0}
    for name, mode in shut.items():
        (folder / name).chmod(mode)
    built.folder.chmod(0o555)
    yield folder
    for path in (*(folder / name for name in shut), built.folder):
        path.chmod(0o755)


@pytest.fixture(scope="module")
def outcomes(folder):
    """The exit code and messages of each case."""
    return dict(zip(CASES, without_rights(folder, [case for case, _, _ in CASES.values()]), strict=True))


def without_rights(folder, cases, setting=""):
    """Run commands in one process, after the code in ``setting``; return their exit codes and messages."""
    commands = [[word.replace("{}", str(folder)) for word in case.split()] for case in cases]
    first = f"import os; print(os.access({str(folder / 'closed')!r}, os.R_OK)){setting}"
    run = [sys.executable, "-c", first + SCRIPT]
    done = subprocess.run(
        run, input=json.dumps(commands), env=os.environ | {"LINKPRESS_LEDGER": str(folder / "nowhere")},
        cwd=folder, capture_output=True, text=True, check=True, preexec_fn=give_up_rights,
    )  # fmt: skip
    reads_all, *lines = done.stdout.splitlines()
    if reads_all == "True":
        pytest.skip("the rights of root can't be given up here")
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", CASES)
def test_a_missing_permission_is_reported_in_one_sentence(outcomes, folder, name):
    _, code, words = CASES[name]
    actual_code, message = outcomes[name]
    assert (actual_code, words in message) == (code, True), message
    if code:
        assert message.count("\n") == 1
        assert str(folder) in message


def test_a_font_that_may_not_be_read_is_named_and_nothing_is_written(folder):
    shipped = f"""
from pathlib import Path
from linkpress.render import fonts
fonts.resource = lambda *parts: Path({str(folder / "closed")!r})
"""
    commands = ["typeset {}/books/bound -o {}/new", "export {}/books/bound --width 60mm -o {}/new"]
    for code, said in without_rights(folder, commands, shipped):
        assert code == 70
        assert f"the font {folder / 'closed'} can't be used: Permission denied. " in said
        assert said.count("\n") == 1
    assert not (folder / "new").exists()


def test_a_read_only_spec_is_not_changed_in_the_studio(folder):
    (folder / "locked.yaml").write_text(SPEC)
    (folder / "locked.yaml").chmod(0o444)
    change = f"""
from pathlib import Path
from linkpress.book.spec import BookSpec, read_spec
from linkpress.errors import OutputError
from linkpress.studio.spec_files import Change, SpecFile
try:
    spec = SpecFile(Path({str(folder / "locked.yaml")!r}), BookSpec, read_spec, Path("last-good.yaml"))
    spec.change(Change("set", ("title",), "Other"))
except OutputError as error:
    print('"', error, '"')
"""
    (said,) = without_rights(folder, [], change)
    assert "locked.yaml is read-only" in said
    assert (folder / "locked.yaml").read_text() == SPEC


def test_nothing_is_left_behind(outcomes, folder):
    assert list((folder / "shut").iterdir()) == []
    assert [path.name for path in (folder / "read").iterdir()] == ["ledger"]
    assert not (folder / "new").exists()
    book = {path.name for path in (folder / "books" / "bound").iterdir()}
    assert book == {"interior.pdf", "pages.json", "report.txt", "volume.json"}
