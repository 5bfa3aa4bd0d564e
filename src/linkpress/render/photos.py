"""Prepare pixel pictures for drawing: read, check, reduce, crop, lighten and convert them.

A picture behind a page or on a cover comes from a JPEG, PNG, TIFF or WebP file. ``read_photo`` checks the
file and reduces pictures with more pixels than a page needs. ``prepared`` then crops a picture to its box and
converts it to the colours in which it is drawn: grey, RGB or CMYK.
"""

from __future__ import annotations

import io
import math
import struct
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, BinaryIO

from PIL import ExifTags, Image, ImageChops, ImageMath, ImageOps, UnidentifiedImageError

from linkpress.documents.inks import MOST_INK, Rgb
from linkpress.documents.values import Size
from linkpress.layout.frame import SHADE, Photo, Shade, cut_size

_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP")
# Pillow's options for saving a reduced picture, for each file format. A picture in any other format is
# saved as PNG.
_SAVE_OPTIONS: dict[str, dict[str, Any]] = {"JPEG": {"quality": 95, "subsampling": 0}, "TIFF": {}}
# Errors that Pillow raises for a damaged picture. LookupError, TypeError and struct.error come from TIFF tags
# that are missing or have the wrong type.
_DAMAGE_ERRORS = OSError, SyntaxError, ValueError, zlib.error, LookupError, TypeError, struct.error
# File suffixes and media types of the two picture formats that every e-book reader can show.
PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png"}
_SIDEWAYS_ORIENTATIONS = range(5, 9)  # Exif orientations of pictures whose width and height must be exchanged
_MAX_DPI = 600  # a JPEG with more dots per inch on the page may be decoded at a lower resolution

# Pictures with more pixels are reduced, unless this would make their shorter side too short. A page of 8.5 ×
# 11 in has 8.7 million pixels at 300 dpi, which printers ask for, and 10 million at 320 dpi.
_ENOUGH_PIXELS = 10_000_000
_STRIP_ROWS = 256  # number of rows that are converted to CMYK at a time, to save memory
_SCREEN_PIXELS = 2048  # maximum longer side of a picture for screens, in pixels; tablets don't show more

# Values for finding the main colour of a picture's edge. The picture is decoded with at least ``_EDGE_PX``
# pixels on its shorter side. Then the edge is reduced to ``_EDGE_COLOURS`` colours.
_EDGE_PX, _EDGE_COLOURS = 100, 6
# A coloured veil covers the upper part of a picture, and fades out below. This is the height of the fade, as
# a share of the picture's height.
_SHADE_FADE = 0.14
# maximum number of pixels in a picture file; enough for a double page of 17 × 11 in at 900 dpi
MOST_PIXELS = 150_000_000


class NoPictureError(ValueError):
    """Error: a file can't be used as a picture.

    The message is the end of a sentence about the file, such as "is damaged".
    """


def reduced_size(whole: Size, least: float) -> Size:
    """Return the size in pixels to which a picture is reduced. It must still look sharp on a page.

    A picture with at most ``_ENOUGH_PIXELS`` pixels keeps its size.

    Args:
        whole: the width and height of the picture in pixels.
        least: the number of pixels that the shorter side must keep.
    """
    width, height = whole
    scale = max(math.sqrt(_ENOUGH_PIXELS / (width * height)), least / min(whole))
    return whole if scale >= 1 else Size(round(width * scale), round(height * scale))


def size_of_photo(file: BinaryIO) -> Size:
    """Check a picture file. Return the width and height of the picture in pixels.

    Some cameras store a picture lying on its side, with a note that says how to turn it. The result is the
    size of the picture after it is turned upright.

    Raises:
        NoPictureError: the file is damaged, too large or of another format.
    """
    image = _open(file)
    size = image.size
    with _damage_as_no_picture():
        image.draft(None, (1, 1))  # decodes a JPEG at an eighth of its size, which is faster
        image.load()
        return _upright(size, _orientation(image))


