"""A spec that is open: edits, undo and redo, what others write meanwhile."""

import datetime
import io
import random
import re
import zipfile
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from studio_samples import FEED, SPEC

from linkpress.book.mixes import WEEKDAYS
from linkpress.book.spec import BookSpec, load_spec, read_spec
from linkpress.documents.yaml_source import parse_yaml
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import read_dates
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.studio.settings import book_form
from linkpress.studio.spec_files import Change, ConflictError, Editor, RefusedError, SpecFile, merge


@pytest.fixture
def spec(folder):
    return SpecFile(folder / "small.yaml", BookSpec, read_spec, folder / "good.yaml")


def test_an_added_entry_is_no_copy_of_the_last_one(spec):
    for page in ({"text": "Thanks", "title": "For Lina"}, {"text": "Yours"}):
        spec.change(Change("add", ("front",), page))
    values = parse_yaml(spec.text, "").value
    assert values["front"] == [{"text": "Thanks", "title": "For Lina"}, {"text": "Yours"}]


def test_a_change_is_written_at_once_and_can_be_undone(spec):
    spec.change(Change("set", ("title",), "Other"))
    assert spec.path.read_text() == SPEC.replace("Small book ", "Other ")
    spec.undo()
    assert spec.path.read_text() == SPEC
    spec.redo()
    assert load_spec(spec.path).title == "Other"


def test_undo_tells_where_a_moved_entry_is_then(spec):
    for name in ("Long", "Last"):
        spec.change(Change("add", ("levels",), {"name": name, "count": "1", "size": "5"}))
    spec.change(Change("order", ("levels",), [0, 3, 1, 2]))
    assert spec.state()["undo"]["label"] == "Last"
    assert spec.undo()["step"]["path"] == ["levels", 3]
    assert spec.redo()["step"]["path"] == ["levels", 1]
    spec.change(Change("order", ("levels",), [1, 2, 0, 3]))
    assert [spec.undo()["step"]["path"], spec.redo()["step"]["path"]] == [["levels", 0], ["levels", 2]]


def test_changes_of_a_key_during_one_focus_are_one_step(spec, monkeypatch):
    first, other = Editor("one", "opening", 3), Editor("one", "opening", 4)
    count = ("levels", 1, "count")

    def steps():
        found = []
        while spec.state()["undo"]:
            found.insert(0, spec.undo()["step"]["path"][-1])
        assert spec.text == SPEC
        return found

    for title in ("A", "AB", "ABC"):
        spec.change(Change("set", ("title",), title), first)
    assert steps() == ["title"]
    changes = [(("title",), first), (count, first), (count, other), (count, Editor("one", "opening"))]
    for index, (key, editor) in enumerate(changes):
        spec.change(Change("set", key, str(7 + index)), editor)
    assert steps() == ["title", "count", "count", "count"]
    for value in ("3", "4", "2"):  # the last is the value of the file
        spec.change(Change("set", count, value), first)
    assert not spec.state()["undo"]
    for title in ("A", "B"):
        spec.change(Change("set", ("title",), title), first)
        spec.undo()
        spec.redo()
    assert steps() == ["title", "title"]
    monkeypatch.setattr("linkpress.studio.spec_files._LONGEST_PAUSE", datetime.timedelta(0))
    for title in ("A", "B"):
        spec.change(Change("set", ("title",), title), first)
    assert steps() == ["title", "title"]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("page", "trim"), "large", "a page size is written"),
        (("levels", 0, "paths"), "20", "a board of 5x5 has 25 free"),
        (("titel",), "x", "did you mean `title`"),
    ],
)
def test_a_wrong_value_is_refused_in_the_words_of_check_and_not_written(spec, path, value, said):
    with pytest.raises(RefusedError, match=said):
        spec.change(Change("set", path, value))
    assert spec.path.read_text() == SPEC


def test_a_change_by_another_program_stays_and_can_be_undone(spec):
    spec.path.write_text(SPEC.replace("seed: 7", "seed: 8"))
    spec.change(Change("set", ("title",), "Other"))
    assert (load_spec(spec.path).seed, load_spec(spec.path).title) == (8, "Other")
    spec.undo()
    spec.undo()
    assert spec.path.read_text() == SPEC


def test_a_new_text_keeps_what_others_have_changed_meanwhile(spec):
    theirs, mine = ("seed: 7", "seed: 8"), ("title: Small", "title: Great")
    spec.path.write_text(SPEC.replace(*theirs))
    spec.replace_text(SPEC.replace(*mine) + "author: Me\n", SPEC)
    assert spec.path.read_text() == SPEC.replace(*theirs).replace(*mine) + "author: Me\n"


