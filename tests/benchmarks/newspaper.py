"""How fast newspaper images are made: ``python tests/benchmarks/newspaper.py [--days 365] [--json]``.

Export: boards of 10 × 10 drawn 2,000 pixels wide, in one process, one row a mode of pixels, the
file's bytes included and the disk not. Feed: so many days of ``config/feed-daily.yaml`` into a
temporary folder; leave it out with ``--days 0``. Processor time beside the clock's, since a busy
machine shows in one and not in the other.
"""

from __future__ import annotations

import argparse
import resource as system
import statistics
import tempfile
import time
from pathlib import Path

from printing import print_rows

from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade, Recipe, Span
from linkpress.feeds.calendar import read_dates
from linkpress.feeds.feed_run import feed
from linkpress.images.composition import Panel, captioned_panel, compose
from linkpress.images.image_captions import CaptionSpec, ShownPuzzle
from linkpress.images.image_files import ImageFormat, ImageToWrite, Particulars
from linkpress.images.image_settings import image_settings
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.render.font_files import SHIPPED
from linkpress.render.raster import PixelMode
from linkpress.resources import resource
from linkpress.words.languages import load_words

ENGLISH = load_words("en")

WIDTH_MM = 2000 / 600 * 25.4
BOARDS = 20
STYLE = CaptionSpec(rules=True)


def panels() -> list[tuple[Panel, Particulars]]:
    """Puzzles and their solutions, with captions and with what their files say."""
    made = []
    for at in range(BOARDS // 2):
        solution = generate(Recipe(10, 10, Span(12, 15), Span(0, 0)), f"benchmark/{at}").solution
        shown = ShownPuzzle(
            solution.puzzle, at + 1, Grade.MEDIUM, 2, "0" * 16, lambda solution=solution: solution
        )
        about = Particulars("Number Link 1", shown, "An Author", "© 2026 An Author")
        captioned = (captioned_panel(shown, STYLE, ENGLISH, solved=solved) for solved in (False, True))
        made += [(panel, about) for _, panel in captioned]
    return made


def export_row(boards: list[tuple[Panel, Particulars]], mode: PixelMode, rounds: int) -> dict[str, object]:
    """The time of an image in one mode: composed, drawn, rasterised and coded."""
    settings = image_settings((WIDTH_MM, None), 600, mode, (ImageFormat.PNG,), None)
    look, times, sizes = settings.figure_style, [], []
    for panel, about in boards * rounds:
        start = time.process_time()
        image = ImageToWrite(compose(panel, look), about, mode, 600, SHIPPED)
        content = ImageFormat.PNG.facts.write(image)
        times.append(1000 * (time.process_time() - start))
        sizes.append(len(content))
    times.sort()
    return {
        "what": f"image of {look.canvas.width_px} px, {mode}",
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(times[int(0.95 * len(times))], 1),
        "mean_kb": round(statistics.mean(sizes) / 1000, 1),
    }


def feed_row(days: int, jobs: int) -> dict[str, object]:
    """The time of a whole run."""
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), _spent_s()
        fed = feed(
            resource("config", "feed-daily.yaml"),
            read_dates("2027-01-01", days),
            Path(folder, "feed"),
            jobs=jobs,
            ledger=NO_LEDGER,
        )
        return {
            "what": f"feed of {days} days, {jobs} jobs",
            "images": sum(path.suffix == ".png" for path in fed.files),
            "clock_s": round(time.perf_counter() - start, 1),
            "processor_s": round(_spent_s() - before, 1),
            "peak_mb": round(system.getrusage(system.RUSAGE_SELF).ru_maxrss / 1000),
            "peak_of_a_worker_mb": round(system.getrusage(system.RUSAGE_CHILDREN).ru_maxrss / 1000),
        }


def _spent_s() -> float:
    used = [system.getrusage(who) for who in (system.RUSAGE_SELF, system.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    boards = panels()
    rows = [export_row(boards, mode, options.rounds) for mode in PixelMode]
    if options.days:
        rows.append(feed_row(options.days, options.jobs))
    print_rows(rows, options.json)


if __name__ == "__main__":
    main()