def blank_photo(file: BinaryIO, least: float) -> tuple[bytes, Size, Size]:
    """Return a white picture as a stand-in for a picture file.

    It has the size that ``read_photo`` would return, and is grey, RGB or CMYK like the file.
    """
    whole = size_of_photo(file)
    mode, size, written = _open(file).mode, reduced_size(whole, least), io.BytesIO()
    kept = mode if mode in ("1", "L", "CMYK") else "L" if mode.startswith("I;16") else "RGB"
    blank = Image.new("RGB", (int(size.width_pt), int(size.height_pt)), "white").convert(kept)
    # Compression level 1 takes two thirds of the usual level's time, and its result is decoded twice as fast.
    blank.save(written, "TIFF" if kept == "CMYK" else "PNG", compress_level=1)
    return written.getvalue(), whole, size


def read_photo(file: BinaryIO, least: float) -> tuple[bytes, Size, Size]:
    """Read a picture file. Reduce the picture if it has more pixels than a page needs.

    Args:
        least: the number of pixels that the shorter side must keep.
    Returns:
        The content of a picture file, the size in pixels before reducing, and the size after it. A picture
        that is small enough is returned unchanged.
    Raises:
        NoPictureError: the file is damaged, too large or of another format.
    """
    image = _open(file)
    whole = Size(*image.size)
    size = reduced_size(whole, least)
    if size == whole:
        whole = size_of_photo(file)
        file.seek(0)
        return file.read(), whole, whole
    format_name = image.format if image.format in _SAVE_OPTIONS else "PNG"
    size_px = (int(size[0]), int(size[1]))
    with _damage_as_no_picture():
        image.draft(None, size_px)
        orientation = _orientation(image)
        reduced = (image if image.mode == "CMYK" else _plain(image, mixed=False)).resize(size_px)
    reduced.info = {}  # don't save the colour profile or comments of the original
    reduced.getexif()[ExifTags.Base.Orientation] = orientation
    ImageOps.exif_transpose(reduced, in_place=True)
    written = io.BytesIO()
    reduced.save(written, format_name, **_SAVE_OPTIONS.get(format_name, {"compress_level": 0}))
    return written.getvalue(), _upright((int(whole[0]), int(whole[1])), orientation), Size(*reduced.size)


def prepared(photo: Photo, mixed: bool) -> Image.Image:
    """Return a picture in the form in which it is drawn.

    It is cropped to the proportions of its box, and has Pillow's mode ``L``, ``RGB`` or ``CMYK``.

    Args:
        photo: the picture, with its box on the page.
        mixed: whether to convert colours to CMYK. Black replaces the part that cyan, magenta and yellow have
            in common, and the four inks together stay within ``MOST_INK``.
    """
    image = _decode(photo.content, max(photo.box[2:]) / 72 * _MAX_DPI)
    crop = cut_size(Size(*image.size), photo.box[2] / photo.box[3])
    left, top = (image.width - crop.width_pt) / 2, (image.height - crop.height_pt) / 2
    box = (round(left), round(top), round(left + crop.width_pt), round(top + crop.height_pt))
    if box != (0, 0, *image.size):
        image = image.crop(box)
    image = _plain(image, mixed and not photo.grey)
    image = image.convert("L") if photo.grey else image
    if photo.shade is not None:
        if image.mode == "L":  # a grey picture must be converted before a coloured tint can be laid over it
            image = _to_cmyk(image.convert("RGB")) if mixed else image.convert("RGB")
        image = _shaded(image, photo.shade)
    return image if photo.strength == 1 else _lightened(image, photo.strength)


def screen_picture(content: bytes) -> tuple[bytes, str]:
    """Convert a picture for screens to a JPEG or PNG file.

    Returns:
        The content of the file and its suffix, one of ``PICTURE_TYPES``. A suitable file is returned
        unchanged.
    """
    raw = Image.open(io.BytesIO(content), formats=_FORMATS)
    suffix = ".png" if raw.format in ("PNG", "WEBP") else ".jpg"
    is_plain = raw.format in ("JPEG", "PNG") and raw.mode in ("L", "RGB", "P", "RGBA")
    if is_plain and max(raw.size) <= _SCREEN_PIXELS:
        return content, suffix
    image = _plain(_decode(content, _SCREEN_PIXELS), mixed=False)
    image.thumbnail((_SCREEN_PIXELS, _SCREEN_PIXELS))
    stream = io.BytesIO()
    image.save(stream, "PNG" if suffix == ".png" else "JPEG", quality=90, optimize=True)
    return stream.getvalue(), suffix


