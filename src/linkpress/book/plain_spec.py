"""Translate a book's spec from the user's own key names into linkpress's keys.

The general translation of keys and values is in ``plain_names``. This module adds the keys that describe the
puzzles of a book. Users call them sections, chapters, presets or puzzle sets, and write them as a list, a
mapping or a number. Their content decides which of linkpress's keys they become:

- ``levels``: a list of sections, each with a number of puzzles or a difficulty.
- ``difficulties``: a mapping that defines difficulties by name, with their board sizes and numbers of paths.
- ``mix``: a mapping from difficulties to numbers or shares of puzzles.
- ``puzzles``: a single number, the number of puzzles in the book.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from linkpress.book.level import LevelSpec
from linkpress.book.mixes import apportion, mix_of_text, size_name, sum_parts, words_of_name
from linkpress.book.printing_keys import ImagesSpec, ThemeKeys
from linkpress.documents.models import SpecModel, fields_of
from linkpress.documents.other_names import LEVELS, name_table, simple_name, simple_words
from linkpress.documents.plain_names import DEFAULTS, Node, PlainNames, accepts, short_text, tree_of, yes_no
from linkpress.documents.problem import InvalidError, KeyPath, YamlSource
from linkpress.documents.shipped_files import DIFFICULTY_SETS
from linkpress.documents.values import parse_length, parse_pixels, trimmed
from linkpress.engine.difficulty import Difficulty

GROUPS = (LEVELS, "difficulties", "mix", "puzzles")
_SCALE = frozenset(Difficulty)
_MOST_SOLID = 50
_TWO_MEANINGS = "is this the share of solid squares, or of the squares on paths?"
_SHARE = re.compile(r"([0-9]+(\.[0-9]+)?|\.[0-9]+) ?%?|[0-9]+/[0-9]+")
# Under these keys, a user may list the sections of the book. In French, sections may be called series.
_LEVELS_OR_SERIES = {*GROUPS, "series"}
_ONE_SET = (
    "a build makes one set of images; leave this one out, and make it with `linkpress export BOOK{options}`"
)
_ANYTHING, _LIST = re.compile(r"[^\n]+"), re.compile(r"[^,\n]+(,[^,\n]+)+")
_USUAL_COUNT, _USUAL_DPI = "24", "300"
_PDF_NAMES = (
    "linkpress names the PDF files by itself: `cover: yes` makes a cover too, and `linkpress build book.yaml "
    "-o FOLDER` writes all of them to a folder"
)
_ONE_BOOK = "a spec makes one book, here the first; copy the file for each of the others, with its keys alone"
_ANSWERS = "they are after each level; `solutions: {place: upside-down}` prints them on the next page"
_SEED_WORDS = "the title decides the puzzles, and another title or a number as `seed` gives others"
_NO_COUNT = "give `puzzles` too, the number of puzzles"
_BOARD_FILES = frozenset(["from", "boardsfrom", "boardfrom", "boardfile", "puzzlefile"])
# If the name of a key is unknown, its value may show what the user means. These patterns match page sizes and
# names of languages.
_BY_VALUE = {
    ("page", "trim"): re.compile(
        r"(?i)[ab][3-6]\b.*|(us )?letter|carta|.*[0-9] ?[x×*] ?[0-9].*(in|mm|cm|\")"
    ),
    ("language",): re.compile(r"[^\W\d]{5,}|日本語|ไทย"),
}
# Keys that describe boards, or say how many there are.
_ABOUT_BOARDS = frozenset({"size", "paths", "difficulty", "count"})
_DAYS = frozenset({"day", "date", "weekday", "position"})
# Names that users may give to the number of a puzzle. For example, three puzzles in a list may have the
# numbers 1, 2 and 3. Such a number is a position in the list, and does not say how many puzzles there are.
_POSITIONS = frozenset({"number", "no", "nr", "nummer", "numero"})
_CALENDAR = frozenset({"calendar", "day", "schedule", "week", "weekday"})
_FORMAT: KeyPath = ("images", "format")
_IMAGE_FORMAT = re.compile(r"(?i)\b(png|tiff?|svg|eps)\b")
_IMAGE_FOLDER = re.compile("(output)?(image|png)(dir|directory|folder|path)")
_SIDES = re.compile("[0-9]+ ?[x×X*] ?[0-9]+")
# Matches the total before levels in words, as in `3 puzzles: 2 easy, 1 hard`.
_TOTAL = re.compile("^([0-9]+)[^0-9,:=]*[:=(]")
_TILES = re.compile("[1-4] ?[x×] ?[1-4]")
_TEXT_FILE = re.compile(r"[^\s]+\.(md|txt|docx?|html|pdf)")
_CAPTION: KeyPath = ("words", "puzzle")
_COLOUR = re.compile("#[0-9A-Fa-f]{6}")
_TYPE = re.compile("(?i)[0-9.]+ ?(pt|px|em|in|inch|inches|mm|cm)|bold|italic|auto")
_WHOLE = re.compile("[1-9][0-9]{0,3}")
_SOLID_SHARE = re.compile(r"0|0?[.,][0-9]+|[0-9]+([.,][0-9]+)? ?%")
_RANGE = re.compile(r"\s*[-–]\s*|\s+(?:to|bis|à|a|hasta|tot|até)\s+")
_DIFFICULTY = re.compile(r"[0-9]+( ?- ?[0-9]+)?")


class _Group(NamedTuple):
    """List of sections of a book, or list of difficulties, that the user wrote under one key.

    Args:
        key: the key of linkpress that the user's key seems to mean, such as ``levels``.
        node: the value of the user's key.
        entries: one mapping of keys for each section or difficulty.
    """

    key: str
    node: Node
    entries: list[Node]

    def has(self, *keys: str) -> bool:
        return any(key in entry.value for entry in self.entries for key in keys)

    @property
    def are_single(self) -> bool:
        """Whether each entry describes a single puzzle.

        This is true if the list is called ``puzzles``, or if each entry has a day or a date. It is false if
        any entry has a number of puzzles or pages, or a mix of difficulties.
        """
        if self.has("count", "pages", "mix"):
            return False
        if isinstance(self.node.value, list) and simple_name(self.node.name) == "puzzle":
            return True
        names = [entry.value["name"].name for entry in self.entries if "name" in entry.value]
        days = [name for name in names if not _DAYS.isdisjoint(name_table().same_words(name))]
        return len(days) == len(self.entries)

    @property
    def are_in_lists(self) -> bool:
        """Whether the user wrote several lists of puzzles, as in ``puzzles: {easy: [{board: 8x8}, ...]}``."""
        lists = list(self.node.keys.values())
        if not lists or not all(isinstance(each.value, list) for each in lists):
            return False
        is_named = simple_name(self.node.name) == "puzzle"
        return is_named and len(lists) < len(self.entries) and not self.has("count", "pages", "mix")


def plain_spec(source: YamlSource, model: type[SpecModel], *, of_free: bool | None = None) -> YamlSource:
    """Translate a book's spec: replace the user's names for keys and values by linkpress's names.

    Args:
        source: the parsed YAML document.
        model: the pydantic model of the spec.
        of_free: the meaning of a percentage such as ``black squares: 70%``. True if 70 % of the squares are
            on paths, and False if 70 % are solid. If it is None, the meaning is unknown, and a percentage
            above 50 % is reported as a problem. A percentage under the key ``solids`` always means solid
            squares.
    Returns:
        The translated document.
    """
    return _BookNames(source, model, of_free=of_free).rewritten()


def unclear_share(source: YamlSource) -> str | None:
    """Return the first percentage of squares in a spec whose meaning is unclear; None if there is none.

    For example, 70 % may mean that this share of the squares is solid, or that it is on paths. For each such
    percentage, ``plain_spec`` has already added a problem to the document.
    """
    unclear = (each.found for each in source.problems if each.message.startswith(_TWO_MEANINGS))
    return next(unclear, None)


class _BookNames(PlainNames):
    """Translator of a book's spec. It also finds out which lists are sections, difficulties or a mix.

    Args:
        source: the parsed YAML document.
        model: the pydantic model of the spec.
        of_free: whether percentages of squares mean the squares on paths; None if this is unknown.
    """

    def __init__(self, source: YamlSource, model: type[SpecModel], *, of_free: bool | None) -> None:
        super().__init__(source, model)
        self._of_free = of_free
        self._typed: list[tuple[str, Node]] = []
        self._defaults: dict[str, Node] = {}
        self._theme_keys: dict[KeyPath, Node] = {}

    def field(self, path: KeyPath) -> Any:
        if path[:1] in _GROUP_PATHS or path in ((LEVELS, "pages"), (LEVELS, "id"), (LEVELS, "mix")):
            return _ANY if len(path) == 1 or path[0] == LEVELS else None
        return super().field(path)

    def _fits(self, child: Node, field: Any, path: KeyPath, *, opposite: bool = False) -> bool:
        if path == ("parts",) and isinstance(child.value, dict):
            # linkpress's key `parts` is about parts of the book such as the table of contents. Some users
            # list sections of puzzles under this name. If all entries look like sections, the value doesn't
            # fit linkpress's key.
            return any(
                self.field((*path, key)) is not None
                or not (isinstance(part.value, dict) or self._scale_name(str(part.value)) in _SCALE)
                for key, part in child.value.items()
            )
        if path == ("series",) and isinstance(child.value, dict) and self._are_recipes(child.value.values()):
            # The key `series` is about a series of books, but the user's mapping lists sections of puzzles.
            # French users may call such sections "séries".
            return False
        if path[:2] == ("page", "trim") and path[2:] in (("min",), ("max",)):
            # The user gave a range of sizes. It can't be meant for the pages, because all pages of a book
            # have the same size. So it must be meant for the boards.
            return False
        if path == ("images",) and isinstance(child.value, list) and child.value:
            # The key `images` also accepts a list, in which each mapping describes a set of images.
            return all(isinstance(part.value, dict) for part in child.value)
        text = str(child.value)
        if path[-1] == "text" and path[0] in ("front", "back") and _TEXT_FILE.fullmatch(text):
            # The value doesn't fit, because the key needs a text to print, and this is a file's name.
            return False
        # The key for the caption of a puzzle accepts only a text with `{number}`, or with a short form of
        # this placeholder such as `{n}`.
        if path == _CAPTION:
            if not isinstance(child.value, str):
                return False
            child.value = text = re.sub(r"{(n|nr|no|num|i|index|nn)}", "{number}", text)
            return re.findall(r"{([^}]*)}", text) == ["number"]
        if path == ("title",) and text.isdigit() and name_table().has_word(child.name, "number"):
            # The value is a number, as in `nombre: 12`, so the user doesn't mean the title of the book. In
            # Spanish, the word `nombre` means "name", but in French it means "number".
            return False
        if path == (LEVELS, "per_page") and not text.isdigit() and name_table().yes_or_no(text):
            return name_table().has_word(child.name, "one")  # `one_per_page: yes`
        if path == ("id",) and re.search(r"[/\\]", text):
            # The value is the path of a folder. It doesn't fit the key `id`, because the identifier of a book
            # is a name and not a path.
            return False
        if path == ("page", "paper") and accepts(self.field(("page", "trim")), child.value):
            # The key `paper` is meant for the kind of paper, but this value is a page size, as in
            # `paper: letter`. So the user means the page size.
            return False
        if path == ("size",) and re.search('(in|mm|cm|inches|")$', str(child.value)):
            # A length such as `size: 8 in` doesn't fit the size of boards. The user means the page size.
            return False
        if simple_name(child.name) == "grade" and path[-1] in ("difficulties", "difficulty"):
            # In Portuguese, the word `grade` means the grid. So accept it as a difficulty only if its value
            # is a difficulty.
            return isinstance(child.value, str) and self._scale_name(child.value) in _SCALE
        if len(path) == 1 and path[0] in GROUPS:
            value = child.value
            names = value if isinstance(value, dict) else ()
            refused = [name for name in names if name_table().refusal(name, "")]
            if 2 * len(refused) > len(value or ()) and child.name not in GROUPS:
                # The mapping doesn't list puzzles. Its keys say how boards look, as in
                # `grid: {line_width: 1pt, solid_color: black}`.
                return False
            if isinstance(value, str):
                pattern = {LEVELS: _LIST, "puzzles": _SHARE}.get(str(path[0]), _ANYTHING)
                return bool(pattern.fullmatch(value) or self._levels_of_text(value))
            return value is not None
        if (path[-1] == "difficulty" and path[0] == LEVELS) or field is _ANY:
            return isinstance(child.value, (str, dict))
        return super()._fits(child, field, path, opposite=opposite)

    def _targets(
        self, key: str, child: Node, model: type[SpecModel], place: KeyPath
    ) -> list[tuple[KeyPath, bool]]:
        if key == "per_page" and not place:
            return [((LEVELS, key), False)]  # a key `per_page` at the top of the spec applies to all levels
        found = [
            (path, opposite)
            for path, opposite in super()._targets(key, child, model, place)
            if path != _CAPTION or self._fits(child, self.field(path), path)
        ]
        if not place and _TILES.fullmatch(str(child.value)):
            # No board is as small as 2 × 2 squares. So `grid: 2x2` must mean rows and columns of boards on
            # each page of the book.
            paths = self._possible_paths(key, model, place)
            if any(path[:2] == (LEVELS, "size") for path in paths):
                return [((LEVELS, "per_page"), False)]
        if isinstance(child.value, dict) and any(
            _TYPE.fullmatch(str(each.raw)) for each in child.value.values()
        ):
            # A mapping with lengths, such as `page settings: {width: 8.5 in}`, probably means the key `page`.
            # So try this key first.
            found.sort(key=lambda target: target[0] != ("page",))
        words = simple_words(key)
        # A key in the singular, as in `board: 9`, means the size of a board. A key in the plural, as in
        # `boards: 9`, means how many boards there are.
        if len(words) == 1 and name_table().has_word(key, "puzzle") and not key.endswith("s"):
            found.sort(key=lambda target: target[0] != (LEVELS, "size"))
        if not place and str(child.value).startswith("©"):
            return [(("copyright",), False)]
        if found or place or not child.value:
            return found
        if name_table().refusal(key, ""):
            is_format = self._fits(child, self.field(_FORMAT), _FORMAT)
            if is_format and _IMAGE_FORMAT.search(short_text(child.raw)):
                return [(_FORMAT, False)]
            table, names = name_table(), self._source.value
            given = {*names, *(path[0] for name in names for path, _ in table.targets(name, [""]))}
            has_levels = not given.isdisjoint((LEVELS, "mix"))
            if isinstance(child.value, str):  # `days: 30` means 30 puzzles, one for each day
                is_count = simple_name(key) == "day" and not has_levels and "puzzles" not in given
                return [(("puzzles",), False)] if is_count and child.value.isdigit() else found
            # If each entry of a list has a board size and a number of puzzles, the entries are levels. If the
            # key of the list is a word such as `days` or `weeks`, board sizes are enough. Without numbers of
            # puzzles, the puzzles of the book are divided evenly among the entries.
            entries = child.children
            is_calendar = not has_levels and not _CALENDAR.isdisjoint(simple_words(key))
            wanted = ("size",) if is_calendar else ("count", "size")
            are_levels = all(self._are_recipes(entries, {each}) for each in wanted)
            return [((LEVELS,), False)] if are_levels else found
        # The name of the key is unknown. Guess from its value, such as a page size, what the key means.
        if isinstance(child.value, str):
            if name_table().has_word(key, "title") and len(words) < 3:
                return [(("title",), False)]
            named = (path for path, pattern in _BY_VALUE.items() if pattern.fullmatch(child.value))
            return [(path, False) for path in named if self._fits(child, self.field(path), path)]
        # If each entry of a list has a board size or a number of paths, the entries must be levels.
        if isinstance(child.value, list) and self._are_recipes(child.value, {"size", "paths"}):
            return [((LEVELS,), False)]
        keys = {str(path[0]) for path in self._possible_paths(key, model, ())} & fields_of(model).keys()
        if keys - _LEVELS_OR_SERIES:
            return found
        # If all entries of a list or mapping look like levels, they are the levels of the book. The name of
        # the key that holds them does not matter.
        entries = child.value
        if isinstance(entries, dict):
            known = (self._targets(name, each, model, ()) for name, each in entries.items())
            entries = [] if any(known) else list(entries.values())
        if entries and self._are_recipes(entries):
            return [((LEVELS,), False)]
        return found

    def _plain(self, child: Node, field: Any, path: KeyPath) -> Any:
        # Any name is valid for a difficulty at this point, because the spec may define the name elsewhere.
        is_named = path[-1] == "difficulty" and path[0] == LEVELS
        return child.raw if is_named else super()._plain(child, field, path)

    def rename(self, node: Node, model: type[SpecModel], place: KeyPath) -> None:
        if node is self.root:
            self._group_mappings(node.value)
            self._group_columns(node.value)
        super().rename(node, model, place)

    def _rename(self, node: Node, model: type[SpecModel], place: KeyPath, key: str, child: Node) -> None:
        is_format = _IMAGE_FORMAT.fullmatch(key.rpartition(" ")[2])
        if is_format and name_table().yes_or_no(str(child.value)) == "no":
            self.leave_out(child, "there are no images without `images`", key)
            return
        if place in ((), ("page",), ("images",)):
            if self._take_theme_key(key, child):
                return
            if isinstance(child.value, dict) and key not in fields_of(model):
                # In `lines: {thickness: 2pt}`, neither "lines" nor "thickness" means a key of the theme, but
                # "lines thickness" does. So look up each inner key together with the outer key.
                is_theme = not place and ("theme",) in self._possible_paths(key, model, place)
                unknown = {
                    name: each
                    for name, each in child.value.items()
                    if not self._take_theme_key(f"{key} {name}", each)
                    and not (is_theme and self._take_theme_key(name, each))
                }
                theme_keys = fields_of(ThemeKeys)
                if is_theme and not any(
                    accepts(theme_keys.get(name), each.raw) for name, each in unknown.items()
                ):
                    for name, each in unknown.items():
                        why = (
                            name_table().refusal(name, "style")
                            or name_table().refusal("line color", "")
                            or ""
                        )
                        self.leave_out(each, why, name)
                    unknown = {}
                if child.value and not unknown:
                    return
                child = replace(child, value=unknown)
        if not place and isinstance(child.value, dict) and self._is_merged(child):
            self.note(child, f"`{key}` is read", "where `<<` names it")
            self._used_keys += child.value.values()
            return
        is_pdf = not place and str(child.value).lower().endswith(".pdf")
        if is_pdf and ("solutions",) in self._possible_paths(key, model, place):
            child = replace(child, value="file", was=f"`{key}: {child.value}`")
        is_folder = isinstance(child.value, str) and re.search(r"[/\\]", child.value)
        names_folder = (
            not place and isinstance(child.value, str) and _IMAGE_FOLDER.fullmatch(simple_name(key))
        )
        if names_folder or (
            is_folder and simple_name(key) in ("image", "png") and place in ((), ("images",))
        ):
            self.note(
                child,
                f"the folder in `{key}: {child.value}` is left out:",
                name_table().refusal("folder", "") or "",
            )
            child = replace(child, value="png", name="format", spread=True, was=f"`{key}: {child.value}`")
            key = "images" if not place else "format"
        if isinstance(child.value, list) and name_table().refusal(key, ""):
            # In `formats: [pdf, png]` the PDF is the book, and PNG is the format of the images.
            others = [each for each in child.value if str(each.value).lower() != "pdf"]
            child = replace(child, value=others or child.value)
            # In `outputs: [{format: pdf}, {format: png, dpi: 300}]`, only the mapping with PNG is about
            # images. Move such mappings to the key `images`.
            mappings = [each for each in child.value if isinstance(each.value, dict)]
            sets = [each for each in mappings if _IMAGE_FORMAT.search(short_text(each.raw))]
            if sets and not place:
                child.value = [each for each in child.value if each not in sets]
                self._rename(node, model, (), "images", replace(child, value=sets))
                if not child.value:
                    return
        if not place and (books := self._books(key, child)):
            rest = ", ".join(short_text(book.value.get("title", book).raw) for book in books[1:])
            self.add_problem(books[1], f"{key}: {rest}", _ONE_BOOK, ())
            self._used_keys += [each for book in books[1:] for each in book.value.values()]
            around = [keys for keys in self._source.value.values() if isinstance(keys, dict)]
            for title, inner in books[0].value.items():
                # With `<<: *defaults`, YAML copies the keys of another mapping into the book. Skip these
                # copies, because the other mapping is read as well.
                if not any(keys.get(title) == inner.raw for keys in around):
                    self._rename(node, model, place, title, inner)
            return
        if not place and isinstance(child.value, dict) and name_table().refusal(key, ""):
            child = self._without_pdf_names(child)
            text = " ".join([*child.value, short_text(child.raw)])
            if _IMAGE_FORMAT.search(text) and self._is_wrapper(key, child, model, place):
                child = self._without_images(child)
        super()._rename(node, model, place, key, child)

    def _is_merged(self, child: Node) -> bool:
        """Return whether a mapping only exists to be copied into levels by YAML's merge key ``<<``."""
        of_level = (self._are_recipes([child.child({name: each})]) for name, each in child.value.items())
        if "<<" not in (self._source.text or "") or not all(of_level):
            return False
        places = Counter(each.place for each in _nodes(tree_of(self._source)))
        return bool(child.value) and all(places[each.place] > 1 for each in child.value.values())

    def _take_theme_key(self, key: str, child: Node) -> bool:
        """Store the value of a key for the theme, if the key sets a colour or a line width.

        A colour is written like ``#5A5A5A``, or is the name of a colour. A width without a unit is in points.

        Returns:
            Whether the value was stored.
        """
        path, value = name_table().theme_key(key), str(child.value)
        if path is None or key in fields_of(self._model):
            return False
        if str(path[-1]).endswith("_pt"):
            try:
                value = trimmed(parse_length(value if re.search("[a-z]$", value) else f"{value}pt"), 2)
            except ValueError:
                return False
        elif ink := name_table().colour(value):
            value = ink
        elif not _COLOUR.fullmatch(value):
            return False
        self._theme_keys[path] = replace(child, value=value, was=f"`{key}: {child.value}`")
        return True

    def _add_theme_keys(self) -> None:
        """Add the user's colours and widths of lines to the theme."""
        theme = self.root.value.get("theme")
        if not self._theme_keys or (theme and not isinstance(theme.value, str)):
            return
        keys: dict[str, Any] = {"base": theme or Node("classic", self.root.place, name="base")}
        for path, child in self._theme_keys.items():
            outer, *inner = map(str, path)
            around = keys if not inner else keys.setdefault(outer, Node({}, child.place, name=outer)).value
            around[inner[-1] if inner else outer] = child
        self.root.value["theme"] = replace(keys["base"], value=keys, was="", name="theme", key_place=None)

    def _books(self, key: str, child: Node) -> list[Node]:
        """Return the books in a list such as ``volumes: [{title: A, mix: …}, {title: B, mix: …}]``.

        Return an empty list if the value is no list of books, or if the spec itself has a title.
        """
        books = child.children
        is_named = name_table().same_words(key)[-1:] in (("volume",), ("book",))
        if not is_named or len(books) < 2:
            return []
        are_titled = all(self._has_title(each.keys) for each in books)
        return books if are_titled and not self._has_title(self._source.value) else []

    def _has_title(self, keys: Iterable[str]) -> bool:
        return any(("title",) in self._possible_paths(key, self._model, ()) for key in keys)

    def _without_pdf_names(self, child: Node) -> Node:
        """Report each key that names a PDF file, in a mapping such as ``output: {cover: x.pdf}``.

        Users can't name these files, because linkpress names them itself. Return the mapping without the
        reported keys. A key that names the file for the solutions is not reported, and stays in the mapping.
        """
        kept = {}
        for name, inner in child.value.items():
            is_pdf = str(inner.value).lower().endswith(".pdf")
            if is_pdf and ("solutions",) not in self._possible_paths(name, self._model, ()):
                self.add_problem(inner, f"{name}: {inner.value}", _PDF_NAMES, ())
                self._used_keys.append(inner)
            else:
                kept[name] = inner
        return replace(child, value=kept)

    def _without_images(self, child: Node) -> Node:
        """Move the keys about images from a mapping such as ``output: {format: png}`` to the key ``images``.

        Return the mapping without these keys.
        """
        fields, are_images = fields_of(ImagesSpec), False
        parts = {}
        for name, inner in child.value.items():
            found = self._targets(name, inner, ImagesSpec, ("images",))
            is_image = any(path[0] == "images" and path[-1] in fields for path, _ in found)
            are_images |= is_image and name_table().yes_or_no(str(inner.value)) != "no"
            if is_image or name_table().refusal(name, "images"):
                parts[name] = inner
        if not are_images:
            return child
        images = Node({}, child.place, child.key_place, "images")
        for name, inner in parts.items():
            self._rename(images, ImagesSpec, ("images",), name, inner)
        super()._rename(self.root, self._model, (), "images", images)
        return replace(child, value={name: each for name, each in child.value.items() if name not in parts})

    def _group_mappings(self, keys: dict[str, Node]) -> None:
        """Collect mappings such as ``Level 1: {...}`` and ``Level 2: {...}`` under the key ``levels``."""
        unknown = {key: child for key, child in keys.items() if key not in fields_of(self._model)}
        levels = {
            key: child
            for key, child in unknown.items()
            if isinstance(child.value, dict)
            and not (name_table().is_wrapper(key) or self._targets(key, child, self._model, ()))
            and self._are_recipes([child], _ABOUT_BOARDS)
        }
        shared = set.intersection(*(set(each.value) for each in levels.values())) if len(levels) > 1 else ()
        if LEVELS not in keys and len(shared) > 1:
            for key in levels:
                del keys[key]
            keys[LEVELS] = replace(next(iter(levels.values())), value=levels, name=LEVELS)

    def _group_columns(self, keys: dict[str, Node]) -> None:
        """Turn keys such as ``sizes: {easy: 7, hard: 9}`` into a level for each difficulty.

        The values may also be lists, as in ``level_names: [Calm, Storm]`` and ``level_sizes: [7, 9]``.

        No levels are made if the spec has the key ``mix``, which gives a number of puzzles for each
        difficulty. The values are then settings of these difficulties, such as the size of their boards.
        """
        columns = {key: found for key, child in keys.items() if (found := self._column(key, child))}
        lists = {key: column for key, column in columns.items() if isinstance(keys[key].value, list)}
        kinds, lengths = {kind for kind, _ in lists.values()}, {len(cells) for _, cells in lists.values()}
        # A list such as [5, 7] may be a range, or may have one value for each level. Several lists of equal
        # length have values for the levels if the lists have more than two values, or if one of the lists
        # contains names of levels or numbers of puzzles.
        are_levels = len(lists) > 1 and len(lengths) == 1 and (max(lengths) > 2 or kinds & {"name", "count"})
        groups: dict[str, dict[str, Node]] = {}
        for key, (kind, cells) in columns.items():
            if key in lists and not are_levels:
                continue
            for name, cell in cells.items():
                group = groups.setdefault(name, {})
                group[kind] = replace(cell, key_place=None, name=kind)
                if cell.name.lower() != name and isinstance(keys[key].value, dict):
                    group["title"] = replace(cell, value=cell.name, key_place=None, name="title")
            self.note(keys.pop(key), f"`{key}` is read as", f"the `{kind}` of each level")
        self._add_levels(groups)

    def _column(self, key: str, child: Node) -> tuple[str, dict[str, Node]] | None:
        """Read a key with one value for each level, such as ``sizes: {easy: 7, hard: 9}``.

        Returns:
            The key of a level that the user's key means, such as ``size``; and a dict with its values. The
            keys of the dict are names of difficulties, or indices of levels as text. Return None if the
            user's key does not have a value for each level.
        """
        if isinstance(child.value, dict):
            cells = child.value
        elif isinstance(child.value, list) and len(child.value) > 1:
            cells = {str(number): each for number, each in enumerate(child.value)}
        else:
            return None
        is_own = key in fields_of(self._model) and key not in GROUPS
        if is_own or not cells or not all(isinstance(each.value, str) for each in cells.values()):
            return None
        kinds = [str(path[1]) for path, _ in name_table().targets(key, [LEVELS]) if path[1:] in _COLUMNS]
        kind = kinds[0] if kinds else "name" if key == LEVELS else ""
        if isinstance(child.value, dict):  # a mapping from difficulties to numbers of puzzles is a mix
            cells = {self._scale_name(name): each for name, each in cells.items()}
            are_shares = all(_SHARE.fullmatch(each.value) for each in cells.values())
            is_mix = kind == "count" or (kind == "difficulty" and are_shares)
            if is_mix or not cells.keys() <= _SCALE:
                return None
        return (kind, cells) if kind else None

    def _add_levels(self, groups: Mapping[str, dict[str, Node]]) -> None:
        """Store levels that were found in the user's keys, as one group.

        Later, ``arrange`` decides whether a group lists the sections of the book or defines difficulties.

        Args:
            groups: maps the name or number of each level to the keys of the level.
        """
        node = next((node for keys in groups.values() for node in keys.values()), None)
        if node is not None:
            rows = {name: replace(node, value=keys, name=name) for name, keys in groups.items()}
            entries = list(rows.values()) if all(map(str.isdigit, rows)) else rows
            self._typed.append((LEVELS, replace(node, value=entries, name=LEVELS)))

    def put(self, node: Node, path: KeyPath, child: Node) -> bool:
        if path == ("images",) and isinstance(child.value, list) and self._fits(child, None, path):
            child, *others = child.value
            for other in others:
                found = short_text(other.raw)
                self.add_problem(other, found, _ONE_SET.format(options=self._export_options(other)), path)
        if node is self.root and path in (("front", "text"), ("back", "text")) and path[0] in node.value:
            pages = node.value[str(path[0])]
            if isinstance(pages.value, dict):
                pages.value = [pages.child(pages.value)]
            if isinstance(pages.value, list):
                pages.value.append(child.child({"text": child}))
                return True
        if node is self.root and path[0] in GROUPS:
            if len(path) == 1:
                self._typed.append((str(path[0]), child))
            elif len(path) > 2:  # the key is inside a value, as `min` is in `size: {min: 5, max: 9}`
                parts = Node({}, child.place, child.key_place, child.name)
                parts = self._defaults.setdefault(str(path[1]), parts)
                if not isinstance(parts.value, dict):
                    self.leave_out(child, f"`{path[1]}` is given too")
                    return True
                return super().put(parts, path[2:], child)
            else:
                old = self._defaults.get("per_page")
                if path[1] == "per_page" and old and isinstance(old.value, dict):
                    # The old value has the rows and columns of puzzles on a page. The new value is the number
                    # of puzzles on a page. Use the new one, and say in a note that the old one is left out.
                    for part in old.value.values():
                        self.leave_out(part, "`per_page` is given too")
                    del self._defaults["per_page"]
                return self._defaults.setdefault(str(path[1]), child) is child
            return True
        return super().put(node, path, child)

    def _export_options(self, images: Node) -> str:
        """Return the options of ``linkpress export`` that have the same effect as an ``images`` mapping."""
        self.rename(images, ImagesSpec, ("images",))
        self._convert(images, ImagesSpec, ("images",))
        pixels = _pixels(images.value.get("width"))
        given = images.value | ({"width": images.child(f"{pixels}px")} if pixels else {})
        options = [key for key in ("width", "dpi", "mode", "what") if key in given]
        return "".join(f" --{key} {short_text(given[key].raw).replace(' ', '')}" for key in options)

    def arrange(self) -> None:
        """Store sections, difficulties and numbers of puzzles under linkpress's keys, not the user's."""
        convert_pixels(self.root.value.get("images"), "width", "in", 1)
        self._turn_page()
        self._choose_printer()
        self._group_flat_keys()
        groups = []
        while self._typed:
            key, node = self._typed.pop(0)
            if self._is_around_groups(node):
                self._group_columns(node.value)
                for name, child in node.value.items():
                    self._rename(self.root, self._model, (), name, child)
                continue
            found = self._group(key, node)
            if isinstance(found, _Group):
                groups.append(found)
        wanted = {simple_name(name) for name in self.keys_of("mix")}
        if not any(wanted & _names(entry) for group in groups for entry in group.entries):
            wanted = {simple_name(self._scale_name(name)) for name in self.keys_of("mix")}
        sections, definitions = self._sort(groups, wanted)
        known = self._definitions(definitions)
        entries = [entry for group in sections for entry in group.entries]
        if not known:
            self._name_ranks(entries)
        self._spread_per_page([*entries, *known.values()])
        self._read_pairs([*entries, *known.values()])
        for entry in entries:
            self._complete(entry, known)
        self._share_out(entries)
        if (mix := self.root.value.get("mix")) is not None and isinstance(mix.value, dict):
            names = {name: known[simple_name(name)].name for name in mix.value if simple_name(name) in known}
            mix.value = self._sum_mix(
                (names.get(name, self._scale_name(name)), each) for name, each in mix.value.items()
            )
        if sections:
            first = sections[0].node
            is_daily = not _CALENDAR.isdisjoint(simple_words(first.name)) or sections[0].are_single
            if is_daily and not sections[0].has("count"):
                self.root.value.setdefault("puzzles", self._changed(first, str(len(entries))))
            self.root.value[LEVELS] = Node(entries, first.place, first.key_place, first.name)
        total = self.root.value.get("puzzles")
        if total and simple_name(total.name) in _POSITIONS and entries and sections[0].has("count"):
            # The levels already have numbers of puzzles, so `number: 12` must be the number of the volume.
            self.put(self.root, ("volume",), replace(self.root.value.pop("puzzles"), moved=True))
        if known:
            first = definitions[0].node
            unique = {entry.name: entry for entry in known.values()}
            self.root.value["difficulties"] = Node(unique, first.place, first.key_place, first.name)
        default = self._defaults.get("difficulty")
        if default is not None and simple_name(default.value) not in known:
            plain = self._scale_words(default.value)
            if plain != default.value:
                self._defaults["difficulty"] = self._changed(default, plain)
        self._spread_defaults(entries or self._only_level(known), known)
        for entry in {id(each): each for each in known.values()}.values():
            self._convert(entry, LevelSpec, (LEVELS,))

    def _turn_page(self) -> None:
        """Combine a key such as ``orientation: landscape`` with the page size, as in ``A4 landscape``.

        The key ``landscape: yes`` means the same.
        """
        page, path = self.keys_of("page"), ("page", "trim")
        mappings: list[tuple[KeyPath, dict[str, Node]]] = [((), self.root.value), (("page",), page)]
        for place, mapping in mappings:
            # Look up only unknown keys. Most books have none, and loading the name table takes 60 ms.
            unknown = (each for each in mapping if self.field((*place, each)) is None)
            ways = ((each, _orientation(each, str(mapping[each].value))) for each in unknown)
            key, way = next((found for found in ways if found[1]), ("", None))
            trim = page.get("trim")
            turned = f"{trim.value} landscape" if trim else ""
            if not way:
                continue
            if way == "landscape" and not (trim and self._fits(trim.child(turned), self.field(path), path)):
                continue
            now = f"`page.trim: {turned}`" if way == "landscape" else "the usual way up"
            self.note(mapping[key], f"`{key}: {mapping[key].value}` is read as", now)
            del mapping[key]
            if trim and way == "landscape":
                page["trim"] = replace(trim, value=turned)

    def _choose_printer(self) -> None:
        """Replace a printer and a binding by one profile, such as the profile of Lulu's coil-bound books."""
        keys = self.keys_of("page")
        if {"printer", "binding"} <= keys.keys():
            printer, binding = keys["printer"], keys["binding"]
            both = f"{printer.value} {binding.value}"
            if plain := name_table().value(both, "page.printer"):
                del keys["binding"]
                keys["printer"] = self._changed(printer, plain)
                self.note(binding, f"{binding.text} is read as", f"`page.printer: {plain}`")

    def _group_flat_keys(self) -> None:
        """Make a level for each difficulty in the names of keys, as in ``easy_count`` and ``hard_count``."""
        root = self.root.value
        groups: dict[str, dict[str, Node]] = {}
        for key in [key for key in root if key not in fields_of(self._model)]:
            parts = {part: self._scale_name(part) for part in re.findall(r"[^\W_]+", key)}
            scale = [part for part, name in parts.items() if name in _SCALE]
            rest = " ".join(part for part in parts if part not in scale)
            # True for a key such as `very_hard`, in which all words together name a difficulty.
            is_name = self._scale_name(key) in _SCALE
            is_text = isinstance(root[key].value, str) and (
                _SHARE.fullmatch(root[key].value) or (rest and not is_name)
            )
            if len(scale) == 1 and is_text:
                groups.setdefault(scale[0], {})[rest or "count"] = root.pop(key)
        self._add_levels(groups)

    def _is_around_groups(self, node: Node) -> bool:
        """Return whether a mapping is only a wrapper around the keys that list the puzzles of a book.

        For example, in ``puzzles: {levels: [...]}`` the mapping is a wrapper around the key ``levels``. The
        keys in a wrapper are read as if they were at the top of the spec.
        """
        names = {
            name
            for name, child in node.keys.items()
            if isinstance(child.value, (dict, list)) or self._plain_mix(child) is not child
        }
        if len(names) > 1 and self._are_recipes(node.value.values(), _ABOUT_BOARDS):
            # Each value in this mapping describes a level. So the names in the mapping are the names of
            # levels, even if some of them look like keys of the spec, and the mapping is no wrapper.
            return False
        keys = [str(path[0]) for name in names for path, _ in name_table().targets(name, [""])]
        return not {simple_name(key) for key in GROUPS}.isdisjoint(map(simple_name, [*keys, *names]))

    def _group(self, key: str, node: Node) -> _Group | None:
        """Return the list of sections or difficulties that the user wrote under one key.

        The value may be something else: a number of puzzles, a single difficulty, a named set of
        difficulties, or a mix (how many puzzles of each difficulty the book has). Then move it to the key of
        the spec where it belongs, and return None.
        """
        value = node.value
        if value is None:
            self.root.value.setdefault(node.name, node)
            return None
        if key == "mix" and not isinstance(value, dict) and (mix := self._plain_mix(node)) is not node:
            self._keep_mix(mix)
            return None
        if key == LEVELS and isinstance(value, str):  # a text with commas: `levels: easy, medium, hard`
            value = node.child([part.strip() for part in value.split(",")]).value
        if isinstance(value, str) and (levels := self._levels_of_text(value)):
            if (total := _TOTAL.match(value)) and key != "mix":
                self.root.value.setdefault("puzzles", replace(self._changed(node, total[1]), was=""))
            if all(level.keys() == {"difficulty", "count"} for level in levels):
                parts = ((each["difficulty"], node.child(each["count"])) for each in levels)
                self._keep_mix(self._changed(node, self._sum_mix(parts)))
                return None
            node = self._changed(node, levels)
            value = node.value
        if isinstance(value, str):
            # The value may be the user's word for a shipped set of difficulties, such as "Kids". Replace it
            # by the name of the set, such as "children".
            plain = name_table().value(value, key)
            if plain and plain != value:
                node, value = self._changed(node, plain), plain
            if key == "difficulties" and plain == "mixed":
                self.leave_out(node, "puzzles without a difficulty are a mix of easy, medium and hard")
                return None
            is_set = value in DIFFICULTY_SETS.names()
            if key == "difficulties" and not is_set and _is_difficulty(self._scale_words(value)):
                self._defaults.setdefault("difficulty", node)
            elif self.root.value.setdefault("puzzles" if value.isdigit() else key, node) is not node:
                self.root.value.setdefault(node.name, node)
            return None
        if any(isinstance(each.value, dict) for each in node.keys.values()):
            self._move_defaults(value)
            # Users may write keys of the whole book among the levels, such as `numbering: Week {n}`. Such a
            # key is recognised by its value: a text that names no difficulty.
            for name in [name for name, each in value.items() if self._is_no_level(name, each)]:
                self._rename(self.root, self._model, (), name, value.pop(name))
        named = node.keys.items() or [("", entry) for entry in value]
        are_scalars = not any(isinstance(each.value, (dict, list)) for _, each in named)
        if isinstance(value, dict) and are_scalars:
            if key in ("mix", "puzzles") and self._move_totals(value) and not value:
                return None
            are_shares = all(_SHARE.fullmatch(str(each.value)) for each in value.values())
            is_mix = key == "mix" or are_shares
            if self._is_recipe(value) and not (
                key == "mix" and are_shares and fields_of(LevelSpec).keys().isdisjoint(value)
            ):
                named = [("", node)]
            elif is_mix:
                node.value = {name: _as_share(each) for name, each in value.items()}
                self._keep_mix(node)
                return None
        named = [(name, each) for name, entry in named for each in self._levels_in(entry)]
        entries = []
        for name, entry in named:
            inner = list(entry.keys.items())
            if not name and len(inner) == 1 and isinstance(inner[0][1].value, dict):
                name, entry = inner[0]
            if isinstance(entry.value, str):
                levels = self._levels_of_text(entry.value) or [{"difficulty": entry.value}]
                entry = entry.child(levels[0])
            if isinstance(entry.value, dict):
                self.rename(entry, LevelSpec, (LEVELS,))
                if name and "name" not in entry.value:
                    words = words_of_name(name) if re.fullmatch("[a-z0-9]+(_[a-z0-9]+)+", name) else name
                    entry.value["name"] = Node(words, entry.place, entry.key_place, "name", spread=True)
                entry.name = name
                entries.append(entry)
        group = _Group(key, node, entries)
        if group.are_in_lists:
            for entry in entries:
                entry.value["count"] = Node("1", entry.place, name="count")
        counts = [entry.value["count"] for entry in entries if "count" in entry.value]
        are_in_order = [each.value for each in counts] == [str(each + 1) for each in range(len(entries))]
        if len(counts) > 1 and are_in_order and simple_name(counts[0].name) in _POSITIONS:
            for entry, count in zip(entries, counts, strict=True):
                entry.value.setdefault("name", replace(self._changed(count, count.value), name="position"))
                del entry.value["count"]
        self._find_by_values(entries, "size", _SIDES)
        self._find_by_values(entries, "solids", _SOLID_SHARE)
        self._find_by_values(entries, "count", _WHOLE)
        if not entries and value:  # keep a wrong value, such as a list of lists, so that it is reported later
            self.root.value.setdefault(node.name, node)
        return group

    def _levels_in(self, entry: Node) -> list[Node]:
        """Return the levels in a group such as ``{label: Easy, boards: [{size: 6}, {size: 7}]}``.

        Each level also gets the other keys of the group. If the group has no list of boards, it is a level
        itself.
        """
        if isinstance(entry.value, list):
            return entry.value if self._are_recipes(entry.value) else [entry]
        keys = entry.keys
        lists = [
            key
            for key, each in keys.items()
            if isinstance(each.value, list) and each.value and self._are_recipes(each.value, {"size"})
        ]
        if len(lists) != 1:
            return [entry]
        if len(keys[lists[0]].value) > 1:
            self.note(keys[lists[0]], f"each entry of `{lists[0]}` becomes", "a level of its own")
        around = {key: each for key, each in keys.items() if key != lists[0]}
        return [
            replace(
                each, value={key: replace(other, spread=True) for key, other in around.items()} | each.value
            )
            for each in keys[lists[0]].value
        ]

    def _is_no_level(self, name: str, child: Node) -> bool:
        if not isinstance(child.value, str):
            return False
        value = self._scale_words(child.value)
        return not (_is_difficulty(value) or self._scale_name(name) in _SCALE)

    def _move_defaults(self, keys: dict[str, Node]) -> None:
        """Move the user's key for the number of puzzles per page to the default values of all levels.

        Args:
            keys: maps the name of each level to the level. The user may have written the number of puzzles
                per page as one more key of this mapping.
        """
        for name, child in list(keys.items()):
            paths = [path for path, _ in name_table().targets(name, [LEVELS]) if path[1:] == ("per_page",)]
            if paths and isinstance(child.value, str) and self._fits(child, self.field(paths[0]), paths[0]):
                self._defaults.setdefault("per_page", keys.pop(name))

    def _move_totals(self, keys: dict[str, Node]) -> bool:
        """Move the total number of puzzles out of a mix such as ``{easy: 4, hard: 2, total: 6}``.

        The total is moved to the top of the spec. A mapping with a total can also have keys that are not
        shares of the mix, such as the board size. These keys become defaults of all levels.

        Returns:
            Whether the mix has a total.
        """
        totals = [name for name in keys if ("puzzles",) in dict(name_table().targets(name, [""]))]
        if len(totals) == 1:
            self._rename(self.root, self._model, (), totals[0], keys.pop(totals[0]))
            for name in [name for name in keys if name in DEFAULTS]:
                self._defaults.setdefault(name, keys.pop(name))
        return len(totals) == 1

    def _name_ranks(self, entries: list[Node]) -> None:
        """Replace numbers by names of difficulties: 1 by easy, 2 by medium, and so on.

        This is only done if every level's difficulty is one of the numbers that stand for a name, and if
        at least two levels differ.
        """
        ranks = [str(entry.value["difficulty"].value) for entry in entries if "difficulty" in entry.value]
        if len(set(ranks)) > 1 and all(re.fullmatch(f"[1-{len(Difficulty)}]", rank) for rank in ranks):
            for entry in entries:
                if (node := entry.value.get("difficulty")) is not None:
                    name = list(Difficulty)[int(node.value) - 1].value
                    entry.value["difficulty"] = self._changed(node, name)

    @staticmethod
    def _find_by_values(entries: list[Node], key: str, pattern: re.Pattern[str]) -> None:
        """Find an unknown key of the levels by its values, and rename it to ``key``.

        The values must match a pattern, and no other unknown key may have such values. For example,
        ``replicas: 20`` can become the number of puzzles.
        """
        known = fields_of(LevelSpec).keys() | {"id", "pages", "mix"}
        unknown: dict[str, list[str]] = {}
        for entry in entries:
            for name in entry.value.keys() - known:
                unknown.setdefault(name, []).append(str(entry.value[name].value))
        found = [
            name
            for name, values in unknown.items()
            if all(map(pattern.fullmatch, values))
            and set(values) != {"0"}
            and not name_table().refusal(name, LEVELS)
            and (key != "count" or len(values) == len(entries))
        ]
        if len(found) == 1 and not any(entry.value.keys() & {key, "pages", "mix"} for entry in entries):
            for entry in entries:
                if found[0] in entry.value:
                    entry.value[key] = entry.value.pop(found[0])

    def _keep_mix(self, mix: Node) -> None:
        if self.root.value.setdefault("mix", mix) is not mix:
            self.leave_out(mix, "`mix` is given too")

    def _plain_mix(self, node: Node) -> Node:
        """Read a mix of difficulties that is a list, a mapping or a text in any language.

        If the value can't be read as a mix, it is returned unchanged. The problem is reported later.
        """
        mix: dict[str, str] = {}
        if isinstance(node.value, list) and all(isinstance(each.value, str) for each in node.value):
            names = [self._scale_name(each.value) for each in node.value]
            mix = dict.fromkeys(names, f"1/{len(set(names))}")
        elif isinstance(node.value, dict):
            with suppress(InvalidError):
                mix = sum_parts(
                    (self._scale_name(name), _as_share(each).raw) for name, each in node.value.items()
                )
        elif isinstance(node.value, str):
            words = re.sub(r"[^\W\d_]+", lambda match: self._scale_name(match[0]), node.value)
            with suppress(InvalidError):
                mix = mix_of_text(words)
        return self._changed(node, mix) if mix and mix != node.raw else node

    def _sum_mix(self, parts: Iterable[tuple[str, Node]]) -> dict[str, Node]:
        """Return a mix in which each difficulty occurs only once.

        In the user's mix, several words may mean the same difficulty, for example ``easy`` and ``simple``.
        Then their numbers of puzzles are added. If they can't be added, because one is a share and the other
        is not, this is reported as a problem.
        """
        mix: dict[str, Node] = {}
        for name, part in parts:
            old = mix.setdefault(name, part)
            if old is part:
                continue
            try:
                total = sum_parts((name, each.raw) for each in (old, part))[name]
                mix[name] = replace(old, value=total, was=f"{old.was or old.text} with {part.text}")
                self._used_keys.append(part)
            except InvalidError:
                message = f"this means `{name}`, which line {old.place.line} gives too; keep one of them"
                self.add_problem(part, short_text(part.raw), message, ("mix", part.name))
        return mix

    def _levels_of_text(self, text: str) -> list[dict[str, str]]:
        """Read levels that are written in words, such as ``2 easy 5x5, 1 hard 9x9 with 8 paths``.

        A total before the levels, as in ``3 puzzles: 2 easy, 1 hard``, is skipped. Return an empty list if
        any other part of the text can't be read.
        """
        text = _TOTAL.sub("", text.strip()).removesuffix(")")
        levels: list[dict[str, str]] = []
        for part in re.split(r"[,;\n+&]+| (?:and|und|et|y|e|en) ", text):
            level: dict[str, str] = {}
            number = ""
            for token in re.findall(r"[0-9]+ ?[x×] ?[0-9]+|[0-9]+(?:\.[0-9]+)?(?: ?%)?|[^\W\d_]+|\S", part):
                if _SIDES.fullmatch(token):
                    level["size"] = token
                elif token[0].isdigit():
                    if number:
                        return []
                    number = token
                elif (name := self._scale_name(token)) in _SCALE:
                    level |= {"difficulty": name} | ({"count": number} if number else {})
                    number = ""
                elif number and (key := self._counted_key(token)):
                    level[key], number = number, ""
                elif not (name_table().is_filler(token) or name_table().has_word(token, "puzzle")):
                    return []
            if number:
                level.setdefault("count", number)
            if levels and level.keys().isdisjoint({"count", "difficulty"}):
                # This part of the text says more about the level before it, as "5% solid" does in
                # "2 hard with 8 paths and 5% solid".
                levels[-1] |= level
            elif "count" in level and not level.keys().isdisjoint({"difficulty", "size"}):
                levels.append(level)
            else:
                return []
        return levels

    def _counted_key(self, word: str) -> str:
        """Return the key of a level that is meant by the word after a number, as in "8 paths".

        The result is empty if the word means neither ``paths`` nor ``solids`` nor ``count``.
        """
        paths = (path[1:] for path, _ in name_table().targets(word, [LEVELS]))
        return next((str(path[0]) for path in paths if path in (("paths",), ("solids",), ("count",))), "")

    def _are_recipes(self, entries: Iterable[Node], wanted: Set[str] | None = None) -> bool:
        return all(isinstance(each.value, dict) and self._is_recipe(each.value, wanted) for each in entries)

    def _is_recipe(self, value: Mapping[str, Node], wanted: Set[str] | None = None) -> bool:
        """Return whether a mapping has at least one key that describes a level.

        A key whose value is a font size, such as ``size: 11pt``, is ignored.

        Args:
            value: the mapping.
            wanted: the keys of a level to look for; None for all of them.
        """
        table, level_keys = name_table(), wanted or fields_of(LevelSpec).keys()
        return any(
            key in level_keys
            or any(not wanted or path[1] in wanted for path, _ in table.targets(key, [LEVELS]))
            for key, each in value.items()
            if not _TYPE.fullmatch(str(each.value))
        )

    @staticmethod
    def _sort(groups: list[_Group], mix: Set[str]) -> tuple[list[_Group], list[_Group]]:
        """Separate lists of sections from lists of difficulties.

        An entry is a section if it has a number of puzzles, or names a difficulty that another list defines.
        An entry that defines a difficulty has keys about boards instead, such as their size and number of
        paths.

        Args:
            groups: the lists, in the order of the file.
            mix: the normalized names of the difficulties in the mix, if the spec has one.
        Returns:
            The lists of sections, and the lists of difficulties.
        """
        groups = [group for group in groups if group.entries]
        names = {id(group): {name for entry in group.entries for name in _names(entry)} for group in groups}
        sections: list[_Group] = []
        definitions: list[_Group] = []
        for group in groups:
            others = set().union(*(names[id(other)] for other in groups if other is not group), set())
            refers = any(
                simple_name(entry.value[key].value) in others
                for entry in group.entries
                for key in ("difficulty", "name")
                if key in entry.value and isinstance(entry.value[key].value, str)
            )
            has_counts = group.has("count", "pages", "from") or group.are_single
            is_section = has_counts or (
                group.key == LEVELS and not (mix and (mix <= names[id(group)] or names[id(group)] <= mix))
                if len(groups) == 1
                else refers and not group.has("size", "paths")
            )
            (sections if is_section else definitions).append(group)
        return sections, definitions

    def _definitions(self, groups: Iterable[_Group]) -> dict[str, Node]:
        """Return the definitions of difficulties by their names.

        The keys ``id``, ``name``, ``title`` and ``difficulty`` can all name a difficulty, so a definition may
        have several names. Names are normalized, so that case and plurals don't matter.
        """
        known: dict[str, Node] = {}
        for entry in (entry for group in groups for entry in group.entries):
            keys = entry.value
            names = _names(entry)
            name = next((keys.pop(key) for key in ("id", "name", "difficulty") if key in keys), None)
            name = name or keys.get("title")
            text = str(name.value) if name else str(len(known) + 1)
            self._used_keys += [name] if name else []
            if "name" in keys:
                keys.setdefault("title", keys.pop("name"))
            keys.pop("pages", None)
            if not keys.keys() & _ABOUT_BOARDS and self._scale_name(text) in _SCALE:
                keys["difficulty"] = replace(entry, value=self._scale_name(text), name="difficulty")
            entry.name = text
            known |= dict.fromkeys(names, entry)
            known.setdefault(simple_name(text), entry)
        return known

    def _complete(self, entry: Node, known: Mapping[str, Node]) -> None:
        """Fill in a section's name, difficulty and number of puzzles from its other keys.

        Args:
            entry: the keys of the section.
            known: maps normalized names to the difficulties that the spec defines.
        """
        keys = entry.value
        identity, pages = keys.pop("id", None), keys.pop("pages", None)
        if identity and not {"name", "title"} & keys.keys():
            keys["name"] = identity
        # A level without a number of puzzles and without boards only changes a level of the base spec. Then
        # the title is a new title of that level, and not the name of a new level.
        if "title" in keys and "name" not in keys and keys.keys() & {"count", "difficulty", "size", "from"}:
            keys["name"] = keys.pop("title")
        if "count" not in keys and pages and str(pages.value).isdecimal():
            per_page = keys.get("per_page")
            if per_page and str(per_page.value).isdecimal():
                keys["count"] = self._changed(pages, str(int(pages.value) * int(per_page.value)))
                keys["count"].was = f"`{pages.name}: {pages.value}` with `per_page: {per_page.value}`"
        elif pages:
            keys[pages.name] = pages
        refers = keys.get("difficulty")
        if refers and isinstance(refers.value, dict) and re.search("[%.]", short_text(refers.raw)):
            keys.setdefault("mix", keys.pop("difficulty"))
        if "mix" in keys:
            keys["mix"] = self._plain_mix(keys["mix"])
        if refers is None and "name" in keys and not {"size", "paths"} & keys.keys():
            name = keys["name"]
            if isinstance(name.value, str) and (
                simple_name(name.value) in known or self._scale_name(name.value) in _SCALE
            ):
                refers = keys["difficulty"] = Node(name.value, name.place, name.key_place, "difficulty")
        if refers is None or not isinstance(refers.value, str):
            return
        if (definition := known.get(simple_name(refers.value))) is not None:
            refers.value = definition.name
            return
        scale = self._scale_words(refers.value)
        if scale != refers.value:
            # A level with `difficulty: Very hard` or `level: Hard` also gets this text as its name.
            if refers.value.lower() != scale or name_table().has_word(refers.name, "level"):
                keys.setdefault("name", replace(refers, name="name", spread=True))
            keys["difficulty"] = refers = self._changed(refers, scale)
        if not _is_difficulty(scale) and "name" not in keys:
            keys["name"] = keys.pop("difficulty")
        elif not _is_difficulty(scale) and name_table().has_word(refers.name, "level"):
            self.leave_out(refers, "the level has a name")
            del keys["difficulty"]

    def _spread_per_page(self, entries: Iterable[Node]) -> None:
        """Move keys such as ``hard: 2 per page`` from the top of the spec to the level of that name."""
        path: KeyPath = (LEVELS, "per_page")
        for entry in entries:
            for key, child in list(self.root.value.items()):
                plain = replace(child, name="per_page") if isinstance(child.value, str) else None
                is_name = simple_name(key) in {simple_name(entry.name), *_names(entry)} - {""}
                if plain and is_name and self._fits(plain, self.field(path), path):
                    entry.value.setdefault("per_page", self.root.value.pop(key))

    def _read_pairs(self, entries: list[Node]) -> None:
        """Decide whether sizes such as ``[10, 14]`` mean width and height, or boards of two sizes.

        They mean width and height in all levels if any level has two equal numbers, such as ``[8, 8]``,
        because nobody lists the same size twice. They also mean width and height if the name of the key is in
        the singular, such as ``board_size``, and every level has two numbers.
        """
        sizes = [entry.value["size"] for entry in entries if "size" in entry.value]
        pairs = [size for size in sizes if isinstance(size.value, list) and len(size.value) == 2]
        are_equal = any(pair.value[0].raw == pair.value[1].raw for pair in pairs)
        are_sides = not any(pair.name == "size" or pair.name.endswith("s") for pair in pairs)
        if are_equal or (are_sides and len(pairs) == len(sizes)):
            for pair in {id(each): each for each in pairs}.values():
                pair.was = pair.was or pair.text
                pair.value = "x".join(str(side.raw) for side in pair.value)

    def _share_out(self, entries: list[Node]) -> None:
        """Divide the puzzles of the book among the levels by their weights, such as ``weight: 2``."""
        counts = [entry.value.get("count") for entry in entries]
        total = self.root.value.get("puzzles")
        weights = [each.value for each in counts if each and _is_weight(each.name)]
        are_numbers = all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", str(weight)) for weight in weights)
        is_whole = total and str(total.value).isdecimal()
        if is_whole and weights and len(weights) == len(entries) and are_numbers:
            shares = apportion(int(total.value), [Fraction(weight) for weight in weights])
            for entry, share in zip(entries, shares, strict=True):
                entry.value["count"] = self._changed(entry.value["count"], str(share))

    def settle(self) -> None:
        """Resolve values that depend on other values, such as percentages of squares.

        A percentage may mean solid squares or squares on paths. If the caller did not say which of the two is
        meant, a percentage of up to 50 % means solid squares. A percentage above 50 % is unclear, because few
        boards have so many solid squares. So it is reported as a problem.
        """
        seed = self.root.value.get("seed")
        word = seed.value if seed and isinstance(seed.value, str) else ""
        if seed and word.isalpha() and name_table().value(word, "seed"):
            self.leave_out(seed, _SEED_WORDS)
            del self.root.value["seed"]
        self._settle_lengths()
        self._add_theme_keys()
        answers = self.keys_of("solutions").get("place")
        if answers and answers.value == "after-section" and name_table().has_word(answers.was, "puzzle"):
            self.note(answers, "answers after each single puzzle are not available:", _ANSWERS)
        groups = [self.root.value[key] for key in GROUPS[:2] if key in self.root.value]
        entries = [each for group in groups for each in group.children if isinstance(each.value, dict)]
        self._add_sizes_to_names(entries)
        entries.append(self.root)
        for entry in {id(each): each for each in entries}.values():
            node = entry.value.get("solids")
            shares = re.findall(r"[0-9.]+", node.value) if node and str(node.value).endswith("%") else []
            if not (shares and (node.was or node.name != "solids")):
                continue
            if self._of_free:
                ends = sorted({100 - float(share) for share in shares})
                entry.value["solids"] = self._changed(node, "-".join(trimmed(end) for end in ends) + "%")
            elif self._of_free is None and float(shares[-1]) > _MOST_SOLID:
                share, rest = shares[-1], trimmed(100 - float(shares[-1]))
                message = (
                    f"{_TWO_MEANINGS} If {share}% of the squares are solid, write `solids: {share}%`; "
                    f"if {share}% are on paths, write `solids: {rest}%`"
                )
                self.add_problem(node, node.value, message, ("solids",))
                del entry.value["solids"]

    def _add_sizes_to_names(self, levels: Sequence[Node]) -> None:
        """Add the board size to names that several levels have, as in ``Easy 7 × 7``.

        Only copied names are changed: if the user gives a name to a group of levels or to a difficulty, every
        level of this group or difficulty gets a copy. If a level with a copied name has a difficulty but no
        board size, its name is deleted instead. linkpress then names the level after its difficulty.
        """
        for key in ("name", "title"):
            names = [level.value[key].raw for level in levels if key in level.value]
            for keys in (level.value for level in levels):
                name, size = keys.get(key), keys.get("size")
                if name is None or not name.spread or names.count(name.raw) == 1:
                    continue
                words = size_name(size.raw) if size else None
                if words:
                    keys[key] = self._changed(name, f"{name.value} {words}")
                elif "difficulty" in keys:
                    del keys[key]

    def _settle_lengths(self) -> None:
        """Calculate the inside margin, if the spec has a gutter and one margin for all sides.

        Some users use the word gutter for extra space at the spine, which is added to the margin. Others use
        it for the whole inside margin. If the gutter is narrower than the margin, it must be extra space, so
        the inside margin is the sum of both. A wider gutter is taken as the whole inside margin.
        """
        margins = self.keys_of("page").get("margins")
        sides = margins.keys if margins else {}
        inside, outside = sides.get("inside"), sides.get("outside")
        if inside and outside and outside.spread and not inside.spread:
            try:
                gutter, margin = parse_length(str(inside.value)), parse_length(str(outside.value))
            except ValueError:
                return  # reported later
            if gutter < margin and name_table().has_word(inside.name, "gutter"):
                both = self._changed(inside, f"{trimmed((gutter + margin) / 72, 4)}in")
                both.was = f"{both.was} beside `{outside.name}: {outside.value}`"
                sides["inside"] = both

    def _scale_words(self, text: str) -> str:
        return "-".join(self._scale_name(part) for part in _RANGE.split(text))

    @staticmethod
    def _scale_name(text: str) -> str:
        return (
            text.lower() if text.lower() in _SCALE else name_table().value(text, "levels.difficulty") or text
        )

    def _only_level(self, known: Mapping[str, Node]) -> list[Node]:
        """Add a level to a spec that has no levels, no mix and no list of difficulties.

        If the spec names a file of boards at its top, the level gets its boards from that file. If the spec
        has a difficulty at its top, but no number of puzzles, this is reported as a problem. The level then
        gets a usual number of puzzles, so that the rest of the spec can be checked.

        Args:
            known: the difficulties that the spec defines, by name. If there are any, no level is added.
        Returns:
            A list with the new level, or an empty list.
        """
        levels = fields_of(self._model).get(LEVELS)
        root = self.root.value
        if known or levels is None or not levels.is_required() or self._source.base is not None:
            return []
        if not {LEVELS, "mix", "difficulties"}.isdisjoint(root):
            return []
        file = next((key for key in root if simple_name(key) in _BOARD_FILES), None)
        if file is not None and re.search(r"[./\\]", str(root[file].value)):
            node = root.pop(file)
            keys = {"name": Node("Puzzles", node.place), "from": node}
            if "puzzles" in root:
                keys["count"] = root.pop("puzzles")
        elif "difficulty" in self._defaults and "puzzles" not in root:
            node = self._defaults["difficulty"]
            count = replace(node, value=_USUAL_COUNT, name="puzzles")
            count.was = f"{node.was or node.text} without `puzzles`"
            self.add_problem(node, "", _NO_COUNT, ("puzzles",))
            keys = {"count": count}
        else:
            return []
        entries = [Node(keys, node.place)]
        root[LEVELS] = Node(entries, node.place, node.key_place, LEVELS)
        return entries

    def _spread_defaults(self, sections: list[Node], known: Mapping[str, Node]) -> None:
        """Copy keys such as ``size`` from the top of the spec to each level and difficulty that lacks them.

        If the spec has a number of puzzles, but no levels and no mix, add one level with these keys.
        """
        size = self._defaults.get("size")
        kinds = sections or list(known.values())
        have_sizes = bool(kinds) and all("size" in each.value for each in kinds)
        if size and isinstance(size.value, dict) and have_sizes:
            # The user wrote rows and columns at the top of the spec, although every level has a board size of
            # its own. So they must mean rows and columns of puzzles on a page.
            self._defaults.setdefault("per_page", self._defaults.pop("size"))
        named = [each.value["difficulty"] for each in sections if "difficulty" in each.value]
        refers = {simple_name(str(each.value)) for each in named}
        entries = [*{id(each): each for each in known.values()}.values()]
        entries += [each for each in sections if not (known and refers & known.keys())]
        root = self.root.value
        from_mix = LEVELS not in root and not {"mix", "difficulties"}.isdisjoint(root)
        has_others = from_mix and not {simple_name(name) for name in self.keys_of("mix")} <= known.keys()
        for key, node in self._defaults.items():
            # A number of puzzles without sizes, numbers of paths or difficulties means the usual mix of
            # easy, medium and hard puzzles. If the spec sets one of these three for all levels, the puzzles
            # form a single level.
            is_level = not self._defaults.keys().isdisjoint(_ABOUT_BOARDS)
            if not entries and not from_mix and "puzzles" in root and is_level:
                count = root.pop("puzzles")
                keys = {"name": Node("Puzzles", node.place), "count": count}
                entries = [Node({"count": count} if "difficulty" in self._defaults else keys, node.place)]
                root[LEVELS] = Node(entries, node.place, node.key_place, LEVELS)
            lacking = [
                each
                for each in entries
                if key not in each.value and (key == "per_page" or "from" not in each.value)
            ]
            for entry in lacking:
                entry.value[key] = node
            if (from_mix or "puzzles" in root) and key in DEFAULTS and (has_others or not lacking):
                # There are no levels yet for some or all of the puzzles. linkpress will make them later, from
                # the mix of difficulties, or from the default mix if the spec only has a number of puzzles.
                # So keep the key at the top of the spec, where it applies to all levels.
                top = Node({key: node}, node.place)
                self._convert(top, LevelSpec, (LEVELS,))
                root.setdefault(key, top.value[key])
            elif not lacking and entries and key in DEFAULTS:
                self.leave_out(node, "every level has its own")
            # Either all levels have this key themselves, or there are no levels. So the key need not be moved
            # into any level, and it stays at the top of the spec.
            elif not lacking:
                root.setdefault(node.name if entries else key, node)


