"""Read book specs, and change the spec of a finished book.

A finished book keeps its spec in ``volume.json``. Its editions and the command ``linkpress typeset`` print
the same puzzles again, with other values for some keys. Keys on which the puzzles depend can't be changed.

Each key is a field of a class. The string below a field describes the key in the documentation, in editors
and in the studio.

The options ``--set``, ``--seed``, ``--count`` and ``--difficulty`` of the command line change a spec for one
run (``RunChanges``). They change the YAML document in memory. The file itself stays unchanged.
``RunChanges.with_values`` sets keys. ``RunChanges.with_levels`` changes the number and difficulty of the
puzzles. It needs the list of levels, so it runs after keys such as ``mix`` are turned into levels.
"""

import hashlib
import json
import re
import shlex
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, PrivateAttr, model_validator

from linkpress.book.key_values import (
    MAX_PUZZLES,
    MAX_SEED,
    SIZES,
    BookId,
    BookTitle,
    EditionChanges,
    Isbn,
    Prices,
    Replacements,
    Seed,
    Sizes,
    is_id_letter,
    isbn_13,
)
from linkpress.book.level import PRINTED_LEVEL_KEYS, Boards, FileBoard, LevelSpec, load_boards, load_masks
from linkpress.book.mixes import (
    DIFFICULTIES,
    MIX,
    apportion,
    count_parts,
    expand_mix,
    mix_of_text,
    mix_problems,
    with_level_names,
    without_mix,
)
from linkpress.book.plain_spec import plain_spec
from linkpress.book.printing_keys import (
    MAX_MATTER,
    CaptionsSpec,
    CoverSpec,
    EbookSpec,
    FontsSpec,
    ImagesSpec,
    ListingSpec,
    MatterSpec,
    NumbersSpec,
    PageSpec,
    PartsSpec,
    PlaySpec,
    QrPer,
    QrSpec,
    ScreenSpec,
    SeriesSpec,
    SolutionsSpec,
    Standard,
    ThemeChoice,
    or_yes_no,
)
from linkpress.documents.models import (
    Document,
    Readable,
    Spec,
    fields_of,
    merge,
    read_document,
    read_with_base,
    require_less_with_base,
)
from linkpress.documents.other_names import LEVELS
from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Location,
    Problem,
    YamlSource,
    key_path,
    key_text,
    printable,
    raise_problems,
    visible_text,
)
from linkpress.documents.shipped_files import DIFFICULTY_SETS, THEMES
from linkpress.documents.values import Date, DefaultText, line_of_text, one_of, whole_number
from linkpress.documents.yaml_source import parse_yaml, read_yaml
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import Rule, counted
from linkpress.errors import Notify, SpecError, UsageError, notify_nobody
from linkpress.files import is_device
from linkpress.words import (
    ENGLISH,
    LanguageChoice,
    Words,
    WordsChanges,
    resolve_language,
    words_of,
    words_problems,
)

_Place = TypeVar("_Place")


