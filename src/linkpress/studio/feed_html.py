"""HTML for a newspaper's feed in the studio: a month or week as a calendar, and the panel of a day."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from linkpress.feeds.feed_spec import FeedSpec
from linkpress.studio.html_parts import button, icon, name_of, say, size_words, tag, terms_html, words

# States of days for which the calendar shows no board.
_EMPTY = ("none", "missed")
# Parts of a feed's settings that are listed in a menu, because no other button above the calendar opens them.
_MORE_PARTS = ("feed", "week", "extras")


def month_html(shown: Mapping[str, Any], values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the calendar of a month or week as an HTML grid, and the HTML of the tools above it.

    The scripts of the window load the boards whose puzzles are not made yet, one after the other.

    Args:
        shown: facts about the month and its days, as returned by ``OpenFeed.calendar``.
        values: the values of the keys in the feed's spec.
        name: the path of the spec, relative to the studio's folder.
    Returns:
        The HTML of the grid and of the tools.
    """
    span, day = shown["of"], shown["shown"]
    rows = (
        tag("div", *(_cell(one, shown["today"], values, name) for one in days), role="row")
        for days in shown["weeks"]
    )
    heads = (
        tag(
            "div",
            button(
                title,
                "go",
                f"week/{each}",
                inner=tag("span", _recipe(values, each)),
                id=f"head-{each}",
                # Only the first weekday can be reached with Tab. The arrow keys move from it to the others.
                tabindex=-bool(index),
            ),
            role="columnheader",
        )
        for index, (each, title) in enumerate(words()["weekdays"].items())
    )
    head = tag("div.weekdays", *heads, role="row")
    grid = tag("div.calendar", head if span == "month" else "", *rows, role="grid", aria_labelledby="month")

    def turn(sign: str, word: str, to: str) -> str:
        return button("", "calendar", to, span, sign=sign, aria_label=say(word), id=f"turn-{word}")

    steps = (
        tag("h2", escape(shown["title"]), id="month")
        + turn("left", "earlier", shown["earlier"])
        + turn("right", "later", shown["later"])
        + button(say("today"), "calendar", "", span)
    )
    tabs = (
        button(say(f"spans.{each}"), "calendar", day, each, aria_pressed=str(each == span).lower())
        for each in ("month", "week")
    )
    made = tag("span", say("daysMade", **shown), id="days-made")
    zipped = f"api/month?{urlencode({'file': name, 'day': day, 'span': span})}"
    save = tag(
        "a.button.quiet", icon("save"), say(f"saveSpan.{span}"), href=zipped, download=True, id="save-month"
    )
    parts = (
        tag("button", name_of("parts", part), data_do=["go", part], popovertarget="feed-parts")
        for part in _MORE_PARTS
    )
    more = (
        made
        + tag("div.group.tabs", *tabs, role="group")
        + button(say("imageSettings"), "go", "images", sign="whole")
        + tag("button.quiet", say("moreParts"), popovertarget="feed-parts")
        + tag("div.menu", *parts, id="feed-parts", popover=True)
        + save * bool(shown["made"])
    )
    return {"html": tag(f"div.month.{span}", grid), "tools": tag("div.group", steps) + tag("div.group", more)}


def _recipe(values: Mapping[str, Any], weekday: str) -> str:
    """Return the size and difficulty of a weekday's puzzles as HTML, such as "7 × 7, easy"."""
    level = values["week"].get(weekday)
    keys = level if isinstance(level, dict) else {}
    size, difficulty = size_words(keys.get("size")), str(keys.get("difficulty", "")).replace("-", "–")
    return escape(", ".join(filter(None, (size, difficulty))))


def _cell(day: Mapping[str, Any], today: str, values: Mapping[str, Any], name: str) -> str:
    date, state = day["day"], day["state"]
    if state == "other":
        number = tag("strong", str(int(date[8:])))
        return tag("div.day.other", tag("div", number, tag("span.state", day["month"])), role="gridcell")
    number = tag(
        "strong" + ".chief" * (date == today), tag("span.weekday", f"{day['short']} "), str(int(date[8:]))
    )
    dot = "" if state in _EMPTY else icon("dot" if state == "made" else "ring")
    parts = [number, tag("span.state", dot, say("days.swapped" if day["swapped"] else f"days.{state}"))]
    if state not in _EMPTY:
        address = f"api/day_board?{urlencode({'file': name, 'day': date, 'of': day['key']})}"
        source = {"src" if day["known"] else "data_board": address}
        parts += [tag("img.board", alt="", **source), tag("span.facts", escape(day["told"]))]
    if add := _added(values, date):
        parts.append(tag("u", say("addOne"), data_do=["act", *add]))
    current = "date" if date == today else None
    cell = tag("button", *parts, id=f"day-{date}", data_do=["day", date], aria_current=current)
    return tag(f"div.day.{state}", cell, role="gridcell")


def _skipped(values: Mapping[str, Any]) -> list[str]:
    found = values.get("skip") or []
    return [str(each) for each in (found if isinstance(found, list) else [found])]


