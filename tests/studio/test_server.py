"""Answers of the studio's server, and requests that it refuses."""

import asyncio
import contextlib
import hashlib
import html
import io
import json
import logging
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from PIL import Image
from starlette.testclient import TestClient
from studio_samples import FEED, ROUGH, SPEC, making_puzzles, served

from linkpress.app.build import build
from linkpress.book.first_specs import guided_choices
from linkpress.book.mixes import MIX_KEYS
from linkpress.book.spec import BookSpec, edition_documents, load_spec
from linkpress.documents.models import fields_of, model_of
from linkpress.documents.problem import key_text
from linkpress.errors import OutputError, RecipeError
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import FeedSpec, read_dates
from linkpress.files import lock_folder
from linkpress.production.book_puzzles import JOURNAL_FILE, make_book, plan_book
from linkpress.production.executors import local_workers
from linkpress.production.journal import saved_records
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.production_run import ProductionRun
from linkpress.resources import resource
from linkpress.studio.__main__ import run_studio
from linkpress.studio.finished import finished_html, notes_html, spoken_progress
from linkpress.studio.job import _make, _Reporter
from linkpress.studio.open_book import OpenBook
from linkpress.studio.server import MAX_ACCEPTED, WEB, StudioProtocol, say_once, studio_app
from linkpress.studio.session import RunningJob, Session
from linkpress.studio.settings import rail_html
from linkpress.studio.spec_files import Change, Editor, RefusedError, built_file, keep_build, time_words

FILE = {"file": "small.yaml"}
MOST_BYTES = 120_000


def _wait_for_puzzles(client):
    while True:
        facts = client.get("/api/pages", params=FILE).json()
        if not facts["waiting"]:
            return facts
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("headers", "code"), [({"host": "evil.example"}, 421), ({"origin": "http://evil.example"}, 403)]
)
def test_a_wrong_host_or_origin_is_refused(client, headers, code):
    for path in ("/", "/api/book?file=small.yaml", "/web/main.mjs"):
        assert client.get(path, headers=headers).status_code == code
    sent = {**FILE, "kind": "set", "path": ["title"], "value": "Stolen"}
    assert client.post("/api/change", json=sent, headers=headers).status_code == code
    assert "Small book" in client.get("/api/book", params=FILE).json()["text"]


def test_the_token_gives_the_key_once_and_no_cookie(folder):
    app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
    with TestClient(app, base_url="http://127.0.0.1:8000") as window:
        assert window.get("/?token=wrong").status_code == 403
        answer = window.get("/?token=the-token")
        assert (answer.url.path, answer.status_code) == ("/the-key/", 200)
        assert "set-cookie" not in answer.history[0].headers | answer.headers
        assert window.get("/favicon.ico").status_code == 204
        assert window.get("/?token=the-token", follow_redirects=False).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/api/shelf", "/the-key", "/the-kex/", "/the-key.x/api/shelf", "//api/shelf"]
)
@pytest.mark.parametrize(
    "headers", [{}, {"cookie": "linkpress_studio=the-key"}, {"authorization": "the-key"}]
)
def test_nothing_opens_without_the_key_in_the_address(path, headers, folder):
    app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
    with TestClient(app, base_url="http://127.0.0.1:8000") as window:
        assert window.get(f"http://127.0.0.1:8000{path}", headers=headers).status_code == 403


def test_the_command_line_of_the_browser_has_no_key_that_works_again(monkeypatch, tmp_path):
    opened, announced, given = [], [], []

    async def serve(*args):
        given.extend(args)

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("linkpress.studio.__main__._serve", serve)
    run_studio(tmp_path, tmp_path / "output", announce=announced.append)
    *_, token, key = given
    assert opened[0].endswith(f"/?token={token}")
    assert announced[0].endswith(f"/{key}/")
    assert key not in opened[0]


@pytest.mark.parametrize("name", ["./small.yaml", "sub/../small.yaml", "small.yaml/", "sub//..//small.yaml"])
def test_a_file_is_one_book_however_its_name_is_written(name, client, folder):
    (folder / "sub").mkdir()
    first = client.get("/api/book", params=FILE).json()
    sent = {**FILE, "file": name, "kind": "set", "path": ["title"], "value": "Renamed"}
    changed = client.post("/api/change", json=sent)
    assert (changed.status_code, changed.json()["file"]) == (200, "small.yaml")
    now = client.get("/api/book", params=FILE).json()
    assert now["version"] == changed.json()["version"] != first["version"]


def test_half_sent_requests_do_not_keep_the_owner_out(folder, monkeypatch):
    """They come at once, and the oldest are closed."""
    half = []

    def connect(port):
        for _ in range(40):
            half.append(socket.create_connection(("127.0.0.1", port), timeout=30))
            half[-1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")

    with served(folder, monkeypatch, connect, _MAX_WAITING=8, _MAX_WAIT_S=60.0) as port:
        address = f"http://127.0.0.1:{port}/the-key/api/shelf"
        assert b"small.yaml" in urllib.request.urlopen(address, timeout=30).read()
        for one in half[:31]:
            with contextlib.suppress(ConnectionResetError):
                assert one.recv(1) == b""
    for one in half:
        one.close()


def test_many_connections_at_once_do_not_use_up_the_descriptors(folder, monkeypatch):
    """Accepted ones are closed before further ones are accepted."""
    half, open_now, most = [], set(), []

    def connect(port):
        half.extend(socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(100))

    def count(name, change):
        change_state = getattr(StudioProtocol, name)

        def changed(self, given):
            change(self)
            most.append(len(open_now))
            change_state(self, given)

        monkeypatch.setattr(StudioProtocol, name, changed)

    count("connection_made", open_now.add)
    count("connection_lost", open_now.discard)
    with served(folder, monkeypatch, connect, _MAX_WAITING=8, _MAX_WAIT_S=60.0) as port:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/the-key/api/form", timeout=30).read()
    assert max(most) <= 8 + MAX_ACCEPTED + 1
    for one in half:
        one.close()


def test_a_request_that_is_not_finished_in_time_is_closed(folder, monkeypatch):
    with (
        served(folder, monkeypatch, _MAX_WAIT_S=0.1) as port,
        socket.create_connection(("127.0.0.1", port), timeout=30) as half,
        contextlib.suppress(ConnectionResetError),
    ):
        half.sendall(b"GET /the-key/ HTTP/1.1\r\n")
        assert half.recv(1) == b""


def test_the_server_says_a_thing_once(caplog):
    handle = say_once()
    for _ in range(100):
        handle(None, {"message": "no more files", "exception": OSError(24, "Too many open files")})
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    said = [record.getMessage() for record in caplog.records]
    assert said == ["no more files: [Errno 24] Too many open files", "Invalid HTTP request received."]


@pytest.mark.parametrize("sent", ["[" * 100_000, "null", '{"file": "small.yaml"', b"\xff"])
def test_a_malformed_request_is_refused(client, sent):
    answer = client.post("/api/change", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [("merge", ["levels", 0], None), ("merge", [], [1]), ("copy", ["levels", 10**30], None)],
)
def test_an_impossible_change_is_refused(client, folder, kind, path, value):
    answer = client.post("/api/change", json={**FILE, "kind": kind, "path": path, "value": value})
    assert (answer.status_code, (folder / "small.yaml").read_text()) == (400, SPEC)


@pytest.mark.parametrize("path", [["levels", -1], ["levels", 0, True], ["levels", 0.5]])
@pytest.mark.parametrize("kind", ["set", "unset", "copy", "order"])
def test_a_path_counts_entries_from_0_on(client, folder, kind, path):
    answer = client.post("/api/change", json={**FILE, "kind": kind, "path": path, "value": None})
    assert (answer.status_code, (folder / "small.yaml").read_text()) == (422, SPEC)
    tried = client.get("/api/outlook", params={**FILE, "kind": "set", "path": json.dumps(path), "value": "1"})
    assert tried.json() == answer.json()


def test_a_new_file_is_refused_in_a_plain_sentence_that_names_no_folder_of_the_machine(client, folder):
    answer = client.post("/api/new", json={"name": "big.yaml", "text": "#" * (5 << 20)})
    assert answer.json()["refused"].startswith("This is larger than 4 MB")
    answer = client.post("/api/new", json={"name": "a" * 300 + ".yaml", "text": SPEC})
    assert (answer.status_code, str(folder) in answer.text) == (422, False)
    assert answer.json()["refused"].startswith("aaa")


def test_a_step_of_another_window_or_program_is_undone_only_if_asked_again(client, folder):
    path = folder / "small.yaml"
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "count"], "value": "4", "part": "levels/1"}
    state = client.post("/api/change", json={**sent, "window": "one"}).json()
    step = {"label": "Puzzles of Hard", "path": ["levels", 1, "count"], "window": "one", "part": "levels/1"}
    assert step.items() <= state["undo"].items()
    assert re.fullmatch(r"\d\d:\d\d", state["undo"]["time"])
    changed = path.read_text()
    asked = client.post("/api/undo", json={**FILE, "window": "two"}).json()
    assert (asked["isDone"], asked["step"], path.read_text()) == (False, state["undo"], changed)
    done = client.post("/api/undo", json={**FILE, "window": "two", "anyway": True}).json()
    assert (done["isDone"], done["step"], done["redo"]) == (True, state["undo"], state["undo"])
    assert path.read_text() == SPEC
    assert client.post("/api/redo", json={**FILE, "window": "one"}).json()["step"] == state["undo"]
    assert client.post("/api/undo", json={**FILE, "window": "one"}).json()["isDone"]
    path.write_text(changed)
    asked = client.post("/api/undo", json={**FILE, "window": "one"}).json()
    assert (asked["isDone"], asked["step"]["window"], asked["step"]["label"]) == (False, "", "File")


def test_what_changed_since_the_last_good_file_is_told_line_by_line(client):
    client.get("/api/book", params=FILE)
    text = SPEC.replace("levels:", "levels").replace("seed: 7\n", "").replace("    count: 2", "   count: 2")
    sent = {**FILE, "text": text.replace("  - {", "  # <b>\n  # 2\n  - {"), "base": SPEC}
    assert "What changed since?" in client.post("/api/text", json=sent).json()["note"]
    html = client.post("/api/changes", json=FILE).json()["html"]
    assert re.findall(r"<p>(.*?)</p>", html) == [
        "After line 2, a line is gone:",
        "Line 5 is different:",
        "Lines 7 to 8 are new:",
        "In line 13, only the spaces are different:",
    ]
    assert "<del>− seed: 7</del>" in html
    assert "<del>−     count: 2</del><ins>+    count: 2</ins>" in html
    assert "<ins>+   # &lt;b&gt;</ins><ins>+   # 2</ins>" in html


def test_a_text_that_is_too_long_and_a_form_of_another_site_change_nothing(client, folder):
    sent = {**FILE, "text": SPEC + "#" * (1 << 20), "base": SPEC}
    assert "1 MiB" in client.post("/api/text", json=sent).json()["refused"]
    sent = '{"file": "small.yaml", "kind": "set", "path": ["title"], "value": "Stolen"}'
    answer = client.post("/api/change", content=sent, headers={"content-type": "text/plain"})
    assert (answer.status_code, (folder / "small.yaml").read_text()) == (400, SPEC)


