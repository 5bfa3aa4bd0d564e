import os
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest
from ledger_use import DAILY, FIRST, ISBN, SECOND, execute, publish, slots_of

import boards
from boards import SOLVED_BOARD, fingerprint_of, made
from linkpress.errors import OutputError, UsageError
from linkpress.ledger.address import ledger_address
from linkpress.ledger.database import Place, insert_puzzles
from linkpress.ledger.store import LEASE_S, Ledger, Liveness, own_liveness
from linkpress.puzzle.link_text import board_rows


def test_a_published_puzzle_is_found_with_all_its_data(ledger):
    publish(ledger, FIRST, {1: "17"})
    entry = ledger.find(fingerprint_of(1))
    assert (entry.place, entry.title) == (Place(FIRST, "17", published=True), "Title of first")
    assert (entry.rule, entry.proof, entry.technique, entry.score) == ("strict", "kernel", None, None)
    assert (entry.seed, entry.attempt, entry.recipe) == ("s/1", 0, "5x7")
    assert entry.board.split("\n") == list(board_rows(SOLVED_BOARD.puzzle))
    assert (entry.rows, entry.cols, entry.pairs, entry.solids) == (5, 7, 5, 3)
    assert ledger.find("f" * 16) is None


def test_a_puzzle_published_in_one_volume_is_refused_to_another_and_to_a_feed(ledger):
    publish(ledger, FIRST, {1: "17"})
    for other in (SECOND, DAILY):
        with ledger.begin(other, "") as build:
            assert build.reserve(made(1), "3", "") == Place(FIRST, "17", published=True)


def test_a_puzzle_can_be_reserved_again_for_its_slot_but_not_for_another(ledger):
    with ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1), "17", "") is None
        assert build.reserve(made(1), "17", "") is None
        assert build.reserve(made(1), "18", "") == Place(FIRST, "17", published=False)


def test_several_puzzles_are_reserved_at_once_except_those_of_others(ledger, place):
    publish(ledger, SECOND, {2: "9"})
    wanted = [(made(number), str(number), "") for number in (3, 2, 1)]
    with ledger.begin(FIRST, "") as build, Ledger(place) as elsewhere, elsewhere.begin(DAILY, "") as other:
        build.reserve_ahead(wanted)
        assert slots_of(elsewhere, FIRST) == {"1": "1", "3": "3"}
        assert other.reserve(made(1), "2026-12-01", "") == Place(FIRST, "1", published=False)
        found = [build.reserve(*one) for one in wanted]
        assert found == [None, Place(SECOND, "9", published=True), None]
        build.publish({fingerprint_of(1): "1"})
    assert slots_of(ledger, FIRST) == {"1": "1"}


@pytest.mark.parametrize("holder", [FIRST, DAILY])
def test_a_puzzle_reserved_ahead_goes_to_the_first_slot_that_reserves_it(ledger, holder):
    with ledger.begin(holder, "") as build:
        build.reserve_ahead([(made(number), str(number), "") for number in (1, 2)])
        assert build.reserve(made(2), "1", "") is None
        assert build.reserve(made(2), "2", "") == Place(holder, "1", published=False)
        assert slots_of(ledger, holder) == {"1": "1", "2": "1"}


def test_a_build_fails_if_its_volume_was_deleted_by_hand(ledger, place):
    with ledger.begin(FIRST, "") as build:
        execute(place, "DELETE FROM holders")
        with pytest.raises(OutputError, match="was forgotten or taken over"):
            build.reserve(made(1), "1", "")


def test_builds_insert_in_the_same_order_so_that_none_waits_for_another(ledger, monkeypatch):
    inserted = []

    def insert(run, holder_id, entries):
        inserted.extend(entry.fingerprint for entry in entries)
        return insert_puzzles(run, holder_id, entries)

    monkeypatch.setattr("linkpress.ledger.store.insert_puzzles", insert)
    with ledger.begin(FIRST, "") as build:
        for numbers in (1, 2, 3), (6, 5, 4):
            build.reserve_ahead([(made(number), str(number), "") for number in numbers])
    assert inserted == sorted(inserted[:3]) + sorted(inserted[3:])
    assert len(inserted) == 6


def test_published_puzzles_stay_until_the_new_build_is_published(ledger):
    publish(ledger, FIRST, {1: "1", 2: "2"})
    with ledger.begin(FIRST, "") as build:
        build.reserve(made(2), "1", "")
        build.reserve(made(3), "2", "")
    assert slots_of(ledger, FIRST) == {"1": "1", "2": "2", "3": "2"}
    assert [holding.published for holding in ledger.holdings()] == [2]
    publish(ledger, FIRST, {2: "1", 3: "2"})
    assert slots_of(ledger, FIRST) == {"2": "1", "3": "2"}


