import pytest
from news_samples import FEED_TEXT, write_feed

from linkpress.errors import SpecError
from linkpress.feeds.feed_spec import SCHEMA_FILE, WEEKDAYS, feed_schema_text, load_feed
from linkpress.images.image_files import ImageFormat
from linkpress.resources import resource


def test_the_shipped_feed_has_a_puzzle_for_every_day_and_a_rising_ramp():
    spec = load_feed(resource("config", "feed-daily.yaml"))
    assert not spec.skip
    ramp = [(spec.week.day(day).grade[0], spec.week.day(day).size[0].rows) for day in range(7)]
    assert ramp == sorted(ramp)


def test_the_shipped_schema_is_the_models():
    """After a change of keys: write feed_schema_text() to config/feed.schema.json."""
    assert resource("config", SCHEMA_FILE).read_text("utf-8") == feed_schema_text()


@pytest.mark.parametrize(
    ("seed", "is_safe"),
    [
        ("20261201", False),
        ("2026-12-01", False),
        ("tomorrow's puzzle", False),
        ("aaaaaaaaaaaaaaaaaaaaaaaa", False),
        ("3141592653589793", False),
        ("9f86d081884c7d659a2feaa0c55ad015", True),
    ],
)
def test_a_seed_that_can_be_guessed_is_warned_of(tmp_path, seed, is_safe):
    feed = load_feed(write_feed(tmp_path, FEED_TEXT.replace("seed: 7", f'seed: "{seed}"')))
    assert (feed.seed_warning is None) is is_safe


def test_a_weekday_left_out_has_no_issue(tmp_path):
    week = load_feed(write_feed(tmp_path)).week
    assert [WEEKDAYS[day] for day in range(7) if week.day(day) is None] == ["sunday"]


def test_kinds_of_file_are_one_or_a_list(tmp_path):
    text = FEED_TEXT.replace("dpi: 100}", "dpi: 600, format: [png, tiff]}")
    assert load_feed(write_feed(tmp_path, text)).image.format == (ImageFormat.PNG, ImageFormat.TIFF)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("dpi: 100", "dpi: 71", r"7:\d+ image.dpi: 71 — a whole number from 72 to 2400"),
        ("columns: 1,", "columns: 1, width_mm: 80,", r"image.width_mm: 80 mm — give a width, or a grid"),
        ("columns: 1,", "grid: rhenisch,", r"7:\d+ image.grid: rhenisch — .*Did you mean rhenish\?"),
        ("columns: 1,", "theme: none.yaml,", r"7:\d+ image.theme: none.yaml — there is no such theme"),
        (
            "columns: 1,",
            "width_mm: 80,",
            r"names: .*image.width_mm gives .*; take \{columns\} out of the names",
        ),
        ("dpi: 100}", "dpi: 100, format: tiff, mode: gray}", r"image.mode: gray — tiff"),
        ("title: Links", "title: Links\nskip: [2026-02-30]", r"skip\[0\]: 2026-02-30 — .*in the calendar"),
        ("title: Links", "title: Links\nskip: [13-01]", r"skip\[0\]: 13-01"),
        ("{what}", "{what.__class__}", r"6:\d+ names: .*there is no such field"),
        ("L-{date:%Y%m%d}", "../L-{date:%Y%m%d}", r"names: .*inside the output folder"),
        ("L-{date:%Y%m%d}-{number:04}-", "L-", r"names: .*all days would have one name"),
        ("seed: 7", "seed: 7\nutc_offset: CET", r"utc_offset: CET — an offset"),
        ("monday: {size: 5x7}", "monday: {size: 2}", r"week.monday.size: 2 — boards from 3 to 50"),
        ("monday: {size", "mondy: {size", r"week.mondy: .*did you mean `monday`"),
        ("monday: {size: 5x7}", "monday: {size: 5x7, grade: heavy}", r"week.monday.grade: heavy"),
        ("id: test-feed", "id: Test Feed", r"1:5 id: Test Feed"),
    ],
)
def test_faults_are_named_with_their_place(tmp_path, old, new, fault):
    assert old in FEED_TEXT
    with pytest.raises(SpecError, match=fault):
        load_feed(write_feed(tmp_path, FEED_TEXT.replace(old, new)))


def test_a_week_without_any_day_is_a_fault(tmp_path):
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
