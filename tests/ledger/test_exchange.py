import contextlib
import json
import tempfile
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_use import DAILY, FIRST, ISBN, SECOND, execute, publish

from boards import SOLVED_BOARD, entry_of, puzzle_of
from linkpress.errors import PuzzleError
from linkpress.ledger.store import Imported, Ledger, export_ledger, import_ledger

TALL = "4 3\n1...\n....\n1..#\n"
FLAT = "4 3\n12..\n..12\n....\n"


@pytest.fixture
def filled(tmp_path):
    """Open a ledger with two puzzles, and export it."""
    with Ledger(tmp_path / "filled.sqlite3") as ledger:
        ledger.add([entry_of(puzzle_of(TALL), FIRST, "1"), entry_of(puzzle_of(FLAT), DAILY, "2026-12-01")])
        yield ledger, "".join(export_ledger(ledger)).splitlines()


@pytest.fixture
def other(tmp_path):
    with Ledger(tmp_path / "other.sqlite3") as opened:
        yield opened


def test_an_export_can_be_imported_and_exported_again(filled, other):
    ledger, lines = filled
    for _ in range(2):
        assert import_ledger(other, lines, "file") == Imported(2, ())
        assert list(other.entries()) == list(ledger.entries())
        assert "".join(export_ledger(other)).splitlines() == lines


def rows_of(place):
    """Return all rows of the tables, without the keys that join them."""
    puzzles = "SELECT name, p.* FROM puzzles p JOIN holders ON id = holder ORDER BY fingerprint"
    with_numbers = [execute(place, "SELECT * FROM holders ORDER BY kind, name"), execute(place, puzzles)]
    return [
        [[value for at, value in enumerate(row) if at != skip] for row in rows]
        for rows, skip in zip(with_numbers, (0, 2), strict=True)
    ]


def test_a_ledger_moves_to_a_server_and_back_without_loss(tmp_path, postgres):
    with postgres.schema() as server:
        places = [tmp_path / "old.sqlite3", server, tmp_path / "new.sqlite3"]
        with Ledger(places[0]) as ledger:
            publish(ledger, FIRST, {}, isbn=ISBN)
            ledger.add(
                [
                    replace(entry_of(puzzle_of(TALL), FIRST, "1"), title="Zoë’s 数独 \\ 50 %", isbn=ISBN),
                    replace(entry_of(puzzle_of(FLAT), DAILY, "2026-12-01"), technique=None, score=None),
                    replace(entry_of(SOLVED_BOARD.puzzle, SECOND, "puzzle 3"), published=False, attempt=3),
                ]
            )
        for old, new in pairwise(places):
            with Ledger(old, writable=False) as source, Ledger(new) as target:
                assert import_ledger(target, export_ledger(source), "file").left_out == ()
            assert rows_of(new) == rows_of(old)


def test_an_import_leaves_out_and_returns_puzzles_of_other_holders(filled, other):
    other.add([entry_of(puzzle_of(FLAT), SECOND, "9")])
    came = import_ledger(other, filled[1], "file")
    assert (came.puzzles, [entry.slot for entry in came.left_out]) == (2, ["2026-12-01"])
    assert [entry.slot for entry in other.entries(FIRST)] == ["1"]
    assert [one.holder for one in other.holdings()] == [FIRST, SECOND]  # no feed without a puzzle


def test_an_import_keeps_an_isbn_of_several_volumes_and_names_them(ledger, other):
    ledger.add(
        [
            replace(entry_of(puzzle_of(TALL), FIRST, "1"), isbn=ISBN),
            replace(entry_of(puzzle_of(FLAT), SECOND, "1"), isbn=ISBN),
        ]
    )
    lines = "".join(export_ledger(ledger)).splitlines()
    assert import_ledger(other, lines, "file").shared_isbns == {ISBN: (FIRST, SECOND)}
    assert "".join(export_ledger(other)).splitlines() == lines


def test_the_first_place_counts_if_an_import_has_a_puzzle_twice(ledger):
    entry = entry_of(puzzle_of(TALL), FIRST, "1")
    assert ledger.add([entry, replace(entry, slot="2")]) == (replace(entry, slot="2"),)
    assert [one.slot for one in ledger.entries()] == ["1"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fingerprint": "0" * 16}, "does not match the board"), ({"fingerprint": "x"}, "fingerprint"),
        ({"board": ["1 1"]}, "board"), ({"technique": "so-so"}, "technique: .*beginner"),
        ({"attempt": -1}, "attempt"), ({"score": 10**30}, "score"), ({"surprise": 1}, "surprise"),
        ({"\x1b[31m": 1}, r"\\x1b\[31m"), ({"name": "../x"}, "name: .*small letters"), ({"name": 5}, "name"),
        ({"published": "yes"}, "published"), ({"score": "12"}, "score"),
        ({"title": "\x1b[31mX\n"}, r"title: .*U\+001B can't be printed"), ({"title": ""}, "title"),
        ({"seed": "a\nb"}, r"seed: .*U\+000A"), ({"isbn": "978-3"}, "isbn"),
        ({"slot": "\x07"}, r"slot: .*U\+0007"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named_and_nothing_is_imported(filled, other, changes, message):
    lines = filled[1]
    lines[2] = json.dumps(json.loads(lines[2]) | changes)
    with pytest.raises(PuzzleError, match=f"file, line 3: .*{message}"):
        import_ledger(other, lines, "file")
    assert other.holdings() == ()


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ((0,), "file was cut off: after 0 puzzles"),
        ((0, 1), "file was cut off: after 1 puzzles"),
        ((0, 1, 2), "file was cut off: after 2 puzzles"),
        ((0, 2, 3), "file, line 3: it counts 2 puzzles, and before it are 1"),
        ((0, 1, 2, 3, 1), "file, line 4: more follows"),
    ],
)
def test_an_incomplete_export_is_refused(filled, other, keep, message):
    with pytest.raises(PuzzleError, match=message):
        import_ledger(other, [filled[1][at] for at in keep], "file")
    assert other.holdings() == ()


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"format":"linkpress-ledger","format_version":2}'])
def test_a_text_that_is_no_export_is_refused(other, text):
    with pytest.raises(PuzzleError, match="not an exported ledger"):
        import_ledger(other, text.splitlines(), "file")


@settings(max_examples=30)
@given(st.data())
def test_an_export_with_changes_is_imported_or_refused_in_words(data):
    entry = entry_of(puzzle_of(TALL), FIRST, "1")
    line = json.dumps({**asdict(entry), "board": entry.board.split("\n")})
    text = list('{"format":"linkpress-ledger","format_version":3}\n' + line + '\n{"puzzles":1}')
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from(['"', "{", "[", "9", "\n", "\x00", "\ud800", "é", ""]))
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder, "ledger.sqlite3")) as opened:
        came = Imported(0, ())
        with contextlib.suppress(PuzzleError):
            came = import_ledger(opened, "".join(text).splitlines(), "file")
        assert len(list(opened.entries())) + len(came.left_out) == came.puzzles
