"""HTML that the studio's server sends, and the words of the window, which it shares with the scripts.

A click on an element with the attribute ``data-do``, or a change of it, runs a task. The table ``tasks`` in
``main.mjs`` lists the tasks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

WEB = Path(__file__).with_name("web")
PUZZLE_FACTS = ("difficulty", "size", "fingerprint", "ledger")
_VOID = {"input", "img"}


@cache
def words() -> Mapping[str, Any]:
    """Return the words of the window, by their keys."""
    found: dict[str, Any] = json.loads((WEB / "words.en.json").read_text(encoding="utf-8"))
    return found


def say(key: str, **values: Any) -> str:
    """Return a phrase of the window with its values filled in. A dot leads to a phrase in a group."""
    found: Any = words()
    for step in key.split("."):
        found = found[step]
    return str(found).format(**values)


def name_of(group: str, key: str, name: str | None = None) -> str:
    """Return the friendly name of a key or value; ``name`` or the key itself if it has none."""
    return str(words()[group].get(key, key if name is None else name))


def label_of(key: str) -> str:
    return name_of("keys", key, re.sub(r"_(mm|pt)$", r" (\1)", key).replace("_", " "))


def tag(kind: str, *inner: str, **attributes: Any) -> str:
    """Return an element, such as ``p.error`` of a class.

    Args:
        kind: the name of the element, and its classes after dots.
        inner: the HTML inside it.
        attributes: its attributes, with ``_`` for ``-`` and without a last ``_``. None and False leave an
            attribute out; True gives one without a value. Lists are written as JSON.
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


def button(text: str, *task: Any, kind: str = "button.quiet", inner: str = "", **attributes: Any) -> str:
    """Return a button that runs a task. With more HTML inside it, its text is bold."""
    words = tag("strong", escape(text)) if inner else escape(text)
    return tag(kind, words, inner, data_do=task, **attributes)


def terms_html(facts: Mapping[str, Any], *keys: str) -> str:
    """Return the facts with these keys as a list, each after its name. Empty ones are left out."""
    terms = (tag("dt", say(key)) + tag("dd", escape(str(facts[key]))) for key in keys if facts.get(key))
    return tag("dl", *terms)


def size_words(size: object) -> str:
    """Return the sizes of a level's boards as they are read, such as "7 × 7"."""
    sizes = size if isinstance(size, list) else [] if size is None else [size]
    return ", ".join(re.sub(r"^\d+$", r"\g<0>x\g<0>", str(one)).replace("x", " × ") for one in sizes)
