"""Pictures of pixels: their size, cut to a box's proportions, and as mixes of inks."""

from __future__ import annotations

import io
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import ExifTags, Image, ImageChops, ImageOps, UnidentifiedImageError

from linkpress.documents.lengths import Size
from linkpress.layout.frame import Photo, Shade
from linkpress.layout.pictures import cut_size

_KINDS = ("JPEG", "PNG", "TIFF", "WEBP")
PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png"}  # that any reader of e-books shows
_ON_ITS_SIDE = range(5, 9)  # of the orientations of Exif
# A page of 8.5 x 11 in holds 34 million pixels at 600 dpi; a picture with more is drawn with these.
_PAGE_PIXELS, _MOST_DPI = 40_000_000, 600
_UNPACKED = 1 << 20  # bytes of a PNG that are unpacked at a time
_STRIP = 256  # rows that are mixed at a time: of 36 megapixels the parts would take 400 MB
_SCREEN_PIXELS = 2048  # of the longer side, as many as a tablet has
# White words have a contrast of 5.1 on the usual ground's veil over white; with less than 0.7, below 4.5.
_SHADE = 0.74
_SHADE_FADE = 0.14  # of the picture's height, above and below
MOST_PIXELS = 150_000_000  # a double page of 17 x 11 in at 900 dpi


class NoPictureError(ValueError):
    """A file can't be used as a picture; the message says why, as the end of a sentence."""


def size_of_photo(content: bytes) -> Size:
    """Width and height of a picture in pixels, upright.

    Raises:
        NoPictureError: it is none, is damaged, or is too large.
    """
    image = _readable(content)
    size = image.size
    with _damage_told():
        if image.format == "PNG":
            _check_png(content, image.width * image.height)
        else:
            image.draft(None, (1, 1))  # of a JPEG, a sixty-fourth of the pixels is decoded
            image.load()
    # Of a PNG without the word, Pillow would decode all to look for one at its end.
    known = image.format != "PNG" or b"eXIf" in content or b"Orientation" in content
    turned = known and image.getexif().get(ExifTags.Base.Orientation, 1) in _ON_ITS_SIDE
    return Size(*size[:: -1 if turned else 1])


def _check_png(content: bytes, pixels: int) -> None:
    """Unpack a PNG and keep nothing of it: its pixels have a check sum of their own, and are all there."""
    unpacked, place, taken = zlib.decompressobj(), 8, 0
    while place < len(content) and not unpacked.eof:
        length = int.from_bytes(content[place : place + 4], "big")
        if content[place + 4 : place + 8] == b"IDAT":
            left = content[place + 8 : place + 8 + length]
            while left:
                taken += len(unpacked.decompress(left, _UNPACKED))
                left = unpacked.unconsumed_tail
        place += 12 + length
    if not unpacked.eof or taken < pixels // 8:
        raise OSError("it ends too early")


def prepared(photo: Photo, mixed: bool) -> Image.Image:
    """A picture as it is drawn, cut to its box's proportions, as ``L``, ``RGB`` or ``CMYK``.

    Args:
        mixed: colours become mixes of inks: black takes what the three have in common, so that all
            four together stay within 200 %.
    """
    image = _opened(photo.content, max(photo.box[2:]) / 72 * _MOST_DPI)
    wanted = cut_size(Size(*image.size), photo.box[2] / photo.box[3])
    left, top = (image.width - wanted.width_pt) / 2, (image.height - wanted.height_pt) / 2
    box = (round(left), round(top), round(left + wanted.width_pt), round(top + wanted.height_pt))
    if image.width * image.height > _PAGE_PIXELS and image.mode in ("L", "RGB", "RGBA", "CMYK"):
        size = (round(photo.box[2] / 72 * _MOST_DPI), round(photo.box[3] / 72 * _MOST_DPI))
        image = image.resize(size, box=box) if size[0] < box[2] - box[0] else image.crop(box)
    elif box != (0, 0, *image.size):
        image = image.crop(box)
    image = _plain(image, mixed and not photo.grey)
    image = image.convert("L") if photo.grey else image
    if photo.shade is not None:
        image = _shaded(image, photo.shade)
    return image if photo.strength == 1 else _lightened(image, photo.strength)


def screen_picture(content: bytes) -> tuple[bytes, str]:
    """A picture for screens, with the suffix of its file: as it is, or in plain colours and pixels enough.

    Args:
        content: of a file of which ``size_of_photo`` has taken the size.
    Returns:
        A file of one of the ``PICTURE_TYPES``.
    """
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
    mask = Image.frombytes("L", (1, height), depths).resize(image.size)
    return Image.composite(veil, image, mask)


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
    """Decode a picture upright, and no finer than needed.

    Args:
        least: the pixels that its shorter side is to keep.
    """
    image = _readable(content)
    factor = max(1, int(min(image.size) / least))
    with _damage_told():
        image.draft(None, (image.width // factor, image.height // factor))  # of JPEG alone
        image.load()
    ImageOps.exif_transpose(image, in_place=True)
    return image


def _readable(content: bytes) -> Image.Image:
    """Open a picture whose kind, size and depth can be printed, and read none of its pixels."""
    with _damage_told():
        with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
            image = Image.open(io.BytesIO(content), formats=_KINDS)
        if image.width * image.height > MOST_PIXELS:
            raise NoPictureError(f"has {image.width} × {image.height} pixels, more than any page needs")
        if image.mode in ("I", "F"):
            raise NoPictureError("has 32 bits for each grey, and nothing in it says which is white")
    return image


@contextmanager
def _damage_told() -> Iterator[None]:
    """Make what Pillow says of a damaged file a ``NoPictureError``."""
    try:
        yield
    except UnidentifiedImageError:
        raise NoPictureError(f"is none of {', '.join(_KINDS)}") from None
    except (OSError, SyntaxError, ValueError, zlib.error, Image.DecompressionBombError) as fault:
        if isinstance(fault, NoPictureError):
            raise
        raise NoPictureError(f"is damaged ({fault})") from None
