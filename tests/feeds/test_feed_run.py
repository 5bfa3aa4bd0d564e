"""Whole runs, small boards at a low resolution; every file is opened again."""

import csv
import datetime
import hashlib
import json
from collections import Counter

import jsonschema
import pikepdf
import pytest
from news_samples import FEED_TEXT, FRIDAY, manifest_of, run_of, sums, write_feed

from image_files import image_of
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.errors import LayoutError, PuzzleError, RecipeError, SpecError
from linkpress.feeds.feed_folder import SCHEMA_FILE, read_manifest
from linkpress.feeds.feed_run import feed
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess
from linkpress.production.journal import RunLog, Watcher
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice
from linkpress.puzzle.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.pzpr import parse_url
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource
from linkpress.words import load_words


@pytest.fixture(scope="module")
def fed(tmp_path_factory):
    """Friday, Saturday, no Sunday and Monday of the feed, which tests leave as they are."""
    folder, workers = tmp_path_factory.mktemp("fed"), Workers(1, InProcess)
    return feed(write_feed(folder), run_of(4), folder / "out", jobs=1, ledger=NO_LEDGER, workers=workers)


@pytest.mark.parametrize("language", sorted(set(LANGUAGES.names()) - {"en"}))
def test_texts_of_a_feed_are_in_its_language(make, language, fonts_for):
    text = f"{FEED_TEXT}language: {language}\nweb: yes\nfonts: {json.dumps(fonts_for(language))}\n"
    fed = make(4, text=text)  # Friday, Saturday, no Sunday, Monday
    words, items = load_words(language), manifest_of(fed)["items"]
    assert {item["language"] for item in items} == {language}
    saturday, monday = FRIDAY + datetime.timedelta(days=1), FRIDAY + datetime.timedelta(days=3)
    of = {(item["what"], item["number"]): item for item in items}
    assert of["puzzle", 1]["caption"]["note"] == words.solution_tomorrow
    assert of["puzzle", 2]["caption"]["note"] == words.solution_on_day(monday, saturday)
    assert of["puzzle", 2]["caption"]["heading"] == words.say(words.puzzle, number=2)
    assert of["solution", 2]["ednote"] == words.say(words.note_on_solution, day=saturday, solution_day=monday)
    page = next(path for path in fed.files if path.name == "archive.html").read_text("utf-8")
    assert f'<html lang="{language}">' in page
    assert words.write(FRIDAY) in page


def test_a_solution_image_has_the_date_of_the_next_issue(fed):
    names = [path.name for path in fed.files if path.suffix == ".png"]
    assert names == [
        "L-20261225-0001-puzzle-1col-100.png", "L-20261226-0001-solution-1col-100.png",
        "L-20261226-0002-puzzle-1col-100.png", "L-20261228-0002-solution-1col-100.png",
        "L-20261228-0003-puzzle-1col-100.png", "L-20261229-0003-solution-1col-100.png",
    ]  # fmt: skip
    assert sums(fed.folder).keys() == {path.name for path in fed.files}


def test_images_have_their_exact_width_resolution_and_texts(fed):
    image = image_of(fed.files[0])
    assert (image.size[0], image.mode) == (round(39.7 / 25.4 * 100), "1")
    assert image.info["dpi"] == pytest.approx((100, 100), abs=0.01)
    record = manifest_of(fed)["items"][0]["puzzle"]
    said = {key: str(text) for key, text in image.text.items()}
    assert said.pop("Software").startswith("linkpress ")
    assert said.pop("Difficulty", None) == str(record["difficulty"])
    assert said == {
        "Title": "Links 1", "Number": "1", "Author": "Ann Author", "Copyright": "© 2026 Ann – Author",
        "Fingerprint": record["fingerprint"],
    }  # fmt: skip


