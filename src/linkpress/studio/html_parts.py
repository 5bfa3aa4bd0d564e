"""Functions that write HTML for the studio's window, and the labels and messages that the window shows.

The labels and messages are in the file ``words.en.json``, which the scripts of the window also read.

If the user clicks on an element with the attribute ``data-do``, or changes it, the window runs a task. The
table ``tasks`` in ``main.mjs`` lists the tasks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

WEB = Path(__file__).with_name("web")
PUZZLE_FACTS = ("difficulty", "size", "fingerprint", "ledger")
_VOID = {"hr", "input", "img"}


@cache
def words() -> Mapping[str, Any]:
    """Return the words and phrases that the window shows, by their keys."""
    found: dict[str, Any] = json.loads((WEB / "words.en.json").read_text(encoding="utf-8"))
    return found


def say(key: str, **values: Any) -> str:
    """Return a phrase that the studio's window shows, with its placeholders filled in.

    Args:
        key: the key of the phrase in ``words.en.json``. If the phrase is in a group, the key begins with the
            key of the group and a dot.
        values: the values for the placeholders, which are names in braces such as ``{count}``.
    """
    found: Any = words()
    for step in key.split("."):
        found = found[step]
    return str(found).format(**values)


def name_of(group: str, key: str, name: str | None = None) -> str:
    """Return the name that the window shows for a key or value of a spec.

    Args:
        group: the group of names in which to look.
        key: the key or value.
        name: the result if the group has no name for the key; None to return the key itself.
    """
    return str(words()[group].get(key, key if name is None else name))


def label_of(key: str) -> str:
    return name_of("keys", key, re.sub(r"_(mm|pt)$", r" (\1)", key).replace("_", " "))


def path_label(path: Sequence[str | int]) -> str:
    """Return a key's name as users see it, such as ``Page numbers`` or ``Level 2, name``."""
    if known := words()["keys"].get(".".join(map(str, path))):
        return str(known)
    is_level = len(path) > 1 and path[0] == "levels"
    level = [say("level", number=int(path[1]) + 1)] if is_level else []
    steps = path[2:] if is_level else path
    labels = level + [label_of(step) if isinstance(step, str) else str(step + 1) for step in steps]
    text = ", ".join(labels)
    return f"{text[:1].upper()}{text[1:]}"


def tag(kind: str, *inner: str, **attributes: Any) -> str:
    """Return an HTML element.

    Args:
        kind: the name of the element, followed by a dot and a class for each of its classes, such as
            ``p.error``.
        inner: the HTML inside the element.
        attributes: the attributes of the element. In their names, ``_`` stands for ``-``, and a last ``_`` is
            removed. An attribute with the value None or False is left out, and one with True has no value.
            Lists are written as JSON.
    """
    name, *classes = kind.split(".")
    attributes = {"class_": " ".join(classes) or None, **attributes}
    if name == "button":
        attributes = {"type": "button", **attributes}
    listed = ""
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        text = json.dumps(value) if isinstance(value, list | tuple) else str(value)
        listed += f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(text)}"')
    return f"<{name}{listed}>" + ("" if name in _VOID else f"{''.join(inner)}</{name}>")


def marked(text: str) -> str:
    """Return a text as HTML, with its parts between backticks as code."""
    return re.sub("`(.*?)`", r"<code>\1</code>", escape(text))


def icon(name: str, kind: str = "svg.icon") -> str:
    """Return an icon of the sprite in ``studio.html`` as SVG."""
    return tag(kind, f'<use href="#i-{name}"/>', aria_hidden="true")


def button(
    text: str, *task: Any, kind: str = "button.quiet", sign: str = "", inner: str = "", **attributes: Any
) -> str:
    """Return an HTML button that runs a task.

    Args:
        text: the text of the button. It is bold if there is more HTML in the button.
        task: the name of the task and its arguments.
        kind: the element and its classes, as for ``tag``.
        sign: the name of the icon before the text; empty for none.
        inner: more HTML in the button, after the text.
        attributes: more attributes, as for ``tag``.
    """
    words = tag("strong", escape(text)) if inner else escape(text)
    return tag(kind, icon(sign) if sign else "", words, inner, data_do=task, **attributes)


def puzzle_bar(number: int, label: str, *, is_board: bool, is_swapped: bool) -> str:
    """Return HTML for the toolbar that appears beside a puzzle when the user clicks it on a page.

    The link for playing the puzzle has no address yet. The scripts of the window add it later.

    Args:
        number: the printed number of the puzzle.
        label: the name of the clicked puzzle or answer, such as "Puzzle 12", for the heading of the toolbar.
        is_board: True for a board to solve, False for an answer.
        is_swapped: whether the user has replaced the puzzle by another one.
    """
    name, path = tag("strong", escape(label)), ["replace", str(number)]
    if not is_board:
        go = button(say("goToPuzzle", number=number), "goToPuzzle", number, sign="right")
        return tag("div.tools", name, go)
    tools = button(say("showAnswer"), "openPuzzle", number, sign="eye")
    tools += button(say("another"), "another", path, sign="swap")
    tools += button(say("backAgain"), "act", "unset", path, sign="undo") if is_swapped else ""
    return tag("div.tools", name, tools, tag("a.button.quiet", icon("play"), say("play"), target="_blank"))