@dataclass(frozen=True)
class RunChanges:
    """Changes to a book's spec for one run. They don't change the file.

    Args:
        values: the keys to set and their new values, as ``book.spec.read_changes`` returns them.
        count: the new number of puzzles in the whole book. None to keep the number in the spec.
        difficulty: the new difficulty of all puzzles, such as ``hard``; or a number of puzzles for each
            difficulty, such as ``easy=10,hard=5``. None to keep the difficulties in the spec.
        notify: function that is called with a line of text about each change, to show it to the user.
    """

    values: Mapping[Any, Any] = field(default_factory=lambda: MappingProxyType({}))
    count: int | None = None
    difficulty: str | None = None
    notify: Notify = notify_nobody

    @property
    def has_other_puzzles(self) -> bool:
        return bool(self.count or self.difficulty or {"seed", "levels"} & self.values.keys())

    def with_values(self, source: YamlSource) -> YamlSource:
        """Return a copy of a YAML document in which the keys of ``values`` have their new values.

        Raises:
            UsageError: a key names an entry of a list, but the list is too short.
        """
        if not (self.values or self.count or self.difficulty):
            return source
        if "seed" in self.values:
            self.notify(f"for this run: seed {self.values['seed']} instead of {source.value.get('seed')}")
        summary = f"{dict(self.values)} {self.count} {self.difficulty}"
        text = None if source.text is None else f"{source.text}\n# changed for this run: {summary}\n"
        value, paths = merge(source.value, self.values), list(_paths_in(self.values))
        # Error messages say where a key was given. For a key that an option sets, this place is the command
        # line. An option may also create the mapping around its key. The place of a new mapping is the
        # command line too. A mapping that is already in the file keeps its place in the file.
        new_places = {
            path: _COMMAND_LINE for path, is_value in paths if is_value or path not in source.places
        }
        return replace(
            source,
            value=value,
            text=text,
            places={**source.places, **new_places},
            key_places={**source.key_places, **new_places},
            typed={path: typed for path, typed in source.typed.items() if path not in new_places},
        )

    def with_levels(self, source: YamlSource) -> YamlSource:
        """Return a copy of a YAML document with the number of puzzles and the difficulty changed.

        If ``difficulty`` is set, only the levels with this difficulty are kept. If there are none, new levels
        replace all levels. If ``count`` is set, this number of puzzles is divided among the levels in the
        same proportions as in the spec.

        Raises:
            UsageError: the boards of a level come from a file, so their number and difficulty are fixed.
        """
        if self.count is None and self.difficulty is None:
            return source
        levels = _levels_with_counts(source)
        if not levels:
            # Return the document unchanged. Missing or wrong levels are reported when the spec is checked.
            return source
        total, old_levels = sum(int(level["count"]) for level in levels), levels
        places, key_places, typed = source.places, source.key_places, source.typed
        if self.difficulty is not None:
            levels = [level for level in levels if level.get("difficulty") == self.difficulty]
        if not levels:
            levels = self._new_levels(total)
            places, key_places = ({**each, ("levels",): _COMMAND_LINE} for each in (places, key_places))
        counts = [int(level["count"]) for level in levels]
        if self.count is not None:
            counts = apportion(self.count, counts)
        parts = [(level, str(count)) for level, count in zip(levels, counts, strict=True) if count]
        names = (f"{level.get('name') or level.get('difficulty')} {count}" for level, count in parts)
        self.notify(f"for this run: {counted(sum(counts), 'puzzle')} instead of {total} ({', '.join(names)})")
        if len(parts) < len(old_levels) or levels is not old_levels:
            # Levels were removed or replaced, so the other levels have new indexes. The places in the file
            # are stored by the old indexes, so forget them. Messages about a level then give the line at
            # which the list of levels begins.
            places, key_places = _without_levels(places), _without_levels(key_places)
            typed = _without_levels(typed)
        levels = [{**level, "count": count} for level, count in parts]
        value = {**source.value, "levels": levels}
        return replace(source, value=value, places=places, key_places=key_places, typed=typed)

    def _new_levels(self, total: int) -> list[dict[str, Any]]:
        text = self.difficulty or ""
        try:
            mix = mix_of_text(text)
            counts = count_parts(mix, total if "%" in text else None) if mix else {text: total}
        except InvalidError as error:
            raise UsageError(f"--difficulty {text}: {error}") from None
        return [{"name": name, "difficulty": name, "count": count} for name, count in counts.items()]


_COMMAND_LINE = Location(0, 0, "the command line")


def _paths_in(values: Mapping[Any, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, bool]]:
    """Yield the key path of every key in nested mappings.

    Yields:
        The key path; and True if the key has a single value, or False if its value is a mapping.
    """
    for key, value in values.items():
        is_mapping = isinstance(value, Mapping)
        yield (*path, key), not is_mapping
        if is_mapping:
            yield from _paths_in(value, (*path, key))


def _without_levels(places: Mapping[KeyPath, _Place]) -> dict[KeyPath, _Place]:
    return {path: place for path, place in places.items() if path[:1] != ("levels",) or len(path) == 1}


NO_CHANGES = RunChanges()


