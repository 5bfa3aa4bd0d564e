"""Pictures of pixels are cut to a box's proportions, and become mixes of inks."""

from __future__ import annotations

import io
import math
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from PIL import ExifTags, Image, ImageChops, ImageOps, UnidentifiedImageError

from linkpress.documents.values import Size
from linkpress.layout.frame import Photo, Shade
from linkpress.layout.pictures import cut_size
from linkpress.render.photo_bands import bands_of, png_chunks, reduced, unpacked_png

_KINDS = ("JPEG", "PNG", "TIFF", "WEBP")
# How a reduced picture is written; of another kind as a PNG.
_KEPT: dict[str, dict[str, Any]] = {"JPEG": {"quality": 95, "subsampling": 0}, "TIFF": {}}
# What reading a damaged picture raises; the last three of a TIFF whose tags lack or are of a wrong type.
_OF_DAMAGE = OSError, SyntaxError, ValueError, zlib.error, LookupError, TypeError, struct.error
PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png"}  # that any reader of e-books shows
_ON_ITS_SIDE = range(5, 9)  # of the orientations of Exif
_MOST_DPI = 600
# A page of 8.5 x 11 in has 8.7 million at 300 dpi, which is what printers ask for, and 10 at 320.
_ENOUGH_PIXELS = 10_000_000
_STRIP = 256  # rows that are mixed at a time
_SCREEN_PIXELS = 2048  # of the longer side, as many as a tablet has
# White words have a contrast of 5.1 on the usual ground's veil over white; with less than 0.7, below 4.5.
_SHADE = 0.74
_SHADE_FADE = 0.14  # of the picture's height, above and below
MOST_PIXELS = 150_000_000  # a double page of 17 x 11 in at 900 dpi


class NoPictureError(ValueError):
    """A file can't be used as a picture; the message says why, as the end of a sentence."""


def enough_pixels(whole: Size, least: float) -> Size:
    """Return the pixels in which a picture is drawn; of a larger one the shorter side keeps the least."""
    width, height = whole
    part = max(math.sqrt(_ENOUGH_PIXELS / (width * height)), least / min(whole))
    return whole if part >= 1 else Size(round(width * part), round(height * part))


def size_of_photo(file: BinaryIO) -> Size:
    """Return a picture's upright width and height in pixels; raise ``NoPictureError`` if it can't be used."""
    image = _readable(file)
    size = image.size
    with _refused_if_damaged():
        if image.format == "PNG":
            if sum(map(len, unpacked_png(file))) < image.width * image.height // 8:
                raise OSError("it ends too early")
        elif image.format == "TIFF":
            for band in bands_of(file, image):
                band.load()
        else:
            image.draft(None, (1, 1))  # of a JPEG, a sixty-fourth of the pixels is decoded
            image.load()
        return Size(*size[:: -1 if _orientation(file, image) in _ON_ITS_SIDE else 1])


def _orientation(file: BinaryIO, image: Image.Image) -> int:
    # Of a PNG without the word, Pillow would decode all to look for one at its end.
    if image.format == "PNG" and not any(
        name == b"eXIf" or (name in (b"iTXt", b"tEXt") and b"Orientation" in file.read(length))
        for name, length in png_chunks(file)
    ):
        return 1
    orientation: int = image.getexif().get(ExifTags.Base.Orientation, 1)
    return orientation


def read_photo(file: BinaryIO, least: float) -> tuple[bytes, Size, Size]:
    """Return a picture reduced to ``enough_pixels``: its file's content, its whole size, and this one."""
    image = _readable(file)
    whole = Size(*image.size)
    size = enough_pixels(whole, least)
    if size == whole:
        whole = size_of_photo(file)
        file.seek(0)
        return file.read(), whole, whole
    written, kept = io.BytesIO(), image.format if image.format in _KEPT else "PNG"
    with _refused_if_damaged():
        image.draft(None, (int(size[0]), int(size[1])))
        orientation = _orientation(file, image)
        bands = (band if band.mode == "CMYK" else _plain(band, mixed=False) for band in bands_of(file, image))
        image = reduced(bands, image.height, (int(size[0]), int(size[1])))
        image.getexif()[ExifTags.Base.Orientation] = orientation
        ImageOps.exif_transpose(image, in_place=True)
    image.save(written, kept, **_KEPT.get(kept, {"compress_level": 0}))
    return written.getvalue(), Size(*whole[:: -1 if orientation in _ON_ITS_SIDE else 1]), Size(*image.size)


