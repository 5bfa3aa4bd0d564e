"""A folder with one small book, the studio's server for tests, and its window in a browser."""

import sys

import pytest
from starlette.testclient import TestClient
from studio_samples import SPEC, served

from linkpress.studio.server import studio_app
from linkpress.studio.session import Session


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "small.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


@pytest.fixture
def client(folder, monkeypatch, makes_puzzles):
    """A window of the studio, which knows the token."""
    if not makes_puzzles:
        monkeypatch.setattr("linkpress.studio.session.Session.make_missing", make_nothing)
    app = studio_app(Session(folder, folder / "output"), "the-token", "the-key")
    with TestClient(app, base_url="http://127.0.0.1:8000/the-key/") as opened:
        yield opened


@pytest.fixture
def makes_puzzles():
    """Return whether the studio makes the missing puzzles of an open book, in a process of a second."""
    return False


async def make_nothing(*_):
    """Take the place of ``Session.make_missing``."""


@pytest.fixture
def window(chromium, tmp_path, monkeypatch, makes_puzzles):
    """A window of the studio on an empty folder."""
    from playwright.sync_api import expect

    if not makes_puzzles:
        monkeypatch.setattr("linkpress.studio.session.Session.make_missing", make_nothing)
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    with served(tmp_path, monkeypatch) as port:
        page.goto(f"http://127.0.0.1:{port}/the-key/")
        page.expect = expect
        yield page
        context.close()
    # A value that is refused, or a name that is taken.
    usual = "status of 422", "status of 409"
    assert [fault for fault in faults if not any(one in fault for one in usual)] == []


@pytest.fixture
def no_samples(monkeypatch):
    """No sample boards of levels are made. For a level that hardly any board fits, this takes seconds."""
    monkeypatch.setattr("linkpress.studio.open_book._SAMPLE_ATTEMPTS", 0)


@pytest.fixture
def spec(window, tmp_path):
    """A small book, which the window has opened."""
    path = tmp_path / "small.yaml"
    path.write_text(SPEC)
    window.click("text=Small book")
    return path


# The job of the studio, which waits for a file when it has made a puzzle.
WAITING_JOB = """
import pathlib, time
from linkpress.errors import OutputError
from linkpress.studio import job
ready, made = pathlib.Path(READY), job._Reporter.made
def report_and_wait(*args):
    made(*args)
    while not ready.exists():
        time.sleep(0.02)
    if ready.read_text():
        raise OutputError(ready.read_text())
job._Reporter.made = report_and_wait
job.main()
"""


@pytest.fixture
def ready(tmp_path, monkeypatch):
    """A file for which builds wait after their first puzzle. If it has a text, they fail with this text."""
    ready = tmp_path / "ready"
    program = [sys.executable, "-c", WAITING_JOB.replace("READY", repr(str(ready)))]
    monkeypatch.setattr("linkpress.studio.session._PROGRAM", program)
    return ready
