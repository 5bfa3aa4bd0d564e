"""This module finishes a drawn PDF as PDF/X-1a:2001, plain print, or a screen edition.

The pages stay as they were drawn. What a standard forbids in them (RGB, transparency, fonts that are
not embedded) is not repaired here: ``preflight`` finds it.

Source:
    ISO 15930-1:2001 for the keys; CGATS TR 001 is a registered characterisation, which needs no
    embedded profile.
"""

from __future__ import annotations

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, String

from linkpress.book.printing_keys import Standard
from linkpress.render.pdf import About

OUTPUT_CONDITION = "CGATS TR 001"

_CATALOG_KEYS = (
    "/AA", "/AcroForm", "/Dests", "/Lang", "/MarkInfo", "/Metadata", "/Names", "/OCProperties",
    "/OpenAction", "/Outlines", "/PageLabels", "/PageMode", "/Perms", "/PieceInfo", "/StructTreeRoot", "/URI",
)  # fmt: skip
_PAGE_KEYS = (
    "/AA", "/Annots", "/Dur", "/Metadata", "/PieceInfo", "/StructParents", "/Tabs", "/Thumb", "/Trans",
)  # fmt: skip


def finish_print(content: bytes, about: About, standard: Standard) -> bytes:
    """Make a PDF what a printer wants: it has no outline, links, labels, XMP or page transitions.

    Args:
        content: the PDF as drawn; trim and bleed boxes stand on its pages already.
        standard: ``PDFX1A`` writes the header and keys of PDF/X-1a:2001; ``PLAIN`` none of them, but the
            language, a key that came with PDF 1.4 and that PDF/X-1a's PDF 1.3 lacks.
    Returns:
        The same bytes for the same arguments.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        _strip(pdf)
        _write_info(pdf, about)
        if standard is Standard.PDFX1A:
            _write_pdfx_keys(pdf)
        else:
            pdf.Root.Lang = String(about.language)
        return _saved(pdf, "1.3" if standard is Standard.PDFX1A else "1.4")


def finish_screen(content: bytes, about: About) -> bytes:
    """Make a PDF for tablets and proofs: outline, links and labels stay; XMP and language are added."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        for page in pdf.pages:
            _drop(page.obj, ("/Trans",))
        _write_info(pdf, about)
        pdf.Root.Lang = String(about.language)
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        _write_xmp(pdf, about)
        return _saved(pdf, "1.7")


def _strip(pdf: pikepdf.Pdf) -> None:
    _drop(pdf.Root, _CATALOG_KEYS)
    for page in pdf.pages:
        _drop(page.obj, _PAGE_KEYS)
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream):
            _drop(thing, ("/Metadata",))


def _drop(holder: pikepdf.Object, keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in holder:
            del holder[key]


def _write_info(pdf: pikepdf.Pdf, about: About) -> None:
    stamp = String(about.date.strftime("D:%Y%m%d%H%M%SZ"))
    entries = Dictionary(
        Title=String(about.title),
        Creator=String(about.creator),
        Producer=String(about.creator),
        CreationDate=stamp,
        ModDate=stamp,
        Trapped=Name("/False"),
    )
    if about.author:
        entries.Author = String(about.author)
    pdf.trailer.Info = pdf.make_indirect(entries)


def _write_pdfx_keys(pdf: pikepdf.Pdf) -> None:
    pdf.trailer.Info.GTS_PDFXVersion = String("PDF/X-1:2001")
    pdf.trailer.Info.GTS_PDFXConformance = String("PDF/X-1a:2001")
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(OUTPUT_CONDITION),
        OutputCondition=String("SWOP (Publication) printing in USA"),
        RegistryName=String("http://www.color.org"),
        Info=String("SWOP (Publication) printing in USA, CGATS TR 001-1995"),
    )
    pdf.Root.OutputIntents = Array([intent])


def _write_xmp(pdf: pikepdf.Pdf, about: About) -> None:
    stamp = about.date.strftime("%Y-%m-%dT%H:%M:%SZ")
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp["dc:title"] = about.title
        if about.author:
            xmp["dc:creator"] = [about.author]
        xmp["dc:language"] = {about.language}
        xmp["xmp:CreatorTool"] = about.creator
        xmp["pdf:Producer"] = about.creator
        xmp["xmp:CreateDate"] = xmp["xmp:ModifyDate"] = xmp["xmp:MetadataDate"] = stamp


def _saved(pdf: pikepdf.Pdf, version: str) -> bytes:
    written = io.BytesIO()
    _drop(pdf.trailer, ("/ID",))  # made anew from the content
    pdf.save(
        written,
        force_version=version,
        object_stream_mode=ObjectStreamMode.disable,
        deterministic_id=True,
        compress_streams=True,
        fix_metadata_version=False,
    )
    return written.getvalue()
