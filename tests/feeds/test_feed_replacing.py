"""An editor has a day's puzzle made anew, in runs of small boards."""

import csv
import datetime
import hashlib
import json
import shutil
from functools import partial
from pathlib import Path

import pytest
from news_samples import FEED_TEXT, run_of, write_feed

from linkpress.errors import OutputError, SpecError
from linkpress.feeds.feed_folder import read_folder, renewed_manifests
from linkpress.feeds.feed_run import feed
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess
from linkpress.production.ledger_session import NO_LEDGER

MONDAY = datetime.date(2026, 12, 28)
COMBINED = FEED_TEXT.replace("dpi: 100}", "dpi: 100, combined: yes}")
REPLACED = COMBINED.replace("seed: 7", "seed: 7\nreplace: {2026-12-26: 1}")


@pytest.fixture
def make(make):
    return partial(make, text=COMBINED)


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    folder, workers = tmp_path_factory.mktemp("fed"), Workers(1, InProcess)
    for days in (run_of(4), run_of(1, datetime.date(2026, 12, 29))):
        feed(write_feed(folder, COMBINED), days, folder / "out", jobs=1, ledger=NO_LEDGER, workers=workers)
    return folder / "out"


@pytest.fixture
def published(made_once, tmp_path):
    """A copy of Friday, Saturday and Monday, and of Tuesday, which was made in a run of its own."""
    return Path(shutil.copytree(made_once, tmp_path / "out"))


def manifests(folder):
    return {path.name: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("manifest-*.json"))}


def items(folder):
    return {item["uri"]: item for content in manifests(folder).values() for item in content["items"]}


def test_the_manifest_that_is_read_first_is_written_last(published):
    folder = read_folder(published, "test-feed")
    names = [path.name for path, _ in renewed_manifests(folder, folder.all_items)]
    assert names == sorted(manifests(published), reverse=True)


def test_a_replaced_day_keeps_its_number_and_dates_and_the_old_puzzle_is_withdrawn(make, published):
    before = items(published)
    sums = {path.name: path.read_bytes() for path in published.iterdir()}
    fed = make(1, first=datetime.date(2026, 12, 26), text=REPLACED)
    assert (fed.made, fed.replaced, fed.manifest) == (0, 1, None)
    after, (content, _) = items(published), manifests(published).values()
    mine = "urn:x-linkpress:test-feed:2026-12-26:puzzle"
    assert after[mine]["puzzle"]["seed"] == "/2026-12-26/replacement 1/0"
    assert after[mine]["number"] == before[mine]["number"] == 2
    assert content["withdrawn"] == [
        {**before[f"urn:x-linkpress:test-feed:{of}"], "pubstatus": "canceled"}
        for of in ("2026-12-26:puzzle", "2026-12-26:combined", "2026-12-28:solution")
    ]
    changed = {path.name for path in published.iterdir() if path.read_bytes() != sums[path.name]}
    assert changed == {
        "L-20261226-0002-puzzle-1col-100.png", "L-20261226-0002-combined-1col-100.png",
        "L-20261228-0002-solution-1col-100.png", "L-20261228-0003-combined-1col-100.png",
        "manifest-2026-12-25-2026-12-28.json", "manifest-2026-12-25-2026-12-28.csv", "index.csv",
    }  # fmt: skip
    for item in after.values():
        for one in item["renditions"]:
            assert one["sha256"] == hashlib.sha256((published / one["file"]).read_bytes()).hexdigest()


def test_a_replacement_is_made_once_and_stays_without_its_key(make, published):
    make(1, first=datetime.date(2026, 12, 26), text=REPLACED)
    before = {path.name: path.read_bytes() for path in published.iterdir()}
    for text in (REPLACED, COMBINED):
        assert make(4, text=text).files == ()
    assert {path.name: path.read_bytes() for path in published.iterdir()} == before


def test_a_second_replacement_withdraws_the_first_in_both_manifests_of_a_day(make, published):
    for which in (1, 2):
        make(1, first=MONDAY, text=REPLACED.replace("26: 1", f"28: {which}"))
    for content in manifests(published).values():
        seeds = [item["puzzle"]["seed"] for item in content["withdrawn"] if item["what"] == "solution"]
        assert seeds == ["/2026-12-28/0", "/2026-12-28/replacement 1/0"]


def test_one_run_makes_new_days_and_a_replacement(make, published):
    fed = make(3, first=MONDAY, text=REPLACED.replace("26: 1", "29: 1"))
    assert (fed.made, fed.replaced) == (1, 1)
    assert fed.manifest.name == "manifest-2026-12-28-2026-12-30.json"
    seeds = {
        item["date"]: item["puzzle"]["seed"] for item in items(published).values() if item["what"] == "puzzle"
    }
    assert seeds["2026-12-29"] == "/2026-12-29/replacement 1/0"
    assert seeds["2026-12-30"] == "/2026-12-30/0"