def test_the_manifest_matches_its_schema_and_lists_every_file(fed):
    content = manifest_of(fed)
    assert read_manifest(fed.manifest.read_bytes(), "manifest").text == fed.manifest.read_text("utf-8")
    jsonschema.validate(content, json.loads(resource("config", SCHEMA_FILE).read_text("utf-8")))
    for item in content["items"]:
        for rendition in item["renditions"]:
            path = fed.folder / rendition["file"]
            assert rendition["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
            assert (rendition["width_px"], rendition["height_px"]) == image_of(path).size
            assert rendition["width_mm"] == pytest.approx(39.7, abs=0.13)  # half a pixel of 0.254 mm
    first = content["items"][0]
    assert (first["date"], first["weekday"]) == ("2026-12-25", "friday")
    assert first["embargoed"] == "2026-12-25T00:00:00+00:00"


def test_every_item_names_its_author_and_rights(fed):
    for item in manifest_of(fed)["items"]:
        assert item["byline"] == item["copyrightholder"] == "Ann Author"
        assert item["copyrightnotice"] == "© 2026 Ann – Author"
        assert (item["headline"], item["language"]) == (f"Links {item['number']}", "en")


def test_a_solution_is_embargoed_until_the_next_issue_and_solves_its_puzzle(fed):
    items = manifest_of(fed)["items"]
    solutions = {item["number"]: item for item in items if item["what"] == "solution"}
    assert solutions[2]["embargoed"] == "2026-12-28T00:00:00+00:00"  # no issue on Sunday
    assert solutions[2]["versioncreated"] == "2026-12-26T00:00:00+00:00"  # with its puzzle
    assert solutions[2]["caption"]["heading"] == "Saturday’s solution"
    for item in solutions.values():
        puzzle = parse_board_rows(item["puzzle"]["board"])
        assert not check_solution(parse_solution_rows(puzzle, item["solution"]))
        assert fingerprint(parse_url(item["puzzle"]["url"])) == item["puzzle"]["fingerprint"]


OF_ALL_KINDS = FEED_TEXT.replace("dpi: 100}", "dpi: 100, format: [png, tiff, svg, pdf, eps]}")


def test_all_formats_of_an_image_are_renditions_of_one_item_and_no_file_contains_the_seed(make):
    fed = make(1, text=OF_ALL_KINDS.replace("seed: 7", "seed: h1dden\nweb: yes"))
    kinds = [rendition["mimetype"] for rendition in manifest_of(fed)["items"][0]["renditions"]]
    assert kinds == ["image/png", "image/tiff", "image/svg+xml", "application/pdf", "application/postscript"]
    assert len(fed.files) > 10
    for path in fed.files:
        content = path.read_bytes()
        assert b"h1dden" not in content
        assert "h1dden".encode("utf-16-be") not in content
    for path in (path for path in fed.files if path.suffix == ".pdf"):
        with pikepdf.open(path) as pdf:
            assert "h1dden" not in str(dict(pdf.docinfo))


def test_a_manifest_that_breaks_the_schema_is_refused(fed):
    content = manifest_of(fed)
    for spoil in (
        lambda item: item.pop("embargoed"),
        lambda item: item.update(embargoed="tomorrow"),
        lambda item: item.update(extra=1),
        lambda item: item.update(number="1"),
        lambda item: item.update(what="solution"),
        lambda item: item["renditions"][0].update(dpi=5),
        lambda item: item["renditions"][0].update(file="../L-1.png"),
        lambda item: item["renditions"][0].update(file="/L-1.png"),
        lambda item: item["renditions"][0].update(file="L/" + 128 * "ö"),
        lambda item: item["puzzle"].update(board=["1 x"]),
    ):
        spoilt = json.loads(json.dumps(content))
        spoil(spoilt["items"][0])
        with pytest.raises(PuzzleError, match=r"manifest: items\[0\]"):
            read_manifest(json.dumps(spoilt), "manifest")


def test_the_csv_table_has_a_line_for_each_file(fed):
    with fed.manifest.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    renditions = (each for item in manifest_of(fed)["items"] for each in item["renditions"])
    assert [row["file"] for row in rows] == [rendition["file"] for rendition in renditions]
    assert (rows[0]["size"], rows[0]["weekday"]) == ("6x6", "friday")


def test_files_do_not_depend_on_the_number_of_processes(make, fed):
    assert sums(make(4, jobs=2).folder) == sums(fed.folder)


def test_captions_can_be_in_the_manifest_only(make, fed):
    text = FEED_TEXT.replace("caption: {difficulty: number}", "caption: {difficulty: number, in_image: no}")
    left = make(1, text=text)
    assert image_of(left.files[0]).size[1] < image_of(fed.files[0]).size[1]
    captions = [manifest_of(each)["items"][0]["caption"] for each in (fed, left)]
    assert [caption.pop("in_image") for caption in captions] == [True, False]
    assert captions[0] == captions[1]
    assert captions[0]["heading"] == "Puzzle 1"


def test_a_feed_can_set_its_width_in_millimetres_its_utc_offset_its_holder_and_its_usage(make):
    text = FEED_TEXT.replace("columns: 1,", "width_mm: 61.5,").replace("-{columns}col", "")
    more = 'seed: 7\nutc_offset: "-05:00"\nholder: The Desk\nusage: One paper only'
    fed = make(1, text=text.replace("seed: 7", more))
    assert image_of(fed.files[0]).size[0] == round(61.5 / 25.4 * 100)
    item = manifest_of(fed)["items"][0]
    assert item["embargoed"] == "2026-12-25T00:00:00-05:00"
    assert (item["copyrightholder"], item["usageterms"]) == ("The Desk", "One paper only")


def test_the_watcher_gets_a_report_for_each_puzzle_and_day(make):
    class Counting(Watcher):
        def __init__(self):
            self.counts = Counter()

        def planned(self, forecast):
            self.counts["planned"] += forecast.total
            self.counts["at a time"] = forecast.at_a_time

        def made(self, finished):
            self.counts["made"] += 1

        def drawing(self, days):
            self.counts["drawing"] += days

        def drawn(self):
            self.counts["drawn"] += 1

    watcher = Counting()
    make(4, watcher=watcher, workers=Workers(1, InProcess, jobs_now=lambda: 2))
    assert watcher.counts == {"planned": 3, "at a time": 2, "made": 3, "drawing": 3, "drawn": 3}


def test_a_relative_path_of_a_grid_starts_at_the_feed(make, tmp_path):
    own = "name: own\nsource: the desk\ndate: 2026-11-20\ngutter_mm: 4\nwidths_mm: [50]\n"
    (tmp_path / "own.yaml").write_text(own, "utf-8")
    fed = make(1, text=FEED_TEXT.replace("columns: 1,", "columns: 1, grid: own.yaml,"))
    assert image_of(fed.files[0]).size[0] == round(50 / 25.4 * 100)


SAME_NAMES = FEED_TEXT.replace("{date:%Y%m%d}-{number:04}", "{date:%Y%m}")
TOO_LARGE = FEED_TEXT.replace("monday: {size: 5x7}", "monday: {size: 13}")
NARROW = (
    FEED_TEXT.replace("difficulty: number", "difficulty: none")
    .replace("columns: 1,", "width_mm: 28,")
    .replace("-{columns}col", "")
    .partition("week:")[0]
)
NARROW += "words: {solution_on_weekday: 'Solution:{day}'}\n"
NARROW += "week: {friday: {size: 5}, monday: {size: 5}, wednesday: {size: 5}}\n"


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (SAME_NAMES, SpecError, "-puzzle-1col-100.png to the puzzle of 2026-12-26 and to the p"),
        (TOO_LARGE, LayoutError, "^week.monday, 2026-12-28: a board of 13 × 13 in 39"),
        (NARROW, LayoutError, "^2026-12-28: the caption's words 'Solution:Wednesday' are wider"),
        (FEED_TEXT.replace("dpi: 100}", "dpi: 100, theme: classic}"), LayoutError, "lineart"),
    ],
    ids=["names that collide", "a board too large", "words too wide on a later day", "tints"],
)
def test_a_feed_that_cannot_be_drawn_is_refused_before_any_puzzle_is_made(make, tmp_path, text, error, said):
    with pytest.raises(error, match=said):
        make(4, text=text)
    assert not (tmp_path / "out").exists()


