"""HTML for the studio's first screen: the folder's books and feeds, and buttons that begin a new book."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from linkpress.studio.html_parts import button, icon, name_of, path_label, say, tag, words

_CANCEL = tag("button", say("cancel"), command="close", commandfor="dialog")
# A blank page, in place of a cover that can't be drawn.
_BLANK = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='110' height='160'/>"
# The entries of the menu of a book or feed, in groups. Each entry has the name of its icon and its keyboard
# shortcut, which may be empty.
_MENU = (
    {
        "open": ("page", "Enter"),
        "rename": ("pen", "F2"),
        "copy": ("editions", ""),
        "new": ("swap", ""),
        "volume": ("plus", ""),
    },
    {"zip": ("save", ""), "showFolder": ("folder", "")},
    {"discard": ("trash", "Delete")},
)
# The icon for each state of a book or feed. A book with problems is not listed here: it gets a warning sign.
_SIGNS = {"built": "dot", "feed": "dot", "new": "dot", "changed": "ring", "rough": "ring"}
_FEED_ENTRIES = ("open", "rename", "discard")
# Number of example books that are shown at once. A window that is 1280 pixels wide has room for this many,
# beside the button that starts a book from a few questions.
_SHOWN_STARTS = 4
_PROBLEM_CHARACTERS = 90


def shelf_html(
    folder: Path,
    specs: Sequence[Mapping[str, Any]],
    trash: Sequence[str],
    examples: Sequence[str],
    questions: Mapping[str, Sequence[str]],
) -> str:
    """Return HTML with the list of books and feeds, and the examples that a new book can start from.

    Args:
        folder: the folder of the books, as an absolute path.
        specs: facts about each book or feed. They are the fields of its ``ListedSpec`` and the facts about
            its build that ``Session.shelf_facts`` returns.
        trash: the files in the trash.
        examples: the names of the example books, from which the user can start a new book.
        questions: maps each question of the form for a new book to the answers that the user can choose from.
            Users who don't start from an example fill in this form.
    """
    restored = (button(say("putBack", file=file), "fileChange", "restore", file) for file in trash)
    starts = [_example(name) for name in examples]
    begin = button(say("guideBegin"), "new", "", say("guide"), kind="button.chief")
    guide = tag("h3", say("guide")) + tag("p", say("guideHint")) + begin
    more = starts[_SHOWN_STARTS:]
    rest = tag("ul.shelf.starts", *more)
    home = Path.home()
    place = f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else str(folder)
    heading = tag("h2", say("yourBooks" if specs else "noBooks")) + tag("span.meaning", escape(place))
    order = tag("span.meaning", say("sorted")) if len(specs) > 1 else ""
    titles = Counter(spec["title"] for spec in specs)
    return "".join(
        (
            tag("div.head", tag("div.group", heading), order),
            tag(
                "ul.shelf",
                *(
                    _card(spec, is_named=titles[spec["title"]] > 1, is_first=spec is specs[0])
                    for spec in specs
                ),
            ),
            tag("p.tools", escape(say("inTrash")), *restored, role="status") if trash else "",
            tag(
                "div.new",
                tag("h2", say("newBook")),
                tag("ul.shelf.starts", tag("li.guide", guide), *starts[:_SHOWN_STARTS]),
                tag("details", tag("summary.link", say("moreStarts", count=len(more))), rest),
            ),
            tag("p.meaning", say("newHint")),
            tag("template", _new_form(questions), id="new-book"),
            tag("template", _new_form({}), id="new-like"),
        )
    )


def changed_html(kind: str, file: str) -> str:
    """Return HTML that says how a file was changed, with a button for the next step that the user may want.

    The result is empty for kinds of change that need no message.

    Args:
        kind: the kind of change, such as ``discard``.
        file: the path of the changed file, relative to the folder of the studio or of its trash.
    """
    if (follow := {"discard": "restore", "copy": "reseed"}.get(kind)) is None:
        return ""
    words, do = say(f"fileChanged.{kind}"), say(f"fileChanged.{follow}")
    key = tag("kbd", "Ctrl + Z" if follow == "restore" else "F6")
    return f"{words} " + button(do, "fileChange", follow, file, kind="button.chief", inner=" " + key)


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


def _card(spec: Mapping[str, Any], *, is_named: bool, is_first: bool) -> str:
    """Return the entry of a book or feed in the list: its cover, title, state and menu.

    Args:
        spec: facts about the book or feed, as for ``shelf_html``.
        is_named: whether to show the name of the file, because another book has the same title.
        is_first: whether this is the first entry of the list. The key F6 moves the focus to it.
    """
    path, title, cover = spec["path"], spec["title"], spec["cover"]
    if cover:
        front = tag("img", src=f"api/thumbnail?{urlencode({'file': path, 'made': cover})}", alt="")
    else:
        query = urlencode({"file": path, "of": spec["version"]})
        source = _BLANK if spec["state"] == "rough" else f"api/front?{query}"
        front = tag("img", src=source, alt="", loading="lazy")
    state = spec["state"]
    sign = _SIGNS.get(state, "warning")
    # ``when`` is set if images of a feed have been made. Such a feed is marked like a built book.
    kind = f".{state}" + ".built" * (state == "feed" and bool(spec["when"]))
    told = tag(f"span.state{kind}", icon(sign), escape(_state_words(spec)))
    file = tag("span", escape(path)) if is_named else ""
    texts = front + tag("strong", escape(title)) + file + told
    own = {"id": f"more-{path}", "aria_label": say("menuOf", title=title)}
    more = tag("button.quiet.more", icon("dots"), popovertarget=f"menu-{path}", **own)
    attributes = {"id": f"spec-{path}", "title": path, "data_file_name": path, "data_start": is_first}
    book = tag("button.book", texts, data_do=["open", path], **attributes)
    return tag("li", book, more, _menu_html(spec), id=f"card-{path}")


def _state_words(spec: Mapping[str, Any]) -> str:
    state, when, problem = spec["state"], spec["when"], spec["problem"]
    if state == "feed" and when:
        return say("madeUntil", day=when)
    if state == "invalid" and when:
        return say("states.unreadable", when=when)
    if state == "invalid" and problem:
        label = path_label(problem["key"])
        told = f"{label}: {problem['message']}" if label else problem["message"]
        return textwrap.shorten(told.replace("`", ""), _PROBLEM_CHARACTERS, placeholder=" …")
    return say(f"states.{state}", when=when)


def _menu_html(spec: Mapping[str, Any]) -> str:
    path = spec["path"]
    tasks = {
        "open": ["open", path],
        "zip": ["download", f"api/zip?{urlencode({'file': path})}"],
        "showFolder": ["showFolder", path],
    }

    def is_offered(entry: str) -> bool:
        if entry == "volume":
            return bool(spec["is_volume"])
        if entry in ("zip", "showFolder"):
            return bool(spec["state"] in ("built", "changed"))
        return spec["kind"] == "book" or entry in _FEED_ENTRIES

    groups = (
        "".join(
            tag(
                "button.error" if entry == "discard" else "button",
                icon(sign),
                say(f"shelfMenu.{entry}"),
                tag("kbd", key) if key else "",
                data_do=tasks.get(entry, ["fileChange", entry, path]),
                autofocus=entry == "open",
                popovertarget=f"menu-{path}",  # makes a click on the button also close the menu
            )
            for entry, (sign, key) in group.items()
            if is_offered(entry)
        )
        for group in _MENU
    )
    return tag("div.menu", tag("hr").join(filter(None, groups)), id=f"menu-{path}", popover=True)


def _example(name: str) -> str:
    title, _, more = say(f"exampleNames.{name}").partition(": ")
    cover = tag("img", src=f"examples/{name}-cover.png", alt="", width=150, loading="lazy")
    texts = tag("strong", title) + tag("span", more)
    return tag("li", tag("button.book.example", cover, tag("span", texts), data_do=["new", name, title]))


def _new_form(questions: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML form with which the user creates a new book.

    Args:
        questions: maps each question about the book, such as its language, to the answers that the user can
            choose from. Empty if the book starts from an example; the form then asks only for a title.
    """
    fields = ""
    for name, choices in questions.items():
        group = name if name in words() and name != "language" else "choices"
        options = "".join(
            tag("option", name_of(group, choice), value=choice, selected=(name, choice) == ("language", "en"))
            for choice in choices
        )
        label = tag("label", say(f"guideQuestions.{name}"), for_=f"guide-{name}")
        fields += tag("div.field", label, tag("select", options, id=f"guide-{name}", name=name))
    title = _line("title", say("titleOfNew")) + tag("p.error", role="alert")
    tools = tag("button.chief", say("create"), type="submit") + _CANCEL
    author = tag("label", say("guideQuestions.author"), for_="guide-author")
    author += tag("input", id="guide-author", name="author", maxlength=120, autocomplete="off")
    author = tag("div.field", author) if questions else ""
    return tag("form.fields", fields, title, author, tag("div.tools", tools))
