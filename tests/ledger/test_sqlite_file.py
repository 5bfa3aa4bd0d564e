import _thread
import contextlib
import errno
import gc
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from ledger_use import FIRST, SECOND, execute, publish

from boards import SOLVED_BOARD, entry_of, fingerprint_of, made
from linkpress.errors import OutputError, notify_nobody
from linkpress.ledger import database, sqlite_file
from linkpress.ledger.database import VERSION, Holder, Kind
from linkpress.ledger.sqlite_file import APPLICATION_ID, SqliteFile
from linkpress.ledger.store import Ledger


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite3"


def nothing(path):
    pass


def cut_off(path):
    """Leave the ledger like a first build that died before it created the tables."""
    execute(path, "PRAGMA journal_mode = WAL")
    assert path.stat().st_size


@pytest.mark.parametrize("leave", [nothing, Path.touch, cut_off])
def test_a_ledger_is_made_with_our_id_its_version_and_write_ahead_logging(path, leave):
    leave(path)
    with Ledger(path):
        names = "application_id", "user_version", "journal_mode"
        values = [execute(path, f"PRAGMA {name}") for name in names]
    assert values == [[(APPLICATION_ID,)], [(VERSION,)], [("wal",)]]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text on other systems")
def test_a_ledger_may_have_a_name_that_is_no_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"no\xfc.sqlite3")
    with Ledger(path), Ledger(path, writable=False) as again:
        assert again.holdings() == ()


HELD = entry_of(SOLVED_BOARD.puzzle, Holder(Kind.VOLUME, "first"), "1")


def assert_refused(path, why):
    """Assert that opening a ledger fails with this message and leaves the file unchanged."""
    before = path.read_bytes()
    with pytest.raises(OutputError, match=why):
        Ledger(path, timeout_s=0.05)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("mode", "relaxed"), [("WAL", 1), ("DELETE", 2)])
def test_publishing_waits_for_the_disk_and_so_does_reserving_without_a_log(path, mode, relaxed):
    with Ledger(path):
        pass
    execute(path, f"PRAGMA journal_mode = {mode}")
    with Ledger(path) as ledger:
        for write, waits in ((ledger.database.write_relaxed, relaxed), (ledger.database.write, 2)):
            assert write(lambda run: run("PRAGMA synchronous")) == [(waits,)]


def test_another_version_still_in_the_write_ahead_log_is_refused(path):
    with Ledger(path):
        pass
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        assert_refused(path, "newer linkpress")
        connection.execute("PRAGMA user_version = 1")
        assert_refused(path, "older linkpress")


def test_a_database_of_another_program_is_refused(path):
    execute(path, "CREATE TABLE recipes (cake TEXT)")
    assert_refused(path, "another program")


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\0", bytes(5000)])
def test_a_file_that_is_no_database_is_refused(path, content):
    path.write_bytes(content)
    assert_refused(path, "damaged or not a ledger|another program")


def filled(path):
    with Ledger(path) as ledger:
        ledger.add(
            replace(HELD, name=f"volume-{number}", title="A title" * 20, fingerprint=fingerprint_of(number))
            for number in range(200)
        )


def test_a_ledger_cut_short_is_refused_when_it_is_opened_or_read(path):
    filled(path)
    path.write_bytes(path.read_bytes()[:9000])
    before = path.read_bytes()
    with pytest.raises(OutputError, match="damaged"), Ledger(path) as ledger:
        ledger.holdings()
    assert path.read_bytes() == before


def test_damage_inside_is_found_by_a_full_check_and_refused_before_the_first_write(path):
    filled(path)
    with Ledger(path, writable=False) as ledger:
        assert ledger.database.defect() is None
    content = bytearray(path.read_bytes())
    content[-4096:-4000] = bytes(96)  # the header of the last page
    path.write_bytes(content)
    with Ledger(path, writable=False) as ledger:
        assert ledger.database.defect() is not None
    with pytest.raises(OutputError, match=r"damaged .*It was not touched"):
        Ledger(path)
    assert path.read_bytes() == content


