"""Where a line may end: at spaces, between words of scripts without spaces, within long words.

Source:
    Unicode UAX #14, as ICU has it: dictionaries for Thai, Lao, Khmer and Burmese, and for Japanese the
    rules of JIS X 4051 in their strict form, for phrases a learned model. Hyphens stand where LibreOffice's
    dictionaries allow them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import accumulate

import pyphen

# Thai and Lao, Burmese, Khmer, Tai scripts, Chinese and Japanese; and a break that an author put in.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\u9fff\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff\u200b]"
)
_WORD = re.compile(r"[^\W\d_]+")
_NO_WORD = re.compile(r"\w[^\w'’-]+\w|[\d_]")  # an address, a version: a hyphen would become a part of it
_LEAST_PART = 3  # letters before a hyphen and after it
_LONGEST = 100  # letters of a word; what is longer is none


def pieces(text: str, language: str, phrases: bool = False) -> Iterator[str]:
    """The least parts between which a line may end, each with the spaces before it.

    Args:
        text: without line feeds.
        language: a BCP 47 tag.
        phrases: whether Japanese lines end between phrases alone, as in titles, and not within words.
    """
    start = 0
    for index in range(1, len(text)):
        if text[index] == " " and text[index - 1] != " ":
            yield from _parts(text[start:index], language, phrases)
            start = index
    if text:
        yield from _parts(text[start:], language, phrases)


def _parts(word: str, language: str, phrases: bool) -> Iterator[str]:
    if not _UNSPACED.search(word):
        yield word
        return
    bare = word.lstrip(" ")
    spaces = word[: len(word) - len(bare)]
    for part in _line_parts(bare, language, phrases):
        yield spaces + part
        spaces = ""


@lru_cache(maxsize=5_000)
def cuts(word: str, language: str) -> tuple[tuple[int, str], ...]:
    """Return where a word may be parted at need, in order: the letters before, and a hyphen or nothing.

    Args:
        word: one of ``pieces``.
        language: a BCP 47 tag; one without a dictionary has no hyphens.
    """
    found = {end: "" for end in _ends(_line_parts(word, language)) if end < len(word)}
    hyphens = _hyphens(language)
    if hyphens is not None and not _UNSPACED.search(word) and not _NO_WORD.search(word):
        for letters in _WORD.finditer(word):
            for position in hyphens.positions(letters[0]) if len(letters[0]) <= _LONGEST else ():
                if position.data is None:  # else the spelling would change
                    found.setdefault(letters.start() + position, "-")
    return tuple(sorted(found.items()))


@cache
def _hyphens(language: str) -> pyphen.Pyphen | None:
    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known, left=_LEAST_PART, right=_LEAST_PART) if known else None


def _ends(parts: Iterable[str]) -> Iterator[int]:
    return accumulate(map(len, parts))


def _line_parts(text: str, language: str, phrases: bool = False) -> Iterable[str]:
    from icu4py.breakers import LineBreaker  # 30 MB of tables, which most books have no need of

    ends = "lb=strict;lw=phrase" if phrases else "lb=strict"
    return LineBreaker(text, f"{language.replace('-', '_')}@{ends}")


def letters(word: str) -> Iterator[int]:
    """Return where each letter of a word ends, its marks with it."""
    from icu4py.breakers import CharacterBreaker

    return _ends(CharacterBreaker(word, "en"))
