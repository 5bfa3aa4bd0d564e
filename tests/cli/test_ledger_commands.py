"""``linkpress ledger …``, run as a user runs it but in this process."""

import contextlib
import json
import sqlite3

import pytest

from boards import entry_of, puzzle_of
from linkpress.cli.main import run
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.puzzle.notation.link_text import puzzle_text
from linkpress.puzzle.symmetry import fingerprint
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
def json_of(capfd):
    def call(*words):
        assert run(["ledger", *words, "--json"]) == 0
        return json.loads(capfd.readouterr().out)

    return call


def test_list_names_each_holder_with_its_counts(ledger, capfd, json_of):
    assert run(["ledger", "list"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [
        ["volume links-1", "1 published, 0 reserved"],
        ["feed daily", "1 published, 0 reserved"],
    ]
    first = json_of("list")["holders"][0]
    assert (first["kind"], first["id"], first["title"], first["published"]) == (
        "volume",
        "links-1",
        "The links-1",
        1,
    )


def test_find_knows_a_turned_puzzle_and_says_new_of_others(ledger, capfd, json_of, tmp_path):
    puzzle = puzzle_of(TEXT)
    file = tmp_path / "puzzles.txt"
    file.write_text(puzzle_text(turned_puzzle(puzzle, 1)) + "3 3\n1 . .\n. . .\n. . 1\n")
    assert run(["ledger", "find", str(file)]) == 0
    first, second = capfd.readouterr().out.splitlines()
    assert first == f"{fingerprint(puzzle)}\tpublished in volume links-1, 17"
    assert second.endswith("\tnew")
    places = [row["place"] for row in json_of("find", str(file))["puzzles"]]
    assert places == [{"kind": "volume", "id": "links-1", "slot": "17", "published": True}, None]


def test_find_looks_up_a_built_books_puzzles(tmp_path, capfd):
    spec = tmp_path / "book.yaml"
    spec.write_text("title: Small\nseed: 5\nlevels: [{name: One, count: 2, size: 5x7, paths: 5}]\n")
    assert run(["build", str(spec), "-o", str(tmp_path), "--jobs", "1"]) == 0
    capfd.readouterr()
    for name in (tmp_path / "small", tmp_path / "small" / "volume.json"):
        assert run(["ledger", "find", str(name)]) == 0
        places = [line.split("\t")[1] for line in capfd.readouterr().out.splitlines()]
        assert places == ["published in volume small, 1", "published in volume small, 2"]
    assert run(["ledger", "find", str(tmp_path)]) == 4
    assert "volume.json" in capfd.readouterr().err


def test_show_prints_what_is_known_from_the_first_digits(ledger, capfd, json_of):
    mark = fingerprint(puzzle_of(TEXT))
    assert run(["ledger", "show", mark[:6].upper()]) == 0
    out = capfd.readouterr().out
    assert "place:       published in volume links-1, 17\n" in out
    assert "size:        7 × 5, 2 pairs, 1 solids\n" in out
    assert out.endswith("\n\n" + TEXT)
    shown = json_of("show", mark)
    assert (shown["grade"], shown["score"], shown["place"]["id"]) == ("easy", 12, "links-1")
    assert shown["board"] == TEXT.splitlines()[1:]


@pytest.mark.parametrize(
    ("digits", "said"),
    [("0" * 16, "holds no puzzle 0000000000000000; 'linkpress ledger find'"), ("", "give more")],
)
def test_show_of_digits_that_no_puzzle_or_several_have_is_a_usage_error(ledger, capfd, digits, said):
    assert run(["ledger", "show", digits]) == 2
    assert said in capfd.readouterr().err


def test_what_export_writes_import_takes_over(exported, capfd, tmp_path):
    lines, path = exported
    assert run(["ledger", "export"]) == 0
    assert capfd.readouterr().out == "".join(lines)
    other = ["--ledger", str(tmp_path / "other.sqlite3")]
    assert run(["ledger", "import", str(path), *other]) == 0
    assert "2 of 2 puzzles" in capfd.readouterr().err
    assert run(["ledger", "export", *other]) == 0
    assert capfd.readouterr().out == "".join(lines)


def test_import_exits_with_one_and_names_what_is_held_elsewhere(exported, capfd, json_of):
    lines, path = exported
    path.write_text("".join(lines).replace("links-1", "links-2"))
    assert run(["ledger", "import", str(path)]) == 1
    mark = fingerprint(puzzle_of(TEXT))
    told = f"left out: {mark}, of volume links-2, 17, is held in volume links-1, 17"
    assert told in capfd.readouterr().err
    assert run(["ledger", "import", "--json", str(path)]) == 1
    said = json.loads(capfd.readouterr().out)
    assert (said["puzzles"], said["left_out"][0]["held_in"]["id"]) == (2, "links-1")
    assert [one["id"] for one in json_of("list")["holders"]] == ["links-1", "daily"]


def test_import_names_volumes_that_share_an_isbn(exported, capfd):
    lines, path = exported
    path.write_text("".join(lines).replace('"isbn":null', f'"isbn":"{ISBN}"').replace('"feed"', '"volume"'))
    other = ["--ledger", str(path.with_name("other.sqlite3"))]
    assert run(["ledger", "import", str(path), *other]) == 0
    err = capfd.readouterr().err
    assert f"the ISBN {ISBN} is that of several volumes: daily, links-1. No build" in err
    assert "2 of 2 puzzles" in err
    assert run(["ledger", "import", "--json", str(path), *other]) == 0
    shared = json.loads(capfd.readouterr().out)["shared_isbns"]
    assert shared == [{"isbn": ISBN, "volumes": ["daily", "links-1"]}]


def test_import_says_that_an_earlier_release_s_export_may_not_be_whole(exported, capfd):
    lines, path = exported
    path.write_text(lines[0].replace(":3}", ":1}") + "".join(lines[1:-1]))
    assert run(["ledger", "import", str(path)]) == 0
    err = capfd.readouterr().err
    assert "whole can't be known" in err
    assert "2 of 2 puzzles" in err


def test_control_characters_in_a_ledger_are_written_out(file, capfd, tmp_path):
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE holders SET title = ?, name = ?", ("\x1b[31mX\n", "a\x9b"))
        connection.execute("UPDATE puzzles SET board = '\x1b[2J', seed = '\x07'")
    (tmp_path / "puzzles.txt").write_text(TEXT)
    assert run(["ledger", "list"]) == 0
    assert run(["ledger", "find", str(tmp_path / "puzzles.txt")]) == 0
    assert run(["ledger", "show", fingerprint(puzzle_of(TEXT))]) == 0
    out = capfd.readouterr().out
    assert all(letter.isprintable() for letter in out if letter not in "\n\t")
    for said in (r"\x1b[31mX\n", r"volume a\x9b, 17", r"\x1b[2J", r"\x07"):
        assert said in out


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"[1]\n"])
def test_import_of_anything_else_is_a_puzzle_file_error(file, tmp_path, capfd, content):
    (tmp_path / "file").write_bytes(content)
    assert run(["ledger", "import", str(tmp_path / "file")]) == 4
    assert capfd.readouterr().err.startswith("linkpress: ")
    assert run(["ledger", "import", str(tmp_path / "missing")]) == 4


def test_forget_takes_a_volume_out(ledger, json_of):
    assert json_of("forget", "links-1") == {"kind": "volume", "id": "links-1", "forgotten": 1}
    assert json_of("forget", "feed:daily")["forgotten"] == 1
    assert json_of("list")["holders"] == []


def test_forget_of_an_unknown_or_ambiguous_id_is_a_usage_error(ledger, capfd):
    assert run(["ledger", "forget", "links-2"]) == 2
    assert "holds no links-2" in capfd.readouterr().err
    with Ledger(ledger) as opened:
        board = puzzle_of("3 3\n1 . 1\n2 . 2\n. . .\n")
        opened.add([entry_of(board, Holder(Kind.FEED, "links-1"), "2026-12-02")])
    assert run(["ledger", "forget", "links-1"]) == 2
    assert "volume:links-1 or feed:links-1" in capfd.readouterr().err
    assert run(["ledger", "forget", "volume:links-1"]) == 0


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["ledger", "list", "--ledger", ""], "'--ledger'"),
        (["ledger", "export", "-o", ""], "'-o'"),
        (["build", "book.yaml", "--ledger="], "'--ledger'"),
        (["build", "book.yaml", "--log", ""], "'--log'"),
        (["build", "book.yaml", "-o", ""], "'-o' / '--out'"),
        (["typeset", "book", "-o", ""], "'-o' / '--out'"),
        (["export", "book", "--out="], "'-o' / '--out'"),
        (["feed", "feed.yaml", "-o", ""], "'-o' / '--out'"),
        (["preview", "book.yaml", "-o", ""], "'-o' / '--out'"),
    ],
)
def test_an_empty_option_is_refused_by_its_name(file, capfd, words, option):
    assert run(words) == 2
    assert f"Invalid value for {option}: it is empty. " in capfd.readouterr().err


