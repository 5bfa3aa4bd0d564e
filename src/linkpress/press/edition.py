"""What a volume and its spec ask of the layout."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from linkpress.book.printing_keys import MatterSpec
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, volume_json
from linkpress.engine.recipe import Grade
from linkpress.layout.edition import Edition, Imprint, LevelPages, Matter, Qr
from linkpress.layout.lengths import POINTS, Size

BUILD_DIGITS = 12


def edition_of(volume: Volume, build: str | None = None) -> Edition:
    """The book to lay out: printed words, page and puzzles.

    Args:
        volume: finished; its spec says how it is printed.
        build: what stands on the copyright page as the build; the code of the volume's content if None.
    """
    spec = volume.spec
    page = spec.page
    return Edition(
        imprint=_imprint(volume, build or build_code(volume)),
        levels=[
            LevelPages(level.name, _count(level.per_page), _grades(level.grade)) for level in spec.levels
        ],
        puzzles=volume.numbered,
        trim=trim_size(spec),
        paper=page.paper,
        bleed=page.bleed,
        language=spec.language.value,
        solutions_per_page=_count(spec.solutions.per_page),
        single_sided=page.single_sided,
        large_print=page.large_print,
        min_cell_mm=page.min_cell_mm,
        notes_pages=spec.notes_pages,
        front=_matter(spec.front, "front"),
        back=_matter(spec.back, "back"),
        qr=Qr(spec.qr.per, spec.qr.text) if spec.qr else None,
    )


def trim_size(spec: BookSpec) -> Size:
    """The cut page, in points."""
    trim = spec.page.trim
    return Size(trim.width_mm * POINTS["mm"], trim.height_mm * POINTS["mm"])


def build_code(volume: Volume) -> str:
    """A short code of the volume's content, printed on the copyright page."""
    return hashlib.sha256(volume_json(volume).encode()).hexdigest()[:BUILD_DIGITS]


def _imprint(volume: Volume, build: str) -> Imprint:
    spec = volume.spec
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
        build=build,
    )


def _matter(pages: Sequence[MatterSpec], key: str) -> list[Matter]:
    return [Matter(page.text, page.title or "", f"{key}[{at}]") for at, page in enumerate(pages)]


def _grades(span: tuple[Grade, Grade] | None) -> tuple[Grade | None, ...]:
    """Those of a level; all, and none, where it asks for none."""
    if span is None:
        return (*Grade, None)
    return tuple(grade for grade in Grade if span[0] <= grade <= span[1])


def _count(choice: int | str) -> int | None:
    return None if isinstance(choice, str) else choice
