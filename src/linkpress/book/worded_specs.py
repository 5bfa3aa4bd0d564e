"""Write the spec of a new book from a short description, such as ``easy 40, hard 20, A5, Spanish``.

The description is the value of ``linkpress init --from``. Its parts are separated by commas, and each part
becomes a key of the spec.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterator, Mapping

from linkpress.book.mixes import DEFAULT_MIX, count_parts, mix_of_text
from linkpress.documents.other_names import name_table
from linkpress.documents.problem import InvalidError, printable
from linkpress.documents.shipped_files import DIFFICULTY_SETS, LANGUAGES, PRINTERS
from linkpress.documents.values import parse_size
from linkpress.documents.yaml_edit import with_value
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError
from linkpress.resources import resource
from linkpress.words.language import ENGLISH, load_words

# Matches a text in the quotation marks of various languages.
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“]+)“|«([^»]+)»|'([^']+)'")
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
    asked = f"--from {printable(words)}"
    if not mix and not puzzles:
        raise UsageError(f"{asked}: it does not say how many puzzles. {_HELP}")
    if mix and "difficulties" in keys:
        raise UsageError(
            f"{asked}: {keys['difficulties']} is a whole set of difficulties, so leave out {', '.join(mix)}. "
            "Give only the number of puzzles, such as: 60 puzzles."
        )
    try:
        counts = count_parts(mix or DEFAULT_MIX, int(puzzles) if puzzles else None)
    except InvalidError as error:
        raise UsageError(f"{asked}: {error}. {_HELP}") from None
    keys["puzzles"] = str(sum(counts.values()))
    keys.setdefault("language", language)
    keys.setdefault("title", load_words(keys["language"]).samples.title)
    parts = keys.get("difficulties") or ", ".join(f"{count} {name}" for name, count in counts.items())
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
        try:
            keys = list(_keys_of(text))
        except InvalidError:
            keys = []
        if not keys:
            raise UsageError(f"--from: {printable(text)} is not understood. {_HELP}")
        yield from keys


def _keys_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of the spec, and their values, that one part of a description asks for.

    Nothing is yielded if the part is not understood.
    """
    lower = text.lower()
    if mix := mix_of_text(lower):
        yield from ((f"mix.{name}", count) for name, count in mix.items())
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
    elif printer := _known(lower, "page.printer", PRINTERS.names()):
        yield "page.printer", printer
    elif lower.removeprefix("for ") in DIFFICULTY_SETS.names():
        yield "difficulties", lower.removeprefix("for ")
    elif tag := _known(lower.removeprefix("in "), "language", LANGUAGES.names()):
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


def _known(word: str, key: str, names: Collection[str]) -> str | None:
    """Return the name that a word means as the value of a key, such as ``es`` for "spanish".

    Return None if the word is none of the names, nor another word for one of them.
    """
    return word if word in names else name_table().value(word, key)
