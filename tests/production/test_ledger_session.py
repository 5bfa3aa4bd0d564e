from dataclasses import replace

import pytest

from linkpress.book.plan import plan_slots, recipe_text
from linkpress.engine.recipe import Grade, Recipe, Span
from linkpress.ledger.database import NoLedgerError
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice, LedgerSession
from paper_maker import make_slots

FIRST = Holder(Kind.VOLUME, "first")
SECOND = Holder(Kind.VOLUME, "second")


@pytest.fixture
def made(spec):
    """Two puzzles, as a build makes them."""
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
    for choosing in (choice, replace(choice, draft=True)):
        with LedgerSession(choosing, FIRST, "") as session:
            assert [session.first_attempt(one.slot) for one in made] == [4, 0]
            wider = replace(later.slot, recipe=replace(later.slot.recipe, shortest_path=2))
            assert session.first_attempt(wider) == 0


def test_a_draft_asks_and_records_nothing(choice, made):
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


def test_a_draft_makes_no_ledger(choice, made):
    with LedgerSession(replace(choice, draft=True), FIRST, "") as session:
        assert session.reserve(made[0]) is None
    with pytest.raises(NoLedgerError):
        Ledger(choice.address, writable=False)


def test_without_a_ledger_everything_may_be_taken(made, monkeypatch, tmp_path):
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "ledger.sqlite3"))
    with LedgerSession(NO_LEDGER, FIRST, "") as session:
        assert session.reserve(made[0]) is None
        assert session.first_attempt(made[0].slot) == 0
        session.publish({})
    assert list(tmp_path.iterdir()) == []


def test_a_recipe_is_told_on_one_line_by_its_names():
    recipe = Recipe(5, 7, pairs=Span(4, 6), grades=(Grade.EASY, Grade.HARD))
    assert recipe_text(recipe) == (
        "rows=5 cols=7 pairs=4-6 rule=strict grades=easy-hard shortest_path=3 adjacent_pairs=False "
        "longest_share=1.0 border_share=1.0 pattern=scattered"
    )
