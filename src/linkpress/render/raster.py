"""Draw frames (drawings that layout has made) as pixels.

PDFium renders the PDF of a frame, and Pillow writes PNG or TIFF. PDFium is more exact than Pillow's own
drawing with fourfold supersampling. Both were compared with a reference of 8,000 px, on boards of 2,000 px.
The mean difference of the pixel values, from 0 to 255, was 0.34 for PDFium and 0.90 for Pillow.

PNG files are compressed by run lengths only (Z_RLE), because boards consist of long runs of one tone.
Compared with zlib's default, this takes two thirds of the time. Files with 1 bit per pixel become 9 %
smaller, and grey files a third larger.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageChops, TiffTags

from linkpress.documents.values import PixelMode, Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Discs, Frame, Ink, Page, Photo, Placed, Rects, grey
from linkpress.render.fonts import SHIPPED, Faces
from linkpress.render.pdf import About, ColourMode, draw_frame, draw_pages

# Table for 1-bit output: grey values below 128 become black, and all others white.
_ONE_BIT_TABLE = [0] * 128 + [255] * 128
# PDFium rounds coordinates to 1/256 of a pixel. So a shape that ends at the border of a pixel may leave a
# trace of ink in the next pixel. This table makes almost black pixels black and almost white pixels white.
_CLEAN_TABLE = [0, 0, 0, *range(3, 253), 255, 255, 255]
# TIFF has no tag for keywords, so they are written as DocumentName.
_TIFF_TAGS = {"Title": 270, "Author": 315, "Copyright": 33432, "Software": 305, "Keywords": 269}
_TIFF_INCH = 2

DESK = (226, 229, 233)  # colour of the background on which previews show pages
_PAGE_EDGE = (150, 156, 164)
_GAP_SHARE = 0.06  # gap between pages, as a share of the page width
_FOLD_SHARE = 0.06  # width of the shade at each side of a fold, as a share of the page width
_FOLD_DEPTH = 70  # how dark the shade is at the fold, from 0 to 255


def rasterise(
    frame: Frame,
    size_px: tuple[int, int],
    mode: PixelMode = PixelMode.GRAY,
    *,
    clear: bool = False,
    faces: Faces = SHIPPED,
) -> Image.Image:
    """Draw a frame as an image of an exact size.

    Args:
        frame: the frame. It is scaled to the image, so both should have the same proportions.
        size_px: the width and height of the image.
        mode: Pillow's name for the kind of pixels. A 1-bit pixel is black if at least half of it is covered,
            without dithering.
        clear: whether the paper is transparent. Items that are drawn in white stay white.
        faces: the fonts.
    Returns:
        An image of mode ``1``, ``L`` or ``RGB``. If the paper is transparent, the mode is ``LA`` or ``RGBA``.
    Raises:
        LayoutError: 1-bit output of a frame with tints was requested. The tints would become black or white.
    """
    if mode is PixelMode.ONE_BIT:
        refuse_tints(frame)
    content = draw_frame(frame, colour_mode=ColourMode.AS_GIVEN, faces=faces)
    with closing(pdfium.PdfDocument(content)) as document:
        render = _render_clear if clear else _render
        return render(document[0], size_px, mode)


def png_bytes(image: Image.Image, dpi: float, texts: Mapping[str, str] | None = None) -> bytes:
    """Write an image as a PNG file.

    The file contains the resolution of the image (pHYs) and text chunks in UTF-8 (iTXt).
    """
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    for key, text in (texts or {}).items():
        info.add_itxt(key, text)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=info, compress_type=zlib.Z_RLE)
    return buffer.getvalue()


def tiff_bytes(image: Image.Image, dpi: int, texts: Mapping[str, str] | None = None) -> bytes:
    """Write a 1-bit image as a TIFF file with Group 4 (fax) compression, which newspapers accept.

    Args:
        image: the image.
        dpi: the resolution.
        texts: texts for tags: Title, Author, Copyright, Software and Keywords.
    Raises:
        ValueError: the image has pixels other than black and white.
    """
    if image.mode != "1":
        raise ValueError(f"Group 4 compresses black and white only, not mode {image.mode}")
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    tags = ImageFileDirectory_v2()
    for name, text in (texts or {}).items():
        if name in _TIFF_TAGS:
            tags.tagtype[_TIFF_TAGS[name]] = TiffTags.ASCII
            # Encode the text here, because Pillow would write a str as ASCII, with ? for
            # all other characters.
            tags[_TIFF_TAGS[name]] = text.encode("utf-8")
    buffer = io.BytesIO()
    image.save(
        buffer, "TIFF", compression="group4", dpi=(dpi, dpi), resolution_unit=_TIFF_INCH, tiffinfo=tags
    )
    return buffer.getvalue()


def contact_sheet(
    pages: Sequence[Page], trim: Size, cols: int = 4, page_px: int = 420, faces: Faces = SHIPPED
) -> Image.Image:
    """Draw pages in rows on a grey background, without their bleed.

    Args:
        pages: the pages in reading order.
        trim: the trim size.
        cols: the number of pages in a row.
        page_px: the width of a page in pixels.
        faces: the fonts.
    Returns:
        An image in RGB.
    """
    height = round(page_px * trim.height_pt / trim.width_pt)
    content = draw_pages(pages, trim, About(), colour_mode=ColourMode.AS_GIVEN, faces=faces)
    with closing(pdfium.PdfDocument(content)) as document:
        drawn = (document[index].render(scale=page_px / trim.width_pt) for index in range(len(pages)))
        pictures = [page.to_pil().convert("RGB") for page in drawn]
    return picture_sheet(
        [picture.resize((page_px, height), Image.Resampling.LANCZOS) for picture in pictures], cols
    )


def picture_sheet(pictures: Sequence[Image.Image], cols: int) -> Image.Image:
    """Arrange pictures of the same size in rows on a grey background, in RGB."""
    from PIL import ImageDraw

    width, height = pictures[0].size
    gap = max(4, round(_GAP_SHARE * width))
    cols = min(cols, len(pictures))
    rows = -(-len(pictures) // cols)
    sheet = Image.new("RGB", (gap + cols * (width + gap), gap + rows * (height + gap)), DESK)
    draw = ImageDraw.Draw(sheet)
    for index, picture in enumerate(pictures):
        row, col = divmod(index, cols)
        x, y = gap + col * (width + gap), gap + row * (height + gap)
        sheet.paste(picture, (x, y))
        draw.rectangle((x - 1, y - 1, x + width, y + height), outline=_PAGE_EDGE)
    return sheet


def first_page_png(pdf: bytes, width_px: int) -> bytes:
    """Draw the first page of a PDF file as a PNG file."""
    with closing(pdfium.PdfDocument(pdf)) as document:
        page = document[0]
        scale = width_px / page.get_width()
        return png_bytes(page.render(scale=scale).to_pil().convert("RGB"), 72 * scale)


@cache
def printed_hex(ink: Ink) -> str:
    """Return the sRGB colour in which PDF viewers show an ink on paper, such as "#0072b2"."""
    content = draw_frame(Frame(1.0, 1.0, (Rects(((0.0, 0.0, 1.0, 1.0),), ink),)))
    with closing(pdfium.PdfDocument(content)) as document:
        pixel: Image.Image = document[0].render().to_pil()
        return "#" + pixel.convert("RGB").tobytes().hex()


def facing_pages(left: Page, right: Page, page_px: tuple[int, int], faces: Faces = SHIPPED) -> Image.Image:
    """Draw two pages as in an open book, in RGB, without bleed and with a soft shade at the fold.

    Args:
        left: the verso.
        right: the recto.
        page_px: the width and height of a page in pixels.
        faces: the fonts.
    """
    width, height = page_px
    sheet = Image.new("RGB", (2 * width, height), "white")
    for index, page in enumerate((left, right)):
        sheet.paste(rasterise(page.frame, page_px, PixelMode.RGB, faces=faces), (index * width, 0))
    reach = _FOLD_SHARE * width
    depths = (max(0.0, 1 - abs(x + 0.5 - width) / reach) for x in range(2 * width))
    shade = Image.frombytes(
        "L", (2 * width, 1), bytes(255 - round(_FOLD_DEPTH * depth**2) for depth in depths)
    )
    return ImageChops.multiply(sheet, Image.merge("RGB", [shade.resize(sheet.size)] * 3))


def refuse_tints(frame: Frame) -> None:
    """Raise ``LayoutError`` if a drawing (frame) has colours other than full black and white."""
    for ink in inks_of(frame):
        if not ink.is_grey or 0 < ink.black < 1:
            raise LayoutError(
                f"1-bit output has black and white only, and this drawing has an ink of "
                f"{'/'.join(f'{share:.0%}' for share in ink.shares)} (cyan/magenta/yellow/black). Choose the "
                "mode gray, or a theme of full black such as lineart."
            )


def inks_of(frame: Frame) -> Iterator[Ink]:
    """Yield the inks in which the items of a frame are drawn. A pixel picture counts as a grey ink."""
    for item in frame.items:
        if isinstance(item, Placed):
            yield from inks_of(item.frame)
        elif isinstance(item, Discs):
            yield from (ink for ink in (item.fill, item.ring) if ink is not None)
        elif isinstance(item, Photo):
            yield grey(0.5)
        else:
            yield item.ink


def _render(page: Any, size_px: tuple[int, int], mode: PixelMode) -> Image.Image:
    """Render a page of PDFium at an exact size.

    PDFium's own method for this takes a scale instead of a size, and rounds the resulting size up.
    """
    width, height = size_px
    is_grey = mode is not PixelMode.RGB
    pixel_format = pdfium_c.FPDFBitmap_Gray if is_grey else pdfium_c.FPDFBitmap_BGR
    bitmap = pdfium.PdfBitmap.new_native(width, height, pixel_format)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    flags = pdfium_c.FPDF_GRAYSCALE if is_grey else 0
    pdfium_c.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    image: Image.Image = bitmap.to_pil()
    if mode is PixelMode.ONE_BIT:
        return image.point(_ONE_BIT_TABLE, mode="1")
    return image.point(_CLEAN_TABLE * len(image.getbands()))


def _render_clear(page: Any, size_px: tuple[int, int], mode: PixelMode) -> Image.Image:
    """Render a PDFium page with a transparent background instead of white paper."""
    bitmap = pdfium.PdfBitmap.new_native(*size_px, pdfium_c.FPDFBitmap_BGRA)
    bitmap.fill_rect((0, 0, 0, 0), 0, 0, *size_px)
    pdfium_c.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size_px, 0, 0)
    image: Image.Image = bitmap.to_pil().convert("RGBA")
    if mode is PixelMode.RGB:
        return image
    if mode is PixelMode.GRAY:
        return image.convert("LA")
    # A 1-bit picture with transparent paper must have the same black pixels as a picture on white paper. So
    # render the page on white paper, too. A pixel that is black in that picture becomes black and opaque.
    ink = _render(page, size_px, mode).convert("L")
    opaque = image.getchannel("A").point(_ONE_BIT_TABLE)
    return Image.merge("LA", (ink, ImageChops.lighter(opaque, ImageChops.invert(ink))))
