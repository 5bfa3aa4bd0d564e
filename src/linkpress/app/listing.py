"""A listing is what a shop's form asks of a built book, field by field, held against the files."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
from babel.core import Locale
from PIL import Image

from linkpress.app.editions import shop_lines
from linkpress.book.design_keys import BackSpec
from linkpress.book.printing_keys import ListingSpec
from linkpress.book.volume import (
    COVER_FILE,
    EBOOK_FILE,
    INTERIOR_FILE,
    SCREEN_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
    volume_json,
)
from linkpress.errors import UsageError
from linkpress.files import write_files
from linkpress.layout.boards import board_frame
from linkpress.layout.markdown import parsed_markdown
from linkpress.layout.pages import Book
from linkpress.layout.sheets import board_sizes
from linkpress.layout.theme import words_for
from linkpress.press.book_looks import LoadedLooks, measure_of
from linkpress.press.typesetting import build_code, lay_out
from linkpress.printers.profile import ListingRules, PaperInk, PrinterProfile
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.raster import PixelMode, facing_pages, png_bytes, rasterise

LISTING_FILE = "listing.txt"
_PICTURES = ((970, 600), (970, 300), (300, 300))  # the shop's usual modules
_CELL_PT, _DPI = 24.0, 72
_GROUND = "#e9e6df"  # on which white pages and boards stand out


@dataclass(frozen=True)
class Listing:
    """A listing is a built book's entry in a shop; it knows what is too long or differs from the files."""

    text: str
    wanting: tuple[str, ...]
    files: tuple[Path, ...]


def list_book(folder: Path, out: Path | None = None, spec_folder: Path | None = None) -> Listing:
    """Write what a shop's form asks of a built book, with pictures for its page.

    Args:
        out: the folder to write to; ``listing`` in the book's folder if None.
        spec_folder: that relative paths of the book's spec start from; ``folder`` if None.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError: the book has no interior to be held against.
        SpecError, LayoutError: as ``typeset_again``.
        OutputError: a file can't be written.
    """
    volume = load_volume(folder / VOLUME_FILE)
    if not (folder / INTERIOR_FILE).is_file():
        raise UsageError(
            f"{folder / INTERIOR_FILE} is missing: build the book, or typeset it, before it is listed."
        )
    book, profile, looks = lay_out(volume, spec_folder or folder, build_code(volume_json(volume)))
    writer = _Writer(volume, book, profile, looks, folder)
    place = out or folder / "listing"
    pictures = dict(writer.pictures())
    text, wanting = writer.text(pictures)
    files: dict[Path, bytes | str] = {
        place / LISTING_FILE: text,
        **{place / name: picture for name, picture in pictures.items()},
    }
    write_files(files)
    return Listing(text, wanting, tuple(files))


