import datetime
import json
import os
import re
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from news_samples import FEED_TEXT, write_feed

from linkpress.app.build import build
from linkpress.book.difficulty_forecast import CLEAR_RISE, chance_of_rise, feel_of
from linkpress.book.printing_keys import DifficultyMark
from linkpress.errors import SpecError, UsageError
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import (
    FeedDates,
    day_slot,
    is_feed,
    issue_days,
    load_feed,
    next_issue,
    read_dates,
)
from linkpress.ledger.database import Kind
from linkpress.ledger.store import Ledger
from linkpress.puzzle.link_text import parse_board_rows
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource


def test_a_mix_for_one_weekday_is_told_to_be_a_range(tmp_path):
    week = (
        "title: A\nid: a\nseed: 9f86d081884c7d65\nweek:\n  monday: {size: 6, mix: {easy: 50%, hard: 50%}}\n"
    )
    with pytest.raises(SpecError, match=r"mix: there is no such key: a day has one puzzle; .* give a range"):
        load_feed(write_feed(tmp_path, week))


@pytest.mark.parametrize(
    ("seed", "is_safe"),
    [
        ("20261201", False), ("2026-12-01", False), ("tomorrow's puzzle", False),
        ("aaaaaaaaaaaaaaaaaaaaaaaa", False), ("3141592653589793", False),
        ("9f86d081884c7d659a2feaa0c55ad015", True),
    ],
)  # fmt: skip
def test_a_seed_that_can_be_guessed_leads_to_a_warning(tmp_path, seed, is_safe):
    feed = load_feed(write_feed(tmp_path, FEED_TEXT.replace("seed: 7", f'seed: "{seed}"')))
    assert (feed.seed_warning is None) is is_safe


@pytest.mark.parametrize(
    ("names", "is_right"),
    [
        ("L-{date:%Y}-W{date:%V}-{date:%u}.png", False), ("L-{date:%y%V}-{number}.png", False),
        ("L-{date:%G%m%d}.png", False), ("L-{date:%G}-W{date:%V}-{date:%u}.png", True),
        ("L-{date:%Y%m%d}-W{date:%V}.png", True), ("L-{date:%Y-%j}-W{date:%V}.png", True),
        ("L-{date:%Y%m%d}.png", True),
    ],
)  # fmt: skip
def test_a_year_that_does_not_go_with_its_week_leads_to_a_warning(tmp_path, names, is_right):
    feed = load_feed(
        write_feed(tmp_path, re.sub("names: .*", f'names: "{names[:-4]}-{{what}}-{{number}}.png"', FEED_TEXT))
    )
    assert (feed.names_warning is None) is is_right
    assert is_right or "%V, the week, goes with %G" in feed.warnings[-1]


def test_a_time_zone_follows_summer_time(tmp_path):
    feed = load_feed(write_feed(tmp_path, FEED_TEXT + "timezone: Europe/Berlin\n"))
    days = [datetime.date(2026, 3, 28), datetime.date(2026, 3, 30), datetime.date(2026, 10, 26)]
    offsets = ["+01:00", "+02:00", "+01:00"]
    assert [feed.midnight(day).isoformat()[-6:] for day in days] == offsets
    fixed = load_feed(write_feed(tmp_path, FEED_TEXT + "utc_offset: '-05:00'\n"))
    assert fixed.midnight(days[0]).isoformat() == "2026-03-28T00:00:00-05:00"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("dpi: 100", "dpi: 71", r"7:\d+ image.dpi: 71 — a whole number from 72 to 2400"),
        ("columns: 1,", "columns: 1, width_mm: 80,", r"image.width_mm: 80 mm — give a width, or a grid"),
        ("columns: 1,", "grid: rhenisch,", r"7:\d+ image.grid: rhenisch — .*Did you mean rhenish\?"),
        ("columns: 1,", "theme: none.yaml,", r"7:\d+ image.theme: none.yaml — there is no such theme"),
        (
            "columns: 1,",
            "width_mm: 80,",
            r"names: .*image.width_mm gives .*; remove \{columns\} from the names",
        ),
        ("dpi: 100}", "dpi: 100, format: tiff, mode: gray}", r"image.mode: gray — tiff"),
        ("title: Links", "title: Links\nskip: [2026-02-30]", r"skip\[0\]: 2026-02-30 — .*day must exist"),
        ("title: Links", "title: Links\nskip: [13-01]", r"skip\[0\]: 13-01"),
        ("{what}", "{what.__class__}", r"6:\d+ names: .*there is no such field"),
        ("L-{date:%Y%m%d}", "../L-{date:%Y%m%d}", r"names: .*inside the output folder"),
        ("L-{date:%Y%m%d}-{number:04}-", "L-", r"names: .*all days would have the same name"),
        ("seed: 7", "seed: 7\nutc_offset: CET", r"utc_offset: CET — an offset.*`timezone: Europe/Berlin`"),
        ("seed: 7", "seed: 7\ntimezone: Mars/Base", r"timezone: Mars/Base — a zone of the IANA database"),
        ("seed: 7", "seed: 7\ntimezone: ../x", r"timezone: \.\./x — a zone of the IANA database"),
        (
            "seed: 7",
            "seed: 7\ntimezone: Asia/Tokyo\nutc_offset: '+09:00'",
            r"utc_offset: \+09:00 — timezone gives",
        ),
        ("monday: {size: 5x7}", "monday: {size: 2}", r"week.monday.size: 2 — boards have 5 to 50"),
        ("monday: {size", "mondy: {size", r"week.mondy: .*did you mean `monday`"),
        ("monday: {size: 5x7}", "monday: {size: 5x7, difficulty: heavy}", r"week.monday.difficulty: heavy"),
        ("id: test-feed", "id: _", r"1:5 id: _"),
    ],
)
def test_problems_are_reported_with_their_place(tmp_path, old, new, problem):
    assert old in FEED_TEXT
    with pytest.raises(SpecError, match=problem):
        load_feed(write_feed(tmp_path, FEED_TEXT.replace(old, new)))


