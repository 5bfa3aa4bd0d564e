"""Draw the rooms of ``src/linkpress`` and their imports, as an SVG picture made from the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "src" / "linkpress"
_WIDTH, _BOX_HEIGHT, _ROW, _TOP = 880, 34, 74, 10


def rooms() -> dict[str, str]:
    """Return each room with its purpose, from the docstring of the package, the lowest room first."""
    text = ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))) or ""
    return dict(re.findall(r"^- ``(\w+)`` +(.*)$", text, re.MULTILINE))


@cache
def imports() -> dict[str, set[str]]:
    """Return the rooms that each room imports."""
    names = rooms()
    found: dict[str, set[str]] = {name: set() for name in names}
    for name in names:
        for path in (PACKAGE / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    parts = [*node.module.split("."), *(alias.name for alias in node.names)]
                    if parts[0] == "linkpress" and parts[1] in names:
                        found[name].add(parts[1])
        found[name].discard(name)
    return found


def _needed(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows without those that follow from other arrows."""
    reach: dict[str, set[str]] = {}
    for (
        name
    ) in arrows:  # the lowest room first, because each room needs the result for the rooms that it imports
        reach[name] = arrows[name].union(*(reach[one] for one in arrows[name]))
    return {
        name: {one for one in targets if not any(one in reach[other] for other in targets)}
        for name, targets in arrows.items()
    }


def picture() -> str:
    """Return the picture as an SVG for a page; a room imports only rooms that are drawn lower."""
    arrows = _needed(imports())
    level: dict[str, int] = {}
    for name, targets in arrows.items():
        level[name] = 1 + max((level[one] for one in targets), default=-1)
    highest = max(level.values())
    boxes: dict[str, tuple[float, float, float]] = {}
    for row in range(highest + 1):
        in_row = [name for name in level if level[name] == row]
        widths = [22 + 8.6 * len(name) for name in in_row]
        gap = (_WIDTH - sum(widths)) / (len(in_row) + 1)
        x = gap
        for name, width in zip(in_row, widths, strict=True):
            boxes[name] = (x, _TOP + (highest - row) * _ROW, width)
            x += width + gap
    lines = [
        _arrow(boxes[name], boxes[target]) for name, targets in arrows.items() for target in sorted(targets)
    ]
    return _svg(lines, boxes, _TOP * 2 + highest * _ROW + _BOX_HEIGHT)


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    x1, y1 = start[0] + start[2] / 2, start[1] + _BOX_HEIGHT
    x2, y2 = end[0] + end[2] / 2, end[1]
    bend = (y2 - y1) / 2
    return (
        f'<path d="M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2:.0f}"/>'
    )


def _svg(lines: list[str], boxes: Mapping[str, tuple[float, float, float]], height: float) -> str:
    drawn = []
    for name, sentence in rooms().items():
        x, y, width = boxes[name]
        drawn.append(
            f'<g><title>{escape(sentence)}</title><rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" '
            f'height="{_BOX_HEIGHT}" rx="6" fill="var(--color-background-secondary)" '
            f'stroke="var(--color-brand-primary)"/><text x="{x + width / 2:.0f}" y="{y + 22:.0f}" '
            f'text-anchor="middle" fill="var(--color-foreground-primary)">{name}</text></g>'
        )
    return (
        '```{raw} html\n<div class="rooms-picture"><svg role="img" aria-label="The rooms of linkpress. '
        f'Arrows lead from a room to the rooms that it imports" viewBox="0 0 {_WIDTH} {height:.0f}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="monospace" font-size="14">'
        f'<g fill="none" stroke="var(--color-foreground-muted)" stroke-width="1.2">{"".join(lines)}</g>'
        f"{''.join(drawn)}</svg></div>\n```\n"
    )
