"""A book's folder: what was refused is kept beside the last good book, and stale files go."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import pikepdf

from linkpress.errors import FoundWantingError, OutputError
from linkpress.files import write_whole
from linkpress.press.typesetting import Typeset

_REJECTED = "rejected-"
_PREFLIGHT_FILE = "preflight.txt"
_EARLIER = (
    " The interior.pdf and volume.json beside it are the last book that passed, unchanged: not what the spec "
    "says now."
)
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
    _remove([*(folder / (_REJECTED + name) for name in _BOOK_FILES), folder / _PREFLIGHT_FILE])


def refuse_rejected(folder: Path, result: Typeset) -> None:
    """Deliver nothing as good that the printer's profile refuses.

    The last book that passed stays whole, its PDFs with its ``volume.json`` and report.

    Raises:
        FoundWantingError: a file is refused; it lies in the folder under another name.
        OutputError: a file can't be written or removed.
    """
    failed = {name: report for name, report in result.reports.items() if not report.passed}
    if not failed:
        return
    for name in failed:
        write_whole(folder / (_REJECTED + name), result.files[name])
    _remove(folder / (_REJECTED + name) for name in _BOOK_FILES if name not in failed)
    text = "\n\n".join(report.text() for report in failed.values())
    kept = " and ".join(_REJECTED + name for name in failed)
    earlier = _EARLIER if (folder / "interior.pdf").exists() else ""
    write_whole(folder / _PREFLIGHT_FILE, f"About {kept}.{earlier}\n\n{text}\n")
    raise FoundWantingError(
        f"{' and '.join(failed)} would be refused by the printer, so no finished book was written.{earlier} "
        f"{folder / _PREFLIGHT_FILE} says what was found; look at {kept} there, then change theme, text or "
        f"printer.\n{text}"
    )


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
