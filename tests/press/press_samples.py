"""What the press tests share: the sound book's figures, and a way to break it."""

import io
from collections.abc import Callable

import pikepdf

from linkpress.press.file_info import DATE_WITHOUT_ANY, FileInfo

INFO = FileInfo("Number Link", "A. Setter", "linkpress test", DATE_WITHOUT_ANY)
WIDTH_PT, HEIGHT_PT, PAGES = 432, 648, 24

Change = Callable[[pikepdf.Pdf], None]


def changed(book: bytes, change: Change, **save: object) -> bytes:
    """The book with a change made to it, saved as it was but for ``save``."""
    options: dict[str, object] = {
        "force_version": "1.3",
        "object_stream_mode": pikepdf.ObjectStreamMode.disable,
        **save,
    }
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(book)) as pdf:
        change(pdf)
        pdf.save(written, **options)  # type: ignore[arg-type]
    return written.getvalue()
