"""HTML for the studio: editions and galleries of a book, the progress of a build, and a finished book."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from linkpress.book.printing_keys import Theme
from linkpress.book.spec import BookSpec
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, PAGES_FILE, VOLUME_FILE
from linkpress.documents.problem import Problem, value_at
from linkpress.documents.shipped_files import THEMES
from linkpress.documents.values import MM_PT
from linkpress.errors import ExitCode, LinkpressError
from linkpress.layout.frame import Photo, Rect
from linkpress.layout.page_draft import puzzle_place
from linkpress.layout.setting import DPI_SLACK, resolution_of
from linkpress.layout.theme import load_theme, theme_problems
from linkpress.printers import Earnings, Market, PaperInk, PrinterProfile
from linkpress.studio.forecast_html import made_html, track_html
from linkpress.studio.html_parts import (
    PUZZLE_FACTS,
    button,
    icon,
    marked,
    name_of,
    path_label,
    problems_html,
    say,
    tag,
    terms_html,
    words,
)
from linkpress.studio.open_book import BookView
from linkpress.studio.spec_files import OWN_COLOURS

_NAMES = {
    INTERIOR_FILE: "Pages for the printer",
    COVER_FILE: "Cover for the printer",
    "solutions.pdf": "Solutions for the printer",
    "screen.pdf": "Book for tablets",
    VOLUME_FILE: "Puzzles, for linkpress itself",
    PAGES_FILE: "Fingerprints of all pages, for linkpress itself",
    "report.txt": "All about this build",
    "listing.txt": "Answers for the shop’s form",
}
_UPLOADS = {INTERIOR_FILE: "The pages are the manuscript.", COVER_FILE: "The cover is the cover file."}
# Profiles that describe no particular shop.
_NO_SHOPS = "generic", "screen"
_MEDIA = {"epub": "E-book", "screen": "Tablet", "play": "Page to play on"}
_SUFFIXES = (".pdf", ".epub", ".txt", ".json")
# Number of markets whose prices are always shown. A click shows the prices in the other markets.
_SHOWN_MARKETS = 3
_NUMBERS = "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"
_SALE = "Sold in", "Printing", "Your price", "Your share", "You earn"


def editions_html(view: BookView, name: str, look: str) -> str:
    """Return HTML buttons for the editions of a book and its other media, each with a picture of the cover.

    The other media are a tablet edition, an e-book, and a web page to play on.

    Args:
        view: the book.
        name: the path of the spec, relative to the studio's folder.
        look: text that changes whenever the covers change. It is part of the web addresses of the covers, so
            that the browser doesn't show old covers from its cache.
    """
    book, others = view.spec, list(view.editions())
    listed = [("", "page", name_of("choices", book.wording().language), str(book.title), "")]
    listed += (("", medium, say(f"media.{medium}"), str(book.title), "") for medium in _media_of(book))
    for edition, spec, note in others:
        words = name_of("choices", edition, name_of("choices", spec.wording().language))
        title = str(spec.title) if spec.isbn else say("noIsbn", title=spec.title)
        listed.append((edition, "page", words, title, note))
    buttons, hide, more = "", {"popovertarget": "editions"}, len(listed) - 1
    for edition, medium, words, title, note in listed:
        query = urlencode({"file": name, "of": look, "what": "front", "edition": edition})
        cover = tag("img", src=f"api/tile?{query}", alt="", loading="lazy") if view.spec.cover else ""
        texts = tag("strong", escape(words)) + tag("span", escape(title))
        texts += tag("span.warned", escape(note)) if note else ""
        do = ["edition", edition, medium]
        bar = say("editionMore", name=words, count=more) if more else say("editionOnly", name=words)
        own = {"id": f"edition-{edition}-{medium}", "data_do": do, "data_bar": bar, "autofocus": not buttons}
        buttons += tag("button.edition", cover, texts, **own, **hide)
    told = tag("p.meaning", say("editionsNote")) if others else ""
    add = button(say("addEdition"), "go", "editions", kind="button.quiet.add", sign="plus", **hide)
    return buttons + add + told


def _media_of(spec: BookSpec) -> list[str]:
    """Return in which media, besides print, a book or edition is published: "screen", "epub" and "play".

    These are also the names of the media's keys in the spec.
    """
    return [medium for medium in ("screen", "epub", "play") if getattr(spec, medium)]


def media_html(spec: BookSpec) -> str:
    """Return HTML options for the media of a book or edition; empty if it is only printed."""
    media = _media_of(spec)
    options = (tag("option", say(f"media.{medium}"), value=medium) for medium in ("page", *media))
    return "".join(options) if media else ""


def edition_note_html(book: BookSpec, edition: BookSpec, name: str) -> str:
    """Return a note as HTML to show above the settings while the user looks at the pages of an edition.

    The note says that the texts in the settings are those of the book, and has a button that leads to the
    texts of the edition. It is empty if book and edition have the same language.
    """
    own, other = (spec.wording().language for spec in (book, edition))
    if own == other:
        return ""
    language = name_of("choices", other)
    told = escape(say("editionWords", book=name_of("choices", own), name=language)) + " "
    return tag("p.asks", told, button(say("editionsLink"), "key", ["editions", name, "title"]), id="told")


def galleries_html(view: BookView, name: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return HTML galleries of pictures of a book: its cover in other designs, and an answer in other themes.

    Args:
        view: the book.
        name: the path of the spec, relative to the studio's folder.
        facts: facts about the book, as returned by ``BookView.facts``.
    Returns:
        Maps each part of the form that has a gallery to its HTML. The HTML for the cover has the palettes of
        each design below the designs. Only the palettes of the book's own design are visible.
    """
    values, file = view.spec.source.value, {"file": name, "of": facts["look"]}
    # The number of the palette that the cover has if the spec names none. Volumes of a series
    # use different palettes.
    usual = view.spec.volume or 1
    cover, theme = values.get("cover"), values.get("theme", "classic")
    keys = cover if isinstance(cover, dict) else {}
    design = None if cover in (None, "no") else keys.get("design", "")
    palette = int(keys.get("palette", 0))
    own_colours = {key: None for key in OWN_COLOURS if key in keys}
    palettes = view.palettes()

    def tile(
        shown: str,
        words: str,
        do: list[Any] | None,
        *,
        is_own: bool,
        kind: str = "design",
        is_low: bool = False,
        more: str = "",
        dots: str = "",
        **of: Any,
    ) -> str:
        source = f"api/tile?{urlencode({**file, 'what': kind, **of})}"
        # Give the proportions of each picture, so that the browser can reserve space before it loads the
        # picture. The picture of a theme shows a puzzle above its answer. If the theme has colours, it shows
        # only the answer.
        page = round(facts["width"]), round(facts["height"])
        wide, high = page if kind != "theme" else (1, 1) if is_low else (1, 2)
        picture = tag("img", src=source, alt="", loading="lazy", width=wide, height=high)
        own = {"aria_checked": str(is_own).lower(), "tabindex": 0 if is_own else -1, "data_do": do}
        tried = json.dumps({"what": "look" if kind == "theme" else kind, **of})
        inner = (
            picture,
            tag("strong" if more else "span", dots, escape(words)),
            tag("span.meaning", escape(more)) if more else "",
        )
        return tag(
            "button.tile" + ".low" * is_low, *inner, id=f"tile-{shown}", role="radio", data_try=tried, **own
        )

    def keep(design: str, chosen: int | None = None) -> list[Any]:
        if cover in (None, "no") and not design:
            return ["keepLook", "set", ["cover"], "yes"]
        shade = {"palette": chosen and str(chosen)} if chosen or palette else {}
        return [
            "keepLook",
            "replace",
            ["cover"],
            {"design": design or None, **shade} if design or keys.get("design") else own_colours,
        ]

    def dots(each: str) -> str:
        """Draw a dot in the colour of each palette of a design.

        The dot of the palette that is shown has a ring.
        """
        shades = palettes.get(each, ())
        drawn = ((palette if each == design else 0) or usual) - 1
        shown = drawn % len(shades) if shades else 0
        ring = f'<circle cx="{12 * shown + 7}" cy="8" r="6" fill="none" stroke="currentColor"/>'
        circles = "".join(
            # A transparent line through each dot enlarges the area that can be clicked.
            f'<g data-do="{escape(json.dumps(keep(each, index + 1)))}"><circle cx="{12 * index + 7}" cy="8" '
            f'r="4.5" fill="{ink}" stroke="#8888"/><path stroke="#0000" stroke-width="12" '
            f'd="M{12 * index + 7} 0v16"/></g>'
            for index, ink in enumerate(shades)
        )
        width = 12 * len(shades) + 2
        return f'<svg width="{width}" height="16" aria-hidden="true">{circles}{ring}</svg>'

    def gallery(kind: str, tiles: Iterable[str]) -> str:
        label = say(f"galleries.{kind}")
        group = tag(f"div.gallery.{kind}", *tiles, id=f"gallery-{kind}", role="radiogroup", aria_label=label)
        return group if 'tabindex="0"' in group else group.replace('tabindex="-1"', 'tabindex="0"', 1)

    covers = gallery(
        "design",
        (
            tile(
                f"design-{each or 'plain'}",
                name_of("designs", each) if each else say("plainCover"),
                keep(each) if each != design or own_colours else None,
                is_own=each == design,
                dots=dots(each) if each else "",
                name=each,
                **(dict[str, Any](palette=palette) if palette and each == design else {}),
            )
            for each in ("", *_in_order("designs", palettes))
        ),
    )
    for each, inks in palettes.items():
        names = dict(enumerate(words()["palettes"].get(each, ()), 1))
        shades = (
            tile(
                f"{each}-{number}",
                names.get(number, str(number)),
                keep(each, number),
                is_own=(each, number) == (design, palette),
                name=each,
                palette=number,
            )
            for number in range(1, len(inks) + 1)
        )
        head = tag("h2", escape(say("otherColours", design=name_of("designs", each))))
        shown = head + gallery("palette", shades).replace("gallery-palette", f"palettes-{each}")
        covers += tag("section", shown, data_design=each, hidden=each != design)
    path = ["theme", "base"] if isinstance(theme, dict) else ["theme"]
    own = theme.get("base", "classic") if isinstance(theme, dict) else theme
    listed = _in_order("themeFacts", THEMES.names())
    coloured = [each for each in listed if load_theme(each).has_colours]
    looks = {
        each: tile(
            f"theme-{each}",
            name_of("choices", each),
            ["keepLook", "set", path, each] if each != own else None,
            is_own=each == own,
            kind="theme",
            is_low=each in coloured,
            more=name_of("themeFacts", each, ""),
            name=each,
        )
        for each in listed
    }
    grey = [tile for each, tile in looks.items() if each not in coloured]
    tiles = [*grey, tag("h2", say("needColour")), *(looks[each] for each in coloured)]
    shown = gallery("theme", tiles) + _colour_paper(view, load_theme(coloured[0]))
    shown_parts = {"cover": covers, "looks": shown}
    named = {"cover": ("cover", say("viewDesigns")), "looks": ("look", say("parts.looks"))}
    return {
        part: tag("p.meaning", say("galleryKeys", what=named[part][0]), data_tab=named[part][1]) + html
        for part, html in shown_parts.items()
    }