# Cached, because each build calls this twice for the same picture, and decoding takes 0.1 s.
@lru_cache(maxsize=1)
def edge_colour(content: bytes) -> Rgb | None:
    """Return the most frequent colour in a strip at the left edge of a picture, 1/20 of the picture's width.

    Return None if ``content``, the content of the picture file, is empty.
    """
    if not content:
        return None
    plain = _plain(_decode(content, _EDGE_PX), mixed=False).convert("RGB")
    strip = plain.crop((0, 0, max(1, plain.width // 20), plain.height)).quantize(_EDGE_COLOURS)
    index = max(range(_EDGE_COLOURS), key=strip.histogram().__getitem__)
    red, green, blue = (strip.getpalette() or [])[3 * index : 3 * index + 3]
    return red / 255, green / 255, blue / 255


def png_rows(image: Image.Image) -> bytes:
    """Return the rows of pixels of a picture, filtered and compressed as in a PNG file.

    A PDF file can store them unchanged, because PDF has the same row filters as PNG. PNG has no CMYK, so a
    CMYK picture is written as if it were RGBA. Both have four bytes for each pixel.
    """
    if image.mode == "CMYK":
        image = Image.frombuffer("RGBA", image.size, image.tobytes(), "raw", "RGBA", 0, 1)
    written = io.BytesIO()
    image.save(written, "PNG", compress_type=zlib.Z_RLE)
    # Begin at byte 8, because the first chunk of a PNG file follows its signature of 8 bytes.
    content, rows, position = written.getvalue(), [], 8
    while position < len(content):
        length, chunk_type = struct.unpack_from(">I4s", content, position)
        if chunk_type == b"IDAT":
            rows.append(content[position + 8 : position + 8 + length])
        position += length + 12
    return b"".join(rows)


def _orientation(image: Image.Image) -> int:
    orientation: int = image.getexif().get(ExifTags.Base.Orientation, 1)
    return orientation


def _upright(size: tuple[int, int], orientation: int) -> Size:
    return Size(*size[::-1] if orientation in _SIDEWAYS_ORIENTATIONS else size)


def _plain(image: Image.Image, mixed: bool) -> Image.Image:
    """Convert a picture to Pillow's mode ``L``, ``RGB`` or ``CMYK``. Transparent parts become white."""
    if image.mode == "CMYK":
        return image if mixed else image.convert("RGB")
    if image.mode.startswith("I;16"):
        # Scale 16 bits to 8 bits first, because convert("L") alone would set all values above 255 to 255.
        return image.convert("I").point(lambda value: value * (255 / 65535) + 0.5).convert("L")
    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode != "RGB":
        clear = image.convert("RGBA")
        image = Image.new("RGB", clear.size, (255, 255, 255))
        image.paste(clear, mask=clear.getchannel("A"))
    return _to_cmyk(image) if mixed else image


def _shaded(image: Image.Image, shade: Shade) -> Image.Image:
    """Draw a coloured veil over the upper part of a picture, so that white text is legible on it."""
    inks = shade.ink.shares if image.mode == "CMYK" else shade.ink.rgb
    veil = Image.new(image.mode, image.size, tuple(round(255 * part) for part in inks))
    height = image.height
    distances = (max(row / height - shade.share, 0.0) for row in range(height))
    opacities = bytes(round(255 * SHADE * max(0.0, 1 - distance / _SHADE_FADE)) for distance in distances)
    return Image.composite(veil, image, Image.frombytes("L", (1, height), opacities).resize(image.size))


def _lightened(image: Image.Image, strength: float) -> Image.Image:
    paper = 0 if image.mode == "CMYK" else 255
    table = [round(paper + (value - paper) * strength) for value in range(256)]
    return image.point(table * len(image.getbands()))


def _to_cmyk(image: Image.Image) -> Image.Image:
    mixed = Image.new("CMYK", image.size)
    for top in range(0, image.height, _STRIP_ROWS):
        bottom = min(top + _STRIP_ROWS, image.height)
        red, green, blue = image.crop((0, top, image.width, bottom)).split()
        lightest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        black = ImageChops.invert(lightest)
        inks = [_ink(channel, lightest) for channel in (red, green, blue)]
        mixed.paste(Image.merge("CMYK", [*_within_limit(inks, black), black]), (0, top))
    return mixed


def _ink(channel: Image.Image, lightest: Image.Image) -> Image.Image:
    """Compute the amount of cyan, magenta or yellow ink for each pixel, from one channel of an RGB picture.

    The amount of black ink is chosen such that black alone darkens a pixel to the value of its lightest
    channel. The coloured ink must then darken the pixel further, to the value of ``channel``. So its amount
    is the difference of ``lightest`` and ``channel``, divided by ``lightest``.

    Args:
        channel: red to compute the cyan ink, green for magenta, or blue for yellow.
        lightest: the lightest of the three channels at each pixel.
    """
    ink: Image.Image = ImageMath.lambda_eval(
        lambda args: args["convert"](
            ((args["lightest"] - args["channel"]) * 255) / args["max"](args["lightest"], 1), "L"
        ),
        channel=channel,
        lightest=lightest,
    )
    return ink


def _within_limit(inks: Sequence[Image.Image], black: Image.Image) -> Iterator[Image.Image]:
    """Reduce cyan, magenta and yellow in proportion, where all four inks together exceed ``MOST_INK``."""
    cyan, magenta, yellow = inks
    total = ImageMath.lambda_eval(lambda args: args["c"] + args["m"] + args["y"], c=cyan, m=magenta, y=yellow)
    most = ImageMath.lambda_eval(
        lambda args: args["min"](int(255 * MOST_INK) - args["black"], args["total"]), black=black, total=total
    )
    for ink in inks:
        yield ImageMath.lambda_eval(
            lambda args: args["convert"](args["ink"] * args["most"] / args["max"](args["total"], 1), "L"),
            ink=ink,
            most=most,
            total=total,
        )


def _decode(content: bytes, least: float) -> Image.Image:
    """Decode a picture and turn it upright.

    A JPEG may be decoded at a lower resolution, but its shorter side keeps at least ``least`` pixels.
    """
    image = _open(io.BytesIO(content))
    factor = max(1, int(min(image.size) / least))
    with _damage_as_no_picture():
        image.draft(None, (image.width // factor, image.height // factor))
        image.load()
    ImageOps.exif_transpose(image, in_place=True)
    return image


def _open(file: BinaryIO) -> Image.Image:
    """Open a picture file and check its format, size and depth, without decoding the pixels."""
    with _damage_as_no_picture():
        image = Image.open(file, formats=_FORMATS)
        if image.width * image.height > MOST_PIXELS:
            raise Image.DecompressionBombError
        if image.mode in ("I", "F"):
            raise NoPictureError("has 32 bits for each grey, and the file doesn't say which value is white")
    return image


@contextmanager
def _damage_as_no_picture() -> Iterator[None]:
    """Convert Pillow's errors about a damaged file to ``NoPictureError``, and silence Pillow's warnings."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except UnidentifiedImageError:
        raise NoPictureError(f"is none of {', '.join(_FORMATS)}") from None
    except NoPictureError:
        raise
    # Pillow raises this error for pictures of more than 179 million pixels.
    except Image.DecompressionBombError:
        most = f"{MOST_PIXELS / 1e6:.0f} million pixels"
        raise NoPictureError(f"is too large: {most} is the maximum") from None
    except _DAMAGE_ERRORS as error:
        raise NoPictureError(f"is damaged ({error})") from None
