import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.book.ledger import (
    Holder,
    Imported,
    Kind,
    Ledger,
    LedgerPuzzle,
    Place,
    export_ledger,
    import_ledger,
    ledger_path,
)
from linkpress.book.ledger.build import LEASE_S, Mark, own_mark
from linkpress.errors import OutputError, PuzzleError, UsageError
from linkpress.puzzle.notation.link_text import board_rows
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.symmetry import fingerprint

FIRST = Holder(Kind.VOLUME, "first")
SECOND = Holder(Kind.VOLUME, "second")
DAILY = Holder(Kind.FEED, "daily")


def made(number: int, slot: str, **changes) -> LedgerPuzzle:
    """A stand-in for a 5 × 7 puzzle; only its fingerprint and slot matter here."""
    puzzle = LedgerPuzzle(
        fingerprint=f"{number:016x}",
        slot=slot,
        board="1 1 . . . . .",
        rule="strict",
        proof="sat",
        grade="easy",
        score=12,
        recipe="5x7",
        seed=f"s/{slot}",
    )
    return replace(puzzle, **changes)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "ledger.sqlite3"


@pytest.fixture
def ledger(path):
    with Ledger(path) as opened:
        yield opened


def publish(ledger, holder, puzzles):
    with ledger.begin(holder, f"Title of {holder.name}") as build:
        assert [build.reserve(puzzle) for puzzle in puzzles] == [None] * len(puzzles)
        build.publish()


def slots_of(ledger, holder):
    return {record.puzzle.fingerprint[-1]: record.place.slot for record in ledger.records(holder)}


