"""The form for the settings of a book or feed, as HTML: the keys of each part, and a field for each key.

The scripts in ``form.mjs`` read the values that the user types. The attribute ``data-kind`` of a field
decides how its controls are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from functools import cache
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

from linkpress.app.editions import untranslated_texts, words_notes
from linkpress.book.key_values import MAX_PUZZLES, SolidCount, parts_of
from linkpress.book.level import LevelSpec
from linkpress.book.mixes import MIX_KEYS, WEEKDAYS
from linkpress.book.spec import BookSpec, edition_documents
from linkpress.documents.models import (
    Document,
    SpecModel,
    annotation_of,
    default_words,
    descriptions_of,
    fields_of,
    is_list,
    model_of,
    reader_of,
)
from linkpress.documents.problem import KeyPath, key_path, listed, value_at
from linkpress.documents.shipped_files import ShippedFiles
from linkpress.engine.difficulty import possible_paths
from linkpress.engine.recipe import Method
from linkpress.errors import LinkpressError
from linkpress.press.assets import load_profile
from linkpress.studio.html_parts import (
    button,
    icon,
    label_of,
    marked,
    mend_button,
    name_of,
    say,
    size_words,
    slider_html,
    tag,
    words,
)
from linkpress.studio.spec_files import Clashes, contrary_keys

Field = Mapping[str, Any]
# The parts of a book in the order in which the studio lists them, each with its keys. The keys after the sign
# ``|`` are shown only when the user opens "All settings". A key with a dot, such as ``page.trim``, is a key
# of a group, such as ``page``. It is shown in the part that names it here, even if another part has the
# group. The part without keys has all keys that no other part has.
_BOOK_PARTS = {
    "whole": "page.trim page.printer page.paper language captions publisher isbn"
    " | page series volume id seed standard parts.openers parts.recto",
    "looks": "theme | numbers fonts",
    "cover": "cover | title subtitle author",
    "opening": "title subtitle author parts.copyright parts.contents copyright year edition front"
    " | parts.colophon date",
    "guide": "parts.how_to_play parts.tutorial | parts.techniques",
    "levels": "levels",
    "solutions": "solutions",
    "end": "parts.progress parts.times parts.certificate back parts.about_author parts.review"
    " parts.more_books notes_pages",
    "editions": "editions | screen epub play",
    "extras": "",
}
_FEED_PARTS = {
    "feed": "title author id seed first_number language copyright holder usage utc_offset",
    "week": "week skip",
    "images": "image caption | fonts names",
    "extras": "",
}
# Lists and groups of the spec whose entries the studio shows one by one in its list of parts. Maps the key of
# such a list or group to the heading under which its entries are shown.
_ENTRY_PARTS = {"levels": "levels", "front": "opening", "back": "end", "week": "week"}
# Lists of keys whose labels are taken from another list. Weekdays of a feed have the labels of a book's
# levels, and pages at the end of a book have the labels of pages at its start.
_SAME_WORDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("back",): ("front",),
    **{("feed", "week", day): ("levels",) for day in WEEKDAYS},
}
# Keys that the form shows without fields for the keys inside them. There would be a field for each of the
# many phrases of a language.
_KEYS_WITHOUT_INNER_FIELDS = ("language", "words")


# The form has no field for this key. It shows the levels that linkpress generates from the
# key's value instead.
_KEY_NOT_OFFERED = "mix"


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


@cache
def book_form() -> dict[str, Any]:
    """Describe the form for the settings of a book, as JSON data.

    The data list the fields for the keys of the spec, and the parts of the form with their keys.
    """
    return _form(BookSpec, _BOOK_PARTS)


@cache
def feed_form() -> dict[str, Any]:
    """Describe the form for the settings of a feed. The data have the same structure as in ``book_form``."""
    from linkpress.feeds.feed_spec import FeedSpec

    return _form(FeedSpec, _FEED_PARTS)


def _form(model: type[SpecModel], parts: Mapping[str, str]) -> dict[str, Any]:
    above = () if model is BookSpec else ("feed",)
    fields = {field["key"]: field for field in _fields(model, above) if field["key"] not in MIX_KEYS}
    placed = {word.partition(".")[0] for listed in parts.values() for word in listed.split()}
    rest = [key for key in fields if key not in placed]
    listed = []
    for name, listed_keys in parts.items():
        keys, _, more = listed_keys.partition("|")
        own = next((key for key, part in _ENTRY_PARTS.items() if part == name and key in fields), "")
        entries = {"entries": [day["key"] for day in fields[own]["fields"]]} if own == "week" else {}
        listed.append(
            {"name": name, "keys": keys.split() or rest, "more": more.split(), "list": own, **entries}
        )
        for group, _, inner in (word.partition(".") for word in listed_keys.split()):
            for field in fields[group]["fields"] if inner else ():
                field["elsewhere"] |= field["key"] == inner
    places: dict[str, list[str]] = {}
    for place in ("keys", "more"):
        for part in listed:
            for key in map(str, part[place]):
                places.setdefault(key, []).append(str(part["name"]))
    return {"fields": list(fields.values()), "parts": listed, "places": places}


def part_of(key: KeyPath, preferred: str = "", form: Mapping[str, Any] | None = None) -> str:
    """Return the part of a book or feed whose form has a field for a key; empty if no form has one.

    Args:
        key: the key path.
        preferred: the part to return if several parts have the key.
        form: the form of a feed; None for a book.
    """
    if key[0] in _ENTRY_PARTS and (len(key) > 1 or key[0] == "levels"):
        return f"{key[0]}/{key[1] if len(key) > 1 else 0}"
    places = (form or book_form())["places"]
    names = (".".join(map(str, key[:length])) for length in range(len(key), 0, -1))
    parts = next((places[name] for name in names if name in places), [""])
    return preferred if preferred in parts else str(parts[0])


def setting_labels(
    form: Mapping[str, Any], values: Mapping[str, Any], fields: Sequence[Field] = (), above: KeyPath = ()
) -> Iterator[tuple[str, list[str | int]]]:
    """Yield the label and the key path of each setting that a part of the form shows.

    Args:
        form: the form, as returned by ``book_form`` or ``feed_form``.
        values: the values of the spec, as returned by ``SpecFile.state``.
        fields: the fields whose settings are yielded; empty for all fields of the form.
        above: if ``fields`` are inside a group or an entry of a list, the key path of this group or entry.
    """
    for field in fields or form["fields"]:
        path = (*above, field["key"])
        steps = [str(step) for step in path]
        if any(".".join(steps[:count]) in form["places"] for count in range(1, len(steps) + 1)):
            labels = (label_of(step) if isinstance(step, str) else str(step + 1) for step in path)
            yield f"{', '.join(labels)} – {'.'.join(steps)}", list(path)
        if not field["fields"]:
            continue
        entries = value_at(values, path) if field["many"] else ()
        count = len(entries) if isinstance(entries, list) else 0
        for inner in [(*path, index) for index in range(count)] if field["many"] else [path]:
            yield from setting_labels(form, values, field["fields"], inner)


def _fields(model: type[SpecModel], above: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the fields for the keys of a model.

    Args:
        model: the model.
        above: the key path of the mapping that the model describes. The labels of its keys are looked up by
            this path.
    """
    descriptions = descriptions_of(model)
    for key, field in fields_of(model).items():
        if key == _KEY_NOT_OFFERED:
            continue
        reader, inner = reader_of(field), model_of(field)
        files = annotation_of(field, ShippedFiles)
        schema = dict(reader.schema) if reader else {}
        has_inner = inner is not None and key not in _KEYS_WITHOUT_INNER_FIELDS
        allowed, default = reader.words if reader else "", default_words(field)
        hint = "" if field.is_required() or default == "–" else default
        path = (*above, key)
        plain = name_of("meanings", ".".join(path), "")
        sentence = f"{allowed[0].upper()}{allowed[1:]}." if allowed else ""
        yield {
            "key": key,
            "meaning": plain or descriptions.get(key, ""),
            "plain": bool(plain),
            "allowed": sentence + f" Left empty: {hint}." * bool(sentence and hint),
            "default": default,
            "hint": hint.replace("`", "").partition(";")[0],
            "usual": "",
            "elsewhere": False,
            "needed": field.is_required(),
            "many": is_list(field),
            "choices": _choices(schema, files),
            "free": files is not None or "enum" not in schema,
            "control": reader.control if reader else "",
            "fields": list(_fields(inner, _SAME_WORDS.get(path, path))) if inner and has_inner else [],
        }


