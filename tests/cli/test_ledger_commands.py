"""The commands of ``linkpress ledger``, run in this process."""

import contextlib
import json
import sqlite3
from urllib.parse import quote

import psycopg
import pytest

from boards import entry_of, puzzle_of
from linkpress.app import doctor
from linkpress.cli.app import run
from linkpress.ledger import database
from linkpress.ledger import store as ledger_store
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger, Liveness
from linkpress.puzzle.link_text import puzzle_text
from linkpress.puzzle.symmetry import fingerprint
from local_postgres import PASSWORD
from turning import turned_puzzle

TEXT = "7 5\n1 . . . . . 2\n. . . # . . .\n. . . . . . .\n. . . . . . .\n1 . . . . . 2\n"
ISBN = "9783161484100"
OTHER = "3 3\n1 2 3\n. . .\n1 2 3\n"


VOLUME, FEED = Holder(Kind.VOLUME, "links-1"), Holder(Kind.FEED, "daily")


def filled(place, monkeypatch):
    """A ledger of one volume and one feed, found through the environment."""
    monkeypatch.setenv("LINKPRESS_LEDGER", getattr(place, "url", str(place)))
    with Ledger(place) as opened:
        opened.add([entry_of(puzzle_of(TEXT), VOLUME, "17"), entry_of(puzzle_of(OTHER), FEED, "2026-12-01")])
    return place


@pytest.fixture
def ledger(place, monkeypatch):
    return filled(place, monkeypatch)


@pytest.fixture
def file(tmp_path, monkeypatch):
    return filled(tmp_path / "ledger.sqlite3", monkeypatch)


@pytest.fixture
def exported(ledger, tmp_path):
    """The lines of that ledger's export, and where other lines can be written to be imported."""
    path = tmp_path / "all.jsonl"
    assert run(["ledger", "export", "-o", str(path)]) == 0
    return path.read_text().splitlines(keepends=True), path


@pytest.fixture
def json_of(streams):
    def call(*words):
        return json.loads(streams(["ledger", *words, "--json"]).out)

    return call


def test_list_names_each_holder_with_its_counts(ledger, streams, json_of):
    lines = streams(["ledger", "list"]).out.splitlines()
    counts = "1 published, 0 reserved"
    assert [line.split("\t")[:2] for line in lines] == [["volume links-1", counts], ["feed daily", counts]]
    first = json_of("list")["holders"][0]
    known = {"kind": "volume", "id": "links-1", "title": "The links-1", "published": 1}
    assert first.items() >= known.items()


def test_find_recognizes_a_turned_puzzle(ledger, streams, json_of, tmp_path):
    puzzle = puzzle_of(TEXT)
    file = tmp_path / "puzzles.txt"
    file.write_text(puzzle_text(turned_puzzle(puzzle, 1)) + "3 3\n1 . .\n. . .\n. . 1\n")
    first, second = streams(["ledger", "find", str(file)]).out.splitlines()
    assert first == f"{fingerprint(puzzle)}\tpublished in volume links-1, 17"
    assert second.endswith("\tnew")
    places = [row["place"] for row in json_of("find", str(file))["puzzles"]]
    assert places == [{"kind": "volume", "id": "links-1", "slot": "17", "published": True}, None]


def test_find_looks_up_a_built_books_puzzles(tmp_path, streams):
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Small\nseed: 5\nlevels: [{name: One, count: 2, size: 5x7, paths: 5}]\n")
    streams(["build", str(spec), "-o", str(tmp_path), "--jobs", "1"])
    for name in (tmp_path / "small", tmp_path / "small" / "volume.json"):
        places = [line.split("\t")[1] for line in streams(["ledger", "find", str(name)]).out.splitlines()]
        assert places == ["published in volume small, 1", "published in volume small, 2"]
    assert "volume.json" in streams(["ledger", "find", str(tmp_path)], 4).err