def test_files_outside_the_folder_or_of_no_built_book_are_not_served(client, folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "secret.yaml"
    other.write_text(SPEC)
    (folder / "link.yaml").symlink_to(other)
    for name in ("../small.yaml", "/etc/passwd", "other.yaml", "small.yaml/../../x.yaml", "link.yaml"):
        assert client.get("/api/book", params={"file": name}).status_code == 422, name
    for name in ("../../small.yaml", "small.yaml", ".build.journal", "/etc/passwd"):
        assert client.get("/api/file", params={**FILE, "name": name}).status_code == 422, name


def _picture(color):
    written = io.BytesIO()
    Image.new("RGB", (5, 7), color).save(written, "PNG")
    return written.getvalue()


def _put(client, name, content, **more):
    headers = {"content-type": more.pop("kind", "application/octet-stream")}
    return client.post(
        "/api/picture", params={**FILE, "name": name, **more}, content=content, headers=headers
    )


def test_a_picture_is_saved_and_replaces_another_only_if_allowed(client, folder):
    red, blue = _picture("red"), _picture("blue")
    assert _put(client, "a.png", red).status_code == 200
    assert _put(client, "a.png", red).status_code == 200
    assert "Replace it, or keep both?" in _put(client, "a.png", blue).json()["html"]
    assert (folder / "a.png").read_bytes() == red
    assert _put(client, "a.png", blue, keep="both").json() == {"name": "a-2.png"}
    assert [(folder / name).read_bytes() for name in ("a.png", "a-2.png")] == [red, blue]
    assert _put(client, "a.png", blue, keep="new").json() == {"name": "a.png"}
    assert (folder / "a.png").read_bytes() == blue


def test_a_picture_dropped_on_the_solid_squares_of_a_level_becomes_their_mask(client, folder):
    form = client.get("/api/settings", params={**FILE, "part": "levels/0"}).json()["form"]
    field = re.search(r'data-path="[^"]*solids&quot;\]"[^>]*data-picture="([^"]*)"', form)
    path = json.loads(html.unescape(field[1]))
    assert path == ["levels", 0, "solids", "mask"]
    drawn, written = Image.new("L", (50, 50), 255), io.BytesIO()
    drawn.paste(0, (0, 0, 10, 10))
    drawn.save(written, "PNG")
    _put(client, "art.png", written.getvalue())
    sent = {**FILE, "kind": "set", "path": path}
    assert "refused" in client.post("/api/change", json={**sent, "value": "missing.png"}).json()
    assert client.post("/api/change", json={**sent, "value": "art.png"}).status_code == 200
    assert load_spec(folder / "small.yaml").levels[0].solids.mask.solids == {0}


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("../a.png", _picture("red"), "application/octet-stream"),
        ("out/a.png", _picture("red"), "application/octet-stream"),
        (".a.png", _picture("red"), "application/octet-stream"),
        ("small.yaml", _picture("red"), "application/octet-stream"),
        ("a.png", b"title: Stolen", "application/octet-stream"),
        ("a.png", _picture("red")[:40], "application/octet-stream"),
        ("a.png", _picture("red"), "text/plain"),
    ],
)
def test_only_pictures_with_a_plain_name_are_saved(client, folder, name, content, kind):
    assert _put(client, name, content, kind=kind, keep="new").status_code in (400, 422)
    assert [path.name for path in folder.rglob("*.*")] == ["small.yaml"]
    assert (folder / "small.yaml").read_text() == SPEC


@pytest.mark.parametrize("name", ["a/b.png", "a\u200bb.png", "a\u2028.png", ".a.png"])
def test_a_picture_whose_name_has_more_than_its_suffix_wrong_is_told_so(client, name):
    assert "no slash, no invisible letter" in _put(client, name, _picture("red")).json()["refused"]


def test_every_answer_has_a_strict_policy(client):
    for path in ("/", "/web/main.mjs", "/api/form", "/nothing"):
        assert "script-src 'self'" in client.get(path).headers["content-security-policy"]


def test_books_are_listed_beside_unreadable_files(client, folder):
    (folder / "ring.yaml").symlink_to(folder / "ring.yaml")
    (folder / "tab.yaml").write_text(SPEC.replace("  - name", "\t- name"))
    (folder / "folder.yaml").mkdir()
    (folder / "long.yaml").write_text(SPEC.replace("Small book", "L" * 5000))
    listed = client.get("/api/shelf").json()["specs"]
    states = {"long.yaml": "invalid", "small.yaml": "new", "tab.yaml": "invalid"}
    assert {spec["path"]: spec["state"] for spec in listed} == states
    shelf = client.get("/api/shelf").json()["html"]
    assert "Line 9 of its file can’t be read" in shelf
    assert "Title: 5000 characters — at most 120 are allowed" in shelf
    for name in states:
        assert client.get("/api/book", params={"file": name}).status_code == 200
    for name in ("ring.yaml", "folder.yaml", "x" * 5000 + ".yaml"):
        assert "no such book" in client.get("/api/book", params={"file": name}).json()["refused"]


@pytest.fixture
def rough(folder):
    (folder / "small.yaml").write_text(ROUGH)
    return folder / "small.yaml"


def test_a_book_in_other_words_is_shown_in_linkpresss_and_saved_with_the_first_change(client, rough):
    shown = client.get("/api/book", params=FILE).json()
    assert (shown["problems"], shown["saved"], rough.read_text()) == ([], False, ROUGH)
    assert (shown["values"]["title"], shown["values"]["page"]) == ("Quiet paths", {"trim": "A5"})
    assert "line 3: `page_size: A5` is read as `page.trim: A5`" in shown["reading"]["changes"]
    assert client.get("/api/pages", params=FILE).json()["count"] > 3
    changed = client.post("/api/change", json={**FILE, "kind": "set", "path": ["author"], "value": "Me"})
    assert changed.json()["saved"]
    saved = rough.read_text()
    assert "author: Me" in saved
    assert all(words in saved for words in ("# For my aunt.", "# for now", "# output: quiet.pdf (left out"))
    client.post("/api/undo", json=FILE)
    typed = client.post("/api/undo", json=FILE).json()
    assert (typed["text"], typed["reading"], rough.read_text()) == (ROUGH, None, ROUGH)
    assert client.get("/api/book", params=FILE).json()["text"] == ROUGH
    assert client.post("/api/redo", json=FILE).json()["text"] == rough.read_text() == shown["text"]


def test_a_share_of_two_meanings_is_read_in_either_way(client, rough):
    def solids(state):
        return state["reading"]["free"], state["values"]["levels"][0]["solids"]

    assert solids(client.get("/api/book", params=FILE).json()) == (True, "10%")
    is_free, share = solids(client.get("/api/book", params={**FILE, "free": "false"}).json())
    assert not is_free
    assert int(share.removesuffix("%")) > 10
    assert client.post("/api/undo", json=FILE).json()["text"] == rough.read_text() == ROUGH


def test_a_book_in_other_words_is_saved_as_it_is_shown(client, rough):
    shown = client.get("/api/book", params=FILE).json()
    sent = {**FILE, "text": shown["text"], "base": shown["text"]}
    assert client.post("/api/text", json=sent).json()["saved"]
    assert rough.read_text() == shown["text"]


def test_another_program_replaces_a_text_that_is_not_saved(client, rough):
    client.get("/api/book", params=FILE)
    rough.write_text(SPEC)
    changed = client.post("/api/change", json={**FILE, "kind": "set", "path": ["title"], "value": "Other"})
    assert (changed.json()["reading"], rough.read_text()) == (None, SPEC.replace("Small book ", "Other "))


@pytest.mark.parametrize(
    ("added", "reason"),
    [("base: gone.yaml", "there is no file"), ("puzzles: 9\nmix: {easy: 1, odd: 2}", "no such difficulty")],
)
def test_a_file_that_cannot_be_understood_is_shown_as_it_is_with_the_reason(client, rough, added, reason):
    text = f"{ROUGH}{added}\n" if "base" in added else f"titulo: Quiet\n{added}\n"
    rough.write_text(text)
    shown = client.get("/api/book", params=FILE).json()
    assert (shown["text"], shown["reading"]) == (text, None)
    assert any(reason in problem["message"] for problem in shown["problems"])


def test_books_in_other_words_or_without_a_seed_are_listed_but_not_their_base(client, rough, folder):
    (folder / "base.yaml").write_text(SPEC.replace("seed: 7\n", ""))
    (folder / "other.yaml").write_text("base: base.yaml\ntitle: Other\n")
    listed = client.get("/api/shelf").json()["specs"]
    assert [(spec["path"], spec["state"]) for spec in listed] == [
        ("other.yaml", "new"),
        ("small.yaml", "rough"),
    ]


@making_puzzles
def test_the_facts_of_a_puzzle_have_its_name_if_the_book_prints_names(client):
    _wait_for_puzzles(client)
    assert client.get("/api/puzzle", params={**FILE, "number": 2}).json()["name"] == ""
    client.post("/api/change", json={**FILE, "kind": "set", "path": ["captions", "titles"], "value": "yes"})
    _wait_for_puzzles(client)
    name = client.get("/api/puzzle", params={**FILE, "number": 2}).json()["name"]
    assert name
    assert f'"names":["{name}"]' in client.get("/api/play", params={**FILE, "number": 2}).text


@making_puzzles
def test_puzzles_are_made_and_one_is_swapped_and_swapped_back(client, folder):
    _wait_for_puzzles(client)
    first = client.get("/api/puzzle", params={**FILE, "number": 2}).json()
    sent = {**FILE, "kind": "set", "path": ["replace", "2"], "value": "1"}
    assert client.post("/api/change", json=sent).status_code == 200
    _wait_for_puzzles(client)
    other = client.get("/api/puzzle", params={**FILE, "number": 2}).json()
    assert other["fingerprint"] != first["fingerprint"]
    client.post("/api/change", json={**FILE, "kind": "unset", "path": ["replace", "2"]})
    assert client.get("/api/puzzle", params={**FILE, "number": 2}).json() == first
    assert (folder / "small.yaml").read_text() == SPEC


@making_puzzles
def test_swaps_and_the_puzzle_of_the_cover_stay_the_same_when_levels_get_fewer_puzzles_or_move(
    client, folder
):
    def change(kind, path, value):
        assert client.post(
            "/api/change", json={**FILE, "kind": kind, "path": path, "value": value}
        ).is_success
        places = _wait_for_puzzles(client)["places"]
        shown = [number for number in range(1, 6) if f"puzzle-{number}" in places]
        facts = (client.get("/api/puzzle", params={**FILE, "number": number}).json() for number in shown)
        return [each["fingerprint"] for each in facts]

    first = change("set", ["cover"], {"puzzle": "4"})
    swapped = change("set", ["replace"], {str(number): "1" for number in (1, 2, 3, 4)})
    text = (folder / "small.yaml").read_text()
    fewer = change("set", ["levels", 0, "count"], "2")
    assert len(fewer) == 4
    assert set(fewer) < set(swapped)
    assert client.post("/api/undo", json=FILE).is_success
    assert (folder / "small.yaml").read_text() == text
    assert change("order", ["levels"], [1, 0]) == [*swapped[3:], *swapped[:3]]
    assert change("order", ["levels"], [0]) == swapped[3:]
    text = (folder / "small.yaml").read_text()
    assert "replace: {1: 1}" in text
    assert "cover: {puzzle: 1}" in text
    assert change("unset", ["replace"], None) == first[3:]


def test_a_dropped_file_that_is_no_book_is_refused_and_not_kept(client, folder):
    answer = client.post("/api/new", json={"name": "milk.yaml", "text": "shopping: [milk]"})
    assert "neither a book" in answer.json()["refused"]
    for name, text in (("book.YAML", SPEC), ("broken.yaml", SPEC + "  - {")):
        assert client.post("/api/new", json={"name": name, "text": text}).status_code == 200
    assert sorted(path.name for path in folder.glob("*.yaml")) == ["book.yaml", "broken.yaml", "small.yaml"]


def test_scripts_and_styles_stay_within_their_budget():
    """A reader of the window downloads them all, so they must not grow unnoticed."""
    size = sum(path.stat().st_size for path in WEB.iterdir() if path.suffix in (".mjs", ".css"))
    assert size <= MOST_BYTES


def test_a_page_is_drawn_in_a_look_that_is_tried(client, folder):
    """A look over keys of the book's own is drawn as it would be kept: under these keys."""

    def page(**query):
        return client.get("/api/tile", params={**FILE, "what": "look", **query}).text

    def keep(path, value):
        client.post("/api/change", json={**FILE, "kind": "set", "path": path, "value": value})

    own, tried = page(), page(name="bold")
    assert own == client.get("/api/tile", params={**FILE, "what": "page", "number": 6}).text != tried
    keep(["theme", "grid", "inner_pt"], "3")
    tried_over = page(name="bold")
    keep(["theme", "base"], "bold")
    assert page() == tried_over != tried


