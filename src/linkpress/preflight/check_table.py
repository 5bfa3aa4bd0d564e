"""Table of checks for finished PDFs, and the function ``preflight``, which runs these checks on a file.

Damage in a file is reported as a problem of the file. Even a malicious file never causes a traceback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pikepdf

from linkpress.errors import UsageError
from linkpress.files import TooLargeError, read_limited
from linkpress.preflight import checks
from linkpress.preflight.judged_file import PDF, PDFX, Finding, JudgedFile, PageDrawing, Report, Requirements
from linkpress.preflight.pdf_drawing import GlyphLog
from linkpress.preflight.pdf_file import PageInfo, PdfReader, error_text
from linkpress.preflight.pdf_objects import MAX_OPERATORS, ReadingLimitError
from linkpress.printers import Forbidden, PrinterProfile, ProfilePart
from linkpress.production.dispatch import Workers, call_shares

MAX_FILE_MB = 1_024
_MAX_FINDINGS_PER_CHECK = 60


@dataclass(frozen=True, slots=True)
class Check:
    """Check of a finished PDF: its name, its function, and the files to which it applies.

    Args:
        name: the check's name in reports.
        function: the function that runs the check and yields the problems that it finds.
        decided_by: the part of the printer's profile that sets the limit. Reported problems name the source
            of this part.
        source: the standard that sets the limit. If given, reported problems name this standard as their
            source.
        forbidden: the feature that the check looks for. If it is given, the check runs for printers that
            forbid the feature.
        pdfx: if it is True, the check runs for files that must be PDF/X-1a, or claim to be PDF/X-1a. If
            neither ``forbidden`` nor ``pdfx`` is given, the check runs for all files.
        of_covers: whether the check applies to covers.
        of_parts: whether the check applies to files printed in addition to a book, such as leaflets.
    """

    name: str
    function: Callable[..., Iterator[Finding]] = lambda *arguments: iter(())
    decided_by: ProfilePart | None = None
    source: str | None = None
    forbidden: Forbidden | None = None
    pdfx: bool = False
    of_covers: bool = True
    of_parts: bool = True

    def applies_to(self, required: Requirements) -> bool:
        return (self.of_covers or not required.cover) and (self.of_parts or not required.part)


READABLE = Check("readable")  # Check that the file can be opened.

CONTENT = Check("content")  # Check that the content of every page can be read to its end.

FILE_CHECKS = (
    Check("file-size", checks.file_size, ProfilePart.FILE_MB),
    Check("encryption", checks.encryption, forbidden=Forbidden.ENCRYPTION, pdfx=True),
    Check("page-count", checks.page_count, ProfilePart.PAGES, of_parts=False),
    Check("page-multiple", checks.page_multiple, ProfilePart.MULTIPLE, of_covers=False, of_parts=False),
    Check("trim-size", checks.trim_size, ProfilePart.TRIMS, of_covers=False),
    Check("image-data", checks.image_data, source=PDF),
    Check("default-colours", checks.default_colours, source=PDF),
    Check("transparency", checks.transparency, forbidden=Forbidden.TRANSPARENCY, pdfx=True),
    Check("outline", checks.outline, forbidden=Forbidden.OUTLINE),
    Check("metadata", checks.metadata, forbidden=Forbidden.XMP),
    Check("actions", checks.actions, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
    Check("layers", checks.layers, source=PDFX, pdfx=True),
    Check("header", checks.header, source=PDFX, pdfx=True),
    Check("info-keys", checks.info_keys, source=PDFX, pdfx=True),
    Check("output-intent", checks.output_intent, source=PDFX, pdfx=True),
    Check("file-id", checks.file_id, source=PDFX, pdfx=True),
    Check("compression", checks.compression, source=PDFX, pdfx=True),
    Check("transfer-curves", checks.transfer_curves, source=PDFX, pdfx=True),
    Check("postscript", checks.postscript, source=PDFX, pdfx=True),
)
"""Checks of the file as a whole."""

PAGE_CHECKS = (
    Check("media-box", checks.media_box, source=PDF),
    Check("trim-box", checks.trim_box, source=PDFX, pdfx=True),
    Check("box-nesting", checks.box_nesting, source=PDF),
    Check("page-size", checks.page_size),
    Check("bleed-size", checks.bleed_size, ProfilePart.BLEED),
    Check("rotation", checks.rotation),
    Check("annotations", checks.no_annotations, forbidden=Forbidden.ANNOTATIONS, pdfx=True),
)
"""Checks of each page's boxes and dictionary."""

