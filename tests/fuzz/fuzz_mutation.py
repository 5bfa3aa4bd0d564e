"""Seeded changes to bytes, texts and JSON values: the same seed spoils a sample in the same way."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import nasty_values as nasty

MAX_BYTES = 96 * 1024  # a mutated input grows no further
_SQUARE = re.compile(rb"[A-Za-z_]+|-?[0-9]+|[\xc0-\xff][\x80-\xbf]+|[^\s]")
_TOKEN = re.compile(rb"[A-Za-z_]+|-?[0-9][0-9.]*|[^\sA-Za-z0-9]")

_JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**300, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", " ",
    [], {}, [[]], [None], [1], {"": ""}, {"a": None}, ["."], ["1 1"], "\ud800", "a\udfffb", "\0", "\n",
    "x" * 3000,
)  # fmt: skip


class Mutation:
    """Spoils samples of one kind.

    Args:
        words: what to throw in, besides what breaks any reader.
        samples: others of the kind, to splice with.
    """

    def __init__(self, words: Sequence[str], samples: Sequence[bytes]) -> None:
        everywhere = (*nasty.NUMBERS, *nasty.LETTERS, *nasty.WORDS)
        self._own = [word.encode() for word in words] or [b"x"]
        self._words = [word.encode() for word in everywhere]
        self._samples = samples

    def spoil(self, dice: Random, sample: bytes) -> bytes:
        """The sample after one to six changes."""
        content = sample
        for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
            change: Callable[[Random, bytes], bytes] = dice.choice(_CHANGES)
            content = change(self, dice, content)[:MAX_BYTES]  # type: ignore[call-arg, arg-type]
        return content

    def _word(self, dice: Random) -> bytes:
        return dice.choice(self._own if dice.random() < 0.5 else self._words)

    def _flip(self, dice: Random, content: bytes) -> bytes:
        spoilt = bytearray(content or b" ")
        for _ in range(dice.choice((1, 1, 2, 8))):
            spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
        return bytes(spoilt)

    def _overwrite(self, dice: Random, content: bytes) -> bytes:
        at = dice.randrange(len(content) + 1)
        put = dice.randbytes(dice.randrange(1, 6))
        return content[:at] + put + content[at + dice.choice((0, len(put))) :]

    def _delete(self, dice: Random, content: bytes) -> bytes:
        at, end = _slice(dice, len(content))
        return content[:at] + content[end:]

    def _repeat(self, dice: Random, content: bytes) -> bytes:
        at, end = _slice(dice, len(content))
        times = dice.choice((1, 1, 2, 3, 30, 1000))
        return (content[:end] + content[at:end] * times)[:MAX_BYTES] + content[end:]

    def _splice(self, dice: Random, content: bytes) -> bytes:
        other = dice.choice(self._samples)
        at, end = _slice(dice, len(other))
        place = dice.randrange(len(content) + 1)
        if dice.random() < 0.5:
            return content[:place] + other[at:]
        return content[:place] + other[at:end] + content[place:]

    def _lines(self, dice: Random, content: bytes) -> bytes:
        lines = content.splitlines(keepends=True) or [b""]
        at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        kind = dice.randrange(4)
        if kind == 0:
            lines.insert(other, lines[at])
        elif kind == 1:
            del lines[at]
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines[at] = b" " * dice.randrange(1, 5) + lines[at]
        return b"".join(lines)

    def _token(self, dice: Random, content: bytes) -> bytes:
        """One token gives way to a nasty word; a number, more often than not, to a nasty number."""
        found = list(_TOKEN.finditer(content))
        if not found:
            return self._insert(dice, content)
        token = dice.choice(found)
        word = self._word(dice)
        if token[0][-1:].isdigit() and dice.random() < 0.6:
            word = dice.choice(nasty.NUMBERS).encode()
        elif dice.random() < 0.3:
            word = dice.choice(found)[0]
        return content[: token.start()] + word + content[token.end() :]

    def _exchange(self, dice: Random, content: bytes) -> bytes:
        """Two tokens change places, or one takes the other's everywhere: the shape stays."""
        found = list(_SQUARE.finditer(content))
        if len(found) < 2:
            return self._flip(dice, content)
        one, two = sorted(dice.sample(found, 2), key=lambda match: match.start())
        if dice.random() < 0.2:
            return content.replace(one[0], two[0])
        middle = content[one.end() : two.start()]
        return content[: one.start()] + two[0] + middle + one[0] + content[two.end() :]

    def _insert(self, dice: Random, content: bytes) -> bytes:
        at = dice.randrange(len(content) + 1)
        return content[:at] + self._word(dice) + content[at:]

    def _cut(self, dice: Random, content: bytes) -> bytes:
        return content[: dice.randrange(len(content) + 1)]

    def _nest(self, dice: Random, content: bytes) -> bytes:
        begin, end = dice.choice(((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b"- ", b""), (b"<<", b">>")))
        depth = dice.choice((3, 13, 200, 2000))
        at, stop = _slice(dice, len(content))
        return content[:at] + begin * depth + content[at:stop] + end * depth + content[stop:]

    def _encode(self, dice: Random, content: bytes) -> bytes:
        text = content.decode("utf-8", "replace")
        return text.encode(
            dice.choice(("utf-16", "utf-16-be", "utf-32", "latin-1", "utf-8-sig", "cp037")), "replace"
        )


