"""Folders, ledgers and files that may not be written or read, for every command that would.

Permissions don't bind root, so the commands run in one process that has given that right up.
"""

import ctypes
import json
import os
import shutil
import subprocess
import sys

import pytest

from linkpress.app.build import build
from linkpress.production.ledger_session import LedgerChoice

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="gives up rights as Linux has it")

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
FEED = """
id: bound
title: Bound
seed: 4
image: {width_mm: 60, dpi: 72, mode: gray}
week:
  monday: {size: 7x5, paths: 4-6}
"""
NOT_WRITTEN = "can't be written: Permission denied. "
NO_JOURNAL = NOT_WRITTEN + "Nothing was begun. Change the permissions of the file or its folder, or choose "
READ_ONLY = "-shm is read-only. Change their permissions, give another place with --ledger "
OPEN = "can't be opened: it is a folder, or it or its folder may not be read or written. "

# command, exit code, what it says; {} is the folder of the test
CASES = {
    "build": ("build {}/b.yaml -o {}/shut --no-ledger", 5, NO_JOURNAL),
    "build deeper": ("build {}/b.yaml -o {}/shut/new/folders --no-ledger", 5, NO_JOURNAL),
    "build over a book": ("build {}/b.yaml -o {}/books --no-ledger", 5, NO_JOURNAL),
    "build --log": ("build {}/b.yaml -o {}/new --no-ledger --log {}/shut/log", 5, NOT_WRITTEN),
    "typeset": ("typeset {}/books/bound -o {}/shut", 5, NOT_WRITTEN),
    "typeset in place": ("typeset {}/books/bound -o {}/books/bound", 5, NOT_WRITTEN),
    "typeset --set screen=yes": ("typeset {}/books/bound --set screen=yes -o {}/shut/new", 5, NOT_WRITTEN),
    "play": (
        "play {}/books/bound -o {}/away",
        5,
        "away/play.html: Permission denied. Change the permissions",
    ),
    "preview": ("preview {}/b.yaml -o {}/shut/a.png", 5, NOT_WRITTEN),
    "preview of a book": ("preview {}/books/bound -o {}/shut/a.png", 5, NOT_WRITTEN),
    "export": ("export {}/books/bound --width 60mm -o {}/shut", 5, NOT_WRITTEN),
    "feed": ("feed {}/f.yaml --from 2026-12-07 -o {}/shut --no-ledger", 5, NO_JOURNAL),
    "init": ("init {}/shut/b.yaml", 5, NOT_WRITTEN),
    "ledger export": ("ledger export -o {}/shut/x --ledger {}/read/ledger", 5, NOT_WRITTEN),
    "build, ledger": ("build {}/b.yaml -o {}/new --ledger {}/read/ledger", 5, READ_ONLY),
    "feed, ledger": ("feed {}/f.yaml --from 2026-12-07 -o {}/new --ledger {}/read/ledger", 5, READ_ONLY),
    "ledger forget": ("ledger forget bound --ledger {}/read/ledger", 5, READ_ONLY),
    "ledger import": ("ledger import {}/export --ledger {}/read/ledger", 5, READ_ONLY),
    "new ledger": ("build {}/b.yaml -o {}/new --ledger {}/shut/ledger", 5, OPEN),
    "new ledger deeper": ("build {}/b.yaml -o {}/new --ledger {}/shut/a/b", 5, "can't be opened: Permiss"),
    "ledger list": ("ledger list --ledger {}/read/ledger", 0, ""),
    "ledger export to see": ("ledger export --ledger {}/read/ledger", 0, ""),
    "draft": ("build {}/b.yaml -o {}/draft --draft --ledger {}/read/ledger", 0, "2 puzzles on "),
    "closed ledger": ("build {}/b.yaml -o {}/new --ledger {}/sealed", 5, OPEN),
    "closed ledger, list": ("ledger list --ledger {}/sealed", 5, OPEN),
    "closed ledger, draft": ("build {}/b.yaml -o {}/new --draft --ledger {}/sealed", 5, OPEN),
    "folder as ledger": ("build {}/b.yaml -o {}/new --ledger {}/books", 5, "it is a folder. "),
    "folder as ledger, list": ("ledger list --ledger {}/books", 5, "it is a folder. "),
    "closed spec": ("build {}/closed -o {}/new", 2, "Permission denied"),
    "closed feed": ("feed {}/closed --from 2026-12-07 -o {}/new", 2, "Permission denied"),
    "closed puzzles": ("prove {}/closed", 4, "can't be read: Permission denied"),
    "closed puzzles, export": ("export {}/closed -o {}/new", 4, "can't be read: Permission denied"),
    "closed import": ("ledger import {}/closed --ledger {}/fresh", 4, "Permission denied"),
    "closed PDF": ("preflight {}/closed --printer generic", 2, "Permission denied"),
    "closed book": ("typeset {}/away/book", 4, "Permission denied"),
    "closed book, verify": ("verify {}/away/book", 4, "Permission denied"),
}


