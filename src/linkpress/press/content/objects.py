"""Reading PDF objects that may be missing, of the wrong type or hostile: no surprise gets out."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterator

import pikepdf

from linkpress.press.content.budget import MAX_STREAM_BYTES, TooMuchError

_LARGEST = 1e9
_MOST_FILTERS = 16  # of a stream; honest ones have one or two
_FLATE_RATIO = 1032  # the most that one deflated byte can unpack to
_ASCII = {"/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx"}
_FLATE = {"/FlateDecode", "/Fl"}


def number(value: object, default: float = 0.0) -> float:
    """A finite number, or the default."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return max(-_LARGEST, min(_LARGEST, found)) if math.isfinite(found) else default


def numbers(value: object, count: int) -> tuple[float, ...] | None:
    """Exactly ``count`` numbers of an array, or None."""
    if not isinstance(value, pikepdf.Array) or len(value) != count:
        return None
    items = list(value)
    if not all(is_number(item) for item in items):
        return None
    return tuple(number(item) for item in items)


def is_number(value: object) -> bool:
    """Whether a PDF number stands here."""
    if isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def dictionary(value: object) -> pikepdf.Dictionary | pikepdf.Stream | None:
    """A dictionary or a stream's dictionary, or None."""
    return value if isinstance(value, pikepdf.Dictionary | pikepdf.Stream) else None


def entry(holder: object, key: str) -> object:
    """A dictionary's entry, None where there is none or no dictionary."""
    if not isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
        return None
    return holder.get(key)


def name(value: object) -> str:
    """A name with its slash, or an empty text."""
    return str(value) if isinstance(value, pikepdf.Name) else ""


def named(holder: object, key: str) -> str:
    """A dictionary's entry if it is a name, else an empty text."""
    return name(entry(holder, key))


def items(holder: object) -> Iterator[tuple[str, object]]:
    """The entries of a dictionary, none if it is not one."""
    if isinstance(holder, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(holder.keys()):
            yield str(key), holder.get(key)


def elements(value: object, most: int | None = None) -> list[object]:
    """The elements of an array, none if it is not one or has more than ``most``."""
    if not isinstance(value, pikepdf.Array) or (most is not None and len(value) > most):
        return []
    return list(value)


def identity(value: object) -> tuple[int, int] | None:
    """What tells one indirect object from another; None for a direct one."""
    number_and_generation = getattr(value, "objgen", (0, 0))
    return None if number_and_generation == (0, 0) else number_and_generation


def filters(stream: object) -> list[str]:
    """The names of a stream's or inline image's filters, outermost first; no more than anybody needs."""
    found = entry(stream, "/Filter")
    if isinstance(found, pikepdf.Array):
        return [name(found[place]) for place in range(min(len(found), _MOST_FILTERS))]
    return [name(found)] if isinstance(found, pikepdf.Name) else []


def unpacked(stream: pikepdf.Stream, limit: int = MAX_STREAM_BYTES) -> bytes:
    """A stream's data, or ``TooMuchError`` before more than ``limit`` bytes are unpacked."""
    chain = filters(stream)
    if len(chain) == _MOST_FILTERS:
        raise TooMuchError(f"a stream packed {_MOST_FILTERS} times or more")
    raw = stream.read_raw_bytes()
    packed = [step for step in chain if step not in _ASCII]
    if len(packed) <= 1 and len(raw) * _FLATE_RATIO <= limit:
        return stream.read_bytes()
    if all(step in _ASCII | _FLATE for step in chain) and entry(stream, "/DecodeParms") is None:
        data = raw
        for step in chain:
            data = _unpack_step(step, data, limit)
        return data
    if len(raw) * 64 > limit or len(packed) > 1:
        raise TooMuchError(f"a stream of {len(raw):,} bytes packed by {' and '.join(chain)}")
    data = stream.read_bytes()
    if len(data) > limit:
        raise TooMuchError(f"a stream of {len(data):,} bytes")
    return data


def _unpack_step(step: str, data: bytes, limit: int) -> bytes:
    if step in ("/ASCII85Decode", "/A85"):
        body = data.split(b"~>", 1)[0]
        return base64.a85decode(body, ignorechars=b" \t\n\r\v\f\0")
    if step in ("/ASCIIHexDecode", "/AHx"):
        digits = bytes(c for c in data.split(b">", 1)[0] if c in b"0123456789abcdefABCDEF")
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
    plain = zlib.decompressobj()
    found = plain.decompress(data, limit + 1)
    if len(found) > limit:
        raise TooMuchError(f"a stream that unpacks to more than {limit // 2**20} MB")
    return found