def _slice(dice: Random, length: int) -> tuple[int, int]:
    start = dice.randrange(length + 1)
    return start, min(length, start + dice.choice((1, 1, 2, 5, 20, 100, 1000)))


_COMMON = (
    Mutation._token,
    Mutation._token,
    Mutation._exchange,
    Mutation._exchange,
    Mutation._lines,
    Mutation._insert,
)
_CHANGES = (
    *_COMMON,
    *_COMMON,
    Mutation._flip,
    Mutation._flip,
    Mutation._overwrite,
    Mutation._delete,
    Mutation._delete,
    Mutation._repeat,
    Mutation._splice,
    Mutation._cut,
    Mutation._nest,
    Mutation._encode,
)


def spoil_value(dice: Random, content: Any, depths: Sequence[int] = (2, 11, 13, 100, 400, 900)) -> Any:
    """A JSON value of which one to three parts are gone, doubled, swapped or of another kind.

    Args:
        dice: decides.
        content: the value; it is changed.
        depths: of lists and objects that are put around a part.
    """
    whole = [content]
    for _ in range(dice.choice((1, 1, 2, 3))):
        holder, key = _place(dice, whole)
        kind = dice.randrange(8)
        if kind == 0 and holder is not whole:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, _copied(holder[key]))
        elif kind == 2:
            other, at = _place(dice, whole)
            holder[key] = _copied(other[at])
        elif kind == 3 and isinstance(holder, dict):
            holder[dice.choice((*nasty.WORDS, *nasty.LETTERS, "\ud800"))] = holder.pop(key)
        elif kind == 4 and isinstance(holder[key], str):
            holder[key] = _spoilt_text(dice, holder[key])
        elif kind == 5 and isinstance(holder[key], (int, float)):
            holder[key] += dice.choice((1, -1, 0.5, 10**6, -(10**30)))
        elif kind == 6:
            for _ in range(dice.choice(depths)):
                holder[key] = [holder[key]] if dice.random() < 0.5 else {"a": holder[key]}
        else:
            holder[key] = dice.choice((*_JSON_VALUES, *nasty.WORDS, *nasty.LETTERS, *nasty.NUMBERS))
    return whole[0]


def _copied(value: Any) -> Any:
    """A copy; 0 of what is nested deeper than Python copies."""
    try:
        return copy.deepcopy(value)
    except RecursionError:
        return 0


def _place(dice: Random, whole: list[Any]) -> tuple[Any, Any]:
    """Some list or object inside, and one of its keys; deeper ones as likely as shallow ones."""
    holder: Any = whole
    key: Any = 0
    while isinstance(holder[key], (list, dict)) and holder[key] and dice.random() < 0.9:
        holder = holder[key]
        key = dice.choice(list(holder)) if isinstance(holder, dict) else dice.randrange(len(holder))
    return holder, key


def _spoilt_text(dice: Random, text: str) -> str:
    word = dice.choice((*nasty.WORDS, *nasty.LETTERS, *nasty.NUMBERS, *nasty.BOARDS, "\ud800"))
    at = dice.randrange(len(text) + 1)
    return text[:at] + word + text[at + dice.choice((0, 0, 1, 3)) :]