def same_name_html() -> str:
    """Return an HTML form for an uploaded picture that has the same file name as another picture.

    The form asks the user whether to replace the other picture or to keep both.
    """
    replace = tag("button.chief", say("replace"), type="submit", name="keep", value="new")
    both = tag("button", say("keepBoth"), type="submit", name="keep", value="both")
    return tag("form.fields", tag("p", say("pictureThere")), tag("div.tools", replace, both))


def drops_html(width: float) -> str:
    """Return HTML for two areas of the drawn cover on which the user can drop a picture.

    In one of them, the picture becomes a part of the front cover; in the other, it becomes the whole front
    cover.

    Args:
        width: the width of each area, as a fraction of the width of the drawing. The areas are placed one
            below the other.
    """
    places = ""
    for use in ("image", "front"):
        words = tag("strong", say(f"drops.{use}")) + tag("span", say(f"dropFacts.{use}"))
        places += tag("div.drop", words, data_use=use)
    places += tag("p", say("letGo"))
    return tag("div.drops", places, data_box=f"width: {100 * width:.3f}%")


def slider_html(
    name: str,
    key: Sequence[Any],
    ends: Sequence[int],
    limits: Sequence[int],
    words: Sequence[str],
    *,
    names: Sequence[str] = (),
    unit: str = "",
) -> str:
    """Return an HTML slider with two ends. The user moves these ends to choose a range of values.

    Args:
        name: the start of the identifiers of the two ends.
        key: the key path that the slider sets.
        ends: the lowest and highest value of the range.
        limits: the lowest and highest value that can be chosen.
        words: the labels of the two ends.
        names: the names to show for the values 0, 1, 2 and so on; empty to show the numbers.
        unit: the text after a value for a screen reader, such as " pairs". If it is ``%``, it also follows
            the value in the spec.
    """
    least, most = limits
    inputs = (
        tag(
            "input.end",
            type="range",
            id=f"{name}-{index}",
            min=least,
            max=most,
            value=value,
            aria_label=word,
            aria_valuetext=f"{names[value] if names else value}{unit}",
        )
        for index, (word, value) in enumerate(zip(words, ends, strict=True))
    )
    kind = "div.slider" if names else "div.slider.numbers"
    return tag(
        kind, tag("i"), *inputs, data_key=list(key), data_unit=unit, data_names=",".join(names) or None
    )


def terms_html(facts: Mapping[str, Any], *keys: str) -> str:
    """Return some facts as an HTML list, each after its name. Empty facts are left out.

    Args:
        facts: the facts by their keys.
        keys: the keys of the facts to list.
    """
    terms = (tag("dt", say(key)) + tag("dd", escape(str(facts[key]))) for key in keys if facts.get(key))
    return tag("dl", *terms)


def problems_html(
    problems: Iterable[Mapping[str, Any]], name: str, mending: Mapping[str, Any] | None = None
) -> str:
    """Return problems of a spec as an HTML list of buttons, each of which leads to the cause of a problem.

    Args:
        problems: the problems, as returned by ``problem_facts``.
        name: the text to show in place of a key's name if a problem has no key.
        mending: facts about an edit that solves one of the problems, as ``SpecFile.mending_facts`` returns
            them. The problem in the line of this edit gets a button that makes the edit.
    """
    listed = ""
    for problem in problems:
        key, line = problem["key"], problem["line"]
        words = tag("span", marked(problem["message"]))
        words += tag("span.meaning", say("line", line=line)) if line > 0 else ""
        place = {"key": key, "line": line}
        is_mended = mending and mending["line"] == line
        way = mend_button(line) if is_mended else ""
        listed += tag("li", button(path_label(key) or name, "problem", place, inner=words), way)
    return tag("ul.problems", listed)


def mend_button(line: int) -> str:
    """Return an HTML button that makes the proposed edit of a line."""
    return button(say("putRight", line=line), "mend", "mending", kind="button.chief")


def picture_ways_html(values: Mapping[str, Any]) -> str:
    """Return HTML buttons with which the user chooses where on the cover a picture is shown.

    The result is empty if the cover's design already has a place for a picture.

    Args:
        values: the values of the spec.
    """
    cover, designs = values.get("cover"), words()["designs"]
    if not isinstance(cover, Mapping) or cover.get("design") in (None, "window", "poster"):
        return ""
    unset = {key: None for key in ("palette", "initial") if key in cover}
    ways = "".join(
        button(
            say("useDesign", design=designs[each]) if each else say("useFront"),
            "act", "replace", ["cover"], {"design": each, **unset},
            kind="button",
        )
        for each in ("window", "poster", None)
    )  # fmt: skip
    return tag("div.tools", ways)


def offers_html(**values: Iterable[str]) -> str:
    """Return HTML lists of the values that form fields suggest.

    Args:
        values: the suggested values; the key is the name of their list.
    """
    return "".join(
        tag("datalist", *(tag("option", value=value) for value in offered), id=f"offers-{name}")
        for name, offered in values.items()
    )


def size_words(size: object) -> str:
    """Return the sizes of a level's boards for readers, such as "7 × 7".

    Args:
        size: the value of the level's key ``size``: a size or a list of sizes.
    """
    sizes = size if isinstance(size, list) else [] if size is None else [size]
    return ", ".join(re.sub(r"^\d+$", r"\g<0>x\g<0>", str(one)).replace("x", " × ") for one in sizes)