def _in_order(group: str, names: Iterable[str]) -> list[str]:
    """Sort names, such as those of themes, in the order in which the window's phrases list them.

    Args:
        group: the key of the phrases for these names in ``words.en.json``.
        names: the names. Names for which there is no phrase come last.
    """
    known = list(words()[group])
    return sorted(names, key=lambda name: known.index(name) if name in known else len(known))


def _colour_paper(view: BookView, theme: Theme) -> str:
    """Return HTML that says what a copy costs on the cheapest paper in colour, with a button to choose it.

    The result is empty if the book's paper is printed in colour, or if the costs are not known.

    Args:
        view: the book.
        theme: a theme with colours, which the paper must suit.
    """
    profile, own, found = view.assets.profile, _paper(view), _print_costs(view)
    fit = [paper for paper in found if not theme_problems(theme, profile, paper)]
    if own in fit or own not in found or not fit:
        return ""
    paper = min(fit, key=lambda each: found[each].cost)
    told = _cost_elsewhere(paper, found, own)
    change = button(say("changePaper"), "act", "set", ["page", "paper"], paper, kind="button")
    return tag("div.cost.head", tag("span", told), change)


def puzzle_html(number: int, facts: Mapping[str, Any]) -> str:
    """Return the HTML of the dialog about a puzzle. The window's scripts add its answer and its steps."""
    terms = terms_html(facts, "name", *PUZZLE_FACTS)
    tools = button(say("showSteps"), "drawPuzzle", "steps", number)
    tools += button(say("ontoCover"), "putOnCover", number)
    answer = tag("div.compare", tag("div", id="drawn-answer", data_own=True), terms)
    return answer + tag("div.tools", tools) + tag("div.solve", id="drawn-steps", tabindex=0, data_own=True)