def test_who_wins_is_asked_only_of_lines_that_both_have_changed(spec):
    there = SPEC.replace("seed: 7", "seed: 8").replace("count: 2", "count: 3")
    here = SPEC.replace("seed: 7", "seed: 9") + "author: Me\n"
    spec.path.write_text(there)
    with pytest.raises(ConflictError) as conflict:
        spec.replace_text(here, SPEC)
    assert conflict.value.clashes == [("seed: 9\n", "seed: 8\n")]
    assert spec.path.read_text() == there
    spec.replace_text(here, SPEC, keep="theirs")
    assert spec.path.read_text() == there + "author: Me\n"
    spec.undo()
    spec.replace_text(here, SPEC, keep="mine")
    assert spec.path.read_text() == there.replace("seed: 8", "seed: 9") + "author: Me\n"


@given(*[st.lists(st.sampled_from("abc\n")).map("".join)] * 3)
def test_a_merge_with_one_changed_side_is_that_side(base, mine, theirs):
    assert merge(base, mine, base) == (mine, [])
    assert merge(base, base, theirs) == (theirs, [])
    assert merge(base, mine, mine) == (mine, [])
    merged, clashes = merge(base, mine, theirs)
    assert clashes or merge(base, theirs, mine) == (merged, [])


def test_invalid_yaml_has_one_problem_at_its_line(tmp_path):
    path = tmp_path / "my books.yaml"
    path.write_text("title: Small\nlevels: [1\n")
    (problem,) = SpecFile(path, BookSpec, read_spec, path.with_name("good.yaml")).document.problems
    assert (problem.line, problem.column, problem.key) == (3, 1, ())
    assert problem.text.startswith("not valid YAML")


def test_setting_a_key_of_a_named_theme_makes_it_the_base(spec):
    spec.change(Change("set", ("theme",), "bold"))
    spec.change(Change("set", ("theme", "grid", "inner_pt"), "1"))
    assert parse_yaml(spec.text, "").value["theme"] == {"base": "bold", "grid": {"inner_pt": "1"}}


def test_a_price_changes_no_printed_value(spec):
    before = spec.printed_values()
    spec.change(Change("set", ("price", "USD"), "9.99"))
    assert spec.printed_values() == before
    spec.change(Change("set", ("title",), "Other"))
    assert spec.printed_values() != before


@pytest.mark.parametrize(
    ("own", "chosen", "left"),
    [
        ("design: cat, accent: C50", {"design": "river"}, {"design": "river"}),
        ("design: cat, background: C100", {"palette": "2"}, {"design": "cat", "palette": "2"}),
        ("design: cat, background: C100", {"design": None}, "yes"),  # the book keeps a cover
    ],
)
def test_choosing_a_design_or_palette_removes_own_colours_in_one_step(spec, own, chosen, left):
    spec.write(SPEC.replace("cover: yes", f"cover: {{{own}}}"))
    spec.change(Change("replace", ("cover",), chosen))
    assert parse_yaml(spec.text, "").value["cover"] == left
    spec.undo()
    assert own in spec.text


def test_changing_a_level_of_a_mix_writes_out_its_levels(folder):
    path = folder / "mix.yaml"
    text = "title: Mix  # ours\npuzzles: 9\ndifficulties: {gentle: {size: 6}, tough: {size: 8}}\nseed: 1\n"
    path.write_text(text)
    spec = SpecFile(path, BookSpec, read_spec, path.with_name("good.yaml"))
    assert [level["count"] for level in spec.state()["values"]["levels"]] == ["5", "4"]
    spec.change(Change("set", ("levels", 1, "count"), "6"))
    assert spec.text.startswith("title: Mix  # ours\n")
    assert parse_yaml(spec.text, "").value == {
        "title": "Mix",
        "seed": "1",
        "levels": [
            {"size": "6", "count": "5", "name": "Gentle"},
            {"size": "8", "count": "6", "name": "Tough"},
        ],
    }


def test_random_changes_of_the_form_leave_comments_and_other_keys_alone(spec):
    dice = random.Random(1)
    fields = list(_fields(book_form()["fields"], ()))
    values = ["yes", "no", "2", "7", "A5", "bold", "A text", "12 %", "#336699", "3-5", "de"]
    wanted = parse_yaml(spec.text, "").value
    taken = 0
    for _ in range(120):
        path, value = dice.choice(fields), dice.choice(values)
        try:
            spec.change(Change("set", path, value))
        except RefusedError:
            assert parse_yaml(spec.path.read_text(), "").value == wanted
            continue
        taken += 1
        inner = wanted
        for step in path[:-1]:
            if isinstance(inner, dict) and not isinstance(inner.get(step), (dict, list)):
                named = inner.get(step)
                inner[step] = {"base": named} if step == "theme" and named else {}
            inner = inner[step]
        inner[path[-1]] = value
        assert parse_yaml(spec.path.read_text(), "").value == wanted
    assert taken > 25
    assert all(comment in spec.text for comment in ("# A book to try things on.", "# The first level."))


