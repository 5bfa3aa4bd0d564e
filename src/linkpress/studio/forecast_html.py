"""HTML for the forecast of a level in the studio: the difficulties of its boards, and suggested changes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

from linkpress.book.difficulty_forecast import HARDLY_EVER
from linkpress.studio.html_parts import button, marked, say, slider_html, tag

_HIGHEST_PX = 64


def with_html(
    levels: Iterable[Mapping[str, Any]], paths: Mapping[str, Sequence[Any]], file: str = ""
) -> list[dict[str, Any]]:
    """Return forecasts of levels or weekdays, each with two more keys.

    The key ``html`` has the forecast as HTML. The key ``of`` has the key path of the level or weekday, with
    commas between its steps.

    Args:
        levels: the forecasts, as returned by ``outlook_facts``.
        paths: maps the name of each level or weekday to its key path in the spec. If a weekday has several
            board sizes, each size has a forecast of its own with a name such as "friday, size 10". For such a
            name, the part before the comma is looked up.
        file: the path of the spec, relative to the studio's folder. It is needed to show a board for each
            suggested change. If it is empty, hatched squares are shown in place of the boards.
    """
    found, seen = [], set()
    for level in levels:
        path = tuple(paths.get(level["name"].partition(",")[0], paths.get(level["name"], ("levels", 0))))
        html = _graph(level, path, has_slider=path not in seen)
        html += _ways(level, path, file) if level["state"] else ""
        html += "".join(tag("p.unlikely", marked(why), role="note") for why in level.get("warnings", ()))
        seen.add(path)
        found.append({**level, "html": html, "of": ",".join(map(str, path))})
    return found


def boards_html(boards: Sequence[Mapping[str, str]]) -> str:
    """Return sample boards as HTML, each with its difficulty below it, and a button that makes others."""
    figures = (
        tag(
            "figure",
            board["svg"].replace("<svg ", f'<svg aria-label="{escape(board["difficulty"])}" ', 1),
            tag("figcaption", escape(board["difficulty"])),
        )
        for board in boards
    )
    head = tag("h3.meaning", say("boardsLike"))
    head += button(say("showOthers"), "showOthers", kind="button.link.quiet")
    found = "".join(figures) or say("samplesNone")
    return tag("div.tools", head) + tag("div.boards", found, aria_live="polite")


def track_html(made: int, count: int, name: str) -> str:
    """Return HTML of a progress bar that shows how many puzzles of a level or book are made."""
    facts = {"aria_valuenow": made, "aria_valuemax": count, "aria_label": name}
    return tag("div.track", role="progressbar", data_box=f"--made: {100 * made / (count or 1):.1f}%", **facts)


def made_html(levels: Mapping[str, tuple[str, int]], made_of: Mapping[str, int]) -> str:
    """Return HTML that shows how many puzzles of each level are made.

    Args:
        levels: the title and the number of puzzles of each level, by the level's name.
        made_of: the number of finished puzzles of each level, by the level's name.
    """
    rows = ""
    for level, (name, count) in levels.items():
        made = made_of.get(level, 0)
        words = say("madeOf", made=made, count=count) if made else say("toCome", count=count)
        kind, words = ("div.made.done", say("levelDone")) if made == count else ("div.made", words)
        rows += tag(kind, escape(name), tag("span", words), track_html(made, count, name))
    return rows


def _graph(level: Mapping[str, Any], path: Sequence[Any], *, has_slider: bool) -> str:
    difficulties, sentence = level["difficulties"], tag("p", escape(level["words"]), role="status")
    if not difficulties:
        return sentence
    names, shares, taken = zip(*difficulties, strict=True)
    most, name = max(shares), "graph-" + "-".join(map(str, path))
    low, high = (taken.index(True), len(taken) - 1 - taken[::-1].index(True)) if any(taken) else (0, 0)

    def row(parts: Iterable[str], *, is_choice: bool = False) -> str:
        kind, cells = "button" if is_choice else "span", ""
        for index, part in enumerate(parts):
            do = ["act", "set", (*path, "difficulty"), names[index]] if is_choice else None
            shown = f"{kind}.taken" if low <= index <= high else kind
            # The Tab key skips these buttons, because users without a mouse can use the slider below them.
            cells += tag(shown, part, data_do=do, tabindex=-1 if is_choice else None)
        return tag("div.row", cells)

    bars = (
        _share_words(share)
        + tag(
            "svg" if share >= HARDLY_EVER else "svg.none",
            height=round(max(3, _HIGHEST_PX * math.sqrt(share / most))),
        )
        for share in shares
    )
    slider = slider_html(
        name,
        (*path, "difficulty"),
        (low, high),
        (0, len(names) - 1),
        (say("easiest"), say("hardest")),
        names=names,
    )
    head = tag("h3.meaning", say("difficulty")) if has_slider else ""
    return head + tag(
        "div.graph.bad" if level["state"] == "notMade" else "div.graph",
        row(bars),
        slider if has_slider else "",
        row((name.capitalize() for name in names), is_choice=has_slider),
        sentence,
        id=name,
        role="group",
        aria_label=say("difficulty"),
    )


def _share_words(share: float) -> str:
    if share < HARDLY_EVER:
        return say("none")
    return say("oneIn", count=int(float(f"{1 / share:.2g}"))) if share < 0.01 else f"{round(100 * share)}%"


def _ways(level: Mapping[str, Any], path: Sequence[Any], file: str) -> str:
    ways = ""
    for way in level["ways"]:
        rows, cols = way["size"]
        if file and path[0] == "levels":
            query = {"file": file, "level": path[1], "keys": json.dumps(way["keys"]), "of": way["look"]}
            query |= {"rows": rows, "cols": cols}
            picture = tag("img", src=f"api/board?{urlencode(query)}", alt="", loading="lazy")
        else:
            picture = hatched_svg(rows, cols)
        more = picture + tag("span", escape(way["more"]))
        ways += button(way["words"], "act", "merge", path, way["keys"], kind="button", inner=more)
    head = tag("h3", say("waysOut" if level["state"] == "notMade" else "unlikely")) if ways else ""
    why = tag("p.error", marked(level["unmet"])) if level["unmet"] else ""
    return tag("div", why, head, tag("div.ways", ways), role="note")


def hatched_svg(rows: int, cols: int, per_cell: int = 1) -> str:
    """Draw hatched squares in place of a board that is not made.

    Args:
        rows: the number of rows of the board.
        cols: the number of its columns.
        per_cell: the number of oblique lines that begin at each side of a square.
    """
    lines = "".join(f"M{col} 0V{rows}" for col in range(1, cols))
    lines += "".join(f"M0 {row}H{cols}" for row in range(1, rows))
    hatch = "".join(
        f"M{max(0, at - rows):g} {min(at, rows):g}L{min(at, cols):g} {max(0, at - cols):g}"
        for at in (step / per_cell for step in range(1, per_cell * (rows + cols)))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.05 -.05 {cols + 0.1:g} {rows + 0.1:g}" '
        'aria-hidden="true" fill="none">'
        f'<path stroke="#dba27c" stroke-width="{0.06 / per_cell:g}" d="{hatch}"/>'
        f'<g stroke="#8a8883"><path stroke-width="{0.06 / per_cell:g}" d="{lines}"/>'
        f'<path stroke-width=".1" d="M0 0H{cols}V{rows}H0z"/></g></svg>'
    )
