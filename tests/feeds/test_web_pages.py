"""A feed's pages for the browser: what is in a day's folder, and what must not be."""

import base64
import datetime
import hashlib
import json
import re
from xml.etree import ElementTree

import pytest
from news_samples import FEED_TEXT, run_of, write_feed

from linkpress.errors import OutputError
from linkpress.feeds.feed_folder import read_folder
from linkpress.feeds.feed_run import feed
from linkpress.play.page import board_text
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess
from linkpress.production.ledger_session import NO_LEDGER

THURSDAY = datetime.date(2026, 12, 24)
SITE = ["index.html", "app.webmanifest", "sw.js", "icon.svg"]
NAMES = ["index.html", "embed.html", "archive.html"]


@pytest.fixture
def make(make):
    def run(days, first=THURSDAY, web="web: yes\n"):
        return make(days, first=first, text=FEED_TEXT + web)

    return run


@pytest.fixture(scope="module")
def fed(tmp_path_factory):
    """Thursday, Friday, Saturday and no Sunday with their pages, which tests leave as they are."""
    folder, workers = tmp_path_factory.mktemp("fed"), Workers(1, InProcess)
    spec = write_feed(folder, FEED_TEXT + "web: yes\n")
    return feed(spec, run_of(4, THURSDAY), folder / "out", jobs=1, ledger=NO_LEDGER, workers=workers)


def text_of(fed, day, name="index.html"):
    return (fed.folder / "web" / day / name).read_text("utf-8")


