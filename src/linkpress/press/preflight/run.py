"""Runs every check on a file. A broken or hostile file ends in findings, never in a traceback."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pikepdf

from linkpress.book.printing_keys import Standard
from linkpress.config.lengths import Size
from linkpress.errors import UsageError
from linkpress.files import TooLargeError, read_within
from linkpress.layout.printers import PrinterProfile
from linkpress.press.content.budget import Budget, TooMuchError
from linkpress.press.content.reader import PageReader
from linkpress.press.preflight import checks
from linkpress.press.preflight.page_ink import PageInk
from linkpress.press.preflight.pages import PageFacts, read_pages
from linkpress.press.preflight.resources import reachable
from linkpress.press.preflight.result import Finding, Report
from linkpress.press.preflight.subject import Subject

MAX_PAGES = 4_000  # no printer binds more; a file with more fails by its page count already
MAX_FILE_MB = 1_024
_MOST_OF_ONE_CHECK = 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the file must be, beyond its printer's profile.

    Args:
        paper: one of the profile's; None for its default.
        trim: None takes the file's own.
        bleed: None lets the boxes say.
        standard: None takes the profile's; a file that claims PDF/X is held to it in any case.
        cover: whether it is a cover; ``trim`` is then that of back, spine and front together.
    """

    paper: str | None = None
    trim: Size | None = None
    bleed: bool | None = None
    standard: Standard | None = None
    cover: bool = False


def preflight(file: Path | bytes, profile: PrinterProfile, wanted: Wanted | None = None) -> Report:
    """Judge a PDF.

    Args:
        file: its path, or its bytes.
        profile: the printer.
        wanted: what else it must be.
    Raises:
        UsageError: there is no such file, or the profile has no such paper.
    """
    wanted = wanted or Wanted()
    shown = "the file" if isinstance(file, bytes) else str(file)
    paper = wanted.paper or profile.default_paper
    profile.paper(paper)
    raw = file if isinstance(file, bytes) else _read(file)
    findings: list[Finding] = []
    pages = 0
    try:
        with pikepdf.open(io.BytesIO(raw), suppress_warnings=True) as pdf:
            pages = len(pdf.pages)
            subject = _subject(pdf, raw, profile, paper, wanted)
            findings = list(_run_all(subject))
    except pikepdf.PasswordError:
        findings = [_unreadable(profile, "the file opens with a password only", "no encryption")]
    # Opening walks objects of any shape; whatever goes wrong there is the file's fault.
    except Exception as fault:
        findings = [_unreadable(profile, f"it can't be opened: {_said(fault)}", "a PDF without faults")]
    made = tuple(check for check in checks.ALL_CHECKS if not (wanted.cover and check in checks.NOT_OF_COVERS))
    return Report(
        shown,
        profile.data.title,
        profile.source,
        paper,
        pages,
        made,
        tuple(findings),
        tuple(figure.value for figure in profile.data.unconfirmed),
    )


def _read(path: Path) -> bytes:
    try:
        return read_within(path, MAX_FILE_MB << 20)
    except TooLargeError:
        raise UsageError(f"{path} is over {MAX_FILE_MB} MB; no printer takes such a file.") from None
    except OSError as fault:
        raise UsageError(f"{path} can't be read: {fault.strerror}. Give the path of a PDF.") from fault


def _subject(pdf: pikepdf.Pdf, raw: bytes, profile: PrinterProfile, paper: str, wanted: Wanted) -> Subject:
    return Subject(
        pdf=pdf,
        raw=raw,
        pages=read_pages(pdf, MAX_PAGES),
        page_count=len(pdf.pages),
        profile=profile,
        paper=paper,
        standard=wanted.standard or profile.data.standard,
        wanted_trim=wanted.trim,
        wanted_bleed=True if wanted.cover else wanted.bleed,
        is_cover=wanted.cover,
        paper_named=wanted.paper is not None,
    )


def _run_all(subject: Subject) -> Iterator[Finding]:
    guarded = _Guard(subject)
    guarded.run(checks.CONTENT, None, partial(_collect, subject))
    for check, judge_file in checks.FILE_CHECKS.items():
        guarded.run(check, None, partial(judge_file, subject))
    for page in subject.pages:
        for check, judge_page in checks.PAGE_CHECKS.items():
            guarded.run(check, page, partial(judge_page, subject, page))
    guarded.run(checks.CONTENT, None, partial(_judge_content, subject, guarded))
    for check, judge_file in checks.LAST_CHECKS.items():
        guarded.run(check, None, partial(judge_file, subject))
    order = {check: place for place, check in enumerate(checks.ALL_CHECKS)}
    yield from sorted(guarded.findings, key=lambda finding: (order[finding.check], finding.page or 0))


def _collect(subject: Subject) -> Iterator[Finding]:
    subject.reached.extend(reachable(subject.pages))
    return iter(())


def _judge_content(subject: Subject, guarded: _Guard) -> Iterator[Finding]:
    """Read page after page, so that one page's drawing is held at a time."""
    reader = PageReader(subject.pdf, Budget.of_file(len(subject.raw)))
    for page in subject.pages:
        try:
            ink = PageInk(reader.read(page.obj, page.resources), page.media)
        except TooMuchError as excess:
            yield subject.finding(checks.CONTENT, page, str(excess), "content that can be read", "linkpress")
            if reader.budget.is_spent:
                return
            continue
        # A damaged stream fails in as many ways as there are decoders.
        except Exception as error:
            found = f"content that can't be read: {_said(error)}"
            yield subject.finding(checks.CONTENT, page, found, "content without faults", "ISO 32000-1")
            continue
        for fault in reader.faults[:1]:
            yield subject.finding(checks.CONTENT, page, fault, "content without faults", "ISO 32000-1")
        reader.faults.clear()
        for check, judge in checks.INK_CHECKS.items():
            guarded.run(check, page, partial(judge, subject, page, ink))


class _Guard:
    """Runs checks one by one; a check that stumbles over a malformed object is a finding itself."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.findings: list[Finding] = []
        self.counts: dict[str, int] = {}

    def run(self, check: str, page: PageFacts | None, judge: Callable[[], Iterator[Finding]]) -> None:
        if self.subject.is_cover and check in checks.NOT_OF_COVERS:
            return
        try:
            for finding in judge():
                self._add(finding)
        # Objects of the wrong type can stand anywhere; a check that can't finish has not passed.
        except Exception as fault:
            found = f"an object that can't be read: {_said(fault)}"
            self._add(
                self.subject.finding(check, page, found, "objects as the standard has them", "ISO 32000-1")
            )

    def _add(self, finding: Finding) -> None:
        self.counts[finding.check] = self.counts.get(finding.check, 0) + 1
        if self.counts[finding.check] <= _MOST_OF_ONE_CHECK:
            self.findings.append(finding)


def _unreadable(profile: PrinterProfile, found: str, allowed: str) -> Finding:
    return Finding(checks.READABLE, None, found, allowed, profile.source)


def _said(fault: Exception) -> str:
    # pikepdf names what it read from, which is our own buffer.
    text = " ".join(re.sub(r"stream <[^>]*>: ?", "", str(fault)).split())
    return f"{type(fault).__name__} {text}"[:160].strip()