def test_margins_trim_and_bleed_are_drawn_over_a_page(client, folder):
    (folder / "small.yaml").write_text(SPEC.replace("trim: 6x9in", "trim: 6x9in, bleed: yes"))
    page = {**FILE, "what": "page", "number": 2}
    plain, marked = (
        client.get("/api/drawing", params=query).text.partition("<button")[0]
        for query in (page, {**page, "marks": 1})
    )
    assert 'class="live"' not in plain
    left, top, width, height = map(float, ElementTree.fromstring(marked).get("viewBox").split())
    bleed = 3 / 25.4 * 72  # on a left page it is at the left, and above and below
    assert (left, top) == pytest.approx((-bleed, -bleed), abs=0.01)
    assert (width, height) == pytest.approx((6 * 72 + bleed, 9 * 72 + 2 * bleed), abs=0.01)
    live, trim = ElementTree.fromstring(marked)[-2:]
    assert (live.get("class"), trim.get("class"), trim.get("width")) == ("live", "trim", "432")
    assert float(live.get("x")) > 0


def test_notes_of_a_build_name_the_folder_without_its_path(tmp_path):
    notes = [f"replaced report.txt of the book that was in {tmp_path / 'small'}"]
    end = {"folder": str(tmp_path / "small"), "messages": notes}
    assert "Replaced report.txt of the book that was in small." in notes_html(end)


def test_a_finished_book_is_shown_after_a_restart_until_its_files_change(folder):
    def restarted():
        app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
        return TestClient(app, base_url="http://127.0.0.1:8000/the-key/")

    def finished(client):
        return client.get("/api/finished", params=FILE).json()

    def state(client):
        return client.get("/api/book", params=FILE).json()

    with restarted() as client:
        client.post("/api/build", json=FILE)
        while not (end := state(client)["build"]["end"]):
            time.sleep(0.05)
        shown = finished(client)
    assert "ready to print" in shown["stage"]
    with restarted() as client:
        assert finished(client) == shown
        opened = state(client)
        assert opened["build"]["end"] == end
        assert opened["build"]["version"] == opened["version"]
        sent = {**FILE, "kind": "set", "path": ["title"], "value": "Another book"}
        changed = client.post("/api/change", json=sent).json()
        assert changed["build"]["version"] != changed["version"]
    os.utime(folder / "output" / "small-book" / "interior.pdf", (1, 1))
    with restarted() as client:
        assert state(client)["build"] is None
    assert time_words(time.time() - 86_400).startswith("yesterday at ")


def test_a_price_below_the_cost_of_printing_is_told_on_the_finished_screen(folder):
    path = folder / "small.yaml"
    path.write_text(
        SPEC.replace("page: {trim: 6x9in}", "page: {trim: 6x9in, printer: kdp-paperback}\nnotes_pages: 20")
    )
    view = OpenBook(path, folder / "output").view()
    end = {"pages": 24, "proven": 5, "files": [], "findings": 0, "editions": [], "folder": ""}
    (least, *_) = view.assets.profile.costs.earnings(
        view.spec.page.trim.size, view.plan.page_count, "white", {}
    )
    cheap, dear, even, unset = (
        finished_html(
            replace(view, volume=replace(view.volume, spec=view.spec.model_copy(update={"price": price}))),
            end, "small.yaml", has_browser=False,
        )
        for price in ({"USD": Fraction(1)}, {"USD": Fraction(20)}, {"USD": least.least}, {})
    )  # fmt: skip
    assert re.search(r"At \$1\.00 you would lose money: printing leaves nothing below \$\d\.\d\d\.", cheap)
    assert "lose money" not in dear
    assert re.search(r"At \$\d\.\d\d you earn nothing\.", even)
    assert "you earn nothing" not in dear + unset
    assert 'value="" placeholder="from $' in re.sub(r"\s+", " ", unset)


def test_a_finished_book_shows_its_built_cover_and_tells_changes_and_missing_answers(
    client, folder, monkeypatch
):
    made = build(folder / "small.yaml", folder / "output", ledger=NO_LEDGER)
    files = [file.name for file in made.files]
    end = {"event": "done", "pages": 24, "proven": 5, "findings": 0, "folder": str(made.folder)}
    end |= {"files": files, "editions": [], "shop": [], "messages": [], "findings": [], "time": "14:40"}
    build_facts: dict[str, object] = {"end": end, "saved": {}}
    monkeypatch.setattr(Session, "build_state", lambda session, name: {"build": build_facts})
    client.get("/api/shelf")
    place = built_file(folder / "small.yaml", folder / "output")
    place.parent.mkdir(exist_ok=True)
    keep_build(folder / "small.yaml", folder / "output", end, None)

    def stage():
        return client.get("/api/finished", params=FILE).json()["stage"]

    fresh, panel = stage(), client.get("/api/finished", params=FILE).json()["panel"]
    assert ">Your book is ready to print.</h2>" in fresh
    assert "still missing" not in fresh  # the good news comes first
    _, missing = panel.split("Two things are still missing")
    assert re.findall(r"<p>([^:.]*)[^<]*<button[^>]*>(.*?)</button>", missing) == [
        ("No answer about AI", "Answer it"),
        ("No author", "Add it"),
    ]
    copied = [html.unescape(task) for task in re.findall(r'data-do="(\[&quot;copy[^"]*)"', panel)]
    assert json.loads(copied[0]) == ["copy", "Small book"]
    assert re.findall(r"copy&quot;.*?</svg>(\w+)</button>", panel) == ["Title", "Description"]
    (cover,) = re.findall(r'<img alt="" src="([^"]*)"', fresh)
    assert client.get(f"/{html.unescape(cover)}").headers["content-type"] == "image/png"
    for path, value in (["author"], "Ann Lee"), (["title"], "Another book"):
        client.post("/api/change", json={**FILE, "kind": "set", "path": path, "value": value})
    changed = stage()
    assert "ready to print" not in changed
    assert "<h2>Changed since it was built</h2>" in changed
    assert "Build again" in changed
    panel = client.get("/api/finished", params=FILE).json()["panel"]
    assert "No author" not in panel
    assert re.findall(r"copy&quot;.*?</svg>(\w+)</button>", panel) == ["Title", "Description", "Author"]
    assert html.unescape(cover) in html.unescape(changed)
    for saved, is_done in (("interior.pdf", False), ("cover.pdf", True), ("", True)):
        build_facts["saved"] = {**build_facts["saved"], saved: "14:43"} if saved else {"": "14:43"}
        panel = client.get("/api/finished", params=FILE).json()["panel"]
        assert ('<li class="done">' in panel) == is_done
        assert ("Done at 14:43" in panel) == is_done


def test_a_picture_in_a_design_without_a_place_for_it_has_ways_by_the_names_of_the_gallery(client, folder):
    Image.new("L", (2400, 3200)).save(folder / "art.png")
    (folder / "small.yaml").write_text(
        SPEC.replace("cover: yes", "cover: {design: nest, palette: 2, image: art.png}")
    )
    answer = client.get("/api/problems", params=FILE).json()
    told, *_ = (each["message"] for each in answer["problems"] if each["key"] == ["cover", "image"])
    assert "the design Rainbow has no place for a picture; choose the design Window or Poster" in told
    tasks = [json.loads(html.unescape(task)) for task in re.findall(r'data-do="([^"]*)"', answer["html"])]
    ways = [dict(zip(("kind", "path", "value"), task[1:], strict=True)) for task in tasks if task[0] == "act"]
    assert [way["value"]["design"] for way in ways] == ["window", "poster", None]
    for way in ways:
        shown = client.post("/api/change", json={**FILE, **way}).json()
        assert shown["values"]["cover"]["image"] == "art.png"
        told = client.get("/api/problems", params=FILE).json()
        assert "no place for a picture" not in told["html"]
        client.post("/api/undo", json=FILE)


def test_covers_are_drawn_anew_only_for_a_change_that_they_show(client):
    def look_with(key, value):
        client.post("/api/change", json={**FILE, "kind": "set", "path": [key], "value": value})
        return client.get("/api/pages", params=FILE).json()["look"]

    first = client.get("/api/pages", params=FILE).json()["look"]
    assert look_with("publisher", "Our press") == look_with("price", {"USD": "9.99"}) == first
    assert look_with("author", "Me") != first


def test_covers_are_drawn_without_a_picture_that_is_too_small(client, folder):
    Image.new("L", (300, 400)).save(folder / "art.png")
    (folder / "small.yaml").write_text(SPEC.replace("cover: yes", "cover: {design: poster, image: art.png}"))
    facts = client.get("/api/pages", params=FILE).json()
    covers = [{"what": "front"}, *({"what": "design", "name": name} for name in ("", "poster", "night"))]
    for cover in covers:
        drawn = client.get("/api/tile", params={**FILE, "of": facts["look"], **cover})
        assert drawn.headers["content-type"] == "image/svg+xml", cover


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ((3200, 4800), ["3200 × 4800 dots. Sharp enough to print: 1838 × 2775 are needed."]),
        ((1700, 2567), ["277 dots an inch", "up to 5.7 × 8.6 in", "It can be printed", "page 5.25 × 8 in<"]),
        ((1838, 600), ["Below 200 dots an inch", "Use Window", "Another picture"]),
    ],
)  # fmt: skip
def test_the_settings_of_the_cover_say_whether_its_picture_is_sharp_enough(size, told, client, folder):
    Image.new("L", size).save(folder / "art.png")
    text = SPEC.replace("cover: yes", "cover: {design: poster, image: art.png}")
    text = text.replace("6x9in", "6x9in, printer: kdp-paperback") + "notes_pages: 20\n"
    (folder / "small.yaml").write_text(text)
    form = client.get("/api/settings", params={**FILE, "part": "cover"}).json()["form"]
    assert [words for words in told if words not in form] == []


def test_the_panel_of_a_running_build_counts_the_puzzles_of_each_level_and_times_its_stages(monkeypatch):
    async def report():
        monkeypatch.setattr(RunningJob, "_run", lambda job: asyncio.sleep(0))
        levels = {"Easy": ("Easy going", 3), "Hard": ("Hard", 2)}
        job = RunningJob(["build", "small.yaml", "output"], lambda *_: None, None, levels)
        job._handle({"event": "waiting", "words": "about 2 minutes left"})
        job._handle({"event": "made", "made": 4, "made_of": {"Easy": 3, "Hard": 1}, "line": {}})
        panel = job.progress["panel"]
        for name, seconds in (("lay out", 52), ("draw", 2)):
            job._stage_since_s -= seconds
            job._handle({"event": "stage", "name": name})
        return panel, job.progress["panel"]

    panel, later = asyncio.run(report())
    assert re.findall(r"<time>(.*?)</time>", later) == ["0:52", "0:02"]
    assert re.findall(r"made[^>]*>([^<]*)<span>([^<]*)</span>", panel) == [
        ("Easy going", "done"),
        ("Hard", "1 of 2"),
    ]
    assert "Making puzzles<time>about 2 minutes left</time>" in panel


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the program has another name there")
def test_the_folder_of_a_built_book_is_shown_only_on_the_machine_of_the_studio(client, folder, monkeypatch):
    tools, shown = folder / "tools", folder / "shown.txt"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > {shown}.new && mv {shown}.new {shown}\n')
    (tools / "xdg-open").chmod(0o700)
    monkeypatch.setenv("PATH", str(tools), prepend=os.pathsep)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert "build the book first" in client.post("/api/show_folder", json=FILE).json()["refused"]
    assert client.get("/api/finished", params=FILE).json() == {"refused": "the book is not built yet"}
    built = folder / "output" / "small-book"
    built.mkdir(parents=True)
    assert client.post("/api/show_folder", json=FILE).json() == {}
    while not shown.exists():
        time.sleep(0.01)
    assert shown.read_text() == f"{built.resolve()}\n"
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")
    assert "output/small-book" in client.post("/api/show_folder", json=FILE).json()["refused"]


