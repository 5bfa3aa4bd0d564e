"""The book spec is what one YAML file says about one book."""

import hashlib
import json
import re
import shlex
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, PrivateAttr

from linkpress.book.design_keys import CoverSpec, SeriesSpec, ThemeChoice
from linkpress.book.key_values import (
    MAX_PUZZLES,
    BookId,
    BookTitle,
    EditionChanges,
    Isbn,
    Prices,
    Replacements,
    Seed,
    isbn_13,
)
from linkpress.book.level import PRINTED_LEVEL_KEYS, Boards, FileBoard, LevelSpec, load_boards, load_masks
from linkpress.book.printing_keys import (
    MAX_MATTER,
    CaptionsSpec,
    EbookSpec,
    FontsSpec,
    ListingSpec,
    MatterSpec,
    NumbersSpec,
    PageSpec,
    PartsSpec,
    PlaySpec,
    QrPer,
    QrSpec,
    ScreenSpec,
    SolutionsSpec,
    Standard,
    or_yes_no,
)
from linkpress.documents.models import (
    Document,
    NestedSpecKeys,
    Readable,
    Spec,
    Synonyms,
    fields_of,
    merge,
    read_document,
    read_with_base,
)
from linkpress.documents.problem import (
    KeyPath,
    Location,
    Problem,
    YamlSource,
    key_path,
    key_text,
    printable,
    raise_problems,
)
from linkpress.documents.shipped_files import THEMES
from linkpress.documents.values import Date, DefaultText, line_of_text, one_of, visible_text, whole_number
from linkpress.documents.yaml_source import parse_yaml, read_yaml
from linkpress.engine.recipe import Rule, counted
from linkpress.errors import SpecError, UsageError
from linkpress.files import is_device
from linkpress.words.language import (
    ENGLISH,
    LanguageChoice,
    Words,
    WordsChanges,
    resolve_language,
    words_of,
    words_problems,
)

MAX_LEVELS = 40


