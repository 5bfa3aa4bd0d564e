"""Problems that checks find in finished files, and the preflight report, which is text or JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
