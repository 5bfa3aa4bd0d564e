import contextlib
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest

from linkpress.book.plan import plan_slots, recipe_text
from linkpress.book.spec import BookSpec
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade, Recipe, Span
from linkpress.errors import GaveUpError, RecipeError
from linkpress.ledger.database import Holder, Kind, NoLedgerError, Place
from linkpress.ledger.store import Ledger
from linkpress.production.alike import Layout
from linkpress.production.dispatch import Workers
from linkpress.production.executors import worker_processes
from linkpress.production.journal import Journal, RunLog
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice, LedgerSession
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import journal_text, make_slot
from paper_maker import (
    HERE,
    Heard,
    die_once,
    end_worker,
    essence,
    make_on_paper,
    make_repeats,
    make_slots,
    make_unevenly,
    refuse_grades,
    refuse_third,
)

ELSEWHERE = Place(Holder(Kind.VOLUME, "other"), "1", published=True)


def book_of(**keys):
    level = {"name": "A", "count": 1, "size": 7, "paths": 5, **keys}
    return BookSpec.model_validate({"title": "T", "seed": 1, "levels": [level]})


class Refusing(LedgerSession):
    """Ledger session in which another volume has some puzzles, given by slot and attempt."""

    def __init__(self, in_use, first=0):
        super().__init__()
        self.in_use, self.first, self.requests, self.ahead = in_use, first, [], []

    def first_attempt(self, slot):
        return slot.number % 2 * self.first

    def reserve_ahead(self, puzzles):
        self.ahead += [(one.slot.number, one.record.attempt) for one in puzzles]

    def reserve(self, one):
        self.requests.append((one.slot.number, one.record.attempt))
        return ELSEWHERE if self.requests[-1] in self.in_use else None


def test_every_slot_gets_its_puzzle_in_order_and_the_watcher_sees_it(spec):
    slots, watcher = plan_slots(spec), Heard()
    made = make_slots(slots, watcher=watcher)
    assert tuple(one.slot for one in made) == slots
    assert made == tuple(sorted(watcher.made_so_far, key=lambda finished: finished.slot.number))
    assert made[4].record.puzzle == make_on_paper(slots[4].recipe, "7/Hard/1/0", slots[4].method).puzzle


@pytest.mark.parametrize(
    "make_executor",
    [partial(worker_processes, start_method=method) for method in ("fork", "spawn")] + [ThreadPoolExecutor],
    ids=["fork", "spawn", "threads"],
)
def test_neither_the_number_of_jobs_nor_the_kind_of_executor_changes_a_puzzle(spec, make_executor):
    slots = plan_slots(spec)
    made = make_slots(slots, make_unevenly, Workers(3, make_executor))
    assert essence(made) == essence(make_slots(slots, make_unevenly))


def test_a_repeat_is_made_again_from_its_slots_next_attempt(spec):
    slots = [slot for slot in plan_slots(spec) if slot.recipe.rows == 5]
    alone = make_slots(slots, make_repeats)
    assert [one.record.attempt for one in alone] == [0] + [1] * (len(slots) - 1)
    assert len({one.record.fingerprint for one in alone}) == len(slots)
    assert essence(make_slots(slots, make_repeats, Workers(4, ThreadPoolExecutor))) == essence(alone)


def overlap_of(made):
    """Return the largest overlap of two layouts of the same size."""
    layouts = [Layout.of(one.record.puzzle) for one in made]
    return max(a.overlaps([b.cells])[0] for a, b in combinations(layouts, 2))


def test_small_puzzles_have_their_numbers_in_different_places():
    slots = plan_slots(book_of(count=40, paths="5-6"))
    apart = make_slots(slots, None)
    again = [one for one in apart if one.record.attempt]
    assert again
    assert overlap_of(apart) <= 0.7
    for one in again:
        first, alone = (
            make_slot(partial(generate, graded=True), one.slot, n) for n in (0, one.record.attempt)
        )
        assert len(one.record.puzzle.pairs) == len(first.record.puzzle.pairs)
        assert alone.record == one.record
    assert essence(make_slots(slots, None, Workers(3, ThreadPoolExecutor))) == essence(apart)


def refuse_second(recipe, seed, method, work=0):
    if not seed.endswith("/0"):
        raise RecipeError("it can't be")
    return make_on_paper(recipe, seed, method)