class BookSpec(Spec):
    """A book spec holds all that is asked for of one book."""

    title: BookTitle
    """The book's title. Cover, title page and spine break it where a `|` or a line feed stands; else where
    sense and balance want it."""
    subtitle: Annotated[str | None, line_of_text(200)] = None
    """A line under the title."""
    author: Annotated[str | None, line_of_text(120), Synonyms("by", "writer", "authors")] = None
    """Whose name stands on the book."""
    volume: Annotated[int | None, whole_number(1, 9999)] = None
    """The volume's number in a series."""
    series: Annotated[SeriesSpec | None, DefaultText("none")] = None
    """The series that the volume belongs to."""
    seed: Seed
    """Where the puzzles' randomness comes from: the same spec gives the same book."""
    page: PageSpec = PageSpec.model_construct()
    """The printer and the page."""
    levels: Annotated[
        tuple[LevelSpec, ...], Field(min_length=1, max_length=MAX_LEVELS), Synonyms("sections", "chapters")
    ]
    """The sections, in the order of the book."""
    replace: Replacements | None = None
    """Puzzles to be made again: the printed number and which replacement; raise it until the puzzle pleases.
    All others stay as they are."""
    solutions: Annotated[SolutionsSpec, Synonyms("answers")] = SolutionsSpec.model_construct()
    """The solutions section."""
    parts: PartsSpec = PartsSpec.model_construct()
    """Which parts the book has beside its puzzles."""
    captions: CaptionsSpec = CaptionsSpec.model_construct()
    """What stands at a board."""
    theme: Annotated[ThemeChoice, THEMES, Synonyms("style", "look", "design")] = "classic"
    """How it looks; a theme's keys have a table of their own."""
    numbers: Annotated[NumbersSpec | None, DefaultText("the theme's")] = None
    """How the numbers are shown: plain, in rings or discs, or as colour dots."""
    fonts: Annotated[FontsSpec | None, DefaultText("IBM Plex Sans")] = None
    """Fonts of your own that may be embedded, with TrueType outlines."""
    standard: Annotated[Standard, one_of(Standard)] = Standard.PDFX1A
    """The interior's kind of PDF: `pdfx1a` for the press, or `plain`."""
    screen: Annotated[ScreenSpec | None, or_yes_no(ScreenSpec), DefaultText("no")] = None
    """Whether a linked `screen.pdf` for tablets is made too, laid out anew for its pages: yes, no, or keys of
    its own."""
    epub: Annotated[
        EbookSpec | None, or_yes_no(EbookSpec), DefaultText("no"), Synonyms("ebook", "kindle")
    ] = None
    """Whether `book.epub` is made too, an e-book (EPUB 3) with a page for each puzzle and each answer, linked
    with one another, whose boards can be read aloud: yes, no, or keys of its own."""
    cover: Annotated[CoverSpec | None, or_yes_no(CoverSpec), DefaultText("no")] = None
    """Whether `cover.pdf` is made too: yes, no, or keys of its own."""
    front: Annotated[tuple[MatterSpec, ...], Field(max_length=MAX_MATTER)] = ()
    """Your own pages before the rules."""
    back: Annotated[tuple[MatterSpec, ...], Field(max_length=MAX_MATTER)] = ()
    """Your own pages after the solutions."""
    qr: Annotated[QrSpec | None, DefaultText("none")] = None
    """QR codes beside puzzles or on section openers."""
    play: Annotated[PlaySpec | None, or_yes_no(PlaySpec), DefaultText("no")] = None
    """Whether `play.html` is made too, on which the puzzles are played in a browser: yes, no, or keys of its
    own."""
    notes_pages: Annotated[int, whole_number(0, 40)] = 0
    """Ruled pages for notes at the end."""
    publisher: Annotated[str | None, line_of_text(120)] = None
    """For the copyright page."""
    copyright: Annotated[str | None, line_of_text(300), DefaultText("from year and author")] = None
    """The copyright line."""
    year: Annotated[int | None, whole_number(1900, 2200)] = None
    """The year of the copyright line."""
    edition: Annotated[str | None, line_of_text(60)] = None
    """As `First edition`, for the copyright page."""
    listing: Annotated[ListingSpec | None, DefaultText("as below")] = None
    """For `linkpress listing`, which writes what a shop's form asks; printed nowhere."""
    price: Prices | None = None
    """The list prices that you ask, by currency, as `{USD: 9.99}`: `check` and the report tell what they
    leave. They are printed nowhere."""
    isbn: Isbn | None = None
    """For the copyright page and the cover's barcode. It belongs to this edition alone: each other language,
    page or binding, the screen's book and the e-book need their own."""
    editions: Annotated[EditionChanges | None, NestedSpecKeys(), DefaultText("none")] = None
    """Other editions of the same puzzles, built with the book: a mapping from short names, such as `es`, to
    the keys that are others there, as `typeset` takes them; each goes to a folder of its own, `ID-es`."""
    language: Annotated[LanguageChoice, Synonyms("lang", "locale")] = ENGLISH
    """The language of the printed words."""
    words: Annotated[WordsChanges | None, DefaultText("the language's")] = None
    """Single phrases in other words, as `{solution_on: "Answer p. {page}"}`."""
    date: Annotated[Date | None, DefaultText("`SOURCE_DATE_EPOCH`, else 2000-01-01")] = None
    """The date inside the files."""
    id: Annotated[BookId | None, DefaultText("from title and volume")] = None
    """The book's identity and its folder's name."""

    _boards: Boards = PrivateAttr(default_factory=dict)

    @property
    def book_id(self) -> str:
        """Return ``id``, or the slug of title and volume number."""
        return self.id or slug(self.title if self.volume is None else f"{self.title} {self.volume}")

    @property
    def isbns(self) -> dict[str, str]:
        """Return the ISBNs that are given, by their keys."""
        given = {"isbn": self.isbn}
        given["screen.isbn"] = self.screen.isbn if self.screen else None
        given["epub.isbn"] = self.epub.isbn if self.epub else None
        return {key: isbn for key, isbn in given.items() if isbn}

    @property
    def headings(self) -> dict[str, str]:
        """Return each level's name as it is printed, by its name."""
        return {level.name: level.heading for level in self.levels}

    @property
    def puzzle_count(self) -> int:
        """Return the number of puzzles in all levels."""
        return sum(level.count for level in self.levels)

    @property
    def play_url(self) -> str | None:
        """Return the address where the book is played; None if the spec has none."""
        return self.play.url if self.play else None

    @property
    def rules(self) -> set[Rule]:
        """Return the rules by which its puzzles have one solution."""
        return {level.unique for level in self.levels}

    def wording(self, *, of_dots: bool = False) -> Words:
        """Return the printed words."""
        return words_of(self.language, self.words, of_dots=of_dots, rules=self.rules)

    def boards(self, level: LevelSpec) -> tuple[FileBoard, ...]:
        """Return the boards of a level that takes them from a file; none for any other level."""
        return self._boards.get(self.levels.index(level), ())

    def document(self) -> dict[str, Any]:
        """Return every key with its value, as JSON data that ``BookSpec`` reads back to an equal spec."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find names given twice, too many puzzles, and numbers of puzzles that there are not."""
        yield from super().problems(readable)
        if readable("language", "words", "levels.unique"):
            yield from words_problems(self.language, self.words, self.rules)
        if readable("levels.name"):
            yield from _name_problems([level.name for level in self.levels])
        per_section = readable("qr", "parts") and self.qr and self.qr.per is QrPer.SECTION
        if per_section and not self.parts.openers:
            yield Problem("section", "a code per section needs parts.openers: yes", ("qr", "per"))
        if readable("qr", "play"):
            yield from _address_problems(self)
        first: dict[str, str] = {}
        for key, isbn in self.isbns.items():
            if (owner := first.setdefault(isbn_13(isbn), key)) != key:
                yield Problem(isbn, f"`{owner}` is the same; each needs its own", tuple(key.split(".")))
        if not readable("levels.count"):
            return
        if self.puzzle_count > MAX_PUZZLES:
            found = f"{self.puzzle_count} puzzles"
            yield Problem(found, f"at most {MAX_PUZZLES} in a book; make two volumes", ("levels",))
        yield from _replacement_problems(self)
        if self.cover and self.cover.volume_badge and self.volume is None:
            yield Problem("yes", "give the book a volume: number to show", ("cover", "volume_badge"))
        if self.cover and self.cover.puzzle and self.cover.puzzle > self.puzzle_count:
            allowed = f"the book has {counted(self.puzzle_count, 'puzzle')}"
            yield Problem(str(self.cover.puzzle), allowed, ("cover", "puzzle"))