_STAGES = ("make", "lay out", "draw", "verify")


def progress_html(progress: Mapping[str, Any]) -> str:
    """Return HTML that shows the stages of a running build and the number of finished puzzles.

    Args:
        progress: the progress of the build, as in ``RunningJob.progress``.
    """
    stage, made, count, took_s = (progress[key] for key in ("stage", "made", "count", "took_s"))
    now, left = _STAGES.index("draw" if stage == "write" else stage), progress["words"] * (stage == "make")

    def time(index: int, stage: str) -> str:
        """Return HTML with the time of a stage; empty if it is not known.

        For a finished stage, this is the time that it took. For the current stage, it is the estimated time
        until the stage ends.
        """
        words = left if index == now else _minutes(took_s[stage]) if index < now and stage in took_s else ""
        return tag("time", escape(words)) if words else ""

    stages = (
        tag(
            "li.tools.done" if index < now else "li.tools",
            icon("check" if index < now else "busy" if index == now else "ring"),
            say(f"buildStages.{each}"),
            time(index, each),
            aria_current="step" if index == now else None,
        )
        for index, each in enumerate(_STAGES)
    )
    if progress["levels"]:
        done = made_html(progress["levels"], progress["made_of"])
    else:
        label = say(f"buildStages.{stage}")
        done = track_html(made, count, label)
        done += tag("p", say("buildMade", made=made, count=count), role="status") if count else ""
    unmet = "".join(tag("p", marked(why)) for why in progress["unmet"])
    if unmet:
        unmet = tag("div.unlikely", tag("p", tag("strong", say("unmetBuild"))), unmet, role="alert")
    notes = "".join(tag("p", marked(note)) for note in progress["notes"])
    if notes:
        notes = tag("details", tag("summary", say("buildNotes")), notes, id="build-notes")
    since = tag("p.meaning", say("buildSince", time=progress["since"]))
    # Only phones show this button. On wider screens, a button in the bar does the same.
    stop = button(say("stop"), "stop", kind="button.sheet-tool")
    go_on = tag("div.cost", tag("strong", say("goOn")), tag("p.meaning", say("buildGoOn")))
    return tag("ol.stages", *stages) + done + unmet + go_on + stop + notes + since


