"""HTML for the forecast of a level in the studio: the difficulties of its boards, and suggested changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from linkpress.studio.html_parts import button, marked, say, tag

_HIGHEST_PX = 64
_LEAST_SHARE = 5e-4  # The window shows a smaller share of the boards as "none".


def with_html(
    levels: Iterable[Mapping[str, Any]], paths: Mapping[str, Sequence[Any]]
) -> list[dict[str, Any]]:
    """Return forecasts of levels or weekdays, each with its HTML under the added key ``html``.

    Args:
        levels: the forecasts, as returned by ``outlook_facts``.
        paths: maps the name of each level or weekday to its key path in the spec. If a forecast's name
            contains a comma, the weekday is the part before the comma.
    """
    found, seen = [], set()
    for level in levels:
        path = tuple(paths.get(level["name"].partition(",")[0], paths.get(level["name"], ("levels", 0))))
        html = _graph(level, path, has_slider=path not in seen)
        html += _ways(level, path) if level["state"] else ""
        seen.add(path)
        found.append({**level, "html": html})
    return found


def boards_html(boards: Sequence[Mapping[str, str]]) -> str:
    """Return sample boards as HTML figures, each with its difficulty below it."""
    figures = (
        tag(
            "figure",
            board["svg"].replace("<svg ", f'<svg aria-label="{escape(board["difficulty"])}" ', 1),
            tag("figcaption", escape(board["difficulty"])),
        )
        for board in boards
    )
    return "".join(figures) or say("samplesNone")


def made_html(levels: Iterable[tuple[str, int, int]]) -> str:
    """Return HTML that shows how many puzzles of each level are made.

    Args:
        levels: the name of each level, the number of its puzzles that are made, and the number of all.
    """
    rows = ""
    for name, made, count in levels:
        words = say("madeOf", made=made, count=count) if made else say("toCome", count=count)
        kind, words = ("label.made.done", say("levelDone")) if made == count else ("label.made", words)
        rows += tag(kind, escape(name), tag("span", words), tag("progress", max=count, value=made))
    return rows


def _graph(level: Mapping[str, Any], path: Sequence[Any], *, has_slider: bool) -> str:
    difficulties, sentence = level["difficulties"], tag("p", escape(level["words"]), role="status")
    if not difficulties:
        return sentence
    names, shares, taken = zip(*difficulties, strict=True)
    most, name = max(shares), "graph-" + "-".join(map(str, path))
    low, high = (taken.index(True), len(taken) - 1 - taken[::-1].index(True)) if any(taken) else (0, 0)

    def row(parts: Iterable[str]) -> str:
        spans = (
            tag("span.taken" if low <= index <= high else "span", part) for index, part in enumerate(parts)
        )
        return tag("div.row", *spans)

    bars = (
        _share_words(share) + tag("svg", height=round(max(3, _HIGHEST_PX * math.sqrt(share / most))))
        for share in shares
    )
    line = tag("path", d=f"M{10 + 20 * low} 3H{10 + 20 * high}")
    slider = tag("svg", line, viewBox="0 0 100 6", preserveAspectRatio="none")
    for index, (word, end) in enumerate((("easiest", low), ("hardest", high))):
        slider += tag(
            "input.end",
            type="range",
            id=f"{name}-{index}",
            min=0,
            max=len(names) - 1,
            value=end,
            aria_label=say(word),
            aria_valuetext=names[end],
        )
    return tag(
        "div.graph.bad" if level["state"] == "notMade" else "div.graph",
        row(bars),
        tag("div.slider", slider) if has_slider else "",
        row(names),
        sentence,
        id=name,
        role="group",
        aria_label=say("difficulty"),
        data_of=path,
        data_names=",".join(names),
    )


def _share_words(share: float) -> str:
    if share < _LEAST_SHARE:
        return say("none")
    return say("oneIn", count=round(1 / share)) if share < 0.01 else f"{round(100 * share)}%"


def _ways(level: Mapping[str, Any], path: Sequence[Any]) -> str:
    ways = (button(way["words"], "way", path, way["keys"], kind="button") for way in level["ways"])
    head = tag("h3", say("waysOut" if level["state"] == "notMade" else "unlikely")) if level["ways"] else ""
    why = tag("p.error", marked(level["unmet"])) if level["unmet"] else ""
    return tag("div", why, head, tag("div.ways", *ways), role="note")