def execute(path, statement):
    """What another program does to the file, or reads in it."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


def test_a_published_puzzle_is_found_with_all_that_was_kept(ledger):
    publish(ledger, FIRST, [made(1, "17")])
    record = ledger.find(made(1, "").fingerprint)
    assert record.puzzle == made(1, "17")
    assert record.place == Place(FIRST, "17", published=True)
    assert ledger.find("f" * 16) is None


def test_a_puzzle_published_in_one_volume_is_refused_to_another_and_to_a_feed(ledger):
    publish(ledger, FIRST, [made(1, "17")])
    for other in (SECOND, DAILY):
        with ledger.begin(other, "") as build:
            assert build.reserve(made(1, "3")) == Place(FIRST, "17", published=True)


def test_a_reserved_puzzle_is_refused_to_another_volume(ledger, path):
    with ledger.begin(FIRST, "") as build, Ledger(path) as elsewhere, elsewhere.begin(SECOND, "") as other:
        assert build.reserve(made(1, "17")) is None
        assert other.reserve(made(1, "3")) == Place(FIRST, "17", published=False)


def test_reserving_twice_for_one_slot_is_once_and_for_two_is_a_repeat(ledger):
    with ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1, "17")) is None
        assert build.reserve(made(1, "17")) is None
        assert build.reserve(made(1, "18")) == Place(FIRST, "17", published=False)


def test_building_a_volume_again_replaces_what_was_held_for_it(ledger):
    publish(ledger, FIRST, [made(1, "1"), made(2, "2")])
    publish(ledger, FIRST, [made(2, "1"), made(3, "2")])
    assert slots_of(ledger, FIRST) == {"2": "1", "3": "2"}


def test_what_is_in_print_stays_until_the_new_build_is_published(ledger):
    publish(ledger, FIRST, [made(1, "1"), made(2, "2")])
    with ledger.begin(FIRST, "") as build:
        build.reserve(made(2, "1"))
        build.reserve(made(3, "2"))
    assert slots_of(ledger, FIRST) == {"1": "1", "2": "2", "3": "2"}
    assert [holding.published for holding in ledger.holdings()] == [2]


def test_what_a_dead_build_had_reserved_moves_to_the_slot_that_wants_it_now(ledger):
    for slot in ("1", "2"):
        with ledger.begin(FIRST, "") as build:
            assert build.reserve(made(1, slot)) is None
    assert slots_of(ledger, FIRST) == {"1": "2"}


def test_what_a_cut_off_feed_had_reserved_may_be_had_by_another_date(ledger):
    with ledger.begin(DAILY, "") as build:
        build.reserve(made(1, "2026-12-01"))
    with ledger.begin(DAILY, "") as build:
        assert build.reserve(made(1, "2026-12-02")) is None


def test_a_feed_goes_on_and_repeats_nothing_of_its_own(ledger):
    publish(ledger, DAILY, [made(1, "2026-12-01")])
    publish(ledger, DAILY, [made(2, "2026-12-02")])
    with ledger.begin(DAILY, "") as build:
        assert build.reserve(made(1, "2026-12-03")) == Place(DAILY, "2026-12-01", published=True)
    assert slots_of(ledger, DAILY) == {"1": "2026-12-01", "2": "2026-12-02"}


def test_one_day_of_a_feed_made_again_replaces_that_day_alone(ledger):
    publish(ledger, DAILY, [made(1, "2026-12-01"), made(2, "2026-12-02")])
    publish(ledger, DAILY, [made(3, "2026-12-02")])
    assert slots_of(ledger, DAILY) == {"1": "2026-12-01", "3": "2026-12-02"}


def test_a_feed_publishes_day_by_day(ledger):
    with ledger.begin(DAILY, "") as build:
        build.reserve(made(1, "2026-12-01"))
        build.reserve(made(2, "2026-12-02"))
        build.publish({made(1, "").fingerprint: "2026-12-01"})
    assert [(holding.published, holding.reserved) for holding in ledger.holdings()] == [(1, 1)]


def test_a_volumes_puzzles_are_published_under_the_numbers_that_they_are_printed_with(ledger):
    with ledger.begin(FIRST, "") as build:
        for number, slot in enumerate(["Easy 1", "Easy 2"], 1):
            build.reserve(made(number, slot))
        build.publish({made(1, "").fingerprint: "2", made(2, "").fingerprint: "1"})
    assert slots_of(ledger, FIRST) == {"1": "2", "2": "1"}


def test_a_later_build_knows_the_attempts_that_the_earlier_one_ended_with(ledger):
    publish(ledger, FIRST, [made(1, "1"), made(2, "2", attempt=3)])
    with ledger.begin(FIRST, "") as build:
        assert build.attempts == {("s/1", "5x7"): 0, ("s/2", "5x7"): 3}


def test_forgetting_frees_the_puzzles_and_needs_a_known_id(ledger):
    publish(ledger, FIRST, [made(1, "1"), made(2, "2")])
    assert ledger.forget(FIRST) == 2
    assert ledger.holdings() == ()
    publish(ledger, SECOND, [made(1, "1")])
    with pytest.raises(UsageError, match="no volume first"):
        ledger.forget(FIRST)


def test_a_volume_that_is_being_built_can_neither_be_built_nor_forgotten(ledger, path):
    with Ledger(path) as elsewhere, ledger.begin(FIRST, ""):
        with pytest.raises(OutputError, match=f"being built by process {os.getpid()}"):
            elsewhere.begin(FIRST, "")
        with pytest.raises(OutputError, match="being built"):
            elsewhere.forget(FIRST)
    publish(ledger, FIRST, [made(1, "1")])
    assert ledger.forget(FIRST) == 1


def test_a_build_that_took_nothing_leaves_nothing(ledger):
    with ledger.begin(FIRST, ""):
        pass
    assert ledger.holdings() == ()


def test_a_build_that_lost_its_hold_publishes_nothing(ledger, path):
    with ledger.begin(FIRST, "") as build:
        build.reserve(made(1, "1"))
        execute(path, "UPDATE builds SET token = 'another'")
        with pytest.raises(OutputError, match="taken over"):
            build.publish()
    assert [holding.published for holding in ledger.holdings()] == [0]


def test_prefixes_find_what_starts_so(ledger):
    publish(ledger, FIRST, [made(0xABC << 52, "1"), made(0xABD << 52, "2"), made(0xB << 60, "3")])
    assert [record.place.slot for record in ledger.find_prefix("ab")] == ["1", "2"]
    assert ledger.find_prefix("abe") == ()


def test_a_beat_is_written_when_it_is_due(ledger, path, monkeypatch):
    with ledger.begin(FIRST, "") as build:
        build.heartbeat()
        execute(path, "UPDATE builds SET beat = 0")
        build.heartbeat()
        assert execute(path, "SELECT beat FROM builds") == [(0,)]
        later = time.monotonic() + 60
        monkeypatch.setattr("time.monotonic", lambda: later)
        build.heartbeat()
        assert execute(path, "SELECT beat FROM builds") > [(0,)]


def test_the_path_is_as_chosen_then_from_the_environment_then_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "env"))
    assert ledger_path(tmp_path / "chosen") == tmp_path / "chosen"
    assert ledger_path() == tmp_path / "env"
    monkeypatch.delenv("LINKPRESS_LEDGER")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert ledger_path() == tmp_path / "data" / "ledger.sqlite3"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: "~/.local/share/linkpress")
    with pytest.raises(UsageError, match="no home folder"):
        ledger_path()


def test_the_running_process_lives_and_a_reused_number_does_not():
    mark = own_mark()
    assert mark.lives(age_s=0)
    if mark.started:
        assert mark.lives(age_s=10 * LEASE_S)
        assert not replace(mark, started="another boot/1").lives(age_s=0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't tell when a process started")
def test_a_process_that_has_ended_is_dead_before_anybody_asks_for_its_exit_code():
    code = "from linkpress.book.ledger.build import own_mark; print(own_mark().started, flush=True); input()"
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **ends) as child:
        mark = replace(own_mark(), pid=child.pid, started=child.stdout.readline().strip())
        assert mark.lives(age_s=0)
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not mark.lives(age_s=0)


def test_a_process_on_another_machine_lives_as_long_as_its_lease():
    mark = Mark("token", "elsewhere", 1, "boot/1")
    assert mark.lives(age_s=LEASE_S - 1)
    assert not mark.lives(age_s=LEASE_S + 1)
    assert not mark.lives(age_s=-LEASE_S - 1)


# A builder that tries the puzzles 0, 1, 2, … for each of its slots until one is free, as a
# build tries the attempts of a slot; every slot has the same candidates.
BUILDER = """
    import sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[4])
    from test_ledger_store import made
    from linkpress.book.ledger import Holder, Kind, Ledger

    with Ledger(Path(sys.argv[1])) as ledger, ledger.begin(Holder(Kind.VOLUME, sys.argv[2]), "") as build:
        for slot in range(int(sys.argv[3])):
            attempt = 0
            while build.reserve(made(attempt, str(slot), attempt=attempt)) is not None:
                attempt += 1
            print(slot, flush=True)
        if len(sys.argv) > 5:
            sys.stdin.read()
        build.publish()