@pytest.mark.parametrize(("maker", "attempts"), [(make_on_paper, 24), (refuse_second, 1)])
def test_the_least_alike_of_24_puzzles_is_taken_if_all_are_much_alike(maker, attempts, tmp_path):
    slots = plan_slots(book_of(count=3))
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        run = ProductionRun(RunPlan(Holder(Kind.VOLUME, "paper"), "Paper", 3), journal, maker=maker)
        with run.at_work(HERE):
            made = run.fill(slots)
    assert [note.split(":")[0] for note in run.notes] == [
        "much alike     puzzle 2 of level A",
        "much alike     puzzle 3 of level A",
    ]
    tried = [make_slot(maker, slots[1], attempt) for attempt in range(attempts)]
    first = Layout.of(made[0].record.puzzle)
    best = min(tried, key=lambda one: Layout.of(one.record.puzzle).overlaps([first.cells]))
    assert made[1].record == best.record
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        resumed = make_slots(slots, maker, journal=journal)
    assert essence(resumed) == essence(made)


def test_a_puzzle_in_use_elsewhere_is_made_again(spec):
    ledger = Refusing({(2, 0), (2, 1)})
    made = make_slots(plan_slots(spec), ledger=ledger)
    assert [one.record.attempt for one in made] == [0, 2, 0, 0, 0, 0, 0]
    assert ledger.requests == [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)]


class Later(Executor):
    """Runs its call in ``finish``."""

    def submit(self, fn, /, *args, **kwargs):
        self.future, self.call = Future(), (fn, args)
        return self.future

    def finish(self):
        function, args = self.call
        self.future.set_result(function(*args))


def test_a_long_search_is_not_silent(spec):
    later = Later()

    class Patient(Heard):
        turns = 0

        def waiting(self):
            self.turns += 1
            if self.turns == 3:
                later.finish()

    watcher = Patient()
    (made,) = make_slots(plan_slots(spec)[:1], workers=Workers(1, lambda jobs: later), watcher=watcher)
    assert watcher.turns >= 3
    assert watcher.made_so_far == [made]


@pytest.mark.parametrize("first", [0, 5])
def test_a_recipe_with_too_few_puzzles_says_so_after_thirty_attempts(spec, first):
    ledger = Refusing({(1, attempt) for attempt in range(100)}, first)
    with pytest.raises(RecipeError, match="puzzle 1 of level Easy: all puzzles of 30 attempts"):
        make_slots(plan_slots(spec), ledger=ledger)
    assert [request for request in ledger.requests if request[0] == 1] == [
        (1, at) for at in range(first, first + 30)
    ]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_recipe_that_can_not_be_met_names_the_first_such_slot(spec, jobs):
    with pytest.raises(RecipeError, match=r"^puzzle 3 of level Easy: it can't be$"):
        make_slots(plan_slots(spec), refuse_third, Workers(jobs, worker_processes))


@pytest.mark.parametrize("jobs", [1, 3])
def test_with_a_journal_all_slots_unlike_the_failed_ones_are_made_and_kept(spec, jobs, tmp_path):
    watcher, log = Heard(), []
    workers = Workers(
        jobs, worker_processes, ahead=1
    )  # with one job, a slot starts after the one before it has ended
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        parts = {"journal": journal, "watcher": watcher, "log": RunLog(say=log.append)}
        with pytest.raises(RecipeError) as caught:
            make_slots(plan_slots(spec), refuse_third, workers, **parts)
    *unmet, kept = str(caught.value).splitlines()
    also = " and 1 more like it"  # with several jobs it may have been made before
    if jobs == 1:
        assert also in unmet[0]
    assert [line.replace(also, "") for line in unmet] == [
        "puzzle 3 of level Easy: it can't be",
        "puzzle 3 of level Hard: it can't be",
    ]
    assert kept.endswith(" of 7 puzzles are kept: the same command goes on from there")
    failing = [message for message in watcher.messages if message.endswith("before the run ends.")]
    assert sorted(message.partition(" All other")[0] for message in failing) == [
        f"puzzle 3 of level {name} was not found." for name in ("Easy", "Hard")
    ]
    assert sum(line.startswith("unmet: slot ") for line in log) == 2
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        # Easy's fourth puzzle is not tried after the third failed, but another worker may have made it
        # before.
        assert {1, 2, 5, 6} <= set(journal.saved) <= {1, 2, 4, 5, 6}
        again = make_slots(plan_slots(spec), journal=journal)
    assert essence(again) == essence(make_slots(plan_slots(spec)))


