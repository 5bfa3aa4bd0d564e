"""From a saved volume and its spec to the edition that layout works on."""

from __future__ import annotations

from linkpress.book.imprint import PerPageChoice, Trim
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.layout.edition import Edition, Imprint, LevelPages
from linkpress.layout.lengths import POINTS, Size

BUILD_DIGITS = 12  # of the spec's SHA-256, on the copyright page


def edition_of(volume: Volume, spec: BookSpec | None = None) -> Edition:
    """The edition of a volume.

    Args:
        volume: puzzles in printed order.
        spec: None for the volume's own; another one to typeset the same puzzles differently, with
            the same level names.
    """
    spec = spec or volume.spec
    page = spec.page
    return Edition(
        imprint=_imprint(volume, spec),
        levels=tuple(LevelPages(level.name, _count(level.per_page)) for level in spec.levels),
        puzzles=volume.puzzles,
        trim=trim_size(page.trim),
        paper=page.paper,
        bleed=page.bleed,
        language=spec.language.value,
        solutions_per_page=_count(spec.solutions.per_page),
        single_sided=page.single_sided,
        large_print=page.large_print,
        min_cell_mm=page.min_cell_mm,
        notes_pages=spec.notes_pages,
    )


def trim_size(trim: Trim) -> Size:
    """A spec's trim in points."""
    return Size(round(trim.width_mm * POINTS["mm"], 3), round(trim.height_mm * POINTS["mm"], 3))


def _imprint(volume: Volume, spec: BookSpec) -> Imprint:
    return Imprint(
        title=spec.title,
        subtitle=spec.subtitle,
        author=spec.author,
        publisher=spec.publisher,
        copyright=spec.copyright,
        year=spec.year,
        edition=spec.edition,
        isbn=spec.isbn,
        volume=spec.volume,
        date=spec.date,
        seed=str(volume.seed),
        version=volume.linkpress_version,
        build=volume.spec_sha256[:BUILD_DIGITS],
    )


def _count(choice: PerPageChoice) -> int | None:
    return None if choice == "auto" else int(choice)