def _fields(fields, path):
    for field in fields:
        here = (*path, field["key"])
        if field["many"] and field["fields"]:
            if here == ("levels",):
                yield from (p for level in (0, 1) for p in _fields(field["fields"], (*here, level)))
        elif field["fields"] and not field["allowed"]:
            yield from _fields(field["fields"], here)
        else:
            yield here


FILE = {"file": "daily.yaml"}
MONDAY = "2026-12-07"


@pytest.fixture
def days(folder, client):
    (folder / "daily.yaml").write_text(FEED, encoding="utf-8")
    return client


def _swap(client, which):
    sent = {**FILE, "kind": "set", "path": ["replace", MONDAY], "value": which}
    assert client.post("/api/change", json=sent).status_code == 200


def _calendar(client, day, span="month"):
    query = {**FILE, "today": "2026-11-30", "day": day, "span": span}
    return client.get("/api/calendar", params=query).json()


def _state_of(client):
    days = (day for week in _calendar(client, MONDAY)["weeks"] for day in week)
    return next((day["state"], day["swapped"]) for day in days if day["day"] == MONDAY)


def _board(client):
    svg = client.get("/api/day_board", params={**FILE, "day": MONDAY}).text
    assert svg.startswith("<svg")
    return svg


def test_a_future_day_has_the_board_that_a_run_makes(days, folder):
    foretold = _board(days)
    feed(folder / "daily.yaml", read_dates(MONDAY, 2), folder / "output" / "daily", ledger=NO_LEDGER, jobs=1)
    month = _calendar(days, "2026-12-25")
    assert (month["title"], month["made"], month["make"]) == ("December 2026", 2, "Make December 14 to 29")
    states = [(day.get("told"), day["state"]) for day in month["weeks"][1][:3]]
    assert states == [("1 · Easy", "made"), ("2 · Easy", "made"), (None, "none")]
    assert _board(days) == foretold


def test_where_a_month_is_made_the_next_days_to_make_are_offered(days, folder):
    feed(folder / "daily.yaml", read_dates("2026-11-30", 1), folder / "output" / "daily", ledger=NO_LEDGER)
    month = _calendar(days, "2026-11-30")
    assert (month["title"], month["made"]) == ("November 2026", 1)
    assert (month["make"], month["left"]) == ("Make December 1 to 29", {"from": "2026-12-01", "days": 29})
    assert _calendar(days, "2026-01-01")["left"] == month["left"]
    # A week that has begun in the month before, and is not all made.
    week = _calendar(days, "2026-12-02", "week")
    assert (week["title"], week["make"]) == ("November 30 – December 6, 2026", "Make December 1")
    assert [day["state"] for day in week["weeks"][0]] == ["made", "planned", *["none"] * 5]
    assert (week["earlier"], week["later"]) == ("2026-11-23", "2026-12-07")


def test_all_images_of_a_month_or_week_are_saved_as_one_zip(days, folder):
    out = folder / "output" / "daily"
    feed(folder / "daily.yaml", read_dates("2026-11-30", 9), out, ledger=NO_LEDGER)

    def zipped(day, span):
        answer = days.get("/api/month", params={**FILE, "day": day, "span": span})
        return answer, zipfile.ZipFile(io.BytesIO(answer.content)) if answer.is_success else None

    answer, month = zipped("2026-12-01", "month")
    assert "daily-2026-12.zip" in answer.headers["content-disposition"]
    assert len(month.namelist()) == 6  # the puzzles and solutions of three days
    assert all(month.read(name) == (out / name).read_bytes() for name in month.namelist())
    assert len(zipped("2026-12-01", "week")[1].namelist()) == 4
    assert zipped("2027-01-01", "month")[0].json() == {"refused": "No image of this month is made yet."}
    _swap(days, "1")  # the images of this day show the puzzle that it had before
    names = zipped("2026-12-01", "month")[1].namelist()
    assert len(names) == 4
    assert not any("20261207" in name and "puzzle" in name for name in names)


