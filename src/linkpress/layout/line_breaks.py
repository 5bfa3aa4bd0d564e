"""A line may end at spaces, between words of scripts without spaces, and within long words.

Source:
    Unicode UAX #14, as ICU has it: dictionaries for Thai, Lao, Khmer and Burmese, and for Japanese the
    rules of JIS X 4051 in their strict form, for phrases a learned model. Hyphens stand where LibreOffice's
    dictionaries allow them.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations, pairwise
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyphen import Pyphen

# Thai and Lao, Burmese, Khmer, Tai scripts, a break that an author put in, Chinese and Japanese: where each
# range of characters begins, and what follows it. As a pattern this took 8 ms to compile.
_UNSPACED = (
    "\u0e00\u0f00\u1000\u10a0\u1780\u1800\u1950\u19e0\u1a20\u1ab0\u200b\u200c\u2e80\ua000\uf900\ufb00"
    "\uff00\ufff0\U00020000\U00040000"
)
_WORD = re.compile(r"[^\W\d_]+")
_NO_WORD = re.compile(r"\w[^\w'’-]+\w|[\d_]")  # an address, a version: a hyphen would become a part of it
_LEAST_PART = 3  # letters before a hyphen and after it
_SMALL_WORD = 3  # letters: of, the, de, los, der, et; none of these ends a line of a title
_LONE_SHARE = 0.5  # of the widest line: a single word this short on the last one looks lost
_LINE_FINE = 0.6  # for each line; one that ends where sense goes on costs 1
_MOST_WAYS = 3_000  # of breaking a title
_LONGEST = 100  # letters of a word; what is longer is none


def pieces(text: str, language: str, phrases: bool = False) -> Iterator[str]:
    """Yield the least parts between which a line may end, with the spaces before each; in titles, phrases."""
    start = 0
    for index in range(1, len(text)):
        if text[index] == " " and text[index - 1] != " ":
            yield from _parts(text[start:index], language, phrases)
            start = index
    if text:
        yield from _parts(text[start:], language, phrases)


def _parts(word: str, language: str, phrases: bool) -> Iterator[str]:
    if not _has_unspaced(word):
        yield word
        return
    bare = word.lstrip(" ")
    spaces = word[: len(word) - len(bare)]
    for part in _line_parts(bare, language, phrases):
        yield spaces + part
        spaces = ""


def _has_unspaced(text: str) -> bool:
    return not text.isascii() and any(bisect(_UNSPACED, char) % 2 for char in text)


def display_lines(
    parts: Sequence[str], language: str, width_of: Callable[[str], float], most: float
) -> list[str] | None:
    """Break a title's parts into few lines about as long, none ending in *of*; return None if that fails."""
    lines: list[str] = []
    for part in parts:
        words = list(pieces(part, language, phrases=True))
        best: tuple[float, list[str]] | None = None
        for count in range(1, len(words) + 1):
            if comb(len(words) - 1, count - 1) > _MOST_WAYS:
                return None
            ways = (_joined(words, ends) for ends in combinations(range(1, len(words)), count - 1))
            fitting = [way for way in ways if all(width_of(line) <= most for line in way)]
            tried = [(_unevenness(way, width_of) + _LINE_FINE * count, way) for way in fitting]
            if best is not None:
                best = min([best, *tried])
                break  # a line more than there must be may help sense; two don't
            best = min(tried, default=None)
        if best is None:
            return None
        lines += best[1]
    return lines


def _joined(words: Sequence[str], ends: Iterable[int]) -> list[str]:
    return ["".join(words[begin:end]).strip(" ") for begin, end in pairwise((0, *ends, len(words)))]


def breaks_poorly(lines: Sequence[str]) -> int:
    """Return 2 if a line ends where sense goes on, 1 if one is a word alone beside longer lines, else 0."""
    alone = {" " in line for line in lines} == {True, False}
    return 2 if _stray(lines) else int(alone)


def _stray(lines: Sequence[str]) -> int:
    ends = [line.rpartition(" ")[2] for line in lines[:-1]]
    return sum(len(end) <= _SMALL_WORD and end.islower() for end in ends)


def _unevenness(lines: Sequence[str], width_of: Callable[[str], float]) -> float:
    """Return how far lines are from one length, with a fine for each that ends where sense goes on."""
    widths = [width_of(line) for line in lines]
    widest = max(widths)
    alone = len(lines) > 1 and " " not in lines[-1] and widths[-1] < _LONE_SHARE * widest
    return sum((1 - width / widest) ** 2 for width in widths) + _stray(lines) + 0.5 * alone


@lru_cache(maxsize=5_000)
def cuts(word: str, language: str) -> tuple[tuple[int, str], ...]:
    """Return where a piece may be parted at need, in order: the letters before, and a hyphen or nothing."""
    found = {end: "" for end in _ends(_line_parts(word, language)) if end < len(word)}
    hyphens = _hyphens(language)
    if hyphens is not None and not _has_unspaced(word) and not _NO_WORD.search(word):
        for letters in _WORD.finditer(word):
            for position in hyphens.positions(letters[0]) if len(letters[0]) <= _LONGEST else ():
                if position.data is None:  # else the spelling would change
                    found.setdefault(letters.start() + position, "-")
    return tuple(sorted(found.items()))


@cache
def _hyphens(language: str) -> Pyphen | None:
    import pyphen

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
