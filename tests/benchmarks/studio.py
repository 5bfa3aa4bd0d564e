"""The studio's speed in a browser, and its server's memory.

Run: ``python tests/benchmarks/studio.py``. Opens the studio on a book of 60 puzzles and on one of 300 puzzles
of 20 × 20 squares. Prints medians of several runs beside the limits of the studio's design, and the processor
time that the server took for each run, which other work on the machine does not lengthen. Ends with exit code
1 if a median is above one and a half times its limit. The boards are placeholders, which take as long to lay
out and draw as made ones. Playwright and a Chromium are needed.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SPEC = """\
title: Book of {count}
seed: 1
cover: {{design: river}}
levels:
  - {{name: A, size: {side}, paths: {paths}, per_page: 2, count: {half}}}
  - {{name: B, size: {side}, paths: {paths}, per_page: 2, count: {half}}}
"""
BOOKS = {
    60: (8, "7-10", 300),
    300: (20, "18-26", 1000),
}  # side, paths, limit from a change to its drawing in ms
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
CHANGE = """async (run) => {
    const { change } = await import("./web/book.mjs"), top = (one) => one.getBoundingClientRect().top;
    const stage = document.getElementById("stage"), inView = (one) => top(one) >= top(stage);
    const shown = [...stage.querySelectorAll("svg")].find(inView);
    const start = performance.now();
    await new Promise((done) => {
        new MutationObserver((_, own) => { own.disconnect(); requestAnimationFrame(() => setTimeout(done)); })
            .observe(shown, { subtree: true, childList: true, attributes: true });
        change("set", ["theme", "grid", "outer_pt"], String(1 + run / 10));
    });
    return performance.now() - start;
}"""
FETCH = """async (addresses) => {
    const start = performance.now();
    await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    return performance.now() - start;
}"""
SLIDER = """(run) => new Promise((done) => {
    const graph = document.querySelector("#panel .graph"), [, end] = graph.querySelectorAll(".end");
    const start = performance.now();
    const painted = () => requestAnimationFrame(() => done(performance.now() - start));
    new MutationObserver((_, own) => { own.disconnect(); painted(); })
        .observe(graph, { subtree: true, childList: true, characterData: true, attributes: true });
    end.value = 2 + run % 2;
    end.dispatchEvent(new Event("input", { bubbles: true }));
})"""


class Report:
    """Prints each figure beside its limit, and remembers whether one was far above it."""

    def __init__(self):
        self.is_bad = False
        self.server = 0  # the process of the server

    def print(self, name, figure, limit, unit="ms"):
        self.is_bad |= figure > 1.5 * limit
        print(f"  {name:30} {figure:7.0f} (limit {limit}) {unit}", flush=True)


def memory_mb(process):
    """Return the resident memory of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def processor_ms(process):
    """Return the processor time that a process has taken."""
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return 1000 * sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def measure(window, address, limit_ms, runs, report):
    """Measure the book that the studio shows at an address."""

    def print_median(name, limit, task):
        before = processor_ms(report.server)
        median = statistics.median(task(run) for run in range(runs))
        report.print(
            name, median, limit, f"ms ({(processor_ms(report.server) - before) / runs:.0f} in the server)"
        )

    def load(_):
        window.goto("about:blank")
        window.goto(address)
        window.wait_for_selector("#stage svg")
        return window.evaluate("performance.now()")

    print_median("first spread", 1000, load)
    window.click("#part-levels-0")
    window.wait_for_selector("#stage .spot[aria-label='Puzzle 1']")
    window.evaluate("document.fonts.ready.then(() => undefined)")

    def change(run):
        with window.expect_response("**/api/problems?*"):  # the check of the book, which comes afterwards
            return window.evaluate(CHANGE, run)

    print_median("change to drawing and check", limit_ms, change)
    file = address.partition("#")[2]
    page = "api/tile?file={}&what=page&number={}&of={}"
    print_median("thumbnail", 40, lambda run: window.evaluate(FETCH, [page.format(file, 6 + run, run)]))
    fields = window.evaluate("async () => (await (await fetch('api/form?kind=book')).json()).fields")
    cover = next(field for field in fields if field["key"] == "cover")["fields"]
    designs = next(field for field in cover if field["key"] == "design")["choices"][:10]
    tile = "api/tile?file={}&what=design&name={}&of={}"
    tiles = [[tile.format(file, one, run) for one in designs] for run in range(runs)]
    print_median("ten covers", 1500, lambda run: window.evaluate(FETCH, tiles[run]))
    window.wait_for_selector("#panel .graph .end")
    print_median("sentence of the slider", 100, lambda run: window.evaluate(SLIDER, run))
    report.print("memory of the server", memory_mb(report.server), 300, "MB")


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--browser", default=shutil.which("chromium"))
    asked, report = parser.parse_args(), Report()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as engine:
        for count, (side, paths, _) in BOOKS.items():
            spec = SPEC.format(count=count, half=count // 2, side=side, paths=paths)
            Path(name, f"book-{count}.yaml").write_text(spec)
        command = [sys.executable, "-c", SERVER, "studio", name, "--no-browser"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)
        report.server = server.pid
        browser = engine.chromium.launch(executable_path=asked.browser, args=["--no-sandbox"])
        try:
            window = browser.new_page(viewport={"width": 1280, "height": 800})
            window.goto(next(line for line in server.stderr if line.startswith("http")).strip())
            address = window.url.partition("#")[0]
            for count, (_, _, limit_ms) in BOOKS.items():
                print(f"{count} puzzles")
                measure(window, f"{address}#book-{count}.yaml", limit_ms, asked.runs, report)
        finally:
            browser.close()
            server.terminate()
            server.wait()
            server.stderr.close()
    sys.exit(report.is_bad)


if __name__ == "__main__":
    main()
