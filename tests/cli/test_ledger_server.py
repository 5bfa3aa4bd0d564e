"""Commands with a ledger on a PostgreSQL server: builds, faults, and what must never be told."""

import json
from urllib.parse import quote

import psycopg
import pytest

from failing_disk import check_one_sentence, contents
from linkpress.app import doctor
from linkpress.cli.main import run
from linkpress.ledger import postgres_server
from linkpress.ledger import store as ledger_store
from linkpress.ledger.ledger_build import LedgerBuild, Liveness
from linkpress.ledger.store import Ledger
from local_postgres import PASSWORD

SPEC = "title: Small\nseed: 5\nlevels: [{name: One, count: 3, size: 5x7, paths: 5}]\n"


@pytest.fixture
def server(postgres, monkeypatch):
    """A ledger of this test's own, found through the environment."""
    with postgres.schema() as address:
        monkeypatch.setenv("LINKPRESS_LEDGER", address.url)
        yield address


@pytest.fixture
def build(tmp_path, monkeypatch):
    (tmp_path / "book.yaml").write_text(SPEC)
    monkeypatch.setattr(
        Liveness, "lives", lambda liveness, age_s: False
    )  # each build is a process of its own
    return lambda *more: run(
        ["build", str(tmp_path / "book.yaml"), "-o", str(tmp_path / "out"), "--jobs", "1", *more]
    )


def test_no_output_and_no_file_of_a_run_has_the_password(server, postgres, build, tmp_path, capfd):
    log, export = str(tmp_path / "log"), str(tmp_path / "export")
    wrong = server.url.replace(f":{postgres.port}/", ":1/")
    refused = server.url.replace("/house?", "/nowhere?")
    unescaped = f"postgresql://house:{PASSWORD}@127.0.0.1/house"
    codes = [
        build("-v", "--log", log),
        build("--draft"),
        *(run(["ledger", *words]) for words in (["list", "--json"], ["export", "-o", export])),
        run(["doctor", "--json"]),
        run(["doctor", "--ledger", refused]),
        *(build("--ledger", address) for address in (wrong, refused, unescaped, wrong + "&no_such=1")),
        build("--ledger", server.url, "--no-ledger"),
    ]
    assert codes == [0, 0, 0, 0, 0, 1, 5, 5, 2, 2, 2]
    told = "".join(capfd.readouterr())
    told += "".join(path.read_bytes().decode("latin1") for path in tmp_path.rglob("*") if path.is_file())
    assert f"postgresql://house@127.0.0.1:{postgres.port}/house" in told
    for secret in (
        PASSWORD,
        quote(PASSWORD, safe=""),
        PASSWORD.partition("@")[0],
        PASSWORD.partition(":")[2],
    ):
        assert secret not in told


def test_a_server_that_goes_in_the_middle_of_a_build_ends_it_and_it_goes_on_later(
    server, postgres, build, tmp_path, capfd, monkeypatch
):
    monkeypatch.setattr(ledger_store, "LOCK_TIMEOUT_S", 0.1)
    real, reserved = LedgerBuild.reserve, []

    def reserve(build, *facts):
        if len(reserved) == 2:
            postgres.stop()
        reserved.append(facts)
        return real(build, *facts)

    with monkeypatch.context() as patch:
        patch.setattr(LedgerBuild, "reserve_ahead", lambda build, several: None)  # one after the other
        patch.setattr(LedgerBuild, "reserve", reserve)
        try:
            assert build() == 5
        finally:
            postgres.start()
    said = capfd.readouterr().err
    check_one_sentence(said)
    assert "can't be reached" in said
    assert "same command again" in said
    assert list(contents(tmp_path)) == [".build.journal"]
    with Ledger(server) as ledger:
        assert [(one.published, one.reserved) for one in ledger.holdings()] == [(0, 2)]
    assert build() == 0
    with Ledger(server) as ledger:
        assert [(one.published, one.reserved) for one in ledger.holdings()] == [(3, 0)]
    after = contents(tmp_path)
    assert "resumed 3 of 3" in after.pop("report.txt").decode()
    run(["ledger", "forget", "small"])
    (tmp_path / "out").rename(tmp_path / "first")
    assert build() == 0
    assert {**contents(tmp_path), "report.txt": b""} == {**after, "report.txt": b""}