@pytest.mark.parametrize("holder", [FIRST, DAILY])
def test_a_reservation_of_a_dead_build_moves_to_a_new_slot(ledger, holder):
    for slot in ("1", "2"):
        with ledger.begin(holder, "") as build:
            assert build.reserve(made(1), slot, "") is None
    assert slots_of(ledger, holder) == {"1": "2"}


def test_a_feed_repeats_no_puzzle_and_making_a_day_again_replaces_only_this_day(ledger):
    publish(ledger, DAILY, {1: "2026-12-01"})
    publish(ledger, DAILY, {2: "2026-12-02"})
    with ledger.begin(DAILY, "") as build:
        assert build.reserve(made(1), "2026-12-03", "") == Place(DAILY, "2026-12-01", published=True)
    assert slots_of(ledger, DAILY) == {"1": "2026-12-01", "2": "2026-12-02"}
    publish(ledger, DAILY, {3: "2026-12-02"})
    assert slots_of(ledger, DAILY) == {"1": "2026-12-01", "3": "2026-12-02"}


def test_a_feed_publishes_day_by_day(ledger):
    with ledger.begin(DAILY, "") as build:
        build.reserve(made(1), "2026-12-01", "")
        build.reserve(made(2), "2026-12-02", "")
        build.publish({fingerprint_of(1): "2026-12-01"})
    assert [(holding.published, holding.reserved) for holding in ledger.holdings()] == [(1, 1)]


@pytest.mark.parametrize("holder", [FIRST, DAILY])
def test_puzzles_are_published_under_the_numbers_or_dates_that_they_are_printed_with(ledger, holder):
    with ledger.begin(holder, "") as build:
        build.reserve(made(1), "Easy 1", "")
        build.reserve(made(2), "Easy 2", "")
        build.publish({fingerprint_of(1): "2", fingerprint_of(2): "1"})
    assert slots_of(ledger, holder) == {"1": "2", "2": "1"}


def test_the_ledger_knows_the_attempts_that_a_build_ended_with(ledger):
    with ledger.begin(FIRST, "") as build:
        build.reserve(made(1, "s/1"), "1", "5x7")
        build.reserve(made(2, "s/2", attempt=3), "2", "5x7")
    assert ledger.attempts(FIRST) == {("s/1", "5x7"): 0, ("s/2", "5x7"): 3}
    assert ledger.attempts(SECOND) == {}


def test_forgetting_frees_the_puzzles_and_needs_a_known_id(ledger):
    publish(ledger, FIRST, {1: "1", 2: "2"})
    assert ledger.forget(FIRST) == 2
    assert ledger.holdings() == ()
    publish(ledger, SECOND, {1: "1"})
    with pytest.raises(UsageError, match="no volume first"):
        ledger.forget(FIRST)


def test_a_volume_that_is_being_built_can_neither_be_built_nor_forgotten(ledger, place):
    with Ledger(place) as elsewhere, ledger.begin(FIRST, ""):
        with pytest.raises(OutputError, match=f"being built by process {os.getpid()}"):
            elsewhere.begin(FIRST, "")
        with pytest.raises(OutputError, match="being built"):
            elsewhere.forget(FIRST)
    publish(ledger, FIRST, {1: "1"})
    assert ledger.forget(FIRST) == 1


def test_a_ledger_that_another_program_holds_is_an_error_after_the_wait(place):
    def meanwhile(run):
        with pytest.raises(OutputError, match="locked by another"):
            ledger.begin(FIRST, "")

    with Ledger(place, timeout_s=0.05) as ledger, Ledger(place) as other:
        other.database.write(meanwhile)


def test_a_build_without_puzzles_leaves_no_holder(ledger):
    with ledger.begin(FIRST, ""):
        pass
    assert ledger.holdings() == ()


def test_a_build_that_was_taken_over_publishes_nothing(ledger, place):
    with ledger.begin(FIRST, "") as build:
        build.reserve(made(1), "1", "")
        execute(place, "UPDATE builds SET token = 'another'")
        with pytest.raises(OutputError, match="taken over"):
            build.publish({fingerprint_of(1): "1"})
    assert [holding.published for holding in ledger.holdings()] == [0]