def give_up_rights():
    libc = ctypes.CDLL(None)
    for right in _RIGHTS:
        libc.prctl(_DROP, right, 0, 0, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Books and feeds to make; ``shut`` and ``read`` may not be written, ``closed`` and ``away`` not read."""
    folder = tmp_path_factory.mktemp("bound")
    (folder / "b.yaml").write_text(SPEC)
    (folder / "f.yaml").write_text(FEED)
    for name in ("shut", "read", "away"):
        (folder / name).mkdir()
    built = build(folder / "b.yaml", folder / "books", 1, ledger=LedgerChoice(folder / "read" / "ledger"))
    (folder / "export").write_text('{"format":"linkpress-ledger","format_version":1}\n')
    (folder / "closed").write_text("")
    shutil.copy(folder / "read" / "ledger", folder / "sealed")
    shut = {"shut": 0o555, "read": 0o555, "read/ledger": 0o444, "sealed": 0, "closed": 0, "away": 0}
    for name, mode in shut.items():
        (folder / name).chmod(mode)
    built.folder.chmod(0o555)
    yield folder
    for path in (*(folder / name for name in shut), built.folder):
        path.chmod(0o755)


@pytest.fixture(scope="module")
def outcomes(folder):
    """The exit code and the words of each case."""
    return dict(zip(CASES, without_rights(folder, [case for case, _, _ in CASES.values()]), strict=True))


def without_rights(folder, cases, setting=""):
    """Exit code and words of each command, run in one process after ``setting``."""
    commands = [[word.replace("{}", str(folder)) for word in case.split()] for case in cases]
    first = f"import os; print(os.access({str(folder / 'closed')!r}, os.R_OK)){setting}"
    run = [sys.executable, "-c", first + SCRIPT]
    done = subprocess.run(
        run, input=json.dumps(commands), env=os.environ | {"LINKPRESS_LEDGER": str(folder / "nowhere")},
        cwd=folder, capture_output=True, text=True, check=True, preexec_fn=give_up_rights,
    )  # fmt: skip
    reads_all, *told = done.stdout.splitlines()
    if reads_all == "True":
        pytest.skip("the rights of root can't be given up here")
    return [json.loads(line) for line in told]


@pytest.mark.parametrize("name", CASES)
def test_what_may_not_be_done_is_said_in_a_sentence(outcomes, folder, name):
    _, code, words = CASES[name]
    ended, said = outcomes[name]
    assert (ended, words in said) == (code, True), said
    if code:
        assert said.count("\n") == 1
        assert str(folder) in said


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
from linkpress.studio.spec_file import Change, SpecFile
try:
    spec = SpecFile(Path({str(folder / "locked.yaml")!r}), BookSpec, read_spec)
    spec.change(Change("set", ("title",), "Other"))
except OutputError as refusal:
    print('"', refusal, '"')
"""
    (said,) = without_rights(folder, [], change)
    assert "locked.yaml is read-only" in said
    assert (folder / "locked.yaml").read_text() == SPEC


def test_nothing_is_left_behind(outcomes, folder):
    assert list((folder / "shut").iterdir()) == []
    assert [path.name for path in (folder / "read").iterdir()] == ["ledger"]
    assert not (folder / "new").exists()
    book = {path.name for path in (folder / "books" / "bound").iterdir()}
    assert book == {"interior.pdf", "report.txt", "volume.json"}