def ask_html(kind: str) -> str:
    """Return HTML that says how a book is built or days are made, with a button to start it.

    For a feed, the scripts of the window add the button, because its text depends on the month that is shown.

    Args:
        kind: ``book`` or ``feed``.
    """
    start = button(say("build"), "build", kind="button.chief") if kind == "book" else ""
    return tag("p.cost", say(f"{kind}Ask")) + start


def built_elsewhere_html(levels: Mapping[str, tuple[str, int]], made_of: Mapping[str, int]) -> str:
    """Return HTML that shows how far another program is with the build of a book.

    Args:
        levels: the title and the number of puzzles of each level, by the level's name.
        made_of: the number of finished puzzles of each level, by the level's name.
    """
    count, made = sum(count for _, count in levels.values()), sum(made_of.values())
    stage = tag("p", say("buildStages.make"), ": ", say("madeOf", made=made, count=count), role="status")
    told = tag("p", say("builtElsewhere"), " ", say("puzzlesOfOther"))
    return told + (stage if made < count else "") + made_html(levels, made_of)


def progress_words(progress: Mapping[str, Any]) -> str:
    """Return one line about the progress of a build, such as "Making puzzles: 41 of 60"."""
    made, count, stage = progress["made"], progress["count"], say(f"buildStages.{progress['stage']}")
    if progress["stage"] != "make" or not count:
        return stage
    return f"{stage}: {', '.join(filter(None, (say('madeOf', made=made, count=count), progress['words'])))}"


def spoken_progress(made: int, count: int) -> str:
    """Return a build's progress as a screen reader speaks it, in steps of 25 %."""
    return f"{25 * (4 * made // count)} %" if count else ""


