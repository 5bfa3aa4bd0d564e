"""HTML for the studio's first screen: the folder's books and feeds, and buttons that begin a new book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from linkpress.studio.html_parts import button, icon, name_of, say, tag, words

_CANCEL = tag("button", say("cancel"), command="close", commandfor="dialog")
# A blank page, in place of a cover that can't be drawn.
_BLANK = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='110' height='160'/>"
# The entries of the menu of a book or feed, each with its key.
_MENU = {"rename": "F2", "copy": "", "new": "", "volume": "", "discard": "Delete"}


def shelf_html(
    folder: str,
    specs: Sequence[Mapping[str, Any]],
    trash: Sequence[str],
    examples: Sequence[str],
    questions: Mapping[str, Sequence[str]],
) -> str:
    """Return HTML with the list of books and feeds, and the examples that a new book can start from.

    Args:
        folder: the path of the folder.
        specs: facts about each book or feed: the fields of its ``ListedSpec``, and ``Session.shelf_facts``.
        trash: the files in the trash.
        examples: the names of the finished books to start from.
        questions: the questions about a first book, each with its answers.
    """
    restored = (button(say("putBack", file=file), "fileChange", "restore", file) for file in trash)
    starts = (_example(name) for name in examples)
    begin = button(say("guideBegin"), "new", "", say("guide"), kind="button.chief")
    guide = tag("h3", say("guide")) + tag("p", say("guideHint")) + begin
    return "".join(
        (
            tag(
                "h2" if specs else "p",
                escape(say("yourBooks" if specs else "noBooks", folder=Path(folder).name)),
                title=folder,
            ),
            tag("ul.shelf", *map(_card, specs)),
            tag("p.tools", escape(say("inTrash")), *restored, role="status") if trash else "",
            tag("h2", say("newBook")),
            tag("ul.shelf.starts", tag("li.guide", guide), *starts),
            tag("p.meaning", say("newHint")),
            tag("template", _new_form(questions), id="new-book"),
        )
    )


def changed_html(kind: str, file: str) -> str:
    """Return HTML that says how a file was changed, with a button for the next step; empty if none is needed.

    Args:
        kind: the kind of change, such as ``discard``.
        file: the path of the changed file, relative to the folder of the studio or of its trash.
    """
    if (follow := {"discard": "restore", "copy": "reseed"}.get(kind)) is None:
        return ""
    words, do = say(f"fileChanged.{kind}"), say(f"fileChanged.{follow}")
    return f"{words} " + button(do, "fileChange", follow, file, kind="button.chief")


def rename_html(stem: str, title: str) -> str:
    """Return an HTML form that asks for another name of a file and, if the user wants, another title.

    Args:
        stem: the name of the file, without its suffix.
        title: the title of its book or feed; empty if it can't be read.
    """
    name = _line("name", say("fileName"), stem)
    # The style sheet hides the field for the new title until the user checks this box.
    box = tag("input.other", type="checkbox", id="new-title-too", name="with_title")
    too = tag("div.field.toggle", box, tag("label", say("titleToo"), for_="new-title-too"))
    more = too + tag("div", _line("title", say("newTitle"), title), id="new-title-other")
    tools = tag("button.chief", say("rename"), type="submit") + _CANCEL
    error = tag("p.error", role="alert")
    return tag("form.fields.choice", name, more if title else "", error, tag("div.tools", tools))


def _line(name: str, label: str, value: str = "") -> str:
    """Return an HTML field for one line of text. The user can't send the form while the field is empty."""
    limits = {"required": True, "maxlength": 120, "autocomplete": "off"}
    typed = tag("input", id=f"new-{name}", name=name, value=value or None, **limits)
    return tag("div.field", tag("label", label, for_=f"new-{name}"), typed)


def _card(spec: Mapping[str, Any]) -> str:
    path, title, kind, cover = spec["path"], spec["title"], spec["kind"], spec["cover"]
    if cover:
        front = tag("img", src=f"api/thumbnail?{urlencode({'file': path, 'made': cover})}", alt="")
    else:
        query = urlencode({"file": path, "of": spec["version"]})
        source = _BLANK if spec["state"] == "rough" else f"api/front?{query}"
        front = tag("img", src=source, alt="", loading="lazy")
    is_fed = kind == "feed" and spec["when"]
    state = "unreadable" if spec["state"] == "invalid" and spec["when"] else spec["state"]
    words = say("madeUntil", day=spec["when"]) if is_fed else say(f"states.{state}", when=spec["when"])
    sign = "warning" if spec["state"] in ("invalid", "failed") else "dot"
    told = tag(f"span.state.{spec['state']}", icon(sign), tag("span", escape(words)))
    texts = front + tag("strong", escape(title)) + tag("span", escape(path)) + told
    listed = [
        each
        for each in _MENU
        if (spec["is_volume"] if each == "volume" else kind == "book" or each in ("rename", "discard"))
    ]
    name = f"menu-{path}"
    menu = "".join(
        tag(
            "button",
            say(f"shelfMenu.{each}"),
            tag("kbd", _MENU[each]),
            data_do=["fileChange", each, path],
            autofocus=each == listed[0],
            popovertarget=name,  # closes the menu
        )
        for each in listed
    )
    own = {"id": f"more-{path}", "aria_label": say("menuOf", title=title)}
    more = tag("button.quiet.more", icon("dots"), popovertarget=name, **own)
    book = tag("button.book", texts, id=f"spec-{path}", data_do=["open", path], data_file_name=path)
    return tag("li", book, more, tag("div.menu", menu, id=name, popover=True))


def _example(name: str) -> str:
    title, _, more = say(f"exampleNames.{name}").partition(": ")
    cover = tag("img", src=f"examples/{name}-cover.png", alt="", width=150, loading="lazy")
    texts = tag("strong", title) + tag("span", more)
    return tag("li", tag("button.book.example", cover, tag("span", texts), data_do=["new", name, title]))


def _new_form(questions: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML form for a new book.

    The questions are not shown if the new book starts from an example.
    """
    fields = ""
    for name, choices in questions.items():
        group = name if name in words() and name != "language" else "choices"
        options = "".join(
            tag("option", name_of(group, choice), value=choice, selected=(name, choice) == ("language", "en"))
            for choice in choices
        )
        label = tag("label", say(f"guideQuestions.{name}"), for_=f"guide-{name}")
        fields += tag("div.field.question", label, tag("select", options, id=f"guide-{name}", name=name))
    title = _line("title", say("titleOfNew")) + tag("p.error", role="alert")
    tools = tag("button.chief", say("create"), type="submit") + _CANCEL
    author = tag("label", say("guideQuestions.author"), for_="guide-author")
    author += tag("input", id="guide-author", name="author", maxlength=120, autocomplete="off")
    author = tag("div.field.question", author)
    return tag("form.fields", fields, title, author, tag("div.tools", tools))
