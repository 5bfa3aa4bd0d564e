"""Laying out, drawing, finishing, judging and reading back a large book.

Run: ``python tests/benchmarks/press.py``. It takes a book of 250 puzzle pages, 1,000 boards of 12 × 12 and
their answers, and prints the CPU seconds of each step and the peak memory. The aims: preflight of 250 pages
under 3 s, memory under 300 MB.
"""

import resource
import statistics
import time

from linkpress.book.printing_keys import Standard
from linkpress.book.spec import BookSpec
from linkpress.layout.pages import layout_book
from linkpress.layout.setting import Edition
from linkpress.layout.theme import load_theme
from linkpress.preflight import preflight
from linkpress.press.dry_run import stand_in_volume
from linkpress.press.print_files import finish_print
from linkpress.printers import load_printer
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, draw_pages
from linkpress.verify.pdf_books import Phrases, read_book
from linkpress.words import load_words

RUNS = 3
LEVEL = {"name": "Medium", "count": 1000, "size": 12, "paths": 12, "per_page": 4}


def main():
    """Time each step and print a line for it."""
    spec = BookSpec.model_validate({"title": "Benchmark", "seed": 1, "levels": [LEVEL]})
    edition = Edition(spec, stand_in_volume(spec).numbered)
    profile, theme, about = load_printer("kdp-paperback"), load_theme("classic"), About("Benchmark")
    book = timed("layout", lambda: layout_book(edition, profile, theme, FontMeasure()))
    drawn = timed("drawing", lambda: draw_pages(book.pages, book.trim, about, book.bleeds))
    finished = timed("PDF/X", lambda: finish_print(drawn, about, Standard.PDFX1A))
    timed("preflight", lambda: preflight(finished, profile))
    timed("read back", lambda: read_book(finished, Phrases(load_words("en"))))
    print(f"{book.page_count} pages, {len(finished) / 2**20:.1f} MB")
    print(f"{'peak memory':12} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def timed(name, step):
    """Print the median CPU seconds of a step, and return what it made."""
    spent = []
    for _ in range(RUNS):
        start = time.process_time()
        made = step()
        spent.append(time.process_time() - start)
    print(f"{name:12} {statistics.median(spent):.2f} s")
    return made


if __name__ == "__main__":
    main()
