"""What an earlier build left in a book's folder and no longer belongs to the book."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import pikepdf

from linkpress.errors import OutputError

REJECTED = "rejected-"
PREFLIGHT_FILE = "preflight.txt"
_BOOK_FILES = ("interior.pdf", "screen.pdf", "cover.pdf")


def sweep(folder: Path, written: Collection[str]) -> None:
    """Remove the files of an earlier build that this one did not write again.

    A cover whose spine fits the last version would otherwise lie beside the new interior. A PDF of
    the same name that linkpress did not make stays.

    Args:
        folder: of the book.
        written: names of the files that belong to it now.
    Raises:
        OutputError: a file can't be removed.
    """
    _remove(folder / name for name in _BOOK_FILES if name not in written and _is_ours(folder / name))
    _remove([*(folder / (REJECTED + name) for name in _BOOK_FILES), folder / PREFLIGHT_FILE])


def sweep_rejected(folder: Path, rejected: Collection[str]) -> None:
    """Remove what an earlier build was refused for and this one is not.

    The last book that passed stays whole, its PDFs with its ``volume.json`` and report.

    Args:
        folder: of the book.
        rejected: names of the files that are refused now.
    Raises:
        OutputError: a file can't be removed.
    """
    _remove(folder / (REJECTED + name) for name in _BOOK_FILES if name not in rejected)


def _remove(stale: Iterable[Path]) -> None:
    for path in stale:
        try:
            path.unlink(missing_ok=True)
        except OSError as fault:
            raise OutputError(
                f"{path} is of an earlier build and can't be removed: {fault.strerror or fault}. "
                "Remove it by hand: it no longer belongs to this book."
            ) from fault


def _is_ours(path: Path) -> bool:
    try:
        with pikepdf.open(path) as pdf:
            return str(pdf.docinfo.get("/Producer", "")).startswith("linkpress ")
    except (OSError, pikepdf.PdfError):
        return False
