"""How fast the player's page is written, and how fast a browser shows and draws on it.

    python tests/benchmarks/player.py DIR [--browser PATH]

DIR is a built book's folder. Times of the page's writing are wall-clock time with a worker for each
core; those of the browser are its main thread's, the median of five page loads, and for a stroke the
slowest of its steps from square to square. Playwright and a Chromium are needed for the latter.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from linkpress.app.build import volume_page
from linkpress.book.printing_keys import PlaySpec
from linkpress.book.volume import PLAY_FILE, VOLUME_FILE, load_volume
from linkpress.layout.theme import theme_of
from linkpress.production.dispatch import Workers
from linkpress.production.executors import available_jobs, worker_processes

STROKE = """() => {
  const { view } = document.querySelector('.linkpress-player').player;
  const { grid, board } = view;
  grid.setPointerCapture = () => {};
  const send = (type, cell) => {
    const box = grid.getBoundingClientRect();
    const [row, col] = [Math.floor(cell / board.cols), cell % board.cols];
    const [x, y] = [box.left + 3 + (col + 0.5) * view.cellSize, box.top + 3 + (row + 0.5) * view.cellSize];
    grid.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
  };
  let cell = board.numbers.indexOf(0);
  const seen = new Set([cell]);
  const times = [];
  send('pointerdown', cell);
  for (;;) {
    const beside = [4, 8, 2, 1].map((way) => board.beside(cell, way));
    cell = beside.find((one) => one >= 0 && board.numbers[one] === 0 && !seen.has(one));
    if (cell === undefined) break;
    seen.add(cell);
    const start = performance.now();
    send('pointermove', cell);
    grid.offsetWidth; // lays out what changed
    times.push(performance.now() - start);
  }
  return times;
}"""


def measure_writing(folder, file):
    """Write the page without and with hints."""
    volume = load_volume(folder / VOLUME_FILE)
    for hints in (False, True):
        spec = volume.spec.model_copy(update={"play": PlaySpec(hints=hints)})
        start = time.perf_counter()
        workers = Workers(available_jobs(), worker_processes)
        html = volume_page(replace(volume, spec=spec), theme_of(spec), workers)
        took = time.perf_counter() - start
        word = "with" if hints else "without"
        print(f"{len(volume.puzzles)} puzzles {word} hints: {took:.3f} s, {len(html.encode()) / 1000:.0f} kB")
        file.write_text(html, encoding="utf-8")


def measure_browser(file, browser):
    """Load the page, and draw one long stroke on its first puzzle."""
    from playwright.sync_api import sync_playwright

    loads, steps = [], []
    with sync_playwright() as engine:
        chromium = engine.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(5):
            page = chromium.new_page(viewport={"width": 1300, "height": 900})
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(file.as_uri())
            page.wait_for_timeout(500)
            found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
            loads.append(1000 * found["TaskDuration"])
            steps += page.evaluate(STROKE)
            page.close()
        chromium.close()
    print(f"main thread until the page stands: {statistics.median(loads):.0f} ms")
    print(
        f"a stroke's step, wall time: median {statistics.median(steps):.1f} ms, slowest {max(steps):.1f} ms"
    )


def main():
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, PLAY_FILE)
        measure_writing(asked.folder, file)
        if asked.browser:
            measure_browser(file, asked.browser)


if __name__ == "__main__":
    main()