def test_a_week_without_any_day_is_refused(tmp_path):
    text = FEED_TEXT[: FEED_TEXT.index("week:")] + "week: {}\n"
    with pytest.raises(SpecError, match="at least one of monday"):
        load_feed(write_feed(tmp_path, text))


def test_a_feed_may_have_a_base(tmp_path):
    (tmp_path / "desk.yaml").write_text("holder: Ada Example\nimage: {theme: none.yaml, dpi: 72}\n")
    base = f"base: desk.yaml\n{FEED_TEXT}"
    with pytest.raises(SpecError, match=r"desk.yaml:2:16 image.theme: none.yaml — there is no such theme"):
        load_feed(write_feed(tmp_path, base))
    spec = load_feed(write_feed(tmp_path, base.replace("columns: 1,", "columns: 1, theme: lineart,")))
    assert (spec.holder, spec.image.dpi, spec.image.theme) == ("Ada Example", 100, "lineart")


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


def test_the_names_of_a_range_and_the_sizes_take_turns_from_week_to_week(tmp_path):
    day = "{size: [8, 9], difficulty: medium-hard}"
    spec = load_feed(write_feed(tmp_path, FEED_TEXT.replace("{size: 6}", day)))
    slots = [day_slot(spec, FRIDAY + week * datetime.timedelta(days=7), 1) for week in range(4)]
    turns = [(slot.recipe.rows, str(slot.recipe.difficulty)) for slot in slots]
    assert set(turns) == {(8, "20-29"), (9, "20-29"), (8, "30-39"), (9, "30-39")}
    assert all(one[1] != following[1] for one, following in pairwise(turns))


def test_the_shipped_week_gets_harder_every_day_and_shows_it():
    spec = load_feed(resource("config", "feed-daily.yaml"))
    days = [spec.week.day(weekday) for weekday in range(7)]
    assert all(earlier.difficulty.high < later.difficulty.low for earlier, later in pairwise(days))
    feels = [feel_of(day.recipes(1)) for day in days]
    assert all(chance_of_rise(*steps) > CLEAR_RISE for steps in pairwise(feels))
    assert spec.caption.difficulty is DifficultyMark.NUMBER  # marks would stay the same on some days


def test_a_mix_is_the_week_of_a_feed(tmp_path):
    text = re.sub("week:.*", "mix: {easy: 3, medium: 2, hard: 2}\nsize: 8\n", FEED_TEXT, flags=re.DOTALL)
    week = load_feed(write_feed(tmp_path, text)).week
    assert [str(week.day(day).difficulty) for day in (0, 2, 3, 6)] == ["0-19", "0-19", "20-29", "30-39"]


VOLUME = """
title: Volume
volume: {volume}
seed: 1
levels:
  - {{name: Easy, count: 40, size: 7, paths: 5-7}}
  - {{name: Hard, count: 20, size: 9, paths: 9-11}}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id: daily\ntitle: A\nmix: {easy: 4, hard: 3}\nimage: {width_mm: 60}\n", True),
        ("title: A\nimage: {width: 60mm}\npuzzles: 30\n", False),
    ],
)
def test_a_file_with_keys_of_a_book_is_no_feed(text, expected, tmp_path):
    (tmp_path / "a.yaml").write_text(text)
    assert is_feed(tmp_path / "a.yaml") is expected


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_a_years_feed_and_three_volumes_share_no_puzzle(tmp_path):
    marks = []
    for volume in (1, 2, 3):  # the same seed, so that only the ledger keeps them apart
        path = tmp_path / f"{volume}.yaml"
        path.write_text(VOLUME.format(volume=volume))
        content = json.loads((build(path, tmp_path).folder / "volume.json").read_text())
        marks += [fingerprint(parse_board_rows(one["board"])) for one in content["puzzles"]]
    feed(resource("config", "feed-daily.yaml"), FeedDates(date(2026, 12, 1), 365), tmp_path / "feed")
    with Ledger(Path(os.environ["LINKPRESS_LEDGER"])) as ledger:
        held = [(one.holder.kind, one.published, one.reserved) for one in ledger.holdings()]
        records = list(ledger.entries())
    assert held == [*[(Kind.VOLUME, 60, 0)] * 3, (Kind.FEED, 365, 0)]
    days = [one.board.split("\n") for one in records if one.kind is Kind.FEED]
    marks += [fingerprint(parse_board_rows(board)) for board in days]
    assert len(set(marks)) == len(marks) == 3 * 60 + 365
