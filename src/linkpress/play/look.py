"""A theme for screens: its weights, measures and inks as custom properties of a style sheet.

Paper forgives a pale line that a screen does not: an ink that stands out too little from its
background is darkened, or on a dark page lightened, until it does.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.documents.inks import PALETTES, Rgb, contrast, luminance
from linkpress.layout.theme import SolutionStyle, Theme

PX_PER_PT = 4 / 3
LEAST_CONTRAST = 3.1  # WCAG 2.2, 1.4.11, asks 3 of what one has to see
LIGHT_PAPER = (1.0, 1.0, 1.0)
DARK_PAPER = (0x17 / 255, 0x18 / 255, 0x1A / 255)
# Okabe and Ito's eight, which stay apart for colour-blind readers, in an order that begins with the strong.
_OKABE_ITO = tuple(PALETTES["okabe-ito"][place] for place in (0, 1, 3, 4, 6, 5, 7, 2))
_STEP = 0.02


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """The custom properties as an inline style, and the styles of numbers and solids by name."""

    style: str
    numbers: str
    solids: str


def look_of(theme: Theme) -> ScreenLook:
    """Return the look of a theme on a screen, in light and in dark."""
    answers, dots = theme.solutions, theme.numbers.is_dots
    coloured = dots or answers.style is SolutionStyle.COLOURED
    own = theme.numbers.palette if dots else answers.path_inks
    inks = [ink.rgb for ink in (own if coloured else _OKABE_ITO)]
    visible = [ink.rgb for ink in answers.path_inks if any(ink.shares)]
    line = (0.6, 0.6, 0.6) if coloured or not visible else visible[-1]
    values = {
        "inner": f"{max(1.0, theme.grid.inner_pt):.3g}px",
        "outer": f"{max(1.0, round(theme.grid.outer_pt * PX_PER_PT)):.3g}px",
        "figure": f"{theme.numbers.height:.3g}",
        "width": f"{max(0.1, answers.width):.3g}",
        "inset": f"{theme.solids.inset_pt * PX_PER_PT:.3g}px",
        **_both("line", line),
        **_both("solid", theme.solids.ink.rgb, mirrored=True),
        **_both("accent", theme.accent.rgb, mirrored=True),
    }
    for number in range(12 if dots else 8):
        ink = inks[number % len(inks)]
        values[f"light-{number}"] = _css(legible(ink, LIGHT_PAPER))
        values[f"dark-{number}"] = _css(legible(ink, DARK_PAPER))
    style = "; ".join(f"--{name}: {value}" for name, value in values.items())
    numbers = "dots" if dots else theme.numbers.style.value
    if dots and not theme.numbers.show_numbers:
        numbers = "dots-alone"  # as long as the reader wants colours
    return ScreenLook(style, numbers, theme.solids.style.value)


def _both(name: str, ink: Rgb, *, mirrored: bool = False) -> dict[str, str]:
    """Return an ink on light and on dark paper; a mirrored grey is as far from each of them."""
    dark = (1 - ink[0], 1 - ink[1], 1 - ink[2]) if mirrored and len(set(ink)) == 1 else ink
    return {f"{name}-light": _css(legible(ink, LIGHT_PAPER)), f"{name}-dark": _css(legible(dark, DARK_PAPER))}


def legible(ink: Rgb, paper: Rgb) -> Rgb:
    """Change an ink as little as it takes to stand out from the paper."""
    towards = 0.0 if luminance(paper) > 0.5 else 1.0
    share = 0.0
    changed = ink
    while contrast(changed, paper) < LEAST_CONTRAST:
        share += _STEP
        changed = (
            ink[0] + (towards - ink[0]) * share,
            ink[1] + (towards - ink[1]) * share,
            ink[2] + (towards - ink[2]) * share,
        )
    return changed


def _css(colour: Rgb) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