def prepared(photo: Photo, mixed: bool) -> Image.Image:
    """Return a picture as it is drawn, cut to its box's proportions, as ``L``, ``RGB`` or ``CMYK``.

    Args:
        mixed: colours become mixes of inks: black takes what the three have in common, so that all
            four together stay within 200 %.
    """
    image = _opened(photo.content, max(photo.box[2:]) / 72 * _MOST_DPI)
    wanted = cut_size(Size(*image.size), photo.box[2] / photo.box[3])
    left, top = (image.width - wanted.width_pt) / 2, (image.height - wanted.height_pt) / 2
    box = (round(left), round(top), round(left + wanted.width_pt), round(top + wanted.height_pt))
    if box != (0, 0, *image.size):
        image = image.crop(box)
    image = _plain(image, mixed and not photo.grey)
    image = image.convert("L") if photo.grey else image
    if photo.shade is not None:
        image = _shaded(image, photo.shade)
    return image if photo.strength == 1 else _lightened(image, photo.strength)


def screen_picture(content: bytes) -> tuple[bytes, str]:
    """Return a picture for screens, of one of ``PICTURE_TYPES``, with the suffix of its file."""
    raw = Image.open(io.BytesIO(content), formats=_KINDS)
    suffix = ".png" if raw.format in ("PNG", "WEBP") else ".jpg"
    plain = raw.format in ("JPEG", "PNG") and raw.mode in ("L", "RGB", "P", "RGBA")
    if plain and max(raw.size) <= _SCREEN_PIXELS:
        return content, suffix
    image = _plain(_opened(content, _SCREEN_PIXELS), mixed=False)
    image.thumbnail((_SCREEN_PIXELS, _SCREEN_PIXELS))
    stream = io.BytesIO()
    image.save(stream, "PNG" if suffix == ".png" else "JPEG", quality=90, optimize=True)
    return stream.getvalue(), suffix


def _plain(image: Image.Image, mixed: bool) -> Image.Image:
    if image.mode == "CMYK":
        return image if mixed else image.convert("RGB")
    if image.mode.startswith("I;16"):  # convert("L") alone would cut its values at 255
        return image.convert("I").point(lambda value: value * (255 / 65535) + 0.5).convert("L")
    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode != "RGB":
        clear = image.convert("RGBA")
        image = Image.new("RGB", clear.size, (255, 255, 255))
        image.paste(clear, mask=clear.getchannel("A"))
    return _mixed(image) if mixed else image


def _shaded(image: Image.Image, shade: Shade) -> Image.Image:
    image = image.convert("RGB") if image.mode == "L" else image
    inks = shade.ink.shares if image.mode == "CMYK" else shade.ink.rgb
    veil = Image.new(image.mode, image.size, tuple(round(255 * part) for part in inks))
    height = image.height
    reach = (max(row / height - shade.share, 0.0) for row in range(height))
    depths = bytes(round(255 * _SHADE * max(0.0, 1 - out / _SHADE_FADE)) for out in reach)
    return Image.composite(veil, image, Image.frombytes("L", (1, height), depths).resize(image.size))


def _lightened(image: Image.Image, strength: float) -> Image.Image:
    bare = 0 if image.mode == "CMYK" else 255  # paper
    table = [round(bare + (value - bare) * strength) for value in range(256)]
    return image.point(table * len(image.getbands()))


def _mixed(image: Image.Image) -> Image.Image:
    mixed = Image.new("CMYK", image.size)
    for top in range(0, image.height, _STRIP):
        red, green, blue = image.crop((0, top, image.width, min(top + _STRIP, image.height))).split()
        light = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        inks = [ImageChops.subtract(light, channel) for channel in (red, green, blue)]
        mixed.paste(Image.merge("CMYK", [*inks, ImageChops.invert(light)]), (0, top))
    return mixed


def _opened(content: bytes, least: float) -> Image.Image:
    """Decode a picture upright, and no finer than needed: its shorter side keeps ``least`` pixels."""
    image = _readable(io.BytesIO(content))
    factor = max(1, int(min(image.size) / least))
    with _refused_if_damaged():
        image.draft(None, (image.width // factor, image.height // factor))  # of JPEG alone
        image.load()
    ImageOps.exif_transpose(image, in_place=True)
    return image


def _readable(file: BinaryIO) -> Image.Image:
    """Open a picture whose kind, size and depth can be printed, and read none of its pixels."""
    with _refused_if_damaged():
        image = Image.open(file, formats=_KINDS)
        if image.width * image.height > MOST_PIXELS:
            raise NoPictureError(f"has {image.width} × {image.height} pixels, more than any page needs")
        if image.mode in ("I", "F"):
            raise NoPictureError("has 32 bits for each grey, and nothing in it says which is white")
    return image


@contextmanager
def _refused_if_damaged() -> Iterator[None]:
    """Raise ``NoPictureError`` for what Pillow says of a damaged file; silence its warnings."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except UnidentifiedImageError:
        raise NoPictureError(f"is none of {', '.join(_KINDS)}") from None
    except NoPictureError:
        raise
    except (*_OF_DAMAGE, Image.DecompressionBombError) as fault:
        raise NoPictureError(f"is damaged ({fault})") from None