def test_show_finds_a_puzzle_by_the_first_digits(ledger, streams, json_of):
    mark = fingerprint(puzzle_of(TEXT))
    out = streams(["ledger", "show", mark[:6].upper()]).out
    assert "place:       published in volume links-1, 17\n" in out
    assert "size:        7 × 5, 2 pairs, 1 solids\n" in out
    assert out.endswith("\n\n" + TEXT)
    shown = json_of("show", mark)
    assert (shown["technique"], shown["score"], shown["place"]["id"]) == ("easy", 12, "links-1")
    assert shown["board"] == TEXT.splitlines()[1:]


@pytest.mark.parametrize(
    ("digits", "said"),
    [("0" * 16, "has no puzzle 0000000000000000. 'linkpress ledger find'"), ("", "Give more")],
)
def test_show_refuses_an_unknown_or_ambiguous_fingerprint(ledger, streams, digits, said):
    assert said in streams(["ledger", "show", digits], 2).err


def test_import_names_puzzles_of_another_book_and_exits_with_1(exported, streams, json_of):
    lines, path = exported
    path.write_text("".join(lines).replace("links-1", "links-2"))
    mark = fingerprint(puzzle_of(TEXT))
    told = f"left out: {mark} of volume links-2, 17: it is already in volume links-1, 17"
    assert told in streams(["ledger", "import", str(path)], 1).err
    said = json.loads(streams(["ledger", "import", "--json", str(path)], 1).out)
    assert (said["puzzles"], said["left_out"][0]["held_in"]["id"]) == (2, "links-1")
    assert [one["id"] for one in json_of("list")["holders"]] == ["links-1", "daily"]


def test_import_names_volumes_that_share_an_isbn(exported, streams):
    lines, path = exported
    path.write_text("".join(lines).replace('"isbn":null', f'"isbn":"{ISBN}"').replace('"feed"', '"volume"'))
    other = ["--ledger", str(path.with_name("other.sqlite3"))]
    err = streams(["ledger", "import", str(path), *other]).err
    assert f"several books have the ISBN {ISBN}: daily, links-1." in err
    assert "2 of 2 puzzles" in err
    shared = json.loads(streams(["ledger", "import", "--json", str(path), *other]).out)["shared_isbns"]
    assert shared == [{"isbn": ISBN, "volumes": ["daily", "links-1"]}]


def test_control_characters_in_a_ledger_are_escaped(file, streams, tmp_path):
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE holders SET title = ?, name = ?", ("\x1b[31mX\n", "a\x9b"))
        connection.execute("UPDATE puzzles SET board = '\x1b[2J', seed = '\x07'")
    (tmp_path / "puzzles.txt").write_text(TEXT)
    assert run(["ledger", "list"]) == 0
    assert run(["ledger", "find", str(tmp_path / "puzzles.txt")]) == 0
    out = streams(["ledger", "show", fingerprint(puzzle_of(TEXT))]).out
    assert all(letter.isprintable() for letter in out if letter not in "\n\t")
    for said in (r"\x1b[31mX\n", r"volume a\x9b, 17", r"\x1b[2J", r"\x07"):
        assert said in out


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"[1]\n"])
def test_import_refuses_other_files(file, tmp_path, streams, content):
    (tmp_path / "file").write_bytes(content)
    assert streams(["ledger", "import", str(tmp_path / "file")], 4).err.startswith("linkpress: ")
    assert run(["ledger", "import", str(tmp_path / "missing")]) == 4


def test_forget_removes_a_book_or_feed(ledger, json_of):
    assert json_of("forget", "links-1") == {"kind": "volume", "id": "links-1", "forgotten": 1}
    assert json_of("forget", "feed:daily")["forgotten"] == 1
    assert json_of("list")["holders"] == []