def test_a_file_damaged_after_a_write_is_not_called_untouched(path):
    filled(path)
    with Ledger(path) as ledger:
        publish(ledger, SECOND, {777: "1"})
        content = bytearray(path.read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(content)
        with pytest.raises(OutputError, match=r"damaged .*written to it since is lost") as caught:
            publish(ledger, FIRST, {778: "1"})
    assert "not touched" not in str(caught.value)


def test_what_is_left_of_a_ledger_is_not_begun_anew_in_silence(path):
    messages = []
    path.touch()
    with Ledger(path, notify=messages.append):
        pass
    assert ["an empty file" in message for message in messages] == [True]
    path.write_bytes(b"S")
    with pytest.raises(OutputError, match=r"damaged .*it has 1 bytes.*It was not touched"):
        Ledger(path)
    assert path.read_bytes() == b"S"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("writable", [True, False])
def test_a_pipe_is_no_ledger_and_is_not_waited_for(path, writable):
    os.mkfifo(path)
    with pytest.raises(OutputError, match="it is a pipe or a device"):
        Ledger(path, writable=writable)


@pytest.mark.parametrize(("free", "message"), [(4096, "the disk is full"), (1 << 30, "disk I/O error")])
def test_an_input_or_output_error_on_a_full_disk_is_called_a_full_disk(path, monkeypatch, free, message):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    with Ledger(path) as ledger:
        translated = ledger.database.translate_errors()
        with pytest.raises(OutputError, match=message), translated:
            raise error


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be deleted there")
@pytest.mark.parametrize("after", [Path.unlink, lambda path: path.replace(path.with_name("moved"))])
def test_a_ledger_that_is_deleted_during_a_build_is_reported(path, after):
    with Ledger(path) as ledger, ledger.begin(FIRST, "First") as build:
        build.reserve(made(7), "1", "5x7")
        place = path.rename(path.with_name("kept"))
        after(place)
        with pytest.raises(OutputError, match="was deleted or replaced while it was"):
            build.publish({fingerprint_of(7): "1"})
        if place.exists():
            place.rename(path)
        else:
            ledger.database.lost = True


def test_hosts_that_share_a_file_use_the_clock_of_its_file_system(path, monkeypatch):
    """The disk's clock is two hours ahead, and a build of another host has a recent beat by that clock."""
    real = os.fstat

    def ahead(handle):
        found = real(handle)
        return os.stat_result([*found[:8], found.st_mtime + 7200, found.st_ctime])

    with Ledger(path) as ledger, ledger.begin(FIRST, "First"):
        beat = real(os.open(path, os.O_RDONLY)).st_mtime + 7200
        execute(path, f"UPDATE builds SET host = 'elsewhere', beat = {beat}")
        monkeypatch.setattr(os, "fstat", ahead)
        with Ledger(path) as other, pytest.raises(OutputError, match="is being built by process"):
            other.begin(FIRST, "First")


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of another kind there")
def test_a_file_system_without_locks_is_reported(path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with Ledger(path), contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holding:
        holding.execute("BEGIN IMMEDIATE")  # SQLite reports the same error if the file system has no locks
        monkeypatch.setattr("fcntl.lockf", none)
        with pytest.raises(OutputError, match="a file system that gives no locks"):
            publish(Ledger(path, timeout_s=0.1), FIRST, {7: "1"})


@pytest.mark.parametrize("row", ["'poster', 'one', 'One'", "'feed', 'one', cast(x'ff41' AS TEXT)"])
def test_an_invalid_row_counts_as_damage(path, row):
    filled(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"INSERT INTO holders (id, kind, name, title) VALUES (1000, {row})")
    with Ledger(path, writable=False) as ledger, pytest.raises(OutputError, match=r"damaged|can't be used"):
        ledger.holdings()


def test_a_schema_that_is_no_text_counts_as_damage(path):
    filled(path)
    content = bytearray(path.read_bytes())
    at = content.index(b"CREATE TABLE builds")
    content[at : at + 12] = b"\xfd" * 12
    path.write_bytes(content)
    with pytest.raises(OutputError, match="damaged"):
        Ledger(path, writable=False)


@pytest.mark.parametrize(("mode", "lock"), [("WAL", "IMMEDIATE"), ("DELETE", "EXCLUSIVE")])
def test_the_user_is_told_about_a_locked_ledger(path, monkeypatch, mode, lock):
    """A writer waits for a writer. Without a write-ahead log even opening the file waits."""
    monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 0.0)
    monkeypatch.setattr(sqlite_file, "_BUSY_TIMEOUT_S", 0.01)
    with Ledger(path):
        pass
    execute(path, f"PRAGMA journal_mode = {mode}")
    messages = []

    def notify(message):
        messages.append(re.sub(r"\d+ s", "some s", message))
        if holding.in_transaction:
            holding.rollback()

    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holding:
        holding.execute(f"BEGIN {lock}")
        with Ledger(path, notify=notify) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), ""):
            pass
    assert messages == [
        f"the ledger {path} has been locked by another program for some s: waiting some s more for it",
        f"the ledger {path} is free again",
    ]