def _levels_with_counts(source: YamlSource) -> list[dict[str, Any]]:
    """Return the levels of a spec if each has a valid number of puzzles.

    If the key ``levels`` is missing or has errors, return an empty list. The errors are reported elsewhere.

    Raises:
        UsageError: the boards of a level come from a file. The options ``--count`` and ``--difficulty``, for
            which this function is called, can't change their number and difficulty.
    """
    levels = source.value.get("levels")
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        return []
    for index, level in enumerate(levels):
        if "from" in level:
            raise UsageError(
                f"levels[{index}]: its boards come from {level['from']}, so --count and --difficulty can't "
                "change them. Leave these options out."
            )
    return levels if all(re.fullmatch("[0-9]{1,6}", str(level.get("count"))) for level in levels) else []


MAX_LEVELS = 40
# The name of a folder may have 255 bytes. The name of a book must be shorter, because the names of its files
# and editions begin with it.
_MAX_SLUG_BYTES = 120
_NO_FILE = YamlSource("the spec", {}, {}, {})
_NAMES = "|".join(Difficulty)
_FIXED_KEY = "the puzzles come from this key, so a saved book keeps it: change the spec, and build anew"


def _levels_or_mix(schema: dict[str, Any]) -> None:
    """Change a JSON Schema to require ``levels`` or one of the keys from which levels are made."""
    schema["required"].remove("levels")
    require_less_with_base(schema)
    schema["anyOf"][1]["anyOf"] = [
        {"required": [key]} for key in ("levels", "puzzles", "mix", "difficulties")
    ]


