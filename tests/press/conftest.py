"""A sound book of 24 pages, which tests break in one place each."""

import io

import pytest
from press_samples import HEIGHT_PT, INFO, PAGES, WIDTH_PT
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from linkpress.book.printing_keys import Standard
from linkpress.press.pdfx import finish_print
from linkpress.resources import resource


@pytest.fixture(scope="session")
def drawn_book() -> bytes:
    """As drawn: a grid as a form and a line of text on every page but the last."""
    face = "PlexForTests"
    pdfmetrics.registerFont(TTFont(face, str(resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf"))))
    written, box = io.BytesIO(), (0, 0, WIDTH_PT, HEIGHT_PT)
    canvas = Canvas(
        written, (WIDTH_PT, HEIGHT_PT), invariant=1, initialFontName=face, trimBox=box, bleedBox=box
    )
    for page in range(1, PAGES):
        canvas.setStrokeColorCMYK(0, 0, 0, 1)
        canvas.setFillColorCMYK(0, 0, 0, 1)
        if page == 1:
            canvas.beginForm("grid", 0, 0, 202, 202)
            canvas.setLineWidth(2)
            canvas.rect(1, 1, 200, 200)
            canvas.endForm()
        canvas.saveState()
        canvas.translate(100, 200)
        canvas.doForm("grid")
        canvas.restoreState()
        canvas.setFont(face, 9)
        canvas.drawString(100, 420, f"{page} Solution p. 20")
        canvas.showPage()
    canvas.showPage()
    canvas.save()
    return written.getvalue()


@pytest.fixture(scope="session")
def sound_book(drawn_book: bytes) -> bytes:
    """As PDF/X-1a; it passes for KDP and for IngramSpark."""
    return finish_print(drawn_book, INFO, Standard.PDFX1A)


@pytest.fixture(scope="session")
def plain_book(drawn_book: bytes) -> bytes:
    """The same without PDF/X keys."""
    return finish_print(drawn_book, INFO, Standard.PLAIN)
