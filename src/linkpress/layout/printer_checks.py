"""Where a book lies outside its printer's profile: one function a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkpress.config.lengths import Size
from linkpress.layout.printer_data import Figure, PaperInk

if TYPE_CHECKING:
    from linkpress.layout.printers import PrinterProfile

_SLACK = 0.001  # of a point: what rounding in a file may lose
_TRIM_SLACK_PT = 0.36  # printers give A4 as 8.27 × 11.69 in: half a hundredth of an inch

_FIGURES = {
    "trim": Figure.TRIMS, "pages": Figure.PAGES, "page multiple": Figure.MULTIPLE, "line": Figure.LINE,
    "text": Figure.TEXT, "tint": Figure.TINT, "ink": Figure.PAPERS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Violation:
    """A book or a file outside its printer's profile.

    Args:
        rule: what is ruled: ``trim``, ``pages``, ``line`` …
        found: what the book has.
        allowed: what the printer takes.
        source: where the figure stands, with its date.
        advice: what to change.
    """

    rule: str
    found: str
    allowed: str
    source: str
    advice: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.found}; allowed: {self.allowed} ({self.source}). {self.advice}"


def check_trim(profile: PrinterProfile, trim: Size) -> list[Violation]:
    """Whether the printer cuts to this size."""
    trims = profile.data.trims
    if any(trim.same_as(size, _TRIM_SLACK_PT) for size in trims.sizes) or (
        trims.custom and trim in trims.custom
    ):
        return []
    allowed = ", ".join(str(size) for size in trims.sizes)
    if trims.custom:
        allowed += f", or any from {trims.custom.smallest} to {trims.custom.largest}"
    return [_violation(profile, "trim", str(trim), allowed, "Set page.trim to one of these sizes.")]


def check_pages(profile: PrinterProfile, trim: Size, pages: int, paper: str | None) -> list[Violation]:
    """Whether the printer binds so many pages, and whether the number is one of its multiples."""
    found = []
    counted = f"{pages} page{'s' * (pages != 1)}"
    limits, multiple = profile.page_limits(trim, paper), profile.page_multiple(trim)
    if not limits.low <= pages <= limits.high:
        allowed = f"{limits} pages at {trim} on {paper or profile.default_paper} paper"
        more = "Add puzzles or notes pages" if pages < limits.low else "Print more puzzles to a page"
        advice = f"{more}, or choose another paper or trim."
        found.append(_violation(profile, "pages", counted, allowed, advice))
    if pages % multiple:
        missing = -pages % multiple
        advice = f"Add {missing} blank page{'s' * (missing > 1)} at the end."
        allowed = f"a multiple of {multiple} at {trim}"
        found.append(_violation(profile, "page multiple", counted, allowed, advice))
    return found


def check_line(profile: PrinterProfile, line_pt: float) -> list[Violation]:
    """Whether the thinnest line prints."""
    return _check_least(
        profile, "line", line_pt, profile.data.limits.line_pt, "Make the theme's lines heavier."
    )


def check_text(profile: PrinterProfile, text_pt: float) -> list[Violation]:
    """Whether the smallest text prints."""
    return _check_least(
        profile, "text", text_pt, profile.data.limits.text_pt, "Make the theme's text larger."
    )


def check_tint(profile: PrinterProfile, tint: float) -> list[Violation]:
    """Whether the lightest tint prints; none at all is right."""
    least = float(profile.data.limits.tint)
    if tint <= 0 or tint >= least - _SLACK:
        return []
    return [
        _violation(profile, "tint", f"{tint:.1%}", f"{least:.0%} or more", "Make the theme's tints darker.")
    ]


def check_ink(profile: PrinterProfile, paper: str | None, colour: bool) -> list[Violation]:
    """Whether a paper with black ink is asked for colours."""
    if not colour or profile.paper(paper).ink is PaperInk.COLOUR:
        return []
    inked = ", ".join(stock.name for stock in profile.data.papers if stock.ink is PaperInk.COLOUR)
    other = f", or a paper with colour ink: {inked}" if inked else ""
    found = f"colours on {paper or profile.default_paper} paper"
    return [_violation(profile, "ink", found, "black only", f"Choose a theme without colours{other}.")]


def _check_least(
    profile: PrinterProfile, rule: str, found_pt: float, least_pt: float, advice: str
) -> list[Violation]:
    if found_pt >= least_pt - _SLACK:
        return []
    return [_violation(profile, rule, f"{found_pt:g} pt", f"{least_pt:g} pt or more", advice)]


def _violation(profile: PrinterProfile, rule: str, found: str, allowed: str, advice: str) -> Violation:
    return Violation(rule, found, allowed, profile.source_of(_FIGURES[rule]), advice)
