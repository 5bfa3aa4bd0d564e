"""Functions for the editions of a book: their folders, their ISBNs, and notes on missing translations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linkpress.book.key_values import isbn_13
from linkpress.book.spec import BookSpec, slug, untranslated_keys
from linkpress.book.volume import VOLUME_FILE
from linkpress.documents.models import SpecModel
from linkpress.documents.problem import key_path, listed
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.documents.values import MM_PT, YES
from linkpress.errors import LayoutError, OutputError, SpecError, UsageError
from linkpress.files import parse_json, refuse_pipe
from linkpress.press.assets import load_profile
from linkpress.printers import BookFormat, PrinterProfile
from linkpress.production.ledger_session import LedgerChoice, has_published
from linkpress.words import load_words

# Number of bytes to read from the beginning of a volume.json. The book's keys are within these bytes.
_HEAD_BYTES = 4 << 20
# For each key of a spec that has texts, the name that messages use for these texts. An entry also applies to
# the keys inside its key.
_TEXT_NAMES = {
    "title": "title", "subtitle": "subtitle", "edition": "edition line", "series": "name of the series",
    "cover.blurb": "blurb", "cover.badge": "cover badge", "cover.back": "back of the cover",
    "front": "pages before the puzzles", "back": "pages behind the puzzles",
    "parts.about_author": "words about the author", "parts.more_books": "list of other books",
    "words": "phrases of its own",
}  # fmt: skip


def book_folder(out: Path, spec: BookSpec) -> Path:
    """Return the folder of a book inside ``out``.

    The folder is named after the book's id. If a folder with this name already holds the book for another
    printer, the names of the printer and the trim are added.
    """
    plain = out / spec.book_id
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        if volume_head(plain / VOLUME_FILE)["book"]["page"]["printer"] != spec.page.printer:
            return out / edition_name(spec.book_id, spec)
    return plain


def refuse_other_puzzles(spec: BookSpec, out: Path, ledger: LedgerChoice) -> None:
    """Raise ``OutputError`` if the book was built before with another seed or other levels.

    Such a build would replace the puzzles of the earlier book.

    Args:
        spec: the spec of the book.
        out: the folder that contains the book's folder. If the book isn't there, the ledger shows whether the
            book was built into another folder.
        ledger: the ledger of the build.
    """
    folder = book_folder(out, spec)
    place = ""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        built, new = volume_head(folder / VOLUME_FILE)["book"], spec.document()
        if all(built[key] == new[key] for key in ("seed", "levels")):
            return
        place = str(folder)
    if place or has_published(spec, ledger):
        raise OutputError(
            f"{place or 'the ledger'} has this book with other puzzles. To try changes out, build into "
            "another folder with -o trial --draft; to replace the book, give --force."
        )


def edition_name(book_id: str, spec: BookSpec) -> str:
    """Return a folder name with the book's id, printer and trim, such as ``my-book-lulu-6x9in``."""
    trim = spec.page.trim.text.lower().replace(" ", "")
    return f"{book_id}-{slug(load_profile(spec).name)}-{trim}"


def edition_folder(folder: Path, name: str) -> Path:
    """Return the folder of a named edition of a book.

    The folder is beside the book's folder. For example, the edition ``es`` of the book in ``my-book`` is in
    ``my-book-es``.
    """
    return folder.with_name(f"{folder.name}-{name}")


class EditionMark(NamedTuple):
    """Properties of an edition. Two books that differ in any of them need different ISBNs.

    Args:
        book_id: the id of the book.
        language: the language of the edition's words.
        trim: the size of the edition's pages as text, such as ``6 × 9 in``.
        large_print: whether the edition is in large print.
        format: the binding, such as paperback or hardcover; None if the printer's profile doesn't say.
    """

    book_id: str
    language: str
    trim: str
    large_print: bool
    format: BookFormat | None

    def shares_isbn(self, other: EditionMark, key: str) -> bool:
        """Return whether two editions may have the same ISBN.

        Args:
            other: the other edition.
            key: the spec's key that holds the ISBN, such as ``isbn`` or ``epub.isbn``.
        """
        if key != "isbn":
            # Only the spec's key ``isbn`` holds the ISBN of a printed book. Other keys, such as
            # ``epub.isbn``, hold the ISBN of an e-book, or of a PDF for tablets. Two editions may share such
            # an ISBN even if their page sizes or bindings differ.
            return (self.book_id, self.language) == (other.book_id, other.language)
        return None in (self.format, other.format) or self == other

    def __str__(self) -> str:
        kinds = [self.language, self.trim, *([self.format.value] if self.format else [])]
        return f"{self.book_id} ({', '.join([*kinds, *['large print'] * self.large_print])})"