def test_forget_of_an_unknown_or_ambiguous_id_is_a_usage_error(ledger, streams):
    assert "has no book or feed links-2" in streams(["ledger", "forget", "links-2"], 2).err
    with Ledger(ledger) as opened:
        board = puzzle_of("3 3\n1 . 1\n2 . 2\n. . .\n")
        opened.add([entry_of(board, Holder(Kind.FEED, "links-1"), "2026-12-02")])
    assert "volume:links-1 or feed:links-1" in streams(["ledger", "forget", "links-1"], 2).err
    assert run(["ledger", "forget", "volume:links-1"]) == 0


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["ledger", "list", "--ledger", ""], "'--ledger'"), (["ledger", "export", "-o", ""], "'-o'"),
        (["build", "book.yaml", "--ledger="], "'--ledger'"), (["build", "book.yaml", "--log", ""], "'--log'"),
        (["build", "book.yaml", "-o", ""], "'-o' / '--out'"),
        (["typeset", "book", "-o", ""], "'-o' / '--out'"), (["export", "book", "--out="], "'-o' / '--out'"),
        (["feed", "feed.yaml", "-o", ""], "'-o' / '--out'"),
        (["preview", "book.yaml", "-o", ""], "'-o' / '--out'"),
    ],
)  # fmt: skip
def test_an_empty_option_is_refused_by_its_name(file, streams, words, option):
    assert f"Invalid value for {option}: it is empty. " in streams(words, 2).err


COMMANDS = [["list"], ["find", "puzzles.txt"], ["show", "0"], ["export"], ["forget", "links-1"]]


@pytest.fixture
def one_puzzle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzles.txt").write_text(OTHER)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_missing_ledger_is_an_output_error_and_is_not_created(one_puzzle, streams, tmp_path, words):
    assert "there is no ledger" in streams(["ledger", *words, "--ledger", str(tmp_path / "none")], 5).err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("words", [*COMMANDS, ["import", "all.jsonl"]])
@pytest.mark.parametrize("what", ["newer", "damaged", "foreign"])
def test_an_unusable_ledger_is_an_output_error_and_is_not_changed(
    file, one_puzzle, capfd, streams, tmp_path, words, what
):
    run(["ledger", "export", "-o", str(tmp_path / "all.jsonl")])
    if what == "damaged":
        content = file.read_bytes()
        file.write_bytes(content[:4096] + b"x" * (len(content) - 4096))
    else:
        pragma = {"newer": "user_version", "foreign": "application_id"}[what]
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute(f"PRAGMA {pragma} = 99")
    before = file.read_bytes()
    capfd.readouterr()
    out, err = streams(["ledger", *words], 5)
    assert (out, file.read_bytes()) == ("", before)
    assert "not touched" in err


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("empty", ["no bytes", "no holders"])
def test_commands_work_with_an_empty_ledger(one_puzzle, capfd, tmp_path, words, empty):
    path = tmp_path / "ledger.sqlite3"
    path.touch()
    if empty == "no holders":
        with Ledger(path):
            pass
    before = path.read_bytes()
    code = run(["ledger", *words, "--ledger", str(path)])
    out, err = capfd.readouterr()
    said = {
        "list": (0, "", "is empty"),
        "find": (0, f"{fingerprint(puzzle_of(OTHER))}\tnew\n", ""),
        "show": (2, "", "has no puzzle 0"),
        "export": (0, '{"format":"linkpress-ledger","format_version":3}\n{"puzzles":0}\n', ""),
        "forget": (2, "", "has no book or feed links-1"),
    }[words[0]]
    assert (code, out) == said[:2]
    assert said[2] in err
    assert path.read_bytes() == before


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
    )  # as if each build ran in a process of its own
    words = ["build", str(tmp_path / "book.yaml"), "-o", str(tmp_path / "out"), "--jobs", "1"]
    return lambda *more: run([*words, *more])


