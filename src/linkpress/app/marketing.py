"""Write files that help to sell a built book: texts and pictures for a shop, and a pack for a designer.

``list_book`` fills in a shop's upload form, field by field, and compares the answers with the book's files.
It also draws pictures for the product page.

``write_pack`` writes a designer's pack. The folders ``svg``, ``eps`` and ``png`` have images of the boards in
the book's theme, without words. ``eps/data-merge.csv`` is a table of words and images for InDesign's data
merge. The folder ``marketing`` has images of the front cover and of three pairs of facing pages.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from linkpress.app.editions import low_price_lines, shop_lines
from linkpress.book.printing_keys import BackSpec, EbookKind, ListingSpec
from linkpress.book.volume import (
    COVER_FILE,
    EBOOK_FILE,
    INTERIOR_FILE,
    SCREEN_FILE,
    VOLUME_FILE,
    NumberedPuzzle,
    Volume,
    load_volume,
)
from linkpress.documents.problem import Problem
from linkpress.documents.values import PixelMode
from linkpress.errors import OutputError, UsageError
from linkpress.files import (
    FileTransaction,
    ImageFormat,
    check_writable,
    is_foreign,
    lock_folder,
    remove_temporary_files,
    write_files,
)
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
from linkpress.images.image_files import FORMATS, shows_puzzle
from linkpress.images.image_settings import ImageKind, ImageSettings, NameFields
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import Page
from linkpress.layout.markdown import parsed_markdown
from linkpress.layout.pages import Book
from linkpress.layout.sheets import board_sizes
from linkpress.layout.theme import words_for
from linkpress.press.assets import BookAssets, load_assets
from linkpress.press.book_layout import lay_out
from linkpress.press.composed_cover import (
    compose_cover,
    compose_ebook_front,
    compose_front,
    front_image,
    jpeg_front,
)
from linkpress.press.cover_content import cover_content
from linkpress.printers import ListingRules, PaperInk
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.raster import facing_pages, png_bytes, rasterise
from linkpress.version import __version__

LISTING_FILE = "listing.txt"
EBOOK_COVER_FILE = "ebook-cover.jpg"
# Subject headings from the BISAC list, which the book trade uses. The key True has the headings for
# children's books, the key False those for other books. Most shops have categories with these names.
_CATEGORIES = {
    False: ("Games & Activities / Logic & Brain Teasers",),
    True: ("Juvenile Nonfiction / Games & Activities / Puzzles",),
}
_AI_ANSWERS: Mapping[object, object] = {True: "yes", False: "no"}
_AI_QUESTION = Problem(
    "",
    "no answer about AI: shops ask whether AI tools made texts, pictures or translations. linkpress computes "
    "puzzles and cover designs without AI. Answer for your own texts and pictures",
    ("listing", "ai"),
    advice="give listing.ai as no, or say there what AI made",
)
# Width and height of each picture for a shop's product page.
_MODULES_PX = ((970, 600), (970, 300), (300, 300))
_CELL_PT, _SCREEN_DPI = 24.0, 72
# Background of the pictures: light grey, so that white pages and boards can be seen.
_GROUND = "#e9e6df"

KINDS = (ImageFormat.SVG, ImageFormat.EPS, ImageFormat.PNG)
WIDTH_MM, DPI = 100.0, 600
MARKETING_DPI = 300
MERGE_FILE = "eps/data-merge.csv"
SPREADS = 3
_SHOWN = (ImageKind.PUZZLE, ImageKind.SOLUTION)
_MERGE_COLUMNS = ("number", "title", "level", "size", "pairs", "difficulty", "@puzzle", "@solution")


@dataclass(frozen=True)
class Listing:
    """Texts for selling a built book in a shop.

    Args:
        text: the filled-in upload form.
        fields: maps the name of each field of the form to its answer, or to None if there is no answer.
        problems: the answers that are missing, are too long, or contradict the book's files. Their advice
            names the keys of the spec.
        files: the written files.
    """

    text: str
    fields: Mapping[str, object]
    problems: tuple[Problem, ...]
    files: tuple[Path, ...]


def list_book(folder: Path, out: Path | None = None, spec_folder: Path | None = None) -> Listing:
    """Fill in a shop's form for a built book, and draw pictures for its product page.

    Args:
        folder: the folder of the built book.
        out: the folder to write to; None for ``listing`` in the book's folder.
        spec_folder: the folder from which relative paths in the spec are resolved; None for ``folder``.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError: the book's ``interior.pdf`` is missing, or a file named in its spec can't be used.
        SpecError: a theme or profile has mistakes.
        LayoutError: the book doesn't fit its page or printer.
        OutputError: a file can't be written.
    """
    volume = load_volume(folder / VOLUME_FILE, spec_folder=spec_folder)
    if not (folder / INTERIOR_FILE).is_file():
        raise UsageError(
            f"{folder / INTERIOR_FILE} is missing: build the book, or typeset it, before it is listed."
        )
    assets = load_assets(volume.spec)
    book = lay_out(volume, assets)
    writer = _ListingWriter(volume, book, assets, folder)
    place = out or folder / "listing"
    pictures = dict(writer.pictures())
    text, fields, problems = writer.text(pictures)
    files: dict[Path, bytes | str] = {
        place / LISTING_FILE: text,
        **{place / name: picture for name, picture in pictures.items()},
    }
    write_files(files)
    return Listing(text, fields, problems, tuple(files))


def shop_answers(
    volume: Volume, book: Book, assets: BookAssets
) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Fill in the answers that all shops ask for, without comparing them with the files of a built book.

    Args:
        volume: the puzzles and the spec.
        book: the laid-out pages.
        assets: the theme, the fonts and the printer's profile.
    Returns:
        Two items. The first maps "Title", "Subtitle", "Description" and "Author" to their texts; a text that
        the book lacks is left out. The second is a problem for each answer that is missing from the book or
        is too long for the form.
    """
    spec, writer = volume.spec, _ListingWriter(volume, book, assets, Path())
    texts = {
        "Title": spec.title,
        "Subtitle": spec.subtitle,
        "Description": writer.description,
        "Author": spec.author,
    }
    return {name: str(text) for name, text in texts.items() if text}, tuple(writer.wrong_answers())


