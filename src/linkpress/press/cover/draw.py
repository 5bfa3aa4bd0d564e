"""Draws a composed cover; the spine's words are turned to run from head to foot."""

from __future__ import annotations

import io

import pikepdf
from pikepdf import Name

from linkpress.layout.frame import Page
from linkpress.press.cover.compose import ComposedCover
from linkpress.render.pdf import About, draw_frame, draw_pages


def draw_cover(cover: ComposedCover, about: About) -> bytes:
    """A PDF of one page with trim and bleed boxes.

    Args:
        cover: composed.
        about: what the file says about itself.
    Returns:
        The same bytes for the same cover.
    """
    geometry = cover.geometry
    bleeds = (geometry.bleed, geometry.bleed)
    drawn = draw_pages([Page(cover.frame, 1, kind="cover")], geometry.trim, about, bleeds)
    return drawn if cover.spine is None else _with_spine(drawn, draw_frame(cover.spine, about), cover)


def _with_spine(drawn: bytes, flat: bytes, cover: ComposedCover) -> bytes:
    geometry, written = cover.geometry, io.BytesIO()
    with pikepdf.open(io.BytesIO(drawn)) as pdf, pikepdf.open(io.BytesIO(flat)) as strip:
        page = pdf.pages[0]
        words = pdf.copy_foreign(strip.pages[0].as_form_xobject())
        name = page.add_resource(words, Name.XObject, Name.SpineWords)
        # Turned clockwise: the strip's left end at the head, its foot towards the back.
        x = geometry.bleed_pt + geometry.spine.x
        y = geometry.bleed_pt + (geometry.spine.height + (cover.spine.width_pt if cover.spine else 0)) / 2
        page.contents_add(b"q", prepend=True)  # what the drawing did to the matrix ends before the spine
        page.contents_add(f"Q q 0 -1 1 0 {x:.4f} {y:.4f} cm {name} Do Q".encode())
        pdf.save(written, deterministic_id=True)
    return written.getvalue()