class BookSpec(Spec):
    """Keys of a book spec."""

    model_config = ConfigDict(json_schema_extra=_levels_or_mix)

    title: BookTitle
    """The title of the book. A `|` or a line feed marks where cover, title page and spine may break it;
    otherwise linkpress chooses the breaks."""
    subtitle: Annotated[str | None, line_of_text(200)] = None
    """A line under the title."""
    author: Annotated[str | None, line_of_text(120)] = None
    """The author's name."""
    volume: Annotated[int | None, whole_number(1, 9999)] = None
    """The number of the volume in a series."""
    series: Annotated[SeriesSpec | None, DefaultText("none")] = None
    """The series to which the volume belongs."""
    seed: Annotated[Seed, DefaultText("the title")] = Field(
        default_factory=lambda keys: str(keys.get("title", ""))[:MAX_SEED].strip()
    )
    """A number or text that decides the puzzles: the same spec always gives the same book. Give one before
    you change a title, since without it another title gives other puzzles."""
    page: PageSpec = PageSpec.model_construct()
    """The printer and the page."""
    puzzles: Annotated[int | None, whole_number(1, MAX_PUZZLES), DefaultText("the sum of all levels")] = None
    """The number of puzzles in the book. With it, `mix` and `difficulties` can replace `levels`; `puzzles`
    alone gives 50% easy, 30% medium and 20% hard ones. Levels without a `count` share the puzzles evenly."""
    mix: Annotated[Mapping[str, Any] | str | None, MIX, DefaultText("–")] = None
    """How many puzzles of each difficulty the book has, instead of `levels`: shares of `puzzles`, counts, or
    a ratio, which is for easy, medium, hard and so on. Each difficulty becomes a section, the easiest first.
    `linkpress check` prints the sections, and how the shares were rounded."""
    difficulties: Annotated[
        Mapping[str, Any] | str | None, DIFFICULTIES, DIFFICULTY_SETS, DefaultText("the usual scale")
    ] = None
    """What the names in `mix`, and the `difficulty` of a level, mean: names of your own, each with keys of a
    level, from easy to hard. Or the name of a shipped set, or the path of a file with such names. Without
    `mix` and `levels`, each name gets the same number of puzzles, or its own `count`."""
    size: Annotated[Sizes | None, SIZES, DefaultText("the usual size for each difficulty")] = None
    """The size of the boards in all levels and difficulties that have none of their own."""
    levels: Annotated[
        tuple[LevelSpec, ...],
        Field(min_length=1, max_length=MAX_LEVELS),
        DefaultText("required, unless `puzzles` and `mix` are given"),
    ]
    """The sections, in the order of the book."""
    replace: Replacements | None = None
    """Puzzles to be made again, each by its printed number with the number of its replacement. Raise that
    number until you like the puzzle; all other puzzles stay the same."""
    solutions: SolutionsSpec = SolutionsSpec.model_construct()
    """The solutions."""
    parts: PartsSpec = PartsSpec.model_construct()
    """The parts that the book has besides its puzzles."""
    captions: CaptionsSpec = CaptionsSpec.model_construct()
    """The captions of the boards."""
    theme: Annotated[ThemeChoice, THEMES] = "classic"
    """How the book looks: the name of a theme, the path of your own, or keys of a theme."""
    numbers: Annotated[NumbersSpec | None, DefaultText("as in the theme")] = None
    """How numbers are drawn: plain, in rings or discs, or as coloured dots."""
    fonts: Annotated[FontsSpec | None, DefaultText("IBM Plex Sans")] = None
    """Your own fonts. They must be TrueType fonts whose licence allows embedding."""
    standard: Annotated[Standard, one_of(Standard)] = Standard.PDFX1A
    """The kind of PDF of the interior: `pdfx1a` for printers, or `plain`."""
    screen: Annotated[ScreenSpec | None, or_yes_no(ScreenSpec), DefaultText("no")] = None
    """Whether to make `screen.pdf` too, a book with links for tablets and its own page size: yes, no, or its
    keys."""
    epub: Annotated[EbookSpec | None, or_yes_no(EbookSpec), DefaultText("no")] = None
    """Whether to make `book.epub` too, an e-book (EPUB 3) with a page for each puzzle and each answer, links
    between them, and boards that can be read aloud: yes, no, or its keys."""
    images: Annotated[ImagesSpec | None, or_yes_no(ImagesSpec), DefaultText("no")] = None
    """Whether to make an image of each puzzle and each solution too, in the folder `images`: yes, no, or its
    keys, as `{width: 85mm, dpi: 300}`."""
    cover: Annotated[CoverSpec | None, or_yes_no(CoverSpec), DefaultText("no")] = None
    """Whether to make `cover.pdf` too: yes, no, or its keys."""
    front: Annotated[tuple[MatterSpec, ...], Field(max_length=MAX_MATTER)] = ()
    """Your own pages before the rules."""
    back: Annotated[tuple[MatterSpec, ...], Field(max_length=MAX_MATTER)] = ()
    """Your own pages after the solutions."""
    qr: Annotated[QrSpec | None, DefaultText("none")] = None
    """QR codes beside puzzles or on section openers."""
    play: Annotated[PlaySpec | None, or_yes_no(PlaySpec), DefaultText("no")] = None
    """Whether to make `play.html` too, a page for playing the puzzles in a browser: yes, no, or its keys."""
    notes_pages: Annotated[int, whole_number(0, 40)] = 0
    """The number of ruled pages for notes at the end."""
    publisher: Annotated[str | None, line_of_text(120)] = None
    """The publisher's name for the copyright page."""
    copyright: Annotated[str | None, line_of_text(300), DefaultText("the year and the author")] = None
    """The copyright line."""
    year: Annotated[int | None, whole_number(1900, 2200)] = None
    """The year of the copyright line."""
    edition: Annotated[str | None, line_of_text(60)] = None
    """The edition for the copyright page, such as `First edition`."""
    listing: Annotated[ListingSpec | None, DefaultText("as below")] = None
    """Texts for `linkpress listing`, which answers the questions of a shop's form. They are printed
    nowhere."""
    price: Prices | None = None
    """Your list prices by currency, such as `{USD: 9.99}`. `check` and the report tell your royalty. They are
    printed nowhere."""
    isbn: Isbn | None = None
    """The ISBN for the copyright page and the cover's barcode. It belongs to this edition only: another
    language, page size or binding, the PDF for tablets and the e-book need their own."""
    editions: Annotated[EditionChanges | None, DefaultText("none")] = None
    """Other editions with the same puzzles, built together with the book. Each has a short name, such as
    `es`, and the keys that differ in it, as for `linkpress typeset`. It goes to a folder of its own, such as
    `ID-es`."""
    language: LanguageChoice = ENGLISH
    """The language of the printed words: a shipped one, or the path of your own words file."""
    words: Annotated[WordsChanges | None, DefaultText("the usual words of the language")] = None
    """Your own words for single phrases, such as `{solution_on: "Answer p. {page}"}`."""
    date: Annotated[
        Date | None, DefaultText("2000-01-01, or the time in the environment variable `SOURCE_DATE_EPOCH`")
    ] = None
    """The date recorded inside the files."""
    id: Annotated[BookId | None, DefaultText("made from the title and the volume")] = None
    """The book's identity, which is also the name of its folder."""

    _boards: Boards = PrivateAttr(default_factory=dict)

    @property
    def book_id(self) -> str:
        return self.id or slug(self.title if self.volume is None else f"{self.title} {self.volume}")

    @property
    def isbns(self) -> dict[str, str]:
        """Maps each key that sets an ISBN, such as ``epub.isbn``, to the ISBN."""
        isbns = {"isbn": self.isbn}
        isbns["screen.isbn"] = self.screen.isbn if self.screen else None
        isbns["epub.isbn"] = self.epub.isbn if self.epub else None
        return {key: isbn for key, isbn in isbns.items() if isbn}

    @property
    def headings(self) -> dict[str, str]:
        return {level.name: level.title or self._in_language(level.name) for level in self.levels}

    def _in_language(self, name: str) -> str:
        """Translate a level's name if it names difficulties, such as ``easy 9 × 9`` or ``medium-hard``."""
        if not re.fullmatch(f"({_NAMES})(-({_NAMES}))?( [0-9]+( × [0-9]+)?)?", name):
            return name
        words = self.wording().difficulties
        return re.sub(_NAMES, lambda match: words[Difficulty(match[0])], name).replace("-", "–")

    @property
    def title_seed_note(self) -> str:
        return "" if "seed" in self.model_fields_set else f"seed {self.seed} (from the title)"

    @property
    def puzzle_count(self) -> int:
        return sum(level.count for level in self.levels)

    @property
    def play_url(self) -> str | None:
        return self.play.url if self.play else None

    @property
    def rules(self) -> set[Rule]:
        return {level.unique for level in self.levels}

    def wording(self, *, of_dots: bool = False) -> Words:
        return words_of(self.language, self.words, of_dots=of_dots, rules=self.rules)

    def boards(self, level: LevelSpec) -> tuple[FileBoard, ...]:
        """Return the boards of a level whose key ``from`` names a file of boards.

        For any other level, return an empty tuple, because its boards are generated.
        """
        return self._boards.get(self.levels.index(level), ())

    def document(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @model_validator(mode="before")
    @classmethod
    def _without_mix(cls, keys: Any) -> Any:
        return without_mix(keys, expand_mix)

    def problems(self, readable: Readable) -> Iterator[Problem]:
        yield from super().problems(readable)
        yield from mix_problems(self)
        if readable("language", "words", "levels.unique"):
            yield from words_problems(self.language, self.words, self.rules)
        if readable("levels.name"):
            yield from _name_problems([level.name for level in self.levels])
        per_section = readable("qr", "parts") and self.qr and self.qr.per is QrPer.SECTION
        if per_section and not self.parts.openers:
            yield Problem("section", "a code per section needs parts.openers: yes", ("qr", "per"))
        if readable("qr", "play"):
            yield from _address_problems(self)
        yield from _isbn_problems(self.isbns)
        if not readable("levels.count"):
            return
        if self.puzzle_count > MAX_PUZZLES:
            message = f"at most {MAX_PUZZLES} in a book; make two volumes"
            yield Problem(f"{self.puzzle_count} puzzles", message, ("levels",))
        yield from _replacement_problems(self)
        if self.cover and self.cover.badge == "volume" and self.volume is None:
            yield Problem("volume", "give the book a volume: number to show", ("cover", "badge"))
        if self.cover and self.cover.puzzle and self.cover.puzzle > self.puzzle_count:
            message = f"the book has {counted(self.puzzle_count, 'puzzle')}"
            yield Problem(str(self.cover.puzzle), message, ("cover", "puzzle"))


def _name_problems(names: Sequence[str]) -> Iterator[Problem]:
    earlier: set[str] = set()
    for index, name in enumerate(names):
        visible = visible_text(name).casefold()
        if visible in earlier:
            yield Problem(name, "another level has this name; give each its own", ("levels", index, "name"))
        earlier.add(visible)


def _isbn_problems(isbns: Mapping[str, str]) -> Iterator[Problem]:
    first_keys: dict[str, str] = {}
    for key, isbn in isbns.items():
        if (first := first_keys.setdefault(isbn_13(isbn), key)) != key:
            yield Problem(isbn, f"`{first}` is the same; each needs its own", tuple(key.split(".")))


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
            reason = f"the book has {counted(len(levels), 'puzzle')}; remove this entry"
        elif (file := levels[number - 1].file) is not None:
            reason = f"it is from {file}; change it there, and remove this entry"
        else:
            continue
        yield Problem("", f"puzzle {number} is swapped here, but {reason}", ("replace", str(number)))


# Reading


def load_spec(path: str | Path) -> BookSpec:
    """Read and check a book spec.

    Args:
        path: the YAML file.
    Raises:
        SpecError: the file or one of its base files has problems. The message lists all of them with line,
            column and key path.
    """
    return read_spec(Path(path)).checked()


def read_spec(path: Path, text: str | None = None, changes: RunChanges = NO_CHANGES) -> Document[BookSpec]:
    """Read a book spec. Collect its problems instead of raising an exception for the first one.

    Args:
        path: the YAML file.
        text: a text to read instead of the file's content.
        changes: changes of keys for this run.
    Raises:
        SpecError: the file can't be read, or is not YAML.
        UsageError: the changes don't fit the spec.
    """
    source, mix_problems = expand_mix(changes.with_values(read_spec_source(path, text)))
    source, mask_problems = load_masks(with_level_names(changes.with_levels(source)), "levels")
    source, boards, problems = load_boards(source)
    also = [*mix_problems, *mask_problems, *problems]
    document = read_document(source, BookSpec, check_files=True, also=also)
    if document.model is not None:
        document.model._boards = boards
    return document


def read_spec_source(path: Path, text: str | None = None) -> YamlSource:
    """Read the YAML document of a spec, with the keys from its base file. The keys are not checked.

    The document may lack required keys, because it may itself be the base file of other specs. The arguments
    and errors are the same as for ``read_spec``.
    """
    return resolve_language(read_with_base(path, BookSpec, text, plain_spec))


def top_keys(path: Path) -> set[str]:
    """Return the top-level keys of a YAML file; empty if the file can't be read."""
    try:
        return set(read_yaml(path).value) if path.is_file() else set()
    except (SpecError, OSError):
        return set()


def unknown_keys(path: Path) -> set[str]:
    return top_keys(path) - set(BookSpec.model_fields)


def slug(text: str) -> str:
    """Turn a text into the name of a folder, of 1 to 60 lowercase letters, digits and hyphens.

    Latin letters lose their accents, and other scripts keep their letters. A text without letters becomes
    ``book-`` and eight digits of its SHA-256.
    """
    text = visible_text(unicodedata.normalize("NFC", text.replace("'", "").replace("’", "")))
    plain = "".join(map(_plain_letter, text)).lower()
    words = "-".join("".join(letter if is_id_letter(letter) else " " for letter in plain).split())[:60]
    words = words.encode()[:_MAX_SLUG_BYTES].decode(errors="ignore").strip("-")
    if not any(letter.isalpha() for letter in words):
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return "-".join(filter(None, ("book", words, digest)))
    return f"book-{words}" if is_device(words) else words


def _plain_letter(letter: str) -> str:
    """Return a letter without its accent if that leaves a letter from a to z."""
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or letter


# Changing


def with_printing_changes(
    spec: BookSpec, changes: Mapping[Any, Any], file: YamlSource | None = None
) -> BookSpec:
    """Return the spec of a finished book with new values for some keys.

    Only keys on which no puzzle depends may be changed. If the value of a key is a mapping, only the keys in
    the new mapping are changed. If it is a list, the new list replaces the whole old list. The list
    ``levels`` is an exception: the first entry of the new list changes keys of the first level, the second
    entry changes keys of the second level, and so on. A key whose new value is empty is removed.

    Args:
        spec: the spec of the finished book.
        changes: the new values, in the same structure as a spec. To change only one level, give a mapping
            from its index to its changes, as in ``{"levels": {0: …}}``.
        file: the content of a YAML file with further changes; None for no file. These are made before
            ``changes``. With a file, relative paths in the returned spec start from the folder of the file.
            Without a file, they start from the folder of the old spec.
    Raises:
        UsageError: keys or values of ``changes`` are not allowed. The message lists all of them.
        SpecError: keys or values of ``file`` are not allowed. The message lists all of them with their
            places.
    """
    document: Any = spec.document()
    changes = _index_levels(changes)
    for part in [*([_index_levels(file.value)] if file else []), changes]:
        document = merge(document, part)
    source = file or replace(_NO_FILE, folder=spec.folder)
    read = _read_changed(spec, replace(source, value=document, base=None))
    of_changes = [each for each in read.problems if file is None or _has_key(changes, each.key)]
    if file is not None:
        of_file = [problem for problem in read.problems if problem not in of_changes]
        on_command_line = [replace(problem, file="the command line", line=0) for problem in of_changes]
        raise_problems([*of_file, *on_command_line])
    if of_changes:
        lines = (f"{key_text(each.key)} {each.found}".strip() + f": {each.message}" for each in of_changes)
        raise UsageError("; ".join(lines))
    return read.checked()


def edition_documents(spec: BookSpec) -> dict[str, Document[BookSpec]]:
    """Return a mapping from the name of each edition in ``spec.editions`` to the edition's spec.

    An edition has the same puzzles and the same ``id`` as the book. It never gets the book's ISBN, because
    each edition needs its own.
    """
    if not spec.editions:
        return {}  # return early: spec.document() takes 20 ms, because pydantic compiles all models
    document = {**spec.document(), "id": spec.book_id, "editions": None, "isbn": None}
    for key in ("screen", "epub"):
        if isinstance(document.get(key), dict):
            document[key] = {**document[key], "isbn": None}
    editions = {}
    for name, changes in spec.editions.items():
        root = ("editions", name)
        source = resolve_language(
            replace(
                spec.source,
                value=dict(changes),
                places=_places_below(spec.source.places, root),
                key_places=_places_below(spec.source.key_places, root),
                problems=(),
                base=None,
            )
        )
        read = _read_changed(spec, replace(source, value=merge(document, _index_levels(source.value))))
        if read.model is not None:
            read.model._boards = spec._boards
        editions[name] = read
    return editions


def _places_below(places: Mapping[KeyPath, Location], root: KeyPath) -> dict[KeyPath, Location]:
    return {path[len(root) :]: place for path, place in places.items() if path[: len(root)] == root}


def untranslated_keys(old: BookSpec, new: BookSpec, changes: Mapping[str, Any]) -> list[str]:
    """Return the keys of the book's texts that an edition in another language leaves untranslated.

    A text like "EasyFácil", whose translation was typed beside the old words, is untranslated too.

    Args:
        old: the spec of the book.
        new: the spec of the edition.
        changes: the keys that the edition changes.
    """
    if old.wording().language == new.wording().language:
        return []
    old_texts, indexed = _author_texts(old), _index_levels(changes)

    def is_left(key: str, before: str, text: str) -> bool:
        if before == text:
            return any(letter.isalpha() for letter in text) and not _has_key(indexed, key_path(key))
        added = text.removeprefix(before), text.removesuffix(before)
        return _are_joined(before, added[0], text) or _are_joined(added[1], before, text)

    return [
        key
        for key, text in _author_texts(new).items()
        if key in old_texts and is_left(key, old_texts[key], text)
    ]


def _are_joined(first: str, second: str, text: str) -> bool:
    """Return whether a text consists of two texts without a space between, as in "EasyFácil".

    The second text must begin with a capital letter, and the first must not end with one.
    """
    if not first or not second or first + second != text:
        return False
    return not first[-1].isspace() and not first[-1].isupper() and second[0].isupper()


def _author_texts(spec: BookSpec) -> dict[str, str]:
    texts = {"title": spec.title, "subtitle": spec.subtitle, "edition": spec.edition}
    texts |= {f"levels[{index}].title": spec.headings[level.name] for index, level in enumerate(spec.levels)}
    texts["series.name"] = spec.series.name if spec.series else None
    if spec.cover is not None:
        texts["cover.blurb"] = spec.cover.blurb
        badge = spec.cover.badge
        texts["cover.badge"] = badge.upper() if badge and badge not in ("puzzles", "volume") else None
        texts |= {f"cover.back.{key}": text for key, text in spec.cover.back or () if isinstance(text, str)}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for index, page in enumerate(pages):
            texts |= {f"{key}[{index}].title": page.title, f"{key}[{index}].text": page.text}
    texts["parts.about_author"] = spec.parts.about_author
    texts |= {f"parts.more_books[{index}]": title for index, title in enumerate(spec.parts.more_books)}
    texts |= {f"words.{key}": str(text) for key, text in (spec.words or {}).items()}
    return {key: text for key, text in texts.items() if text}


def _read_changed(spec: BookSpec, source: YamlSource) -> Document[BookSpec]:
    """Read a changed spec, and report a problem for each changed key on which the puzzles depend."""
    read = read_document(source, BookSpec)
    problems = _level_count_problems(spec, source) or [*read.problems, *_fixed_key_problems(spec, read)]
    return read._replace(problems=problems)


def _level_count_problems(spec: BookSpec, source: YamlSource) -> list[Problem]:
    levels = source.value.get("levels")
    if isinstance(levels, list) and len(levels) == len(spec.levels):
        return []
    message = f"the book has {len(spec.levels)}; change them in their order, with `{{}}` for one that stays"
    return [source.problem(("levels",), "", message)]


def _fixed_key_problems(old: BookSpec, read: Document[BookSpec]) -> Iterator[Problem]:
    new = read.model
    if new is None or not read.readable("seed", "replace", "levels"):
        return
    for key in ("seed", "replace"):
        if getattr(old, key) != getattr(new, key):
            yield new.source.problem((key,), str(getattr(new, key)), _FIXED_KEY)
    for index, (before, after) in enumerate(zip(old.levels, new.levels, strict=True)):
        for key, name in zip(fields_of(LevelSpec), LevelSpec.model_fields, strict=True):
            if key not in PRINTED_LEVEL_KEYS and getattr(before, name) != getattr(after, name):
                yield new.source.problem(("levels", index, key), "", _FIXED_KEY)


def _index_levels(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace the list of levels in a spec's changes by a mapping from indexes to changes.

    Each entry of the list has the changes of the level with the same index. An entry None becomes an empty
    mapping, which changes nothing. If the levels are not a list, the changes are returned unmodified.
    """
    levels = changes.get("levels")
    if not isinstance(levels, list):
        return changes
    return {
        **changes,
        "levels": {index: {} if level is None else level for index, level in enumerate(levels)},
    }


def _has_key(changes: Any, path: KeyPath) -> bool:
    """Return whether a spec's changes set the value at a key path, or a whole mapping around this value."""
    for step in path:
        if not isinstance(changes, Mapping):
            return True
        if step not in changes:
            return False
        changes = changes[step]
    return True


def plain_changes(words: Iterable[str]) -> dict[str, Any]:
    """Read changes from the command line as ``read_changes`` does, but accept other names of keys too."""
    changes = read_changes(words)
    # Don't translate the key `levels`. On the command line, it is written with the index of a level, as in
    # `levels[0]`. The translation would take such an index for the name of a level.
    inner = {key: value for key, value in changes.items() if key == LEVELS}
    others = {key: value for key, value in changes.items() if key != LEVELS}
    plain = plain_spec(parse_yaml(json.dumps(others), "the command line"), BookSpec) if others else None
    return {**inner, **(plain.value if plain else {})}


def read_changes(words: Iterable[str]) -> dict[str, Any]:
    """Read changes of a spec's keys from the command line.

    A key is written as ``page.trim`` or ``levels[0].per_page``. A value that begins with a bracket, brace or
    double quote is read as YAML. An empty value removes the key.

    Args:
        words: the changes, each as ``key=value``.
    Returns:
        Nested mappings with the new values.
    Raises:
        UsageError: a change is not written as ``key=value``, or its value is invalid YAML.
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
        part[path[-1]] = _read_change(key, value.strip())
    return changes


def _read_change(key: str, text: str) -> Any:
    if text[:1] in ("[", "{", '"'):
        try:
            return parse_yaml(f"value: {text}\n", "").value["value"]
        except SpecError:
            quoted = shlex.quote(f"{key}={json.dumps(text, ensure_ascii=False)}")
            raise UsageError(
                f"--set {key}={printable(text)}: a value that begins with {text[0]} is read as YAML, and "
                f"this is invalid. Put a text that begins so in double quotes: --set {quoted}."
            ) from None
    return text or None