def problem_line(problem: Problem) -> str:
    """Describe in one line what is wrong with a text for a shop, for a user who edits the spec as a file."""
    return ": ".join(filter(None, (problem.message, problem.advice)))


def _form(fields: Mapping[str, object]) -> list[str]:
    return [f"{name}: {value or '–'}" for name, value in fields.items()]


@dataclass(frozen=True)
class _ListingWriter:
    """Writer of the texts and pictures that a shop's upload form asks for.

    Args:
        volume: the puzzles and the spec.
        book: the laid-out pages.
        assets: the theme, the fonts and the printer's profile.
        folder: the folder of the built book.
    """

    volume: Volume
    book: Book
    assets: BookAssets
    folder: Path

    @property
    def _rules(self) -> ListingRules:
        return self.assets.profile.listing or ListingRules()

    @property
    def _keys(self) -> ListingSpec:
        return self.volume.spec.listing or ListingSpec.model_construct()

    def text(self, pictures: Mapping[str, bytes]) -> tuple[str, Mapping[str, object], tuple[Problem, ...]]:
        """Fill in a shop's upload form.

        Returns:
            The form as text; the answer to each of its fields; and a problem for each answer that is missing
            or wrong.
        """
        spec, profile, pages = self.volume.spec, self.assets.profile, self.book.page_count
        rules, keys, description, keywords = self._rules, self._keys, self.description, self._keywords
        categories = keys.categories or _CATEGORIES[keys.ages is not None]
        problems = [*self.wrong_answers(), *self._differences()]
        problems += (Problem("", line, ("price",)) for line in low_price_lines(spec, profile, pages))
        problems += [
            Problem("", f"{name} is larger than {rules.picture_mb} MB")
            for name, content in pictures.items()
            if name != EBOOK_COVER_FILE and len(content) > rules.picture_mb * 10**6
        ]
        paper = profile.paper(spec.page.paper)
        ink = "colour" if paper.ink is PaperInk.COLOUR else "black"
        full = f"{len(spec.title)} + {len(spec.subtitle or '')} of {rules.title} characters"
        prices = (f"{float(price):.2f} {name}" for name, price in (spec.price or {}).items())
        fields = {
            "Format": profile.format.value if profile.format else None,
            "Language": spec.wording().english_name,
            f"Title ({full} with the subtitle)": spec.title,
            "Subtitle": spec.subtitle,
            "Series": spec.series.name if spec.series else None,
            "Number in series": spec.volume,
            "Edition": spec.edition,
            "Author": spec.author,
            f"Description ({len(description)} of {rules.description} characters)": f"\n{description}\n",
            f"Keywords ({len(keywords)} of {rules.keywords})": "; ".join(keywords),
            f"Categories ({len(categories)} of {rules.categories})": "; ".join(categories),
            "Ages": str(keys.ages or ""),
            "Large print": "yes" if spec.page.large_print else "no",
            "Low content": "no: every page has puzzles of its own",
            "AI-generated content": _AI_ANSWERS.get(keys.ai, keys.ai),
            "Reading direction": "left to right",
            "ISBN": spec.isbn,
            "Publisher": spec.publisher,
            "Ink and paper": f"{ink} ink, {paper.name} paper",
            "Trim size": str(spec.page.trim.size),
            "Bleed": "bleed" if spec.page.bleed else "no bleed",
            "Pages": pages,
            "List prices": ", ".join(prices),
        }
        lines, ebook = _form(fields), self._ebook_fields(pictures) if spec.epub else None
        if ebook:
            lines += ["", "The e-book's own form differs from the one above in these answers:", *_form(ebook)]
        lines += ["", *shop_lines(spec, profile, pages), "", "What goes up where"]
        lines += [f"- {line}" for line in self._uploads(rules, sorted(pictures))]
        lines += ["", "Problems" if problems else "No problems found."]
        lines += [f"- {problem_line(each)}" for each in problems]
        if rules.date:
            lines += ["", f"Limits: {rules.published}, {rules.date}{', unconfirmed' * rules.unconfirmed}"]
        answers = {name.partition(" (")[0]: value or None for name, value in fields.items()}
        answers |= {"Description": description, "E-book": ebook}
        return "\n".join(lines) + "\n", answers, tuple(problems)

    def _ebook_fields(self, pictures: Mapping[str, bytes]) -> Mapping[str, object]:
        epub = self.volume.spec.epub
        return {
            "Format": "Kindle e-book" if epub and epub.kind is EbookKind.KINDLE else "EPUB",
            "ISBN": epub and epub.isbn,
            "Manuscript": EBOOK_FILE,
            "Cover picture": EBOOK_COVER_FILE if EBOOK_COVER_FILE in pictures else None,
            "Large print": "no: readers choose the size of letters",
        }

    @cached_property
    def description(self) -> str:
        """The description of the book for a shop: the user's own, or one made from the book's words."""
        if self._keys.description:
            return self._keys.description
        spec, volume = self.volume.spec, self.volume
        words = words_for(spec, self.assets.theme, (record.puzzle for record in volume.puzzles))
        back = (spec.cover.back if spec.cover else None) or BackSpec.model_construct()
        rules = words.rules_of(record.puzzle for record in volume.puzzles)
        blurb = _plain(spec.cover.blurb) if spec.cover and spec.cover.blurb else rules
        levels = []
        for level in spec.levels:
            puzzles = [puzzle for puzzle in volume.numbered if puzzle.record.level == level.name]
            heading, count = spec.headings[level.name], words.count_of(len(puzzles))
            levels.append(f"• {heading} · {count} · {board_sizes(words, puzzles)}")
        parts = [blurb, "\n".join([words.count_of(len(volume.puzzles)), *levels])]
        if back.promise is not False:
            parts.append(back.promise if isinstance(back.promise, str) else words.promise)
        return "\n\n".join(parts)

    @cached_property
    def _keywords(self) -> tuple[str, ...]:
        keys = self._keys
        if keys.keywords:
            return keys.keywords
        spec, theme = self.volume.spec, self.assets.theme
        words = words_for(spec, theme, (record.puzzle for record in self.volume.puzzles))
        large = words.keyword_large_print if spec.page.large_print else None
        audience = None if keys.ages or theme.numbers.is_dots else words.keyword_adults
        if keys.ages and words.keyword_children:
            audience = words.say(words.keyword_children, ages=str(keys.ages))
        keywords = (keyword.strip() for keyword in (words.keywords or "").split(";"))
        return tuple(filter(None, (large, audience, *keywords)))[: self._rules.keywords]

    def wrong_answers(self) -> Iterator[Problem]:
        """Yield a problem for each answer to the shop's form that is missing or too long."""
        spec, rules, keys = self.volume.spec, self._rules, self._keys
        description, keywords = self.description, self._keywords
        length = len(spec.title) + len(spec.subtitle or "")
        if length > rules.title:
            words = f"title and subtitle have {length} characters, at most {rules.title} are taken"
            yield Problem("", words, ("title",))
        if len(description) > rules.description:
            words = (
                f"the description has {len(description)} characters, at most {rules.description} are taken"
            )
            yield Problem("", words, ("listing", "description"), advice="give listing.description")
        key = "listing", "keywords"
        for keyword in (keyword for keyword in keywords if len(keyword) > rules.keyword):
            words = f"the keyword {keyword!r} is {len(keyword)} long, at most {rules.keyword} are taken"
            yield Problem("", words, key)
        if len(keywords) > rules.keywords:
            yield Problem("", f"{len(keywords)} keywords, at most {rules.keywords} are taken", key)
        if not keywords:
            yield Problem("", "no keywords", key, advice="give listing.keywords")
        if len(keys.categories) > rules.categories:
            words = f"{len(keys.categories)} categories, at most {rules.categories} are taken"
            yield Problem("", words, ("listing", "categories"))
        if keys.ai is None:
            yield _AI_QUESTION
        if not spec.author:
            words = "no author: the form asks for one, and the cover must name the same"
            yield Problem("", words, ("author",))

    @property
    def _takes_covers(self) -> bool:
        return self.assets.profile.cover is not None

    def _differences(self) -> Iterator[Problem]:
        spec = self.volume.spec
        with contextlib.closing(pdfium.PdfDocument(self.folder / INTERIOR_FILE)) as pdf:
            if len(pdf) != self.book.page_count:
                words = f"{INTERIOR_FILE} has {len(pdf)} pages, the book {self.book.page_count}: typeset it"
                yield Problem("", words)
            inner = pdf.get_metadata_dict().get("Title")
            if inner != spec.title:
                yield Problem("", f"{INTERIOR_FILE} is titled {inner!r}, not {str(spec.title)!r}", ("title",))
            yield from self._missing(pdf, INTERIOR_FILE, range(min(2, len(pdf))))
        if not (self.folder / COVER_FILE).is_file():
            if self._takes_covers:
                words = f"{COVER_FILE} is missing: give the book a cover, or draw one of the size above"
                yield Problem("", words, ("cover",))
        elif spec.cover is None or spec.cover.front is None:
            with contextlib.closing(pdfium.PdfDocument(self.folder / COVER_FILE)) as pdf:
                yield from self._missing(pdf, COVER_FILE, range(1))

    def _missing(self, pdf: pdfium.PdfDocument, name: str, pages: Sequence[int]) -> Iterator[Problem]:
        spec = self.volume.spec
        text = "".join(pdf[page].get_textpage().get_text_bounded() for page in pages)
        shown = _squeezed(text)
        named = {"title": spec.title, "subtitle": spec.subtitle, "author": spec.author}
        if spec.series and name == COVER_FILE:
            named["series.name"] = spec.series.name
        for key, words in named.items():
            if words and _squeezed(words) not in shown:
                message = f"{name} does not show the {key} {words!r} as the form has it"
                yield Problem("", message, tuple(key.split(".")))

    def _uploads(self, rules: ListingRules, pictures: Sequence[str]) -> Iterator[str]:
        yield f"{INTERIOR_FILE}: the manuscript"
        for name, what in {
            COVER_FILE: "the cover, as a print-ready PDF",
            EBOOK_FILE: "the e-book, in a form of its own",
            SCREEN_FILE: "no shop's print form; for readers with tablets",
        }.items():
            if (self.folder / name).is_file():
                yield f"{name}: {what}"
        if not self._takes_covers:
            yield "a cover of your own: draw it with the printer's template"
        names = ", ".join(name for name in pictures if name != EBOOK_COVER_FILE)
        yield f"{names}: the book's own page (A+), RGB, at most {rules.picture_mb} MB each"

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the content of each picture file.

        If there is an e-book, the first picture is its cover. The other three are for the product page: an
        open book with two facing pages, a row of three boards, and a single board.
        """
        spec, assets = self.volume.spec, self.assets
        if spec.epub and spec.cover is not None:
            content = cover_content(self.volume, assets, 0, assets.cover_pictures)
            yield EBOOK_COVER_FILE, jpeg_front(compose_ebook_front(content), assets.faces)
        left, right = _spreads(self.book.pages)[0]
        high = _MODULES_PX[0][1] - 60
        width = round(high * self.book.trim.width_pt / self.book.trim.height_pt)
        yield (
            "page-970x600.png",
            self._picture((facing_pages(left, right, (width, high), self.assets.faces),), 0),
        )
        records = self.volume.puzzles
        shown = [records[0], records[len(records) // 2], records[-1]]
        boards = [self._board(record.puzzle, None) for record in shown[:2]]
        boards.append(self._board(shown[2].puzzle, shown[2].solution))
        yield "page-970x300.png", self._picture(boards, 1)
        yield "page-300x300.png", self._picture(boards[:1], 2)

    def _board(self, puzzle: Puzzle, answer: Solution | None) -> Image.Image:
        frame = board_frame(puzzle, answer, _CELL_PT, self.assets.theme, self.assets.measure)
        scale = 240 / max(frame.width_pt, frame.height_pt)
        size = round(frame.width_pt * scale), round(frame.height_pt * scale)
        return rasterise(frame, size, PixelMode.RGB, faces=self.assets.faces)

    def _picture(self, images: Sequence[Image.Image], module: int) -> bytes:
        width, height = _MODULES_PX[module]
        sheet = Image.new("RGB", (width, height), _GROUND)
        gap = (width - sum(image.width for image in images)) // (len(images) + 1)
        x = gap
        for image in images:
            sheet.paste(image, (x, (height - image.height) // 2))
            x += image.width + gap
        return png_bytes(sheet, _SCREEN_DPI)


def _plain(markdown: str) -> str:
    inline = [token.children or [] for token in parsed_markdown(markdown) if token.type == "inline"]
    lines = [
        "".join(child.content or "\n" * (child.type == "softbreak") for child in each) for each in inline
    ]
    return "\n\n".join(lines)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad\u200b]+", "", text).casefold()


@dataclass(frozen=True)
class _Pack:
    """Data for writing a designer's pack: images of the boards, a table for InDesign, and marketing pictures.

    Args:
        volume: the book's puzzles and spec.
        book: the book's laid-out pages, for the marketing pictures.
        assets: the theme, the fonts and the printer's profile.
        out: the folder to write the pack to.
        orders: for each of the file formats svg, eps and png, how to draw the boards.
    """

    volume: Volume
    book: Book
    assets: BookAssets
    out: Path
    orders: tuple[ExportOrder, ...]

    @property
    def source(self) -> PuzzleSource:
        return volume_source(self.volume)

    @property
    def mark(self) -> str:
        return f"pack of {self.volume.spec.book_id}"

    @property
    def pictures(self) -> tuple[Path, ...]:
        spreads = [f"spread-{number}.png" for number, _ in enumerate(_spreads(self.book.pages), 1)]
        return tuple(self.out / "marketing" / name for name in ("cover.png", *spreads))


def write_pack(
    folder: Path | str,
    out: Path | str | None = None,
    *,
    width_mm: float = WIDTH_MM,
    dpi: int = DPI,
    force: bool = False,
    spec_folder: Path | None = None,
    on_drawn: Callable[[int, int], object] = lambda done, total: None,
) -> tuple[Path, ...]:
    """Write a folder of images from which a designer can make advertisements for a built book.

    It is called a designer's pack, and contains images of the boards, a table for InDesign and marketing
    pictures. If a file can't be written, no file is written.

    Args:
        folder: the folder of the built book.
        out: the folder to write to; None for ``output/<id>-pack``.
        width_mm: the width of the boards.
        dpi: the resolution of the boards' PNG files.
        force: whether to overwrite files that aren't part of a pack of this book.
        spec_folder: the folder from which relative paths in the spec are resolved; None for ``folder``.
        on_drawn: function called after each file with the number of files drawn so far and the total number.
    Returns:
        The written files.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError: the theme, a font or the printer is missing.
        SpecError: the theme or the printer's profile has mistakes.
        LayoutError: a board is too large for the width, or the cover's words don't fit.
        OutputError: a file can't be written, or would overwrite a file that isn't part of this pack.
    """
    volume = load_volume(Path(folder, VOLUME_FILE), spec_folder=spec_folder)
    pack = _plan_pack(volume, out, width_mm, dpi)
    source = pack.source
    boards = [check_export(source, order, pack.out, force=force) for order in pack.orders]
    merge = pack.out / MERGE_FILE
    if not force:
        _check_free(pack, merge)
    check_writable(merge)
    files = [*(path for paths in boards for path in paths.values()), merge, *pack.pictures]
    with lock_folder(pack.out), FileTransaction() as transaction:
        remove_temporary_files(files)
        for done, (path, content) in enumerate(_contents(pack, source, boards), 1):
            transaction.write(path, content)
            on_drawn(done, len(files))
        transaction.commit()
    return tuple(files)


def _plan_pack(volume: Volume, out: Path | str | None, width_mm: float, dpi: int) -> _Pack:
    assets = load_assets(volume.spec)
    book = lay_out(volume, assets)
    mode = PixelMode.RGB if assets.theme.has_colours else PixelMode.GRAY
    source = volume_source(volume)
    orders = []
    for kind in KINDS:
        settings = ImageSettings(width_mm, None, dpi, mode, (kind,), assets.theme)
        names = f"{kind}/{volume.spec.book_id}-{{number:04}}-{{what}}"
        orders.append(order_images(source, settings, _SHOWN, (), names))
    target = Path(out or Path("output", f"{volume.spec.book_id}-pack"))
    return _Pack(volume, book, assets, target, tuple(orders))


def _check_free(pack: _Pack, merge: Path) -> None:
    """Raise ``OutputError`` if a file to write exists and isn't part of a pack of this book."""
    heading = _merge_bytes([])
    ours = {merge: lambda content: content.startswith(heading)}
    ours |= {path: lambda content: shows_puzzle(content, pack.mark) for path in pack.pictures}
    others = [path for path, is_ours in ours.items() if is_foreign(path, MOST_IMAGE_BYTES, is_ours)]
    if others:
        raise OutputError(
            f"{others[0]} exists already, and is no part of a pack of {pack.volume.spec.book_id}. Nothing "
            "was written: choose another folder with -o, or write over what is there with --force."
        )


