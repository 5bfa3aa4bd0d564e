"""A ledger on a PostgreSQL server that is out of reach, hangs or refuses."""

import re
import sys
import time
from contextlib import ExitStack

import psycopg
import pytest
from ledger_use import FIRST, SECOND, execute, publish, slots_of

from boards import fingerprint_of, made
from linkpress.errors import InstallationError, OutputError, UsageError
from linkpress.ledger import database
from linkpress.ledger.address import ServerAddress
from linkpress.ledger.database import VERSION, Place
from linkpress.ledger.postgres_server import PostgresServer
from linkpress.ledger.store import Ledger
from local_postgres import PASSWORD


@pytest.fixture
def server(postgres):
    """Create an empty schema for this test, and return the address of its ledger."""
    with postgres.schema() as address:
        yield address


def schema_of(address):
    return address.url.rpartition("%3D")[2]


def refusal(address, **options):
    """Return the message with which opening a ledger fails."""
    with pytest.raises(OutputError) as caught:
        Ledger(address, **options)
    return str(caught.value)


def test_the_message_of_a_server_is_shown_without_the_password(postgres):
    messages = {
        ServerAddress("postgresql://house@127.0.0.1:1/house"): "refused. Check that the server runs",
        postgres.address(password="wrong"): 'failed for user "house". Check the database, the user and',
        postgres.address(database="nowhere"): 'database "nowhere" does not exist. Check the database',
        ServerAddress(f"postgresql://house@127.0.0.1:{postgres.port}/house"): "no password supplied. Check",
    }
    for address, message in messages.items():
        found = refusal(address)
        assert found.startswith(f"the ledger {address} can't be reached: ")
        assert message in found
        assert PASSWORD not in found


def test_a_database_of_another_encoding_is_refused(postgres):
    postgres.execute("CREATE DATABASE ascii OWNER house ENCODING 'SQL_ASCII' TEMPLATE template0")
    assert "holds texts as SQL_ASCII, not as UTF8" in refusal(postgres.address(database="ascii"))


@pytest.mark.parametrize("writable", [True, False])
def test_a_ledger_of_another_version_is_refused(server, writable):
    with Ledger(server):
        pass
    execute(server, f"UPDATE linkpress_ledger SET version = {VERSION + 1}")
    assert f"{server} was written by a newer linkpress" in refusal(server, writable=writable)
    execute(server, "DELETE FROM linkpress_ledger")
    assert "an older linkpress (ledger version -1" in refusal(server, writable=writable)


def test_tables_of_another_program_are_refused_and_left(server):
    execute(server, "CREATE TABLE holders (cup text)")
    assert f"{server} has tables of another program (holders)" in refusal(server)
    assert execute(server, "SELECT * FROM holders") == []


def test_a_refused_ledger_leaves_no_connection_open(server, monkeypatch):
    connections, real = [], PostgresServer._connect

    def connect(database):
        connections.append(real(database))
        return connections[-1]

    monkeypatch.setattr(PostgresServer, "_connect", connect)
    refusal(server, writable=False)
    assert [connection.closed for connection in connections] == [True]


def test_looking_up_creates_no_ledger(server):
    assert f"there is no ledger in {server}" in refusal(server, writable=False)
    assert execute(server, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") == []


def test_a_missing_right_is_reported(postgres, server):
    name = schema_of(server)
    revoke = f"ALTER SCHEMA {name} OWNER TO boss; GRANT USAGE ON SCHEMA {name} TO house"
    postgres.execute(revoke, database="house")
    assert f"may not be used: permission denied for schema {name}" in refusal(server)
    postgres.execute(f"ALTER SCHEMA {name} OWNER TO house", database="house")
    with Ledger(server) as ledger:
        publish(ledger, FIRST, {1: "1"})
        assert ledger.database.can_be_written()
        revoke = f"ALTER TABLE {name}.puzzles OWNER TO boss; GRANT SELECT ON {name}.puzzles TO house"
        postgres.execute(revoke, database="house")
        assert not ledger.database.can_be_written()
        assert ledger.find(fingerprint_of(1)).slot == "1"
        with pytest.raises(OutputError, match="permission denied for table puzzles"):
            publish(ledger, SECOND, {2: "1"})


def test_a_cut_connection_is_opened_again_for_the_next_reserve(postgres, server):
    with Ledger(server) as ledger, ledger.begin(FIRST, "") as build:
        for number in (1, 2):
            assert build.reserve(made(number), str(number), "") is None
            assert postgres.end_sessions() > 0
        build.publish({fingerprint_of(1): "1", fingerprint_of(2): "2"})
        postgres.end_sessions()
        assert slots_of(ledger, FIRST) == {"1": "1", "2": "2"}


def test_a_transaction_is_done_again_after_a_cut_connection(postgres, server):
    with Ledger(server) as ledger, ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1), "1", "") is None
        tries = []

        def cut(run):
            run("DELETE FROM puzzles")
            tries.append(len(tries))
            if len(tries) == 1:
                postgres.end_sessions()
            return run("SELECT count(*) FROM puzzles")

        assert ledger.database.write(cut) == [(0,)]
        assert tries == [0, 1]