@making_puzzles
def test_every_kind_of_drawing_is_served(client):
    facts = _wait_for_puzzles(client)
    for what, number in [("page", facts["count"]), ("cover", 0), ("answer", 5), ("steps", 1)]:
        answer = client.get("/api/drawing", params={**FILE, "what": what, "number": number})
        assert answer.status_code == 200, what
        assert answer.text.startswith("<svg")
        assert answer.headers["content-type"] == "image/svg+xml"
    refused = client.get("/api/drawing", params={**FILE, "what": "page", "number": 9999})
    assert refused.json() == {"refused": f"the book has {facts['count']} pages"}


@making_puzzles
def test_colours_are_shown_as_printed_unless_screen_colours_are_wanted(client, folder):
    (folder / "small.yaml").write_text(SPEC.replace("cover: yes", "cover: {background: '#103A3E'}"))
    _wait_for_puzzles(client)
    cover = {**FILE, "what": "cover"}
    assert "#103a3e" in client.get("/api/drawing", params={**cover, "colours": "screen"}).text
    printed = client.get("/api/drawing", params=cover).text
    assert "#103a3e" not in printed
    build(folder / "small.yaml", folder / "output", ledger=NO_LEDGER)
    listed = client.get("/api/shelf").json()["specs"][0]
    png = client.get("/api/thumbnail", params={**FILE, "made": listed["cover"]}).content
    corner = Image.open(io.BytesIO(png)).convert("RGB").getpixel((3, 3))
    assert f"#{bytes(corner).hex()}" in printed


def test_a_front_is_drawn_for_each_book_that_has_ever_been_right(client, folder):
    front = {**FILE, "what": "front"}
    right = client.get("/api/drawing", params=front).text
    assert "aria-label=" in right
    (folder / "small.yaml").write_text(SPEC.replace("levels:", "levels"))
    assert client.get("/api/drawing", params=front).text == right
    (folder / "wrong.yaml").write_text("title: Wrong\nlevels: [{name: A, size: 5\n")
    nothing = client.get("/api/drawing", params={**front, "file": "wrong.yaml"})
    assert (nothing.status_code, nothing.text) == (200, "")


def test_days_before_the_last_made_one_can_no_longer_be_made(client, folder):
    (folder / "daily.yaml").write_text(FEED)
    feed(folder / "daily.yaml", read_dates("2026-12-08", 1), folder / "output" / "daily", ledger=NO_LEDGER)
    asked = {"file": "daily.yaml", "today": "2026-12-01", "day": "2026-12-01", "span": "month"}
    weeks = client.get("/api/calendar", params=asked).json()["weeks"]
    missed = [day["day"] for week in weeks for day in week if day and day["state"] == "missed"]
    assert missed == ["2026-12-01", "2026-12-07"]


def test_problems_lead_to_their_keys_and_the_last_pages_stay(client, folder):
    count = client.get("/api/pages", params=FILE).json()["count"]
    text = SPEC.replace("trim: 6x9in", "trim: 6x9in, papr: white")
    state = client.post("/api/text", json={**FILE, "text": text, "base": SPEC}).json()
    assert [(problem["key"], problem["line"]) for problem in state["problems"]] == [(["page", "papr"], 4)]
    assert client.get("/api/problems", params=FILE).json()["problems"][0]["key"] == ["page", "papr"]
    assert client.get("/api/pages", params=FILE).json()["count"] == count
    assert (folder / "small.yaml").read_text() == text


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("name: Hard", "name: []", "name"),
        ("  - name", "  - ~\n  - name", ""),
        ("cover: yes", "editions: [[]]", ""),
    ],
)
def test_a_file_with_an_unfinished_level_or_list_keeps_its_settings_and_checks(client, before, after, reason):
    client.get("/api/pages", params=FILE)
    client.post("/api/text", json={**FILE, "text": SPEC.replace(before, after), "base": SPEC})
    for part in ("levels/0", "levels/1", "editions"):
        assert client.get("/api/settings", params={**FILE, "part": part}).status_code == 200
    told = client.get("/api/problems", params=FILE)
    assert told.status_code == 200
    assert reason in str(told.json()["problems"])
    asked = client.get("/api/samples", params={**FILE, "level": 7})  # the file changed after the question
    assert asked.status_code == 400


def test_an_unknown_setting_is_a_problem_in_the_words_of_the_window_and_can_be_put_right(client, folder):
    (folder / "small.yaml").write_text(SPEC + "titel: Small\n")
    [problem] = client.get("/api/book", params=FILE).json()["problems"]
    assert problem["message"] == "there is no setting called “titel” here; did you mean `title`?"
    (folder / "small.yaml").write_text(f"{SPEC}subtitel: Quiet\n")
    line = SPEC.count("\n") + 1
    assert f"Put line {line} right" in client.get("/api/problems", params=FILE).json()["html"]


def test_an_unreadable_file_keeps_the_values_of_its_book_and_is_not_built(client, folder):
    values = client.get("/api/book", params=FILE).json()["values"]
    (folder / "small.yaml").write_text(SPEC.replace("levels:", "levels"))
    (listed,) = client.get("/api/shelf").json()["specs"]
    assert (listed["title"], listed["state"]) == ("Small book", "invalid")
    state = client.post("/api/undo", json=FILE).json()
    assert (state["values"], state["unreadable"]) == (values, None)
    state = client.post("/api/redo", json=FILE).json()
    assert (state["values"], state["unreadable"]) == (values, state["problems"][0]["line"])
    refused = client.post("/api/build", json=FILE).json()["refused"]
    assert refused.startswith(f"line {state['unreadable']} of the file can't be read")


def test_every_part_of_a_page_leads_to_a_key_of_the_form(client, folder):
    more = "author: Ada\nnotes_pages: 1\npage: {trim: 6x9in, border: double}\n"
    more += "solutions: {place: after-section}\nscreen: yes\nback: [{title: More, text: Books.}]\n"
    (folder / "small.yaml").write_text(SPEC.replace("page: {trim: 6x9in}\n", more))
    fields = {field["key"]: field for field in client.get("/api/form").json()["fields"]}
    facts = client.get("/api/pages", params=FILE).json()
    places = [("page", number) for number in range(1, facts["count"] + 1)] + [("cover", 0), ("screen", 3)]
    found, puzzles, parts = set(), set(), {}
    for what, number in places:
        query = {**FILE, "what": what, "number": number}
        answer = client.get("/api/regions", params=query).json()
        assert answer["version"] == facts["key"]
        html = client.get("/api/drawing", params={**query, "place": "here"}).text
        svg, *buttons = re.split("(?=<button |<div class=.drops)", html)
        width, height = map(float, ElementTree.fromstring(svg).get("viewBox").split()[2:])
        assert len(buttons) == len(answer["regions"]) + (what == "cover")
        for region in answer["regions"]:
            x, y, wide, high = region["area"]
            assert min(x, y) >= 0, region
            assert x + wide <= 1.003 * width, region
            assert y + high <= 1.003 * height, region
            here = fields
            for step in region["key"]:
                if not isinstance(step, int):
                    here = {field["key"]: field for field in here[step]["fields"]}
            key = key_text(tuple(region["key"]))
            found.add(key)
            parts.setdefault((what, key), (region["part"], region["role"]))
            puzzles.add((key, region["puzzle"]))
    assert {"title", "author", "levels[1]", "levels[1].name", "page.numbers", "page.border"} <= found
    assert {"back[0].title", "back[0].text", "notes_pages", "cover.design", "isbn"} <= found
    assert {("levels[0]", 3), ("levels[1]", 4), ("solutions", 5)} <= puzzles
    told = {
        ("page", "title"): ("opening", "page"),
        ("cover", "title"): ("cover", "spine"),
        ("page", "page.margins"): ("whole", "margins"),
        ("page", "parts.how_to_play"): ("guide", "page"),
        ("page", "levels[1]"): ("levels/1", "page"),
        ("page", "back[0].text"): ("back/0", "text"),
    }
    assert {key: parts[key] for key in told} == told


@pytest.mark.parametrize(
    ("key", "shown", "of"),
    [
        ("levels.1", ("page", 9), "levels[1]"),
        ("levels.1.per_page", ("page", 9), "levels[1]"),
        ("levels.1.title", ("page", 8), "levels[1].name"),
        ("page.numbers", ("page", 3), "page.numbers"),
        ("page", ("page", 1), "page.margins"),
        ("cover.initial", ("cover", 0), "cover"),
        ("solutions.per_page", ("page", 10), "solutions"),
        ("fonts.regular", ("", 0), ""),
    ],
)
def test_a_key_leads_to_the_first_page_that_it_or_a_key_above_controls(client, key, shown, of):
    found = client.get("/api/where", params={**FILE, "key": key}).json()
    assert (found["what"], found["number"]) == shown
    if of:
        query = {**FILE, "what": found["what"], "number": found["number"]}
        regions = client.get("/api/regions", params=query).json()["regions"]
        own = [one for one in regions if key_text(tuple(one["key"])) == of]
        boards = [one for one in own if one["role"] == "board"]
        assert found["areas"] == [one["area"] for one in boards or own]
    else:
        assert found["areas"] == []


def test_a_setting_with_keys_of_its_own_shows_them(client, folder):
    (folder / "small.yaml").write_text(SPEC + "price: {USD: 9.99}\n")
    form = client.get("/api/settings", params={**FILE, "part": "extras"}).json()["form"]
    assert '<p id="key-price">USD: 9.99. Change it in the file.</p>' in form


def test_galleries_name_each_palette_and_are_sent_only_to_a_window_that_has_not_those_of_this_look(client):
    first = client.get("/api/pages", params=FILE).json()
    for design in re.findall(r'<div class="gallery palette".*?</div>', first["galleries"]["cover"]):
        names = re.findall(r"<span>([^<]+)</span>", design)
        assert len(set(names)) == design.count("<button") >= 3
        assert not [name for name in names if name.isdigit()]
    asked = {**FILE, "look": first["look"]}
    assert "galleries" not in client.get("/api/pages", params=asked).json()
    client.post("/api/change", json={**FILE, "kind": "set", "path": ["title"], "value": "Other"})
    assert client.get("/api/pages", params=asked).json()["galleries"].keys() == first["galleries"].keys()


def test_a_palette_that_the_design_lacks_is_a_problem(client, folder):
    spec = SPEC.replace("cover: yes", "cover: {design: river, palette: 12}")
    (folder / "small.yaml").write_text(spec)
    (problem,) = client.get("/api/problems", params=FILE).json()["problems"]
    assert problem["key"] == ["cover", "palette"]
    assert "palettes; choose 1 to" in problem["message"]


def test_sample_boards_have_the_difficulty_of_their_level_and_are_made_once_for_all_looks(
    client, monkeypatch
):
    asked = {**FILE, "level": 1}
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "difficulty"], "value": "easy"}
    client.post("/api/change", json=sent)
    before = client.get("/api/samples", params=asked).json()["boards"]
    assert [board["difficulty"].split(",")[0] for board in before] == ["Easy"] * 3
    assert all(board["svg"].startswith("<svg") for board in before)
    monkeypatch.setattr("linkpress.engine.make.generate.generate", None)  # a call would fail
    sent = {**FILE, "kind": "set", "path": ["theme"], "value": "bold"}
    client.post("/api/change", json=sent)
    after = client.get("/api/samples", params=asked).json()["boards"]
    assert [board["difficulty"] for board in after] == [board["difficulty"] for board in before]
    assert [board["svg"] for board in after] != [board["svg"] for board in before]