def _contents(pack: _Pack, source: PuzzleSource, boards: Sequence[Paths]) -> Iterator[tuple[Path, bytes]]:
    for order, paths in zip(pack.orders, boards, strict=True):
        yield from drawn_files(source, order, paths)
    yield pack.out / MERGE_FILE, _merge_bytes([_merge_row(pack, puzzle) for puzzle in pack.volume.numbered])
    yield from zip(pack.pictures, _pictures(pack), strict=True)


def _merge_bytes(rows: Sequence[Sequence[object]]) -> bytes:
    """Return the table for InDesign's data merge, in UTF-16 with a byte order mark.

    InDesign reads all letters correctly in this encoding. In a column whose name begins with @, the values
    are names of image files in the table's folder.

    Source:
        Adobe, "Data source files overview"; the Data Merge API's own sample is UTF-16BE.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_MERGE_COLUMNS)
    table.writerows(rows)
    return ("\ufeff" + text.getvalue()).encode("utf-16-be")


def _merge_row(pack: _Pack, puzzle: NumberedPuzzle) -> tuple[object, ...]:
    record, words = puzzle.record, pack.source.words
    grid, order = record.puzzle.grid, pack.orders[KINDS.index(ImageFormat.EPS)]
    named = (NameFields(None, puzzle.number, kind, None, order.settings.dpi) for kind in _SHOWN)
    return (
        puzzle.number,
        _as_text(pack.volume.spec.title),
        _as_text(pack.volume.spec.headings[record.level]),
        words.say(words.size, cols=grid.cols, rows=grid.rows),
        len(record.puzzle.pairs),
        "" if record.difficulty is None else record.difficulty,
        *(Path(order.names.name(fields, FORMATS[ImageFormat.EPS].suffix)).name for fields in named),
    )


def _as_text(text: str) -> str:
    # Spreadsheet programs would read a text such as ``=1+1`` as a formula, but not with a space before it.
    return f" {text}" if text[:1] in "=+-@\t" else text


def _pictures(pack: _Pack) -> Iterator[bytes]:
    spec, trim = pack.volume.spec, pack.book.trim
    about = {"Title": spec.title, "Author": spec.author or "", "Copyright": pack.source.copyright}
    texts = {key: text for key, text in about.items() if text}
    texts |= {"Source": pack.mark, "Software": f"linkpress {__version__}"}
    size = (round(trim.width_pt * MARKETING_DPI / 72), round(trim.height_pt * MARKETING_DPI / 72))
    yield png_bytes(_front(pack, size), MARKETING_DPI, texts)
    for left, right in _spreads(pack.book.pages):
        yield png_bytes(facing_pages(left, right, size, pack.assets.faces), MARKETING_DPI, texts)


def _front(pack: _Pack, size: tuple[int, int]) -> Image.Image:
    assets = pack.assets
    content = cover_content(pack.volume, assets, pack.book.page_count, assets.cover_pictures)
    if assets.spec.cover is not None:
        return front_image(compose_cover(content), size[0], assets.faces)
    return rasterise(compose_front(content), size, PixelMode.RGB, faces=assets.faces)


def _spreads(pages: Sequence[Page]) -> list[tuple[Page, Page]]:
    """Choose up to three pairs of facing pages for pictures: two with puzzles and one with answers.

    If the book has too few pages of these kinds, choose other pairs without empty pages.
    """
    facing = list(zip(pages[1::2], pages[2::2], strict=False))
    puzzles, answers = _of_kind(facing, "puzzles"), _of_kind(facing, "solutions")[:1]
    first_choices = [puzzles[len(puzzles) // 4], puzzles[3 * len(puzzles) // 4]] if puzzles else []
    rest = [pair for pair in facing if all(page.frame.items for page in pair)]
    chosen = {left.number: (left, right) for left, right in (*first_choices, *answers, *rest)}
    spreads = [chosen[number] for number in sorted(list(chosen)[:SPREADS])]
    # In a short booklet, every pair of facing pages may have an empty page. In that case, show the first page
    # and the last page of the booklet.
    return spreads or [(pages[0], pages[-1])]


def _of_kind(facing: Sequence[tuple[Page, Page]], kind: str) -> list[tuple[Page, Page]]:
    """Return the pairs of facing pages in which both pages are of one kind, such as ``puzzles``.

    If there are none, return the pairs that have at least one page of this kind.
    """
    both = [pair for pair in facing if all(page.kind == kind for page in pair)]
    return both or [pair for pair in facing if any(page.kind == kind for page in pair)]