def progress_icon(made: int, count: int) -> str:
    """Return a data URL of an SVG ring, which is filled up in proportion to the finished puzzles."""
    share = 100 * made // count if count else 0
    ring = 'cx="10" cy="10" r="8" fill="none" stroke-width="4"'
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
        f'<circle {ring} stroke="#8888"/><circle {ring} stroke="#4a7cf0" pathLength="100" '
        f'stroke-dasharray="{share} 100" transform="rotate(-90 10 10)"/></svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def _minutes(seconds: float) -> str:
    """Return a duration such as ``0:52``, in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def outcome_html(progress: Mapping[str, Any], name: str) -> str:
    """Return HTML that says how a build or feed run ended; empty for a finished book.

    Args:
        progress: the progress of the build, as in ``RunningJob.progress``.
        name: the name of the spec file.
    """
    end, notes = progress["end"], ""
    if end["event"] == "done" and "days" not in end:
        return ""  # a finished book has a screen of its own, so nothing is shown here
    match end["event"]:
        case "failed" if end.get("problems"):
            notes = problems_html(end["problems"], name)
        case "failed" if progress["unmet"] and end.get("exit_code") == ExitCode.RECIPE:
            notes = "".join(tag("p.error", escape(why)) for why in progress["unmet"])
        case "failed":
            notes = tag("pre.error", escape(end["message"]))
        case "done":
            notes = "".join(tag("p", marked(note)) for note in end["messages"])
    words = {"failed": "buildFailed", "done": "feedDone", "stopped": "buildStopped"}[end["event"]]
    return tag("h2", escape(say(words, **end))) + notes


def saved_name(folder: Path, file: str, edition: str = "") -> str:
    """Return the name under which the user saves a file of a build, such as ``my-book-es-interior.pdf``.

    So the files of several books and editions can be saved in one folder.

    Args:
        folder: the folder of the built book.
        file: the name of the file in the folder of the book or edition.
        edition: the name of the edition; empty for the book itself.
    """
    return "-".join(filter(None, (folder.name, edition, file)))


def finished_html(
    view: BookView, end: Mapping[str, Any], name: str, *, has_browser: bool, is_changed: bool = False
) -> str:
    """Return HTML that shows a finished book: its cover, the files of all editions, and earnings.

    Buttons lead to other editions of the book, and to other media that can be made of it: a tablet edition,
    an e-book, or a web page to play on.

    Args:
        view: the book.
        end: the last report of the job that built the book.
        name: the path of the spec, relative to the studio's folder.
        has_browser: whether the studio can show the files in the file browser of the user's machine.
        is_changed: whether the spec has changed since the book was built.
    """
    built = Path(end["folder"])

    def address(kind: str, **query: Any) -> str:
        return escape(f"api/{kind}?{urlencode({'file': name, **query})}")

    def saved(file: str) -> str:
        """Return an HTML attribute for a link that saves a file.

        With this attribute, a click on the link also tells the studio that the user has saved the file.

        Args:
            file: the name of the file. For a file of an edition, it begins with the edition's name and a
                slash.
        """
        return f'data-do="{escape(json.dumps(["saved", file]))}"'

    def picture(file: str, **of: str) -> str:
        shown = {INTERIOR_FILE: "page", COVER_FILE: "front"}.get(file)
        source = address("tile", what=shown, number=1, **of, of=end["time"])
        return f'<img class="thumb" alt="" src="{source}">' if shown else ""

    def rows(files: Iterable[str], facts: Mapping[str, str], **of: str) -> str:
        listed = (
            f"<li>{picture(file, **of)}<strong>{_NAMES.get(file, escape(file))}</strong>"
            f"<span>{escape(', '.join(filter(None, (file, facts.get(file)))))}</span>"
            f'<a class="button" target="_blank" href="{address("file", name=file, **of)}">'
            f"{icon('eye')}Look</a>"
            f'<a class="button" download="{saved_name(built, file, **of)}" '
            f'href="{address("file", name=file, **of, keep=1)}" '
            f"{saved('/'.join((*of.values(), file)))}>{icon('save')}Save</a>"
            for file in files
        )
        return f'<ul class="files">{"".join(listed)}</ul>'

    pages, count, spec = end["pages"], end["proven"], view.spec
    size = "" if is_changed else f", {spec.page.trim.words}"
    facts = {INTERIOR_FILE: f"{pages} pages{size}", COVER_FILE: "back, spine and front"}
    language = name_of("choices", spec.wording().language)
    chief = [file for file in end["files"] if file in (INTERIOR_FILE, COVER_FILE)]
    others = [file for file in end["files"] if file not in chief and file.endswith(_SUFFIXES)]
    built_cover, cover = Path(end["folder"], COVER_FILE), ""
    if COVER_FILE in end["files"] and built_cover.is_file():
        cover = f'<img alt="" src="{address("thumbnail", large=1, made=built_cover.stat().st_mtime_ns)}">'
    if is_changed:
        head = tag("h2", say("states.changed")) + tag("p", button(say("buildAgain"), "build", kind="button"))
    else:
        state = "built, with problems in its files" if end["findings"] else "ready to print"
        head = tag("h2", f"Your book is {state}.", id="ready", tabindex=-1)
    more = (
        f"<details><summary>{len(others)} more files</summary>{rows(others, facts)}</details>"
        if others
        else ""
    )
    if has_browser:
        folder = button(say("showFolder"), "showFolder", kind="button.button", sign="folder")
    else:
        path = str(built.resolve())
        folder = button(say("copyFolder"), "copy", path, kind="button", title=path)
    editions = "".join(
        f"<h3>{escape(say('editionOnly', name=name_of('choices', each['name'])))}</h3>"
        + rows((file for file in each["files"] if file.endswith((".pdf", ".epub"))), {}, edition=each["name"])
        for each in end["editions"]
    )
    proof = say("proof", count=count)
    if checks := end.get("checks"):
        proof += " " + say("checksPassed", count=checks, printer=view.assets.profile.title.partition(",")[0])
    media = (
        button(words, "act", "set", [key], "yes", sign="plus")
        for key, words in _MEDIA.items()
        if not getattr(spec, key)
    )
    return f"""<figure><div class="copy">{cover}</div>