def test_boards_that_are_asked_for_in_another_look_go_on_being_made(tmp_path):
    session = Session(tmp_path, tmp_path)
    is_first_outdated = session.begin_request("samples", ("level", 0))
    session.begin_request("samples", ("level", 0))
    assert not is_first_outdated()
    is_last_outdated = session.begin_request("samples", ("level", 1))
    assert (is_first_outdated(), is_last_outdated()) == (True, False)


def test_a_new_book_is_a_copy_of_an_example(client, folder):
    made = client.post("/api/new", json={"like": "children", "title": "My: first book"}).json()
    assert made == {"file": "my-first-book.yaml"}
    assert client.get("/api/book", params=made).json()["values"]["title"] == "My: first book"
    again = client.post("/api/new", json={"like": "children", "title": "My: first book"})
    assert "exists already" in again.json()["refused"]
    feed = client.post("/api/new", json={"like": "newspaper", "title": "Daily links"}).json()
    assert client.get("/api/problems", params=feed).json()["problems"] == []
    listed = client.get("/api/shelf").json()["specs"]
    assert [(spec["title"], spec["state"]) for spec in listed] == [
        ("Daily links", "feed"),
        ("My: first book", "new"),
        ("Small book", "new"),
    ]


def change_file(client, kind, file="small.yaml", **more):
    """Ask for a change of a file; return the answer and the names that are listed then."""
    answer = client.post("/api/file_change", json={"kind": kind, "file": file, **more}).json()
    for shown in ("html", "path", "back"):
        answer.pop(shown, "")
    shelf = client.get("/api/shelf").json()
    return answer, sorted(spec["path"] for spec in shelf["specs"]), shelf["trash"]


def test_a_copy_has_another_title_and_the_same_or_new_puzzles(client, folder):
    (folder / "small.yaml").write_text(SPEC + "isbn: 978-3-16-148410-0\nid: mine\n")
    assert change_file(client, "copy") == ({}, ["small-2.yaml", "small.yaml"], [])
    first, second = load_spec(folder / "small.yaml"), load_spec(folder / "small-2.yaml")
    assert (second.title, second.seed, second.isbn) == ("Small book 2", first.seed, None)
    assert "# its name" in (folder / "small-2.yaml").read_text()
    change_file(client, "new")
    assert load_spec(folder / "small-3.yaml").seed != first.seed
    assert "volume number" in change_file(client, "volume")[0]["refused"]
    (folder / "small.yaml").write_text(SPEC + "series: {name: Small books}\nvolume: 1\n")
    change_file(client, "volume")
    third = load_spec(folder / "small-4.yaml")
    assert (third.title, third.volume) == ("Small book", 2)
    assert third.seed != first.seed


def test_a_copy_keeps_the_seed_of_title_or_base_and_no_isbn_of_an_edition(client, folder):
    levels = "levels: [{name: A, count: 2, size: 5}]"
    (folder / "2026.yaml").write_text(
        f"title: Mine\n{levels}\neditions: {{big: {{isbn: 978-3-16-148410-0, page: {{trim: A4}}}}}}\n"
    )
    assert "2026-2.yaml" in change_file(client, "copy", "2026.yaml")[1]
    copy = load_spec(folder / "2026-2.yaml")
    assert (copy.title, copy.seed) == ("Mine 2", "Mine")
    assert "isbn" not in (folder / "2026-2.yaml").read_text()
    (folder / "base.yaml").write_text(SPEC)
    (folder / "first.yaml").write_text("base: base.yaml\nvolume: 1\n")
    change_file(client, "copy", "first.yaml")
    copy = load_spec(folder / "first-2.yaml")
    assert (copy.title, copy.seed) == ("Small book 2", load_spec(folder / "base.yaml").seed)


def test_a_file_is_renamed_and_no_other_file_replaced(client, folder):
    (folder / "other.yaml").write_text(SPEC)
    assert "exists already" in change_file(client, "rename", name="other")[0]["refused"]
    assert "can't have this name" in change_file(client, "rename", name="../small")[0]["refused"]
    assert change_file(client, "rename", name="My first book") == (
        {},
        ["My first book.yaml", "other.yaml"],
        [],
    )
    assert (folder / "My first book.yaml").read_text() == SPEC


@pytest.mark.parametrize("text", [SPEC.replace("seed: 7\n", ""), "title: Small book\nmix: {easy: 2}\n"])
def test_a_file_is_renamed_with_its_title_and_keeps_its_puzzles(client, folder, text):
    (folder / "small.yaml").write_text(text)
    seed = load_spec(folder / "small.yaml").seed
    asked = client.post("/api/file_change", json={"kind": "rename", **FILE}).json()["html"]
    assert 'value="small"' in asked
    assert 'value="Small book"' in asked
    for more in ({"title": "Dropped"}, {"title": "Big book", "with_title": "on"}):
        change_file(client, "rename", name="small", **more)
    book = load_spec(folder / "small.yaml")
    assert (book.title, book.seed) == ("Big book", seed)
    given = {"kind": "rename", **FILE, "name": "other", "title": "Dropped", "with_title": "on"}
    back = client.post("/api/file_change", json=given).json()["back"]
    assert "back" not in client.post("/api/file_change", json=back).json()
    assert load_spec(folder / "small.yaml").title == "Big book"


@pytest.mark.parametrize("in_shelf", [True, False])
def test_a_built_book_keeps_its_puzzles_swaps_and_folder_under_another_title(client, folder, in_shelf):
    path, out = folder / "small.yaml", folder / "output"
    path.write_text(SPEC.replace("seed: 7\n", "") + "replace: {2: 1}\n")
    first = build(path, out)
    if in_shelf:
        change_file(client, "rename", name="small", title="Happy Trails", with_title="on")
    else:
        sent = {**FILE, "kind": "set", "path": ["title"], "value": "Happy Trails"}
        assert client.post("/api/change", json=sent).status_code == 200
    again = build(path, out)
    assert (again.volume.spec.title, again.volume.spec.id) == ("Happy Trails", "small-book")
    assert again.volume.puzzles == first.volume.puzzles
    assert (again.folder, again.warnings) == (first.folder, ())
    if not in_shelf:
        client.post("/api/undo", json=FILE)
        assert load_spec(path).id is None


def test_puzzles_made_before_a_build_are_those_that_the_build_prints(tmp_path):
    path, other, out = tmp_path / "small.yaml", tmp_path / "other.yaml", tmp_path / "output"
    path.write_text(SPEC)
    other.write_text(SPEC.replace("Small book", "Another book"))
    build(path, out)
    _make(other, out, _Reporter(io.StringIO()))
    made = {line["key"]: line["attempt"] for line in saved_records(out / "another-book" / JOURNAL_FILE)}
    built = build(other, out)
    assert list(made.values()) == [record.attempt for record in built.volume.puzzles]
    assert built.warnings == (
        "small-book in the ledger has 5 puzzles of the same seed and settings, so this book has others "
        "instead. If it is the same book under an earlier title, write `id: small-book` and build again to "
        "keep its puzzles.",
    )


def test_the_book_that_was_changed_last_is_listed_first(client, folder):
    (folder / "other.yaml").write_text(SPEC)
    for first, second in (("other.yaml", "small.yaml"), ("small.yaml", "other.yaml")):
        os.utime(folder / second, (1e9, 1e9))
        os.utime(folder / first, (2e9, 2e9))
        specs = client.get("/api/shelf").json()["specs"]
        assert [spec["path"] for spec in specs] == [first, second]


def test_a_discarded_book_is_put_back(client, folder):
    assert change_file(client, "discard") == ({}, [], ["small.yaml"])
    (folder / "small.yaml").write_text(SPEC.replace("Small", "Second"))
    assert "another small.yaml" in change_file(client, "restore")[0]["refused"]
    assert change_file(client, "discard") == ({}, [], ["small-2.yaml", "small.yaml"])
    assert change_file(client, "restore") == ({}, ["small.yaml"], ["small-2.yaml"])
    assert (folder / "small.yaml").read_text() == SPEC
    assert "not in the trash" in change_file(client, "restore", file="../small.yaml")[0]["refused"]


def ways_of(level):
    """The text of each suggested change of a level, and the keys that it sets."""
    return [(way["words"], way["keys"]) for way in level["ways"]]


def test_the_forecast_of_an_unlikely_level_suggests_other_recipes(client, folder):
    for key, value in (("technique", "fiendish"), ("count", "40")):
        sent = {**FILE, "kind": "set", "path": ["levels", 1, key], "value": value}
        assert client.post("/api/change", json=sent).status_code == 200
    easy, hard = client.get("/api/problems", params=FILE).json()["outlook"]
    assert sum(share for _, share, _ in easy["difficulties"]) == pytest.approx(1, abs=0.01)
    assert (easy["state"], easy["ways"]) == ("", [])
    assert easy["words"] == "Boards of every difficulty are taken. All 3 take less than a second to make."
    assert hard["state"] == "hardlyMade"
    assert ("Take the hardest that turn up", {"otherwise": "nearest"}) in ways_of(hard)
    way = hard["ways"][0]["keys"]
    client.post("/api/change", json={**FILE, "kind": "merge", "path": ["levels", 1], "value": way})
    assert not client.get("/api/problems", params=FILE).json()["outlook"][1]["state"]
    client.post("/api/undo", json=FILE)
    assert "count: 40" in (folder / "small.yaml").read_text()


def test_an_easier_difficulty_is_suggested_with_its_size_if_the_size_of_the_wanted_one_is_too_large(
    client, folder
):
    extreme = SPEC.replace("size: 5, paths: 4, count: 3", "size: 5, count: 9, difficulty: extreme")
    extreme = extreme.replace("trim: 6x9in", "trim: 6x9in, printer: kdp-paperback")
    (folder / "small.yaml").write_text(extreme + "solutions: {per_page: 12}\n")
    level = client.get("/api/problems", params=FILE).json()["outlook"][0]
    assert "too small to be extreme" in level["words"]
    (size,) = (way for way in level["ways"] if "size" in way["keys"])
    assert size["words"] == "Make the boards 10 × 10 and ask for expert"
    assert size["keys"]["difficulty"] == "expert"


def test_a_difficulty_that_boards_hardly_have_is_saved_with_ways_out(client, folder):
    (folder / "small.yaml").write_text(SPEC + "editions: {es: {language: es}}\n")
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "difficulty"], "value": "extreme"}
    assert client.post("/api/change", json=sent).json()["problems"][0]["key"] == sent["path"]
    told = client.get("/api/problems", params=FILE).json()
    assert "extreme begins at" in told["problems"][0]["message"]
    assert "Level 2 can't be made" in client.post("/api/build", json=FILE).json()["refused"]
    easy, hard = told["outlook"]
    assert easy["difficulties"]  # the other level has its graph, also after a reload
    assert (hard["name"], hard["state"]) == ("Hard", "notMade")
    assert hard["words"] == "A 6 × 6 board is too small to be extreme."
    assert 'id="edition-es-page"' in client.get("/api/pages", params=FILE).json()["chooser"]
    assert client.get("/api/pages", params={**FILE, "edition": "es"}).json()["count"] > 0
    ways = [way["keys"] for way in hard["ways"]]
    assert [sorted(keys) for keys in ways] == [["paths", "size"], ["difficulty"], ["otherwise"]]
    assert ways[0]["size"].isdecimal()  # as the buttons for the size write it
    for way in ways:
        mended = client.post(
            "/api/change", json={**sent, "kind": "merge", "path": ["levels", 1], "value": way}
        )
        assert mended.json()["problems"] == []
        client.post("/api/undo", json=FILE)
    assert "is allowed" in client.post("/api/change", json={**sent, "value": "odd"}).json()["refused"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("size: 5, difficulty: expert", "A 5 × 5 board is too small to be expert."),
        ("size: 5, difficulty: medium", "Too rare: 1 board in 500 comes out medium."),
        ("size: 8, difficulty: extreme", "An 8 × 8 board is too small to be extreme."),
        ("size: 6, paths: 6, difficulty: medium", "With so many pairs, boards turn out easy."),
        ("size: 8, paths: 3, difficulty: easy", "With so few pairs, boards turn out hard."),
        ("size: 6, solids: 6, difficulty: medium", "Solid squares leave too little room for 4 pairs."),
    ],
)
def test_a_level_that_cannot_be_made_is_told_its_cause(client, folder, keys, words):
    level = "size: 6       # squares\n    paths: 4-5"
    (folder / "small.yaml").write_text(SPEC.replace(level, "\n    ".join(keys.split(", "))))
    told = client.get("/api/problems", params=FILE).json()["outlook"]
    assert told[-1]["words"] == words