def test_a_puzzle_that_another_volume_has_is_not_published(ledger):
    """This happens after a power cut, or when an old copy of the ledger was put back."""
    with ledger.begin(FIRST, "") as build:
        assert build.reserve(made(1), "1", "") is None
        assert build.reserve(made(2), "2", "") is None
        ledger.database.write(lambda run: run("DELETE FROM puzzles"))
        publish(ledger, SECOND, {1: "9"})
        with pytest.raises(OutputError, match=r"is volume second, 9 now.*Nothing was published"):
            build.publish({fingerprint_of(1): "1", fingerprint_of(2): "2"})
    assert slots_of(ledger, SECOND) == {"1": "9"}
    assert slots_of(ledger, FIRST) == {}


def test_a_prefix_finds_all_fingerprints_that_start_with_it(ledger):
    publish(ledger, FIRST, {0xABC << 52: "1", 0xABD << 52: "2", 0xB << 60: "3"})
    assert [entry.slot for entry in ledger.find_prefix("ab")] == ["1", "2"]
    assert ledger.find_prefix("abe") == ()


def test_a_beat_is_written_when_it_is_due(ledger, place, monkeypatch):
    with ledger.begin(FIRST, "") as build:
        build.heartbeat()
        execute(place, "UPDATE builds SET beat = 0")
        build.heartbeat()
        assert execute(place, "SELECT beat FROM builds") == [(0,)]
        later = time.monotonic() + 60
        monkeypatch.setattr("time.monotonic", lambda: later)
        build.heartbeat()
        assert execute(place, "SELECT beat FROM builds") > [(0,)]


def test_the_path_is_as_chosen_then_from_the_environment_then_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "env"))
    assert ledger_address(tmp_path / "chosen") == tmp_path / "chosen"
    assert ledger_address() == tmp_path / "env"
    monkeypatch.delenv("LINKPRESS_LEDGER")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert ledger_address() == tmp_path / "data" / "ledger.sqlite3"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: "~/.local/share/linkpress")
    with pytest.raises(UsageError, match="no home folder"):
        ledger_address()

    def without_home(*_, **__):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_data_dir", without_home)
    with pytest.raises(UsageError, match="no home folder"):
        ledger_address()


# This program starts a process for each group of names, with a build for each name. The builds fill one slot
# each in turn. For a slot a build tries the puzzles 0, 1, 2, … until one is free. Before every second slot it
# reserves some puzzles ahead, like a build whose puzzles come fast.
BUILDER = """
    import os, sys
    from contextlib import ExitStack
    place, groups, slots, tests = sys.argv[1:5]
    sys.path.insert(0, tests)
    from boards import fingerprint_of, made
    from linkpress.ledger.address import read_address
    from linkpress.ledger.database import Holder, Kind
    from linkpress.ledger.store import Ledger

    names, *others = groups.split(";")
    children = []
    for other in others:
        children.append(os.fork())
        if children[-1] == 0:
            names, children = other, []
            break
    with ExitStack() as stack:
        builds = {}
        for name in names.split(","):
            ledger = stack.enter_context(Ledger(read_address(place)))
            builds[stack.enter_context(ledger.begin(Holder(Kind.VOLUME, name), ""))] = {}
        attempt = 0
        for slot in range(int(slots)):
            for build, places in builds.items():
                if slot % 2:
                    build.reserve_ahead([(made(attempt + n), str(slot), "") for n in range(4)])
                while build.reserve(made(attempt), str(slot), "") is not None:
                    attempt += 1
                places[fingerprint_of(attempt)] = str(slot)
            print(slot, flush=True)
        if sys.argv[5:]:
            sys.stdin.read()
        for build, places in builds.items():
            build.publish(places)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
"""


def start_builder(place, groups, slots, *, waits=False):
    words = [getattr(place, "url", str(place)), groups, str(slots), str(Path(boards.__file__).parent)]
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(BUILDER), *words, *["waits"] * waits],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="processes begin as in POSIX")
def test_twenty_builds_at_once_from_four_processes_finish_and_share_no_puzzle(place):
    groups = [",".join(f"volume-{process}-{build}" for build in range(5)) for process in range(4)]
    builder = start_builder(place, ";".join(groups), 3)
    builder.communicate()
    assert builder.returncode == 0
    with Ledger(place) as ledger:
        assert [(one.published, one.reserved) for one in ledger.holdings()] == [(3, 0)] * 20
        found = [entry.fingerprint for entry in ledger.entries()]
    assert len(found) == 60
    assert set(found) <= {fingerprint_of(number) for number in range(5 * 60)}


def test_reservations_of_a_killed_build_pass_to_the_next_build_of_the_same_id(place):
    builder = start_builder(place, "first", 5, waits=True)
    assert "4\n" in builder.stdout  # its last reservation
    builder.kill()
    builder.communicate()
    with Ledger(place) as ledger:
        with ledger.begin(SECOND, "") as build:
            assert build.reserve(made(0), "1", "") == Place(FIRST, "0", published=False)
        publish(ledger, FIRST, {n: str(n) for n in range(5)})
        assert slots_of(ledger, FIRST) == {str(n): str(n) for n in range(5)}