def test_a_locked_ledger_does_not_hold_up_an_interruption(path):
    with Ledger(path):
        pass
    holding = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holding.execute("BEGIN IMMEDIATE")
    release = threading.Timer(600.0, holding.rollback)

    def begin(ledger):
        threading.Timer(0.1, _thread.interrupt_main).start()
        ledger.begin(Holder(Kind.VOLUME, "first"), "")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore SIGINT
    gc.disable()  # Hypothesis times the collector, and an interruption during that would be lost
    try:
        with Ledger(path) as ledger:
            release.start()
            with pytest.raises(KeyboardInterrupt):
                begin(ledger)
            assert holding.in_transaction  # the interruption came before the lock was released
    finally:
        gc.enable()
        signal.signal(signal.SIGINT, before)
        release.cancel()
        release.join()
        holding.rollback()


def test_a_place_where_no_file_can_be_is_an_output_error(path):
    path.mkdir()
    with pytest.raises(OutputError, match="can't be opened: it is a folder"):
        Ledger(path)
    path.rmdir()
    path.touch()
    with pytest.raises(OutputError, match="can't be opened"):
        Ledger(path / "ledger.sqlite3")


def test_where_write_ahead_logging_is_refused_the_ledger_works_with_a_rollback_journal(path, monkeypatch):
    class Refusing(sqlite3.Connection):
        def execute(self, statement, *values):
            if "journal_mode" in statement:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR
                raise error
            return super().execute(statement, *values)

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kwargs: real(*args, factory=Refusing, **kwargs))
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), "") as build:
        build.publish({})
        assert [str(holding.holder) for holding in ledger.holdings()] == ["volume first"]
    assert not path.with_name(path.name + "-wal").exists()


# Root ignores permissions, so this program changes its user if the tests run as root.
AS_SOMEBODY = """
import os, sys
from pathlib import Path
import encodings.ascii, linkpress.ledger.sqlite_file  # the other user may not be able to import these
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.errors import LinkpressError
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    with Ledger(Path(sys.argv[1]), writable=sys.argv[2] == "write") as ledger:
        if sys.argv[2] == "write":
            ledger.begin(Holder(Kind.VOLUME, "second"), "")
        print(*[holding.holder for holding in ledger.holdings()])
except LinkpressError as error:
    print(error.exit_code, error)
"""


def as_somebody(path, access):
    words = [sys.executable, "-c", AS_SOMEBODY, str(path), access]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def open_ledger():
    """Create a ledger with one entry in a folder that all users can reach, unlike pytest's folders."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        path = Path(name) / "ledger.sqlite3"
        with Ledger(path) as ledger:
            ledger.add([entry_of(SOLVED_BOARD.puzzle, Holder(Kind.VOLUME, "first"), "1")])
        yield path
        path.parent.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as in POSIX")
def test_a_read_only_ledger_can_be_looked_up_and_not_written(open_ledger):
    open_ledger.chmod(0o444)
    open_ledger.parent.chmod(0o555)
    before = open_ledger.read_bytes()
    assert as_somebody(open_ledger, "read") == "volume first\n"
    assert as_somebody(open_ledger, "write").startswith("5 the ledger ")
    assert "read-only" in as_somebody(open_ledger, "write")
    assert open_ledger.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as in POSIX")
def test_a_reader_without_write_permission_leaves_no_files(open_ledger):
    open_ledger.chmod(0o644)
    open_ledger.parent.chmod(0o777)
    assert as_somebody(open_ledger, "read") == "volume first\n"
    assert [*open_ledger.parent.iterdir()] == [open_ledger]


@pytest.mark.skipif(sys.platform == "win32", reason="mounts as in POSIX")
@pytest.mark.parametrize("code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN])
def test_a_read_only_disk_is_named_in_the_message(path, monkeypatch, code):
    real = os.statvfs

    def read_only(folder):
        found = list(real(folder))
        found[8] |= os.ST_RDONLY
        return os.statvfs_result(found)

    opened = SqliteFile(path, 1, notify_nobody)
    monkeypatch.setattr(os, "statvfs", read_only)
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    with pytest.raises(OutputError, match="mounted read-only: give another"), opened.translate_errors():
        raise error


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as in POSIX")
def test_a_ledger_that_may_not_be_read_is_an_output_error(open_ledger):
    open_ledger.chmod(stat.S_IWUSR if os.getuid() == 0 else 0)
    assert as_somebody(open_ledger, "read").startswith("5 the ledger ")
