"""The data of a preflight, which checks a finished PDF against the requirements of a printing company.

The classes describe the PDF that is checked, the requirements, the objects that each page draws, and the
problems that were found. ``Report`` is the result of the preflight, and can be written as text or JSON.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import Standard
from linkpress.documents.values import Size
from linkpress.preflight.pdf_drawing import DrawnImage, DrawnObject, DrawnPath, DrawnText, is_white
from linkpress.preflight.pdf_file import PageData, PageInfo, PdfReader, Resource, size_of
from linkpress.preflight.pdf_objects import Box, box_around, entry, intersection, widen
from linkpress.printers import Bleed, Forbidden, Margins, PaperInk, PrinterProfile

# Tolerance for page boxes in points. Some programs round page boxes to tenths of a point or more.
BOX_SLACK_PT = 0.3

# Some requirements come from a standard and not from a printer's profile. If a file breaks such a
# requirement, the report names one of these standards as the source of the requirement.
PDF, PDFX = "ISO 32000-1", "ISO 15930-1:2001, PDF/X-1a"


@dataclass(frozen=True, slots=True)
class Requirements:
    """Requirements for a file in addition to its printer's profile.

    Args:
        paper: the name of one of the profile's papers; None for the profile's default paper.
        trim: the trim size; None to use the file's own trim size. The trim of a cover includes back, spine
            and front.
        bleed: whether the file must have bleed. None means that the page boxes show whether it has bleed.
        standard: the required kind of PDF; None for the kind that the profile requires. A file that claims to
            be PDF/X is always checked as PDF/X.
        cover: whether the file is a cover.
        part: whether the file is printed in addition to a book, such as a leaflet of solutions. The number of
            pages of such a file is not checked.
        full_fonts: whether fonts must be embedded without subsetting.
    """

    paper: str | None = None
    trim: Size | None = None
    bleed: bool | None = None
    standard: Standard | None = None
    cover: bool = False
    part: bool = False
    full_fonts: bool = False


class JudgedFile:
    """A PDF that is being checked, with the printer's profile and the other requirements that it must meet.

    Args:
        reader: the opened PDF.
        profile: the printer's profile.
        required: the requirements in addition to the profile.
    """

    def __init__(self, reader: PdfReader, profile: PrinterProfile, required: Requirements) -> None:
        self.reader = reader
        self.pdf = reader.pdf
        self.pages = reader.pages
        self.page_count = len(reader.pdf.pages)
        self.profile = profile
        self.required = required
        self.paper = required.paper or profile.default_paper
        self.is_cover = required.cover
        self.resources: list[Resource] = []

    @cached_property
    def trim(self) -> Size:
        """Trim size of the book: the required size if there is one, or else the first page's trim size."""
        if self.required.trim is not None:
            return self.required.trim
        first = self.pages[0] if self.pages else None
        if first is None or (box := first.trim or first.media) is None:
            return Size(0.0, 0.0)
        return size_of(box) if first.trim else self._trim_in_media(size_of(box), first)

    @cached_property
    def has_bleed(self) -> bool:
        """Whether the book must have bleed.

        A cover must always have bleed. For other files, ``required.bleed`` decides. If this is None, the book
        must have bleed if any of its pages has bleed.
        """
        if self.is_cover or self.required.bleed is not None:
            return self.is_cover or bool(self.required.bleed)
        return any(self._exceeds_trim(page) for page in self.pages)

    @cached_property
    def margins(self) -> Margins:
        return self.profile.margins(self.page_count, self.has_bleed)

    @property
    def root(self) -> object:
        return entry(self.pdf.trailer, "/Root")

    @property
    def colour_source(self) -> str:
        return self.profile.source if self.profile.forbids(Forbidden.RGB) else PDFX

    def resources_of(self, category: str) -> Iterator[Resource]:
        return (resource for resource in self.resources if resource.category == category)

    @cached_property
    def is_pdfx(self) -> bool:
        """Whether the file must be PDF/X-1a, or claims to be PDF/X."""
        claim = entry(entry(self.pdf.trailer, "/Info"), "/GTS_PDFXVersion")
        standard = self.required.standard or self.profile.standard
        return standard is Standard.PDFX1A or claim is not None

    @property
    def is_black_only(self) -> bool:
        return not self.is_cover and self.profile.paper(self.paper).ink is PaperInk.BLACK

    @property
    def black_only_words(self) -> str:
        """Phrase for messages, which says that the book's paper is printed in black ink only.

        If the user chose no paper, the phrase also names those of the printer's papers that are printed in
        colour, if there are any.
        """
        words = f"black only (K) on {self.paper} paper"
        coloured = [paper.name for paper in self.profile.papers if paper.ink is PaperInk.COLOUR]
        if self.required.paper is not None or not coloured:
            return words
        return f"{words}, the default; for a book in colour give --paper {' or '.join(coloured)}"

    def bleed_widths(self, page: PageInfo) -> Bleed:
        """Return the width of the bleed on each side of a page, for a book with bleed."""
        if self.is_cover and self.profile.cover is not None:
            width = self.profile.cover.over_pt
            return Bleed(width, width, width, width)
        return self.profile.bleed_of(page.recto)

    def trim_box(self, page: PageInfo) -> Box | None:
        """Return a page's TrimBox.

        If the page has no TrimBox, compute the position of the trim from the MediaBox.
        """
        if page.trim is not None or page.media is None:
            return page.trim
        bleed = self.bleed_widths(page)
        left, bottom, right, top = page.media
        if not self.has_bleed or size_of(page.media).same_as(self.trim, BOX_SLACK_PT):
            return page.media
        return (left + bleed.left_pt, bottom + bleed.bottom_pt, right - bleed.right_pt, top - bleed.top_pt)

    def bleed_box(self, page: PageInfo) -> Box | None:
        return page.bleed or page.media

    def _exceeds_trim(self, page: PageInfo) -> bool:
        box = self.bleed_box(page)
        trim = size_of(page.trim) if page.trim else self.trim
        return box is not None and not size_of(box).same_as(trim, 2 * BOX_SLACK_PT)

    def _trim_in_media(self, media: Size, page: PageInfo) -> Size:
        """Return the trim size of a file without a TrimBox.

        The MediaBox may be the trimmed page alone, or the page with its bleed. If the printer lists the size
        of the MediaBox among its page sizes, this size is returned. If the printer lists only the smaller
        size that remains without the bleed, the smaller size is returned. If it lists neither, the size of
        the MediaBox is returned.
        """
        bleed = self.bleed_widths(page)
        inner = Size(
            media.width_pt - bleed.left_pt - bleed.right_pt, media.height_pt - bleed.top_pt - bleed.bottom_pt
        )
        offered = self.profile.trims.sizes
        is_media_offered = any(media.same_as(size, BOX_SLACK_PT) for size in offered)
        is_inner_offered = any(inner.same_as(size, BOX_SLACK_PT) for size in offered)
        return inner if is_inner_offered and not is_media_offered else media