<figcaption>{pages} pages, {count} puzzles, {escape(language)}<br>
{button("Turn the pages", "view", "page")}</figcaption></figure>
<div>{head}
<p class="good">{icon("check")}{escape(proof)}</p>{rows(chief, facts)}
<p class="tools"><a class="button chief" download href="{address("zip")}" {saved("")}>{icon("save")}Save
everything as one ZIP</a>{folder}</p>
{more}{editions}{_earnings_html(view)}<h3>Make more of it</h3>
<p class="tools">{button("Another language …", "go", "editions")}{"".join(media)}</p></div>"""


def cost_html(view: BookView) -> str:
    """Return HTML that says what a copy of a book costs to print, on its own paper and on some other papers.

    The other papers are the printer's usual paper and its papers for printing in colour. Papers on which the
    book can't be printed are left out. The costs are those of the first shop in the printer's profile.
    """
    profile, pages, own, found = view.assets.profile, view.plan.page_count, _paper(view), _print_costs(view)
    if own not in found:
        return tag(
            "p.cost", say("costUnknown", pages=pages, printer=profile.title, paper=own.replace("-", " "))
        )
    here, place = _money(found[own]), _place(found[own].market)
    words = say("cost", pages=pages, paper=own.replace("-", " "), cost=tag("strong", here), place=place)
    others = (
        _cost_elsewhere(paper, found, own)
        for paper, each in found.items()
        if each.cost != found[own].cost and not theme_problems(view.assets.theme, profile, paper)
    )
    return tag("p.cost", " ".join((words, *others)), role="status")


def picture_html(view: BookView) -> str:
    """Return HTML that says whether the picture on a cover is sharp enough to print.

    If it has fewer pixels than the printer advises, buttons offer a design that shows it smaller, and a
    smaller page. The result is empty if the cover has no picture, or can't be drawn.
    """
    cover, profile = view.spec.cover, view.assets.profile
    picture = view.assets.cover_pictures.get(cover.picture_key) if cover else None
    boxes: list[Rect] = []
    with contextlib.suppress(LinkpressError):
        boxes = [item.box for item in view.cover.frame.items if isinstance(item, Photo)]
    if picture is None or not boxes:
        return ""
    box, advised, least = boxes[-1], profile.limits.image_dpi, profile.least_dpi(on_cover=True)
    name, dpi = tag("strong", escape(picture.name)), resolution_of(picture, box)
    size = " × ".join(f"{side:g}" for side in picture.whole)
    needed = " × ".join(str(math.ceil(side_pt / 72 * advised)) for side_pt in box[2:])
    if dpi >= advised - DPI_SLACK:
        return tag("p.cost", name, " ", say("pictureSharp", size=size, needed=needed))
    in_inches = view.spec.page.trim.words.endswith("in")
    sides = (side_pt * dpi / advised / (72 if in_inches else MM_PT) for side_pt in box[2:])
    sharp = " × ".join(f"{side:.{int(in_inches)}f}" for side in sides) + (" in" if in_inches else " mm")
    told = say("pictureSoft", size=size, dpi=int(dpi), advised=advised, needed=needed, sharp=sharp)
    end = say("pictureTaken") if dpi >= least - DPI_SLACK else say("pictureRefused", least=least)
    is_low = picture.whole[0] / picture.whole[1] > box[2] / box[3]
    ways = tag("div.tools", *_sharper_ways(view, dpi / advised, is_low=is_low))
    return tag("div.missing", name, tag("p", told), tag("p", end), ways)


def _sharper_ways(view: BookView, share: float, *, is_low: bool) -> Iterator[str]:
    """Yield buttons for changes that make the picture on a cover sharper in print.

    Args:
        view: the book.
        share: the resolution of the picture now, as a share of the resolution that the printer advises.
        is_low: whether the picture has too few pixels in height. If so, a design that prints the picture with
            less height is offered.
    """
    cover, page, sizes = view.spec.cover, view.spec.page, view.assets.profile.trims.sizes
    if cover and cover.image and cover.design != "window" and is_low:
        design = {
            "design": "window",
            **{key: None for key in ("palette", "initial", "puzzle") if getattr(cover, key)},
        }
        yield button(
            say("useDesign", design=name_of("designs", "window")),
            "act",
            "replace",
            ["cover"],
            design,
            kind="button",
        )
    fit = [
        each
        for each in sizes
        if all(one <= share * now for one, now in zip(each, page.trim.size, strict=True))
    ]
    if fit:
        size = max(fit, key=lambda each: each.width_pt * each.height_pt)
        yield button(
            say("smallerPage", size=size),
            "act",
            "set",
            ["page", "trim"],
            str(size).replace(" ", "").replace("×", "x"),
            kind="button",
        )
    yield button(say("showDesigns"), "view", "designs", kind="button")
    yield tag("label.button", say("otherPicture"), for_="key-cover-image-file")


def blank_html(width_pt: float, height_pt: float) -> str:
    """Return HTML of two empty pages, which are shown until the pages of a book are laid out."""
    page = tag("div.paper", data_box=f"--page-wide: {width_pt:g}; --page-high: {height_pt:g}")
    return tag("div.spread", page, page)


def _paper(view: BookView) -> str:
    return view.spec.page.paper or view.assets.profile.default_paper


def _print_costs(view: BookView) -> dict[str, Earnings]:
    """Return what a printed copy of the book costs, by the name of the paper on which it is printed.

    The costs are those of the first shop in the printer's profile. The papers are the paper of the book, the
    printer's default paper, and all papers for printing in colour. A paper whose costs are not known is left
    out.
    """
    profile, pages, trim = view.assets.profile, view.plan.page_count, view.spec.page.trim.size
    colour = (each.name for each in profile.papers if each.ink is PaperInk.COLOUR)
    found: dict[str, Earnings] = {}
    for paper in (_paper(view), profile.default_paper, *colour):
        known = profile.costs.earnings(trim, pages, paper, {}) if profile.costs else iter(())
        if first := next(iter(known), None):
            found[paper] = first
    return found


def _cost_elsewhere(paper: str, found: Mapping[str, Earnings], own: str) -> str:
    cost = tag("strong", _money(found[paper]))
    return say("costElsewhere", paper=paper.replace("-", " "), cost=cost, own=_money(found[own]))


def _shop_name(profile: PrinterProfile) -> str:
    return name_of("shops", profile.name, profile.title)


def _place(market: Market) -> str:
    return name_of("markets", market.name)


def _money(found: Earnings, amount: Fraction | None = None) -> str:
    """Return an amount with the sign of its currency, such as ``$2.30``.

    Args:
        found: the costs and earnings of a copy in a shop. They include the shop's currency.
        amount: the amount in the shop's currency; None to use the print cost of a copy.
    """
    figure, currency = found.market.money(found.cost if amount is None else amount).split()
    sign = name_of("currencies", currency, f"{currency} ")
    return f"−{sign}{figure[1:]}" if figure.startswith("-") else f"{sign}{figure}"


def _earnings_html(view: BookView) -> str:
    """Return an HTML table of what a copy costs and earns in each shop; empty if the costs are not known."""
    profile, spec = view.assets.profile, view.spec
    if profile.costs is None:
        return ""
    rows: list[str] = []
    advice, losses, paper = "", "", _paper(view)
    for each in profile.costs.earnings(spec.page.trim.size, view.plan.page_count, paper, spec.price or {}):
        market = each.market
        key, price = ["price", market.currency], (spec.price or {}).get(market.currency)
        share = "" if each.price is None else f"{float(100 * market.share(each.price)):g}%"
        left = "" if each.left is None else _money(each, each.left)
        place = escape(_place(market).removeprefix("the "))
        do = escape(json.dumps(["act", "set", key]))
        row = f"""<tr><th scope="row">{place}</th><td>{_money(each)}</td>