def content_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def snapshot(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_day_has_a_folder_of_its_own(fed):
    web = [path.relative_to(fed.folder / "web") for path in fed.files if "web" in path.parts]
    days = ["2026-12-24", "2026-12-25", "2026-12-26"]
    assert [str(path) for path in web] == [f"{day}/{name}" for day in days for name in NAMES] + SITE
    assert all(path.is_file() for path in fed.files)


def test_no_file_of_a_day_tells_of_a_later_day_or_of_its_own_answer(fed):
    boards = [board_text(read_folder(fed.folder, "test-feed").issue(day).record.puzzle) for day in days_of(3)]
    for at, day in enumerate(days_of(3)):
        for name in NAMES:
            text = text_of(fed, day.isoformat(), name)
            for later in range(at + 1, 3):
                assert boards[later] not in text
                assert days_of(3)[later].isoformat() not in text
        today = content_of(text_of(fed, day.isoformat()))
        assert today["puzzles"][0][3] == boards[at]
        assert today["puzzles"][0][5] == 0  # no hints
        assert (today.get("answers") or [None])[0] is None
        assert "hints" not in content_of(text_of(fed, day.isoformat(), "embed.html"))


def days_of(count):
    return [THURSDAY + datetime.timedelta(days=at) for at in range(count)]


def test_the_manifest_tells_the_policy_under_which_a_page_that_embeds_runs(fed):
    policy = json.loads(fed.manifest.read_text("utf-8"))["content_policy"]
    embedded = text_of(fed, "2026-12-24", "embed.html")
    assert embedded.startswith(f"<!-- Content-Security-Policy: {policy} -->")
    for kind, text in re.findall(r"<(script|style)>(.*?)</\1>", embedded, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy.partition(f"{kind}-src")[2].partition(";")[0]


def test_the_earlier_puzzle_stands_there_with_its_answer(fed):
    first, second = (content_of(text_of(fed, day)) for day in ("2026-12-24", "2026-12-25"))
    assert [one[0] for one in first["puzzles"]] == [1]
    assert [one[0] for one in second["puzzles"]] == [2, 1]
    solution = read_folder(fed.folder, "test-feed").issue(THURSDAY).record.solution
    cols = solution.puzzle.grid.cols
    assert second["answers"] == [None, sorted(2 * a + int(b - a == cols) for a, b in solution.edges)]


def test_the_earlier_puzzle_can_be_left_out_and_hints_asked_for(make):
    fed = make(2, web="web: {earlier: no, hints: yes}\n")
    content = content_of(text_of(fed, "2026-12-25"))
    assert [(one[0], one[5]) for one in content["puzzles"]] == [(2, 1)]
    assert "answers" not in content


def test_the_archive_lists_the_days_so_far_across_runs(make):
    make(2)
    fed = make(1, first=THURSDAY + datetime.timedelta(days=2))
    links = re.findall(r'href="([^"]+)"', text_of(fed, "2026-12-26", "archive.html"))
    assert links == [f"../2026-12-{day}/index.html" for day in (26, 25, 24)]
    for link in links:
        assert (fed.folder / "web" / "2026-12-26" / link).resolve().is_file()
    earlier = content_of(text_of(fed, "2026-12-26"))["puzzles"][1]
    assert earlier[0] == 2


def test_a_missing_page_is_written_again_as_it_was(make):
    fed = make(3)
    before = snapshot(fed.folder)
    lost = fed.folder / "web" / "2026-12-25" / "index.html"
    lost.unlink()
    again = make(3)
    assert again.files == (lost,)
    assert snapshot(fed.folder) == before


@pytest.mark.parametrize("day", ["2026-12-24", "2026-11-30"])
def test_a_page_that_no_manifest_tells_of_keeps_a_feed_from_beginning_anew(make, tmp_path, day):
    own = tmp_path / "out" / "web" / day / "index.html"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    with pytest.raises(OutputError, match=r"index\.html exists, and no manifest knows its day"):
        make(1)
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [own]


def test_files_beside_the_days_name_none_of_them_and_others_stay_as_they_are(make, tmp_path):
    own = tmp_path / "out" / "web" / "index.html"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    fed = make(2)
    for name in SITE[1:]:
        assert "2026-12" not in (fed.folder / "web" / name).read_text("utf-8")
    assert own.read_text() == "mine"
    own.unlink()
    assert [str(path.relative_to(fed.folder)) for path in make(2).files] == ["web/index.html"]


def test_the_days_so_far_are_told_as_rss_where_their_address_is_known(make):
    fed = make(2, web="web: {url: 'https://paper.example/links'}\nutc_offset: '+01:00'\n")
    rss = ElementTree.fromstring(text_of(fed, "2026-12-25", "rss.xml"))
    links = [item.findtext("link") for item in rss.iter("item")]
    assert links == [f"https://paper.example/links/2026-12-{day}/index.html" for day in (25, 24)]
    assert rss.findtext("channel/item/pubDate") == "Fri, 25 Dec 2026 00:00:00 +0100"
    assert "2026-12-25" not in text_of(fed, "2026-12-24", "rss.xml")


@pytest.fixture
def served(fed, serve):
    """A feed's pages of three days on a server of this machine."""
    return serve(fed.folder / "web")


def test_one_address_leads_to_the_latest_day_also_without_a_network(served, chromium):
    context = chromium.new_context(timezone_id="Europe/Berlin")
    page = context.new_page()
    page.clock.set_fixed_time("2026-12-29T12:00:00+01:00")  # no puzzle since Saturday
    page.goto(f"{served}/")
    page.wait_for_url("**/2026-12-26/index.html")
    assert page.locator("link[rel=manifest]").get_attribute("href") == "../app.webmanifest"
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.evaluate(
        """async () => {
            const frame = () => new Promise((next) => requestAnimationFrame(next));
            while (!(await caches.match(location.href))) await frame();
        }"""
    )
    context.set_offline(True)
    page.goto(f"{served}/")
    page.wait_for_url("**/2026-12-26/index.html")
    page.wait_for_selector("[role=gridcell]")
    context.close()


def test_the_archive_marks_solved_days_and_counts_those_in_a_row(served, chromium):
    page = chromium.new_context().new_page()
    page.goto(f"{served}/2026-12-26/archive.html")
    assert not page.locator("#streak").is_visible()
    marks = page.locator("[data-mark]").evaluate_all("days => days.map((day) => day.dataset.mark)")
    kept = json.dumps({"solved": True, "best": {"seconds": 65, "hints": 0}})
    stored = json.dumps({f"linkpress/test-feed/{mark}": kept for mark in marks[1:]})
    # Not on this page: Chromium may hand on what is stored later than the next one is loaded.
    page.add_init_script(f"Object.assign(localStorage, {stored})")
    page.reload()
    assert page.locator("li i").all_inner_texts() == ["", "✓ 1:05", "✓ 1:05"]
    assert page.inner_text("#streak") == "2 days in a row."
    page.context.close()


def test_a_feed_without_the_key_writes_no_pages(make):
    assert not (make(1, web="").folder / "web").exists()