@pytest.mark.parametrize("hangs", [True, False])
def test_a_build_goes_on_after_its_server_hung_or_was_restarted(postgres, server, monkeypatch, hangs):
    messages, away = [], ExitStack()

    def notify(message):
        messages.append(re.sub(r"\d+ s", "some s", message))
        monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 60.0)
        away.close()

    with away, Ledger(server, notify=notify) as ledger, ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1), "1", "") is None
        monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 0.0)
        if hangs:
            away.enter_context(postgres.frozen())
        else:
            postgres.stop("immediate")
            away.callback(postgres.start)
        assert build.reserve(made(2), "2", "") is None
        build.publish({fingerprint_of(1): "1", fingerprint_of(2): "2"})
        assert slots_of(ledger, FIRST) == {"1": "1", "2": "2"}
    assert messages == [
        f"the ledger {server} has not answered for some s: waiting some s more for it",
        f"the ledger {server} has answered",
    ]


def test_a_server_that_goes_on_hanging_is_given_up(postgres, server, monkeypatch):
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "1")
    with Ledger(server) as ledger, ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1), "1", "") is None
        ledger.database.timeout_s = 0.1
        with postgres.frozen(), pytest.raises(OutputError) as caught:
            build.reserve(made(2), "2", "")
        assert re.search(r"reached: no answer for \d+ s. Give the same command again", str(caught.value))
        assert PASSWORD not in str(caught.value)
    with postgres.frozen():
        assert "timeout expired. Check that the server runs" in refusal(server, timeout_s=0.1)


def test_ctrl_c_is_not_held_up_by_a_server_that_hangs(postgres, server, monkeypatch):
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "1")
    frozen = ExitStack()

    def interrupt(message):
        raise KeyboardInterrupt

    def build_until_it_hangs():
        with frozen, Ledger(server, notify=interrupt) as ledger, ledger.begin(FIRST, "") as build:
            assert build.reserve(made(1), "1", "") is None
            frozen.enter_context(postgres.frozen())
            monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 0.0)
            build.reserve(made(2), "2", "")

    with pytest.raises(KeyboardInterrupt):
        build_until_it_hangs()
    with Ledger(server) as ledger:
        assert slots_of(ledger, FIRST)["1"] == "1"


def test_a_lock_that_another_program_keeps_is_reported(server):
    with Ledger(server):
        pass
    with psycopg.connect(server.url) as other:
        other.execute("LOCK TABLE puzzles IN ACCESS EXCLUSIVE MODE")
        with Ledger(server, timeout_s=0.5) as ledger, pytest.raises(OutputError, match="locked by another"):
            ledger.find(fingerprint_of(1))


def test_a_standby_is_read_and_not_written(postgres, server):
    with Ledger(server) as ledger:
        publish(ledger, FIRST, {1: "1"})
        assert ledger.database.can_be_written()
    with postgres.standing_by(), Ledger(server) as ledger:
        assert slots_of(ledger, FIRST) == {"1": "1"}
        assert not ledger.database.can_be_written()
        with pytest.raises(OutputError, match=r"can't be written: .*Perhaps it is a standby"):
            publish(ledger, SECOND, {2: "1"})


def test_a_volume_is_forgotten_once_even_if_the_answer_was_lost(postgres, server, monkeypatch):
    real, tries = PostgresServer.run, []

    def run(database, statement, *values):
        if statement == "COMMIT":
            tries.append(len(tries))
            if len(tries) == 1:
                real(database, statement)
                postgres.end_sessions()
        return real(database, statement, *values)

    with Ledger(server) as ledger:
        publish(ledger, FIRST, {1: "1", 2: "2"})
        monkeypatch.setattr(PostgresServer, "run", run)
        assert ledger.forget(FIRST) == 2
        assert len(tries) > 1
        with pytest.raises(UsageError, match="holds no volume first"):
            ledger.forget(FIRST)


