"""Translate the keys and values of a YAML document into linkpress's names and formats.

Users may write ``pageSize`` for ``page.trim``, or ``0.05`` for ``5%``. The document is compared with its
pydantic model, key by key:

- A key of the model with a valid value stays unchanged.
- Any other key is looked up in the table of other names.
- A value that is not valid is converted to other formats. The first valid format replaces it.

Each change adds a note, which the command ``check`` prints. An unknown key stays in the document. It is
reported later, when the document is validated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from linkpress.documents.models import SpecModel, annotation_of, fields_of, is_list, model_of, reader_of
from linkpress.documents.other_names import ENDS, LEVELS, name_table, simple_name, simple_words
from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Location,
    Problem,
    YamlSource,
    listed,
    printable,
)
from linkpress.documents.shipped_files import HoldsPaths, ShippedFiles, describe_file
from linkpress.documents.values import trimmed

# Users may write a text of a single line, such as a copyright notice, on several lines of the file. The lines
# of such a text are joined if it has fewer characters than this.
_NOTICE = 300
# A user who asks for a type size of at least this number of points probably wants a large-print book.
_LARGE_TYPE = 16
# These parts of a book are often larger than its text. So their type size does not show whether the user
# wants a large-print book.
_OTHER_TYPE = frozenset(["number", "digit", "numeral", "title", "heading", "caption", "puzzle", "clue"])
_UNITS = {
    "in": ("in", "inch", "inche", '"', "″", "”", "pulgada", "zoll", "pouce", "pollici", "polegada"),
    "mm": ("mm", "millimetre", "millimeter", "milimetro", "ミリ"),
    "cm": ("cm", "centimetre", "centimeter", "centimetro", "zentimeter"),
    "pt": ("pt", "point", "punkt"),
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words}
_CURRENCIES = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "円": "JPY", "฿": "THB"}
_ANY_TEXT = "Any text (this)"
_OPPOSITE = {"yes": "no", "no": "yes"}
# Keys of a level that may also be written at the top of a book's spec. There they apply to every level.
DEFAULTS = frozenset({
    "size", "paths", "solids", "per_page", "unique", "solid_pattern", "number_pattern", "apart",
    "shortest_path", "effort",
})  # fmt: skip
# These keys have a single value, but users may write a mapping instead. The value may then be under any of
# the inner keys that ``_VALUE_PARTS`` lists.
_ONE_OF_SEVERAL = frozenset(["page.numbers", "page.bleed", "page.binding", "page.paper", "solutions.place"])
_VALUE_PARTS = ("position", "place", "location", "type", "style", "size", "show", "enabled")
NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_LENGTH = re.compile(rf"({NUMBER}) ?([^\W\d]+|[\"″”])?")
_RECTANGLE = re.compile(
    rf"({NUMBER}) ?([^\W\d_x×X]+|[\"″”])? ?(?:[x×X*]|by|por|mal|par|per|bij) ?({NUMBER}) ?"
    r"([^\W\d]+|[\"″”])?"
)
# Matches a size in words, such as `6 wide by 8 high`.
_SIDES = re.compile(rf"({NUMBER}) ?([^\W\d]+)[ ,x×*]+(?:(?:by|and) )?({NUMBER}) ?([^\W\d]+)")
# Words after a page size that don't change it, as in `6x9 paperback`. Any other word might be a unit.
_NO_UNITS = frozenset(["book", "page", "paper", "size", "trim"])
_RANGE_WORDS = re.compile(
    r"(?<=[0-9%])\s*(?:\.\.[.=]?|–|—|~|〜|～|\bto\b|\bbis\b|\bhasta\b|\bà\b|\btot\b)\s*(?=[0-9.])"
)
# If a length has no unit, the number decides. A page side up to 12 is in inches, up to 45 in centimetres, and
# above 45 in millimetres. Any other length is in inches up to 3, and in millimetres above 3. But a margin
# above 30 is in points.
_MOST_INCHES, _MOST_CM, _MOST_MARGIN_INCHES, _MOST_MARGIN_MM = 12, 45, 3, 30


@dataclass(slots=True)
class Node:
    """Value in a YAML document, with its location in the file.

    Args:
        value: a string, None, a list of nodes, or a dict from keys to nodes.
        place: file, line and column of the value.
        key_place: file, line and column of the key; None for an item of a list.
        name: the key as the user wrote it.
        was: the key and the value as the user wrote them, for the note about the change; empty if the value
            is unchanged.
        spread: whether a more specific value for the same key may replace this value. True if the user gave
            the value for several keys at once, such as one length for all four margins. Also true if the
            value only switches a feature on, as in ``cover: yes``.
        moved: whether the key belongs to another mapping than the one in which the user wrote it.
    Attributes:
        keys: the entries of a mapping; empty for any other value.
        children: the values of a mapping, or the items of a list; empty for any other value.
        text: the key and the value as they are shown to the user, such as ``size: 7``.
    """

    value: Any
    place: Location
    key_place: Location | None = None
    name: str = ""
    was: str = ""
    spread: bool = False
    moved: bool = False

    @property
    def raw(self) -> Any:
        """The value as strings, lists and dicts, without the locations that nodes store."""
        if isinstance(self.value, dict):
            return {key: child.raw for key, child in self.value.items()}
        return [child.raw for child in self.value] if isinstance(self.value, list) else self.value

    @property
    def keys(self) -> dict[str, Node]:
        return self.value if isinstance(self.value, dict) else {}

    @property
    def children(self) -> list[Node]:
        return list(self.value) if isinstance(self.value, list) else list(self.keys.values())

    @property
    def entries(self) -> list[Node]:
        """The mappings in this node.

        If the node is a list, they are those items of the list that are mappings. If the node is a mapping
        itself, the result contains only this node.
        """
        nodes = self.value if isinstance(self.value, list) else [self]
        return [node for node in nodes if isinstance(node.value, dict)]

    @property
    def text(self) -> str:
        return f"`{self.name}: {short_text(self.raw)}`"

    def child(self, value: Any) -> Node:
        """Return a new node with the given value and this node's location in the file."""
        if isinstance(value, Mapping):
            value = {key: self.child(inner) for key, inner in value.items()}
        elif isinstance(value, list):
            value = [self.child(inner) for inner in value]
        return value if isinstance(value, Node) else replace(self, value=value)