class PageDrawing:
    """Everything that one page draws.

    Args:
        read: the page's content and objects.
        page: the page's boxes.
    """

    def __init__(self, read: PageData, page: PageInfo) -> None:
        self.page = page
        self.content = read.content
        self.objects = read.objects
        # ``all_objects`` also has the objects that patterns and Type 3 glyphs draw.
        self.all_objects = [*read.objects, *read.nested_objects]
        self.covered, self.missing_glyphs = read.covered, read.missing_glyphs

    @cached_property
    def texts(self) -> list[DrawnText]:
        return [item for item in self.all_objects if isinstance(item, DrawnText) and item.text.strip()]

    @cached_property
    def images(self) -> list[DrawnImage]:
        return [item for item in self.all_objects if isinstance(item, DrawnImage)]

    @cached_property
    def ink_boxes(self) -> list[tuple[DrawnObject, Box]]:
        """All objects that leave ink on the page, each with the box around its ink before clipping."""
        boxes = ((item, _ink_box(item)) for item in self.objects)
        return [(item, box) for item, box in boxes if box is not None]

    def printed_box(self, item: DrawnObject, box: Box) -> Box | None:
        """Return the part of an object's ink box that is inside the object's clip and the page.

        The ink box is the box around the ink of the object before clipping. Return None if no part of it is
        inside.
        """
        if isinstance(item, DrawnPath) and item.butt and _is_ruling(item):
            box = _ruling_box(item)
        for limit in (item.clip, self.page.media):
            clipped = intersection(box, limit) if limit is not None else box
            if clipped is None:
                return None
            box = clipped
        return box


def _ink_box(item: DrawnObject) -> Box | None:
    """Return the box around an object's ink before clipping; None if the object leaves no ink."""
    if isinstance(item, DrawnText):
        has_ink = not item.invisible and not is_white(item.colour) and item.text.strip()
        return item.box if has_ink else None
    if not isinstance(item, DrawnPath):
        return item.box
    is_stroked = item.stroke is not None and not is_white(item.stroke)
    if not is_stroked and (item.fill is None or is_white(item.fill)):
        return None
    return widen(item.box, item.width_pt / 2 if is_stroked else 0.0)


def _is_ruling(path: DrawnPath) -> bool:
    return path.stroke is not None and all(
        len(part.points) == 2
        and not part.closed
        and not part.curved
        and 0.0 in _extent(box_around(part.points))
        for part in path.subpaths
    )