def _orientation(key: str, value: str) -> str | None:
    """Return ``portrait`` or ``landscape`` if a key says how the page is turned; None for other keys."""
    table = name_table()
    if table.is_orientation(key):
        return table.orientation(value)
    named, answer = table.orientation(key), yes_no(value)
    if not named or answer is None:
        return None
    return named if answer == "yes" else "portrait" if named == "landscape" else "landscape"


def _nodes(node: Node) -> Iterator[Node]:
    """Yield all values inside a mapping or list of a YAML document, at any depth."""
    for each in node.children:
        yield each
        yield from _nodes(each)


def _is_difficulty(text: str) -> bool:
    return set(text.split("-")) <= _SCALE or bool(_DIFFICULTY.fullmatch(text))


def _is_weight(name: str) -> bool:
    return name != "count" and (name_table().has_word(name, "weight") or name_table().is_share(name))


def _pixels(width: Node | None) -> int | None:
    """Return the number of pixels if a width is given in pixels, and None otherwise."""
    if width is None:
        return None
    unit = "px" if re.search("(?i)px|pixel", width.name) and str(width.value).isdigit() else ""
    return parse_pixels(f"{width.value}{unit}")


def convert_pixels(images: Node | None, key: str, unit: str, units_per_inch: float) -> None:
    """Convert the width of images from pixels to a length. The length is calculated from the resolution.

    If the document gives a width in pixels but no resolution, a resolution of 300 dpi is added.

    Args:
        images: the mapping that contains the width and the resolution; None if there is no such mapping.
        key: the key in this mapping that has the width.
        unit: the unit of the new width, such as ``mm``.
        units_per_inch: how many of these units make an inch.
    """
    keys = images.keys if images else {}
    width = keys.get(key)
    if width and (pixels := _pixels(width)):
        dpi = keys.setdefault("dpi", replace(width, value=_USUAL_DPI, name="dpi")).value
        if number := re.match("[0-9]+", str(dpi)):
            length = trimmed(pixels / int(number[0]) * units_per_inch, 4)
            keys[key] = replace(width, value=f"{length}{unit}", was=f"`{width.name}: {width.value}`")


def _as_share(node: Node) -> Node:
    share = isinstance(node.value, str) and re.fullmatch(r"0?\.[0-9]+", node.value)
    return replace(node, value=f"{trimmed(float(node.value) * 100)}%") if share else node


def _names(entry: Node) -> set[str]:
    keys = ("id", "name", "title", "difficulty")
    return {simple_name(str(entry.value[key].value)) for key in keys if key in entry.value}


_COLUMNS = [(key,) for key in ("size", "paths", "solids", "per_page", "count", "name", "difficulty")]
_GROUP_PATHS = [(key,) for key in GROUPS[1:]]
_ANY: Any = object()