def tree_of(source: YamlSource) -> Node:
    """Convert a YAML document to a tree of nodes that know their locations in the file."""

    def node(value: Any, path: KeyPath) -> Node:
        if isinstance(value, dict):
            value = {key: node(inner, (*path, key)) for key, inner in value.items()}
            # YAML's merge key, as in `<<: *defaults`, copies the keys of another mapping into this one.
            merged = value.get("<<")
            if merged is not None and isinstance(merged.value, dict):
                del value["<<"]
                value = merged.value | value
        elif isinstance(value, list) and (joined := _joined(value)):
            indexes = {key: (*path, index) for index, entry in enumerate(value) for key in entry}
            value = {key: node(inner, (*indexes[key], key)) for key, inner in joined.items()}
        elif isinstance(value, list):
            value = [node(inner, (*path, index)) for index, inner in enumerate(value)]
        name = str(path[-1]) if path else ""
        return Node(value, source.places[path], source.key_places.get(path), name)

    return node(source.value, ())


def _joined(entries: list[Any]) -> dict[str, Any] | None:
    """Join a list such as ``[{easy: 26}, {hard: 8}]`` to one mapping; return None for any other list."""
    are_single = len(entries) > 1 and all(isinstance(each, dict) and len(each) == 1 for each in entries)
    joined = {key: value for each in entries for key, value in each.items()} if are_single else {}
    are_numbers = all(re.fullmatch(f"{NUMBER} ?%?", str(value)) for value in joined.values())
    return joined if len(joined) == len(entries) and are_numbers else None


