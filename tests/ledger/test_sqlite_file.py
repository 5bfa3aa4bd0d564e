import _thread
import contextlib
import errno
import gc
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from ledger_use import FIRST, SECOND, execute, publish

from boards import SOLVED_BOARD, entry_of, fingerprint_of, made
from linkpress.errors import OutputError, notify_nobody
from linkpress.ledger import database, sqlite_file
from linkpress.ledger.database import TABLES, VERSION
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.sqlite_file import APPLICATION_ID, SqliteFile
from linkpress.ledger.store import Ledger


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite3"


def nothing(path):
    pass


def cut_off(path):
    """As a first build leaves it that ends before the tables are there."""
    execute(path, "PRAGMA journal_mode = WAL")
    assert path.stat().st_size


@pytest.mark.parametrize("leave", [nothing, Path.touch, cut_off])
def test_a_ledger_is_made_with_our_id_its_version_and_write_ahead_logging(path, leave):
    leave(path)
    with Ledger(path):
        names = "application_id", "user_version", "journal_mode"
        asked = [execute(path, f"PRAGMA {name}") for name in names]
    assert asked == [[(APPLICATION_ID,)], [(VERSION,)], [("wal",)]]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text on other systems")
def test_a_ledger_may_have_a_name_that_is_no_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"no\xfc.sqlite3")
    with Ledger(path), Ledger(path, writable=False) as again:
        assert again.holdings() == ()


# As 0.1.0 made it.
VERSION_1 = """
CREATE TABLE holders (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('volume', 'feed')), name TEXT NOT NULL,
    title TEXT NOT NULL, UNIQUE (kind, name)
);
CREATE TABLE builds (
    holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE, token TEXT NOT NULL,
    host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL, beat REAL NOT NULL
);
CREATE TABLE puzzles (
    fingerprint TEXT PRIMARY KEY, holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE,
    slot TEXT NOT NULL, published INTEGER NOT NULL, made TEXT NOT NULL, rows INTEGER NOT NULL,
    cols INTEGER NOT NULL, pairs INTEGER NOT NULL, solids INTEGER NOT NULL, board TEXT NOT NULL,
    rule TEXT NOT NULL, proof TEXT NOT NULL, grade TEXT, score INTEGER, recipe TEXT NOT NULL,
    seed TEXT NOT NULL, attempt INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX puzzles_of_holder ON puzzles (holder, slot);
PRAGMA application_id = 1280330823;
PRAGMA user_version = 1;
INSERT INTO holders VALUES (7, 'volume', 'first', 'The first');
INSERT INTO builds VALUES (7, 'token', 'elsewhere', 1, '', 0.0);
INSERT INTO puzzles VALUES (
    '{fingerprint}', 7, '1', 1, '2026-11-20', 5, 7, 5, 3, '{board}', 'strict', 'sat', 'easy', 12,
    '7x5, 2 pairs', '2026/Easy/1', 0
);
"""
HELD = entry_of(SOLVED_BOARD.puzzle, Holder(Kind.VOLUME, "first"), "1")


@pytest.fixture
def old(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1.format(fingerprint=HELD.fingerprint, board=HELD.board))
    return path


def test_a_ledger_of_0_1_0_is_read_as_it_lies(old):
    before = old.read_bytes()
    with Ledger(old, writable=False) as ledger:
        assert list(ledger.entries()) == [HELD]
        assert [one.isbn for one in ledger.holdings()] == [None]
        ledger.check_isbn(HELD.holder, "9783161484100")
    assert old.read_bytes() == before


def test_a_ledger_of_0_1_0_becomes_one_of_today_with_all_that_it_held(old, path):
    for _ in range(2):
        with Ledger(old) as ledger:
            assert list(ledger.entries()) == [HELD]
    with Ledger(old) as ledger:
        with ledger.begin(Holder(Kind.VOLUME, "second"), "", "9783161484100") as build:
            build.publish({})
            assert [one.isbn for one in ledger.holdings()] == [None, "9783161484100"]
        with Ledger(path.with_name("new.sqlite3")):
            pass
        for table in TABLES:
            columns = f"SELECT name FROM pragma_table_info('{table}')"
            assert execute(old, columns) == execute(path.with_name("new.sqlite3"), columns)
    assert execute(old, "PRAGMA user_version") == [(VERSION,)]


