"""Large pictures are decoded some rows at a time and reduced meanwhile: most are never whole in memory."""

from __future__ import annotations

import contextlib
import ctypes
import io
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, BinaryIO

from PIL import Image, TiffTags

_BAND = 64  # rows: of 9,000 pixels 2 MB
_PIECE = 1 << 20  # bytes of a file that are read at a time
_REACH = 2.5  # in rows of the result: how far below and above it Pillow's bicubic filter looks, and a half
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # of a pixel, by PNG's type of colour: grey, colours, each with alpha
# Tags of TIFF: those of a strip, and those that say how its samples are coded (width, bits, packing, colours,
# order of bits, samples, the fax codings' choices, predictor, palette, alpha, signs, JPEG's tables, YCbCr).
_HEIGHT, _BITS, _PACKING, _ORIENTATION, _PLANES = 257, 258, 259, 274, 284
_STRIP_OFFSETS, _STRIP_ROWS, _STRIP_LENGTHS = 273, 278, 279
_CODING_TAGS = {256, 258, 259, 262, 266, 277, 292, 293, 317, 320, 338, 339, 347, 529, 530, 531, 532}
_MMAP_THRESHOLD = -3  # of glibc's ``mallopt``
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_chunks(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield the name and length of each chunk of a PNG; the file stands at its data meanwhile."""
    place = len(_SIGNATURE)
    file.seek(place)
    while len(head := file.read(8)) == 8:
        length = int.from_bytes(head[:4], "big")
        yield head[4:], length
        place += 12 + length
        file.seek(place)


def unpacked_png(file: BinaryIO, size: int = _PIECE) -> Iterator[bytes]:
    """Yield a PNG's filtered rows, so many bytes at a time; damage is an ``OSError`` or ``zlib.error``."""
    inflate, held = zlib.decompressobj(), b""
    for name, length in png_chunks(file):
        while name == b"IDAT" and length and not inflate.eof:
            packed = file.read(min(length, _PIECE))
            length = length - len(packed) if packed else 0
            while True:
                held += inflate.decompress(packed, size - len(held))
                packed, is_full = inflate.unconsumed_tail, len(held) == size
                if is_full:
                    yield held
                    held = b""
                elif not packed:
                    break
    if held:
        yield held
    if not inflate.eof:
        raise OSError("it ends too early")


def packed_rows(image: Image.Image) -> bytes:
    """Pack a picture's rows as a PNG has them; four inks are written as colours and alpha."""
    if image.mode == "CMYK":
        image = Image.frombuffer("RGBA", image.size, image.tobytes(), "raw", "RGBA", 0, 1)
    written = io.BytesIO()
    image.save(written, "PNG", compress_type=zlib.Z_RLE)
    return b"".join(written.read(length) for name, length in png_chunks(written) if name == b"IDAT")


def bands_of(file: BinaryIO, image: Image.Image) -> Iterator[Image.Image]:
    """Yield a picture from top to bottom, some rows at a time.

    Args:
        image: the picture, opened from the file. It is decoded as a whole if it is no PNG, or one that
            has its rows in another order or some pixels in a byte.
    """
    if image.format == "PNG":
        file.seek(len(_SIGNATURE) + 8)
        width, _, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", file.read(13))
        if depth >= 8 and kind in _CHANNELS and not interlaced:
            yield from _png_bands(file, width, depth, kind)
            return
    if image.format == "TIFF":
        strips, rows = _strips_of(file, image)
        if strips:
            yield from _tiff_bands(file, image, strips, rows)
            return
    for top in range(0, image.height, _BAND):
        yield image.crop((0, top, image.width, min(top + _BAND, image.height)))


def _png_bands(file: BinaryIO, width: int, depth: int, kind: int) -> Iterator[Image.Image]:
    """Yield each band decoded as a PNG of its own, below the row above it, to which its filters refer.

    Of 16 bits the upper 8 are kept: the filters work on each byte for itself.
    """
    row = 1 + width * _CHANNELS[kind] * depth // 8
    above = b""
    for packed in unpacked_png(file, row * _BAND):
        if depth == 16:
            starts = range(0, len(packed), row)
            packed = b"".join(
                packed[start : start + 1] + packed[start + 1 : start + row : 2] for start in starts
            )
        rows = above + packed
        height = len(rows) // (1 + width * _CHANNELS[kind])
        band = Image.open(io.BytesIO(_small_png(width, height, kind, rows)))
        yield band.crop((0, bool(above), width, height))
        above = b"\0" + band.crop((0, height - 1, width, height)).tobytes()


def _strips_of(file: BinaryIO, image: Any) -> tuple[list[tuple[int, int]], int]:
    """Return where the strips of a TIFF begin and how long they are, and how many rows each has.

    There are none where they are no plain pieces of its rows, overlap, or are a single one that is packed.
    """
    tags = image.tag_v2
    rows = tags.get(_STRIP_ROWS) or image.height
    strips = list(zip(tags.get(_STRIP_OFFSETS, ()), tags.get(_STRIP_LENGTHS, ()), strict=False))
    is_plain = (tags.get(_ORIENTATION, 1), tags.get(_PLANES, 1)) == (1, 1)
    if not is_plain or len(strips) != -(-image.height // rows):
        return [], rows
    if len(strips) == 1 and tags.get(_PACKING, 1) == 1:  # not packed at all: any row may begin a piece
        row = -(-image.width * sum(tags.get(_BITS, (1,))) // 8)
        end = row * image.height
        starts = range(0, end, row * _BAND)
        return [(strips[0][0] + start, min(row * _BAND, end - start)) for start in starts], _BAND
    overlap = sum(length for _, length in strips) > file.seek(0, io.SEEK_END)
    return ([] if overlap or len(strips) == 1 else strips), rows


def _tiff_bands(
    file: BinaryIO, image: Any, strips: Sequence[tuple[int, int]], rows: int
) -> Iterator[Image.Image]:
    """Yield some strips at a time as a TIFF of their own, with the tags that say how they are coded."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    tags, step = image.tag_v2, max(1, _BAND // rows)
    for first in range(0, len(strips), step):
        small, pieces = ImageFileDirectory_v2(prefix=tags.prefix), []
        for tag in _CODING_TAGS & tags.keys():
            small.tagtype[tag], small[tag] = tags.tagtype[tag], tags[tag]
        for offset, length in strips[first : first + step]:
            file.seek(offset)
            pieces.append(file.read(length))
        lengths = tuple(map(len, pieces))
        small[_HEIGHT] = min(step * rows, image.height - first * rows)
        small[_STRIP_ROWS], small[_STRIP_LENGTHS] = rows, lengths
        small.tagtype[_STRIP_OFFSETS] = TiffTags.LONG
        small[_STRIP_OFFSETS] = tuple(accumulate(lengths[:-1], initial=0))  # Pillow adds the end of the tags
        written = io.BytesIO()
        small.save(written)
        yield Image.open(io.BytesIO(written.getvalue() + b"".join(pieces)))


def _small_png(width: int, height: int, kind: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))
        for name, data in chunks
    )


def reduced(bands: Iterator[Image.Image], height: int, size: tuple[int, int]) -> Image.Image:
    """Reduce a picture, given in bands of one mode; raise ``OSError`` if they have not so many rows."""
    _give_back_at_once()
    window = next(bands)
    result, scale = Image.new(window.mode, size), height / size[1]
    top = done = 0  # the picture's row with which the window begins, and the rows of the result
    while done < size[1]:
        bottom = top + window.height
        ready = size[1] if bottom >= height else max(done, int(bottom / scale - _REACH))
        if ready > done:
            box = (0.0, done * scale - top, float(window.width), min(ready * scale - top, window.height))
            result.paste(window.resize((size[0], ready - done), box=box), (0, done))
            done = ready
        if bottom < height:
            rest = max(0, int((done - _REACH) * scale) - top)
            window, top = _stacked(window, rest, next(bands, None)), top + rest
    return result


def _give_back_at_once() -> None:
    """Have glibc return what a large picture took when it is freed: it would keep blocks of up to 32 MB.

    A build with a picture of 9,000 × 9,000 pixels takes 260 MB with this, and 300 without.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another library of C
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _PIECE)


def _stacked(window: Image.Image, rest: int, band: Image.Image | None) -> Image.Image:
    """Put a band below the rows of a window from ``rest`` on."""
    if band is None:
        raise OSError("it ends too early")
    kept = window.height - rest
    stacked = Image.new(window.mode, (window.width, kept + band.height))
    stacked.paste(window.crop((0, rest, window.width, window.height)), (0, 0))
    stacked.paste(band, (0, kept))
    return stacked