<td><input id="price-{escape(market.name)}" value="{"" if price is None else _money(each, price)}"
placeholder="{say("priceFrom", price=_money(each, each.least))}" inputmode="decimal"
aria-label="Your price, {place}" data-do="{do}"></td><td>{share}</td><td><strong>{left}</strong></td></tr>"""
        rows.append(row)
        if each.price is not None and each.left is None:
            lost, least = _money(each, each.price), _money(each, each.least)
            words = f"At {lost} you would lose money: printing leaves nothing below {least}."
            losses += tag("p.error", words)
        elif each.left == 0:
            losses += tag("p.error", f"At {_money(each, each.price)} you earn nothing.")
        if each.step is not None and each.left_at_step is not None and not advice:
            step, earned = _money(each, each.step), _money(each, each.left_at_step)
            words = f"At <strong>{step}</strong> you earn <strong>{earned}</strong> a copy: "
            words += f"from there on {escape(_shop_name(profile))} keeps less."
            take = button(f"Use {step}", "act", "set", key, market.money(each.step).split()[0], kind="button")
            advice = f'<div class="advice"><span>{words}</span>{take}</div>'
    if not rows:
        return ""
    heads = "".join(f'<th scope="col">{head}</th>' for head in _SALE)

    def table(rows: Sequence[str]) -> str:
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    shown, others = rows[:_SHOWN_MARKETS], rows[_SHOWN_MARKETS:]
    if others:
        advice += f"<details><summary>More countries ({len(others)})</summary>{table(others)}</details>"
    source = '<p class="meaning">Before tax.</p>'
    return f"<h3>What you earn on each copy</h3>{table(shown)}{losses}{advice}{source}"


def selling_html(
    view: BookView,
    end: Mapping[str, Any],
    saved: Mapping[str, str],
    texts: Mapping[str, str],
    missing: Sequence[Problem] = (),
) -> str:
    """Return HTML with the steps that put a book on sale, and the findings and notes of its build.

    Args:
        view: the book.
        end: the last report of the job that built the book.
        saved: maps the name of each file of this build that the user has saved to the time of saving. The ZIP
            of all files has an empty name.
        texts: the texts for the shop's form that the user can copy, by their names.
        missing: the missing and wrong answers to the shop's form.
    """
    times = [saved.get(file, saved.get("")) for file in end["files"] if file in (INTERIOR_FILE, COVER_FILE)]
    is_saved = bool(times) and all(times)
    save = f"Done at {max(filter(None, times))}" if is_saved else "One by one, or everything as one ZIP."
    profile, paper = view.assets.profile, _paper(view)
    lines = (line[15:] for line in end["shop"] if not line.startswith("cost"))
    sizes = "".join(tag("p.meaning", marked(_sentence(line))) for line in lines)
    if sizes:
        sizes = tag("details", tag("summary", "More"), sizes, id="cover-sizes")
    found = "".join(f"<li>{_finding_html(view, finding)}" for finding in end["findings"])
    problems = f'<h3>Problems in the files</h3><ul class="problems">{found}</ul>' if found else ""
    others = button(say("otherAnswers"), "dialog", say("otherAnswers"), "listing", kind="button")
    copies = tag("div.tools", *(_copy_button(name, text) for name, text in texts.items()), others)
    uploads = [use for file, use in _UPLOADS.items() if file in end["files"]]
    steps = (
        ("Save the PDF files", save, ""),
        ("Start a new book", f"{profile.title}, on {paper.replace('-', ' ')} paper.", ""),
        ("Copy each answer", "A click copies the text.", copies),
        ("Upload the files", " ".join(uploads), sizes),
        ("Set the prices", "Take those of the table." if view.spec.price else "Your table has none yet.", ""),
    )
    listed = "".join(
        tag(
            "li.done" if is_saved and number == 1 else "li",
            tag("span.ring", icon("check") if is_saved and number == 1 else str(number), aria_hidden="true"),
            tag("strong", name),
            tag("p.meaning", escape(told)) if told else "",
            more,
        )
        for number, (name, told, more) in enumerate(steps, 1)
    )
    return tag("ol.steps", listed) + _missing_html(view, missing) + problems + notes_html(end)


def selling_title(profile: PrinterProfile) -> str:
    """Return the heading of the steps that put a book on sale, such as "Put it on sale at Amazon KDP"."""
    shop = profile.title.partition(",")[0]
    return say("sell") if profile.name in _NO_SHOPS else say("sellAt", shop=shop)


def _copy_button(name: str, text: str) -> str:
    return button(name, "copy", text, kind="button.button", sign="copy")


def notes_html(end: Mapping[str, Any]) -> str:
    """Return HTML with the notes of a build; empty if the build had no notes.

    If a note has the path of the built book's folder, only the name of the folder is shown.
    """
    parent = str(Path(end["folder"]).parent / "_")[:-1]
    sentences = (_sentence(note.replace(parent, "")) for note in end["messages"])
    notes = "".join(tag("p.meaning", marked(note)) for note in sentences)
    return f"<section><h3>Notes of this build</h3>{notes}</section>" if notes else ""


def _finding_html(view: BookView, finding: Mapping[str, Any]) -> str:
    puzzle, page = finding["puzzle"], finding["page"]
    place = [finding["file"], page and f"page {page}", puzzle and f"puzzle {puzzle}"]
    where = ", ".join(filter(None, place))
    words = f"{where}: {'; '.join(filter(None, (finding['found'], finding['allowed'])))}"
    page = page or view.plan.index.get(puzzle_place(puzzle)) if puzzle else page
    return button(words, "page", page) if page else escape(words)


def answers_html(fields: Mapping[str, object], problems: Iterable[Problem]) -> str:
    """Return HTML with the answers for a shop's upload form, each as a button that copies the answer.

    Below them are the problems of the answers.
    """
    texts = ((name, text) for name, text in fields.items() if isinstance(text, str) and text.strip())
    buttons = "".join(_copy_button(name, text) for name, text in texts)
    return tag("div.tools", buttons) + "".join(tag("p", marked(_sentence(each.message))) for each in problems)


def _missing_html(view: BookView, problems: Sequence[Problem]) -> str:
    """Return HTML with the problems of a shop's answers; empty if there are none."""
    if not problems:
        return ""
    missing, values, count = "", view.spec.source.value, len(problems)
    for problem in problems:
        key, link = list(problem.key), ""
        if key:
            is_set = value_at(values, problem.key) is not None
            words = "Change it" if is_set else "Answer it" if key == ["listing", "ai"] else "Add it"
            link = button(words, "problem", {"key": key, "line": 0}, title=path_label(key))
        missing += tag("p", f"{marked(_sentence(problem.message))} {link}")
    number = _NUMBERS[count - 1].capitalize() if count <= len(_NUMBERS) else str(count)
    head = say("missingOne") if count == 1 else say("missingMany", count=number)
    return tag("div.missing", tag("h3", head), missing)


def _sentence(words: str) -> str:
    """Return words with a capital letter at the start and a full stop at the end."""
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}."