def _choices(schema: dict[str, Any], files: ShippedFiles | None) -> list[str]:
    """Return the values that the form offers for a key. Most keys also allow other values."""
    if files is not None:
        return list(files.names())
    first = schema.get("anyOf", [schema])[0]
    offered = first.get("enum") or first.get("examples", ())
    return [str(choice) for choice in offered if not isinstance(choice, bool)]


_MAX_CHANGED_LINES = 200  # largest number of changed lines that are shown at once


# The studio's list of the parts of a book shows a small picture of a page beside each part. If no page
# belongs to one of these parts, it gets an icon instead. The name of the icon is the name of the part.
_WITH_ICON = ("whole", "looks", "end", "editions", "extras")


def part_list(kind: str, values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of a book or feed in their order.

    Each part has a ``name`` for the scripts, such as ``cover`` or ``levels/2``, a ``title`` and a few words
    as ``facts`` for the user, and its ``keys`` as key paths.

    Args:
        kind: ``book`` or ``feed``.
        values: the values of the spec, as returned by ``SpecFile.state``.
    """
    facts = _part_facts(kind, values)
    found: list[tuple[str, str, list[list[str | int]]]] = []
    for part in (book_form() if kind == "book" else feed_form())["parts"]:
        own = part["list"]
        if own != "levels":
            keys = [key.split(".") for key in part["keys"]]
            found.append((part["name"], say(f"parts.{part['name']}"), keys))
        for entry in part.get("entries") or range(len(_as_list(values.get(own)))):
            inner = _mapping(value_at(values, (own, entry)))
            word = "level" if own == "levels" else "ownPage"
            title = say(word, number=entry + 1) if isinstance(entry, int) else say(f"weekdays.{entry}")
            name, words = f"{own}/{entry}", str(inner.get("title") or inner.get("name") or title)
            found.append((name, words, [[own, entry]]))
    return [
        {"name": name, "title": title, "facts": facts.get(name, ""), "keys": keys}
        for name, title, keys in found
    ]


def rail_html(kind: str, values: Mapping[str, Any]) -> str:
    """Return the list of the parts of a book or feed as HTML.

    The scripts of the window later add page numbers, pictures of pages and messages about problems, and mark
    the selected part.

    Args:
        kind: ``book`` or ``feed``.
        values: the values of the spec, as returned by ``SpecFile.state``.
    """
    parts = part_list(kind, values)
    levels = [index for index, part in enumerate(parts) if part["name"].startswith("levels/")]
    first, end = (levels[0], levels[-1] + 1) if levels else (0, 0)
    before, own, after = (
        "".join(tag("li", _part_button(part, has_picture=kind == "book")) for part in some)
        for some in (parts[:first], parts[first:end], parts[end:])
    )
    if kind == "feed":
        return tag("ul", after)
    own_text = {"text": say("ownText")}
    new_entries = (
        ("addLevel", ["levels"]),
        ("addPage", ["front"], own_text),
        ("addDedication", ["front"], {**own_text, "kind": "dedication"}),
    )
    return (
        tag("ul", before)
        + tag("h2", say("partLevels"), tag("span", _part_facts(kind, values)["levels"]))
        + tag("ul.chain", own)
        + "".join(
            button(say(word), "addEntry", *entry, kind="button.quiet.add", sign="plus")
            for word, *entry in new_entries
        )
        + tag("h2", say("partsBehind"))
        + tag("ul", after)
    )


def _part_button(part: Mapping[str, str], *, has_picture: bool) -> str:
    own, _, entry = part["name"].partition("/")
    is_level, is_entry = own == "levels", entry.isdecimal()
    ring = tag("span.ring", str(int(entry) + 1), aria_hidden="true") if is_level else ""
    has_icon = own in _WITH_ICON and not entry
    picture = icon(own, "svg.icon.thumb") if has_icon else tag("span.thumb")
    # A part's facts are separated by " · ". Leave out the last fact about a level, its difficulty, because
    # the list of parts has no room for it.
    some = (say("mixedSizes") if "," in fact else fact for fact in part["facts"].split(" · ")[:2])
    facts = " · ".join(some) if is_level else part["facts"]
    words = tag("span.name", escape(part["title"])), tag("span.page"), tag("span.facts", escape(facts))
    return tag(
        "button.part" + ".entry" * is_entry + ".level" * is_level,
        ring,
        picture if has_picture else "",
        *words,
        data_do=["go", part["name"]],
        id=f"part-{part['name'].replace('/', '-')}",
        value=part["name"],
        tabindex=-1,
        draggable="true" if is_entry else None,
    )


def _part_facts(kind: str, values: Mapping[str, Any]) -> dict[str, str]:
    page, cover, theme, editions, levels = (
        values.get(key) for key in ("page", "cover", "theme", "editions", "levels")
    )
    page, cover_keys = _mapping(page), _mapping(cover)
    theme_name = theme.get("base", theme) if isinstance(theme, dict) else theme
    has_cover = bool(cover) and cover != "no"
    design = name_of("designs", str(cover_keys.get("design", "")), "") or say("plainCover")
    printer = name_of("choices", str(page.get("printer", "")), "")
    trim = re.sub(r"([\d.]+)x([\d.]+)", r"\1 × \2 ", str(page.get("trim") or ""))
    facts = {
        **(words()["partFacts"] if kind == "book" else {}),
        "whole": ", ".join(filter(None, (trim.strip(), printer.partition(",")[0]))),
        "looks": name_of("choices", str(theme_name or "classic"), ""),
        "cover": design if has_cover else say("none"),
        "editions": ", ".join(name_of("choices", name) for name in _mapping(editions)),
    }
    if per_page := _mapping(values.get("solutions")).get("per_page"):
        facts["solutions"] = say("toAPage", count=per_page)
    total = 0
    for index, level in enumerate(levels if isinstance(levels, list) else ()):
        keys = _mapping(level)
        count = say("countOfPuzzles", count=keys["count"]) if keys.get("count") else ""
        hardness = str(keys.get("difficulty") or "").replace("-", " to ")
        hardness = f"difficulty {hardness}" if hardness[:1].isdecimal() else hardness
        facts[f"levels/{index}"] = " · ".join(filter(None, (count, size_words(keys.get("size")), hardness)))
        number = str(keys.get("count"))
        total += int(number) if number.isdecimal() else 0
    facts["levels"] = say("countOfPuzzles", count=total) if total else ""
    for day in words()["weekdays"] if kind == "feed" else ():
        keys = _mapping(_mapping(values.get("week")).get(day))
        difficulty = str(keys.get("difficulty", "")) if keys else say("noIssue")
        facts[f"week/{day}"] = " · ".join(filter(None, (size_words(keys.get("size")), difficulty)))
    return facts


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def mending_html(state: Mapping[str, Any]) -> str:
    """Return HTML that explains the problems of a file, with buttons that repair the first one.

    The result is empty if the file has no problems.
    """
    mending, good, problems = state["mending"], state["good"], state["problems"]
    if not problems:
        return ""
    first, tools = problems[0], ""
    if mending:
        first = next((each for each in problems if each["line"] == mending["line"]), first)
        after = "" if mending["after"] is None else tag("ins", escape(f"+ {mending['after']}"))
        change = tag("pre", tag("del", escape(f"− {mending['before']}")), after)
        parts = [tag("strong", escape(mending["why"])), tag("p", escape(mending["place"])), change]
        tools = mend_button(mending["line"])
    elif good:
        parts = [tag("strong", say("lineProblem", line=first["line"])), tag("p", marked(first["message"]))]
    else:
        parts = [tag("strong", _line_words(first))]
    if good:
        tools += button(say("goBack", time=good["time"]), "mend", "good", kind="button")
        # The note that ``note_html`` returns has this button too, but phones don't show that note.
        tools += _changes_button(good, "button.sheet-tool")
    others = (tag("p", _line_words(each)) for each in problems if each is not first)
    count = say("toPutRight.one" if len(problems) == 1 else "toPutRight.many", count=len(problems))
    foot = tag("p.meaning.head", tag("span", count), tag("span", tag("kbd", "F8"), " ", say("nextMistake")))
    return tag("div.mending", *parts, tag("div.tools", tools) if tools else "", *others, foot)


def _line_words(problem: Mapping[str, Any]) -> str:
    """Return the line and the message of a problem as HTML, such as "Line 9: a number is needed"."""
    message = marked(problem["message"])
    return f"{say('line', line=problem['line'])}: {message}" if problem["line"] > 0 else message


def note_html(state: Mapping[str, Any]) -> str:
    """Return a note as HTML for a spec file that can't be read; empty if the file can be read.

    While the file can't be read, the pages on the screen show an earlier version of it. The note gives the
    time of this version.
    """
    good = state["good"]
    if not good:
        return ""
    words = tag("div", tag("strong", say("goodBook", time=good["time"])), tag("p", say("nothingLost")))
    return words + _changes_button(good)


def _changes_button(good: Mapping[str, Any], kind: str = "button") -> str:
    label = say("changedSince", time=good["time"])
    return button(say("whatChanged"), "dialog", label, "changes", kind=kind)


def changes_html(before: str, after: str) -> str:
    """Return HTML that lists how a text differs from an earlier text, line by line.

    Args:
        before: the earlier text.
        after: the text now. The lines are numbered as they are in this text.
    """
    old, new = before.split("\n"), after.split("\n")
    listed, rows = [], 0
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, False).get_opcodes():
        if kind == "equal":
            continue
        if rows >= _MAX_CHANGED_LINES:
            listed.append(tag("p", say("changes.more")))
            break
        gone, come = old[i1:i2][:_MAX_CHANGED_LINES], new[j1:j2][:_MAX_CHANGED_LINES]
        rows += len(gone) + len(come)
        lines = [tag("del", escape(f"− {line}")) for line in gone]
        lines += [tag("ins", escape(f"+ {line}")) for line in come]
        listed.append(tag("p", _change_words(gone, come, j1)) + tag("pre", *lines))
    return tag("div.changes", *listed)


def _change_words(gone: Sequence[str], come: Sequence[str], index: int) -> str:
    """Return a sentence that says which lines of a text were changed.

    Args:
        gone: the old lines that were replaced or removed.
        come: the new lines in their place; empty if lines were only removed.
        index: the index of the first of the new lines in the new text. If there are no new lines, the index
            of the line that follows the removed lines.
    """
    kind, count = "different", len(come)
    if not come:
        kind, count = "gone", len(gone)
    elif not gone:
        kind = "new"
    elif [line.split() for line in gone] == [line.split() for line in come]:
        kind = "spaces"
    number = "one" if count == 1 else "many"
    return say(f"changes.{kind}.{number}", first=index + 1, last=index + count, before=index, count=count)


def clash_html(clashes: Clashes) -> str:
    """Return HTML that shows lines that a user and somebody else have changed differently.

    It asks whose lines to keep.
    """
    compared = (
        tag(
            "div.compare",
            *(
                tag("figure", tag("figcaption", say(word)), tag("pre", escape(lines or say("noLines"))))
                for word, lines in zip(("linesMine", "linesTheirs"), pair, strict=True)
            ),
        )
        for pair in clashes
    )
    mine = button(say("keepMine"), "keep", "mine", kind="button.chief")
    tools = tag("div.tools", mine, button(say("takeTheirs"), "keep", "theirs", kind="button"))
    said = tag("strong", say("conflict")), tag("p", say("conflictOthers"))
    return tag("div.mending", *said, *compared, tools)


def key_clash_html(path: KeyPath, value: Any, own: str, theirs: str) -> str:
    """Return HTML buttons that keep the user's value of a key, or take the value of another window.

    Args:
        path: the key path.
        value: the user's value as JSON, which the button sends back to the server.
        own: the same value as text to show.
        theirs: the other window's value as text.
    """
    mine = button(say("keepValue", value=own), "give", path, value)
    return tag("p.tools", mine, button(say("takeValue", value=theirs), "takeTheirs", path))


# The constants and functions from here on are for the fields of the form.

# Keys whose fields are always shown in the form of a level, a weekday or a page that the user has added.
# "graph" is not a key: it marks where the forecast stands among the fields.
_ALWAYS_SHOWN = ("name", "title", "text", "kind", "count", "per_page", "size", "graph", "paths", "solids")
# The keys of a level that a phone shows beside the forecast, until the user asks for more settings.
_BRIEF = ("count", "per_page")
# The keys whose fields are narrow. Two of them are placed side by side.
_HALF = ("count", "per_page", "paths", "solids", "author", "boards")
# The keys of the cover whose fields are always shown. Design and palette have no fields among these, because
# the user chooses them in a gallery of pictures.
_COVER = ("boards", "blurb", "image")
# Keys whose fields have two buttons, − and +. Each key is mapped to the minimum and maximum of its number,
# and to the number from which to count if the key is not set.
_STEPPED = {"count": (1, MAX_PUZZLES, 1), "boards": (0, 3, 2), "notes_pages": (0, 40, 0)}
# An empty field shows, in grey, the value that applies while the key is not set. This is the maximum length
# of that text in characters: first for a field of full width, then for a field of half the width.
_ROOM, _ROOM_HALF = 34, 12
_TRIMS = ("5x8in", "6x9in", "8x10in", "8.5x11in")
# Maps each usual number of puzzles on a page to their columns and rows.
_GRIDS = {"1": (1, 1), "2": (1, 2), "4": (2, 2), "6": (2, 3)}
# Texts for which the form of an edition has a field. The first two fields are always shown.
_EDITION_TEXTS = (
    "title", "subtitle", "edition", "series.name", "cover.blurb", "cover.badge", "parts.about_author",
)  # fmt: skip
# Keys that say whether the book is also made for screens: as a tablet edition, an e-book, or a web page
# to play on.
_MEDIA = ("screen", "epub", "play")
# Keys that have a slider in addition to their field, and the largest percentage of solid squares that
# a slider offers.
_SLIDERS, _MOST_SOLIDS = ("paths", "solids"), 30
_RANGE = re.compile(r"([^\s–-]*)(?:\s*[–-]\s*([^\s–-]+))?")
_LENGTH = re.compile(r"([\d.]*) ?(in|mm|pt)?")
_NEW_DAY = {"size": "7", "difficulty": "easy"}


def settings_html(
    part: str,
    state: Mapping[str, Any],
    document: Document[Any],
    pictures: Sequence[str] = (),
    notes: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the form for the settings of a part of a book as HTML; empty if the book has no such part.

    Args:
        part: the name of the part, such as ``cover``, ``levels/2`` or ``week/monday``.
        state: the state of the spec file, as returned by ``SpecFile.state``.
        document: the content of the spec file.
        pictures: the pictures in the book's folder.
        notes: HTML to show below the fields of some keys, such as the cost of a copy below ``page.paper``.
    """
    form = book_form() if state["kind"] == "book" else feed_form()
    return _Settings(form, state, document, pictures, notes).part(part)


class _Span(NamedTuple):
    """Numbers of a slider with two knobs.

    Attributes:
        ends: the numbers at the two knobs.
        limits: the numbers at the two ends of the track, which are the lowest and highest possible ones.
        unit: the unit of all these numbers.
    """

    ends: tuple[int, int]
    limits: tuple[int, int]
    unit: str


@dataclass
class _Settings:
    """Writer of the form for a spec's settings: HTML with the current values of the spec."""

    _form: Mapping[str, Any]
    _state: Mapping[str, Any]
    _document: Document[Any]
    _pictures: Sequence[str]
    _notes: Mapping[str, str]

    @property
    def _spec(self) -> BookSpec | None:
        is_book = isinstance(self._document.model, BookSpec) and not self._document.problems
        return self._document.model if is_book else None

    def part(self, name: str) -> str:
        kind, _, entry = name.partition("/")
        part = next((part for part in self._form["parts"] if part["list" if entry else "name"] == kind), None)
        if part is None:
            return ""
        foot = say("allSettings")
        if name == "cover":
            inner, more = self._cover()
        elif not entry:
            drawn = [
                self._key(key, is_alone=len(part["keys"]) == 1) + self._notes.get(key, "")
                for key in part["keys"]
            ]
            inner, more = _with_rest(drawn), "".join(self._key(key) for key in part["more"])
        elif entry in part.get("entries", ()):
            inner, more = self._day(self._field((kind, entry)), (kind,))
            foot = say("settingsOf", weekday=say(f"weekdays.{entry}"))
        elif entry.isdecimal() and self._at((kind, int(entry))) is not None:
            inner, more = self._card(self._field((kind,)), (kind,), int(entry), has_menu=True)
            foot = say("levelSettings") if kind == "levels" else foot
        else:
            return ""
        preview = self._preview() if name == "cover" else ""
        look = self._theme_picture() if name == "looks" else ""
        count = tag("span.meaning", say("more", count=more.count('<div class="field')))
        summary = tag("summary", tag("u", foot), count, data_do=["showAll"])
        details = tag("details.rest", summary, more, id="all-settings") if more else ""
        is_locked = self._state["unreadable"] is not None
        fields = self._reading(), self._problems_without_field(name), preview, look, inner, details
        return tag("form.fields", *fields, id="form", method="dialog", inert=is_locked)

    def _problems_without_field(self, part: str) -> str:
        """Return HTML for the problems of a part whose keys have no field, such as misspelled keys."""
        listed, mending = "", self._state["mending"]
        for problem in self._state["problems"]:
            key, line = problem["key"], problem["line"]
            if not key or part_of(key, part, self._form) != part or self._has_field(key):
                continue
            is_mended = mending and mending["line"] == line
            way = (
                mend_button(line)
                if is_mended
                else button(say("showLine", line=line), "problem", {"key": [], "line": line}, kind="button")
            )
            told = tag("strong", say("atLine", line=line)), marked(problem["message"])
            listed += tag("div.mending", tag("p", *told), way, id=_id(key), data_path=key)
        return listed

    def _has_field(self, path: KeyPath) -> bool:
        try:
            return bool(self._field(path))
        except StopIteration:
            return False

    def _preview(self) -> str:
        """Return HTML for two pictures of the front of the cover, a large one and a small one.

        The scripts of the window add the addresses from which the pictures are loaded.
        """
        words, is_hidden = say("thumbnail"), self._at(("cover",)) in (None, "no")
        front = {"data_tile": json.dumps({"what": "front"})}
        shown = tag("img", alt=words, **front) + tag("img.small", alt="", **front) + tag("figcaption", words)
        figure = tag("figure.preview", shown, hidden=is_hidden)
        return tag(
            "div", figure, button(say("otherDesign"), "view", "designs", id="other-design"), id="preview"
        )

    def _cover(self) -> tuple[str, str]:
        """Return the cover's fields that are always shown, and its other fields, as HTML."""
        path = ("cover",)
        group, value = self._field(path), self._at(path)
        drawn = {each["key"]: self._draw(each, (*path, each["key"])) for each in group["fields"]}
        wanted = tag("p.meaning", marked(group["meaning"])) + self._switch(group, path, value)
        texts = (self._key(key) for key in ("title", "subtitle", "author"))
        is_made = value not in (None, "no")
        chief = (
            "" if is_made else wanted,
            *texts,
            *(drawn.pop(key) + self._notes.get(f"cover.{key}", "") for key in _COVER),
            wanted if is_made else "",
        )
        return tag("section.card", *chief, id=_id(path)), "".join(drawn.values())

    def _theme_picture(self) -> str:
        """Return HTML for a picture of a page with puzzles, and a button that opens the gallery of themes.

        The scripts of the window load the picture in the theme that the user is trying.
        """
        page = tag("img.print", alt=say("lookPage"), data_tile=json.dumps({"what": "look"}))
        return page + button(say("otherLook"), "view", "designs", id="other-design")

    def _key(self, key: str, *, is_alone: bool = False) -> str:
        path = tuple(key.split("."))
        return self._draw(self._field(path), path, is_alone=is_alone)

    def _field(self, path: KeyPath) -> Field:
        found: Field = self._form
        for key in path:
            if isinstance(key, str):
                found = next(field for field in found["fields"] if field["key"] == key)
        return found

    def _at(self, path: KeyPath) -> Any:
        return value_at(self._state["values"], path)

    def _entries(self, path: KeyPath) -> Sequence[Any]:
        return _as_list(self._at(path))

    # Methods that show how linkpress has understood a spec in which the user has used other words for keys

    def _reading(self) -> str:
        reading, is_saved = self._state["reading"], self._state["saved"]
        if not reading:
            return ""
        changes = (line for line in reading["changes"] if not line.startswith(" "))
        listed = tag("ul", *(tag("li", _in_labels(line)) for line in changes))
        unsaved = "" if is_saved else " " + say("readingUnsaved")
        keep = button(say("saveReading"), "save") + button(say("asTyped"), "stepBack", "undo")
        return tag(
            "section.reading",
            tag("p", say("reading"), unsaved),
            self._meaning(),
            tag("details", tag("summary", say("readingChanges")), listed, id="reading-changes"),
            "" if is_saved else tag("div.tools", keep),
            id="reading",
        )

    def _meaning(self) -> str:
        """Return HTML that says how linkpress has understood percentages of squares in the user's spec.

        A percentage such as 70 % may mean solid squares or squares on paths. A button selects the other
        meaning. The result is empty if the meaning is clear. It is also empty if the studio has already
        written its understanding of the spec to the file.
        """
        reading = self._state["reading"]
        free = None if self._state["saved"] or not reading else reading["free"]
        if free is None:
            return ""
        asked = button(say("areSolid" if free else "areOnPaths"), "free", not free)
        return tag("div.asks", say("sharesOnPaths" if free else "sharesSolid"), " ", asked, role="note")

    # Methods that write the fields for groups of keys and for lists

    def _draw(self, field: Field, path: KeyPath, *, is_alone: bool = False) -> str:
        if field["many"] and field["fields"]:
            # The entries of the lists in ``_ENTRY_PARTS``, such as levels, each have a form of their own. So
            # this form shows no fields for them.
            count = 0 if path[0] in _ENTRY_PARTS else len(self._entries(path))
            cards = "".join(_folded(*self._card(field, path, index)) for index in range(count))
            needed = {inside["key"]: "1" for inside in field["fields"] if inside["needed"]}
            # The value of the new entry that the button "Add" appends. None makes the studio append a copy of
            # the list's last entry.
            fresh = None if self._entries(path) else needed
            if path in (("front",), ("back",)):
                fresh = {"text": say("ownText")}
            add = button(say("add"), "addEntry", path, fresh, kind="button")
            return self._list(field, path, cards, add)
        if path == ("editions",):
            return self._editions(field, path)
        if path == ("week",):
            days = (_folded(*self._day(day, path)) for day in field["fields"])
            return tag("section.list", *days, id=_id(path))
        return self._group(field, path, is_alone) if field["fields"] else self._value(field, path)

    def _list(self, field: Field, path: KeyPath, *inner: str) -> str:
        head = tag("h2", label_of(field["key"])), tag("p.meaning", marked(field["meaning"]))
        return tag("section.list", *head, *inner, id=_id(path))

    def _group(self, field: Field, path: KeyPath, is_alone: bool) -> str:
        """Return the fields of a group of keys as HTML.

        The name of the group is left out if its part of the form has no other group.
        """
        value, question = self._at(path), self._meaning() if field["key"] == "solids" else ""
        if field["allowed"]:
            own = self._value(field, path)
        else:
            own = tag("p.meaning", marked(field["meaning"])) + self._switch(field, path, value)
        inside = [each for each in field["fields"] if not each["elsewhere"]]
        drawn = [self._draw(each, (*path, each["key"])) for each in inside]
        if field["key"] == "captions":
            toggles = [html for each, html in zip(inside, drawn, strict=True) if _is_toggle(each)]
            drawn = [tag("div.tools", *toggles), *(html for html in drawn if html not in toggles)]
        fields = "".join(drawn)
        name = None if field["allowed"] else _id(path)
        if is_alone:
            return tag("section.fields", question, own, _with_rest(drawn), id=name)
        is_open = bool(question) or isinstance(value, dict | list) or field["key"] == "captions"
        summary = tag("summary", label_of(field["key"]))
        return tag("details.group", summary, question, own, fields, id=name, open=is_open)

    def _switch(self, field: Field, path: KeyPath, value: Any) -> str:
        """Return an HTML switch for a group of keys that a book may leave out, such as the cover."""
        is_on, name = value not in (None, "no"), f"{_id(path)}-switch"
        if field["default"] == "none" and is_on:
            return button(say("remove"), "act", "unset", path)
        if field["default"] != "no":
            return ""
        box = tag(
            "input",
            type="checkbox",
            id=name,
            checked=is_on,
            data_do=["act", "unset" if is_on else "set", path, "yes"],
        )
        return tag("div.tools", box, tag("label", say("wanted"), for_=name))

    def _entry(self, field: Field, path: KeyPath) -> tuple[str, str]:
        """Return the fields of an entry of a list, such as a level, as HTML.

        The first text of the result has the most important fields, which are always shown. The second text
        has the other fields, which are shown when the user asks for them.
        """
        is_level = path[0] == "levels"
        # The puzzles of a level depend on its name, so a new name would replace all of them. A user must not
        # do this by accident. So show the level's printed title here, and its name only among the other
        # fields, which are hidden at first.
        chief = [key for key in _ALWAYS_SHOWN if not (is_level and key == "name")]
        fields = {each["key"]: each for each in field["fields"]}
        if is_level:
            fields["title"] = {**fields["title"], "usual": self._at((*path, "name")) or ""}
        graph = ""
        if path[0] in ("levels", "week") and len(path) == 2:
            graph = tag("div.outlook", data_of=",".join(map(str, path)), data_own=True)
            if is_level:
                graph += self._samples(path)

        def draw(key: str) -> str:
            # In most levels, the value of the key ``solids`` is a number, so show a field for a number here.
            # If its value is a mapping, such as one with the key ``mask`` (a picture of the solid squares),
            # show the fields for the keys of the mapping.
            if key == "solids" and not isinstance(self._at((*path, key)), dict):
                return self._meaning() + self._value(fields[key], (*path, key))
            return self._draw(fields[key], (*path, key))

        first = "".join(graph if key == "graph" else draw(key) if key in fields else "" for key in chief)
        more = "".join(draw(key) for key in fields if key not in chief)
        if "solids" in fields and not isinstance(self._at((*path, "solids")), dict):
            shape = (self._draw(each, (*path, "solids", each["key"])) for each in fields["solids"]["fields"])
            more += tag("details.group", tag("summary", say("shapeOfBoards")), *shape)
        return first, more

    def _samples(self, path: KeyPath) -> str:
        """Return HTML that loads sample boards of a level.

        The result is empty if the level or a key outside the levels has a problem, or if the level takes its
        puzzles from a file.
        """
        levels: Sequence[LevelSpec] = getattr(self._document.model, "levels", ())
        index = int(path[1])
        problems = self._state["problems"]
        is_wrong = any(
            each["key"][:1] != ["levels"] or each["key"][:2] == ["levels", index] for each in problems
        )
        if is_wrong or index >= len(levels) or levels[index].file:
            return ""
        values = self._state["values"]
        made, drawn = (repr(levels[index]), values.get("seed")), (values.get("theme"), values.get("fonts"))
        of, look = (hashlib.sha256(repr(each).encode()).hexdigest()[:12] for each in (made, drawn))
        query = json.dumps({"file": self._state["file"], "level": index, "of": of, "look": look})
        shown = tag("h3.meaning", say("boardsLike")) + tag("div.boards", say("samplesWait"))
        return tag("section.samples", shown, id=f"samples-{index}", data_load=query, data_own=True)

    def _span(self, key: str, path: KeyPath) -> _Span | None:
        """Return the values and limits of the slider for a level's number of paths or of solid squares.

        Other keys have no slider, so the result is None for them. It is also None if a slider can't show or
        set this number, for example for boards with a shape.
        """
        if key not in _SLIDERS or len(path) != 3:
            return None
        recipes: Any = self._document.model
        # If the spec can't be read, there is no model, so ``recipes`` is None.
        for step in path[:2] if recipes else ():
            recipes = recipes[step] if isinstance(step, int) else getattr(recipes, str(step), None)
        if (
            recipes is None
            or getattr(recipes, "file", None)
            or recipes.method is Method.CLASSIC
            or recipes.shapes
        ):
            return None
        sizes = recipes.sizes
        areas = [size.rows * size.cols for size in sizes]
        if key == "paths":
            wanted = parts_of(recipes.difficulty) or [None]
            spans = [recipes.paths_on(size, points) for size in sizes for points in wanted]
            spans = [span for span in spans if span]
            possible, unit = [possible_paths(min(areas)), possible_paths(max(areas))], say("pairsSpoken")
            limits = possible[0].low, possible[1].high
            ends = min(span.low for span in spans), max(span.high for span in spans)
        else:
            given = recipes.solids or SolidCount(Fraction(0), Fraction(0), share=False)
            shares = [100 * end if given.share else end for end in (given.low, given.high)]
            ends = round(shares[0]), round(shares[1])
            limits = 0, _MOST_SOLIDS if given.share else max(areas) * _MOST_SOLIDS // 100
            unit = "%" if given.share else say("squaresSpoken")
            if [*ends] != shares:
                return None
        return _Span(ends, (min(limits[0], ends[0]), max(limits[1], ends[1])), unit)

    def _slider(self, key: str, path: KeyPath) -> str:
        """Return an HTML slider for the number of paths or solid squares.

        The result is empty for other keys, and for values that a slider can't show. See ``_span``.
        """
        span, label = self._span(key, path), label_of(key)
        words = [say(word, what=label) for word in ("fewest", "most")]
        return (
            slider_html(f"{_id(path)}-slider", path, span.ends, span.limits, words, unit=span.unit)
            if span
            else ""
        )

    def _card(self, field: Field, path: KeyPath, index: int, *, has_menu: bool = False) -> tuple[str, str]:
        """Return the HTML of an entry of a list: the fields that are always shown, and the other fields.

        The buttons that move, copy or remove the entry are in a menu if ``has_menu`` is true, or else below
        its fields.
        """
        own, last = (*path, index), len(self._entries(path)) - 1
        name = self._at((*own, "name")) or say("level", number=index + 1)
        disabled = {"up": index == 0, "down": index == last, "remove": path == ("levels",) and last == 0}
        menu = f"{_id(own)}-menu" if has_menu else None
        tools = "".join(
            button(
                say(word), "entry", word, path, index,
                kind="button" if menu else "button.quiet",
                sign=sign if menu else "",
                data_tool=word,
                disabled=disabled.get(word),
                popovertarget=menu,  # makes a click on the button also close the menu
            )
            for word, sign in {"up": "up", "down": "down", "copy": "copy", "remove": "trash"}.items()
        )  # fmt: skip
        first, more = self._entry(field, own)
        if menu is None:
            return self._box(own, str(name), tools, first), more
        words = tag("span.sheet-tool", say("entryMenu"))
        opener = tag(
            "button.plain.more", icon("dots"), words, popovertarget=menu, aria_label=say("entryMenu")
        )
        listed = tag("div.menu", tools, id=menu, popover=True)
        return self._box(own, str(name), "", opener, listed, first), more

    def _box(self, path: KeyPath, name: str, tools: str, *inner: str) -> str:
        legend, foot = tag("legend", escape(name)), tag("div.tools", tools) if tools else ""
        return tag("fieldset.card", legend, *inner, foot, id=_id(path), data_path=path, tabindex=-1)

    def _day(self, day: Field, path: KeyPath) -> tuple[str, str]:
        own, name = (*path, day["key"]), say(f"weekdays.{day['key']}")
        if self._at(own) is None:
            add = button(say("addDay"), "act", "set", own, _NEW_DAY)
            return self._box(own, name, add, tag("p.meaning", say("noIssue"))), ""
        first, more = self._entry(day, own)
        return self._box(own, name, button(say("remove"), "act", "unset", own), first), more

    def _editions(self, field: Field, path: KeyPath) -> str:
        """Return the fields of the book's other editions as HTML.

        If a field is empty, the edition has the same value as the book. As a hint, the empty field shows this
        value in grey.
        """
        editions, levels = _mapping(self._at(path)), [*map(_mapping, self._entries(("levels",)))]
        titles = [str(level.get("title") or level.get("name") or "") for level in levels]
        # If an edition changes one of the publisher's own pages, it has to list all of them. So before the
        # user can translate their texts, the edition gets a copy of the book's pages.
        copies = {key: [*map(_mapping, self._entries((key,)))] for key in ("front", "back")}
        documents = edition_documents(self._spec) if self._spec else {}

        def draw(key: str, own: KeyPath, label: str = "", of: KeyPath = (), usual: str = "") -> str:
            field = self._field((*of, key))
            if key not in ("isbn", "language"):
                usual = usual or str(self._at((*of, key)) or "")
            hint = field["hint"] if key == "isbn" else say("asBook")
            changed = {"key": label or key, "needed": False, "hint": hint, "usual": usual}
            return self._value({**field, **changed}, own)

        cards = ""
        for name in editions:
            own, model = (*path, name), documents[name].model if name in documents else None
            missing = {key for key in copies if not isinstance(self._at((*own, key)), list)}
            left = untranslated_texts(self._spec, model, {}) if self._spec and model else {}
            fields, links = "", []
            for text, key in left.items():
                keys = key_path(key)
                if keys[0] in missing:
                    links.append(button(text, "act", "set", (*own, keys[0]), copies[str(keys[0])]))
                elif keys[0] in ("levels", *copies) or key in _EDITION_TEXTS:
                    links.append(button(text, "key", (*own, *keys)))
                else:
                    links.append(tag("span", escape(text)))
            for key in _EDITION_TEXTS[2:]:
                keys = key_path(key)
                if key in left.values() or self._at((*own, *keys)) is not None:
                    fields += draw(str(keys[-1]), (*own, *keys), of=keys[:-1])
            for index, title in enumerate(titles):
                label = f"{index + 1} · {title}"
                fields += draw("title", (*own, "levels", index, "title"), label, ("levels",), title)
            for key, entries in copies.items():
                for index, entry in enumerate(() if key in missing else entries):
                    for inner in ("title", "text"):
                        if inner in entry:
                            label = str(entry["title"]) if inner == "title" else ""
                            fields += draw(inner, (*own, key, index, inner), label, (key,))
            notes = words_notes(self._spec, model, {}, name, has_keys=False) if self._spec and model else ()
            told = "".join(notes).removesuffix(f"{listed([*left])}.") if left else ""
            cards += self._box(
                own,
                name_of("choices", name),
                button(say("showEdition"), "edition", name, "page")
                + button(say("remove"), "act", "unset", own),
                *(draw(key, (*own, key)) for key in ("language", "title", "subtitle", "isbn")),
                fields,
                # The list of missing translations gets shorter while the user fills in the fields. It stands
                # below the fields, so that they don't move.
                tag("div.asks", escape(told), tag("div.tools", *links)) if told else "",
            )
        taken = {*editions, self._at(("language",)) or "en"}
        languages = [code for code in self._field(("language",))["choices"] if code not in taken]
        media = [key for key in _MEDIA if self._at((key,)) in (None, "no")]
        adds: list[tuple[str, KeyPath, Any]] = [
            (name_of("choices", code), (*path, code), {"language": code}) for code in languages
        ]
        adds += [(say(f"media.{key}"), (key,), "yes") for key in media]
        tools = (button(name, "act", "set", own, value, sign="plus") for name, own, value in adds)
        return self._list(field, path, cards, tag("h3", say("editionIn")), tag("div.tools", *tools))

    # Values

    def _value(self, field: Field, path: KeyPath) -> str:
        name, value = _id(path), self._at(path)
        label = name_of("keys", ".".join(map(str, path)), label_of(field["key"]))
        meaning, named = field["meaning"], f"{say('unset')}: {label}"
        # The Tab key skips this button, because a user who goes to the next field and types a space there
        # would otherwise press the button.
        words = {"title": say("unsetTo"), "aria_label": named}
        reset = button("", "give", path, "", kind="button.link.reset", sign="undo", tabindex=-1, **words)
        what = ", ".join(map(label_of, contrary_keys(self._state["values"], path)))
        if isinstance(value, dict):
            values = ", ".join(f"{key}: {each}" for key, each in value.items())
            told = tag("p", escape(say("asFile", values=values)), id=name)
            return tag("div.field", tag("span.label", label), told, tag("p.meaning", marked(meaning)))
        kind, control = self._control(field, path, name, value)
        slider = self._slider(field["key"], path)
        # Don't list the allowed values if the field already shows them: in a list of choices, by a switch, or
        # in an explanation of the key in plain words.
        is_told = field["plain"] or kind in ("choice", "toggle")
        allowed = "" if is_told else " " + tag("span.allowed", marked(field["allowed"]))
        classes = ".usual" * (value is None) + ".needed" * field["needed"] + f".{kind}" * bool(kind)
        classes += (
            ".half" * (field["key"] in _HALF) + ".brief" * (field["key"] in _BRIEF) + ".ranged" * bool(slider)
        )
        return tag(
            f"div.field{classes}",
            tag("label", escape(label), for_=name, title=".".join(map(str, path))),
            "" if field["needed"] else reset,
            self._with_usual_values(field["key"], path, "" if value is None else str(value), control),
            slider,
            tag("div.error", role="alert", id=f"{name}-error", data_own=True),
            button(say("inPlaceOf", what=what), "replaceOthers", path, kind="button.quiet.contrary")
            if what
            else "",
            tag("p.meaning", marked(meaning), allowed, id=f"{name}-meaning"),
            data_path=path,
            data_kind=kind or None,
            data_picture=self._picture_path(field, path),
        )

    def _papers(self) -> tuple[list[str], str]:
        """Return the names of the printer's papers, and the name of its default paper.

        Both are empty if the printer of the book is not known.
        """
        if isinstance(self._document.model, BookSpec):
            with contextlib.suppress(LinkpressError):
                profile = load_profile(self._document.model)
                return [paper.name for paper in profile.papers], profile.default_paper
        return [], ""

    def _picture_path(self, field: Field, path: KeyPath) -> KeyPath | None:
        """Return the key that a picture sets if it is dropped on a field; None if the field takes none.

        A picture dropped on the field of solid squares becomes their mask.
        """
        if path[0] in ("levels", "week") and path[2:] in (("solids",), ("solids", "mask")):
            return (*path[:2], "solids", "mask")
        return path if field["control"] == "picture" else None

    def _with_usual_values(self, key: str, path: KeyPath, value: str, control: str) -> str:
        """Return the HTML control of a field.

        For some keys, the result also has buttons that set the usual values of the key.
        """
        if key in _STEPPED:
            return self._stepper(key, path, control) if value.isdecimal() or not value else control
        tiles: dict[str, str] = {}
        if path == ("page", "trim"):
            for trim in _TRIMS:
                width, height = trim[:-2].split("x")
                tiles[trim] = f"{_page_picture(float(width), float(height))}{width} × {height}"
        elif key == "per_page" and path[0] == "levels":
            tiles = {count: _page_picture(6, 9, *grid) for count, grid in _GRIDS.items()}
        elif key == "size" and path[0] in ("levels", "week"):
            middle = min(48, max(6, int(value))) if value.isdecimal() else 8
            tiles = {str(side): f"{side} × {side}" for side in range(middle - 1, middle + 3)}
        # The Tab key reaches only one of the buttons: the one with the current value, or else the first one.
        # The arrow keys move between the buttons.
        stop = value if value in tiles else next(iter(tiles), "")
        buttons = [
            tag(
                "button.quiet",
                inner,
                tabindex=0 if given == stop else -1,
                data_do=["give", path, given],
                aria_pressed=str(given == value).lower(),
                aria_label=f"{label_of(key)}: {given}" if key == "per_page" else None,
            )
            for given, inner in tiles.items()
        ]
        if not buttons:
            return control
        if "<select" in control:
            name = f"{_id(path)}-others"
            others = tag("summary.link.quiet", say("other")), control
            control = tag("details", *others, id=name, open=value not in ("", *tiles))
        return tag("span.tiles", *buttons, control)

    def _stepper(self, key: str, path: KeyPath, control: str) -> str:
        """Return the HTML control for a number, with the buttons − and + beside it.

        The Tab key skips these buttons.
        """
        # A user may click again before the first click is saved. So the window's scripts add to the number
        # that the field shows, and not to the saved one.
        less, more = (
            button(
                "",
                *("count", path, by, *_STEPPED[key]),
                sign=sign,
                tabindex=-1,
                aria_label=f"{label_of(key)}: {say(word)}",
            )
            for by, sign, word in ((-1, "minus", "oneLess"), (1, "plus", "oneMore"))
        )
        return tag("span.tiles.stepper", less, control, more)

    def _control(self, field: Field, path: KeyPath, name: str, value: Any) -> tuple[str, str]:
        """Return the kind of a field, and the field's HTML control.

        The window's scripts need the kind to read the typed value.
        """
        shared = {"id": name, "aria_describedby": f"{name}-meaning {name}-error"}
        kind, choices, hint, key = field["control"], field["choices"], field["hint"], field["key"]
        if path == ("page", "paper"):
            choices, hint = self._papers()
        span = self._span(key, path)
        # ``hint`` is the grey text in an empty field. If it is too long, the field would cut it off, so show
        # "as usual" instead.
        room = _ROOM_HALF if key in (*_HALF, *_STEPPED) else _ROOM
        told = say("asUsual") if len(hint) > room else f"{hint[:1].upper()}{hint[1:]}"
        # If the key is not set, the value of another key may apply, such as the book's title. Show this value
        # unchanged, however long it is.
        told = field["usual"] or told
        if isinstance(value, list):
            text = ", ".join(map(str, value))
            text = text if field["many"] else f"[{text}]"
        else:
            text = "" if value is None else str(value)

        def typed(**more: Any) -> str:
            usual = {"list": f"offers-{key}", "value": text, "placeholder": told, "autocomplete": "off"}
            return tag("input", **{**shared, **usual, **more})

        if kind == "picture":
            _, chosen = self._control({**field, "control": "", "choices": self._pictures}, path, name, value)
            take = tag("input", id=f"{name}-file", type="file", accept="image/jpeg,image/png")
            kind = "choice" if "<select" in chosen else ""
            return kind, tag("span.picture", chosen, tag("label.button", say("choosePicture"), take))
        if kind == "range" and (ends := _RANGE.fullmatch(text)):
            other = {"id": f"{name}-to", "aria_label": f"{label_of(key)}, {say('to')}"}

            def end(attributes: Mapping[str, Any], value: str, word: str) -> str:
                if choices:
                    # The file may have a value that is not among the choices, such as 23-28 for the
                    # difficulty. Add such a value to the choices.
                    own = [value] if value and value not in choices else []
                    options = _option("", word, False) + _options(key, [*own, *choices], value)
                    return tag("select", options, **attributes)
                more = {"inputmode": "numeric", "autocomplete": "off", "placeholder": word, "value": value}
                return tag("input", **attributes, **more)

            low, high = map(str, span.ends) if span else (told or "–", "–")
            last = end(other, ends[2] or "", "–" if text else high)
            return "range", tag("span.ends", end(shared, ends[1], low), say("to"), last)
        if kind == "length" and (length := _LENGTH.fullmatch(text)):
            chosen_unit = length[2] or "mm"
            unit = "".join(_option(each, each, each == chosen_unit) for each in ("in", "mm", "pt"))
            units = tag("select", unit, id=f"{name}-unit", aria_label=say("unit"))
            return "length", tag("span.ends", typed(value=length[1]), units)
        if kind == "lines":
            usual = field["usual"] or None
            return "lines", tag("textarea", "\n" + escape(text), **shared, rows=4, placeholder=usual)
        # In the text of a title, the character ``|`` marks a line break. A title with line breaks is shown in
        # a field of several lines, without the ``|``.
        lines = [line.strip() for line in re.split(r"[|\n]", text.strip())] if key == "title" else []
        if len(lines) > 1:
            return "title", tag("textarea", "\n" + escape("\n".join(lines)), **shared, rows=len(lines))
        if kind == "ink":
            own = text if re.fullmatch("#[0-9a-fA-F]{6}", text) else None
            label = f"{label_of(key)}: {text or hint}"
            swatch = tag("input", type="color", list="offers-ink", aria_label=label, value=own, data_ink=path)
            return "many" if field["many"] else "", tag("span.ink", typed(), swatch)
        if _is_toggle(field) and text in ("", *choices):
            usual, is_on = field["default"], (text or field["default"]) == "yes"
            # If the user chooses the default value, the key is removed from the spec. So the switch sends an
            # empty value in place of the default, and the other value as it is.
            on, off = (word * (word != usual) for word in ("yes", "no"))
            given = {"data_on": on, "data_off": off}
            return "toggle", tag("input", **shared, **given, type="checkbox", checked=is_on)
        if not choices or (text and text not in choices):
            return "many" if field["many"] else "", typed()
        usual = say("usual", value=name_of("choices", hint)) if hint else "–"
        usual = say("asUsual") if len(usual) > _ROOM else usual
        options = _option("", usual, False) + _options(key, choices, text)
        if not field["free"]:
            return "choice", tag("select", options, **shared)
        options += tag("option", say("other"), value="\n", class_="other")
        other_input = {"id": f"{name}-other", "aria_label": label_of(key), "autocomplete": "off"}
        return "choice", tag("select", options, **shared) + tag("input", **other_input)


def _folded(html: str, more: str) -> str:
    """Return some fields as HTML, followed by further fields that stay hidden until the user unfolds them."""
    return html + (tag("details", tag("summary", say("moreKeys")), more) if more else "")


def _with_rest(fields: Sequence[str]) -> str:
    """Return fields as HTML, arranged for phones.

    A phone at first shows only the first three fields. It shows the others when the user asks for more
    settings.
    """
    return "".join(fields[:3]) + (tag("div.fields.rest", *fields[3:]) if fields[3:] else "")


def _is_toggle(field: Field) -> bool:
    return field["choices"] == ["yes", "no"] and field["default"] in field["choices"]


def _id(path: KeyPath) -> str:
    return "-".join(["key", *map(str, path)])


def _option(value: str, text: str, is_chosen: bool) -> str:
    return tag("option", escape(text), value=value, selected=is_chosen)


def _options(key: str, choices: Sequence[str], chosen: str) -> str:
    group = "designs" if key == "design" else "choices"
    return "".join(_option(choice, name_of(group, choice), choice == chosen) for choice in choices)


def _in_labels(line: str) -> str:
    """Convert a note to HTML. It says how linkpress has understood something that the user wrote in a spec.

    An example of a note is "`margin: 1cm` is read as `page.margins: 1cm`". The user's words, at the start of
    the note, are shown as code. A key of linkpress is replaced by the label that its field has in the window.
    """
    typed, *change = re.split(" is (?:read as|left out)", line, maxsplit=1)
    typed_count = len(typed.split("`")) if any(change) else 0

    def labelled(part: str) -> str:
        path = re.match(r"[a-z_.]+(?=$|:)", part)
        label = " › ".join(label_of(step) for step in path[0].split(".")) if path else ""
        return label + part[path.end() :] if path else part

    return "".join(
        tag("strong.label", escape(labelled(part))) if index % 2 and index >= typed_count
        else tag("code", escape(part)) if index % 2 else escape(part)
        for index, part in enumerate(line.split("`"))
    )  # fmt: skip


def _page_picture(width_in: float, height_in: float, cols: int = 1, rows: int = 1) -> str:
    """Return an SVG icon of a page in its proportions, on which the puzzles are shown as a grid.

    Args:
        width_in: the width of the page in inches.
        height_in: the height of the page in inches.
        cols: the number of puzzles beside each other.
        rows: the number of puzzles below each other.
    """
    width, height = 3 * width_in, 3 * height_in
    lines = "".join(f"M{width * col / cols:g} 0v{height:g}" for col in range(1, cols))
    lines += "".join(f"M0 {height * row / rows:g}h{width:g}" for row in range(1, rows))
    path = f"M0 0h{width:g}v{height:g}h-{width:g}z{lines}"
    size = f'width="{width + 2:g}" height="{height + 2:g}" viewBox="-1 -1 {width + 2:g} {height + 2:g}"'
    return f'<svg fill="none" stroke="currentColor" aria-hidden="true" {size}><path d="{path}"/></svg>'