def load_spec(path: Path) -> BookSpec:
    """Read and check a book spec; every recipe in it is possible as far as counting tells.

    Raises:
        SpecError: lists every fault of the file and its bases with line, column and key path.
    """
    return read_spec(path).checked()


def read_spec(path: Path, text: str | None = None) -> Document[BookSpec]:
    """Read a book spec, or a text in its place, as ``load_spec`` does, with what is wrong as data.

    Raises:
        SpecError: the file can't be read, or is not YAML.
    """
    source, mask_problems = load_masks(read_spec_source(path, text), "levels", path.parent)
    source, boards, problems = load_boards(source, path.parent)
    document = read_document(source, BookSpec, path.parent, [*mask_problems, *problems])
    if document.model is not None:
        document.model._boards = boards
    return document


def read_spec_source(path: Path, text: str | None = None) -> YamlSource:
    """Read the document of a spec, or of a part of one, with its base's keys; raise as ``read_spec`` does."""
    return resolve_language(read_with_base(path, BookSpec, text), path.parent)


def slug(text: str) -> str:
    """Turn a text into a folder's name: small letters a-z, digits and hyphens, 1 to 60 of them.

    A title without such letters becomes ``book-`` and eight digits of its SHA-256.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain.replace("'", "")))[:60].strip("-")
    if not re.search("[a-z]", words):
        return "-".join(
            part for part in ("book", words, hashlib.sha256(text.encode()).hexdigest()[:8]) if part
        )
    return f"book-{words}" if is_device(words) else words


def _name_problems(names: Sequence[str]) -> Iterator[Problem]:
    earlier: set[str] = set()
    for place, name in enumerate(names):
        look = visible_text(name).casefold()
        if look in earlier:
            yield Problem(name, "another level has this name; give each its own", ("levels", place, "name"))
        earlier.add(look)


def _address_problems(spec: BookSpec) -> Iterator[Problem]:
    if spec.qr is None or spec.qr.per is not QrPer.SECTION or spec.play_url or "{url}" not in spec.qr.text:
        return
    if "text" in spec.qr.model_fields_set:
        yield Problem("{url}", "a section has an address where `play.url` gives the book one", ("qr", "text"))
    else:
        message = (
            "this key is needed: a section has no address of its own; as https://example.com/{level}, "
            "or give `play.url`"
        )
        yield Problem("", message, ("qr", "text"))


def _replacement_problems(spec: BookSpec) -> Iterator[Problem]:
    levels = [level for level in spec.levels for _ in range(level.count)]
    for number in spec.replace or ():
        if number > len(levels):
            yield Problem("", f"the book has {counted(len(levels), 'puzzle')}", ("replace", str(number)))
        elif levels[number - 1].file is not None:
            message = f"that puzzle is from {levels[number - 1].file}; change it there"
            yield Problem("", message, ("replace", str(number)))


def unknown_keys(path: Path) -> set[str]:
    """Return the keys of a spec that no book has; none where it can't be read."""
    try:
        keys = read_yaml(path).value if path.is_file() else {}
    except (SpecError, OSError):
        return set()
    return set(keys) - set(BookSpec.model_fields)