def test_a_build_keeps_its_reservations_if_the_server_stays_away(postgres, server):
    opened = Ledger(server)
    try:
        with opened as ledger, ledger.begin(FIRST, "") as build:
            assert build.reserve(made(1), "1", "") is None
            ledger.database.timeout_s = 0.1
            postgres.stop()
            with pytest.raises(OutputError, match=r"can't be reached.*same command again"):
                build.publish({fingerprint_of(1): "1"})
    finally:
        postgres.start()
    with Ledger(server) as ledger:
        with ledger.begin(SECOND, "") as build:
            assert build.reserve(made(1), "1", "") == Place(FIRST, "1", published=False)
        with pytest.raises(OutputError, match="is being built"):  # by this process
            ledger.begin(FIRST, "")
        execute(server, "UPDATE builds SET started = 'another boot'")
        publish(ledger, FIRST, {1: "1"})


ABORT = """
CREATE SEQUENCE tries;
GRANT ALL ON SEQUENCE tries TO house;
CREATE FUNCTION abort() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('tries') <= {times} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '{code}'; END IF;
    RETURN new;
END $$;
CREATE TRIGGER abort BEFORE INSERT ON puzzles FOR EACH ROW EXECUTE FUNCTION abort();
"""


@pytest.mark.parametrize("code", ["40001", "40P01", "57014"])
def test_a_transaction_that_the_server_aborts_is_tried_again(server, code):
    with Ledger(server) as ledger:
        execute(server, ABORT.format(times=2, code=code))
        publish(ledger, FIRST, {1: "1"})
        assert slots_of(ledger, FIRST) == {"1": "1"}
    assert execute(server, "SELECT last_value FROM tries") == [(4,)]  # two failures, reserve, publish


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("40001", "too busy: not now, again and again"),
        ("57014", "too slow: not now, again and again"),
        ("53100", "can't be written: not now. Free"),
        ("25006", "Perhaps it is a standby"),
        ("22000", "can't be used: not now. Look at the server's log"),
    ],
)
def test_a_lasting_refusal_of_the_server_is_reported(server, code, message):
    with Ledger(server, timeout_s=0.1) as ledger:
        execute(server, ABORT.format(times=1000, code=code))
        with pytest.raises(OutputError, match=message):
            publish(ledger, FIRST, {1: "1"})
        assert ledger.holdings() == ()


def test_a_build_is_alive_by_the_clock_of_the_server(server, monkeypatch):
    real = time.time
    with Ledger(server) as ledger, ledger.begin(FIRST, ""):
        execute(server, "UPDATE builds SET host = 'elsewhere'")
        monkeypatch.setattr("time.time", lambda: real() + 3600)
        with Ledger(server) as other, pytest.raises(OutputError, match="on elsewhere"):
            other.begin(FIRST, "")


@pytest.mark.parametrize("source", ["PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"])
def test_a_password_may_come_from_all_places_that_libpq_reads(
    postgres, server, tmp_path, monkeypatch, source
):
    file = tmp_path / "file"
    options = f"options=-csearch_path%3D{schema_of(server)}"
    address = f"postgresql://house@127.0.0.1:{postgres.port}/house?{options}"
    if source == "PGPASSWORD":
        monkeypatch.setenv(source, PASSWORD)
    elif source == "PGPASSFILE":
        escaped = PASSWORD.replace("\\", r"\\").replace(":", r"\:")
        file.write_text(f"127.0.0.1:{postgres.port}:house:house:{escaped}\n")
        monkeypatch.setenv(source, str(file))
    else:
        file.write_text(f"[desk]\nhost=127.0.0.1\nport={postgres.port}\nuser=house\npassword={PASSWORD}\n")
        address = f"postgresql:///house?service=desk&{options}"
        monkeypatch.setenv(source, str(file))
    file.touch()
    file.chmod(0o600)
    with Ledger(ServerAddress(address)) as ledger:
        assert ledger.holdings() == ()


def test_parameters_reach_libpq_and_wrong_ones_are_refused_without_showing_them(postgres, server):
    assert "server does not support SSL" in refusal(postgres.address("?sslmode=require"))
    with pytest.raises(UsageError, match="libpq can't read the address") as caught:
        Ledger(postgres.address("?no_such=secret"))
    assert "secret" not in str(caught.value)
    with Ledger(ServerAddress(server.url.replace("postgresql:", "postgresql+psycopg:"))) as ledger:
        assert ledger.holdings() == ()


def test_without_psycopg_the_message_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "linkpress.ledger.postgres_server", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InstallationError, match=r"pip install 'linkpress\[postgres\]'"):
        Ledger(ServerAddress("postgresql://house@127.0.0.1/house"))
