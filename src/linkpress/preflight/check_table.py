"""The table's checks run on a file here; a broken or hostile one ends in findings, never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pikepdf

from linkpress.errors import UsageError
from linkpress.files import TooLargeError, read_limited
from linkpress.preflight import area_checks, file_checks, ink_checks
from linkpress.preflight.findings import Finding, Report
from linkpress.preflight.judged_file import PDF, PDFX, JudgedFile, PageInk, Requirements
from linkpress.preflight.pdf_reading.objects import TooMuchError
from linkpress.preflight.pdf_reading.page_boxes import PageFacts, reachable
from linkpress.preflight.pdf_reading.reader import PdfReader, message_of
from linkpress.printers.profile import Forbidden, PrinterProfile, ProfilePart

MAX_FILE_MB = 1_024
_MOST_OF_ONE_CHECK = 60


@dataclass(frozen=True, slots=True)
class Check:
    """A check looks for one kind of fault; its facts say in which files.

    Args:
        name: its id in reports.
        decided_by: the part of the profile whose source a finding names.
        source: the source instead, where a standard decides.
        forbidden: what the printer refuses, where the check is made.
        pdfx: whether it is made of files that are, or claim to be, PDF/X-1a. Without either it always is.
        of_covers: whether covers are judged by it too.
        of_parts: whether what is printed beside a book is judged by it too.
    """

    name: str
    judge: Callable[..., Iterator[Finding]] = lambda *file: iter(())
    decided_by: ProfilePart | None = None
    source: str | None = None
    forbidden: Forbidden | None = None
    pdfx: bool = False
    of_covers: bool = True
    of_parts: bool = True

    def is_made_of(self, required: Requirements) -> bool:
        """Tell whether a file with these requirements is judged by it."""
        return (self.of_covers or not required.cover) and (self.of_parts or not required.part)


READABLE = Check("readable")  # require a file that opens
CONTENT = Check("content")  # require pages that can be read to their end

FILE_CHECKS = (
    Check("file-size", file_checks.file_size, ProfilePart.FILE_MB),
    Check("encryption", file_checks.encryption, forbidden=Forbidden.ENCRYPTION, pdfx=True),
    Check("page-count", file_checks.page_count, ProfilePart.PAGES, of_parts=False),
    Check("page-multiple", file_checks.page_multiple, ProfilePart.MULTIPLE, of_covers=False, of_parts=False),
    Check("trim-size", file_checks.trim_size, ProfilePart.TRIMS, of_covers=False),
    Check("image-data", file_checks.image_data, source=PDF),
    Check("default-colours", file_checks.default_colours, source=PDF),
    Check("transparency", file_checks.transparency, forbidden=Forbidden.TRANSPARENCY, pdfx=True),
    Check("outline", file_checks.outline, forbidden=Forbidden.OUTLINE),
    Check("metadata", file_checks.metadata, forbidden=Forbidden.XMP),
    Check("actions", file_checks.actions, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
    Check("layers", file_checks.layers, source=PDFX, pdfx=True),
    Check("header", file_checks.header, source=PDFX, pdfx=True),
    Check("info-keys", file_checks.info_keys, source=PDFX, pdfx=True),
    Check("output-intent", file_checks.output_intent, source=PDFX, pdfx=True),
    Check("file-id", file_checks.file_id, source=PDFX, pdfx=True),
    Check("compression", file_checks.compression, source=PDFX, pdfx=True),
    Check("transfer-curves", file_checks.transfer_curves, source=PDFX, pdfx=True),
    Check("postscript", file_checks.postscript, source=PDFX, pdfx=True),
)
"""These checks judge the file as a whole."""

PAGE_CHECKS = (
    Check("media-box", area_checks.media_box, source=PDF),
    Check("trim-box", area_checks.trim_box, source=PDFX, pdfx=True),
    Check("box-nesting", area_checks.box_nesting, source=PDF),
    Check("page-size", area_checks.page_size),
    Check("bleed-size", area_checks.bleed_size, ProfilePart.BLEED),
    Check("rotation", area_checks.rotation),
    Check("annotations", area_checks.no_annotations, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
)
"""These checks judge each page by its dictionary."""

INK_CHECKS = (
    Check("fonts-found", ink_checks.fonts_found, source=PDF),
    Check("colour-space", ink_checks.colour_space),
    Check("image-colour", ink_checks.image_colour),
    Check("black-ink", ink_checks.black_ink, ProfilePart.PAPERS),
    Check("rich-black", ink_checks.rich_black, forbidden=Forbidden.RICH_BLACK),
    Check("tint", ink_checks.tint, ProfilePart.TINT),
    Check("line-weight", ink_checks.line_weight, ProfilePart.LINE),
    Check("text-size", ink_checks.text_size, ProfilePart.TEXT),
    Check("invisible-text", ink_checks.invisible_text, forbidden=Forbidden.ANNOTATIONS),
    Check("glyphs-there", ink_checks.glyphs_there, source=PDF),
    Check("painted-over", ink_checks.painted_over, source="linkpress"),
    Check("image-resolution", ink_checks.image_resolution, ProfilePart.IMAGE_DPI),
    Check("inline-compression", file_checks.inline_compression, source=PDFX, pdfx=True),
    Check("live-area", area_checks.live_area, ProfilePart.MARGINS, of_covers=False),
    Check("marks", area_checks.printers_marks, forbidden=Forbidden.MARKS),
    Check("last-page", area_checks.last_page, ProfilePart.MULTIPLE, of_covers=False, of_parts=False),
)
"""These checks judge what each page draws."""

LAST_CHECKS = (
    Check("fonts-embedded", file_checks.fonts_embedded),
    Check("damage", file_checks.damage, source=PDF),
)
"""These checks judge the file once all of it has been read."""

ALL_CHECKS = (READABLE, *FILE_CHECKS, *PAGE_CHECKS, CONTENT, *INK_CHECKS, *LAST_CHECKS)


def preflight(file: Path | bytes, profile: PrinterProfile, required: Requirements | None = None) -> Report:
    """Judge a PDF; raise ``UsageError`` if there is no such file, or no such paper in the profile."""
    required = required or Requirements()
    paper = required.paper or profile.default_paper
    profile.paper(paper)
    raw = file if isinstance(file, bytes) else _read(file)
    findings: list[Finding] = []
    pages = 0
    try:
        with PdfReader(raw) as reader:
            pages = len(reader.pdf.pages)
            findings = _run_all(JudgedFile(reader, profile, required))
    except MemoryError:  # the machine's fault, not the file's
        raise
    except pikepdf.PasswordError:
        findings = [_unreadable(profile, "the file opens with a password only", "no encryption")]
    # Opening walks objects of any shape; whatever goes wrong there is the file's fault.
    except Exception as fault:
        found = f"it can't be opened: {message_of(fault)}"
        findings = [_unreadable(profile, found, "a PDF without faults")]
    return Report(
        file="the file" if isinstance(file, bytes) else str(file),
        printer=profile.title,
        source=profile.source,
        paper=paper,
        pages=pages,
        checks=tuple(check.name for check in ALL_CHECKS if check.is_made_of(required)),
        findings=tuple(findings),
        unconfirmed=tuple(part.value for part in profile.unconfirmed),
    )


def _read(path: Path) -> bytes:
    try:
        return read_limited(path, MAX_FILE_MB << 20)
    except TooLargeError:
        raise UsageError(f"{path} is over {MAX_FILE_MB} MB; no printer takes such a file.") from None
    except OSError as fault:
        raise UsageError(f"{path} can't be read: {fault.strerror}. Give the path of a PDF.") from fault


def _unreadable(profile: PrinterProfile, found: str, allowed: str) -> Finding:
    return Finding(found, allowed, check=READABLE.name, source=profile.source)


def _run_all(file: JudgedFile) -> list[Finding]:
    runner = _Runner(file)
    runner.run(CONTENT, None, partial(_collect, file))
    for check in FILE_CHECKS:
        runner.run(check, None, partial(check.judge, file))
    for page in file.pages:
        for check in PAGE_CHECKS:
            runner.run(check, page, partial(check.judge, file, page))
    runner.run(CONTENT, None, partial(_judge_content, file, runner))
    for check in LAST_CHECKS:
        runner.run(check, None, partial(check.judge, file))
    order = {check.name: place for place, check in enumerate(ALL_CHECKS)}
    return sorted(runner.findings, key=lambda finding: (order[finding.check], finding.page or 0))


def _collect(file: JudgedFile) -> Iterator[Finding]:
    file.reached.extend(reachable(file.pages))
    return iter(())


def _judge_content(file: JudgedFile, runner: _Runner) -> Iterator[Finding]:
    """Read page after page, so that only one page's drawing is held at a time."""
    if file.page_count > len(file.pages):
        found = f"{file.page_count:,} pages, of which the rest were not looked at"
        yield Finding(found, f"{len(file.pages):,} pages at most", source="linkpress")
    for page in file.pages:
        try:
            read = file.reader.read(page)
        except TooMuchError as excess:
            yield Finding(str(excess), "content that can be read", page.number, source="linkpress")
            if file.reader.budget.operators < 0:
                return
            continue
        except MemoryError:
            raise
        # A damaged stream fails in as many ways as there are decoders.
        except Exception as fault:
            found = f"content that can't be read: {message_of(fault)}"
            yield Finding(found, "content without faults", page.number, source=PDF)
            continue
        for fault_text in read.faults[:1]:
            yield Finding(fault_text, "content without faults", page.number, source=PDF)
        ink = PageInk(read, page)
        for check in INK_CHECKS:
            runner.run(check, page, partial(check.judge, file, ink))


