"""A theme looks on screens as custom properties of a style sheet say: weights, measures and inks.

Paper forgives a pale line that a screen does not: an ink that stands out too little from its
background is darkened, or on a dark page lightened, until it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linkpress.documents.inks import PALETTES, Rgb, contrast, ink_of_hex, luminance
from linkpress.layout.theme import SolutionStyle, Theme

PX_PER_PT = 4 / 3
LEAST_CONTRAST = 3.1  # WCAG 2.2, 1.4.11, asks 3 of what one has to see
LIGHT_PAPER = (1.0, 1.0, 1.0)
DARK_PAPER = (0x17 / 255, 0x18 / 255, 0x1A / 255)
# Okabe and Ito's eight, which stay apart for colour-blind readers, in an order that begins with the strong.
_OKABE_ITO = tuple(PALETTES["okabe-ito"][place] for place in (0, 1, 3, 4, 6, 5, 7, 2))
_STRONG_CONTRAST = 5.5
# Tableau's ten of 2016 without grey and brown: as pale as they can be told apart.
_SOFT = tuple(
    ink_of_hex(f"#{code}").rgb
    for code in ("4E79A7", "F28E2B", "E15759", "76B7B2", "59A14F", "EDC948", "B07AA1", "FF9DA7")
)
# What readers may choose instead of the theme's inks, each with how far it must stand out.
_PALETTES: Mapping[str, tuple[Sequence[Rgb], float]] = {
    "strong": ([ink.rgb for ink in PALETTES["twelve"]], _STRONG_CONTRAST),
    "soft": (_SOFT, LEAST_CONTRAST),
}
_STEP = 0.02


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """A screen's look is its rules with custom properties, and the styles of numbers and solids by name."""

    rules: str
    numbers: str
    solids: str


@cache
def look_of(theme: Theme) -> ScreenLook:
    """Return the look of a theme on a screen, in light and in dark."""
    answers, dots = theme.solutions, theme.numbers.is_dots
    coloured = dots or answers.style is SolutionStyle.COLOURED
    theme_inks = theme.numbers.palette if dots else answers.path_inks
    inks = [ink.rgb for ink in (theme_inks if coloured else _OKABE_ITO)]
    visible = [ink.rgb for ink in answers.path_inks if any(ink.shares)]
    line = (0.6, 0.6, 0.6) if coloured or not visible else visible[-1]
    measures = {
        "inner": f"{max(1.0, theme.grid.inner_pt):.3g}px",
        "outer": f"{max(1.0, round(theme.grid.outer_pt * PX_PER_PT)):.3g}px",
        "figure": f"{theme.numbers.height:.3g}",
        "usual": f"{max(0.1, answers.width):.3g}",
        "inset": f"{theme.solids.inset_pt * PX_PER_PT:.3g}px",
    }
    count = 12 if dots else 8
    rules = [_rule("", measures)]
    own_ink = ':is(.ink-{0}, [data-dot="{0}"]) {{ --own: var(--ink-{0}) }}'
    rules += map(own_ink.format, range(count))
    palettes: dict[str, tuple[Sequence[Rgb], float]] = {"": (inks, LEAST_CONTRAST)}
    palettes |= {f'[data-palette="{name}"]': palette for name, palette in _PALETTES.items()}
    for chosen, (palette, least) in palettes.items():
        for is_dark, paper in ((False, LIGHT_PAPER), (True, DARK_PAPER)):
            values = {
                f"ink-{number}": _css(legible(palette[number % len(palette)], paper, least))
                for number in range(count)
            }
            if not chosen:
                values["line-ink"] = _css(legible(line, paper))
                values["solid-ink"] = _css(legible(_mirrored(theme.solids.ink.rgb, is_dark), paper))
                values["accent"] = _css(legible(_mirrored(theme.accent.rgb, is_dark), paper))
            rule = _rule(chosen + '[data-dark="true"]' * is_dark, values)
            rules.append(f"@media screen {{ {rule} }}" if is_dark else rule)
    numbers = "dots" if dots else theme.numbers.style.value
    if dots and not theme.numbers.show_numbers:
        numbers = "dots-alone"  # as long as the reader wants colours
    return ScreenLook("\n".join(rules), numbers, theme.solids.style.value)


def _rule(chosen: str, values: Mapping[str, str]) -> str:
    properties = "; ".join(f"--{name}: {value}" for name, value in values.items())
    return f".player{chosen} {{ {properties} }}"


def _mirrored(ink: Rgb, is_dark: bool) -> Rgb:
    """Return a grey as far from a dark paper as it is from a light one; leave a colour as it is."""
    return (1 - ink[0], 1 - ink[1], 1 - ink[2]) if is_dark and len(set(ink)) == 1 else ink


def legible(ink: Rgb, paper: Rgb, least: float = LEAST_CONTRAST) -> Rgb:
    """Change an ink as little as it takes to stand out from the paper."""
    towards = 0.0 if luminance(paper) > 0.5 else 1.0
    share = 0.0
    changed = ink
    while contrast(changed, paper) < least:
        share += _STEP
        changed = (
            ink[0] + (towards - ink[0]) * share,
            ink[1] + (towards - ink[1]) * share,
            ink[2] + (towards - ink[2]) * share,
        )
    return changed


def _css(colour: Rgb) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