def empty_panel(values: Mapping[str, Any], day: str) -> str:
    """Return the panel of a day without a puzzle as HTML.

    If the user has left the day out, the panel has a button that gives the day a puzzle again.
    """
    change = _added(values, day)
    return tag("p", say("noIssue")) + (
        button(say("addPuzzle"), "act", *change, kind="button") if change else ""
    )


def _added(values: Mapping[str, Any], day: str) -> list[Any]:
    """Return a change of the spec that gives a day its puzzle again, by removing the day from ``skip``.

    ``skip`` is the list of days without a puzzle. The result is empty if it does not have the day.
    """
    skipped = _skipped(values)
    rest = [each for each in skipped if each != day]
    return [] if rest == skipped else ["set", ["skip"], rest] if rest else ["unset", ["skip"]]


def day_panels(
    spec: FeedSpec, values: Mapping[str, Any], name: str, date: datetime.date, facts: Mapping[str, Any]
) -> dict[str, str]:
    """Return the HTML of the panel that shows a day of the calendar, once for each tab of the panel.

    Args:
        spec: the feed.
        values: the values of the keys in the feed's spec.
        name: the path of the spec, relative to the studio's folder.
        date: the day.
        facts: facts about the day's puzzle, as returned by ``OpenFeed.day_facts``.
    Returns:
        Maps the name of each tab, such as ``puzzle``, to the HTML of the panel with this tab selected.
    """
    tabs = ["puzzle", "solution", *["combined"] * spec.image.combined, *["page"] * bool(facts["page"])]
    day, which = date.isoformat(), (spec.replace or {}).get(date, 0)
    weekday = f"{date:%A}"
    path = ["replace", day]
    back = button(say("backAgain"), "act", "unset", path, kind="button") if which else ""
    words = say("swapDay", recipe=_recipe(values, weekday.lower()))
    swap = button(words, "act", "set", path, str(which + 1), kind="button", sign="swap")
    skip = button(say("noPuzzle"), "act", "set", ["skip"], [*_skipped(values), day], kind="button")
    terms = terms_html({**facts, "puzzleOf": facts["number"]}, "puzzleOf", "difficulty", "size")
    settings = button(say("settingsOf", weekday=weekday), "go", f"week/{weekday.lower()}", kind="button.link")
    rest = (
        tag("div.tools", swap, back, skip) + tag("p.meaning", say("othersStay")) + tag("p", settings) + terms
    )

    def bar(shown: str) -> str:
        buttons = (
            button(say(f"images.{tab}"), "tab", tab, aria_pressed=str(tab == shown).lower()) for tab in tabs
        )
        return tag("div.tools.tabs", *buttons, role="group")

    page = facts["page"]
    look = tag("a.button", icon("play"), say("play"), href=_address(name, page), target="_blank")
    embed = "".join(_embed(spec, name, page, date)) if page else ""
    return {
        tab: bar(tab) + (look if tab == "page" else "".join(_image(name, day, facts, tab))) + embed + rest
        for tab in tabs
    }


def _address(name: str, path: str, **more: Any) -> str:
    return f"api/file?{urlencode({'file': name, 'name': path, **more})}"


def _image(name: str, day: str, facts: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield an image of a day as HTML, and buttons to save and copy it."""
    query = {"file": name, "day": day, "what": kind, "of": facts["key"]}
    address = f"api/image?{urlencode(query)}"
    yield tag("img.print", alt=say(f"images.{kind}"), src=address)
    printed = facts["printed"]
    runs = say("solutionNext" if printed["days"] == 1 else "solutionLater", **printed)
    yield tag("p.meaning", escape(f"{say('printedAs', **printed)} {runs}"))
    files = [PurePosixPath(path) for each, path in facts["files"] if each == kind]
    saved = (
        tag(
            "a.button.chief" if index == 0 else "a.button",
            icon("save"),
            say("saveAs", format=file.suffix[1:].upper()) if index else say("saveImage"),
            href=_address(name, str(file), keep=1),
            download=file.name,
            title=file.name,
        )
        for index, file in enumerate(files)
    )
    yield tag(
        "div.tools", *saved, button(say("copyImage"), "copy", "", address, kind="button", sign="editions")
    )
    if not files:
        yield tag("p.meaning", say("saveLater"))


def _embed(spec: FeedSpec, name: str, page: str, day: datetime.date) -> Iterator[str]:
    """Yield HTML that shows how a day's page is put on the newspaper's web site."""
    if spec.web is None or spec.web.url is None:
        href = _address(name, page, keep=1)
        save = tag("a.button", say("saveFile", name="embed.html"), href=href, download=True)
        yield save + tag("p.meaning", say("embedFile"))
        return
    address = f"{str(spec.web.url).rstrip('/')}/{day}/index.html"
    code = tag("iframe", src=address, title=spec.title, width="100%", height=640)
    copy = button(say("copyCode"), "copy", code, kind="button.link")
    yield tag("div.head", tag("span.meaning", say("embedCode")), copy)
    yield tag("code.cost", escape(code), id="embed")