@dataclass(frozen=True)
class _Writer:
    volume: Volume
    book: Book
    profile: PrinterProfile
    looks: LoadedLooks
    folder: Path

    def text(self, pictures: Mapping[str, bytes]) -> tuple[str, tuple[str, ...]]:
        """Write the form; return it with what is wanting."""
        spec, rules = self.volume.spec, self.profile.listing or ListingRules()
        keys = spec.listing or ListingSpec()
        description, keywords = self._description(keys), self._keywords(keys)
        wanting = [*self._too_long(rules, description, keywords, keys), *self._differences()]
        wanting += [
            f"{name} is larger than {rules.picture_mb} MB"
            for name, content in pictures.items()
            if len(content) > rules.picture_mb * 10**6
        ]
        trim, paper = spec.page.trim.size, self.profile.paper(spec.page.paper)
        ink = "colour" if paper.ink is PaperInk.COLOUR else "black"
        full = f"{len(spec.title)} + {len(spec.subtitle or '')} of {rules.title} characters"
        fields = {
            "Language": Locale.parse(spec.wording().language, sep="-").english_name,
            f"Title ({full} with the subtitle)": spec.title,
            "Subtitle": spec.subtitle,
            "Series": spec.series.name if spec.series else None,
            "Number in series": spec.volume,
            "Edition": spec.edition,
            "Author": spec.author,
            f"Description ({len(description)} of {rules.description} characters)": f"\n{description}\n",
            f"Keywords ({len(keywords)} of {rules.keywords})": "; ".join(keywords),
            f"Categories ({len(keys.categories)} of {rules.categories})": "; ".join(keys.categories),
            "ISBN": spec.isbn,
            "Publisher": spec.publisher,
            "Ink and paper": f"{ink} ink, {paper.name} paper",
            "Trim size": str(trim),
            "Bleed": "bleed" if spec.page.bleed else "no bleed",
            "Pages": self.book.page_count,
            "List prices": ", ".join(
                f"{float(price):.2f} {name}" for name, price in (spec.price or {}).items()
            ),
        }
        lines = [f"{name}: {value}" if value else f"{name}: –" for name, value in fields.items()]
        lines += ["", *shop_lines(spec, self.profile, self.book.page_count), "", "What goes up where"]
        lines += [f"- {line}" for line in self._uploads(rules, sorted(pictures))]
        lines += (
            ["", "Wanting"] + [f"- {fault}" for fault in wanting] if wanting else ["", "Nothing is wanting."]
        )
        limits = (
            f"Limits: {rules.published}, {rules.date}{', unconfirmed' * rules.unconfirmed}"
            if rules.date
            else ""
        )
        return "\n".join([*lines, *filter(None, ["", limits])]) + "\n", tuple(wanting)

    def _description(self, keys: ListingSpec) -> str:
        if keys.description:
            return keys.description
        spec, volume = self.volume.spec, self.volume
        words = words_for(spec, self.looks.theme, (record.puzzle for record in volume.puzzles))
        back = (spec.cover.back if spec.cover else None) or BackSpec()
        rules = words.rules_of(record.puzzle for record in volume.puzzles)
        blurb = _plain(spec.cover.blurb) if spec.cover and spec.cover.blurb else rules
        levels = []
        for level in spec.levels:
            puzzles = [puzzle for puzzle in volume.numbered if puzzle.record.level == level.name]
            levels.append(f"• {level.heading}: {words.count_of(len(puzzles))}, {board_sizes(words, puzzles)}")
        parts = [blurb, "\n".join([words.count_of(len(volume.puzzles)), *levels])]
        if back.promise is not False:
            promised = words.promise((record.rule for record in volume.puzzles), False)
            parts.append(back.promise if isinstance(back.promise, str) else promised)
        return "\n\n".join(parts)

    def _keywords(self, keys: ListingSpec) -> tuple[str, ...]:
        words = self.volume.spec.wording()
        own = keys.keywords or [keyword.strip() for keyword in (words.keywords or "").split(";")]
        large = (
            (words.keyword_large_print,) if self.volume.spec.page.large_print and not keys.keywords else ()
        )
        return tuple(filter(None, (*large, *own)))

    def _too_long(
        self, rules: ListingRules, description: str, keywords: Sequence[str], keys: ListingSpec
    ) -> Iterator[str]:
        spec = self.volume.spec
        length = len(spec.title) + len(spec.subtitle or "")
        if length > rules.title:
            yield f"title and subtitle have {length} characters, at most {rules.title} are taken"
        if len(description) > rules.description:
            yield (
                f"the description has {len(description)} characters, at most {rules.description} are taken: "
                "give listing.description"
            )
        for keyword in keywords:
            if len(keyword) > rules.keyword:
                yield f"the keyword {keyword!r} is {len(keyword)} long, at most {rules.keyword} are taken"
        if len(keywords) > rules.keywords:
            yield f"{len(keywords)} keywords, at most {rules.keywords} are taken"
        if not keywords:
            yield "no keywords: give listing.keywords"
        if len(keys.categories) > rules.categories:
            yield f"{len(keys.categories)} categories, at most {rules.categories} are taken"
        elif not keys.categories:
            yield f"no categories: choose up to {rules.categories} at the shop, or give listing.categories"
        if not spec.author:
            yield "no author: the form asks for one, and the cover must name the same"

    def _differences(self) -> Iterator[str]:
        spec = self.volume.spec
        with contextlib.closing(pdfium.PdfDocument(self.folder / INTERIOR_FILE)) as pdf:
            if len(pdf) != self.book.page_count:
                yield f"{INTERIOR_FILE} has {len(pdf)} pages, the book {self.book.page_count}: typeset it"
            inner = pdf.get_metadata_dict().get("Title")
            if inner != spec.title:
                yield f"{INTERIOR_FILE} is titled {inner!r}, not {str(spec.title)!r}"
            yield from self._missing(pdf, INTERIOR_FILE, range(min(2, len(pdf))))
        if not (self.folder / COVER_FILE).is_file():
            yield f"{COVER_FILE} is missing: give the book a cover, or bring one of the size above"
        elif spec.cover is None or spec.cover.front is None:
            with contextlib.closing(pdfium.PdfDocument(self.folder / COVER_FILE)) as pdf:
                yield from self._missing(pdf, COVER_FILE, range(1))

    def _missing(self, pdf: pdfium.PdfDocument, name: str, pages: Sequence[int]) -> Iterator[str]:
        spec = self.volume.spec
        text = "".join(pdf[page].get_textpage().get_text_bounded() for page in pages)
        shown = _squeezed(text)
        named = {"title": spec.title, "subtitle": spec.subtitle, "author": spec.author}
        if spec.series and name == COVER_FILE:
            named["series.name"] = spec.series.name
        for key, words in named.items():
            if words and _squeezed(words) not in shown:
                yield f"{name} does not show the {key} {words!r} as the form has it"

    def _uploads(self, rules: ListingRules, pictures: Sequence[str]) -> Iterator[str]:
        yield f"{INTERIOR_FILE}: the manuscript"
        for name, what in {
            COVER_FILE: "the cover, as a print-ready PDF",
            EBOOK_FILE: "the e-book, as an edition of its own",
            SCREEN_FILE: "no shop's print form; for readers with tablets",
        }.items():
            if (self.folder / name).is_file():
                yield f"{name}: {what}"
        names = ", ".join(pictures)
        yield f"{names}: the book's own page (A+), RGB, at most {rules.picture_mb} MB each"

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """Draw pictures for the book's own page in the shop's sizes: an open book, boards, a board."""
        puzzles = [page for page in self.book.pages if page.kind == "puzzles"]
        left, right = puzzles[0], puzzles[min(1, len(puzzles) - 1)]
        high = _PICTURES[0][1] - 60
        width = round(high * self.book.trim.width_pt / self.book.trim.height_pt)
        yield "page-970x600.png", self._set((facing_pages(left, right, (width, high), self.looks.faces),), 0)
        records = self.volume.puzzles
        shown = [records[0], records[len(records) // 2], records[-1]]
        boards = [self._board(record.puzzle, None) for record in shown[:2]]
        boards.append(self._board(shown[2].puzzle, shown[2].solution))
        yield "page-970x300.png", self._set(boards, 1)
        yield "page-300x300.png", self._set(boards[:1], 2)

    def _board(self, puzzle: Puzzle, answer: Solution | None) -> Image.Image:
        measure = measure_of(self.volume.spec, self.looks.faces)
        frame = board_frame(puzzle, answer, _CELL_PT, self.looks.theme, measure)
        scale = 240 / max(frame.width_pt, frame.height_pt)
        size = round(frame.width_pt * scale), round(frame.height_pt * scale)
        return rasterise(frame, size, PixelMode.RGB, faces=self.looks.faces)

    def _set(self, images: Sequence[Image.Image], module: int) -> bytes:
        width, height = _PICTURES[module]
        sheet = Image.new("RGB", (width, height), _GROUND)
        gap = (width - sum(image.width for image in images)) // (len(images) + 1)
        x = gap
        for image in images:
            sheet.paste(image, (x, (height - image.height) // 2))
            x += image.width + gap
        return png_bytes(sheet, _DPI)


def _plain(markdown: str) -> str:
    inline = [token.children or [] for token in parsed_markdown(markdown) if token.type == "inline"]
    lines = [
        "".join(child.content or "\n" * (child.type == "softbreak") for child in each) for each in inline
    ]
    return "\n\n".join(lines)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad\u200b]+", "", text).casefold()