COMMANDS = [["list"], ["find", "puzzles.txt"], ["show", "0"], ["export"], ["forget", "links-1"]]


@pytest.fixture
def one_puzzle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzles.txt").write_text(OTHER)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_ledger_that_is_not_there_is_an_output_error_and_is_not_made(one_puzzle, capfd, tmp_path, words):
    assert run(["ledger", *words, "--ledger", str(tmp_path / "none")]) == 5
    assert "there is no ledger" in capfd.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("words", [*COMMANDS, ["import", "all.jsonl"]])
@pytest.mark.parametrize("what", ["newer", "damaged", "foreign"])
def test_a_ledger_that_will_not_do_is_an_output_error_and_stays_as_it_is(
    file, one_puzzle, capfd, tmp_path, words, what
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
    assert run(["ledger", *words]) == 5
    out, err = capfd.readouterr()
    assert (out, file.read_bytes()) == ("", before)
    assert "not touched" in err


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("empty", ["no bytes", "no holders"])
def test_an_empty_ledger_holds_nothing(one_puzzle, capfd, tmp_path, words, empty):
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
        "show": (2, "", "holds no puzzle 0"),
        "export": (0, '{"format":"linkpress-ledger","format_version":3}\n{"puzzles":0}\n', ""),
        "forget": (2, "", "holds no links-1"),
    }[words[0]]
    assert (code, out) == said[:2]
    assert said[2] in err
    assert path.read_bytes() == before