def test_a_level_that_takes_the_nearest_boards_is_not_compared_by_a_difficulty_they_do_not_have(
    client, folder
):
    keys = "count: 2\n    title: Gentle\n    otherwise: nearest\n    difficulty: extreme"
    text = SPEC.replace("size: 5, paths: 4", "size: 9, paths: 8")
    (folder / "small.yaml").write_text(text.replace("count: 2", keys))
    _, nearest = client.get("/api/problems", params=FILE).json()["outlook"]
    assert nearest["warnings"] == []
    assert nearest["words"].startswith("Such boards hardly ever come out extreme, so the nearest are taken.")
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "difficulty"], "value": "easy"}
    assert client.post("/api/change", json=sent).json()["problems"] == []
    (rising,) = client.get("/api/problems", params=FILE).json()["outlook"][1]["warnings"]
    assert rising.startswith("Level 2 (Gentle) will")


def test_each_way_out_says_what_comes_of_it_and_shows_a_board(client, folder):
    (folder / "small.yaml").write_text(SPEC.replace("count: 2", "count: 2\n    difficulty: extreme"))
    _, hard = client.get("/api/problems", params=FILE).json()["outlook"]
    words = [way["words"] for way in hard["ways"]]
    assert words == [
        "Make the boards 14 × 14",
        "Stay at 6 × 6 and ask for medium",
        "Take the hardest that turn up",
    ]
    larger, easier, hardest = (way["more"] for way in hard["ways"])
    assert re.fullmatch(
        r"With 10 to 13 pairs, about 1 board in \d comes out extreme. All 2 take .* to make.", larger
    )
    assert easier.startswith("That is as hard as 6 × 6 gets. About 1 board in ")
    assert hardest == "Each comes as near to what you asked for as the search gets."
    pictures = re.findall(r'<img src="([^"]*)', hard["html"])
    assert len(pictures) == 3
    boards = [client.get(f"/{html.unescape(address)}").text for address in pictures]
    assert [len(set(re.findall(r">(\d+)</text>", board))) >= 4 for board in boards] == [True] * 3
    nothing = {"level": 1, "keys": '{"difficulty": "extreme"}', "rows": 6, "cols": 6}
    hatched = client.get("/api/board", params={**FILE, **nothing}).text
    assert hatched.startswith("<svg")
    assert "<text" not in hatched


@making_puzzles
def test_pages_of_a_book_that_never_was_right_show_empty_grids_if_only_a_level_cannot_be_made(client, folder):
    (folder / "small.yaml").write_text(SPEC.replace("count: 2", "count: 2\n    difficulty: extreme"))
    facts = client.get("/api/pages", params=FILE).json()
    assert facts["waiting"] == [1, 2, 3, 4, 5]
    query = {**FILE, "what": "page", "number": facts["places"]["puzzle-5"]}
    drawn, _, spots = client.get("/api/drawing", params=query).text.partition("</svg>")
    shown = "".join(re.findall(r"<text[^>]*>([^<]*)", drawn))
    assert shown == "Puzzles 4–5Hard9Solution p. 1146 × 6Solution p. 1156 × 6"  # no numbers on boards
    assert "Puzzle 5 not made" in spots


def test_a_built_book_is_known_after_a_new_price_and_keeps_its_cover_and_files_after_other_changes(
    client, folder
):
    made = build(folder / "small.yaml", folder / "output", ledger=NO_LEDGER)
    assert "api/zip?file=small.yaml" in client.get("/api/shelf").json()["html"]
    client.get("/api/book", params=FILE)  # the studio keeps the last text without problems
    end = {"folder": str(made.folder), "files": ["interior.pdf"], "editions": []}
    keep_build(folder / "small.yaml", folder / "output", end, None)

    def shelf_after(path, value):
        client.post("/api/change", json={**FILE, "kind": "set", "path": path, "value": value})
        (listed,) = client.get("/api/shelf").json()["specs"]
        return listed

    listed = shelf_after(["price", "USD"], "9.99")
    assert listed["state"] == "built"
    cover = listed["cover"]
    listed = shelf_after(["title"], "Another book")
    assert (listed["state"], listed["cover"]) == ("changed", cover)
    saved = client.get("/api/file", params={**FILE, "name": "interior.pdf", "keep": 1})
    assert saved.content == (made.folder / "interior.pdf").read_bytes()
    listed = shelf_after(["levels", 1, "difficulty"], "extreme")
    assert listed["state"] == "invalid"
    for shown in (cover, listed["cover"]):
        drawn = client.get("/api/thumbnail", params={**FILE, "made": shown})
        assert drawn.headers["content-type"] == "image/png"


def test_the_files_of_an_edition_are_looked_at_saved_and_in_the_zip(client, folder):
    path = folder / "small.yaml"
    path.write_text(SPEC + "editions: {es: {language: es, title: Libro}}\n")
    made = build(path, folder / "output", ledger=NO_LEDGER)
    (edition,) = made.editions
    files = {"": made.files, "es": edition.files}
    listed = [{"name": "es", "folder": str(edition.folder), "files": [file.name for file in edition.files]}]
    end = {"pages": 24, "proven": 5, "findings": 0, "folder": "", "files": [], "editions": listed}
    end |= {"time": "14:40"}
    view = OpenBook(path, folder / "output").view()
    shown = finished_html(view, end, "small.yaml", has_browser=False)
    look, save = re.findall(r'href="(api/file\?[^"]*name=interior.pdf[^"]*)"', shown)
    pages = (edition.folder / "interior.pdf").read_bytes()
    for address in (look, save):
        assert client.get(f"/{html.unescape(address)}").content == pages
    with zipfile.ZipFile(io.BytesIO(client.get("/api/zip", params=FILE).content)) as archive:
        for name, listed in files.items():
            for file in listed:
                inside = archive.read(f"{name}/{file.name}".lstrip("/"))
                assert hashlib.sha256(inside).digest() == hashlib.sha256(file.read_bytes()).digest()
    other = client.get("/api/file", params={**FILE, "name": "interior.pdf", "edition": "../small-book-es"})
    assert "there is no such file" in other.json()["refused"]


def settings(client, part, **change):
    """The form of a part, perhaps after a change of a key that is named with dots for its path."""
    for key, value in change.items():
        sent = {**FILE, "kind": "set", "path": key.split("__"), "value": value, "part": part}
        return client.post("/api/change", json=sent).json()["form"]
    return client.get("/api/settings", params={**FILE, "part": part}).json()["form"]


def test_the_cost_of_a_copy_follows_the_size_the_printer_and_the_paper(client, folder):
    (folder / "small.yaml").write_text(
        SPEC.replace("6x9in", "6x9in, printer: kdp-paperback").replace("count: 3", "count: 60")
    )
    cost = r'role="status">(.*?)</p>'
    (words,) = re.findall(cost, settings(client, "whole"))
    pages = int(re.match(r"\d+", words)[0])
    begin = f"{pages} pages on white paper cost <strong>$2.30</strong> a copy to print in the United States. "
    colour = f"<strong>${1 + 0.065 * pages:.2f}</strong>"
    assert words == f"{begin}On premium colour paper each copy costs {colour} to print in place of $2.30."
    gallery = client.get("/api/pages", params=FILE).json()["galleries"]["looks"]
    grey, coloured = gallery.split("These need paper printed in colour.")
    assert "theme-newspaper" in grey
    assert "theme-plain-dots" in coloured
    assert f"On premium colour paper each copy costs {colour} to print in place of $2.30." in coloured
    assert f"on premium colour paper cost {colour}" in settings(client, "whole", page__paper="premium-colour")
    assert "in place of" not in client.get("/api/pages", params=FILE).json()["galleries"]["looks"]
    (words,) = re.findall(cost, settings(client, "whole", page__trim="8.5x11in"))
    assert "On white paper each copy costs <strong>$2.84</strong> to print in place of" in words
    too_short = settings(client, "whole", page__printer="lulu")
    assert 'class="cost"' not in too_short  # the cost of the earlier printer would be wrong
    assert "doesn’t know what" in settings(client, "whole", page__trim="6x9in")


def test_the_cost_on_a_paper_that_the_book_cant_be_printed_on_is_not_told(client, folder):
    page = "6x9in, printer: kdp-paperback, paper: premium-colour"
    (folder / "small.yaml").write_text(
        SPEC.replace("6x9in", page).replace("count: 3", "count: 60") + "numbers: {style: dots}\n"
    )
    told = settings(client, "whole")
    assert "on premium colour paper cost" in told
    assert "white paper" not in told


def test_a_difficulty_in_numbers_is_shown_among_the_words(client):
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "difficulty"], "value": "23-28", "part": "levels/1"}
    form = client.post("/api/change", json=sent).json()["form"]
    low, high = re.findall(r'<select id="key-levels-1-difficulty.*?</select>', form)
    assert '<option value="23" selected>23</option>' in low
    assert '<option value="28" selected>28</option>' in high
    assert "selected" not in high.replace('<option value="28" selected>', "")


def test_a_word_below_the_graph_chooses_its_difficulty_and_a_name_that_says_more_is_warned_of(client):
    easy, hard = client.get("/api/problems", params=FILE).json()["outlook"]
    assert "though its name says hard. Choose the difficulty hard" in hard["warnings"][-1]
    assert "`" not in "".join(hard["warnings"])
    task = html.escape(json.dumps(["act", "set", ["levels", 0, "difficulty"], "hard"]))
    assert re.search(rf'<button [^>]*data-do="{re.escape(task)}"[^>]*>Hard</button>', easy["html"])


def test_a_picture_without_a_place_in_the_design_is_given_one_below_its_field(client):
    form = settings(client, "cover", cover={"design": "river", "image": "me.jpg"})
    field = form[form.index('id="key-cover-image-meaning"') :]
    assert re.findall(">(Use Window|Use Poster|Fill the whole front)<", field) == [
        "Use Window", "Use Poster", "Fill the whole front",
    ]  # fmt: skip


def test_a_level_s_title_in_an_edition_is_reset_and_set_again_without_moving_the_others(client, folder):
    (folder / "small.yaml").write_text(SPEC + "editions: {es: {language: es}}\n")

    def titles(kind, index, title=None):
        path = ["editions", "es", "levels", index, "title"]
        client.post(
            "/api/change", json={**FILE, "kind": kind, "path": path, "value": title}
        ).raise_for_status()
        return load_spec(folder / "small.yaml").source.value["editions"]["es"].get("levels")

    assert titles("set", 1, "Difícil") == [{}, {"title": "Difícil"}]
    assert titles("set", 0, "Fácil") == [{"title": "Fácil"}, {"title": "Difícil"}]
    assert titles("unset", 0) == [{}, {"title": "Difícil"}]
    edition = OpenBook(folder / "small.yaml", folder / "output").view("es").spec
    assert [level.title for level in edition.levels] == [None, "Difícil"]