def test_other_slots_are_made_after_a_slot_got_only_repeats(spec, journal_of):
    ledger, watcher = Refusing({(1, attempt) for attempt in range(100)}), Heard()
    with pytest.raises(
        RecipeError, match=r"^puzzle 1 of level Easy.*: all puzzles of 30 attempts.*\n3 of 7 puzzles are kept"
    ):
        make_slots(plan_slots(spec), ledger=ledger, journal=journal_of(), watcher=watcher)
    assert (7, 0) in ledger.requests
    assert any(line.startswith("puzzle 1 of level Easy was not found. ") for line in watcher.messages)


def test_a_missing_technique_comes_with_advice_and_a_watcher_is_told_the_reason_alone(journal_of):
    slots, watcher, reasons = plan_slots(book_of(count=9, technique="hard")), Heard(), []
    helped = r"^puzzle 1 of level A: no such puzzle\. To have all of them, write .*`effort: "
    watcher.unmet = lambda slot, why: reasons.append(why)
    with pytest.raises(RecipeError, match=helped):
        make_slots(slots, refuse_grades)
    with pytest.raises(RecipeError, match="To have all of them"):
        make_slots(slots, refuse_grades, journal=journal_of(), watcher=watcher)
    assert reasons == ["puzzle 1 of level A: no such puzzle."]


@pytest.fixture
def journal_of(tmp_path):
    """Return a function that opens a journal with some finished slots of an earlier run."""
    with contextlib.ExitStack() as stack:

        def left(*finished):
            with Journal(tmp_path / "journal", "paper", "1") as journal:
                journal.append((one.slot.number, journal_text(one)) for one in finished)
            return stack.enter_context(Journal(tmp_path / "journal", "paper", "1"))

        yield left


def test_puzzles_of_an_earlier_run_are_not_made_again(spec, journal_of):
    slots, watcher = plan_slots(spec), Heard()
    whole = make_slots(slots)
    again = make_slots(slots, journal=journal_of(whole[0], whole[4], whole[6]), watcher=watcher)
    assert essence(again) == essence(whole)
    assert watcher.slots == [1, 5, 7, 6, 2, 3, 4]


def test_each_puzzle_is_reserved_ahead_once(spec, journal_of):
    slots, ledger = plan_slots(spec), Refusing({(2, 0), (2, 1), (4, 0)})
    make_slots(slots, journal=journal_of(*make_slots(slots)), ledger=ledger)
    firsts = [(slot.number, 0) for slot in slots]
    assert sorted(ledger.ahead) == sorted([*firsts, (2, 1), (2, 2), (4, 1)])


def test_a_repeat_that_an_earlier_run_left_is_made_again(spec, journal_of):
    slots = [slot for slot in plan_slots(spec) if slot.recipe.rows == 5]
    left = journal_of(make_slot(make_repeats, slots[2], 0))
    assert essence(make_slots(slots, make_repeats, journal=left)) == essence(make_slots(slots, make_repeats))


def test_a_slot_whose_worker_dies_once_is_made_again(spec, tmp_path, monkeypatch):
    monkeypatch.setenv("PAPER_FOLDER", str(tmp_path))
    slots = plan_slots(spec)
    log = []
    made = make_slots(slots, die_once, Workers(2, worker_processes), log=RunLog(say=log.append))
    assert essence(made) == essence(make_slots(slots))
    again = [line for line in log if line.startswith("again: ")]
    assert all(line.endswith("why the worker process ended from outside") for line in again)
    assert {line.split(",")[0] for line in again} == {f"again: slot {slot.number}" for slot in slots}
    assert len(list(tmp_path.iterdir())) == len(slots)


def test_a_slot_whose_workers_die_again_and_again_is_named(spec):
    lines = []
    workers, log = Workers(2, worker_processes), RunLog(say=lines.append)
    with pytest.raises(GaveUpError, match=r"^puzzle 1 of level Easy can't be made: its worker was lost 3 ti"):
        make_slots(plan_slots(spec), end_worker, workers, log=log)
    assert sum(line.startswith("again: slot 1,") for line in lines) == 2


def test_a_puzzle_is_graded_also_where_its_level_asks_for_no_difficulty():
    records = [one.record for one in make_slots(plan_slots(book_of(count=2)), maker=None)]
    assert all(one.technique is not None and one.score is not None for one in records)