def _ruling_box(path: DrawnPath) -> Box:
    """Return the box around the ink of a path that consists of horizontal and vertical lines.

    The path must have butt caps, so that the ink of a line doesn't extend beyond its ends.
    """
    half = path.width_pt / 2
    corners = []
    for part in path.subpaths:
        left, bottom, right, top = box = box_around(part.points)
        width, height = _extent(box)
        x_margin, y_margin = (0.0 if width else half), (0.0 if height else half)
        corners += [(left - x_margin, bottom - y_margin), (right + x_margin, top + y_margin)]
    return box_around(corners)


def _extent(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


_MAX_LINES_PER_CHECK = 4
_MAX_PAGE_RANGES = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """Problem that a check found in a file.

    Args:
        found: what is wrong, or the value that the file has.
        allowed: the value that the file may have instead; empty if ``found`` says enough.
        page: the number of the page, counted from 1; None for the whole file.
        puzzle: the puzzle's number; None if the problem doesn't concern a single puzzle.
        check: the name of the check, such as ``line-weight``; empty if there is only one check.
        file: the name of the file; empty if there is only one file.
        source: the document that says what is allowed.
    """

    found: str
    allowed: str = ""
    page: int | None = None
    puzzle: int | None = None
    check: str = ""
    file: str = ""
    source: str = ""

    def __str__(self) -> str:
        places = [f"puzzle {self.puzzle}"] if self.puzzle is not None else []
        places += [f"p. {self.page}"] if self.page is not None else []
        return f"{', '.join(places)}: {self.found}" if places else self.found


@dataclass(frozen=True, slots=True)
class Report:
    """Result of a preflight, which checks a finished PDF against a printer's requirements.

    Args:
        file: the file's name as the user gave it.
        printer: the title of the printer's profile.
        source: the source of the profile, with its date.
        paper: the name of the paper.
        pages: the number of pages; 0 if the file can't be opened.
        checks: the names of all checks made, in order.
        findings: the problems, in the order of the checks, then in the order of the pages.
        unconfirmed: parts of the profile for which no source was found.
    """

    file: str
    printer: str
    source: str
    paper: str
    pages: int
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]
    unconfirmed: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.findings

    def text(self) -> str:
        """Return the report as text: a summary, then a line for each different problem with all its pages."""
        pages = f"{self.pages} page{'s' * (self.pages != 1)}"
        failed = {finding.check for finding in self.findings}
        count = len(self.checks)
        lines = [
            f"{self.file}: {pages} for {self.printer}, {self.paper} paper ({self.source})",
            f"failed: {len(failed)} of {count} checks" if failed else f"passed: {count} checks",
            *(f"  {line}" for line in _finding_lines(self.findings)),
        ]
        if self.unconfirmed:
            lines.append(f"check with the printer, unconfirmed: {', '.join(self.unconfirmed)}")
        return "\n".join(lines)

    def as_json(self) -> str:
        """Return the report as a JSON text for programs."""
        keys = ("check", "page", "found", "allowed", "source")
        return json.dumps(
            {
                "format": "linkpress-preflight",
                "format_version": 1,
                "file": self.file,
                "printer": self.printer,
                "source": self.source,
                "paper": self.paper,
                "pages": self.pages,
                "passed": self.passed,
                "unconfirmed": self.unconfirmed,
                "checks": self.checks,
                "findings": [{key: getattr(finding, key) for key in keys} for finding in self.findings],
            },
            ensure_ascii=False,
            indent=2,
        )


def _finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield one line for each different problem in a file, with its pages.

    Each check gets at most four such lines. If the check found more problems, a further line gives their
    number.
    """
    pages_of: dict[str, dict[tuple[str, str, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for finding in findings:
        pages = pages_of[finding.check][finding.found, finding.allowed, finding.source]
        pages.extend([finding.page] if finding.page else [])
    for check, different in pages_of.items():
        for (found, allowed, source), pages in list(different.items())[:_MAX_LINES_PER_CHECK]:
            yield f"{check}{_pages_text(pages)}: {found}; allowed: {allowed} ({source})"
        others = list(different.values())[_MAX_LINES_PER_CHECK:]
        if others:
            pages = [page for listed in others for page in listed]
            yield f"{check}{_pages_text(pages)}: {len(others)} more; --json lists all"


def _pages_text(pages: list[int]) -> str:
    """Return page numbers as ranges, such as ``, p. 1–3, 7``; return an empty text for an empty list."""
    if not pages:
        return ""
    ranges: list[list[int]] = []
    for page in sorted(set(pages)):
        if ranges and page == ranges[-1][1] + 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    shown = ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in ranges[:_MAX_PAGE_RANGES])
    return f", p. {shown}{' …' if len(ranges) > _MAX_PAGE_RANGES else ''}"