class PlainNames:
    """Translator of one YAML document into linkpress's keys and values.

    Args:
        source: the parsed YAML document.
        model: the pydantic model of the whole document.
    """

    def __init__(self, source: YamlSource, model: type[SpecModel]) -> None:
        self._source, self._model = source, model
        self.root = tree_of(source)
        self.problems: list[Problem] = []
        self._page_unit = ""  # the unit of all lengths in `page`, if the user gives a single unit for them
        self._notes: dict[tuple[Location, str], list[str]] = {}
        # Keys that were removed because their values were used elsewhere. For example, the key ``unit: mm``
        # is removed after the unit has been appended to lengths.
        self._used_keys: list[Node] = []

    def rewritten(self) -> YamlSource:
        """Return the document with linkpress's names in place of the user's own names for keys and values.

        Each key and value keeps the number of the line on which the user wrote it, so messages still point to
        this line.
        """
        if self.is_other_file():
            return self._source
        self.rename(self.root, self._model, ())
        self.arrange()
        self._convert(self.root, self._model, ())
        self.settle()
        places: dict[KeyPath, Location] = {}
        key_places: dict[KeyPath, Location] = {}
        self._index(self.root, (), places, key_places)
        self._note_lost_keys({place[:3] for place in key_places.values()})
        return replace(
            self._source,
            value=self.root.raw,
            places=places,
            key_places=key_places,
            problems=(*self._source.problems, *self.problems),
            notes=self._note_lines(),
        )

    def is_other_file(self) -> bool:
        """Return whether the keys show that the document is a file of another kind than expected.

        For example, a user may give a newspaper feed or a theme where a book spec is expected.
        """
        keys = self._source.value.keys() - fields_of(self._model).keys()
        return describe_file(self._source.file, keys) is not None

    def arrange(self) -> None:
        """Move keys to other places in the document if their meaning depends on other keys.

        Subclasses override this method. It is called before values are converted.
        """

    def settle(self) -> None:
        """Resolve values that depend on other values.

        Subclasses override this method. It is called after all values have been converted.
        """

    # Keys

    def rename(self, node: Node, model: type[SpecModel], place: KeyPath) -> None:
        """Replace the user's names of keys by linkpress's names, in a mapping and in all mappings inside it.

        Args:
            node: the mapping.
            model: the model of the mapping.
            place: the key path of the mapping.
        """
        fields = fields_of(model)
        children, node.value = node.value, {}
        if place:
            self._append_unit(children, model, place)
            for key, child in list(children.items()):
                is_switch = key not in fields and name_table().is_switch(key)
                word = yes_no(child.value) if is_switch else None
                if word and not self._targets(key, child, model, place):
                    self.note(child, f"`{key}: {word}` is read as", f"`{place[-1]}: {word}`")
                    del children[key]
                    if word == "no":
                        node.value = word
                        return
        else:
            self._take_page_unit(children, fields)
        other_names = {}
        for key, child in children.items():  # linkpress's own names have priority, so handle them first
            if key in fields and (child.value is None or self._fits(child, fields[key], (*place, key))):
                self.put(node, (key,), self._spread(child, (*place, key)))
            else:
                other_names[key] = child
        target_counts = {
            key: len(self._targets(key, child, model, place)) for key, child in other_names.items()
        }
        for key, child in sorted(other_names.items(), key=lambda each: target_counts[each[0]]):
            self._rename(node, model, place, key, child)
        for key, child in list(node.value.items()):
            inner = _mapping_of(fields[key]) if key in fields else None
            if inner is None:
                continue
            for entry in child.entries:
                self.rename(entry, inner, (*place, key))

    def _append_unit(self, children: dict[str, Node], model: type[SpecModel], place: KeyPath) -> None:
        """Append the unit to the lengths in a mapping such as ``{width: 6, height: 9, unit: in}``.

        A number gets the unit only if it can be a length.
        """
        others = [key for key in children if key not in fields_of(model)]
        unit_key = next((key for key in others if name_table().ends([key]) == ["unit"]), None)
        if unit_key is None or len(children) == 1 or not isinstance(children[unit_key].value, str):
            return
        unit = children[unit_key].value
        self._used_keys.append(children.pop(unit_key))
        for key, child in children.items():
            if not isinstance(child.value, str) or not re.fullmatch(NUMBER, child.value):
                continue
            length = replace(child, value=f"{child.value} {unit}")
            targets = self._targets(key, length, model, place)
            if not targets or any(self._fits(length, self.field(path), path) for path, _ in targets):
                child.value = length.value

    def _take_page_unit(self, children: dict[str, Node], fields: Mapping[str, FieldInfo]) -> None:
        """Read a key such as ``page-units: inches``, which gives the unit of all lengths of the page."""
        for key, child in list(children.items()):
            unit = _UNIT_OF.get(simple_name(str(child.value)), "")
            if unit and key not in fields and simple_words(key)[-1:] == ("unit",):
                self._page_unit = unit
                self.note(children.pop(key), f"{child.text} is read as", "the unit of lengths in `page`")

    def _targets(
        self, key: str, child: Node, model: type[SpecModel], place: KeyPath
    ) -> list[tuple[KeyPath, bool]]:
        """Return the key paths that a user's key with a certain value may mean.

        Returns:
            Pairs of a key path and a flag. The flag is True if the meaning is opposite, so that yes for the
            user's key means no for linkpress's key. If the value is valid for some of the paths, only these
            paths are returned.
        """
        paths = self._possible_paths(key, model, place)
        known = [each for each in paths.items() if each[0] != place and self.field(each[0])]
        if str(child.value).lower() in ("true", "false"):
            # With "true" or "false", the user switches something on or off, as in `intro_page: true`. These
            # words are not a text to print. So leave out keys that accept any text, unless the user wrote
            # exactly the name of such a key.
            known = [
                each for each in known if not accepts(self.field(each[0]), _ANY_TEXT) or each[0][-1] == key
            ]
        fits = [each for each in known if self._fits(child, self.field(each[0]), each[0], opposite=each[1])]
        # The most likely key comes first. Users hardly ever want to print the text "yes" or "no". So if the
        # value is one of these words, move the keys that accept any text to the end.
        if yes_no(child.value):
            fits.sort(key=lambda each: accepts(self.field(each[0]), _ANY_TEXT))
        around = str(place[-1]) if place else ""
        is_here = known and known[0][0][: len(place)] == place and (place or key in fields_of(model))
        refused = (not is_here and name_table().refusal(key, around)) or name_table().is_refused(key, around)
        is_default = not place and known and known[0][0][0] == LEVELS
        return fits or ([] if refused or is_default or child.entries else known[:1])

    def _possible_paths(self, key: str, model: type[SpecModel], place: KeyPath) -> dict[KeyPath, bool]:
        """Return the key paths that a user's key may mean, whatever its value is.

        Returns:
            A dict whose keys are the key paths, the most likely first. The value of a path is True if the
            meaning is opposite, so that yes for the user's key means no for linkpress's key.
        """
        is_level = "paths" in fields_of(model)
        own_names = {simple_name(name): (*place, name) for name in fields_of(model)}
        exact, *bare = (
            [own_names[each]] if each in own_names else [] for each in name_table().spellings(key)
        )
        # Singular and plural names usually count as the same name. But if the user's key is exactly a key of
        # this mapping, it means only this key. For example, `edition` and `editions` are different keys.
        if key in fields_of(model):
            exact = [(*place, key)]
        paths = dict.fromkeys(exact, False)
        own_places = [LEVELS] if is_level else [str(place[-1]) if place else ""]
        from_table = list(name_table().targets(key, own_places))
        # At the top of a spec, users may also write some of the keys of a level. They apply to every level.
        if not place:
            of_levels = name_table().targets(key, [LEVELS])
            from_table += [each for each in of_levels if len(each[0]) == 1 or each[0][1] in DEFAULTS]
        if place and not is_level:
            # The table also has names for keys at the top of a spec. Many of these keys are about pages. So
            # inside the mapping `page`, users may write any of these names. Inside another mapping, such a
            # name is accepted only if it means a key of that mapping.
            top = name_table().targets(key, [""])
            from_table += [each for each in top if place == ("page",) or each[0][: len(place)] == place]
            # A mapping such as `solutions` may have a key with the same name as a key of a level, such as
            # `per_page`. The table lists other names that users may write for the level's key. Accept these
            # other names in this mapping too.
            for target, _ in name_table().targets(key, [LEVELS]):
                if target[-1] in fields_of(model):
                    from_table.append(((*place, target[-1]), False))
                elif target == (LEVELS, "per_page") and place == ("page",):
                    from_table.append((target, False))
        for path, opposite in from_table:
            paths.setdefault((*place, *path[1:]) if is_level else path, opposite)
        for path in (path for part in bare for path in part):
            paths.setdefault(path, False)
        # The mapping in which the user wrote this key may accept a key of exactly this name. Then the user
        # does not mean a key of the same name elsewhere in the spec. For example, `difficulty` in `captions`
        # is about printed marks, and not about the difficulty of boards.
        if key in fields_of(model):
            return {path: opposite for path, opposite in paths.items() if path[: len(place)] == place}
        # Some keys belong at the top of the spec, but users may write them inside a mapping. Accept this too.
        root_key = next(
            (name for name in fields_of(self._model) if simple_name(name) == simple_name(key)), ""
        )
        if root_key and place and not is_level and key not in ("title", "id", LEVELS):
            paths[root_key,] = False
        return paths

    def _is_wrapper(self, key: str, child: Node, model: type[SpecModel], place: KeyPath) -> bool:
        """Return whether a key such as ``config`` only groups other keys, so that it can be ignored."""
        field = fields_of(model).get(key)
        if not isinstance(child.value, dict) or (field and self._fits(child, field, (*place, key))):
            return False
        own_model = model_of(field) if field else None
        if own_model and not fields_of(own_model).keys().isdisjoint(child.value):
            # ``key`` is a key of linkpress that has a mapping, and the user's mapping has at least one of its
            # inner keys. So the mapping is the value of ``key``, and not a group of unrelated keys.
            return False
        is_refused = name_table().refusal(key, str(place[-1]) if place else "")
        if ("paths" in fields_of(model) and not is_refused) or name_table().is_wrapper(key):
            return True
        known = [
            name
            for name, inner in child.value.items()
            if any(
                self._fits(inner, self.field(path), path)
                for path, _ in self._targets(name, inner, model, place)
            )
            or name_table().refusal(name, "")
        ]
        return (not (place or is_refused) or place == ("images",)) and 2 * len(known) > len(child.value)

    def _home(self, child: Node) -> KeyPath | None:
        """Find the section of the spec, such as ``page``, that a user's mapping probably stands for.

        This section must accept at least two of the mapping's keys, and at least two thirds of all its keys.

        Returns:
            The key path of the section, such as ``("page",)``. The path is empty if the keys belong at the
            top of the document. None means that no section accepts enough keys.
        """
        fields = fields_of(self._model).items()
        inner = [
            (key,) for key, field in fields if key != LEVELS and _mapping_of(field) and not is_list(field)
        ]
        best = max([(), *inner], key=lambda each: self._understood(child, each))
        return best if self._understood(child, best) >= max(2, len(child.value) / 1.5) else None

    def _understood(self, child: Node, place: KeyPath) -> int:
        """Return how many keys of a user's mapping are accepted as keys of one section of the spec.

        Args:
            child: the user's mapping.
            place: the key path of the section, such as ``page``.
        """
        model = model_of(self.field(place) or FieldInfo()) or self._model
        return sum(
            any(
                self._fits(inner, self.field(path), path) and path[: len(place)] == place
                for path, _ in self._targets(name, inner, model, place)
            )
            for name, inner in child.value.items()
        )

    def _rename(self, node: Node, model: type[SpecModel], place: KeyPath, key: str, child: Node) -> None:
        if str(child.value).lower() in ("auto", "automatic", "default") and key in fields_of(model):
            self.leave_out(child, "this is so without the key", key)
            return
        targets = self._targets(key, child, model, place)
        if self._take_type_size(place, key, child):
            return
        if not place and self._rename_parts(node, model, key, child, targets):
            return
        if not targets and isinstance(child.value, list) and len(child.value) == 1:
            child = replace(child.value[0], key_place=child.key_place, name=child.name)
        if yes_no(child.value) == "yes" and fields_of(model).keys().isdisjoint({key, "paths"}):
            # The user's key may really be the value of another key. For example, a user may write
            # `solutions: {upside_down: yes}` instead of `solutions: {place: upside-down}`, or
            # `images: {grayscale: yes}` instead of `images: {mode: gray}`. So look the name up among the
            # values of other keys.
            of_place = [*name_table().single(place)[:1], (*place, "mode")]
            for single in of_place if place else [("page", "printer")]:
                plain = name_table().value(key, ".".join(map(str, single)))
                if plain and self.field(single):
                    child, targets = replace(self._changed(child, plain), spread=True), [(single, False)]
        home = None if targets or place or not isinstance(child.value, dict) else self._home(child)
        if home:
            targets = [(home, False)]
        if not targets and (home == () or self._is_wrapper(key, child, model, place)):
            self.note(child, f"`{key}` is left out, and the keys in it are read", "in its place")
            if not place:
                self._take_page_unit(child.value, {})
            for name, inner in child.value.items():
                # The names of the outer and the inner key together may have a meaning. For example, the key
                # `number` inside `volume` means the number of the volume.
                whole = f"{key} {name}"
                is_own = name in fields_of(model) and "default" not in simple_words(key)
                targets = [] if is_own else self._targets(whole, inner, model, place)
                is_whole = any(self._fits(inner, self.field(path), path) for path, _ in targets)
                is_file = str(name).lower() in ("file", "name", "path") and name_table().refusal(whole, "")
                self._rename(node, model, place, whole if is_whole or is_file else name, inner)
            return
        # A value such as "yes" in `cover: yes` only switches something on. So mark it as a value that may be
        # replaced by a more specific value, which the user gives for the same key elsewhere.
        child.spread = child.spread or yes_no(child.value) == "yes"
        for path, opposite in targets:
            if opposite:
                child = self._changed(child, _OPPOSITE.get(yes_no(child.value) or "", child.value))
            inside = path[: len(place)] == place
            start, rest = (node, path[len(place) :]) if inside else (self.root, path)
            child.moved = path[0] != LEVELS and (not inside or len(rest) > 1)
            if self.put(start, rest, self._spread(child, path)):
                return
        if targets and targets[0][0][-1] in ENDS:
            whole = ".".join(map(str, targets[0][0][:-1]))
            self.leave_out(child, f"`{whole}` is given too", key)
            return
        for path, _ in targets:
            if self._value_at(path) == child.raw:
                self.leave_out(child, f"`{path[-1]}` is given too", key)
                return
        # The user wrote two keys that both mean ``key``. Only one of their values can be kept, and the other
        # is reported as a problem. If one of the two keys has linkpress's own name, its value is kept. So if
        # the value that is stored so far was written under another name, exchange the two values.
        if key in node.value and node.value[key].name != key:
            node.value[key], child = child, node.value[key]
        kept = node.value.setdefault(key, child)
        if kept is not child:
            message = (
                f"`{child.name}` means `{key}`, which line {kept.place.line} gives too; keep one of them"
            )
            self.add_problem(child, short_text(child.raw), message, (*place, key))

    def _take_type_size(self, place: KeyPath, key: str, child: Node) -> bool:
        """Handle a user's key for a type size. linkpress itself has no such keys.

        If the key gives the text a large size, it is replaced by the key for large print. Any other type size
        is left out. A note tells the user about the change.

        Returns:
            Whether the key sets a type size.
        """
        refusal = name_table().refusal("font size", "")
        if not _LENGTH.fullmatch(str(child.value)) or (
            place != ("fonts",) and (not refusal or name_table().refusal(key, "") != refusal)
        ):
            return False
        written, size = f"`{key}: {child.value}`", re.match("[0-9.]+", str(child.value))
        of_text = _OTHER_TYPE.isdisjoint(name_table().same_words(key))
        if not of_text and place != ("fonts",):
            return False
        is_known = self.field(("page", "large_print")) is not None
        if is_known and of_text and size and float(size[0]) >= _LARGE_TYPE:
            self.note(child, f"{written} is read as", "`page.large_print: yes`")
            if "large_print" not in self.keys_of("page"):
                large = replace(child, value="yes", spread=True, moved=True, was=written)
                return self.put(self.root, ("page", "large_print"), large)
        else:
            self.leave_out(child, refusal or "other keys decide this", key)
        return True

    def _rename_parts(
        self, node: Node, model: type[SpecModel], key: str, child: Node, targets: list[tuple[KeyPath, bool]]
    ) -> bool:
        """Replace a user's key by several keys of linkpress, if its value combines several settings.

        The value may be a list of pages to print, as in ``front_matter: [contents, rules]``. Or it may be a
        mapping with a text and a switch, as in ``rules: {show: yes, text: Join the pairs.}``.

        Returns:
            Whether the key was replaced.
        """
        if isinstance(child.value, list) and name_table().refusal(key, "") and not targets:
            pages = {str(each.value): each for each in child.value if isinstance(each.value, str)}
            parts = {name: part for name in pages if (part := self._page_part(name, model))}
            mappings = [each for each in child.value if isinstance(each.value, dict)]
            own_pages = [each for each in mappings if any(simple_name(name) == "text" for name in each.value)]
            if own_pages and len(own_pages) == len(child.value):
                side = "back" if "back" in simple_words(key) else "front"
                self._rename(node, model, (), side, child)
                return True
            texts = [each for each in mappings if [str] == [type(part.value) for part in each.value.values()]]
            if not (parts or texts) or len(pages) + len(texts) < len(child.value):
                return False
            for text in texts:
                for name, inner in text.value.items():
                    self._rename(node, model, (), name, inner)
            self._used_keys.append(child)
            for name, page in pages.items():
                page = replace(page, value="yes", key_place=page.place, name=name, spread=True, moved=True)
                if name not in parts:
                    why = name_table().refusal(name, "") or name_table().refusal(key, "") or ""
                    self.note(page, f"`{name}` in `{key}` is left out:", why.removesuffix("; leave it out"))
                elif not self.put(self.root, parts[name], page):
                    return False
            return True
        fits = any(self._fits(child, self.field(path), path) for path, _ in targets)
        if fits or not isinstance(child.value, dict):
            return False
        words = [name for name in child.value if simple_name(name) == "text"]
        paths = self._possible_paths(key, model, ())
        if not words or not any(accepts(self.field(path), _ANY_TEXT) for path in paths):
            return False
        for name, inner in child.value.items():
            is_whole = name in words or name_table().is_switch(name)
            self._rename(node, model, (), key if is_whole else f"{key} {name}", inner)
        return True

    def _page_part(self, name: str, model: type[SpecModel]) -> KeyPath | None:
        """Return the path of the key that switches on a page of the book; None if there is none.

        Args:
            name: the user's name for the page, such as "contents" for the key ``parts.contents``.
            model: the model of the spec.
        """
        paths = [path for each in (f"{name} page", name) for path in self._possible_paths(each, model, ())]
        return next((path for path in paths if path[0] == "parts" and self.field(path)), None)

    def _spread(self, child: Node, path: KeyPath) -> Node:
        """Replace a single value by a mapping if its key needs a mapping.

        For example, one length for ``page.margins`` becomes a mapping with four margins. So does a list of
        two or four lengths. The value is returned unchanged if its key needs no mapping, or if the value is
        valid for none of the keys inside the mapping.
        """
        field = self.field(path)
        if path == ("page", "margins") and isinstance(child.value, list) and len(child.value) in (2, 4):
            # A list of four margins has the order of CSS: top, right, bottom, left. In a list of two, the
            # first margin is for top and bottom, and the second for right and left. "Right" means the outside
            # of a page, and "left" the inside, as on a right-hand page.
            sides = zip(("top", "outside", "bottom", "inside"), child.value * 2, strict=False)
            return self._changed(child, dict(sides))
        if not (isinstance(field, FieldInfo) and _mapping_of(field) and isinstance(child.value, str)):
            return child
        if accepts(field, child.value):
            return child
        singles = name_table().single(path)
        if not singles or not isinstance(self._plain(child, field, path), dict):
            return child
        parts = {single[-1]: self._changed(child, child.value) for single in singles}
        for part in parts.values():
            part.spread = True
        return replace(child, value=parts, name=str(path[-1]), moved=False)

    def field(self, path: KeyPath) -> FieldInfo | None:
        """Return the model's field at a key path, or None if the model has no such key.

        Args:
            path: the key path, without list indexes. If it ends with ``min`` or another part of a range, the
                field of the range is returned.
        """
        model: type[SpecModel] | None = self._model
        field = None
        for step in path:
            if model is None:
                return field if field is not None and (step in ENDS or not _mapping_of(field)) else None
            field = fields_of(model).get(str(step))
            if field is None:
                return None
            model = _mapping_of(field)
        return field

    def _value_at(self, path: KeyPath) -> Any:
        """Return the value at a key path of the document; None if there is none.

        Args:
            path: the key path. It must not lead through a list.
        """
        value: Node | None = self.root
        for step in path:
            value = value.keys.get(str(step)) if value else None
        return value.raw if value else None

    def put(self, node: Node, path: KeyPath, child: Node) -> bool:
        """Set the value at a key path below a node.

        Returns:
            Whether the value was used. If it is False, the user has already given the key another value,
            which stays unchanged.
        """
        key, *rest = map(str, path)
        old = node.value.get(key)
        if rest:
            if old is None or not isinstance(old.value, (dict, list)):
                if old is not None and not old.spread:
                    return False
                old = node.value[key] = Node({}, child.place, child.key_place, key)
            if isinstance(old.value, list):
                return False
            return self.put(old, tuple(rest), child)
        if old is not None and isinstance(old.value, dict) and isinstance(child.value, dict):
            results = [self.put(old, (inner,), each) for inner, each in child.value.items()]
            return all(results)
        if old is not None and not old.spread:
            return child.spread
        node.value[key] = child
        return True

    # Values

    def _fits(self, child: Node, field: FieldInfo | None, path: KeyPath, *, opposite: bool = False) -> bool:
        """Return whether a value is valid for a field, as written or after conversion to another format."""
        if field is None:
            return False
        if opposite:
            return yes_no(child.value) is not None
        inner = _mapping_of(field)
        # A key path such as `size.min` leads to one part of a value: the lower end of a range. The model has
        # a field only for the whole value. So the path without its last step leads to the same field.
        if inner is None and self.field(path[:-1]) is field:
            return isinstance(child.value, str) and (
                path[-1] not in ENDS or bool(re.match("[0-9.]", child.value))
            )
        if is_list(field):
            return isinstance(child.value, list if inner is None else (list, dict)) and (
                inner is not None or not child.entries
            )
        if inner is not None and isinstance(child.value, dict):
            return True
        return self._plain(child, field, path) is not None

    def _plain(self, child: Node, field: FieldInfo, path: KeyPath) -> Any:
        """Return a value in a format that its key accepts; None if the key accepts it in no format.

        The value is tried unchanged, with a percent sign or a unit added, as ``yes`` or ``no``, and in
        further formats. The first one that the field of the key accepts is returned.
        """
        raw = child.raw
        is_number = child.name != path[-1] and re.fullmatch(rf"{NUMBER}(-{NUMBER})?", str(raw))
        if is_number and name_table().is_share(child.name) and accepts(field, f"{raw}%"):
            return f"{raw}%"  # `solid_percent: 5`
        if accepts(field, raw):
            return raw
        last_word = simple_words(child.name)[-1:] if child.name != path[-1] else ()
        unit = _UNIT_OF.get("".join(last_word)) or (self._page_unit if path[0] == "page" else "")
        raw = _with_unit(raw, unit) if unit else raw
        if (word := yes_no(raw)) and accepts(field, word):
            return word
        key = ".".join(map(str, path))
        singles = name_table().single(path)
        if model_of(field) and singles:
            for single in singles:
                inner = self.field(single)
                if inner is None or self._plain(child, inner, single) is None:
                    return None
            return {single[-1]: raw for single in singles}
        if accepts(field, _ANY_TEXT):
            # Most texts stay unchanged. But users may write a short text, such as a copyright notice, on
            # several lines, or write several authors as a list. Then the parts are joined to a single line.
            if isinstance(raw, str) and "\n" in raw and len(raw) < _NOTICE:
                raw = [" ".join(raw.split())]
            are_texts = isinstance(raw, list) and all(isinstance(each, str) for each in raw)
            return ", ".join(raw) if are_texts and raw else None
        return next((form for form in _forms(raw, key, child.name) if accepts(field, form)), None)

    def _convert(self, node: Node, model: type[SpecModel], place: KeyPath) -> None:
        """Convert every value in a mapping, at any depth, to a format that its field accepts."""
        for key, child in list(node.value.items()):
            field, path = fields_of(model).get(key), (*place, key)
            if field is None or child.value is None:
                continue
            inner = _mapping_of(field)
            if inner is not None and isinstance(child.value, str) and self._plain(child, field, path) is None:
                # This key should have a mapping, but the user wrote a text that fits none of the inner keys,
                # as in `page: huge`. Treat the text as the value of the main inner key, which is `trim` for
                # `page`. The error message about the inner key then says which values are allowed.
                singles = name_table().single(path)[:1] if not accepts(field, "yes") else []
                child.value = {single[-1]: replace(child) for single in singles} or child.value
            if inner is not None and isinstance(child.value, (dict, list)):
                if is_list(field) and isinstance(child.value, dict):
                    child.value = [child.child(child.value)]
                for entry in child.entries:
                    self._convert(entry, inner, path)
                continue
            if is_list(field) and inner is None and isinstance(child.value, str):
                words = [part.strip() for part in child.value.split(",")]
                child = node.value[key] = self._changed(child, words)
            # The entries of a list are read one by one. So they must also be converted one by one.
            of_entries = is_list(field) and isinstance(child.value, list)
            values, keys = (child.value, range(len(child.value))) if of_entries else (node.value, [key])
            for entry_key in keys:
                entry = values[entry_key]
                plain = self._plain(entry, field, path)
                if plain is not None and plain != entry.raw:
                    values[entry_key] = self._changed(entry, plain)
                elif plain is None and isinstance(entry.value, dict) and entry.value.keys() <= set(ENDS):
                    # The mapping gives only one side of a rectangle, or one end of a range, or can't be
                    # understood. Replace it by a text with the user's words, because the message about the
                    # wrong value quotes this text.
                    sides = entry.value.values()
                    numbers = [int(side.value) for side in sides if str(side.value).isdecimal()]
                    if path[-1] == "per_page" and len(numbers) == 2:
                        values[entry_key] = self._changed(entry, str(numbers[0] * numbers[1]))
                        continue
                    values[entry_key] = entry.child(" ".join(f"{side.name} {side.raw}" for side in sides))

    @staticmethod
    def _changed(child: Node, plain: Any) -> Node:
        was, parts = child.was or child.text, list(child.keys.values())
        # linkpress may have made this mapping from several keys of the user, such as a width and a height.
        # Such a mapping is recognised by its place in the file, which is the place of the first of these
        # keys. The note then quotes all of these keys.
        if parts and parts[0].place == child.place:
            was = " with ".join(part.text for part in parts)
        changed = child.child(plain)
        changed.was = was
        for key, part in changed.keys.items():
            part.name = key
        return changed

    # The result

    def _index(
        self, node: Node, path: KeyPath, places: dict[KeyPath, Location], key_places: dict[KeyPath, Location]
    ) -> None:
        places[path] = node.place
        if node.key_place is not None:
            renamed = bool(path) and isinstance(path[-1], str) and node.name != path[-1]
            key_places[path] = node.key_place._replace(typed=node.name if renamed else "")
            if renamed or node.was or node.moved:
                self._note(node, path)
        steps: Iterable[str | int] = node.keys or range(len(node.children))
        for step, child in zip(steps, node.children, strict=True):
            self._index(child, (*path, step), places, key_places)

    def _note_lost_keys(self, kept: set[tuple[int, int, str]]) -> None:
        """Add a note for each key of the user that got lost in translation, unless it already has a note.

        Args:
            kept: the line, column and file of each key that is still in the translated document.
        """
        kept |= {each.place[:3] for each in self._used_keys} | {place[:3] for place, _ in self._notes}
        reported = {(each.line, each.column, each.file) for each in self.problems}
        told = " ".join(words for _, words in self._notes)
        columns = {place[:3] for (place, _), now in self._notes.items() if now[0].startswith("the `")}

        def tell(node: Node, around: str) -> None:
            for each in node.children:
                places = {(each.key_place or each.place)[:3], each.place[:3]}
                if places & (reported | columns) or each.text[:-1] in told:
                    continue
                if each.entries:
                    tell(each, each.name)
                elif each.key_place and not places & kept:
                    self.leave_out(each, name_table().refusal(each.name, around) or "other keys decide this")

        tell(tree_of(self._source), "")

    def _note(self, node: Node, path: KeyPath) -> None:
        keys = [str(step) for step in path if isinstance(step, str)]
        inside = {LEVELS: 1, "difficulties": 2}.get(keys[0], 0)
        key = ".".join(keys[inside:] or keys)
        is_large = isinstance(node.value, (dict, list)) and not node.was
        text = node.was or (f"`{node.name}`" if is_large else node.text)
        now = f"`{key}`" if is_large else f"`{key}: {short_text(node.raw)}`"
        self.note(node, f"{text} is read as", now)

    def note(self, node: Node, words: str, now: str) -> None:
        """Add a note for the user about a value that was changed.

        If several changes of a value have the same first half, they are listed in one note.

        Args:
            node: the value.
            words: the first half of the note, such as "`margin: 1cm` is read as".
            now: the second half of the note, such as "`page.margins.inside: 1cm`".
        """
        self._notes.setdefault((node.key_place or node.place, words), []).append(now)

    def leave_out(self, node: Node, why: str, key: str = "") -> None:
        """Add a note that a key is left out.

        Args:
            node: the value of the key.
            why: the reason.
            key: the name of the key in the note, if it differs from ``node.name``.
        """
        self.note(node, f"{replace(node, name=key or node.name).text} is left out:", why)

    def add_problem(self, node: Node, found: str, message: str, path: KeyPath) -> None:
        """Add a problem whose line and column are those of a value in the user's file."""
        line, column, file, _ = node.place
        self.problems.append(Problem(found, message, path, file, line, column))

    def keys_of(self, key: str) -> dict[str, Node]:
        """Return the mapping under a key at the top of the document; empty if there is none."""
        child = self.root.value.get(key)
        return child.keys if child else {}

    def _note_lines(self) -> tuple[str, ...]:
        """Return notes about the changes that linkpress made to the user's document, sorted by line.

        If linkpress made the same change on several lines, a single note gives the first line and the number
        of other lines. But each changed difficulty has its own note, because users can't guess its new value
        from another note.
        """
        groups: dict[str, list[tuple[Location, str]]] = {}
        for (place, words), now in sorted(self._notes.items()):
            note = f"{words} {listed(list(dict.fromkeys(now)))}"
            alike = note if "`difficulty: " in note else re.sub(r": [^`]*`", "`", note)
            groups.setdefault(alike, []).append((place, note))
        return tuple(
            f"line {place.line}: {note}" + (f" ({len(more)} more like this)" if more else "")
            for (place, note), *more in groups.values()
        )


