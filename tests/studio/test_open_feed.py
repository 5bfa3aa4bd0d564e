"""A feed in the studio: its calendar, boards, images, and a day's puzzle swapped."""

from __future__ import annotations

import datetime
import io
import json
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient
from studio_samples import FEED

from linkpress.feeds.calendar import read_dates
from linkpress.feeds.feed_run import feed
from linkpress.production.ledger_session import NO_LEDGER

FILE = {"file": "daily.yaml"}
MONDAY = "2026-12-07"


@pytest.fixture
def days(folder: Path, client: TestClient) -> TestClient:
    (folder / "daily.yaml").write_text(FEED, encoding="utf-8")
    return client


def _swap(client: TestClient, which: str) -> None:
    sent = {**FILE, "kind": "set", "path": ["replace", MONDAY], "value": which}
    assert client.post("/api/change", json=sent).status_code == 200


def _fingerprint(client: TestClient) -> str:
    return str(client.get("/api/day", params={**FILE, "day": MONDAY}).json()["fingerprint"])


def test_the_board_of_a_day_to_come_is_the_one_that_a_run_makes(days: TestClient, folder: Path) -> None:
    foretold = _fingerprint(days)
    feed(folder / "daily.yaml", read_dates(MONDAY, 2), folder / "output" / "daily", ledger=NO_LEDGER, jobs=1)
    manifest = json.loads((folder / "output" / "daily" / f"manifest-{MONDAY}-2026-12-08.json").read_text())
    assert manifest["items"][0]["puzzle"]["fingerprint"] == foretold
    listed = days.get("/api/calendar", params={**FILE, "from": MONDAY, "days": 3}).json()
    assert [(day["number"], day["published"]) for day in listed] == [(1, True), (2, True), (None, False)]
    assert _fingerprint(days) == foretold


def test_a_day_is_swapped_and_swapped_back_with_the_file_as_before(days: TestClient, folder: Path) -> None:
    first = _fingerprint(days)
    _swap(days, "1")
    assert _fingerprint(days) != first
    days.post("/api/change", json={**FILE, "kind": "unset", "path": ["replace", MONDAY]})
    assert (_fingerprint(days), (folder / "daily.yaml").read_text()) == (first, FEED)


@pytest.mark.parametrize("what", ["puzzle", "solution", "combined"])
def test_images_have_the_pixels_of_the_paper(days: TestClient, what: str) -> None:
    answer = days.get("/api/image", params={**FILE, "day": MONDAY, "what": what})
    image = Image.open(io.BytesIO(answer.content))
    assert (image.width, image.mode) == (round(60 / 25.4 * 300), "1")


def test_each_weekday_is_foretold_and_a_book_is_no_feed(days: TestClient) -> None:
    told = days.get("/api/problems", params=FILE).json()
    assert told["problems"] == []
    assert [day["name"] for day in told["outlook"]] == ["monday", "tuesday, size 5", "tuesday, size 6"]
    tabs = days.get("/api/form", params={"kind": "feed"}).json()
    assert [tab["name"] for tab in tabs] == ["feed", "week", "images", "extras"]
    other = days.get("/api/day", params={"file": "small.yaml", "day": MONDAY})
    assert "is a book, not a feed" in other.json()["refused"]
    assert "is a feed, not a book" in days.get("/api/pages", params=FILE).json()["refused"]
    day = datetime.date.fromisoformat(MONDAY) + datetime.timedelta(days=3)
    none = days.get("/api/day", params={**FILE, "day": day.isoformat()}).json()
    assert none == {"refused": f"{day} has no issue"}