_NO_FILE = YamlSource("the spec", {}, {}, {})
_MAKING = "the puzzles come from this key, so a saved book keeps it: change the spec, and build anew"


def with_printing_changes(
    spec: BookSpec, changes: Mapping[Any, Any], file: YamlSource | None = None
) -> BookSpec:
    """Return the spec of the same book with other values for keys that change no puzzle.

    Mappings are changed key by key and lists as a whole, but for ``levels``, whose entries change the levels
    in their order. A key without a value is taken out.

    Args:
        changes: the new values as they stand in a spec; ``{"levels": {0: …}}`` changes an entry of a list.
        file: a file with changes, which are made before these.
    Raises:
        UsageError: a key or value of ``changes`` is not allowed; lists all of them.
        SpecError: a key or value of the file is not allowed; lists all of them with their places.
    """
    document: Any = spec.document()
    changes = _by_number(changes)
    for part in [*([_by_number(file.value)] if file else []), changes]:
        document = merge(document, part)
    read = _read_changed(spec, replace(file or _NO_FILE, value=document, base=None))
    problems = read.problems
    own = [problem for problem in problems if file is None or _stands_in(changes, problem.key)]
    if file is not None:
        of_file = [problem for problem in problems if problem not in own]
        raise_problems([*of_file, *(replace(problem, file="the command line", line=0) for problem in own)])
    if own:
        lines = (f"{key_text(each.key)} {each.found}".strip() + f": {each.message}" for each in own)
        raise UsageError("; ".join(lines))
    return read.checked()


def edition_documents(spec: BookSpec, folder: Path) -> dict[str, Document[BookSpec]]:
    """Return the spec of each edition that a spec names, by its name.

    An edition has the puzzles and the identity of the book, and its changes otherwise. An ISBN is never taken
    over: it belongs to the book alone.
    """
    if not spec.editions:
        return {}  # to write a document, pydantic builds the models of all keys: 20 ms
    plain = {**spec.document(), "id": spec.book_id}
    plain |= {"editions": None, "isbn": None}
    for key in ("screen", "epub"):
        if isinstance(plain.get(key), dict):
            plain[key] = {**plain[key], "isbn": None}
    found = {}
    for name, changes in spec.editions.items():
        root = ("editions", name)
        file = resolve_language(
            replace(
                spec.source,
                value=dict(changes),
                places=_below(spec.source.places, root),
                key_places=_below(spec.source.key_places, root),
                problems=(),
                base=None,
            ),
            folder,
        )
        read = _read_changed(spec, replace(file, value=merge(plain, _by_number(file.value))))
        if read.model is not None:
            read.model._boards = spec._boards
        found[name] = read
    return found


def _below(places: Mapping[KeyPath, Location], root: KeyPath) -> dict[KeyPath, Location]:
    return {path[len(root) :]: place for path, place in places.items() if path[: len(root)] == root}


def untranslated_keys(old: BookSpec, new: BookSpec, changes: Mapping[str, Any]) -> list[str]:
    """Return the keys of the author's own texts that an edition in another language leaves as they are."""
    if old.wording().language == new.wording().language:
        return []
    before, given = _own_words(old), _by_number(changes)
    return [
        key
        for key, text in _own_words(new).items()
        if before.get(key) == text
        and any(letter.isalpha() for letter in text)
        and not _stands_in(given, key_path(key))
    ]