def test_untranslated_words_of_an_edition_lead_to_its_fields_and_own_pages_are_copied_for_it(client, folder):
    spec = SPEC + "front: [{title: For Lina, text: Love.}]\nedition: First edition\n"
    (folder / "small.yaml").write_text(spec + "editions: {es: {language: es}}\n")

    def task(*path):
        return html.escape(json.dumps(path))

    form = settings(client, "editions")
    asked = form.partition("The Spanish edition still has English words:")[2].partition("</div>")[0]
    assert re.findall(r">([^<]+)<", asked) == [
        "title", "edition line", "pages before the puzzles", "titles of the levels Easy and Hard",
    ]  # fmt: skip
    for key in ("title", "edition"):
        assert task("key", ["editions", "es", key]) in form
        assert f'id="key-editions-es-{key}"' in form
    own = ["editions", "es", "front"]
    pages = [{"title": "For Lina", "text": "Love."}]
    assert task("act", "set", own, pages) in form
    client.post("/api/change", json={**FILE, "kind": "set", "path": own, "value": pages})
    for key, text in (("title", "Para Lina"), ("text", "Amor.")):
        sent = {**FILE, "kind": "set", "path": [*own, 0, key], "value": text, "part": "editions"}
        form = client.post("/api/change", json=sent).json()["form"]
        assert f'id="key-editions-es-front-0-{key}"' in form
        assert text in form
    assert "pages before" not in form
    saved = load_spec(folder / "small.yaml")
    assert saved.front[0].title == "For Lina"
    assert edition_documents(saved)["es"].model.front[0].text == "Amor."


def test_a_dedication_is_added_by_a_click(client):
    add = html.escape(json.dumps(["addEntry", ["front"], {"text": "Your text", "kind": "dedication"}]))
    assert add in rail_html("book", {"levels": [{"name": "Easy"}]})
    form = settings(client, "front/0", front=[{"text": "Your text", "kind": "dedication"}])
    assert re.search('<option value="dedication" selected', form)


def test_fields_of_an_edition_show_the_book_s_words_as_their_hints_only_and_lead_to_its_pages(client):
    form = settings(client, "editions", editions={"es": {"language": "es"}})
    assert html.escape(json.dumps(["edition", "es", "page"])) in form
    for key, hint in (("title", "Small book"), ("levels-0-title", "Easy"), ("levels-1-title", "Hard")):
        (field,) = re.findall(f'<input [^>]*id="key-editions-es-{key}"[^>]*>', form)
        assert f'placeholder="{hint}"' in field
        assert 'value=""' in field
    assert html.escape('{"language": "de"}') in form


def test_the_pages_of_an_edition_in_another_language_come_with_a_note_for_the_settings(client, folder):
    editions = "editions: {es: {language: es}, big: {page: {large_print: yes}}}\n"
    (folder / "small.yaml").write_text(SPEC + editions)
    notes = {
        name: client.get("/api/pages", params={**FILE, "edition": name}).json()["told"]
        for name in ("", "es", "big")
    }
    assert "These are the words of the English book. Spanish words:" in notes["es"]
    assert html.escape(json.dumps(["key", ["editions", "es", "title"]])) in notes["es"]
    assert notes[""] == notes["big"] == ""


def test_a_captions_difficulty_stands_below_the_toggles_and_a_point_among_the_units_by_its_sign(client):
    form = settings(client, "whole", page__margins__inside="20mm")
    units = re.search(r'<select [^>]*id="key-page-margins-inside-unit".*?</select>', form)[0]
    assert (units.count("<option"), ">pt</option>" in units) == (3, True)
    places = [
        form.index(f'id="key-captions-{key}"') for key in ("titles", "size", "page", "time", "difficulty")
    ]
    assert places == sorted(places)


class ShownMeanings(HTMLParser):
    """The sentences below the fields of a form, without those under "All settings" and "More settings"."""

    def __init__(self, form):
        super().__init__()
        self.found, self._open, self._hidden = [], [], 0
        self.feed(form)

    def handle_starttag(self, kind, attributes):
        if kind in ("input", "img"):
            return
        is_meaning = kind == "p" and "meaning" in (dict(attributes).get("class") or "").split()
        self._open.append((kind, is_meaning))
        if dict(attributes).get("id") == "all-settings":
            self._hidden = len(self._open)
        if is_meaning:
            self.found.append("")
        if kind == "code" and self._is_shown():
            self.found[-1] += "`"

    def handle_endtag(self, kind):
        while self._open.pop()[0] != kind:
            pass
        if len(self._open) < self._hidden:
            self._hidden = 0

    def handle_data(self, text):
        if self._open and self._open[-1][0] == "summary" and text == "More settings":
            self._hidden = self._hidden or len(self._open) - 1
        elif self._is_shown():
            self.found[-1] += text

    def _is_shown(self):
        return not self._hidden and any(is_meaning for _, is_meaning in self._open)


ALL_PARTS = """\
front: [{text: First}]
back: [{text: Last}]
editions: {es: {title: Caminos, cover: {blurb: Uno, badge: Nuevo}, levels: [{title: Facil}]}}
"""


@pytest.mark.parametrize(("text", "count"), [(SPEC + ALL_PARTS, 60), (FEED, 30)], ids=["book", "feed"])
def test_shown_settings_are_explained_without_keys_and_words_of_files(client, folder, text, count):
    (folder / "small.yaml").write_text(text)
    state = client.get("/api/book", params=FILE).json()
    assert state["problems"] == []
    # Looks and extras are for experts.
    names = [part["name"] for part in state["parts"] if part["name"] not in ("looks", "extras")]
    shown = [(name, each) for name in names for each in ShownMeanings(settings(client, name)).found if each]
    assert len(shown) > count
    file_words = "`|YAML|Markdown|line feed|mapping|manifest|the path of|a path|[Kk]eys?\\b|[a-z]_[a-z]"
    assert [each for each in shown if re.search(file_words, each[1])] == []


@pytest.mark.parametrize(("text", "model"), [(SPEC, BookSpec), (FEED, FeedSpec)])
def test_every_key_has_a_place_among_the_settings_and_is_found(client, folder, text, model):
    (folder / "small.yaml").write_text(text)
    listed = client.get("/api/settings_list", params=FILE).json()
    paths = [shown for _, (task, shown) in listed if task == "key"]
    found = {".".join(step for step in path if isinstance(step, str)) for path in paths}
    in_file_only = {"mix", *MIX_KEYS}

    def keys_of(one, above=()):
        for key, field in fields_of(one).items():
            inner = model_of(field)
            if inner and key not in ("language", "words", "front", "back"):
                yield from keys_of(inner, (*above, key))
            elif key not in in_file_only:
                yield ".".join((*above, key))

    assert set(keys_of(model)) - found == set()


def slider(form, key):
    """The ends, the limits and the unit of the slider for a key of the first level."""
    ends = re.findall(rf'id="key-levels-0-{key}-slider-\d" min="(\d+)" max="(\d+)" value="(\d+)"', form)
    (least, most, low), (_, _, high) = ends
    unit = re.search(rf"&quot;{key}&quot;\]\" data-unit=\"([^\"]*)", form)[1]
    return [int(low), int(high)], [int(least), int(most)], unit


@pytest.mark.parametrize(
    ("keys", "paths", "solids"),
    [
        ("size: 8, paths: 7-10", ([7, 10], [5, 18], " pairs"), ([0, 0], [0, 19], " squares")),
        ("size: 8", ([7, 10], [5, 18], " pairs"), ([0, 0], [0, 19], " squares")),
        ("size: 8, paths: 25, solids: 0-40%", ([25, 25], [5, 25], " pairs"), ([0, 40], [0, 40], "%")),
        ("size: [7, 8], paths: 6", ([6, 6], [4, 18], " pairs"), ([0, 0], [0, 19], " squares")),
    ],
)
def test_pairs_and_solid_squares_have_sliders_with_the_levels_own_ends(client, folder, keys, paths, solids):
    (folder / "small.yaml").write_text(SPEC.replace("size: 5, paths: 4,", keys + ","))
    form = settings(client, "levels/0")
    assert slider(form, "paths") == paths
    assert slider(form, "solids") == solids


@pytest.mark.parametrize(
    "keys", ["method: classic, size: 5", "solids: {mask: heart}", "solids: 2.5%, size: 8"]
)
def test_values_that_no_slider_can_show_have_none(client, folder, keys):
    (folder / "small.yaml").write_text(SPEC.replace("size: 5, paths: 4,", keys + ","))
    assert "key-levels-0-solids-slider" not in settings(client, "levels/0")


def test_a_way_out_that_leads_to_another_problem_is_not_offered(client, folder):
    """The colours of dots are too few for the boards of 14 × 14 that would be extreme, so expert ones are."""
    text = SPEC.replace("trim: 6x9in", "trim: 6x9in, paper: colour") + "theme: plain-dots\n"
    (folder / "small.yaml").write_text(text.replace("count: 3", "count: 3, difficulty: extreme"))
    level, _ = client.get("/api/problems", params=FILE).json()["outlook"]
    ways = [("size", "paths", "difficulty"), ("difficulty",), ("otherwise",)]
    assert [tuple(way["keys"]) for way in level["ways"]] == ways
    assert (level["ways"][0]["keys"]["size"], level["ways"][0]["keys"]["difficulty"]) == ("10", "expert")


def test_a_broken_file_shows_its_last_good_text_after_a_restart(client, folder):
    client.get("/api/book", params=FILE)
    broken = SPEC.replace("page: {trim: 6x9in}", "page: {trim: 6x9in")
    (folder / "small.yaml").write_text(broken, encoding="utf-8")
    app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
    with TestClient(app, base_url="http://127.0.0.1:8000/the-key/") as restarted:
        (listed,) = restarted.get("/api/shelf").json()["specs"]
        assert (listed["title"], listed["state"]) == ("Small book", "invalid")
        state = restarted.get("/api/book", params=FILE).json()
        assert state["values"]["title"] == "Small book"
        assert (state["unreadable"] is not None, state["good"]["text"]) == (True, SPEC)
        assert state["mending"]["text"] == SPEC
        assert restarted.get("/api/pages", params=FILE).json()["count"] > 5


def test_a_difficulty_is_tried_without_writing_it(client, folder):
    """The forecast with it is the same as after the change."""

    def forecast(kind, key, value):
        path = json.dumps(["levels", 1, *key])
        query = {**FILE, "kind": kind, "path": path, "value": json.dumps(value)}
        return client.get("/api/outlook", params=query).json()

    (tried,) = forecast("set", ["difficulty"], "easy-medium")
    assert [taken for *_, taken in tried["difficulties"]] == [True, True, False, False, False]
    (hopeless,) = forecast("set", ["difficulty"], "extreme")
    assert hopeless["state"] == "notMade"
    assert "<img" not in hopeless["html"]  # no boards are made while a slider is moved
    (partly,) = forecast("set", ["difficulty"], "easy-extreme")
    assert partly["state"] == "notMade"
    assert all(taken for *_, taken in partly["difficulties"])
    assert partly["html"].count('class="taken"') == 10  # bars and names
    assert "Boards of every difficulty" in forecast("set", ["difficulty"], "0-100")[0]["words"]
    fewer, more = (forecast("set", ["paths"], paths)[0]["difficulties"] for paths in ("4", "9"))
    assert fewer[0][1] < more[0][1]  # boards with many pairs are easy
    (larger,) = forecast("merge", [], {"size": "14x14", "paths": "10-13"})
    assert larger["difficulties"][4][1] > 0.2
    assert tried["words"].startswith("Nearly all such boards come out easy or medium. All 2 take")
    assert (folder / "small.yaml").read_text(encoding="utf-8") == SPEC
    sent = {**FILE, "kind": "set", "path": ["levels", 1, "difficulty"], "value": "easy-medium"}
    client.post("/api/change", json=sent)
    assert client.get("/api/problems", params=FILE).json()["outlook"][1] == tried


def test_the_state_tells_the_lines_of_each_key(client, folder):
    (folder / "small.yaml").write_text(SPEC + "\n# The end.\nauthor: Me\n\n")
    found = client.get("/api/book", params=FILE).json()["lines"]
    lines = {tuple(path): (first, end) for first, end, *path in found}
    assert (lines["title",], lines["cover",], lines["levels", 0]) == ((2, 3), (5, 6), (8, 9))
    assert (lines["levels", 1], lines["levels", 1, "size"], lines["author",]) == ((9, 13), (10, 11), (15, 16))