DRAWING_CHECKS = (
    Check("fonts-found", checks.fonts_found, source=PDF),
    Check("colour-space", checks.colour_space),
    Check("image-colour", checks.image_colour),
    Check("black-ink", checks.black_ink, ProfilePart.PAPERS),
    Check("rich-black", checks.rich_black, forbidden=Forbidden.RICH_BLACK),
    Check("tint", checks.tint, ProfilePart.TINT),
    Check("line-weight", checks.line_weight, ProfilePart.LINE),
    Check("text-size", checks.text_size, ProfilePart.TEXT),
    Check("invisible-text", checks.invisible_text, forbidden=Forbidden.ANNOTATIONS),
    Check("squeezed-text", checks.squeezed_text, source="linkpress"),
    Check("paper-colour-text", checks.paper_colour_text, source="linkpress"),
    Check("dashes", checks.dashes, source="linkpress"),
    Check("no-ink", checks.no_ink, source=PDF),
    Check("glyphs-there", checks.glyphs_there, source=PDF),
    Check("painted-over", checks.painted_over, source="linkpress"),
    Check("image-resolution", checks.image_resolution, ProfilePart.IMAGE_DPI),
    Check("inline-compression", checks.inline_compression, source=PDFX, pdfx=True),
    Check("live-area", checks.live_area, ProfilePart.MARGINS, of_covers=False),
    Check("marks", checks.printers_marks, forbidden=Forbidden.MARKS),
    Check("last-page", checks.last_page, ProfilePart.MULTIPLE, of_covers=False, of_parts=False),
)
"""Checks of what each page draws."""

LAST_CHECKS = (Check("fonts-embedded", checks.fonts_embedded), Check("damage", checks.damage, source=PDF))
"""Checks of the file that need all pages to have been read."""

ALL_CHECKS = (READABLE, *FILE_CHECKS, *PAGE_CHECKS, CONTENT, *DRAWING_CHECKS, *LAST_CHECKS)


def preflight(
    file: Path | bytes,
    profile: PrinterProfile,
    required: Requirements | None = None,
    workers: Workers | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Report:
    """Check a finished PDF against the requirements of a printer.

    Args:
        file: the path of the PDF, or its content.
        profile: the printer's profile.
        required: requirements in addition to the profile.
        workers: processes that share the pages of a long file; None to check the file in this process. The
            report is the same in both cases.
        meanwhile: function that is called once in this process while workers check pages. It is not called
            if all pages are checked in this process, for example because the file is short.
    Raises:
        UsageError: the file can't be read, or the profile lacks the paper that ``required`` names.
    """
    required = required or Requirements()
    paper = required.paper or profile.default_paper
    profile.paper(paper)
    raw = file if isinstance(file, bytes) else _read(file)
    findings: list[Finding] = []
    pages = 0
    try:
        with PdfReader(raw, GlyphLog()) as reader:
            pages = len(reader.pdf.pages)
            judged = JudgedFile(reader, profile, required)
            # Workers that are forks of this process have a copy of the open file, so they need not open it.
            opened = reader if workers and workers.forked else raw
            count = partial(_count_passing, opened, profile, required)

            is_shared = False

            def check_file() -> None:
                nonlocal is_shared
                is_shared = True
                findings.extend(_run_checks(judged, ()))
                meanwhile()

            counts = call_shares(workers, count, len(reader.pages), check_file)
            if not is_shared:
                findings = _run_checks(judged, reader.pages)
            elif counts is None or sum(counts) > MAX_OPERATORS or findings:
                # A problem was found, or a worker was lost. Each process has checked only some of the pages,
                # but some checks need all pages, for example to find the first place of a missing glyph. So
                # open the file again, and check all of it in this process.
                return preflight(file, profile, required)
    except MemoryError:  # Too little memory is no problem of the file, so don't report it as one.
        raise
    except pikepdf.PasswordError:
        findings = [_unreadable(profile, "the file opens with a password only", "no encryption")]
    # A damaged file can have objects of any type. So opening the file can raise almost any exception.
    except Exception as error:
        is_pdf = b"%PDF-" in raw[:1024]
        why = f"it can't be opened: {error_text(error)}" if is_pdf else "it is not a PDF"
        findings = [_unreadable(profile, why, "a PDF without errors")]
    return Report(
        file="the file" if isinstance(file, bytes) else str(file),
        printer=profile.title,
        source=profile.source,
        paper=paper,
        pages=pages,
        checks=tuple(check.name for check in ALL_CHECKS if check.applies_to(required)),
        findings=tuple(findings),
        unconfirmed=tuple(part.value for part in profile.unconfirmed),
    )


def _read(path: Path) -> bytes:
    try:
        return read_limited(path, MAX_FILE_MB << 20)
    except TooLargeError:
        raise UsageError(f"{path} is over {MAX_FILE_MB} MB; no printer accepts such a file.") from None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}. Give the path of a PDF.") from error


def _unreadable(profile: PrinterProfile, found: str, allowed: str) -> Finding:
    return Finding(found, allowed, check=READABLE.name, source=profile.source)


