"""Themes: looking one up, and whether a printer can print it.

Data in ``config/themes/*.yaml``; a user's own file works the same way. What a printer can't print
is refused before anything is laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from linkpress.config.lengths import Size
from linkpress.config.models import load_named
from linkpress.config.shipped_files import THEMES
from linkpress.errors import LayoutError
from linkpress.layout.printers import PrinterProfile
from linkpress.layout.theme_data import NumberStyle, SolidStyle, SolutionStyle, Theme


def check_theme(theme: Theme, profile: PrinterProfile, trim: Size, paper: str | None = None) -> None:
    """Refuse a theme that the printer can't print.

    Args:
        theme: to be judged.
        profile: of the printer.
        trim: the book's page, for the profile's message.
        paper: None for the profile's default.
    Raises:
        LayoutError: names each key of the theme that breaks a rule, with the rule's source.
    """
    keys_of: dict[str, list[str]] = {}
    for key, fault in (*_weight_faults(theme, profile, trim), *_ink_faults(theme, profile, trim, paper)):
        keys_of.setdefault(fault, []).append(key)
    if keys_of:
        faults = " ".join(f"{', '.join(dict.fromkeys(keys))} — {fault}" for fault, keys in keys_of.items())
        raise LayoutError(f"the theme {theme.name} can't be printed by {profile.name}. {faults}")


def _weight_faults(theme: Theme, profile: PrinterProfile, trim: Size) -> Iterator[tuple[str, str]]:
    weights = {
        "grid.inner_pt": theme.grid.inner_pt,
        "grid.outer_pt": theme.grid.outer_pt,
        "rule_pt": theme.rule_pt,
    }
    for key, weight in weights.items():
        yield from ((key, str(v)) for v in profile.check(trim, line_pt=weight) if v.key == ("line",))
    for name, size in theme.type:
        yield from ((f"type.{name}", str(v)) for v in profile.check(trim, text_pt=size) if v.key == ("text",))


def _ink_faults(
    theme: Theme, profile: PrinterProfile, trim: Size, paper: str | None
) -> Iterator[tuple[str, str]]:
    for key, ink in theme.inks:
        for share in sorted(share for share in set(ink.shares) if share):
            yield from ((key, str(v)) for v in profile.check(trim, tint=share) if v.key == ("tint",))
        if not ink.is_grey:
            problems = profile.check(trim, paper=paper, colour=True)
            yield from ((key, str(v)) for v in problems if v.key == ("ink",))


def load_theme(name_or_path: str | Path) -> Theme:
    """A shipped theme by its name, or a theme file by its path.

    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: the file is not a right theme; lists every fault.
    """
    return load_named(name_or_path, THEMES, Theme)


__all__ = [
    "NumberStyle",
    "SolidStyle",
    "SolutionStyle",
    "Theme",
    "check_theme",
    "load_theme",
]