def test_a_migration_that_fails_leaves_the_ledger_as_it_was(old, monkeypatch):
    def fail(database, run):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(SqliteFile, "_note_version", fail)
    with pytest.raises(OutputError, match="disk itself is at fault"):
        Ledger(old)
    monkeypatch.undo()
    assert execute(old, "PRAGMA user_version") == [(1,)]
    with Ledger(old) as ledger:
        assert list(ledger.entries()) == [HELD]


def assert_refused(path, why):
    """Opening a ledger is refused with these words, and its file is as before."""
    before = path.read_bytes()
    with pytest.raises(OutputError, match=why):
        Ledger(path, timeout_s=0.05)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("mode", "lightly"), [("WAL", 1), ("DELETE", 2)])
def test_what_is_published_waits_for_the_disk_and_what_is_reserved_where_there_is_no_log(path, mode, lightly):
    with Ledger(path):
        pass
    execute(path, f"PRAGMA journal_mode = {mode}")
    with Ledger(path) as ledger:
        for write, waits in ((ledger.database.write_lightly, lightly), (ledger.database.write, 2)):
            assert write(lambda run: run("PRAGMA synchronous")) == [(waits,)]


def test_a_newer_version_still_in_the_write_ahead_log_is_refused(path):
    with Ledger(path):
        pass
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        assert_refused(path, "newer linkpress")


def test_a_database_of_another_program_is_refused(path):
    execute(path, "CREATE TABLE recipes (cake TEXT)")
    assert_refused(path, "another program")


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"SQLite format 3\0", bytes(5000)])
def test_what_is_no_database_is_refused(path, content):
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


def test_damage_inside_is_found_by_looking_at_all_of_it_and_refused_before_the_first_write(path):
    filled(path)
    with Ledger(path, writable=False) as ledger:
        assert ledger.database.defect() is None
    content = bytearray(path.read_bytes())
    content[-4096:-4000] = bytes(96)  # the head of the last page
    path.write_bytes(content)
    with Ledger(path, writable=False) as ledger:
        assert ledger.database.defect() is not None
    with pytest.raises(OutputError, match=r"damaged .*It was not touched"):
        Ledger(path)
    assert path.read_bytes() == content


def test_damage_that_shows_after_a_write_is_not_said_to_be_untouched(path):
    filled(path)
    with Ledger(path) as ledger:
        publish(ledger, SECOND, {777: "1"})
        content = bytearray(path.read_bytes())
        content[4096:] = bytes(len(content) - 4096)
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(content)
        with pytest.raises(OutputError, match=r"damaged .*written to it since is lost") as told:
            publish(ledger, FIRST, {778: "1"})
    assert "not touched" not in str(told.value)


def test_what_is_left_of_a_ledger_is_not_begun_anew_in_silence(path):
    told = []
    path.touch()
    with Ledger(path, notify=told.append):
        pass
    assert told == [
        f"the ledger {path} is an empty file and is begun anew: if it held puzzles, stop, and put a copy "
        "of it back"
    ]
    path.write_bytes(b"S")
    with pytest.raises(OutputError, match=r"damaged .*it has 1 bytes.*It was not touched"):
        Ledger(path)
    assert path.read_bytes() == b"S"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("writable", [True, False])
def test_a_pipe_is_no_ledger_and_is_not_waited_for(path, writable):
    os.mkfifo(path)
    with pytest.raises(OutputError, match="it is no file, but a pipe or a device"):
        Ledger(path, writable=writable)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be deleted there")
@pytest.mark.parametrize("after", [Path.unlink, lambda path: path.replace(path.with_name("moved"))])
def test_a_ledger_that_is_deleted_during_a_build_is_missed(path, after):
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