def test_an_isbn_belongs_to_one_volume(ledger):
    publish(ledger, FIRST, {1: "1"}, isbn=ISBN)
    for refusing in (ledger.check_isbn, lambda holder, isbn: ledger.begin(holder, "", isbn)):
        with pytest.raises(UsageError, match="isbn: the ledger has this ISBN for the volume f") as caught:
            refusing(SECOND, ISBN)
        assert caught.value.key == "isbn"
    ledger.check_isbn(FIRST, ISBN)
    ledger.check_isbn(SECOND, None)
    publish(ledger, FIRST, {1: "1"}, isbn=ISBN)
    assert [(one.isbn, one.published) for one in ledger.holdings()] == [(ISBN, 1)]
    assert [entry.isbn for entry in ledger.entries()] == [ISBN]


def test_a_build_that_published_nothing_does_not_keep_its_isbn(ledger):
    """As one that was refused, because the ISBN of another book was in its spec."""
    for before in (None, ISBN):
        publish(ledger, FIRST, {1: "1"}, isbn=before)
        with ledger.begin(FIRST, "A", "9780306406157") as build:
            build.reserve(made(2), "2", "recipe")
        ledger.check_isbn(SECOND, "9780306406157")
        assert [one.isbn for one in ledger.holdings()] == [before]


def test_an_isbn_is_free_again_when_its_volume_has_another_or_is_forgotten(ledger):
    for release in (lambda: publish(ledger, FIRST, {1: "1"}), lambda: ledger.forget(FIRST)):
        publish(ledger, FIRST, {1: "1"}, isbn=ISBN)
        with pytest.raises(UsageError):
            ledger.check_isbn(SECOND, ISBN)
        release()
        ledger.check_isbn(SECOND, ISBN)


def test_a_build_that_was_killed_holds_no_isbn(ledger, place):
    build = ledger.begin(FIRST, "A", ISBN)
    build.reserve(made(2), "2", "recipe")
    with pytest.raises(UsageError):
        ledger.check_isbn(SECOND, ISBN)
    execute(place, "UPDATE builds SET host = 'elsewhere', beat = 0")
    publish(ledger, SECOND, {1: "1"}, isbn=ISBN)


def test_a_volume_that_is_forgotten_gives_back_the_isbns_of_its_editions(ledger):
    publish(ledger, FIRST, {1: "1"})
    ledger.enter_isbns(FIRST, "A", {"es/isbn": ISBN})
    ledger.add([])  # an import removes volumes without puzzles, but no editions
    with pytest.raises(UsageError, match="'linkpress ledger forget first'"):
        ledger.check_isbn(SECOND, ISBN)
    ledger.forget(FIRST)
    ledger.check_isbn(SECOND, ISBN)


def test_an_interrupted_statement_keeps_no_lock(place):
    def interrupted(run):
        cursor = ledger.database._connection.cursor()
        cursor.execute("INSERT INTO holders (kind, name, title) VALUES ('volume', 'x', 'X') RETURNING id")
        raise KeyboardInterrupt

    with Ledger(place, timeout_s=60) as ledger:
        with pytest.raises(KeyboardInterrupt) as stop:
            ledger.database.write_relaxed(interrupted)
        assert stop.tb.tb_next  # one of the traceback's frames holds the cursor
        publish(ledger, FIRST, {1: "1"})
        assert slots_of(ledger, FIRST) == {"1": "1"}


def test_the_running_process_lives_and_a_reused_number_does_not():
    liveness = own_liveness()
    assert liveness.lives(age_s=0)
    if liveness.started:
        assert liveness.lives(age_s=10 * LEASE_S)
        assert not replace(liveness, started="another boot/1").lives(age_s=0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_a_zombie_process_is_dead():
    code = "from linkpress.ledger import store as l; print(l.own_liveness().started, flush=True); input()"
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **ends) as child:
        liveness = replace(own_liveness(), pid=child.pid, started=child.stdout.readline().strip())
        assert liveness.lives(age_s=0)
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not liveness.lives(age_s=0)


def test_a_process_on_another_machine_lives_as_long_as_its_lease():
    liveness = Liveness("token", "elsewhere", 1, "boot/1")
    assert liveness.lives(age_s=LEASE_S - 1)
    assert not liveness.lives(age_s=LEASE_S + 1)
    assert not liveness.lives(age_s=-LEASE_S - 1)
