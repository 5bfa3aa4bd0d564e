"""HTML for a newspaper's feed in the studio: a month as a calendar, and the panel of a day."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

from linkpress.feeds.feed_spec import FeedSpec
from linkpress.studio.html_parts import PUZZLE_FACTS, button, say, size_words, tag, terms_html, words

_EMPTY = ("none", "missed")  # states of days for which the calendar shows no board


def month_html(calendar: Mapping[str, Any], week: Mapping[str, Any]) -> str:
    """Return the calendar of a month as an HTML grid. The scripts of the window add the boards.

    Args:
        calendar: facts about the month and its days, as returned by ``OpenFeed.calendar``.
        week: maps each weekday to its keys in the feed's spec.
    """
    rows = (tag("div", *map(_cell, days), role="row") for days in calendar["weeks"])
    heads = (
        tag("div", button(name, "weekday", weekday, inner=_recipe(week.get(weekday))), role="columnheader")
        for weekday, name in words()["weekdays"].items()
    )
    head = tag("div.weekdays", *heads, role="row")
    grid = tag("div.calendar", head, *rows, role="grid", aria_labelledby="month")
    return tag("div.month", grid)


def _recipe(level: object) -> str:
    keys = level if isinstance(level, dict) else {}
    size, difficulty = size_words(keys.get("size")), str(keys.get("difficulty", ""))
    return tag("span", escape(", ".join(filter(None, (size, difficulty)))))


def _cell(day: Mapping[str, Any] | None) -> str:
    if day is None:
        return tag("div.day.other", role="gridcell")
    date, state = day["day"], day["state"]
    number = tag("strong", tag("span.weekday", f"{day['short']} "), str(int(date[8:])))
    parts = [number, tag("span.state", say(f"days.{state}"))]
    if state not in _EMPTY:
        parts += [tag("span.board", aria_hidden="true", data_own=True), tag("span.facts", data_own=True)]
    cell = tag("button", *parts, id=f"day-{date}", data_do=["day", date])
    return tag(f"div.day.{state}", cell, role="gridcell")


def day_panels(spec: FeedSpec, name: str, date: datetime.date, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the panel of a day as HTML, once for each of its tabs. A tab shows an image or the web page.

    Args:
        spec: the feed.
        name: the path of the spec, relative to the studio's folder.
        date: the day.
        facts: facts about the day's puzzle, as returned by ``OpenFeed.day_facts``.
    Returns:
        Maps the name of each tab, such as ``puzzle``, to the HTML of the panel in which this tab is selected.
    """
    tabs = ["puzzle", "solution", *["combined"] * spec.image.combined, *["page"] * facts["pages"]]
    day, which = date.isoformat(), (spec.replace or {}).get(date, 0)
    back = button(say("backAgain"), "replaceDay", day, 0, kind="button") if which else ""
    swap = button(say("another"), "replaceDay", day, which + 1, kind="button")
    skip = button(say("noPuzzle"), "skip", day, kind="button")
    terms = terms_html({**facts, "puzzleOf": facts["number"]}, "puzzleOf", *PUZZLE_FACTS)
    rest = tag("div.tools", swap, back, skip) + tag("p.meaning", say("othersStay")) + terms

    def bar(shown: str) -> str:
        buttons = (
            button(say(f"images.{tab}"), "tab", tab, aria_pressed=str(tab == shown).lower()) for tab in tabs
        )
        return tag("div.tools.tabs", *buttons, role="group")

    return {
        tab: bar(tab) + "".join((_page if tab == "page" else _image)(spec, name, day, facts, tab)) + rest
        for tab in tabs
    }


def _saved(name: str, path: str) -> str:
    file = path.rpartition("/")[2]
    words = escape(say("saveFile", name=file))
    return tag("a.button", words, href=_address(name, path, keep=1), download=file)


def _address(name: str, path: str, **more: Any) -> str:
    return f"api/file?{urlencode({'file': name, 'name': path, **more})}"


def _image(spec: FeedSpec, name: str, day: str, facts: Mapping[str, Any], kind: str) -> Iterator[str]:
    yield tag("img.print", alt=say(f"images.{kind}"), data_what=kind, data_own=True)
    paths = [path for each, path in facts["files"] if each == kind]
    yield (
        tag("div.tools", *(_saved(name, path) for path in paths))
        if paths
        else tag("p.meaning", say("saveLater"))
    )


def _page(spec: FeedSpec, name: str, day: str, facts: Mapping[str, Any], kind: str) -> Iterator[str]:
    path = f"web/{day}/embed.html"
    look = tag("a.button", say("play"), href=_address(name, path), target="_blank")
    if spec.web is None or spec.web.url is None:
        yield tag("div.tools", look, _saved(name, path))
        yield tag("p.meaning", say("embedFile"))
        return
    address = f"{str(spec.web.url).rstrip('/')}/{day}/index.html"
    code = tag("iframe", src=address, title=spec.title, width="100%", height=640)
    yield tag("div.tools", look) + tag("label", say("embedCode"), for_="embed")
    yield tag("textarea", escape(code), id="embed", rows=4, readonly=True)
    yield tag("div.tools", button(say("copyCode"), "copy", code, kind="button"))
