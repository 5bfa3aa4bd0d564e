"""Fixtures for every room. The boards are in ``boards``, random ones in ``strategies``."""

import gc
import io
import os
import shutil
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from linkpress.book.plan import plan_slots
from linkpress.book.printing_keys import Standard
from linkpress.book.volume import assemble
from linkpress.press.print_files import finish_print
from linkpress.resources import resource
from paper_maker import make_slots, paper_spec
from press_samples import HEIGHT_PT, INFO, PAGES, WIDTH_PT

# No example fails for being slow on a busy machine, and none that no earlier run has seen:
# those are looked for with --hypothesis-profile explore.
settings.register_profile(
    "explore", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("linkpress", settings.get_profile("explore"), derandomize=True)
settings.load_profile("linkpress")

_LEDGERS = count()
BROWSER_PATIENCE_MS = 90_000  # for each step: a busy machine may be twenty times as slow as an idle one
BROWSER_TEST_S = 240  # for all of them: closing a page has no end of its own


def pytest_addoption(parser):
    """Let tests of pages run in another browser, of which only Chromium is driven by touch."""
    parser.addoption(
        "--web-browser", metavar="NAME[=PROGRAM]", default="chromium", help="chromium, firefox or webkit"
    )


def pytest_configure(config):
    """Refuse to test kernels that are not compiled from these sources, unless plain Python was asked for."""
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    if WHY_PLAIN and os.environ.get("LINKPRESS_KERNELS") != "plain":
        raise pytest.UsageError(f"{WHY_PLAIN}. {COMPILE_REMEDY} In a checkout: pip install -e '.[test]'")
    # Processes that tests start find what Python has read: each would read it for 0.4 s otherwise.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Use one worker more than there are cores, because some tests wait for servers and other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each worker whole files where possible, so that few workers make the fixtures of the same file.

    Another ``--dist`` than the one that ``-n`` chooses by itself is kept.
    """
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_sessionstart(session):
    """Let each worker import a part of all test files first.

    Rewriting the assertions of all files takes five seconds. A worker uses what the others have rewritten.
    """
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args != config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        if str(file.parent) not in sys.path:
            sys.path.insert(0, str(file.parent))
        with suppress(Exception, pytest.skip.Exception):  # collecting the file reports it
            import_module(file.stem)


def pytest_collection_finish():
    """Collect garbage rarely. By default it takes a ninth of the tests' processor time."""
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_collection_modifyitems(items):
    """Mark what asks for a browser."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(BROWSER_TEST_S))


@pytest.fixture(autouse=True)
def own_ledger(tmp_path_factory, monkeypatch):
    """Each test has a ledger of its own, far from the user's. All tests of a process share a cache.

    So pages of dry runs that several tests have in common are drawn once.
    """
    base = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("LINKPRESS_LEDGER", str(base / f"own-{next(_LEDGERS)}.ledger.sqlite3"))
    monkeypatch.setenv("LINKPRESS_CACHE", str(base / "cache"))


@pytest.fixture(scope="session")
def fonts_for():
    """The keys of ``fonts:`` that a language needs: for Japanese a TrueType font of this machine."""

    def fonts(language):
        if language != "ja":
            return {}
        found = b""
        if shutil.which("fc-list"):
            words = ["fc-list", "--format=%{file}\n", ":lang=ja:fontformat=TrueType"]
            found = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
        files = sorted(file for file in found.decode().splitlines() if file.endswith(".ttf"))
        return {"fallback": files[0]} if files else pytest.skip("no Japanese TrueType font is installed")

    return fonts


@pytest.fixture(scope="session")
def postgres():
    """A server of this session's own."""
    from local_postgres import LocalPostgres, find_programs  # not where there are no users as in POSIX

    if sys.platform == "win32" or (programs := find_programs()) is None:
        pytest.skip("there is no PostgreSQL server here: initdb and pg_ctl")
    with LocalPostgres(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """Where a ledger can be made, in each of the engines."""
    if request.param == "sqlite":
        yield tmp_path / "folder" / "ledger.sqlite3"
        return
    with request.getfixturevalue("postgres").schema() as address:
        yield address


def browser_scope(fixture_name, config):
    # While Playwright runs, its event loop hinders other tests. A browser takes two seconds to start.
    return "session" if config.getoption("markexpr").startswith("browser") else "module"


@pytest.fixture(scope=browser_scope)
def chromium(pytestconfig):
    """A browser; the test is skipped where there is none, or no Playwright to drive it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    name, _, program = pytestconfig.getoption("web_browser").partition("=")
    given = {"timeout": BROWSER_PATIENCE_MS, "executable_path": program or None}
    if name == "firefox" and program:
        given["channel"] = "moz-firefox"  # the Firefox of a system, instead of that of Playwright
    if name == "chromium":
        # The headless shell opens a new context at a tenth of the cost.
        names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
        program = program or next(filter(None, map(shutil.which, names)), None)
        if program is None:
            pytest.skip("there is no Chromium")
        given |= {"executable_path": program, "args": ["--no-sandbox"]}
    with playwright.sync_playwright() as engine:
        playwright.expect.set_options(timeout=BROWSER_PATIENCE_MS)
        browser = getattr(engine, name).launch(**given)
        browser.on("context", lambda context: context.set_default_timeout(BROWSER_PATIENCE_MS))
        yield browser
        browser.close()


class Quiet(SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {".html": "text/html; charset=utf-8"}

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    """Puts a folder on a server of this machine, and gives its address."""
    with ExitStack() as servers:

        def start(folder):
            handler = partial(Quiet, directory=str(folder))
            server = servers.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            servers.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start


@pytest.fixture
def spec():
    """A book of two levels and seven puzzles."""
    return paper_spec()


@pytest.fixture
def volume(spec):
    """That book's puzzles, made on paper."""
    return assemble(spec, (one.record for one in make_slots(plan_slots(spec))), "0.1.0")


@pytest.fixture(scope="session")
def drawn_book():
    """A book of 24 pages as drawn: a grid as a form and a line of text on every page but the last."""
    face = "PlexForTests"
    pdfmetrics.registerFont(TTFont(face, str(resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf"))))
    written, box = io.BytesIO(), (0, 0, WIDTH_PT, HEIGHT_PT)
    canvas = Canvas(
        written, (WIDTH_PT, HEIGHT_PT), invariant=1, initialFontName=face, trimBox=box, bleedBox=box
    )
    for page in range(1, PAGES):
        canvas.setStrokeColorCMYK(0, 0, 0, 1)
        canvas.setFillColorCMYK(0, 0, 0, 1)
        if page == 1:
            canvas.beginForm("grid", 0, 0, 202, 202)
            canvas.setLineWidth(2)
            canvas.rect(1, 1, 200, 200)
            canvas.endForm()
        canvas.saveState()
        canvas.translate(100, 200)
        canvas.doForm("grid")
        canvas.restoreState()
        canvas.setFont(face, 9)
        canvas.drawString(100, 420, f"{page} Solution p. 20")
        canvas.showPage()
    canvas.showPage()
    canvas.save()
    return written.getvalue()


@pytest.fixture(scope="session")
def sound_book(drawn_book):
    """That book as PDF/X-1a; it passes for KDP and for IngramSpark, and tests break it in one place each."""
    return finish_print(drawn_book, INFO, Standard.PDFX1A)


@pytest.fixture(scope="session")
def plain_book(drawn_book):
    """That book without PDF/X keys."""
    return finish_print(drawn_book, INFO, Standard.PLAIN)