class _Runner:
    """A runner makes checks one by one; a check that stumbles over a malformed object becomes a finding."""

    def __init__(self, file: JudgedFile) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self._counts: dict[str, int] = {}

    def run(self, check: Check, page: PageFacts | None, judge: Callable[[], Iterator[Finding]]) -> None:
        if not self._applies(check):
            return
        try:
            for finding in judge():
                self._add(check, page, finding)
        except MemoryError:
            raise
        # Objects of the wrong type can stand anywhere; a check that can't finish has not passed.
        except Exception as fault:
            found = f"an object that can't be read: {message_of(fault)}"
            self._add(check, page, Finding(found, "objects as the standard has them", source=PDF))

    def _applies(self, check: Check) -> bool:
        if not check.is_made_of(self.file.required):
            return False
        if check.forbidden is None and not check.pdfx:
            return True
        refused = check.forbidden is not None and self.file.forbids(check.forbidden)
        return refused or (check.pdfx and self.file.is_pdfx)

    def _add(self, check: Check, page: PageFacts | None, finding: Finding) -> None:
        self._counts[check.name] = self._counts.get(check.name, 0) + 1
        if self._counts[check.name] <= _MOST_OF_ONE_CHECK:
            number = finding.page if page is None else page.number
            source = finding.source or check.source or self._profile_source(check.decided_by)
            self.findings.append(replace(finding, check=check.name, page=number, source=source))

    def _profile_source(self, part: ProfilePart | None) -> str:
        profile = self.file.profile
        if part is ProfilePart.BLEED and self.file.is_cover:
            part = ProfilePart.COVER
        return profile.source_of(part) if part else profile.source
