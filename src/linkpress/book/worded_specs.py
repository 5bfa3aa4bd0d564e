"""Write the spec of a new book from a short description, such as ``easy 40, hard 20, A5, Spanish``.

The description is the value of ``linkpress init --from``. Its parts are separated by commas, and each part
becomes a key of the spec.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from linkpress.book.mixes import DEFAULT_MIX
from linkpress.documents.problem import printable
from linkpress.documents.shipped_files import DIFFICULTY_SETS, LANGUAGES, PRINTERS
from linkpress.documents.values import parse_size
from linkpress.documents.yaml_edit import with_value
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError
from linkpress.resources import resource
from linkpress.words.language import ENGLISH, load_words, parse_locale

_NAMES = "|".join(Difficulty)
# Matches a text in the quotation marks of various languages.
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“]+)“|«([^»]+)»|'([^']+)'")
# Matches a difficulty with a number of puzzles or a percentage, in either order: "easy 40" or "50% easy".
_PART = re.compile(
    rf"(?P<name>{_NAMES})\W*(?P<count>[0-9]+ *%?)|(?P<count2>[0-9]+ *%?)\W*(?P<name2>{_NAMES})"
)
# Words that switch something on, and the key of the spec that they set to "yes".
_YES_KEYS = {
    "cover": "cover",
    "e-book": "epub",
    "ebook": "epub",
    "epub": "epub",
    "images": "images",
    "play page": "play",
    "large print": "page.large_print",
}
_PRINTER_WORDS = {"amazon": "kdp-paperback", "kdp": "kdp-paperback"}
_HELP = (
    "Give a number for each difficulty (easy 40, hard 20) or a total (60 puzzles). You can add a page size "
    "(A5, 6x9in), a language (Spanish), a board size (10x10), a printer (kdp-paperback), cover, e-book, "
    "by AUTHOR, or a title in quotes."
)


def worded_text(words: str, language: str, notify: Notify) -> str:
    """Return the YAML text of a book's spec, written from a short description.

    Args:
        words: the description, such as ``easy 40, hard 20, A5``. Its parts are separated by commas. Text in
            quotes becomes the book's title.
        language: the tag of the book's language, such as ``en``, if the description names no language.
        notify: function that is called with a line of text about each key, to show it to the user.
    Raises:
        UsageError: a part of the description is not understood, or two parts contradict each other.
    """
    keys = dict(_read(words))
    mix = {key[4:]: value for key, value in keys.items() if key.startswith("mix.")}
    puzzles = keys.get("puzzles")
    if not mix and not puzzles:
        raise UsageError(f"--from {printable(words)}: it does not say how many puzzles. {_HELP}")
    if mix and "difficulties" in keys:
        raise UsageError(
            f"--from {printable(words)}: {keys['difficulties']} is a whole set of difficulties, so "
            f"leave out {', '.join(mix)}. Give only the number of puzzles, such as: 60 puzzles."
        )
    is_shared = any("%" in value for value in mix.values())
    if is_shared and not puzzles:
        raise UsageError(
            f"--from {printable(words)}: shares need a number of puzzles, such as: 60 puzzles. {_HELP}"
        )
    if not is_shared and mix:
        total = str(sum(map(int, mix.values())))
        if puzzles not in (None, total):
            raise UsageError(f"--from {printable(words)}: the parts have {total} puzzles, not {puzzles}.")
        keys["puzzles"] = total
    keys.setdefault("language", language)
    keys.setdefault("title", load_words(keys["language"]).samples.title)
    named = [f"{value} {name}" for name, value in (mix or DEFAULT_MIX).items()]
    parts = keys["difficulties"] if "difficulties" in keys else ", ".join(named)
    notify(f"puzzles: {counted(int(keys['puzzles']), 'puzzle')} ({parts})")
    for key, value in keys.items():
        if key != "puzzles" and not key.startswith("mix."):
            notify(f"{key}: {value}")
    return _text(words, keys, mix)


def _text(words: str, keys: Mapping[str, str], mix: Mapping[str, str]) -> str:
    schema = resource("config", "spec.schema.json").as_uri()
    text = f"""\
# yaml-language-server: $schema={schema}
#
# Made from: {printable(words, 300)}
# `linkpress check` shows the plan of the book, and `linkpress build` makes it.

title: Title
language: {ENGLISH}
seed: {secrets.randbelow(10**12)}   # decides the puzzles: keep it once the book is sold

page:
  trim: 6x9in           # the cut page, width first

puzzles: 1
"""
    if mix:
        text += f"mix: {{{', '.join(f'{name}: {value}' for name, value in mix.items())}}}\n"
    for key, value in keys.items():
        if not key.startswith("mix."):
            text = with_value(text, tuple(key.split(".")), value)
    return text


def _read(words: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of the spec, and their values, that a whole description asks for.

    Raises:
        UsageError: a part of the description is not understood.
    """
    title = _QUOTED.search(words)
    if title:
        yield "title", next(filter(None, title.groups()))
        words = f"{words[: title.start()]},{words[title.end() :]}"
    for part in re.split(r"[,;\n]| and ", words):
        text = part.strip(" .")
        if not text:
            continue
        keys = list(_keys_of(text))
        if not keys:
            raise UsageError(f"--from: {printable(text)} is not understood. {_HELP}")
        yield from keys


def _keys_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of the spec, and their values, that one part of a description asks for.

    Nothing is yielded if the part is not understood.
    """
    lower = text.lower()
    if match := re.fullmatch(rf"(?:{_PART.pattern})(?: *puzzles?)?", lower):
        name, count = match["name"] or match["name2"], match["count"] or match["count2"]
        yield f"mix.{name}", count.replace(" ", "")
    elif match := re.fullmatch(r"([0-9]+) *(?:puzzles?|boards?)?", lower):
        yield "puzzles", match[1]
    elif match := re.fullmatch(r"(?:by|author:?) +(.+)", text, re.IGNORECASE):
        yield "author", match[1]
    elif (match := re.fullmatch(r"([0-9]+) *[x×] *([0-9]+)(?: +(?:boards?|squares))?", lower)) and (
        match[1] == match[2] or lower.endswith(("s", "d"))
    ):
        yield "size", f"{match[1]}x{match[2]}"
    elif lower in _YES_KEYS:
        yield _YES_KEYS[lower], "yes"
    elif lower in PRINTERS.names() or lower in _PRINTER_WORDS:
        yield "page.printer", _PRINTER_WORDS.get(lower, lower)
    elif lower.removeprefix("for ") in DIFFICULTY_SETS.names():
        yield "difficulties", lower.removeprefix("for ")
    elif tag := _language_tag(lower.removeprefix("in ")):
        yield "language", tag
    else:
        yield from _page_size(lower)


def _page_size(text: str) -> Iterator[tuple[str, str]]:
    size = re.sub(r" *(?:page|paper|pages)$", "", text)
    for trim in (size, f"{size}in"):  # a size without a unit, such as 6x9, is in inches
        try:
            parse_size(trim)
        except ValueError:
            continue
        yield "page.trim", trim.upper() if re.fullmatch(r"[ab][0-9]", trim) else trim
        return


def _language_tag(name: str) -> str | None:
    """Return the tag of the shipped language with this name, such as ``es``. None if there is none.

    The name can be the tag itself, the language's English name, or its name in the language itself. It must
    be in lower case.
    """
    for tag in LANGUAGES.names():
        locale: Any = parse_locale(tag)
        if name in (tag, locale.get_display_name("en").lower(), locale.get_display_name().lower()):
            return tag
    return None
