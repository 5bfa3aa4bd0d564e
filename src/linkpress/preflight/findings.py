"""Findings are what the checks of a finished file find: data, which is written as text and as JSON, too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINES_A_CHECK = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding is something in a file that is not as it should be.

    Args:
        found: what is wrong, or what the file has, in words.
        allowed: what it may have instead; empty where ``found`` says that too.
        page: the PDF's page, or the e-book's in reading order, from 1; None for the whole file.
        puzzle: the puzzle's number; None where the finding is not about one puzzle.
        check: the id of the check, ``line-weight``; empty where there is one check only.
        file: the file's name; empty where there is one file only.
        source: where it is written what is allowed.
    """

    found: str
    allowed: str = ""
    page: int | None = None
    puzzle: int | None = None
    check: str = ""
    file: str = ""
    source: str = ""

    def __str__(self) -> str:
        where = [f"puzzle {self.puzzle}"] if self.puzzle is not None else []
        where += [f"p. {self.page}"] if self.page is not None else []
        return f"{', '.join(where)}: {self.found}" if where else self.found


@dataclass(frozen=True, slots=True)
class Report:
    """A report is the verdict on one file.

    Args:
        file: the name that the user gave.
        printer: the profile's title.
        source: the profile's source, with its date.
        pages: how many the file has; 0 where it can't be opened.
        checks: ids of the checks that were made, in order.
        findings: findings in the order of checks, then pages.
        unconfirmed: parts of the profile that stand in none of its sources.
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
        """Tell whether nothing was found."""
        return not self.findings

    def text(self) -> str:
        """Return the verdict for people: a summary, then a line for each thing found, with all its pages."""
        pages = f"{self.pages} page{'s' * (self.pages != 1)}"
        judged = f"{self.file}: {pages} for {self.printer}, {self.paper} paper ({self.source})"
        failed = {finding.check for finding in self.findings}
        count = len(self.checks)
        lines = [judged, f"failed: {len(failed)} of {count} checks" if failed else f"passed: {count} checks"]
        lines += [f"  {line}" for line in _gathered(self.findings)]
        if self.unconfirmed:
            lines.append(f"check with the printer, unconfirmed: {', '.join(self.unconfirmed)}")
        return "\n".join(lines)

    def as_json(self) -> str:
        """Return the verdict for programs."""
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


def _gathered(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each thing found, with its pages; what a check finds past a few shares a line."""
    pages: dict[str, dict[tuple[str, str, str], list[int]]] = {}
    for finding in findings:
        key = (finding.found, finding.allowed, finding.source)
        numbers = pages.setdefault(finding.check, {}).setdefault(key, [])
        numbers.extend([finding.page] if finding.page else [])
    for check, things in pages.items():
        for (found, allowed, source), listed in list(things.items())[:_LINES_A_CHECK]:
            yield f"{check}{_pages_text(listed)}: {found}; allowed: {allowed} ({source})"
        more = list(things.values())[_LINES_A_CHECK:]
        if more:
            rest = [page for listed in more for page in listed]
            yield f"{check}{_pages_text(rest)}: {len(more)} more; --json lists all"


def _pages_text(pages: list[int]) -> str:
    if not pages:
        return ""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    shown = ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in runs[:8])
    return f", p. {shown}{' …' if len(runs) > 8 else ''}"