def test_the_password_is_in_no_output_and_no_file(server, postgres, build, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(doctor, "check_trial", doctor.check_packages)
    monkeypatch.setattr(doctor, "check_files", doctor.check_packages)
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
    parts = PASSWORD.partition("@")[0], PASSWORD.partition(":")[2]
    for secret in (PASSWORD, quote(PASSWORD, safe=""), *parts):
        assert secret not in told


def test_each_command_reports_that_it_waits_for_the_ledger(server, tmp_path, build, capfd, monkeypatch):
    (tmp_path / "book.yaml").write_text(SPEC + "isbn: 978-3-16-148410-0\n")
    monkeypatch.setattr(ledger_store, "LOCK_TIMEOUT_S", 0.5)
    monkeypatch.setattr(database, "_NOTIFY_AFTER_S", 0.0)
    for check in ("check_trial", "check_files"):
        monkeypatch.setattr(doctor, check, doctor.check_packages)
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
            assert "has not answered for" in capfd.readouterr().err


def test_check_and_build_refuse_the_isbn_of_another_book(place, tmp_path, streams, monkeypatch):
    monkeypatch.setenv("LINKPRESS_LEDGER", getattr(place, "url", str(place)))
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text(SPEC + "isbn: 978-3-16-148410-0\n")
    second.write_text(SPEC + "id: second\nisbn: 3-16-148410-X\n")
    assert run(["check", str(second)]) == 0  # there is no ledger yet, and none is created
    assert run(["build", str(first), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 0
    streams(["check", str(first)])
    for words in (["check"], ["build"]):
        told = streams([*words, str(second)], 2).err
        said = f"{second}:5:7 isbn: 3-16-148410-X — the ledger has this ISBN for the volume small"
        assert told.startswith(said)
        assert "'linkpress ledger forget small'" in told
    second.write_text(SPEC + "id: second\nepub: {isbn: 3-16-148410-X}\n")
    assert "epub.isbn: 3-16-148410-X — the ledger has this ISBN" in streams(["build", str(second)], 2).err
    second.write_text(SPEC + "id: second\nisbn: 3-16-148410-X\n")
    streams(["check", str(second), "--no-ledger"])
    listed = json.loads(streams(["ledger", "list", "--json"]).out)["holders"]
    assert [(one["id"], one["isbn"]) for one in listed] == [("small", "9783161484100")]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql://house:a@b@host/house", "write @ as %40"),
        ("postgresql://house:50%off@host/house", "% as %25"),
        ("postgresql://house:secret?x@host/house", "? as %3F"),
        ("postgresql://house:secret", "the port is a number"),
        (" postgresql://house:secret@host/house", "without spaces"),
        ('"postgresql://house:secret@host/house"', "without spaces"),
        ("postgresql://house:secret@h\udce9te/house", "without spaces"),
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
def test_a_wrong_address_is_a_usage_error_that_does_not_repeat_it(streams, monkeypatch, address, message):
    for told_by in (["--ledger", address], []):
        if not told_by:
            monkeypatch.setenv("LINKPRESS_LEDGER", address)
        err = streams(["ledger", "list", *told_by], 2).err
        assert message.replace("\\", "") in err
        assert all(secret not in err for secret in ("a@b", "50%off", "secret"))


def test_an_export_leaves_nothing_beside_the_ledger_nor_of_a_killed_one(streams, tmp_path):
    (tmp_path / "book.yaml").write_text(
        "title: A\nseed: 1\nlevels: [{name: A, count: 1, size: 5, paths: 4}]\n"
    )
    ledger, to = tmp_path / "ledger.db", tmp_path / "to"
    streams(["build", str(tmp_path / "book.yaml"), "-o", str(tmp_path / "out"), "--ledger", str(ledger)])
    to.mkdir()
    (to / ".linkpress-killed.part").write_text("half")
    before = {path.name for path in tmp_path.iterdir()}
    streams(["ledger", "export", "-o", str(to / "all.jsonl"), "--ledger", str(ledger)])
    assert {path.name for path in tmp_path.iterdir()} == before
    assert [path.name for path in to.iterdir()] == ["all.jsonl"]