def test_each_image_of_a_month_is_saved_byte_for_byte_from_the_panel_of_its_day(days, folder):
    week = "".join(f"  {day}: {{size: 5, difficulty: easy}}\n" for day in WEEKDAYS)
    (folder / "daily.yaml").write_text(FEED.partition("week:")[0] + f"week:\n{week}")
    out, first = folder / "output" / "daily", "2026-12-01"
    feed(folder / "daily.yaml", read_dates(first, 31), out, ledger=NO_LEDGER)
    saved = set()
    for number in range(31):
        day = datetime.date.fromisoformat(first) + datetime.timedelta(days=number)
        panels = days.get("/api/day", params={**FILE, "day": day.isoformat(), "today": first}).json()
        for panel in panels.values():
            for address in re.findall(r'href="(api/file[^"]*)" download', panel):
                answer = days.get(f"/{unescape(address)}")
                name = answer.headers["content-disposition"].partition('filename="')[2].strip('"')
                assert answer.content == (out / name).read_bytes()
                saved.add(name)
    images = {path.name for path in out.glob("*.png")}
    assert len(images) == 62  # a puzzle and its solution for each day
    assert images <= saved


def test_the_shelf_shows_a_feed_as_a_clipping_with_its_title_and_date(days):
    svg = days.get("/api/front", params=FILE).text
    assert 'aria-label="Daily"' in svg
    assert re.search('aria-label="(Monday|Tuesday), [A-Z][a-z]+ [0-9]+"', svg)


def test_a_swapped_day_stays_marked_after_it_was_made(days, folder):
    _swap(days, "1")
    assert _state_of(days) == ("planned", True)
    feed(folder / "daily.yaml", read_dates(MONDAY, 1), folder / "output" / "daily", ledger=NO_LEDGER)
    assert _state_of(days) == ("made", True)


def test_a_weekday_has_settings_of_its_own(days):
    form = days.get("/api/settings", params={**FILE, "part": "week/tuesday"}).json()["form"]
    assert 'id="key-week-tuesday-size"' in form
    assert "key-week-monday" not in form
    assert "addDay" not in form
    without = days.get("/api/settings", params={**FILE, "part": "week/friday"}).json()["form"]
    assert "Give this day a puzzle" in without


def test_swapping_a_day_back_restores_the_file(days, folder):
    first = _board(days)
    _swap(days, "1")
    assert _board(days) != first
    days.post("/api/change", json={**FILE, "kind": "unset", "path": ["replace", MONDAY]})
    assert (_board(days), (folder / "daily.yaml").read_text()) == (first, FEED)


@pytest.mark.parametrize("what", ["puzzle", "solution", "combined"])
def test_images_have_the_pixels_of_the_paper(days, what):
    answer = days.get("/api/image", params={**FILE, "day": MONDAY, "what": what})
    image = Image.open(io.BytesIO(answer.content))
    assert (image.width, image.mode) == (round(60 / 25.4 * 300), "1")


def test_each_weekday_has_a_forecast_and_a_book_is_no_feed(days):
    told = days.get("/api/problems", params=FILE).json()
    assert told["problems"] == []
    assert [day["name"] for day in told["outlook"]] == ["monday", "tuesday, size 5", "tuesday, size 6"]
    parts = days.get("/api/form", params={"kind": "feed"}).json()["parts"]
    assert [part["name"] for part in parts] == ["feed", "week", "images", "extras"]
    other = days.get("/api/day", params={"file": "small.yaml", "day": MONDAY, "today": MONDAY})
    assert "is a book, not a feed" in other.json()["refused"]
    assert "is a feed, not a book" in days.get("/api/pages", params=FILE).json()["refused"]
    day = datetime.date.fromisoformat(MONDAY) + datetime.timedelta(days=3)
    none = days.get("/api/day_board", params={**FILE, "day": day.isoformat()}).json()
    assert none == {"refused": f"{day} has no issue"}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            "    size: 6",
            "   size: 6",
            "It belongs to the level “Hard”, so it must line up with “name” above it.",
        ),
        ("seed: 7", " seed: 7", "It must line up with “title” above it."),
        ("title: Small", " title: Small", "It must line up with “seed” below it."),
        (
            "page: {trim: 6x9in}",
            "page:\n  trim: 6x9in\n   paper: cream",
            "It belongs to “page”, so it must line up with “paper” below it.",
        ),
        ("levels:", "levels", ""),
    ],
)
def test_a_line_that_is_moved_sideways_is_told_its_place(spec, right, wrong, told):
    spec.path.write_text(SPEC.replace(right, wrong))
    spec.refresh()
    assert spec.state()["mending"]["place"] == told