def test_puzzles_of_a_build_by_another_program_are_loaded(client, folder):
    book = OpenBook(folder / "small.yaml", folder / "output")
    spec = load_spec(folder / "small.yaml")
    place = folder / "output" / spec.book_id
    with lock_folder(place):
        with ProductionRun.open(plan_book(spec), place / JOURNAL_FILE, NO_LEDGER) as run:
            make_book(spec, run, local_workers(1))
        assert book.load_puzzles_of_others() == (5, True)
        with pytest.raises(OutputError, match="another linkpress is at work"):
            build(folder / "small.yaml", folder / "output")
    assert book.load_puzzles_of_others() == (0, False)
    assert book.view().facts()["waiting"] == []


def test_the_progress_of_a_build_is_spoken_in_steps_of_25_percent():
    spoken = [spoken_progress(made, 60) for made in range(61)]
    assert [*dict.fromkeys(spoken)] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert spoken[29:31] == ["25 %", "50 %"]


def test_pages_are_kept_only_while_a_window_shows_the_book(client, monkeypatch):
    monkeypatch.setattr(OpenBook, "slot_keys", lambda _: ())  # so that no puzzles are made
    first, second = {"window": "first"}, {"window": "second"}
    client.post("/api/change", json={**FILE, **first, "kind": "set", "path": ["title"], "value": "Other"})
    for window in (first, second):
        client.get("/api/book", params=FILE | window)

    def pages():
        return client.get("/api/pages", params=FILE).json()["key"]

    shown = pages()
    client.post("/api/closed", json={**FILE, **first})
    assert pages() == shown
    client.get("/api/shelf", params=second)
    assert pages() != shown
    assert client.post("/api/undo", json={**FILE, **first}).json()["isDone"]


def test_a_first_book_is_written_from_seven_answers(client, folder):
    guide = guided_choices()
    answers = {name: choices[0] for name, choices in guide.items()}
    assert 'name="author"' in client.get("/api/shelf").json()["html"]
    sent = {"title": "For Ada", "answers": {**answers, "author": " Ann: Lee "}}
    made = client.post("/api/new", json=sent).json()
    shown = client.get("/api/book", params=made).json()
    assert (shown["problems"], shown["values"]["author"]) == ([], "Ann: Lee")
    wrong = client.post("/api/new", json={"title": "Other", "answers": {**answers, "trim": "A0"}})
    assert "choose 6x9in" in wrong.json()["refused"]


@making_puzzles
def test_the_page_to_play_a_puzzle_may_request_nothing(client):
    _wait_for_puzzles(client)
    played = client.get("/api/play", params={**FILE, "number": 4})
    assert "<title>" in played.text
    assert played.headers["content-security-policy"].startswith(
        "default-src 'none'; script-src 'unsafe-inline'"
    )


def test_fonts_of_the_user_are_served(client, folder):
    shipped = resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf")
    (folder / "own.ttf").write_bytes(shipped.read_bytes())
    client.post("/api/change", json={**FILE, "kind": "set", "path": ["fonts", "regular"], "value": "own.ttf"})
    own = client.get("/api/pages", params=FILE).json()["fonts"]
    assert re.findall(r'font-family: "IBM Plex Sans"; font-weight: (\d+)', own) == ["400", "600"]
    (address, *_) = re.findall(r"url\((.*?)\)", own)
    assert client.get(f"/{address}").content == shipped.read_bytes()
    assert client.get("/api/font", params={**FILE, "digest": "other"}).status_code == 422


def test_a_build_that_can_not_start_is_reported_as_failed(monkeypatch, tmp_path, client):
    monkeypatch.setattr("linkpress.studio.session._PROGRAM", [str(tmp_path / "gone")])
    for _ in range(2):  # the second request must not be refused because of the first
        assert client.post("/api/build", json=FILE).json() == {}
        while not (end := client.get("/api/book", params=FILE).json()["build"]["end"]):
            time.sleep(0.05)
        assert "nothing was started: No such file" in end["message"]


def test_an_unusable_output_folder_is_reported_and_books_are_still_listed(folder):
    app = studio_app(Session(folder, folder / ("x" * 300)), "t", "key")
    with TestClient(app, "http://127.0.0.1:8000/key/") as window:
        assert [spec["path"] for spec in window.get("/api/shelf").json()["specs"]] == ["small.yaml"]
        window.post("/api/build", json=FILE)
        while not (end := window.get("/api/book", params=FILE).json()["build"]["end"]):
            time.sleep(0.05)
        asked = window.get("/api/file", params={**FILE, "name": "interior.pdf"})
    assert "File name too long. Shorten the name, or choose another place." in end["message"]
    assert (asked.status_code, "File name too long" in asked.text) == (422, True)


def test_a_stopped_build_ends_after_its_process_has_released_the_folder(monkeypatch, tmp_path):
    """So that whoever takes it up at once is not told that it is being built already."""
    gone = tmp_path / "gone"
    reports = [{"event": "stage", "name": "draw"}, {"event": "stopped"}]
    lines = "\n".join(map(json.dumps, reports))
    program = f"import sys; print({lines!r}, flush=True); sys.stdin.read(); open({str(gone)!r}, 'w').close()"
    monkeypatch.setattr("linkpress.studio.session._PROGRAM", [sys.executable, "-c", program])
    heard = []

    async def stopped():
        begun = asyncio.Event()

        def hear(job, report):
            heard.append((report, gone.exists(), job.is_running))
            begun.set()

        job = RunningJob(["build"], hear, None)
        await begun.wait()
        await job.stop()

    asyncio.run(stopped())
    assert heard == [(reports[0], False, True), (reports[1], True, False)]


def test_a_process_whose_reports_nobody_reads_is_ended(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port, report = server.getsockname()[1], json.dumps({"event": "stage", "name": "draw"})
        program = f"import socket; held = socket.create_connection(('127.0.0.1', {port}))\n"
        program += f"while True: print({report!r}, flush=True)"
        monkeypatch.setattr("linkpress.studio.session._PROGRAM", [sys.executable, "-c", program])

        async def closed_during_a_job():
            begun = asyncio.Event()
            job = RunningJob(["build"], lambda *_: begun.set(), None)
            await begun.wait()
            return job  # asyncio.run cancels its task, as when the studio is closed

        job = asyncio.run(closed_during_a_job())
        held, _ = server.accept()
        with held:
            held.settimeout(60)
            assert held.recv(1) == b""
        assert job.is_running  # so the job was still wanted when its process ended


def test_windows_are_told_of_changes_by_other_programs(monkeypatch, folder):
    monkeypatch.setattr("linkpress.studio.session._POLL_S", 0.01)
    threads = set(threading.enumerate())
    place = folder / "output" / "small-book"

    async def watch():
        session = Session(folder, folder / "output")
        await session.book("small.yaml")
        (folder / "other.yaml").write_text(SPEC)  # a window may have listed the specs before
        stream, watching = session.listen(), asyncio.create_task(session.watch())

        async def wait_for(**facts):
            async for line in stream:
                if line.startswith("data: ") and facts.items() <= json.loads(line[6:]).items():
                    return

        await wait_for(event="shelf")
        (folder / "small.yaml").write_text(SPEC + "author: Me\n")
        await wait_for(event="changed", file="small.yaml", elsewhere=True)
        (folder / "a.png").write_bytes(_picture("red"))
        await wait_for(event="changed", file="small.yaml")
        with lock_folder(place):
            await wait_for(event="reload", file="small.yaml")
            panel = session.build_state("small.yaml")["elsewhere"]
            with pytest.raises(RefusedError, match="Another program is building this book"):
                await session.start("build", "small.yaml")
        assert "Making puzzles: 0 of 5" in panel
        assert "Stop" not in panel
        await wait_for(event="reload", file="small.yaml")
        assert not session.build_state("small.yaml")["elsewhere"]
        (folder / "small.yaml").rename(folder / "away.yaml")
        await wait_for(event="gone", file="small.yaml")
        (folder / "away.yaml").rename(folder / "small.yaml")
        await wait_for(event="changed", file="small.yaml")
        assert not session.build_state("small.yaml")["gone"]
        watching.cancel()
        await stream.aclose()

    asyncio.run(watch())
    for thread in set(threading.enumerate()) - threads:
        thread.join(10)
        assert not thread.is_alive()


def test_a_swap_in_a_built_book_makes_one_puzzle(tmp_path):
    path, out = tmp_path / "small.yaml", tmp_path / "output"
    path.write_text(SPEC)
    first = build(path, out, ledger=NO_LEDGER)
    path.write_text(SPEC + "replace: {2: 1}\n")
    words = [sys.executable, "-m", "linkpress.studio.job", "make", str(path), str(out)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as job:
        assert '"event": "done"' in job.stdout.read()  # before its input is closed, which would stop it
    lines = list(saved_records(first.folder / JOURNAL_FILE))
    assert sorted(bool(line["tries"]) for line in lines) == [False] * 5 + [True]
    swapped = build(path, out, ledger=NO_LEDGER)
    before, after = ([record.fingerprint for record in made.volume.puzzles] for made in (first, swapped))
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, True, True]
    rows = [line.split() for line in (swapped.folder / "report.txt").read_text().splitlines()]
    untimed = [row[8] == "–" for row in rows if len(row) >= 10 and row[0].isdigit()]
    assert untimed == [old == new for old, new in zip(before, after, strict=True)]


def test_new_puzzles_are_laid_out_when_the_pages_are_asked_for_and_move_those_of_their_level(tmp_path):
    path, out = tmp_path / "small.yaml", tmp_path / "output"
    path.write_text(SPEC + "replace: {2: 1}\n")
    book = OpenBook(path, out)
    before = book.view()
    _make(path, out, _Reporter(io.StringIO()))
    for line in saved_records(book.folder / JOURNAL_FILE):
        book.add_puzzle(dict(line))
    assert book.view(has_new_puzzles=False) is before
    assert (len(before.missing), len(book.view().missing)) == (5, 0)
    # The replaced puzzle was made, too.
    assert book.made_counts() == {"Easy": 4, "Hard": 2}
    assert book.level_counts() == {"Easy": ("Easy", 4), "Hard": ("Hard", 2)}
    count = ("levels", 1, "count")
    more, fewer = (book.change(Change("set", count, value), Editor("one")) for value in ("4", "3"))
    assert more.startswith("The puzzles of a level go from easy to hard. So the new ones may come before")
    assert more.endswith("look at your swapped puzzles again.")
    assert fewer == ""


def test_a_window_is_told_that_new_puzzles_may_move_others(client, monkeypatch):
    sent = []
    monkeypatch.setattr(Session, "send_event", lambda self, event, **facts: sent.append((event, facts)))
    monkeypatch.setattr(OpenBook, "change", lambda *_, **__: "They move.")
    client.post("/api/change", json={**FILE, "kind": "set", "path": ["levels", 0, "count"], "value": "9"})
    assert sent[0] == ("told", {"file": "small.yaml", "message": "They move."})


def test_puzzles_of_other_levels_are_made_beside_a_level_that_is_impossible(tmp_path):
    path, out = tmp_path / "small.yaml", tmp_path / "output"
    path.write_text(
        SPEC.replace("paths: 4, count: 3", "paths: 4, count: 1, difficulty: extreme, effort: 0.1")
    )
    book = OpenBook(path, out)
    assert len(book.slot_keys()) == 1 + 1 + 2
    with pytest.raises(RecipeError):
        _make(path, out, _Reporter(io.StringIO()))
    assert len(list(saved_records(book.folder / JOURNAL_FILE))) == 2
    book.load_puzzles_of_others()
    assert len(book.view().missing) == 1


def test_a_title_of_two_lines_is_one_line_in_the_window_and_on_the_shelf(client, folder):
    (folder / "small.yaml").write_text(SPEC.replace("Small book", "Small|book"))
    assert client.get("/api/book", params=FILE).json()["title"] == "Small book"
    assert "Small book" in client.get("/api/shelf").json()["html"]
    assert "Small|book" not in client.get("/api/shelf").text
