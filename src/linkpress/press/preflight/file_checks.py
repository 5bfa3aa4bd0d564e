"""Checks of the file as a whole: size, encryption, damage, number of pages."""

from __future__ import annotations

from collections.abc import Iterator

from linkpress.layout.printer_data import Forbidden
from linkpress.layout.printers import check_page_limits, check_page_multiple, check_trim
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import Subject


def file_size(subject: Subject) -> Iterator[Finding]:
    """The file is no larger than the printer takes."""
    limit_mb = subject.profile.data.limits.file_mb
    size_mb = len(subject.raw) / 2**20
    if limit_mb is not None and size_mb > limit_mb:
        yield subject.finding("file-size", None, f"{size_mb:.0f} MB", f"{limit_mb} MB or less")


def encryption(subject: Subject) -> Iterator[Finding]:
    """The file is not encrypted, with or without a password."""
    if subject.pdf.is_encrypted and (subject.forbids(Forbidden.ENCRYPTION) or subject.is_pdfx):
        yield subject.finding("encryption", None, "the file is encrypted", "no encryption")


def damage(subject: Subject) -> Iterator[Finding]:
    """The file's structure needed no repair."""
    for warning in subject.pdf.get_warnings()[:3]:
        found = " ".join(str(warning).split())[:160]
        yield subject.finding("damage", None, found, "a file without faults", "ISO 32000-1")


def page_count(subject: Subject) -> Iterator[Finding]:
    """The printer binds so many pages."""
    for problem in check_page_limits(subject.profile, subject.trim, subject.page_count, subject.paper):
        yield subject.finding("page-count", None, problem.found, problem.message)


def page_multiple(subject: Subject) -> Iterator[Finding]:
    """The number of pages is a multiple of what the printer's sheets hold."""
    for problem in check_page_multiple(subject.profile, subject.trim, subject.page_count):
        yield subject.finding("page-multiple", None, problem.found, problem.message)


def trim_size(subject: Subject) -> Iterator[Finding]:
    """The printer cuts to this size."""
    for problem in check_trim(subject.profile, subject.trim):
        yield subject.finding("trim-size", None, problem.found, problem.message)