def test_hosts_that_share_a_file_go_by_the_clock_of_its_disk(path, monkeypatch):
    """A disk two hours ahead of this host, and a build of another host that shows it lives by that clock."""
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
def test_a_file_system_without_locks_is_told_as_such(path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with Ledger(path), contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holding:
        holding.execute("BEGIN IMMEDIATE")  # what SQLite says where the system has no locks, too
        monkeypatch.setattr("fcntl.lockf", none)
        with pytest.raises(OutputError, match="a file system that gives no locks"):
            publish(Ledger(path, timeout_s=0.1), FIRST, {7: "1"})


@pytest.mark.parametrize("row", ["'poster', 'one', 'One'", "'feed', 'one', cast(x'ff41' AS TEXT)"])
def test_a_row_that_holds_what_it_should_not_is_damage(path, row):
    filled(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"INSERT INTO holders (id, kind, name, title) VALUES (1000, {row})")
    with Ledger(path, writable=False) as ledger, pytest.raises(OutputError, match=r"damaged|can't be used"):
        ledger.holdings()


def test_a_schema_that_is_no_text_is_damage(path):
    filled(path)
    content = bytearray(path.read_bytes())
    at = content.index(b"CREATE TABLE builds")
    content[at : at + 12] = b"\xfd" * 12
    path.write_bytes(content)
    with pytest.raises(OutputError, match="damaged"):
        Ledger(path, writable=False)


@pytest.mark.parametrize(("mode", "lock"), [("WAL", "IMMEDIATE"), ("DELETE", "EXCLUSIVE")])
def test_a_ledger_that_is_locked_for_some_time_is_told_of(path, monkeypatch, mode, lock):
    """A writer waits for a writer; where there is no write-ahead log, who opens the file waits too."""
    monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 0.0)
    monkeypatch.setattr(sqlite_file, "_PATIENCE_S", 0.01)
    with Ledger(path):
        pass
    execute(path, f"PRAGMA journal_mode = {mode}")
    told = []

    def tell(words):
        told.append(re.sub(r"\d+ s", "some s", words))
        if holding.in_transaction:
            holding.rollback()

    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holding:
        holding.execute(f"BEGIN {lock}")
        with Ledger(path, notify=tell) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), ""):
            pass
    assert told == [
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

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which tests in the background ignore
    gc.disable()  # an interruption that comes while Hypothesis times the collector is lost
    try:
        with Ledger(path) as ledger:
            release.start()
            with pytest.raises(KeyboardInterrupt):
                begin(ledger)
            assert holding.in_transaction  # it was heard before that ended
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
                fault = sqlite3.OperationalError("disk I/O error")
                fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
                raise fault
            return super().execute(statement, *values)

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kwargs: real(*args, factory=Refusing, **kwargs))
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "first"), "") as build:
        build.publish({})
        assert [str(holding.holder) for holding in ledger.holdings()] == ["volume first"]
    assert not path.with_name(path.name + "-wal").exists()


# Permissions bind everybody but root, so this runs as somebody else when the tests run as root.
AS_SOMEBODY = """
import os, sys
from pathlib import Path
import encodings.ascii, linkpress.ledger.sqlite_file  # late they may be out of somebody's reach
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.errors import LinkpressError
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    with Ledger(Path(sys.argv[1]), writable=sys.argv[2] == "write") as ledger:
        if sys.argv[2] == "write":
            ledger.begin(Holder(Kind.VOLUME, "second"), "")
        print(*[holding.holder for holding in ledger.holdings()])
except LinkpressError as fault:
    print(fault.exit_code, fault)
"""


def as_somebody(path, access):
    words = [sys.executable, "-c", AS_SOMEBODY, str(path), access]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def open_ledger():
    """A ledger of one entry, in a folder that everybody can reach, other than pytest's own."""
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
def test_who_may_only_read_a_ledger_leaves_nothing_beside_it(open_ledger):
    open_ledger.chmod(0o644)
    open_ledger.parent.chmod(0o777)
    assert as_somebody(open_ledger, "read") == "volume first\n"
    assert [*open_ledger.parent.iterdir()] == [open_ledger]


@pytest.mark.skipif(sys.platform == "win32", reason="mounts as in POSIX")
@pytest.mark.parametrize("code", [sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN])
def test_a_disk_that_is_mounted_read_only_is_called_so(path, monkeypatch, code):
    real = os.statvfs

    def read_only(folder):
        found = list(real(folder))
        found[8] |= os.ST_RDONLY
        return os.statvfs_result(found)

    opened = SqliteFile(path, 1, notify_nobody)
    monkeypatch.setattr(os, "statvfs", read_only)
    fault = sqlite3.OperationalError("no")
    fault.sqlite_errorcode = code
    with pytest.raises(OutputError, match="The disk is mounted read-only: give another"), opened.faults():
        raise fault


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as in POSIX")
def test_a_ledger_that_may_not_be_read_is_an_output_error(open_ledger):
    open_ledger.chmod(stat.S_IWUSR if os.getuid() == 0 else 0)
    assert as_somebody(open_ledger, "read").startswith("5 the ledger ")
