"""A designer's pack has every puzzle and answer of a book as SVG, EPS and PNG, and what sells it.

``svg``, ``eps`` and ``png`` hold the boards without words, in the book's theme; ``eps/data-merge.csv``
gives InDesign the words and the images; ``marketing`` has the pictures of a product page, the cover's front
and three spreads.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkpress.book.volume import VOLUME_FILE, NumberedPuzzle, Volume, load_volume, volume_json
from linkpress.errors import OutputError
from linkpress.files import FileTransaction, check_writable, is_foreign, lock_folder, remove_temporary_files
from linkpress.images.image_export import (
    MOST_IMAGE_BYTES,
    ExportOrder,
    Paths,
    PuzzleSource,
    check_export,
    drawn_files,
    order_images,
    volume_source,
)
from linkpress.images.image_files import ImageFormat, shows_puzzle
from linkpress.images.image_settings import ImageKind, ImageSettings, NameFields
from linkpress.layout.frame import Page
from linkpress.layout.pages import Book
from linkpress.press.book_looks import LoadedLooks, cover_picture, measure_of
from linkpress.press.cover.composed_cover import compose_cover, compose_front, front_image
from linkpress.press.cover.cover_order import order_cover
from linkpress.press.typesetting import build_code, lay_out
from linkpress.printers.profile import PrinterProfile
from linkpress.render.raster import PixelMode, facing_pages, png_bytes, rasterise
from linkpress.version import __version__

if TYPE_CHECKING:
    from PIL import Image

KINDS = (ImageFormat.SVG, ImageFormat.EPS, ImageFormat.PNG)
WIDTH_MM, DPI = 100.0, 600
MARKETING_DPI = 300
MERGE_FILE = "eps/data-merge.csv"
SPREADS = 3

_SHOWN = (ImageKind.PUZZLE, ImageKind.SOLUTION)
_MERGE_COLUMNS = ("number", "title", "level", "size", "pairs", "grade", "stars", "@puzzle", "@solution")


@dataclass(frozen=True)
class _Pack:
    volume: Volume
    book: Book
    profile: PrinterProfile
    looks: LoadedLooks
    folder: Path
    out: Path
    orders: tuple[ExportOrder, ...]

    @property
    def source(self) -> PuzzleSource:
        return volume_source(self.volume, self.folder)

    @property
    def mark(self) -> str:
        """Return the text that marks a marketing picture as part of this pack."""
        return f"pack of {self.volume.spec.book_id}"

    @property
    def pictures(self) -> tuple[Path, ...]:
        spreads = [f"spread-{number}.png" for number, _ in enumerate(_spreads(self.book.pages), 1)]
        return tuple(self.out / "marketing" / name for name in ("cover.png", *spreads))


def pack(
    folder: Path | str,
    out: Path | str | None = None,
    *,
    width_mm: float = WIDTH_MM,
    dpi: int = DPI,
    force: bool = False,
    spec_folder: Path | None = None,
    on_drawn: Callable[[int, int], object] = lambda done, total: None,
) -> tuple[Path, ...]:
    """Write a built book's pack; all of its files are whole before the first takes its place.

    Args:
        out: the folder to write to; ``output/<id>-pack`` if None.
        dpi: of the boards' PNG files.
        force: write over files that are no part of a pack of this book.
        spec_folder: that relative paths of the book's spec start from; ``folder`` if None.
        on_drawn: told how many files are drawn, and of how many.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError, SpecError: the book's theme, fonts or printer is missing or has faults.
        LayoutError: a board is too large for the width, or the cover's words don't fit.
        OutputError: a file can't be written, or is there and is none of this book's pack.
    """
    volume = load_volume(Path(folder, VOLUME_FILE))
    made = _prepare(volume, Path(spec_folder or folder), out, width_mm, dpi)
    source = made.source
    boards = [check_export(source, order, made.out, force=force) for order in made.orders]
    merge = made.out / MERGE_FILE
    if not force:
        _check_free(made, merge)
    check_writable(merge)
    files = [*(path for paths in boards for path in paths.values()), merge, *made.pictures]
    with lock_folder(made.out), FileTransaction() as transaction:
        remove_temporary_files(files)
        for done, (path, content) in enumerate(_contents(made, source, boards), 1):
            transaction.write(path, content)
            on_drawn(done, len(files))
        transaction.commit()
    return tuple(files)


def _prepare(volume: Volume, folder: Path, out: Path | str | None, width_mm: float, dpi: int) -> _Pack:
    book, profile, looks = lay_out(volume, folder, build_code(volume_json(volume)))
    mode = PixelMode.RGB if any(not ink.is_grey for _, ink in looks.theme.inks) else PixelMode.GRAY
    source = volume_source(volume, folder)
    orders = []
    for kind in KINDS:
        settings = ImageSettings(width_mm, None, dpi, mode, (kind,), looks.theme)
        names = f"{kind}/{volume.spec.book_id}-{{number:04}}-{{what}}"
        orders.append(order_images(source, settings, _SHOWN, (), names))
    target = Path(out or Path("output", f"{volume.spec.book_id}-pack"))
    return _Pack(volume, book, profile, looks, folder, target, tuple(orders))


def _check_free(made: _Pack, merge: Path) -> None:
    """Refuse to write over what belongs to no pack of this book."""
    heading = _merge_bytes([])
    ours = {merge: lambda content: content.startswith(heading)}
    ours |= {path: lambda content: shows_puzzle(content, made.mark) for path in made.pictures}
    others = [path for path, is_ours in ours.items() if is_foreign(path, MOST_IMAGE_BYTES, is_ours)]
    if others:
        raise OutputError(
            f"{others[0]} exists already, and is no part of a pack of {made.volume.spec.book_id}. Nothing "
            "was written: choose another folder with -o, or write over what is there with --force."
        )


def _contents(made: _Pack, source: PuzzleSource, boards: Sequence[Paths]) -> Iterator[tuple[Path, bytes]]:
    for order, paths in zip(made.orders, boards, strict=True):
        yield from drawn_files(source, order, paths)
    yield made.out / MERGE_FILE, _merge_bytes([_merge_row(made, puzzle) for puzzle in made.volume.numbered])
    yield from zip(made.pictures, _pictures(made), strict=True)


def _merge_bytes(rows: Sequence[Sequence[object]]) -> bytes:
    """Write the table as InDesign's data merge reads it whatever the letters: UTF-16 with its mark.

    A column whose name begins with @ holds names of images; those without a folder are looked for beside the
    table.

    Source:
        Adobe, "Data source files overview"; the Data Merge API's own sample is UTF-16BE.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_MERGE_COLUMNS)
    table.writerows(rows)
    return ("\ufeff" + text.getvalue()).encode("utf-16-be")