def test_each_command_tells_that_the_ledger_is_waited_for(server, tmp_path, build, capfd, monkeypatch):
    (tmp_path / "book.yaml").write_text(SPEC + "isbn: 978-3-16-148410-0\n")
    monkeypatch.setattr(ledger_store, "LOCK_TIMEOUT_S", 1.5)  # in which the server is asked ten times
    monkeypatch.setattr(postgres_server, "_DOUBT_S", 0.0)
    monkeypatch.setattr(postgres_server, "_ASK_S", 600)
    monkeypatch.setattr(doctor, "check_trial", doctor.check_python)
    with Ledger(server):
        pass
    with psycopg.connect(server.url) as other:
        other.execute("LOCK TABLE linkpress_ledger")
        for command, code in (
            (lambda: run(["ledger", "list"]), 5),
            (lambda: run(["check", str(tmp_path / "book.yaml")]), 5),
            (lambda: run(["doctor"]), 1),
            (build, 5),
        ):
            assert command() == code
            assert "is locked by another program, or busy: waiting" in capfd.readouterr().err


def test_an_isbn_of_another_volume_is_refused_at_its_place_by_check_and_build(
    place, tmp_path, capfd, monkeypatch
):
    monkeypatch.setenv("LINKPRESS_LEDGER", getattr(place, "url", str(place)))
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text(SPEC + "isbn: 978-3-16-148410-0\n")
    second.write_text(SPEC + "id: second\nisbn: 3-16-148410-X\n")
    assert run(["check", str(second)]) == 0  # no ledger yet, and none is made
    assert run(["build", str(first), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 0
    assert run(["check", str(first)]) == 0
    capfd.readouterr()
    for words in (["check"], ["build"]):
        assert run([*words, str(second)]) == 2
        told = capfd.readouterr().err
        assert told.startswith(
            f"{second}:5:7 isbn: 3-16-148410-X — the ledger has this ISBN for the volume small"
        )
        assert "'linkpress ledger forget small'" in told
    second.write_text(SPEC + "id: second\nepub: {isbn: 3-16-148410-X}\n")
    assert run(["build", str(second)]) == 2
    assert "epub.isbn: 3-16-148410-X — the ledger has this ISBN" in capfd.readouterr().err
    second.write_text(SPEC + "id: second\nisbn: 3-16-148410-X\n")
    assert run(["check", str(second), "--no-ledger"]) == 0
    capfd.readouterr()
    assert run(["ledger", "list", "--json"]) == 0
    listed = json.loads(capfd.readouterr().out)["holders"]
    assert [(one["id"], one["isbn"]) for one in listed] == [("small", "9783161484100")]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql://house:a@b@host/house", "write @ as %40"),
        ("postgresql://house:50%off@host/house", "% as %25"),
        ("postgresql://house:secret?x@host/house", "? as %3F"),
        ("postgresql://house:secret", "the port is a number"),
        (" postgresql://house:secret@host/house", "with nothing before or behind it"),
        ('"postgresql://house:secret@host/house"', "with nothing before or behind it"),
        ("postgresql:/house:secret@host/house", "postgresql://user:password@"),
        ("//house:secret@host/house", "postgresql://user:password@"),
        ("host=desk password=secret", "postgresql://user:password@"),
        ("lp:secret@host/lp", "postgresql://user:password@"),
        ("lp:sec/ret:secret@host/lp", "postgresql://user:password@"),
        ("postgres ql://house:secret@host/house", "postgresql://user:password@"),
        ("mysql://house:secret@host/house", "can't be reached by mysql://"),
        ("postgresql+psycopg2://house:secret@host/house", "can't be reached by postgresql\\+psycopg2://"),
    ],
)
def test_what_is_no_address_is_a_usage_error_that_does_not_repeat_it(capfd, monkeypatch, address, message):
    for told_by in (["--ledger", address], []):
        if not told_by:
            monkeypatch.setenv("LINKPRESS_LEDGER", address)
        assert run(["ledger", "list", *told_by]) == 2
        err = capfd.readouterr().err
        assert message.replace("\\", "") in err
        assert all(secret not in err for secret in ("a@b", "50%off", "secret"))