def test_a_new_day_gets_its_replacement_at_once(make):
    fed = make(4, text=REPLACED)
    content = json.loads(fed.manifest.read_text("utf-8"))
    assert [item["puzzle"]["seed"] for item in content["items"] if item["what"] == "puzzle"] == [
        "/2026-12-25/0",
        "/2026-12-26/replacement 1/0",
        "/2026-12-28/0",
    ]
    assert "withdrawn" not in content


def test_replacements_are_drawn_in_worker_processes_too(make, published):
    assert make(1, first=datetime.date(2026, 12, 26), text=REPLACED, jobs=2, workers=None).replaced == 1


def test_a_changed_image_is_not_replaced(make, published):
    image = published / "L-20261228-0003-combined-1col-100.png"
    image.write_bytes(b"retouched")
    with pytest.raises(OutputError, match=r"0003-combined\S+ was changed"):
        make(1, first=datetime.date(2026, 12, 26), text=REPLACED)
    assert "withdrawn" not in manifests(published)["manifest-2026-12-25-2026-12-28.json"]


def test_the_pages_that_show_a_replaced_puzzle_are_rewritten(make, tmp_path):
    text = COMBINED.replace("seed: 7", "seed: 7\nweb: yes")
    make(4, text=text)
    pages = {path: path.read_text("utf-8") for path in (tmp_path / "out" / "web").rglob("*.html")}
    make(
        1,
        first=datetime.date(2026, 12, 26),
        text=text.replace("seed: 7", "seed: 7\nreplace: {2026-12-26: 1}"),
    )
    changed = {f"{path.parent.name}/{path.name}" for path in pages if path.read_text("utf-8") != pages[path]}
    played = {name for name in changed if "archive" not in name}  # which says size and difficulty alone
    assert played == {"2026-12-26/index.html", "2026-12-26/embed.html", "2026-12-28/index.html"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{2026-12-27: 1}", "the feed has no issue on that day"),  # a Sunday
        ("{2026-02-30: 1}", "a date of the calendar, as 2026-11-20, is allowed"),
        ("{2026-12-26: 0}", "the number of the replacement, 1 to 999"),
        ("{2026-12-26}", "the number of the replacement"),
        ("2026-12-26", "dates with the number of the replacement"),
    ],
)
def test_an_invalid_replacement_is_refused(make, value, words):
    with pytest.raises(SpecError, match=words):
        make(1, text=REPLACED.replace("{2026-12-26: 1}", value))


def test_the_index_has_a_line_for_each_file_of_all_days(published):
    with (published / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["file"] for row in rows} == {path.name for path in published.glob("*.png")}
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)


PUT = Path.mkdir, lambda path: path.symlink_to("/dev/zero"), lambda path: path.write_text("mine", "utf-8")


@pytest.mark.parametrize("put", PUT)
def test_a_foreign_index_file_is_refused_before_the_run(make, tmp_path, put):
    (tmp_path / "out").mkdir()
    put(tmp_path / "out" / "index.csv")
    with pytest.raises(OutputError, match=r"index\.csv exists already"):
        make(4)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.csv"]


def test_a_folder_in_an_image_s_place_is_refused(make, published):
    taken = published / "L-20261226-0002-puzzle-1col-100.png"
    taken.unlink()
    taken.mkdir()
    with pytest.raises(OutputError, match=f"{taken.name} was changed"):
        make(1, first=datetime.date(2026, 12, 26), text=REPLACED)
    assert not list(published.glob(".*"))


def test_a_restored_file_with_other_bytes_is_reported_and_kept(make, published):
    image = published / "L-20261226-0002-puzzle-1col-100.png"
    image.unlink()
    text = COMBINED.replace("title: Links", "title: Lines")
    fed = make(1, first=datetime.date(2026, 12, 26), text=text)
    assert "is not the same bytes as before" in fed.notes[0]
    (rendition,) = items(published)["urn:x-linkpress:test-feed:2026-12-26:puzzle"]["renditions"]
    assert rendition["sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert make(1, first=datetime.date(2026, 12, 26), text=text).files == ()


def test_a_restored_file_has_its_former_resolution(make, published):
    image = published / "L-20261226-0002-puzzle-1col-100.png"
    before = image.read_bytes()
    image.unlink()
    fed = make(1, first=datetime.date(2026, 12, 26), text=COMBINED.replace("dpi: 100", "dpi: 150"))
    assert (fed.restored, fed.notes) == (1, ())
    assert image.read_bytes() == before