def mark_of(spec: BookSpec, book_id: str | None = None) -> EditionMark:
    """Return the properties that distinguish an edition from others.

    Args:
        spec: the spec of the edition.
        book_id: the id of the book; None to use the id in the spec.
    """
    book_format = None
    with contextlib.suppress(UsageError, SpecError):
        book_format = load_profile(spec).format
    language, trim = spec.wording().language, spec.page.trim
    sides = " × ".join(f"{mm * MM_PT / 72:g}" for mm in (trim.width_mm, trim.height_mm)) + " in"
    return EditionMark(book_id or spec.book_id, language, sides, spec.page.large_print, book_format)


def refuse_others_isbns(spec: BookSpec, mark: EditionMark, others: Iterable[Path]) -> None:
    """Check that no other built edition has one of a book's ISBNs.

    Args:
        spec: the spec of the book.
        mark: the properties of the book's own edition, such as its language and page size. Another printing
            of the same edition may have the same ISBN.
        others: the folders of other built books. Folders without a book are skipped.
    Raises:
        UsageError: another edition has one of the ISBNs. The message names that edition.
    """
    key_of = {isbn_13(isbn): key for key, isbn in spec.isbns.items()}
    conflicts: dict[str, str] = {}
    for built in others if key_of else ():
        try:
            book = volume_head(built / VOLUME_FILE)["book"]
            other_spec = BookSpec.model_validate(
                {**book, "theme": "classic", "fonts": None, "editions": None}
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue  # The folder has no book, or its book was built by a newer linkpress.
        has_same_printer = other_spec.page.printer == spec.page.printer
        other = mark_of(other_spec.in_folder(built if has_same_printer else spec.folder))
        for other_key, isbn in other_spec.isbns.items():
            key = key_of.get(isbn_13(isbn))
            if key and (key != other_key or not mark.shares_isbn(other, key)):
                conflicts[key] = f"{spec.isbns[key]} is the {other_key} of {other} in {built}"
    if conflicts:
        keys = " and ".join(conflicts)
        raise UsageError(
            f"{'; '.join(conflicts.values())}. This is {mark}, and an ISBN belongs to one edition: this "
            f"needs its own. Give it as {keys}, or leave {keys} empty.",
            next(iter(conflicts)),
        )


def volume_head(path: Path) -> Mapping[str, Any]:
    """Read the beginning of a ``volume.json``: the book's keys and the spec's hash, without the puzzles.

    The values are not checked.

    Raises:
        OSError, ValueError: the file can't be read, or isn't a ``volume.json``.
    """
    refuse_pipe(path)
    with path.open("rb") as file:
        head, has_puzzles, _ = file.read(_HEAD_BYTES).partition(b'\n "puzzles":')
    content = parse_json(head.rstrip().rstrip(b",") + b"}" if has_puzzles else head)
    if not isinstance(content, dict):
        raise ValueError("no volume.json")
    return content


def built_beside(*folders: Path) -> Iterator[Path]:
    """Yield the folders that contain a built book, among the given folders and the folders beside them."""
    seen = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            for path in (folder, *sorted(folder.resolve().parent.iterdir())):
                if path.resolve() not in seen and (path / VOLUME_FILE).is_file():
                    seen.add(path.resolve())
                    yield path


def words_notes(
    old: BookSpec, new: BookSpec, changes: Mapping[str, Any], name: str = "", *, has_keys: bool = True
) -> tuple[str, ...]:
    """Return a note that lists the texts that an edition in another language leaves untranslated.

    Args:
        old: the spec of the book.
        new: the spec of the edition.
        changes: the keys that the edition changes, with their new values.
        name: the edition's name under the key ``editions``; empty if it has none.
        has_keys: whether the note also names the keys of the spec in which to write the translations.
    Returns:
        A tuple with one note, or an empty tuple if all texts are translated.
    """
    texts = untranslated_texts(old, new, changes)
    if not texts:
        return ()
    before, after = (spec.wording().english_name for spec in (old, new))
    note = (
        f"{_edition(name) if name else f'The book in {after}'} still has {before} words: {listed([*texts])}."
    )
    if not has_keys:
        return (note,)
    left = untranslated_keys(old, new, changes)
    keys = ", ".join(f"{key}: …" for key in dict.fromkeys(str(key_path(key)[0]) for key in left))
    where = f"editions: {{{name}: {{{keys}}}}}" if name else keys
    return (f"{note} Write `{where}` in {after}, or with the same words to keep them",)


def untranslated_texts(old: BookSpec, new: BookSpec, changes: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the texts that an edition in another language leaves untranslated.

    See ``words_notes`` for the arguments.

    Returns:
        Maps each name, such as "back of the cover", to a key of the spec. If several keys have texts with
        this name, it is the first of them. The titles of all levels have one name, which lists the levels.
    """
    left = untranslated_keys(old, new, changes)
    texts = {
        text: first
        for start, text in _TEXT_NAMES.items()
        if (first := next((key for key in left if _begins(key, start)), None))
    }
    of_levels = [key for key in left if key.startswith("levels")]
    if of_levels:
        names = [new.headings[new.levels[int(key_path(key)[1])].name] for key in of_levels]
        texts[f"titles of the level{'s' * (len(names) > 1)} {listed(names)}"] = of_levels[0]
    return texts


def _begins(key: str, start: str) -> bool:
    return key == start or key.startswith((f"{start}.", f"{start}["))


def _edition(name: str) -> str:
    is_language = name in LANGUAGES.names()
    return f"The {load_words(name).english_name} edition" if is_language else f"The edition {name}"


def edition_notes(spec: BookSpec, name: str, edition: BookSpec, *, has_keys: bool = True) -> tuple[str, ...]:
    """Return notes about an edition's missing ISBN, untranslated texts, and keys without effect.

    Args:
        spec: the spec of the book.
        name: the edition's name under the key ``editions`` of this spec.
        edition: the spec of the edition.
        has_keys: whether the notes say which keys to add to the spec.
    """
    changes = (spec.editions or {})[name]
    notes = words_notes(spec, edition, changes, name, has_keys=has_keys)
    for key in (key for key, value in changes.items() if has_keys and str(value).lower() in YES):
        value = getattr(edition, key)
        keys = value.model_dump(mode="json", exclude_defaults=True) if isinstance(value, SpecModel) else None
        if isinstance(keys, dict) and keys:
            unchanged = ", ".join(f"{key}.{inner}: {value}" for inner, value in keys.items())
            unchanged = f"{key}: yes leaves {unchanged} as the book has it. Give what is other here"
            notes = (*notes, f"edition {name}: {unchanged}")
    if spec.isbn and not edition.isbn:
        empty = ", so the barcode's field stays empty" if edition.cover else ""
        notes = (*notes, f"{_edition(name)} has no ISBN: the book's own belongs to another edition{empty}")
    return notes


def shop_lines(spec: BookSpec, profile: PrinterProfile, pages: int) -> Iterator[str]:
    """Yield the lines of a book's report about the size of its cover, its printing cost and its royalty.

    Args:
        spec: the spec of the book.
        profile: the profile of the printer.
        pages: the number of pages of the interior.
    """
    # Import this module only here, because it loads all drawing code.
    from linkpress.press.cover_content import cover_geometry_of, cover_sizes

    trim, paper = spec.page.trim.size, spec.page.paper or profile.default_paper
    try:
        yield f"{'cover':<15}{cover_sizes(cover_geometry_of(spec, profile, pages))}"
    except (LayoutError, UsageError) as error:
        # The size of the cover can't be calculated, because the printer only provides templates or doesn't
        # publish how thick its paper is. Print this reason, unless the book is
        # for screens and needs no cover.
        if profile.format is not BookFormat.SCREEN:
            yield f"{'cover':<15}{error.message}"
    if profile.costs is None and profile.references:
        yield (
            f"{'cost':<15}linkpress doesn't know the print costs of {profile.title}. Take them from its "
            "calculator and put them into `costs:` of a profile of your own"
        )
    if profile.costs is not None:
        for line in profile.costs.lines(trim, pages, paper, spec.price or {}):
            yield f"{'cost':<15}{line}"
        yield from (f"{'warning':<15}{line}" for line in low_price_lines(spec, profile, pages))


def low_price_lines(spec: BookSpec, profile: PrinterProfile, pages: int) -> Iterator[str]:
    """Yield a line for each shop in which the book's list price is lower than the shop allows.

    Args:
        spec: the spec of the book.
        profile: the profile of the printer.
        pages: the number of pages of the interior.
    """
    trim, paper = spec.page.trim.size, spec.page.paper or profile.default_paper
    if profile.costs is not None:
        yield from profile.costs.low_prices(trim, pages, paper, spec.price or {})
