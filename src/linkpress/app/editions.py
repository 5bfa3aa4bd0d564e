"""The editions of a book are told apart here: their folders and ISBNs, and what each still lacks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linkpress.book.key_values import isbn_13
from linkpress.book.spec import BookSpec, slug, untranslated_keys
from linkpress.book.volume import VOLUME_FILE
from linkpress.documents.json_text import parse_json
from linkpress.documents.models import SpecModel
from linkpress.documents.values import MM_PT, YES
from linkpress.errors import LayoutError, SpecError, UsageError
from linkpress.press.book_looks import load_profile
from linkpress.printers.profile import BookFormat, PrinterProfile

_HEAD_BYTES = 4 << 20  # of a volume.json: the book's keys, which stand before its puzzles


def book_folder(out: Path, spec: BookSpec, spec_folder: Path) -> Path:
    """Return where a book is built: under its id, unless the book there is for another printer."""
    plain = out / spec.book_id
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        if volume_head(plain / VOLUME_FILE)["book"]["page"]["printer"] != spec.page.printer:
            return out / edition_name(spec.book_id, spec, spec_folder)
    return plain


def edition_name(book_id: str, spec: BookSpec, spec_folder: Path) -> str:
    """Name the folder of one printer's edition: ``my-book-lulu-6x9in``."""
    trim = spec.page.trim.text.lower().replace(" ", "")
    return f"{book_id}-{slug(load_profile(spec, spec_folder).name)}-{trim}"


def edition_folder(folder: Path, name: str) -> Path:
    """Return where an edition of the book in a folder is built."""
    return folder.with_name(f"{folder.name}-{name}")


class EditionMark(NamedTuple):
    """A mark tells two editions of a book from one another; each needs an ISBN of its own."""

    book_id: str
    language: str
    trim: str
    large_print: bool
    format: BookFormat | None

    def shares(self, other: EditionMark, key: str) -> bool:
        """Tell whether two books are one edition by an ISBN's key; for screens the page does not matter."""
        if key != "isbn":
            return (self.book_id, self.language) == (other.book_id, other.language)
        return None in (self.format, other.format) or self == other

    def __str__(self) -> str:
        kinds = [self.language, self.trim, *([self.format.value] if self.format else [])]
        return f"{self.book_id} ({', '.join([*kinds, *['large print'] * self.large_print])})"


def mark_of(spec: BookSpec, folder: Path, book_id: str | None = None) -> EditionMark:
    """Return what tells an edition of a book from the others."""
    form = None
    with contextlib.suppress(UsageError, SpecError):
        form = load_profile(spec, folder).format
    language, trim = spec.wording().language, spec.page.trim
    sides = " × ".join(f"{mm * MM_PT / 72:g}" for mm in (trim.width_mm, trim.height_mm)) + " in"
    return EditionMark(book_id or spec.book_id, language, sides, spec.page.large_print, form)


def refuse_others_isbns(spec: BookSpec, mark: EditionMark, folder: Path, others: Iterable[Path]) -> None:
    """Refuse an ISBN that a built book has, unless that book is the same edition.

    Args:
        folder: that relative paths of the spec start from.
        others: folders of built books, or folders that hold such.
    Raises:
        UsageError: names the book, and says that each edition needs its own.
    """
    own = {isbn_13(isbn): key for key, isbn in spec.isbns.items()}
    found: dict[str, str] = {}
    for built in others if own else ():
        try:
            book = volume_head(built / VOLUME_FILE)["book"]
            other_spec = BookSpec.model_validate(
                {**book, "theme": "classic", "fonts": None, "editions": None}
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue  # no book, or of a newer release
        other = mark_of(other_spec, built if other_spec.page.printer == spec.page.printer else folder)
        for key, isbn in other_spec.isbns.items():
            own_key = own.get(isbn_13(isbn))
            if own_key and (own_key != key or not mark.shares(other, key)):
                found[own_key] = f"{spec.isbns[own_key]} is the {key} of {other} in {built}"
    if found:
        keys = " and ".join(found)
        raise UsageError(
            f"{'; '.join(found.values())}. This is {mark}, and an ISBN belongs to one edition: this needs "
            f"its own. Give it as {keys}, or leave {keys} empty.",
            next(iter(found)),
        )


def volume_head(path: Path) -> Mapping[str, Any]:
    """Read what a saved volume says before its puzzles: the book's keys, the spec's hash. It is not checked.

    A small file whose lines were set otherwise is read whole. There is an ``OSError`` or ``ValueError``
    where that fails.
    """
    with path.open("rb") as file:
        head, found_puzzles, _ = file.read(_HEAD_BYTES).partition(b'\n "puzzles":')
    found = parse_json(head.rstrip().rstrip(b",") + b"}" if found_puzzles else head)
    if not isinstance(found, dict):
        raise ValueError("no volume.json")
    return found


def built_beside(*folders: Path) -> Iterator[Path]:
    """Yield some folders of built books and those that lie beside them, each once."""
    seen = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            for path in (folder, *sorted(folder.resolve().parent.iterdir())):
                if path.resolve() not in seen and (path / VOLUME_FILE).is_file():
                    seen.add(path.resolve())
                    yield path


def words_notes(old: BookSpec, new: BookSpec, changes: Mapping[str, Any]) -> tuple[str, ...]:
    """Say which of the author's words an edition in another language still has as they were."""
    left = untranslated_keys(old, new, changes)
    if not left:
        return ()
    return (
        f"language is {new.wording().language}, and these words are still those of {old.wording().language}: "
        f"{', '.join(left)}. Give each in the edition's language, or once more as it is",
    )


def edition_notes(spec: BookSpec, name: str, edition: BookSpec) -> tuple[str, ...]:
    """Say what an edition still lacks, and which of its keys change nothing."""
    changes = (spec.editions or {})[name]
    notes = words_notes(spec, edition, changes)
    for key in (key for key, value in changes.items() if str(value).lower() in YES):
        own = getattr(edition, key)
        kept = own.model_dump(mode="json", exclude_defaults=True) if isinstance(own, SpecModel) else None
        if isinstance(kept, dict) and kept:
            stay = ", ".join(f"{key}.{inner}: {value}" for inner, value in kept.items())
            notes = (*notes, f"{key}: yes leaves {stay} as the book has it. Give what is other here")
    if spec.isbn and not edition.isbn:
        empty = ", so the barcode's field stays empty" if edition.cover else ""
        notes = (*notes, f"it has no isbn: the book's own belongs to another edition{empty}")
    return tuple(f"edition {name}: {note}" for note in notes)


def shop_lines(spec: BookSpec, profile: PrinterProfile, pages: int) -> Iterator[str]:
    """Tell what a printed book costs and leaves, each line with its subject in front, as a report has it."""
    from linkpress.press.cover.cover_geometry import cover_geometry_of, cover_sizes  # loads what draws

    trim, paper = spec.page.trim.size, spec.page.paper or profile.default_paper
    for doubt in profile.page_doubts(trim, paper):
        yield f"{'page limit':<15}{doubt}"
    with contextlib.suppress(LayoutError, UsageError):  # its printer sizes it, or nobody knows its spine
        yield f"{'cover':<15}{cover_sizes(cover_geometry_of(spec, profile, pages))}"
    if profile.costs is not None:
        for line in profile.costs.lines(trim, pages, paper, spec.price or {}):
            yield f"{'cost':<15}{line}"
