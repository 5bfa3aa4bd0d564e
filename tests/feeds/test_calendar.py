import datetime

import pytest
from news_samples import FEED_TEXT, write_feed

from linkpress.errors import UsageError
from linkpress.feeds.calendar import FeedDates, day_slot, issue_days, next_issue, read_dates
from linkpress.feeds.feed_spec import load_feed

FRIDAY = datetime.date(2026, 12, 25)


@pytest.fixture
def spec(tmp_path):
    text = FEED_TEXT.replace("title: Links", "title: Links\nskip: [2026-12-28, 01-01]")
    return load_feed(write_feed(tmp_path, text))


def test_days_are_calendar_days_and_those_skipped_have_no_issue(spec):
    days = [day.isoformat() for day in issue_days(spec, FeedDates(FRIDAY, 10))]
    # without Sunday 27, Monday 28, New Year's Day and Sunday 3
    assert days == ["2026-12-25", "2026-12-26", "2026-12-29", "2026-12-30", "2026-12-31", "2027-01-02"]


def test_the_next_issue_is_after_all_that_is_skipped(spec):
    assert next_issue(spec, datetime.date(2026, 12, 26)) == datetime.date(2026, 12, 29)
    assert next_issue(spec, datetime.date(2027, 12, 31)) == datetime.date(2028, 1, 3)


def test_a_run_without_any_issue_is_refused(spec):
    with pytest.raises(UsageError, match="no day from 2026-12-27 to 2026-12-28"):
        issue_days(spec, FeedDates(datetime.date(2026, 12, 27), 2))


def test_a_feed_that_ends_for_good_is_refused(spec):
    endless = spec.model_copy(
        update={"skip": tuple(f"{m:02}-{d:02}" for m in range(1, 13) for d in range(1, 32))}
    )
    with pytest.raises(UsageError, match="no issue for"):
        next_issue(endless, FRIDAY)


@pytest.mark.parametrize("text", ["2026-02-30", "20261201", "2026-13-01", "tomorrow", "", "0001-01-01"])
def test_dates_that_do_not_exist_are_refused(text):
    with pytest.raises(UsageError, match="2026-12-01"):
        read_dates(text, 1)


@pytest.mark.parametrize("days", [0, -1, 3661])
def test_too_few_or_too_many_days_are_refused(days):
    with pytest.raises(UsageError, match="1 to 3660"):
        read_dates("2026-12-01", days)


def test_a_run_is_named_by_its_calendar_days():
    assert read_dates("2026-12-01", 31).name == "2026-12-01-2026-12-31"


def test_a_day_s_randomness_comes_from_seed_and_date_alone(spec):
    slot = day_slot(spec, FRIDAY, 12)
    assert slot.seed_of(2) == "7/2026-12-25/2"
    assert slot.seed == day_slot(spec, FRIDAY, 999).seed
    assert str(slot) == "2026-12-25"


@pytest.mark.parametrize("sizes", ["5, 5x7, 6", "5, 5x6, 5x7, 6x5, 6, 6x7, 7x5"], ids=["three", "seven"])
def test_the_sizes_of_a_list_take_turns_from_week_to_week(tmp_path, sizes):
    spec = load_feed(write_feed(tmp_path, FEED_TEXT.replace("{size: 6}", f"{{size: [{sizes}]}}")))
    count = len(sizes.split(","))
    weeks = [FRIDAY + week * datetime.timedelta(days=7) for week in range(count + 1)]
    boards = [(slot.recipe.cols, slot.recipe.rows) for slot in (day_slot(spec, day, 1) for day in weeks)]
    assert len(set(boards)) == count
    assert boards[count] == boards[0]