def _merge_row(made: _Pack, puzzle: NumberedPuzzle) -> tuple[object, ...]:
    record, words = puzzle.record, made.source.words
    grid, order = record.puzzle.grid, made.orders[KINDS.index(ImageFormat.EPS)]
    named = (NameFields(None, puzzle.number, kind, None, order.settings.dpi) for kind in _SHOWN)
    return (
        puzzle.number,
        _as_text(made.volume.spec.title),
        _as_text(made.volume.spec.headings[record.level]),
        words.say(words.size, cols=grid.cols, rows=grid.rows),
        len(record.puzzle.pairs),
        words.grades[record.grade] if record.grade else "",
        record.printed_stars or "",
        *(Path(order.names.name(fields, ImageFormat.EPS.suffix)).name for fields in named),
    )


def _as_text(text: str) -> str:
    """Keep a text from being a formula to programs that open tables: a space before it is enough."""
    return f" {text}" if text[:1] in "=+-@\t" else text


def _pictures(made: _Pack) -> Iterator[bytes]:
    spec, looks, trim = made.volume.spec, made.looks, made.book.trim
    about = {"Title": spec.title, "Author": spec.author or "", "Copyright": made.source.copyright}
    texts = {key: text for key, text in about.items() if text}
    texts |= {"Source": made.mark, "Software": f"linkpress {__version__}"}
    size = (round(trim.width_pt * MARKETING_DPI / 72), round(trim.height_pt * MARKETING_DPI / 72))
    yield png_bytes(_front(made, size), MARKETING_DPI, texts)
    for left, right in _spreads(made.book.pages):
        yield png_bytes(facing_pages(left, right, size, looks.faces), MARKETING_DPI, texts)


def _front(made: _Pack, size: tuple[int, int]) -> Image.Image:
    spec, faces = made.volume.spec, made.looks.faces
    image = cover_picture(spec, made.folder, made.profile)
    order = order_cover(made.volume, made.book.page_count, made.looks, image)
    measure = measure_of(spec, faces)
    if spec.cover is not None:
        return front_image(compose_cover(order, made.profile, measure), size[0], faces)
    return rasterise(compose_front(order, made.profile, measure), size, PixelMode.RGB, faces=faces)


def _spreads(pages: Sequence[Page]) -> list[tuple[Page, Page]]:
    facing = list(zip(pages[1::2], pages[2::2], strict=False))
    puzzles, answers = _of_kind(facing, "puzzles"), _of_kind(facing, "solutions")[:1]
    liked = [puzzles[len(puzzles) // 4], puzzles[3 * len(puzzles) // 4]] if puzzles else []
    rest = [pair for pair in facing if all(page.frame.items for page in pair)]
    chosen = {left.number: (left, right) for left, right in (*liked, *answers, *rest)}
    return [chosen[number] for number in sorted(list(chosen)[:SPREADS])]


def _of_kind(facing: Sequence[tuple[Page, Page]], kind: str) -> list[tuple[Page, Page]]:
    """Return the pairs of which both pages are of a kind; if there are none, those of which one page is."""
    both = [pair for pair in facing if all(page.kind == kind for page in pair)]
    return both or [pair for pair in facing if any(page.kind == kind for page in pair)]