def short_text(value: Any) -> str:
    """Write a value as a single line of text, for use in a note or message."""
    if isinstance(value, Mapping):
        return printable("{" + ", ".join(f"{key}: {short_text(each)}" for key, each in value.items()) + "}")
    if isinstance(value, list):
        return printable("[" + ", ".join(map(short_text, value)) + "]")
    return printable(" ".join(str(value).split()))


def _mapping_of(field: FieldInfo) -> type[SpecModel] | None:
    """Return the model of a field whose value is always a mapping or a list of mappings.

    Return None for other fields, even if they accept a mapping besides other values.
    """
    return None if reader_of(field) else model_of(field)


def yes_no(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    word = value.lower()
    plain = word if word in ("yes", "no") else name_table().yes_or_no(value)
    return plain or {"true": "yes", "on": "yes", "false": "no", "off": "no"}.get(word)


def accepts(field: FieldInfo | None, value: Any) -> bool:
    """Return whether a value is valid for a field without any conversion."""
    if field is None or not hasattr(field, "metadata"):
        return False
    try:
        if before := annotation_of(field, BeforeValidator):
            value = before.func(value)
        reader = reader_of(field)
        if reader is None:
            return value is None or isinstance(value, dict) or model_of(field) is None
        reader.read(value)
    except InvalidError:
        return False
    files = annotation_of(field, HoldsPaths)
    if type(files) not in (HoldsPaths, ShippedFiles) or not isinstance(value, str):
        return True
    is_path = re.search(r"[/\\\n]|\.[^\W\d]", value) is not None
    return is_path or (isinstance(files, ShippedFiles) and value in files.names())


def _with_unit(value: Any, unit: str) -> Any:
    """Append a unit to each length without a unit, so that ``6x9`` becomes ``6x9 in``.

    In a mapping or list, the unit is appended to the lengths in it.
    """
    if isinstance(value, Mapping):
        return {key: _with_unit(inner, unit) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_unit(inner, unit) for inner in value]
    return f"{value} {unit}" if re.fullmatch(rf"{NUMBER}( ?[x×X*] ?{NUMBER})?", str(value)) else value


def _forms(value: Any, key: str, name: str) -> Iterator[Any]:
    """Yield a value in other formats, such as ``5%`` for ``0.05``, the most likely format first.

    Args:
        value: a string, list or dict.
        key: linkpress's key path, joined by dots and without list indexes, such as ``levels.solids``.
        name: the key as the user wrote it.
    """
    if key == "page.bleed" and isinstance(value, str) and re.match("[0-9]", value):
        # The user gave the width of the bleed, as in `bleed: 3mm`. A width above zero means yes.
        yield "yes" if re.search("[1-9]", value) else "no"
    if isinstance(value, Mapping):
        yield from _mapping_forms(value, key, name)
    elif isinstance(value, list):
        texts = [each for each in value if isinstance(each, str)]
        if len(texts) == len(value) == 2:
            yield from _text_forms("-".join(texts), key, name)
            yield from _text_forms(" x ".join(texts), key, name)
        elif len(texts) == len(value) == 1:
            yield texts[0]
            yield from _text_forms(texts[0], key, name)
    elif isinstance(value, str):
        yield from _text_forms(value, key, name)


def _mapping_forms(value: Mapping[str, Any], key: str, name: str) -> Iterator[Any]:
    if key.endswith(".size"):  # For a board size, users may write `width: [6, 7]` for a width from 6 to 7.
        pair = re.compile(r"\[([0-9]+), ([0-9]+)\]")
        value = {end: pair.sub(r"\1-\2", short_text(text)) for end, text in value.items()}
    texts = {name: text for name, text in value.items() if isinstance(text, str)}
    ends = dict(zip(name_table().ends(texts), texts.values(), strict=True))
    if len(ends) < len(value) or "" in ends:
        # The user wrote a mapping for a key that has a single value. For example, in
        # `numbering: {show: yes, position: bottom centre}`, only "bottom centre" can be this value. Users
        # give the value under inner keys such as `position` or `style`. So try the values of all these.
        given = {simple_name(part): text for part, text in texts.items()}
        for part in filter(given.__contains__, _VALUE_PARTS if key in _ONE_OF_SEVERAL else ()):
            yield from _text_forms(given[part], key, name)
        if key == "solutions.per_page":
            # The user gave a number for each level, but the key accepts only one number. So let linkpress
            # choose the number.
            yield "auto"
        return
    unit = ends.pop("unit", "")
    if ends.keys() == {"min", "max"}:
        low, high = ends["min"], ends["max"]
        yield from _text_forms(low if low == high else f"{low}-{high}", key, name)
    elif ends.keys() == {"width", "height"}:
        sides = [f"{ends[side]} {unit}".strip() for side in ("width", "height")]
        if key.endswith(".size") and (boards := _boards_between(*sides)):
            yield boards
        yield from _text_forms(" x ".join(sides), key, name)
    # For `per_page`, "width" is the number of columns. If the number of rows is missing, use the same number.
    elif key.endswith(".per_page") and "width" in ends:
        yield from _text_forms(f"{ends['width']} x {ends['width']}", key, name)
    elif len(ends) == 1:
        lowest = "0-" if "max" in ends and key.endswith(".solids") else ""
        yield from _text_forms(lowest + next(iter(ends.values())), key, name)


def _boards_between(width: str, height: str) -> list[str] | None:
    """Return board sizes for a range of widths and a range of heights, from the smallest to the largest size.

    From size to size, the width and the height grow together. For example, the widths ``5-6`` and the heights
    ``7-8`` give ``5x7`` and ``6x8``. Return None if neither the width nor the height is a range.
    """
    ends = [re.fullmatch(r"([0-9]{1,2})(?: ?[-–] ?([0-9]{1,2}))?", side) for side in (width, height)]
    ranges = [range(int(each[1]), int(each[2] or each[1]) + 1) for each in ends if each]
    steps = max(map(len, ranges), default=0) - 1
    if len(ranges) < len(ends) or not all(ranges) or not steps:
        return None
    sides = [[str(each[step * (len(each) - 1) // steps]) for each in ranges] for step in range(steps + 1)]
    return list(map("x".join, sides))


def _text_forms(text: str, key: str, name: str) -> Iterator[Any]:
    table = name_table()
    if word := table.value(text, key) or table.value(yes_no(text) or "", key):
        yield word
    if sides := _SIDES.fullmatch(text):
        lengths = dict(zip(table.ends([sides[2], sides[4]]), [sides[1], sides[3]], strict=True))
        if lengths.keys() == {"width", "height"}:
            yield from _text_forms(f"{lengths['width']}x{lengths['height']}", key, name)
    for plain in dict.fromkeys(_cleaned(text, key)):
        yield plain
        yield from _shares(plain)
        if key == "page.trim":
            yield from _turned(plain, key, name)
        yield from _rectangles(plain, key)
        yield from _lengths(plain, key)
        if key.endswith(".size") and (match := re.fullmatch(r"([0-9]+)(?:x\1)?-([0-9]+)(?:x\2)?", plain)):
            yield [str(side) for side in range(int(match[1]), int(match[2]) + 1)]
        if key == "price" and (match := re.fullmatch(rf"([^0-9 ]+) ?({NUMBER})|({NUMBER}) ?(\S+)", plain)):
            currency = match[1] or match[4]
            yield {_CURRENCIES.get(currency, currency.upper()): match[2] or match[3]}
    if colour := table.colour(text):
        yield colour
    if text[:1].isalpha():
        yield "-".join(re.findall("[a-z0-9]+", text.lower()))
        if key == "language":  # the first word of "de-DE" or "German (Austria)" is the language
            yield re.split("[-_ ]", text)[0].lower()


def _cleaned(text: str, key: str) -> Iterator[str]:
    """Clean a text in several steps, and yield the text after each step.

    The first steps remove extra white space and a remark in brackets at the end. The next ones turn a decimal
    comma into a point, and write a range with a hyphen. The last step looks at a word after a number: a word
    for "percent" becomes a percent sign, and a name of the key is removed. So ``12 puzzles`` becomes ``12``.
    """
    # Remove a remark in brackets at the end of the text, as in `A5 (148 x 210 mm)`.
    text = re.sub(r"(.) ?\([^()]*\)$", r"\1", " ".join(text.split()))
    yield text
    text = re.sub(r"(?<=[0-9]),(?=[0-9])", ".", text)
    yield text
    text = _RANGE_WORDS.sub("-", text)
    yield text
    text = re.sub(r"(?<=[0-9])\s*-\s*(?=[0-9])", "-", text)
    yield text
    if match := re.fullmatch(r"([0-9][0-9.x×-]*) ?([^\W\d].*)", text):
        table, path = name_table(), tuple(key.split("."))
        if table.is_share(match[2]):
            yield f"{match[1]}%"
        elif simple_name(match[2]) == path[-1] or any(
            target == path for target, _ in table.targets(match[2], [LEVELS, *path[:-1], ""])
        ):
            yield match[1].rstrip("-")


def _shares(text: str) -> Iterator[str]:
    if re.fullmatch("[0-9]+/[1-9][0-9]*", text):
        yield f"{trimmed(float(Fraction(text) * 100), 4)}%"
    ends = text.split("-")
    if len(ends) <= 2 and "." in text and all(re.fullmatch(r"0?\.[0-9]+|0", end) for end in ends):
        yield "-".join(trimmed(float(end) * 100, 4) for end in ends) + "%"


def _turned(text: str, key: str, name: str) -> Iterator[str]:
    """Yield page sizes for a text that contains a word for portrait or landscape, as in ``A5 landscape``.

    Nothing is yielded for a text without such a word.
    """
    words = re.findall(r"[^\s,()]+", text)
    of_words = [(word, name_table().orientation(word)) for word in words]
    ways = [way for _, way in of_words if way]
    rest = " ".join(word for word, way in of_words if not way)
    for form in (rest, *_text_forms(rest, key, name)) if len(ways) == 1 and rest else ():
        if ways == ["portrait"]:
            yield form
        elif turned := name_table().value(f"{form} landscape", key):
            yield turned
        elif match := _RECTANGLE.fullmatch(form):
            long, short = sorted((match[1], match[3]), key=float, reverse=True)
            yield f"{long}x{short}{match[4] or ''}"


def _rectangles(text: str, key: str) -> Iterator[str]:
    match = _RECTANGLE.fullmatch(text)
    if match is None:
        return
    width, first, height, second = match.groups()
    units = {_UNIT_OF.get(simple_name(word) or word, "") for word in (first, second) if word}
    unit = units.pop() if len(units) == 1 else ""
    words = (second, *name_table().same_words(second)) if second else ()
    if key == "page.trim" and not unit and (first or (words and _NO_UNITS.isdisjoint(words))):
        return  # The unit is unknown, as in `6 x 9 ft`, or the sides have different units. Don't guess.
    if not unit:
        most = max(float(width), float(height))
        unit = "in" if most <= _MOST_INCHES else "cm" if most <= _MOST_CM else "mm"
    yield f"{width}x{height}"
    yield f"{width}x{height}{unit}"
    if key.endswith("per_page"):
        yield trimmed(float(width) * float(height))


def _lengths(text: str, key: str) -> Iterator[str]:
    if picas := re.fullmatch("([0-9]{1,2})p([0-9]{1,2})?", text):
        yield f"{12 * int(picas[1]) + int(picas[2] or 0)}pt"
    match = _LENGTH.fullmatch(text)
    if match is None:
        return
    number, word = match.groups()
    unit = _UNIT_OF.get(simple_name(word or "") or (word or ""), "")
    if not word:
        unit = "in" if float(number) <= _MOST_MARGIN_INCHES else "mm"
        unit = "pt" if ".margins" in key and float(number) > _MOST_MARGIN_MM else unit
    if unit:
        yield f"{number}{unit}"
        factor = {"in": 25.4, "cm": 10, "mm": 1, "pt": 25.4 / 72}[unit]
        yield f"{trimmed(float(number) * factor)}mm"
