"""The studio's speed in a browser, and its server's memory.

Run: ``python tests/benchmarks/studio.py``. Opens the studio on a book of 60 puzzles and on one of 300 puzzles
of 20 × 20 squares. Prints medians of several runs beside the limits of the studio's design, and the processor
time that the server took for each run, which other work on the machine does not lengthen. Ends with exit code
1 if a median is above one and a half times its limit. The boards are placeholders, which take as long to lay
out and draw as made ones. Playwright and a Chromium are needed.

``tests/studio/test_budgets.py`` runs a short version of this.
"""

import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPEC = """\
title: Book of {count}
seed: 1
cover: {{design: river}}
levels:
  - {{name: A, size: {side}, paths: {paths}, per_page: 2, count: {half}}}
  - {{name: B, size: {side}, paths: {paths}, per_page: 2, count: {half}}}
"""
BOOKS = {60: (8, "7-10"), 300: (20, "18-26")}  # side, paths
# Limits in ms for a book of 60 puzzles, and other ones for a book of 300. A frame is one of 60 in a second.
LIMITS = {
    "first spread": 1000,
    "change of a text": 300,
    "sentence of the slider": 100,
    "frame while a slider is dragged": 1000 / 60,
    "frame while a level is dragged": 1000 / 60,
    "ten covers": 1500,
    "thumbnail": 40,
}
LIMITS_OF_300 = {"change of a text": 1000}
TOLERANCE = 1.5  # share of a limit from which a median is too long
GROWTH_MB = 60  # largest growth of the server's memory by a second book, of 300 puzzles of 20 × 20
# Starts the studio without the process that makes puzzles, which would slow down what is measured.
SERVER = """\
import sys
from linkpress.studio.session import Session
async def make_nothing(*_): pass
Session.make_missing = make_nothing
from linkpress.__main__ import main
sys.argv[0] = "linkpress"
main()
"""
# Notes when the first page of the book was painted, in ms after the window began to load.
FIRST = """new MutationObserver((_, own) => {
    if (!document.querySelector("#stage .paper svg")) return;
    own.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.first = performance.now(); }));
}).observe(document, { subtree: true, childList: true });"""
# Promises the time in ms from the next key until a text has changed and was painted.
WATCH = """(selector) => {
    const words = () => document.querySelector(selector)?.textContent, before = words();
    let start = 0;
    addEventListener("keydown", () => { start = performance.now(); }, { capture: true, once: true });
    window.painted = new Promise((done) => {
        const own = new MutationObserver(() => {
            if (!start || [undefined, "", before].includes(words())) return;
            own.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
        });
        own.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
}"""
FRAMES = """() => {
    window.frames_ms = [];
    const note = (time) => {
        window.frames_ms?.push(time);
        if (window.frames_ms) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""
MEAN_FRAME = """() => {
    const { length, 0: first, [length - 1]: last } = window.frames_ms;
    window.frames_ms = null;
    return (last - first) / (length - 1);
}"""
# Presses a button, and returns the time in ms until the pictures that come into view were painted, and how
# many these are. ``most`` is the number of pictures to wait for; 0 for all in view.
PICTURES = """async ([button, pictures, most]) => {
    const start = performance.now(), frame = () => new Promise((next) => requestAnimationFrame(next));
    [...document.querySelectorAll("button")].find((one) => one.textContent.includes(button)).click();
    let shown = [];
    const isThere = (one) => one.complete && one.naturalWidth;
    while (shown.length < (most || 1) || !shown.every(isThere)) {
        await frame();
        const all = [...document.querySelectorAll(pictures)];
        const isInView = (one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight;
        shown = most ? all.slice(0, most) : all.filter(isInView);
    }
    await Promise.all(shown.map((one) => one.decode()));
    await frame();
    await frame();
    return [performance.now() - start, shown.length];
}"""
CHANGE = """async ([path, value]) => (await import("./web/book.mjs")).change("set", path, value)"""
SPREAD = "#stage .paper:has(.spot[aria-label='Puzzle 1']) svg"


def memory_mb(process):
    """Return the resident memory of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def processor_ms(process):
    """Return the processor time that a process has taken."""
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return 1000 * sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def slowness():
    """Return how many times as long this machine takes for a task as if it had nothing else to do."""
    start_s, used_s = time.perf_counter(), time.thread_time()
    while time.thread_time() - used_s < 0.02:
        pass
    return (time.perf_counter() - start_s) / 0.02


@contextlib.contextmanager
def studio(folder):
    """Write the books into a folder, and start a studio on it. The value is its process and its address."""
    for count, (side, paths) in BOOKS.items():
        spec = SPEC.format(count=count, half=count // 2, side=side, paths=paths)
        Path(folder, f"book-{count}.yaml").write_text(spec)
    command = [sys.executable, "-c", SERVER, "studio", str(folder), "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server, next(line for line in server.stderr if line.startswith("http")).strip()
        finally:
            server.terminate()


def measures(window, address):
    """Return functions that measure the book at an address, by the name of their limit.

    Each gets the number of the run, and returns a time in ms.
    """

    def settle():
        window.wait_for_selector("body:not(.writing)")

    def change(path, value):
        window.evaluate(CHANGE, [path, value])
        settle()

    def first_spread(_):
        window.goto("about:blank")
        window.goto(address)
        window.wait_for_function("() => window.first")
        return window.evaluate("first")

    def open_level():
        window.click("#part-levels-0")
        window.wait_for_selector("#stage .spot[aria-label='Puzzle 1']", state="attached")
        window.wait_for_selector("#graph-levels-0 .end")

    def text(run):
        if not run:
            open_level()
        window.fill("#key-levels-0-title", f"Run {run}")
        window.evaluate(WATCH, SPREAD)
        window.press("#key-levels-0-title", "Enter")
        took_ms = window.evaluate("painted")
        settle()
        return took_ms

    def sentence(run):
        window.evaluate(WATCH, "#graph-levels-0 [role=status]")
        window.press("#graph-levels-0-1", "ArrowRight" if run % 2 else "ArrowLeft")
        took_ms = window.evaluate("painted")
        settle()
        return took_ms

    def dragged(place, moves):
        window.locator(place).scroll_into_view_if_needed()
        box = window.locator(place).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        window.mouse.move(x, y)
        window.mouse.down()
        window.mouse.move(x + 3, y + 3, steps=3)
        window.evaluate(FRAMES)
        for step in range(20):
            across, down = moves
            window.mouse.move(x + across * step, y + down * step)
        took_ms = window.evaluate(MEAN_FRAME)
        window.keyboard.press("Escape")
        window.mouse.up()
        settle()
        return took_ms

    def covers(run):
        change(["title"], f"Book {run}")
        window.click("#part-cover")
        window.wait_for_selector("text=Choose another design")
        took_ms, _ = window.evaluate(PICTURES, ["another design", ".gallery.design .tile img", 10])
        window.click("#part-levels-0")
        return took_ms

    def thumbnail(run):
        change(["theme", "grid", "outer_pt"], str(1 + run / 10))
        took_ms, count = window.evaluate(PICTURES, ["All pages", "#strip .mini img", 0])
        window.click("#part-levels-0")
        return took_ms / count

    return {
        "first spread": first_spread,
        "change of a text": text,
        "sentence of the slider": sentence,
        "frame while a slider is dragged": lambda _: dragged("#graph-levels-0-1", (-6, 0)),
        "frame while a level is dragged": lambda _: dragged("#part-levels-1", (0, -4)),
        "ten covers": covers,
        "thumbnail": thumbnail,
    }


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--browser", default=shutil.which("chromium"))
    asked, is_bad = parser.parse_args(), False
    from playwright.sync_api import sync_playwright

    def tell(name, figure, limit, unit):
        nonlocal is_bad
        is_bad |= figure > TOLERANCE * limit
        print(f"  {name:33}{figure:7.0f} (limit {limit:.0f}) {unit}", flush=True)

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as engine, studio(folder) as started:
        server, address = started
        browser = engine.chromium.launch(executable_path=asked.browser, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": 1280, "height": 800})
        window.add_init_script(FIRST)
        window.goto(address)
        for count in BOOKS:
            print(f"{count} puzzles")
            before_mb = memory_mb(server.pid)
            limits = LIMITS | (LIMITS_OF_300 if count == 300 else {})
            for name, measure in measures(
                window, f"{window.url.partition('#')[0]}#book-{count}.yaml"
            ).items():
                used_ms = processor_ms(server.pid)
                found = [measure(run) for run in range(asked.runs)]
                used_ms = (processor_ms(server.pid) - used_ms) / asked.runs
                more = f", {found[0]:.0f} the first time" if name == "first spread" else ""
                tell(name, statistics.median(found), limits[name], f"ms ({used_ms:.0f} in the server{more})")
        tell("growth of the server by this book", memory_mb(server.pid) - before_mb, GROWTH_MB, "MB")
        browser.close()
    sys.exit(is_bad)


if __name__ == "__main__":
    main()
