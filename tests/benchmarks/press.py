"""Finishing, judging and reading back a large book.

Run: ``python tests/benchmarks/press.py``. Lays out the book of ``typeset.py`` (1,000 boards of
12 × 12 and their answers), then prints the CPU seconds that PDF/X, preflight and reading back take,
and the peak memory. The aim: preflight of 250 pages under 3 s, memory under 300 MB.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable

from typeset import bench_edition

from linkpress.book.printing_keys import Standard
from linkpress.layout.pages import layout_book
from linkpress.layout.theme import load_theme
from linkpress.preflight import preflight
from linkpress.press.pdfx import finish_print
from linkpress.printers.profile import load_printer
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, draw_pages
from linkpress.verify import Phrases, read_book
from linkpress.words.languages import load_words

RUNS = 3


def main() -> None:
    """Time each step and print a line for it."""
    profile = load_printer("kdp-paperback")
    book = layout_book(bench_edition(), profile, load_theme("classic"), FontMeasure())
    about = About("Benchmark")
    drawn = draw_pages(book.pages, book.trim, about, book.bleeds)
    finished = finish_print(drawn, about, Standard.PDFX1A)
    print(f"{book.page_count} pages, {len(finished) / 2**20:.1f} MB")
    timed("PDF/X", lambda: finish_print(drawn, about, Standard.PDFX1A))
    timed("preflight", lambda: preflight(finished, profile))
    timed("read back", lambda: read_book(finished, Phrases(load_words("en"))))
    print(f"{'peak memory':12} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def timed(name: str, step: Callable[[], object]) -> None:
    """Print the median CPU seconds of a step."""
    spent = []
    for _ in range(RUNS):
        start = time.process_time()
        step()
        spent.append(time.process_time() - start)
    print(f"{name:12} {statistics.median(spent):.2f} s")


if __name__ == "__main__":
    main()