"""


def start_builder(path: Path, name: str, slots: int, *, waits: bool = False) -> subprocess.Popen:
    words = [str(path), name, str(slots), str(Path(__file__).parent), *(["waits"] if waits else [])]
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(BUILDER), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_builds_at_once_both_finish_and_share_no_puzzle(path):
    builders = [start_builder(path, name, 20) for name in ("first", "second")]
    for builder in builders:
        builder.communicate()
        assert builder.returncode == 0
    with Ledger(path) as ledger:
        assert [(h.published, h.reserved) for h in ledger.holdings()] == [(20, 0), (20, 0)]
        assert len({record.puzzle.fingerprint for record in ledger.records()}) == 40


def test_reservations_of_a_killed_build_pass_to_the_same_id_and_stay_taken_for_others(path):
    builder = start_builder(path, "first", 5, waits=True)
    while builder.stdout.readline() != "4\n":
        pass
    builder.kill()
    builder.communicate()
    with Ledger(path) as ledger:
        with ledger.begin(SECOND, "") as build:
            assert build.reserve(made(0, "1")) == Place(FIRST, "0", published=False)
        with ledger.begin(FIRST, "") as build:
            assert [build.reserve(made(n, str(n), attempt=n)) for n in range(5)] == [None] * 5
            build.publish()
        assert slots_of(ledger, FIRST) == {str(n): str(n) for n in range(5)}


def real_puzzle(text: str, slot: str) -> LedgerPuzzle:
    (puzzle,) = read_puzzles(text)
    board = "\n".join(board_rows(puzzle))
    return made(0, slot, fingerprint=fingerprint(puzzle), board=board)


TALL = "4 3\n1...\n....\n1..#\n"
FLAT = "4 3\n12..\n..12\n....\n"


def test_what_is_exported_comes_back_the_same(ledger, tmp_path):
    publish(ledger, FIRST, [real_puzzle(TALL, "1")])
    publish(ledger, DAILY, [real_puzzle(FLAT, "2026-12-01")])
    text = "".join(export_ledger(ledger))
    with Ledger(tmp_path / "other.sqlite3") as other:
        assert import_ledger(other, text.splitlines(), "file") == Imported(2, (), counted=True)
        assert "".join(export_ledger(other)) == text
        assert import_ledger(other, text.splitlines(), "file") == Imported(2, (), counted=True)


def test_an_import_leaves_out_and_names_what_is_held_elsewhere(ledger, tmp_path):
    publish(ledger, FIRST, [real_puzzle(TALL, "1"), real_puzzle(FLAT, "2")])
    text = "".join(export_ledger(ledger))
    with Ledger(tmp_path / "other.sqlite3") as other:
        publish(other, SECOND, [real_puzzle(FLAT, "9")])
        came = import_ledger(other, text.splitlines(), "file")
        assert (came.puzzles, [record.place.slot for record in came.left_out]) == (2, ["2"])
        assert slots_of(other, FIRST).keys() == {real_puzzle(TALL, "1").fingerprint[-1]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fingerprint": "0" * 16}, "not its board's"),
        ({"fingerprint": "x"}, "fingerprint"),
        ({"board": ["1 1"]}, "board"),
        ({"grade": "so-so"}, "grade: .*beginner"),
        ({"attempt": -1}, "attempt"),
        ({"score": 10**30}, "score"),
        ({"surprise": 1}, "surprise"),
        ({"\x1b[31m": 1}, r"\\x1b\[31m"),
        ({"name": "../x"}, "name: .*small letters"),
        ({"name": 5}, "name"),
        ({"published": "yes"}, "published"),
        ({"score": "12"}, "score"),
        ({"title": "\x1b[31mX\n"}, r"title: .*U\+001B can't be printed"),
        ({"title": ""}, "title"),
        ({"seed": "a\nb"}, r"seed: .*U\+000A"),
        ({"slot": "\x07"}, r"slot: .*U\+0007"),
    ],
)
def test_a_faulty_line_is_named_and_nothing_is_imported(ledger, tmp_path, changes, message):
    publish(ledger, FIRST, [real_puzzle(TALL, "1"), real_puzzle(FLAT, "2")])
    lines = "".join(export_ledger(ledger)).splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | changes)
    with Ledger(tmp_path / "other.sqlite3") as other:
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
def test_an_export_that_is_not_whole_is_refused(ledger, tmp_path, keep, message):
    publish(ledger, FIRST, [real_puzzle(TALL, "1"), real_puzzle(FLAT, "2")])
    lines = "".join(export_ledger(ledger)).splitlines()
    with Ledger(tmp_path / "other.sqlite3") as other:
        with pytest.raises(PuzzleError, match=message):
            import_ledger(other, [lines[at] for at in keep], "file")
        assert other.holdings() == ()


def test_an_export_of_an_earlier_release_is_taken_without_a_count(ledger, tmp_path):
    publish(ledger, FIRST, [real_puzzle(TALL, "1")])
    lines = "".join(export_ledger(ledger)).splitlines()
    old = ['{"format":"linkpress-ledger","format_version":1}', lines[1], ""]
    with Ledger(tmp_path / "other.sqlite3") as other:
        assert import_ledger(other, old, "file") == Imported(1, (), counted=False)


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"format":"linkpress-ledger","format_version":3}'])
def test_what_is_no_export_is_refused(ledger, text):
    with pytest.raises(PuzzleError, match="not an exported ledger"):
        import_ledger(ledger, text.splitlines(), "file")


@settings(max_examples=30)
@given(st.data())
def test_an_export_with_changes_is_imported_or_refused_in_words(data):
    line = json.dumps(
        {
            "kind": "volume", "name": "first", "title": "A", "slot": "1", "published": True,
            "made": "2026-11-20", "fingerprint": real_puzzle(TALL, "1").fingerprint,
            "board": TALL.splitlines()[1:], "rule": "strict", "proof": "sat", "grade": None,
            "score": 1, "recipe": "", "seed": "", "attempt": 0,
        }
    )  # fmt: skip
    text = list('{"format":"linkpress-ledger","format_version":2}\n' + line + '\n{"puzzles":1}')
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from(['"', "{", "[", "9", "\n", "\x00", "\ud800", "é", ""]))
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder, "ledger.sqlite3")) as opened:
        came = Imported(0, (), counted=True)
        with contextlib.suppress(PuzzleError):
            came = import_ledger(opened, "".join(text).splitlines(), "file")
        assert len(list(opened.records())) + len(came.left_out) == came.puzzles
