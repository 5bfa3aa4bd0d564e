"""Typesetting against bare ReportLab, both in one run.

Run: ``python tests/benchmarks/typeset.py``. Lays out and draws a book of 250 puzzle pages, 1,000
boards of 12 × 12 (their answers and the front pages besides), then draws the very same Form
XObjects and texts with ReportLab alone, and prints CPU seconds, their ratio and the peak memory.
The aim: a ratio under 2, memory under 300 MB.
"""

from __future__ import annotations

import io
import random
import resource
import statistics
import time
from itertools import pairwise

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.recipe import Grade, Rule
from linkpress.layout.edition import Edition
from linkpress.layout.frame import Discs, FontKey, Frame, Lines, Placed, Polygon, Polyline, Rects, TextRun
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.theme import load_theme
from linkpress.printers.profile import load_printer
from linkpress.puzzle.grid import Grid
from linkpress.puzzle.puzzle import Pair, Path, Puzzle, Solution
from linkpress.render.fonts import FontMeasure, font
from linkpress.render.pdf import About, draw_pages

BOARDS = 1000
SIDE = 12
RUNS = 3


def snake_board(dice: random.Random) -> Solution:
    """A board of boustrophedon paths cut at random: 12 to 18 paths, not proven, just drawn."""
    walk = [row * SIDE + (col if row % 2 else SIDE - 1 - col) for row in range(SIDE) for col in range(SIDE)]
    count = dice.randint(12, 18)
    cuts = sorted(dice.sample(range(3, len(walk) // 3), count - 1))
    stops = [0, *(3 * cut for cut in cuts), len(walk)]
    cells = [tuple(walk[a:b]) for a, b in pairwise(stops)]
    paths = tuple(Path(at, run) for at, run in enumerate(cells, start=1))
    pairs = tuple(Pair(p.number, min(p.cells[0], p.cells[-1]), max(p.cells[0], p.cells[-1])) for p in paths)
    return Solution(Puzzle(Grid(SIDE, SIDE), pairs), paths)


def drawn_record(number: int, dice: random.Random) -> PuzzleRecord:
    """The record of a board that was drawn, not made."""
    return PuzzleRecord(
        level="Medium",
        rule=Rule.STRICT,
        proof="kernel",
        grade=Grade.MEDIUM,
        score=200,
        techniques={},
        solution=snake_board(dice),
        fingerprint="0" * 16,
        seed=f"1/Medium/{number}/0",
        index=number,
        attempt=0,
        method=None,
    )


def bench_edition() -> Edition:
    """A thousand boards, four to a page, on letter paper."""
    dice = random.Random(1)
    puzzles = tuple(NumberedPuzzle(number, drawn_record(number, dice)) for number in range(1, BOARDS + 1))
    level = {"name": "Medium", "count": BOARDS, "size": SIDE, "per_page": 4}
    return Edition(BookSpec.model_validate({"title": "Benchmark", "seed": 1, "levels": [level]}), puzzles)


def bare_reportlab(book: Book) -> bytes:
    """The same forms and texts, drawn with ReportLab's own calls and nothing else."""
    buffer = io.BytesIO()
    size = (book.trim.width_pt, book.trim.height_pt)
    canvas = Canvas(buffer, pagesize=size, invariant=1, pageCompression=1, initialFontName=FontKey.REGULAR)
    for page in book.pages:
        placed = [item for item in page.frame.items if isinstance(item, Placed)]
        for item in placed:
            if not canvas.hasForm(item.figure.name):
                frame = item.figure.frame
                canvas.beginForm(item.figure.name, 0, 0, frame.width_pt, frame.height_pt)
                bare_items(canvas, frame)
                canvas.endForm()
        bare_items(canvas, page.frame)
        for item in placed:
            canvas.saveState()
            canvas.translate(item.x, item.y)
            canvas.doForm(item.figure.name)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def bare_items(canvas: Canvas, frame: Frame) -> None:
    """One path a drawing, one text object a frame."""
    for item in frame.items:
        if isinstance(item, Lines | Polyline):
            canvas.setLineWidth(item.width_pt)
            canvas.setStrokeGray(1 - item.ink.black)
            canvas.setLineCap(int(item.cap))
        path = canvas.beginPath()
        if isinstance(item, Lines):
            for x0, y0, x1, y1 in item.segments:
                path.moveTo(x0, y0)
                path.lineTo(x1, y1)
            canvas.drawPath(path)
        elif isinstance(item, Polyline | Polygon):
            path.moveTo(*item.points[0])
            for point in item.points[1:]:
                path.lineTo(*point)
            canvas.drawPath(path)
        elif isinstance(item, Rects):
            for box in item.boxes:
                path.rect(*box)
            canvas.drawPath(path, stroke=0, fill=1)
        elif isinstance(item, Discs):
            for x, y in item.centres:
                path.circle(x, y, item.radius_pt)
            canvas.drawPath(path, stroke=0, fill=1)
    text, face = canvas.beginText(), None
    for item in frame.items:
        if isinstance(item, TextRun):
            if face != (item.font, item.size_pt):
                face = (item.font, item.size_pt)
                text.setFont(item.font.value, item.size_pt)
            text.setTextOrigin(item.x, item.y)
            text.textOut(item.text)
    canvas.drawText(text)


def main() -> None:
    """Print what was measured."""
    for key in (FontKey.REGULAR, FontKey.SEMIBOLD):
        font(key)
    edition, profile, theme = bench_edition(), load_printer("generic"), load_theme("classic")
    ours, layout, bare = [], [], []
    for _ in range(RUNS):
        start = time.process_time()
        book = layout_book(edition, profile, theme, FontMeasure())
        layout.append(time.process_time() - start)
        size = len(draw_pages(book.pages, book.trim, About("Benchmark")))
        ours.append(time.process_time() - start)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rl_config.useA85 = 0  # as ours, so that bare ReportLab does not pay for the encoding
    for _ in range(RUNS):
        start = time.process_time()
        bare_reportlab(book)
        bare.append(time.process_time() - start)
    mid = statistics.median
    print(f"pages {book.page_count}, {size / 1e6:.2f} MB, peak memory {peak_mb:.0f} MB")
    print(f"layout {mid(layout):.2f} s, layout and drawing {mid(ours):.2f} s, bare {mid(bare):.2f} s")
    print(f"ratio {mid(ours) / mid(bare):.2f}")


if __name__ == "__main__":
    main()