def _own_words(spec: BookSpec) -> dict[str, str]:
    texts = {"title": spec.title, "subtitle": spec.subtitle, "edition": spec.edition}
    texts |= {f"levels[{place}].title": level.heading for place, level in enumerate(spec.levels)}
    texts["series.name"] = spec.series.name if spec.series else None
    if spec.cover is not None:
        texts["cover.blurb"] = spec.cover.blurb
        texts |= {f"cover.back.{key}": text for key, text in spec.cover.back or () if isinstance(text, str)}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for place, page in enumerate(pages):
            texts |= {f"{key}[{place}].title": page.title, f"{key}[{place}].text": page.text}
    texts |= {f"words.{key}": str(text) for key, text in (spec.words or {}).items()}
    return {key: text for key, text in texts.items() if text}


def _read_changed(spec: BookSpec, source: YamlSource) -> Document[BookSpec]:
    """Read a spec with changes, whose problems are also those of keys that its puzzles come from."""
    read = read_document(source, BookSpec)
    problems = _level_count_problems(spec, source) or [*read.problems, *_other_puzzles(spec, read)]
    return read._replace(problems=problems)


def read_changes(words: Iterable[str]) -> dict[str, Any]:
    """Read changes from the command line, each ``key=value``; raise ``UsageError`` for any other word.

    A key is written as ``page.trim`` or ``levels[0].per_page``. A value that begins with a bracket, brace
    or double quote is a list, mapping or text as in YAML, and an empty one takes the key out.
    """
    changes: dict[Any, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        path = key_path(key.strip())
        if not equals or not path or key_text(path) != key.strip():
            raise UsageError(
                f"--set {printable(word)}: write key=value, as page.trim=A5, levels[0].per_page=2 or "
                "author='Ada Example'."
            )
        part = changes
        for step in path[:-1]:
            inner = part.setdefault(step, {})
            if not isinstance(inner, dict):
                inner = part[step] = {}
            part = inner
        part[path[-1]] = _value(key, value.strip())
    return changes


def _value(key: str, text: str) -> Any:
    if text[:1] in ("[", "{", '"'):
        try:
            return parse_yaml(f"value: {text}\n", "").value["value"]
        except SpecError:
            quoted = shlex.quote(f"{key}={json.dumps(text, ensure_ascii=False)}")
            raise UsageError(
                f"--set {key}={printable(text)}: what begins with {text[0]} is read as YAML and is invalid. "
                f"A text that begins so stands in double quotes: --set {quoted}."
            ) from None
    return text or None


def _by_number(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the entries of levels by their numbers; an entry without a value stays as it was."""
    levels = changes.get("levels")
    if not isinstance(levels, list):
        return changes
    return {
        **changes,
        "levels": {place: {} if level is None else level for place, level in enumerate(levels)},
    }


def _stands_in(changes: Any, path: KeyPath) -> bool:
    """Tell whether changes have a key, or something that holds it."""
    for step in path:
        if not isinstance(changes, Mapping):
            return True
        if step not in changes:
            return False
        changes = changes[step]
    return True


def _level_count_problems(spec: BookSpec, source: YamlSource) -> list[Problem]:
    levels = source.value.get("levels")
    if isinstance(levels, list) and len(levels) == len(spec.levels):
        return []
    message = f"the book has {len(spec.levels)}; change them in their order, with `{{}}` for one that stays"
    return [source.problem(("levels",), "", message)]


def _other_puzzles(old: BookSpec, read: Document[BookSpec]) -> Iterator[Problem]:
    new = read.model
    if new is None or not read.readable("seed", "replace", "levels"):
        return
    for key in ("seed", "replace"):
        if getattr(old, key) != getattr(new, key):
            yield new.source.problem((key,), str(getattr(new, key)), _MAKING)
    for place, (before, after) in enumerate(zip(old.levels, new.levels, strict=True)):
        for key, name in zip(fields_of(LevelSpec), LevelSpec.model_fields, strict=True):
            if key not in PRINTED_LEVEL_KEYS and getattr(before, name) != getattr(after, name):
                yield new.source.problem(("levels", place, key), "", _MAKING)
