"""Bounds on what a file may ask of its readers, so that a hostile one ends in a message."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import pikepdf

from linkpress.preflight.pdf_reading.objects import entry, filters, named, number

# A 424-page book of 1,000 boards spends 450,000 operators, in a file of 2.1 MB. What a file may ask
# for grows with its size: a small one is refused after some 3 s, one of 1.6 MB or more after some 12 s.
LEAST_OPERATORS = 400_000
MAX_OPERATORS = 2_000_000
MAX_PAGE_OPERATORS = 400_000  # what a page draws is held in memory, some 300 MB at this bound
MAX_STREAM_TOKENS = 1_000_000  # parsed content is held in memory, some 300 MB at this bound
MAX_STREAM_BYTES = 8 * 1024 * 1024
MAX_OBJECTS = 200_000
MAX_OTHER_BYTES = 64 * 1024 * 1024  # of fonts and profiles; a font of all Chinese characters has 20 MB
MAX_FUNCTION_BYTES = 1024 * 1024  # a colour function may be read anew at each use
MAX_NESTING = 24
MAX_SAVED_STATES = 512
FORM_COST = 50  # operators that entering a form costs as much time as

_MOST_FILTERS = 16  # of a stream; honest ones have one or two
_FLATE_RATIO = 1032  # the most that one deflated byte can unpack to
_UNREAD = {"/Image", "/EmbeddedFile", "/Metadata", "/XRef", "/ObjStm"}  # not for what a page draws
_ASCII = {"/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx"}
_FLATE = {"/FlateDecode", "/Fl"}


class TooMuchError(Exception):
    """A file asks for more than its budget; the message says for what.

    Args:
        whole_file: whether no page of it can be read.
    """

    def __init__(self, text: str, whole_file: bool = False) -> None:
        super().__init__(text)
        self.whole_file = whole_file


@dataclass
class ReadingBudget:
    """What is left to spend on one file, in operators."""

    operators: int = MAX_OPERATORS
    page_operators: int = MAX_PAGE_OPERATORS

    @classmethod
    def of_file(cls, size: int) -> ReadingBudget:
        """Return the budget of a file of so many bytes."""
        return cls(min(LEAST_OPERATORS + size, MAX_OPERATORS))

    def turn_page(self) -> None:
        """Begin another page."""
        self.page_operators = MAX_PAGE_OPERATORS

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left to read another page with."""
        return self.operators < 0

    def spend(self, count: int) -> None:
        """Count operators; raise ``TooMuchError`` when a page or the file executes too many."""
        self.operators -= count
        self.page_operators -= count
        if self.operators < 0:
            raise TooMuchError("more drawing operators than a file of this size should have")
        if self.page_operators < 0:
            raise TooMuchError(f"more than {MAX_PAGE_OPERATORS:,} drawing operators on one page")


def check_streams(pdf: pikepdf.Pdf) -> None:
    """Look at all that PDFium may unpack while it reads a page: fonts, profiles, functions.

    Raises:
        TooMuchError: there are too many objects, or a stream unpacks to too much.
    """
    for place, thing in enumerate(pdf.objects):
        if place > MAX_OBJECTS:
            raise TooMuchError(f"more than {MAX_OBJECTS:,} objects")
        if (
            not isinstance(thing, pikepdf.Stream)
            or {named(thing, "/Type"), named(thing, "/Subtype")} & _UNREAD
        ):
            continue
        limit = MAX_OTHER_BYTES if entry(thing, "/FunctionType") is None else MAX_FUNCTION_BYTES
        if int(number(entry(thing, "/Length"))) * _FLATE_RATIO > limit or len(filters(thing)) > 1:
            unpacked(thing, limit)


def unpacked(stream: pikepdf.Stream, limit: int = MAX_STREAM_BYTES) -> bytes:
    """Return a stream's data; raise ``TooMuchError`` before more than ``limit`` bytes are unpacked."""
    chain = filters(stream, _MOST_FILTERS)
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
