"""Make the pictures of the docs with linkpress itself: ``python docs/make_pictures.py [NAME...]``.

``starter`` shows pages of the starter book; a test compares it with the book of today. Each finished book in
``config/books`` gives one picture of its pages and one of its cover. ``shapes``, ``pictures`` (that boards
reveal), ``designs`` (of covers) and ``newspaper`` are single pictures. They are kept in ``docs/pictures``:
making all of them takes a minute.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from linkpress.book.first_specs import example_books
from linkpress.cli.app import run
from linkpress.resources import resource

PICTURES = Path(__file__).resolve().parent / "pictures"
COVER_WIDTH_PX = 420
SHEET_WIDTH_PX = 1400

STARTER_PAGES = "1,4,7,10,16"
"""The pages of the starter book in the README and the tutorial."""

PAGES = {
    "children": "3,6,19,26,73",
    "large-print": "4,6,20,69,92",
    "bestseller": "4,33,34,90,150",
    "enthusiasts": "4,8,35,60,75",
    "series": "4,10,60,100,112",
    "tablet": "4,30,35,60,100",
}
"""The pages of each book that its picture shows."""

SHAPES = """
title: Shapes
seed: 3
page: {trim: 6x9in}
parts: {openers: no}
levels:
  - {name: Hearts, count: 1, solids: {mask: heart}, difficulty: easy, per_page: 1}
  - {name: Stars, count: 1, solids: {mask: star}, difficulty: easy, per_page: 1}
  - {name: Trees, count: 1, solids: {mask: tree}, difficulty: easy, per_page: 1}
  - {name: Cats, count: 1, solids: {mask: cat}, number_pattern: mirror, per_page: 1}
  - {name: Letters, count: 1, solids: {mask: letter-a}, per_page: 1}
"""

HIDDEN = """
title: Hidden
seed: 3
page: {printer: screen, trim: 6x9in}
parts: {openers: no}
solutions: {per_page: 1}
levels:
  - {name: First, count: 1, reveal: duck, per_page: 1}
  - {name: Second, count: 1, reveal: rocket, per_page: 1}
"""


def make_starter(work: Path, target: Path = PICTURES / "starter-pages.png") -> None:
    """Build the starter book and write a picture of some of its pages."""
    _run("build", str(resource("config", "starter.yaml")), "-o", str(work), "--no-ledger")
    sheet = work / "sheet.png"
    book = str(work / "number-link-starter")
    _run("preview", book, "--pages", STARTER_PAGES, "--columns", "5", "-o", str(sheet))
    _save(sheet, target, SHEET_WIDTH_PX)


def make_pictures(name: str, work: Path) -> None:
    """Build a finished book and write ``NAME-pages.png`` and ``NAME-cover.png``."""
    spec = next(path for path in example_books()[name] if path.stem != "house")
    _run("build", str(spec), "-o", str(work), "--no-ledger")
    (book,) = (path for path in work.iterdir() if path.is_dir())
    sheet = work / "sheet.png"
    _run("preview", str(book), "--pages", PAGES[name], "--columns", "5", "-o", str(sheet))
    front = work / "front.png"
    _run("preview", str(book), "--pages", "front", "-o", str(front))
    _save(sheet, PICTURES / f"{name}-pages.png", SHEET_WIDTH_PX)
    _save(front, PICTURES / f"{name}-cover.png", COVER_WIDTH_PX)


def make_shapes(work: Path) -> None:
    """Build a book with shaped boards and write ``shapes.png``."""
    _save_row(work, "shapes", SHAPES, [6, 7, 8, 9, 10], "shapes")


def make_hidden_pictures(work: Path) -> None:
    """Build a book with boards that reveal a picture, and write ``pictures.png``."""
    _save_row(work, "hidden", HIDDEN, [5, 6, 7, 8], "pictures")


def _save_row(work: Path, book: str, text: str, pages: list[int], picture: str) -> None:
    """Build the book of a spec, and write a picture of some of its pages in a row.

    Args:
        book: the title of the book in lower case, which is the name of its folder.
        text: the spec.
        pages: the numbers of the pages.
        picture: the name of the picture.
    """
    spec, sheet, shown = work / f"{book}.yaml", work / "sheet.png", ",".join(map(str, pages))
    spec.write_text(text, encoding="utf-8")
    _run("build", str(spec), "-o", str(work), "--no-ledger")
    _run("preview", str(work / book), "--pages", shown, "--columns", str(len(pages)), "-o", str(sheet))
    _save(sheet, PICTURES / f"{picture}.png", SHEET_WIDTH_PX)


def make_designs(work: Path) -> None:
    """Write ``cover-designs.png``: the front cover in each shipped design."""
    spec, sheet = example_books()["bestseller"][0], work / "designs.png"
    _run("preview", str(spec), "--pages", "designs", "--columns", "5", "-o", str(sheet))
    _save(sheet, PICTURES / "cover-designs.png", SHEET_WIDTH_PX)


def make_newspaper(work: Path) -> None:
    """Write ``newspaper-cover.png``: the image of one day of the shipped feed."""
    spec = resource("config", "feed-daily.yaml")
    _run("feed", str(spec), "--from", "2026-12-03", "--days", "1", "-o", str(work / "daily"), "--no-ledger")
    (image,) = (work / "daily").glob("*-puzzle-*.png")
    _save(image, PICTURES / "newspaper-cover.png", COVER_WIDTH_PX)


def _run(*words: str) -> None:
    code = run(list(words))
    if code:
        sys.exit(code)


def _save(source: Path, target: Path, width_px: int) -> None:
    """Shrink a picture for a web page. A palette made for it keeps the file small."""
    with Image.open(source) as picture:
        height_px = round(picture.height * width_px / picture.width)
        small = picture.convert("RGB").resize((width_px, height_px), Image.Resampling.LANCZOS)
        small.quantize(128, kmeans=2, dither=Image.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    others = {
        "starter": make_starter,
        "shapes": make_shapes,
        "pictures": make_hidden_pictures,
        "designs": make_designs,
        "newspaper": make_newspaper,
    }
    for picture in sys.argv[1:] or [*PAGES, *others]:
        with tempfile.TemporaryDirectory() as folder:
            if picture in others:
                others[picture](Path(folder))
            else:
                make_pictures(picture, Path(folder))