def test_an_impossible_recipe_names_the_date(make, tmp_path):
    def never(recipe, seed, method, work):
        raise RecipeError("no such board")

    with pytest.raises(RecipeError, match=r"2026-12-25: no such board"):
        make(1, maker=never)
    assert not list((tmp_path / "out").glob("*"))


def test_the_ledger_records_dates_and_the_log_names_the_feed_that_has_a_puzzle_already(make, fed, tmp_path):
    path = tmp_path / "ledger.sqlite3"
    for out in ("out", "copy"):  # the same days get the same puzzles despite the ledger
        assert sums(make(4, out=out, ledger=LedgerChoice(path)).folder) == sums(fed.folder)
    with Ledger(path) as ledger:
        records = list(ledger.entries(Holder(Kind.FEED, "test-feed")))
    assert [record.place.slot for record in records] == ["2026-12-25", "2026-12-26", "2026-12-28"]
    assert all(record.place.published for record in records)
    with RunLog(tmp_path / "log") as log:
        text = FEED_TEXT.replace("test-feed", "other")
        same_seed = make(4, text=text, out="other", ledger=LedgerChoice(path), log=log)
    attempts = {item["puzzle"]["attempt"] for item in manifest_of(same_seed)["items"]}
    assert attempts == {1}
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    dates = {line["date"] for line in lines if line["event"] == "made"}
    assert dates == {"2026-12-25", "2026-12-26", "2026-12-28"}
    (first, *_) = [line for line in lines if line["event"] == "passed over"]
    assert first["held_in"] == "feed test-feed, 2026-12-25"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title: Links", "title: L♞\nlanguage: de", "feed.yaml:2:8 title: the fonts have no glyph for '♞'"),
        ("seed: 7", "seed: 7\nlanguage: ja", "feed.yaml:6:11 language: the fonts have no glyph for"),
        (
            "week:",
            "words: {difficulty: '♞ {number}'}\nweek:",
            "feed.yaml:9:21 words.difficulty: the fonts have",
        ),
    ],
)
def test_text_that_the_fonts_lack_is_refused_with_its_place_before_a_puzzle_is_made(
    make, tmp_path, old, new, said
):
    text = FEED_TEXT.replace("{difficulty: number}", "{difficulty: number, title: yes}").replace(old, new)
    with pytest.raises(SpecError) as caught:
        make(1, text=text)
    assert str(caught.value).startswith(f"{tmp_path}/{said}")
    assert not (tmp_path / "out").exists()