@pytest.mark.parametrize(
    ("count", "total", "message"),
    [
        (0, 40, ""),
        (1, 40, "1 of 40 puzzles is kept: the same command goes on from there"),
        (2, 40, "2 of 40 puzzles are kept: the same command goes on from there"),
        (1, 1, "1 of 1 puzzle is kept: the same command goes on from there"),
    ],
)
def test_a_run_says_how_many_puzzles_are_saved(count, total, message):
    run = ProductionRun(RunPlan(Holder(Kind.VOLUME, "paper"), "Paper", total))
    run.saved.update(range(count))
    assert run.kept == message


def test_an_interruption_during_a_sync_loses_no_puzzle(spec, tmp_path, monkeypatch):
    finished = make_slots(plan_slots(spec))
    interruptions = []

    def interrupt_once(handle):
        if interruptions:
            raise interruptions.pop()

    monkeypatch.setattr("os.fsync", interrupt_once)
    monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 0)
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        interruptions.append(KeyboardInterrupt())
        run = ProductionRun(RunPlan(Holder(Kind.VOLUME, "paper"), "Paper", 7), journal)
        with pytest.raises(KeyboardInterrupt):
            run.save(finished)
    assert run.kept.startswith("7 of 7 puzzles are kept")
    with Journal(tmp_path / "journal", "paper", "1") as journal:
        assert set(journal.saved) == {one.slot.number for one in finished}


FIRST = Holder(Kind.VOLUME, "first")
SECOND = Holder(Kind.VOLUME, "second")


@pytest.fixture
def made(spec):
    """Make two puzzles."""
    return make_slots(plan_slots(spec)[:2])


@pytest.fixture
def choice(place):
    return LedgerChoice(place)


def contents(choice):
    with Ledger(choice.address, writable=False) as ledger:
        return ledger.holdings(), ledger.entries()


def publish(choice, holder, puzzles):
    with LedgerSession(choice, holder, "A title") as session:
        assert [session.reserve(one) for one in puzzles] == [None] * len(puzzles)
        session.publish({one.record.fingerprint: str(number) for number, one in enumerate(puzzles, 1)})


def test_the_next_build_begins_with_the_attempt_that_the_last_one_ended_with(choice, made):
    marked = replace(made[0].record, attempt=4, seed=made[0].slot.seed_of(4))
    later = replace(made[0], record=marked)
    publish(choice, FIRST, [later])
    for chosen in (choice, replace(choice, draft=True)):
        with LedgerSession(chosen, FIRST, "") as session:
            assert [session.first_attempt(one.slot) for one in made] == [4, 0]
            wider = replace(later.slot, recipe=replace(later.slot.recipe, shortest_path=2))
            assert session.first_attempt(wider) == 0


def test_a_draft_reads_the_ledger_and_records_nothing(choice, made):
    publish(choice, FIRST, made[:1])
    before = contents(choice)
    draft = replace(choice, draft=True)
    with LedgerSession(draft, SECOND, "") as session:
        assert str(session.reserve(made[0])) == "volume first, 1"
        assert session.reserve(made[1]) is None
        session.publish({made[1].record.fingerprint: "1"})
    with LedgerSession(draft, FIRST, "") as session:
        assert session.reserve(made[0]) is None
    assert contents(choice) == before


def test_a_draft_creates_no_ledger(choice, made):
    with LedgerSession(replace(choice, draft=True), FIRST, "") as session:
        assert session.reserve(made[0]) is None
    with pytest.raises(NoLedgerError):
        Ledger(choice.address, writable=False)


def test_without_a_ledger_every_puzzle_is_free(made, monkeypatch, tmp_path):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    with LedgerSession(NO_LEDGER, FIRST, "") as session:
        assert session.reserve(made[0]) is None
        assert session.first_attempt(made[0].slot) == 0
        session.publish({})
    assert list(tmp_path.iterdir()) == []


def test_a_recipe_is_written_on_one_line():
    recipe = Recipe(5, 7, pairs=Span(4, 6), techniques=(Grade.EASY, Grade.HARD))
    assert recipe_text(recipe) == (
        "rows=5 cols=7 pairs=4-6 rule=strict techniques=easy-hard shortest_path=3 adjacent_pairs=False "
        "longest_share=1.0 border_share=1.0 border_numbers=1.0 pattern=scattered number_pattern=free "
        "composed=False apart=False"
    )