def _count_passing(
    opened: PdfReader | bytes, profile: PrinterProfile, required: Requirements, start: int, step: int
) -> int | None:
    """Check every ``step``-th page of a file from the page at index ``start`` on, and count its operators.

    Worker processes call this function.

    Args:
        opened: the open file, or the bytes of a file that must be opened first.
    Returns:
        The number of operators on these pages; None if there is any problem.
    """
    if isinstance(opened, bytes):
        with PdfReader(opened, GlyphLog()) as reader:
            return _count_passing(reader, profile, required, start, step)
    before = opened.budget.operators
    runner = _Runner(file := JudgedFile(opened, profile, required))
    runner.run(CONTENT, None, partial(_check_content, file, runner, opened.pages[start::step]))
    has_problem = runner.findings or opened.collect_warnings()
    return None if has_problem else before - opened.budget.operators


def _run_checks(file: JudgedFile, pages: Sequence[PageInfo]) -> list[Finding]:
    """Run every check on a file, and return the problems that were found.

    Args:
        pages: the pages whose drawn content is checked. All checks that don't need this content are made
            for the whole file.
    """
    runner = _Runner(file)
    runner.run(CONTENT, None, partial(_collect_resources, file))
    for check in FILE_CHECKS:
        runner.run(check, None, partial(check.function, file))
    for page in file.pages:
        for check in PAGE_CHECKS:
            runner.run(check, page, partial(check.function, file, page))
    runner.run(CONTENT, None, partial(_check_content, file, runner, pages))
    for check in LAST_CHECKS:
        runner.run(check, None, partial(check.function, file))
    order = {check.name: index for index, check in enumerate(ALL_CHECKS)}
    return sorted(runner.findings, key=lambda finding: (order[finding.check], finding.page or 0))


def _collect_resources(file: JudgedFile) -> Iterator[Finding]:
    file.resources.extend(file.reader.resources())
    return iter(())


def _check_content(file: JudgedFile, runner: _Runner, pages: Sequence[PageInfo]) -> Iterator[Finding]:
    """Read and check the content of the pages one by one, so that memory holds only one page's drawing."""
    if file.page_count > len(file.pages):
        found = f"{file.page_count:,} pages, of which only the first {len(file.pages):,} were checked"
        yield Finding(found, f"{len(file.pages):,} pages at most", source="linkpress")
    for page in pages:
        try:
            read = file.reader.read(page)
        except ReadingLimitError as error:
            yield Finding(str(error), "content that can be read", page.number, source="linkpress")
            if file.reader.budget.operators < 0:
                return
            continue
        except MemoryError:
            raise
        # Decoding a damaged content stream can raise any exception.
        except Exception as error:
            found = f"content that can't be read: {error_text(error)}"
            yield Finding(found, "content without errors", page.number, source=PDF)
            continue
        for problem in read.problems[:1]:
            yield Finding(problem, "content without errors", page.number, source=PDF)
        drawing = PageDrawing(read, page)
        for check in DRAWING_CHECKS:
            runner.run(check, page, partial(check.function, file, drawing))


class _Runner:
    """Runner of checks, which collects the problems that the checks find.

    If a malformed object makes a check raise an error, the error is reported as a problem of the file.
    """

    def __init__(self, file: JudgedFile) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def run(self, check: Check, page: PageInfo | None, function: Callable[[], Iterator[Finding]]) -> None:
        """Run a check if it applies to the file, and collect the problems that it finds.

        Args:
            check: the check.
            page: the page to check; None for a check of the whole file.
            function: the check's function, with all its arguments bound.
        """
        if not self._applies(check):
            return
        try:
            for finding in function():
                self._add(check, page, finding)
        except MemoryError:
            raise
        # A damaged file can have objects of the wrong type, and these make the check raise any exception.
        # So report the exception as a problem of the file.
        except Exception as error:
            found = f"an object that can't be read: {error_text(error)}"
            self._add(check, page, Finding(found, "objects as in the PDF standard", source=PDF))

    def _applies(self, check: Check) -> bool:
        if not check.applies_to(self.file.required):
            return False
        if check.forbidden is None and not check.pdfx:
            return True
        is_refused = check.forbidden is not None and self.file.profile.forbids(check.forbidden)
        return is_refused or (check.pdfx and self.file.is_pdfx)

    def _add(self, check: Check, page: PageInfo | None, finding: Finding) -> None:
        self._counts[check.name] += 1
        if self._counts[check.name] <= _MAX_FINDINGS_PER_CHECK:
            number = finding.page if page is None else page.number
            source = finding.source or check.source or self._profile_source(check.decided_by)
            self.findings.append(replace(finding, check=check.name, page=number, source=source))

    def _profile_source(self, part: ProfilePart | None) -> str:
        """Return where the printer publishes the rules in one part of its profile.

        The result is a text that the report names as the source of a finding. If ``part`` is None, return
        the source of the whole profile.
        """
        profile = self.file.profile
        if part is ProfilePart.BLEED and self.file.is_cover:
            part = ProfilePart.COVER
        return profile.source_of(part) if part else profile.source
