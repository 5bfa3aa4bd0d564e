"""Make the page on which puzzles are played: one HTML file with puzzles, words, fonts, styles and scripts.

The page needs no server and no network. Its script is made of the JavaScript modules in the folder ``web``.
These modules are joined in an order in which each module imports only from earlier modules. The import and
export statements are left out.

The colours come from the theme of a book. A pale line that is visible on paper may be invisible on a screen.
So a colour with too little contrast to the background is darkened, or lightened on a dark page. The colours
of dots and of the lines between dots are not changed, because darker colours would be harder to tell apart.
Instead, dots and their lines are outlined in the colour of the text.

The hints are the steps that solve each puzzle, compressed. A step has a short caption, which is shown on the
page, and a longer sentence that names all squares, which is read aloud by screen readers. It also has the
edges (connections of two neighbouring squares) that it draws or rules out, and the earlier steps from which
it follows.

The captions and sentences of many steps differ only in the squares and numbers. So the page stores each
different caption and its sentence only once, as a template with gaps: ``{c}`` for a square and ``{n}`` for a
number. Each step then has the index of its template, its edges and the values for the gaps. Only the
templates are translated, so the rest of a step is the same in all languages.

Steps that a reader sees at a glance are combined into one.

If a step follows from a supposition, the page shows the consequences of the supposition on the board as
numbered arrows. So these consequences are stored as squares, not as words.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.inks import (
    PALETTES,
    Rgb,
    contrast,
    ink_of_hex,
    luminance,
    nearest_colour,
    picture_inks,
)
from linkpress.documents.models import SpecModel
from linkpress.engine.explain.clauses import ChainLink
from linkpress.engine.explain.phrase_tree import (
    Blank,
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseList,
    PhraseTree,
    Square,
)
from linkpress.engine.explain.steps import Step, combine_steps, explain_climb
from linkpress.engine.ladder import TOP_RUNG, climb_ladder, highest_rung, position_of
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.rulesets import ruleset_of
from linkpress.layout.boards import board_frame, shape_of, worked_example
from linkpress.layout.theme import SolidStyle, SolutionStyle, Theme
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle, Solution
from linkpress.render.fonts import FontMeasure
from linkpress.render.svg import draw_svg
from linkpress.resources import fill_template, resource, source_text
from linkpress.version import __version__
from linkpress.words import ENGLISH, Words, load_words

_WEB = Path(__file__).with_name("web")
# The JavaScript modules of the page, in an order in which each module imports only from earlier modules.
_PLAYER_MODULES = (
    "rules", "drawing", "phrases", "hints", "store", "board_view", "input", "list", "settings", "player",
    "start",
)  # fmt: skip
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_COMMENT = re.compile(r"^ *(//.*|/\*(?s:.*?)\*/)\n", re.MULTILINE)
_LINE_END_COMMENT = re.compile(r" +// [^\"'`\n]*$", re.MULTILINE)
_INDENT = re.compile(r"^ +", re.MULTILINE)
_NEEDLESS_CSS_SPACE = re.compile(r"(?<=[;:{,]) | (?=[{}])")
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_EMPTY_RUN = re.compile(r"(?:\.,)+")
_NEEDLESS_COMMA = re.compile(r"(?<!\d),|,(?!\d)")  # matches a comma unless it is between two digits
_MAX_EMPTY_RUN = 26
_CELL_PT = 18.0  # side of a board's square in pictures, in points
_PROGRESS_KEY_DIGITS = 10

PX_PER_PT = 4 / 3
# Minimum contrast of colours to the background. Criterion 1.4.11 of WCAG 2.2 requires 3 for everything that
# users must see.
LEAST_CONTRAST = 3.1
LIGHT_PAPER = (1.0, 1.0, 1.0)
_BLACK = (0.0, 0.0, 0.0)
DARK_PAPER = (0x17 / 255, 0x18 / 255, 0x1A / 255)
# The eight colours by Okabe and Ito, which colour-blind people can tell apart. The strongest come first.
_OKABE_ITO = tuple(PALETTES["okabe-ito"][place] for place in (0, 1, 3, 4, 6, 5, 7, 2))
_STRONG_CONTRAST = 5.5
# The colours of the palette Tableau 10 (2016), without grey and brown. In paler palettes, players could not
# tell the lines apart.
_SOFT = tuple(
    ink_of_hex(f"#{code}").rgb
    for code in ("4E79A7", "F28E2B", "E15759", "76B7B2", "59A14F", "EDC948", "B07AA1", "FF9DA7")
)
# Palettes that players may choose instead of the theme's colours. Each comes with a minimum contrast to the
# background: colours with less contrast are darkened or lightened.
_PALETTES: Mapping[str, tuple[Sequence[Rgb], float]] = {
    "strong": ([ink.rgb for ink in PALETTES["twelve"]], _STRONG_CONTRAST),
    "soft": (_SOFT, LEAST_CONTRAST),
}
# Palettes that players may choose for boards with dots. The palette "soft" is the palette "strong" mixed with
# a quarter of grey. Its colours are paler, but colour-blind players can still tell them apart: they differ by
# 11 or more (CIE 1976).
_DOT_PALETTES: Mapping[str, Sequence[Rgb]] = {
    "strong": _PALETTES["strong"][0],
    "soft": [(0.125 + 0.75 * r, 0.125 + 0.75 * g, 0.125 + 0.75 * b) for r, g, b in _PALETTES["strong"][0]],
}
_BLEND_STEP = 0.02


@dataclass(frozen=True, slots=True)
class PlayedPuzzle:
    """Puzzle on a play page.

    Args:
        number: the printed number. An address that ends in ``#17`` opens puzzle 17.
        record: the puzzle with its solution.
        section: the heading above the puzzle in the page's list of puzzles.
        with_answer: whether the page contains the answer.
        hints: the steps that solve the puzzle; None for no hints.
        difficulty: the difficulty as it is shown, such as ``●●●``; empty for none.
        name: the name of the puzzle; empty for none.
    """

    number: int
    record: PuzzleRecord
    section: str
    with_answer: bool = False
    hints: tuple[StepCode, ...] | None = None
    difficulty: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class PlayPage:
    """Content of a play page.

    Args:
        id: the key for the players' progress in the storage of the browser.
        title: the heading of the page.
        words: the phrases of the page's language.
        theme: the theme of the book.
        puzzles: the puzzles in their order.
        subtitle: the line under the title, or empty.
        credit: the last line of the page, or empty.
        archive: the address of the list of earlier days, or empty.
    """

    id: str
    title: str
    words: Words
    theme: Theme
    puzzles: Sequence[PlayedPuzzle]
    subtitle: str = ""
    credit: str = ""
    archive: str = ""


def page_html(page: PlayPage) -> str:
    """Return the HTML of a play page. The same content always gives the same text."""
    sheets = _sheets(page.words, page.theme, is_page=True)
    policy = f"default-src 'none'; {policy_of(*sheets.values())}"
    if page.archive:
        policy += "; img-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'"
    return whole_page(page.words, page.title, _fragment(page, sheets, is_page=True), policy_tag(policy))


def whole_page(words: Words, title: str, body: str, *head: str) -> str:
    """Return a whole HTML document.

    Args:
        words: the phrases of the document's language.
        title: the title of the document.
        body: the HTML of the body.
        head: more lines for the head of the document.
    """
    return filled(
        "page.html",
        language=words.language,
        title=escape(title),
        generator=f"linkpress {__version__}",
        head="".join(f"{line}\n" for line in head),
        body=body,
    )


def policy_tag(policy: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def is_page_of(content: bytes, page_id: str) -> bool:
    """Return whether a file is the play page of a book, made by any version of linkpress.

    Args:
        content: the bytes of the file.
        page_id: the id of the play page.
    """
    marks = '<meta name="generator" content="linkpress ', f'"id":{json_of(page_id)},'
    return all(mark.encode() in content for mark in marks)


def fragment_html(page: PlayPage) -> str:
    """Return the HTML of the player alone, for embedding in another page.

    The styles of the player and of the other page don't affect each other.
    """
    sheets = _sheets(page.words, page.theme, is_page=False)
    policy = policy_of(*sheets.values())
    return f"<!-- Content-Security-Policy: {policy} -->\n{_fragment(page, sheets, is_page=False)}"


def content_policy(words: Words, theme: Theme) -> str:
    return policy_of(*_sheets(words, theme, is_page=False).values())


def policy_of(script: str, *styles: str) -> str:
    """Return a Content-Security-Policy that allows a script, some styles, and the fonts inside the styles."""
    script_hash, *style_hashes = (
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
        for text in (script, *styles)
    )
    return f"script-src {script_hash}; style-src {' '.join(style_hashes)}; font-src data:"


def _sheets(words: Words, theme: Theme, *, is_page: bool) -> dict[str, str]:
    fonts = font_faces(words.is_thai)
    return {
        "script": script_of(*_PLAYER_MODULES),
        "outer": source_text(_WEB / "page.css") + fonts if is_page else fonts,
        "inner": f"{screen_style(theme).rules}\n{bare_source('player.css')}",
    }


def page_phrases(words: Words) -> dict[str, Any]:
    """Return the phrases that scripts and templates use. Untranslated phrases are in English."""
    english, translated = (
        language.player.model_dump(
            mode="json", exclude_none=True, exclude={"controls", "keys", "good_to_know"}
        )
        for language in (load_words(ENGLISH), words)
    )
    phrases = {**english, **translated}
    for key in ("puzzle", "size", "time", "how_to_play", "rules_intro"):
        value = getattr(words, key)
        phrases[key] = value.model_dump(mode="json") if isinstance(value, SpecModel) else value
    others = {"list_reasons": words.steps.list_reasons, "of_puzzle": words.names.of_puzzle}
    return {**phrases, **others, "locale": words.locale or words.language}


def filled(template: str, /, *tables: Mapping[str, str], **values: str) -> str:
    """Return a template of the folder ``web`` with each ``$name`` replaced by a value.

    Args:
        template: the file name of the template.
        tables: mappings from names to values.
        values: more values, by name.
    """
    return fill_template(_WEB / template, *tables, **values)


def _fragment(page: PlayPage, sheets: Mapping[str, str], *, is_page: bool) -> str:
    return filled(
        "fragment.html", sheets, is_page=str(is_page).lower(), player=_player(page, is_page=is_page)
    )


def _player(page: PlayPage, *, is_page: bool) -> str:
    words = page_phrases(page.words)
    style, first = screen_style(page.theme), page.puzzles[0]
    heading = page.words.title_of(first.number, first.name)
    example = worked_example(any(played.record.puzzle.grid.solids for played in page.puzzles))
    phrases = {key: escape(value) for key, value in words.items() if isinstance(value, str)}
    archive = f'<a href="{escape(page.archive)}">{phrases["archive"]}</a>' if page.archive else ""
    return filled(
        "player.html",
        phrases,
        language=page.words.language,
        numbers=style.numbers,
        dot_inks=str(style.dot_inks),
        solids=style.solids,
        title=escape(page.title),
        subtitle=escape(page.subtitle),
        archive=archive,
        index_hidden=" hidden" if len(page.puzzles) == 1 else "",
        print_hidden="" if is_page else " hidden",
        still=picture(page.theme, first.record.puzzle, title=heading),
        example=picture(page.theme, example.puzzle, example),
        rules=_rules(page),
        controls="".join(f"<li>{escape(line)}</li>" for line in page.words.player.controls),
        keys="".join(
            f"<dt>{escape(key.key)}</dt><dd>{escape(key.does)}</dd>"
            for _, key in page.words.player.keys
            if key
        ),
        credit=escape(page.credit) or phrases["made_with"],
        content=json_of(_content(page, words)),
    )


def picture(theme: Theme, puzzle: Puzzle, solution: Solution | None = None, title: str = "") -> str:
    return draw_svg(board_frame(puzzle, solution, _CELL_PT, theme, FontMeasure()), title)


def _rules(page: PlayPage) -> str:
    """Return the rules as two HTML lists, one for boards without solid squares and one for boards with them.

    The page's script shows the list that fits the board.

    A path runs beside itself if two of its squares are neighbours on the board but not on the path. No
    solution under the uniqueness rule ``strict`` has such a path. If all puzzles of the page have this rule,
    a sentence after the lists tells the player so, because the hints rely on it.
    """
    lists = {"rules-open": page.words.rules, "rules-solids": page.words.rules_solids}
    items = {part: "".join(f"<li>{escape(rule)}</li>" for rule in rules) for part, rules in lists.items()}
    html = "".join(f'<ul data-part="{part}">{text}</ul>' for part, text in items.items())
    is_strict = all(played.record.rule is Rule.STRICT for played in page.puzzles)
    return f"{html}<p>{escape(page.words.player.good_to_know)}</p>" if is_strict else html


def _content(page: PlayPage, words: Mapping[str, Any]) -> dict[str, Any]:
    runs = [[*run] for _, run in groupby(page.puzzles, key=lambda played: played.section)]
    content: dict[str, Any] = {
        "id": page.id,
        "title": page.title,
        "sections": [{"name": run[0].section, "first": run[0].number, "count": len(run)} for run in runs],
        "puzzles": [_puzzle(played) for played in page.puzzles],
        "words": words,
    }
    shapes: dict[Grid, int] = {}
    for row, played in zip(content["puzzles"], page.puzzles, strict=True):
        grid = played.record.puzzle.grid
        if grid.solids and page.theme.solid_style_of(grid) is SolidStyle.OUTLINE:
            row.append(shapes.setdefault(grid, len(shapes)))
    if shapes:
        content["shapes"] = [_shape(grid) for grid in shapes]
    pictures = {
        str(played.number): picture
        for played in page.puzzles
        if (picture := _picture_content(played.record.puzzle, page.words))
    }
    if pictures:
        content["pictures"] = pictures
    if page.archive:
        content["daily"] = True
    if colours := _colour_names(page.theme, page.words):
        content["colours"] = colours
    for ruleset in {ruleset_of(played.record.rule) for played in page.puzzles}:
        if ruleset.page_check and ruleset.phrase:
            check, mistake = ruleset.page_check
            content[check] = True
            breaches = {**content["words"]["breaches"], mistake: getattr(page.words, ruleset.phrase)}
            content["words"] = {**content["words"], "breaches": breaches}
    if any(played.name for played in page.puzzles):
        content["names"] = [played.name for played in page.puzzles]
    if any(played.with_answer for played in page.puzzles):
        content["answers"] = [_answer(played) if played.with_answer else None for played in page.puzzles]
    if any(played.hints is not None for played in page.puzzles):
        hints = ((played.record.puzzle.grid, played.hints or ()) for played in page.puzzles)
        content["hints"] = pack_hints(hints, page.words)
    return content


def _picture_content(puzzle: Puzzle, words: Words) -> dict[str, object]:
    """Return the page's additional data for a puzzle whose solution shows a picture; empty for other puzzles.

    ``key`` is the text that explains which numbers get which colour. ``inks`` has two colours for each pair
    of numbers: the ink of the pair's squares, and white or black, whichever is legible on this ink.
    """
    if not puzzle.colours:
        return {}
    inks = picture_inks(puzzle.colours)
    key = " · ".join(entry.replace(" ", "\u00a0") for entry in words.colour_key(puzzle).values())
    legible_on = {name: _css(LIGHT_PAPER if ink.is_dark else _BLACK) for name, ink in inks.items()}
    return {
        "key": f"{words.picture_rule}\n{key}",
        "inks": [[inks[colour].hex, legible_on[colour]] for colour in puzzle.colours],
    }


def _colour_names(theme: Theme, words: Words) -> dict[str, list[str]]:
    """Return the names of the dots' colours for each palette; empty if the dots show numbers.

    A palette in which two colours have the same name is left out.
    """
    count = screen_style(theme).dot_inks
    if words.colour_names is None or not count or theme.numbers.show_numbers:
        return {}
    palettes = {"theme": theme.numbers.palette, **dict.fromkeys(("strong", "soft"), PALETTES["twelve"])}
    names = {
        palette: [
            getattr(words.colour_names, nearest_colour(inks[place % len(inks)])) for place in range(count)
        ]
        for palette, inks in palettes.items()
    }
    return {palette: listed for palette, listed in names.items() if len(set(listed)) == count}


def _puzzle(played: PlayedPuzzle) -> list[object]:
    record, grid = played.record, played.record.puzzle.grid
    facts = progress_key(record.fingerprint), int(played.hints is not None), played.difficulty
    return [played.number, grid.cols, grid.rows, board_text(record.puzzle), *facts, record.difficulty]


def _shape(grid: Grid) -> dict[str, str]:
    """Return the drawing of a shape as SVG paths, in which the unit is the side of a square."""
    paths = {}
    for name, curves in shape_of(grid)._asdict().items():
        points = ("L".join(f"{x:g} {y:g}" for x, y in curve) for curve in curves)
        paths[name] = "".join(f"M{line}{'Z' * (name != 'sides')}" for line in points)
    return paths


def progress_key(fingerprint: str) -> str:
    return fingerprint.rpartition(":")[2][:_PROGRESS_KEY_DIGITS]


def board_text(puzzle: Puzzle) -> str:
    """Write the squares of a board as a short text, row by row.

    A letter from ``a`` to ``z`` stands for 1 to 26 empty squares, and ``#`` for a solid square. A number is
    written in digits. There is a comma between two numbers that follow one another.
    """
    grid, number_at = puzzle.grid, puzzle.number_at
    squares = (number_at.get(cell, "#" if cell in grid.solids else ".") for cell in range(grid.size))
    return _NEEDLESS_COMMA.sub("", _EMPTY_RUN.sub(_run_of_empty, "".join(f"{square}," for square in squares)))


def _run_of_empty(run: re.Match[str]) -> str:
    full, rest = divmod(len(run[0]) // 2, _MAX_EMPTY_RUN)
    return "z" * full + (chr(96 + rest) if rest else "")


def _answer(played: PlayedPuzzle) -> list[int]:
    """Encode each edge of a solution as a number. An edge joins two neighbouring cells of a path.

    The number is twice the index of the edge's upper or left cell, plus 1 if the edge is vertical.
    """
    cols = played.record.puzzle.grid.cols
    return sorted(2 * a + int(b - a == cols) for a, b in played.record.solution.edges)


def json_of(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@cache
def script_of(*modules: str) -> str:
    """Join JavaScript modules of the folder ``web`` into one script.

    Each module may import only from the modules before it.
    """
    bare = "".join(_EXPORT.sub("", _IMPORT.sub("", bare_source(f"{name}.mjs"))) for name in modules)
    return f'(() => {{\n"use strict";\n{bare}}})();'


@cache
def bare_source(name: str) -> str:
    """Read a script or style sheet of the folder ``web``, without its comments and needless spaces."""
    bare = _INDENT.sub("", _LINE_END_COMMENT.sub("", _COMMENT.sub("", source_text(_WEB / name))))
    return _NEEDLESS_CSS_SPACE.sub("", bare) if name.endswith(".css") else bare


@cache
def font_faces(thai: bool = False) -> str:
    """Return the CSS of the regular and semi-bold font for Latin-1 characters.

    If ``thai`` is set, add the CSS of the fonts for Thai characters.
    """
    faces = []
    scripts = [("ibm-plex-sans/IBMPlexSans", "Latin1", "")]
    scripts += [("ibm-plex-sans-thai/IBMPlexSansThai", "Thai", " unicode-range: U+0E00-0E7F;")] * thai
    for family, script, unicode_range in scripts:
        for name, weight in (("Regular", 400), ("SemiBold", 600)):
            file = resource("fonts", *f"{family}-{name}-{script}.woff2".split("/"))
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            faces.append(
                f'@font-face {{ font-family: "Linkpress Plex"; font-weight: {weight}; font-display: swap; '
                f"src: url(data:font/woff2;base64,{data}) format('woff2');{unicode_range} }}"
            )
    return "\n".join(faces)


# Style


@dataclass(frozen=True, slots=True)
class ScreenStyle:
    """Style of the play page, made from the theme of a book.

    Args:
        rules: CSS rules that set widths, sizes and colours as custom properties.
        numbers: the name of the style of numbers.
        solids: the name of the style of solid squares.
        dot_inks: the number of colours of dots; 0 if pairs have numbers only.
    """

    rules: str
    numbers: str
    solids: str
    dot_inks: int


@cache
def screen_style(theme: Theme) -> ScreenStyle:
    """Return the style of the play page for a theme, in light and in dark colours."""
    answers, dots = theme.solutions, theme.numbers.is_dots
    coloured = dots or answers.style is SolutionStyle.COLOURED
    theme_inks = theme.numbers.palette if dots else answers.path_inks
    inks = [ink.rgb for ink in (theme_inks if coloured else _OKABE_ITO)]
    visible = [ink.rgb for ink in answers.path_inks if any(ink.shares)]
    line = (0.6, 0.6, 0.6) if coloured or not visible else visible[-1]
    measures = {
        "inner": f"{max(1.0, theme.grid.inner_pt):.3g}px",
        "outer": f"{max(1.0, round(theme.grid.outer_pt * PX_PER_PT)):.3g}px",
        "figure": f"{theme.numbers.height:.3g}",
        "usual": f"{max(0.1, answers.width):.3g}",
        "inset": f"{theme.solids.inset_pt * PX_PER_PT:.3g}px",
    }
    count = min(12, len(inks)) if dots else 8
    rules = [_rule("", measures)]
    ink_rule = ':is(.ink-{0}, [data-dot="{0}"]) {{ --own: var(--ink-{0}); --on-own: var(--on-ink-{0}) }}'
    rules += map(ink_rule.format, range(count))
    palettes: dict[str, tuple[Sequence[Rgb], float]] = {"": (inks, LEAST_CONTRAST), **_PALETTES}
    if dots:
        palettes = {name: (palette, 1.0) for name, palette in {"": inks, **_DOT_PALETTES}.items()}
    for name, (palette, least) in palettes.items():
        chosen = f'[data-palette="{name}"]' if name else ""
        for is_dark, paper in ((False, LIGHT_PAPER), (True, DARK_PAPER)):
            values = {}
            for number in range(count):
                ink = legible(palette[number % len(palette)], paper, least)
                values[f"ink-{number}"] = _css(ink)
                if dots:
                    values[f"on-ink-{number}"] = _css(max(LIGHT_PAPER, _BLACK, key=partial(contrast, ink)))
            if not chosen:
                values["line-ink"] = _css(legible(line, paper))
                values["solid-ink"] = _css(legible(_inverted_grey(theme.solids.ink.rgb, is_dark), paper))
                values["accent"] = _css(legible(_inverted_grey(theme.accent.rgb, is_dark), paper))
            rule = _rule(chosen + '[data-dark="true"]' * is_dark, values)
            rules.append(f"@media screen {{ {rule} }}" if is_dark else rule)
    numbers = "dots" if dots else theme.numbers.style.value
    if dots and not theme.numbers.show_numbers:
        # The dots have no numbers in them, unless the player switches the colours off.
        numbers = "dots-alone"
    return ScreenStyle("\n".join(rules), numbers, theme.solids.style.value, count if dots else 0)


def _rule(chosen: str, values: Mapping[str, str]) -> str:
    properties = "; ".join(f"--{name}: {value}" for name, value in values.items())
    return f".player{chosen} {{ {properties} }}"


def _inverted_grey(ink: Rgb, is_dark: bool) -> Rgb:
    return (1 - ink[0], 1 - ink[1], 1 - ink[2]) if is_dark and len(set(ink)) == 1 else ink


def legible(ink: Rgb, paper: Rgb, least: float = LEAST_CONTRAST) -> Rgb:
    """Darken or lighten a colour until it has enough contrast.

    Args:
        ink: the colour.
        paper: the colour of the background.
        least: the minimum contrast ratio to the background.
    """
    target = 0.0 if luminance(paper) > 0.5 else 1.0
    share = 0.0
    changed = ink
    while contrast(changed, paper) < least:
        share += _BLEND_STEP
        red, green, blue = (part + (target - part) * share for part in ink)
        changed = red, green, blue
    return changed


def _css(colour: Rgb) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


# The hardest technique to use for hints on a board that no technique can finish. The hints of a board of
# 50 × 50 squares took 70 s with all techniques, and 0.2 s with the techniques up to this one.
UNGRADED_RUNG = highest_rung(Grade.MEDIUM)
# A player who asks for a hint first sees a phrase that says where to look and what to look for. The key of
# the phrase is usually the name of the technique by which the next step is found. This table lists the
# exceptions. It maps a technique, or the key of the caption that the hint shows later, to the key of the
# phrase. A caption is listed if it belongs to steps of several techniques.
_NUDGES = {
    "diagonal": "corner",
    "narrows": "gap",
    **dict.fromkeys(("captions.number_goes_on", "captions.line_goes_on"), "exits"),
    **dict.fromkeys(("captions.takes_both", "captions.empty_corner", "captions.joined"), "exits"),
    **dict.fromkeys(("captions.ways_out", "captions.inside_turn", "captions.turn_inside"), "exits"),
    **dict.fromkeys(("captions.ways_turn", "captions.ways_meet", "captions.ways_touch"), "exits"),
    "captions.two_ways_closed": "exits",
    "captions.side_by_side": "join",
    "captions.both_beside": "touch_both",
    "captions.fork": "fork",
    **dict.fromkeys(("captions.not_meet", "captions.since_meet"), "clash"),
    **dict.fromkeys(("captions.not_line_beside", "captions.since_line_beside"), "touch"),
    "captions.one_not_line_beside": "touch",
    **dict.fromkeys(("captions.only_between", "captions.only_reaches", "captions.ends_reach"), "fits_one"),
    **dict.fromkeys(("captions.two_ways_reach", "captions.joined_by_reach"), "reach"),
    **dict.fromkeys(("captions.every_path", "captions.cut_off"), "area"),
    "captions.gap_needed": "area",
    **dict.fromkeys(("captions.gap_odd", "captions.gap_end"), "loose_ends"),
}
# Maximum number of crosses in the picture of a step. A cross marks an edge that the step rules out. Readers
# would not look at more crosses at once.
_MOST_CROSSES = 12

# A step toward the solution of a puzzle may suppose that a line runs in a certain direction, and draw
# conclusions from that. On the board, numbered arrows and crosses show the conclusions. If a player asks for
# a hint about such a step, a phrase says how far to think ahead, such as "several moves ahead". This table
# maps the key of each phrase to the smallest number of conclusions for which the phrase is used. Only
# conclusions that have a number count.
_NUDGES_BY_MOVES = {"long_chain": 8, "chain": 3, "what_if": 1, "look_ahead": 0}


class StepCode(NamedTuple):
    """One step of solving a puzzle, encoded for the page.

    Args:
        nudge: the key of the phrase that a hint about this step shows first. The phrase says where to look.
        sentence: the sentence that explains the step, as JSON text with blanks in place of its squares and
            numbers (``BlankedText``). Sending this text to another process is ten times faster than sending
            the sentence itself.
        caption: the short caption of the step, as the same kind of text.
        values: the squares and numbers that fill the blanks of the sentence, then of the caption.
        drawn: True if the step draws lines; False if it shows where no line can run, or which number a square
            must get.
        runs: where the step draws lines or rules them out. Each run is a sequence of squares, each next to
            the previous one. A step that gives a number to a square has no runs.
        rests: the squares that a player must look at to find the step. The step follows from the numbers and
            lines in these squares.
        reasons: the earlier steps that this one needs, each as the number of steps to go back.
        chain: arrows and crosses that explain the step on the board, encoded by ``_chain``. Examples are the
            consequences of a supposition that leads to a contradiction, and crosses where the step rules out
            lines before it draws one.
    """

    nudge: str
    sentence: str
    caption: str
    values: tuple[int, ...]
    drawn: bool
    runs: tuple[tuple[Cell, ...], ...]
    rests: tuple[Cell, ...]
    reasons: tuple[int, ...]
    chain: tuple[int, ...]


def hint_steps(puzzle: Puzzle, rule: Rule, technique: Grade | None) -> tuple[StepCode, ...]:
    """Return the steps that solve a puzzle, for the hints of the page. A board of 10 × 10 takes about 0.01 s.

    Args:
        puzzle: the puzzle.
        rule: the rule under which the puzzle has exactly one solution. The steps may rely on this.
        technique: the grade of the hardest technique that the puzzle needs; None if the techniques can't
            finish it.
    """
    highest = UNGRADED_RUNG if technique is None else TOP_RUNG
    # Equal sentences share one string, so that less data is sent to another process.
    sentences: dict[str, str] = {}
    codes: list[StepCode] = []
    for step, reasons in kept_steps(puzzle, rule, highest):
        captioned = step.caption(puzzle.grid)
        sentence, caption = (BlankedText(text, puzzle.grid.cols) for text in (step.sentence, captioned))
        codes.append(
            StepCode(
                nudge_of(step, captioned),
                sentences.setdefault(sentence.text, sentence.text),
                sentences.setdefault(caption.text, caption.text),
                (*sentence.values, *caption.values),
                bool(step.drawn),
                _runs(step.drawn or step.ruled_out, sentence.blank_of),
                step.cells,
                tuple(len(codes) - place for place in reasons),
                _chain(puzzle.grid, step.chain or _closed_ways(step)),
            )
        )
    return tuple(codes)


def nudge_of(step: Step, caption: FilledPhrase) -> str:
    """Return the key of the phrase that a hint about a step shows first.

    The phrase says where on the board to look, and what to look for.
    """
    key = step.technique.replace("-", "_")
    # Steps of these techniques may have a ``chain`` of consequences. If a step has one, the phrase to return
    # says how many moves to think ahead. Steps with one of the two captions below are exceptions: their
    # phrase doesn't depend on the chain.
    chained = (*_NUDGES_BY_MOVES, "gap", "narrows", "order", "corner", "diagonal")
    if step.chain and key in chained and caption.key not in ("captions.gap_needed", "captions.order"):
        moves = sum(bool(link.mark) and link.number >= 0 for link in step.chain[1:])
        return next(nudge for nudge, least in _NUDGES_BY_MOVES.items() if moves >= least)
    return _NUDGES.get(caption.key) or _NUDGES.get(key, key)


def pack_hints(hints: Iterable[tuple[Grid, Sequence[StepCode]]], words: Words) -> dict[str, str]:
    """Compress the steps of all puzzles of a page.

    Args:
        hints: the grid and the steps of each puzzle.
        words: the phrases of the page's language.
    Returns:
        The key ``templates`` has the sentences and captions, with gaps for squares and numbers. The other
        keys ``kinds``, ``places``, ``cells`` and ``ways`` have the numbers that encode the steps; see
        ``_Packer``. Each value is compressed by deflate and written in base64.
    """
    packer = _Packer(words)
    for grid, steps in hints:
        packer.put("kinds", len(steps))
        for step in steps:
            packer.put_step(grid, step)
    templates = json.dumps(list(packer.templates), ensure_ascii=False, separators=(",", ":"))
    return {
        "templates": _deflated(templates.encode()),
        **{name: _deflated(bytes(stream)) for name, stream in packer.streams.items()},
    }


class _Packer:
    """Encoder that writes the steps of hints to four streams of numbers, which are compressed separately.

    - ``kinds``: for each step, the index of its template (sentence and caption), the number and the lengths
      of its ``runs``, the number of its ``rests``, its ``reasons`` and its ``chain``. ``StepCode`` explains
      these terms.
    - ``places``: printed numbers, and squares that the step has already mentioned. Such a square is written
      as its index among the mentioned squares.
    - ``cells``: all other squares, each as its distance from the previous square
    - ``ways``: the directions from square to square along the lines that a step draws or rules out

    The steps of 200 puzzles take 65 kB in four streams, and would take 81 kB in one.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.templates: dict[tuple[str, str, int], int] = {}
        self.streams = {name: bytearray() for name in ("kinds", "places", "cells", "ways")}
        self.blanked: dict[tuple[str, str], tuple[str, list[Blank]]] = {}
        self.cell = 0

    def put(self, stream: str, *values: int) -> None:
        for value in values:
            self.streams[stream] += _varint(value)

    def put_step(self, grid: Grid, step: StepCode) -> None:
        both = step.sentence, step.caption
        if both not in self.blanked:
            (sentence, blanks), (caption, more) = (_gapped(text, self.words) for text in both)
            blanks += [blank._replace(place=blank.place + len(blanks)) for blank in more]
            self.blanked[both] = f"{sentence}\n{caption}", blanks
        text, blanks = self.blanked[both]
        template = text, step.nudge, int(step.drawn)
        self.put("kinds", self.templates.setdefault(template, len(self.templates)))
        self.put("kinds", len(step.runs))
        for run in step.runs:
            self.put("kinds", len(run) - 1)
            self.put_cell(run[0])
            self.put("ways", *(_direction(grid, cell, to) for cell, to in pairwise(run)))
            self.cell = run[-1]
        drawn = [cell for run in step.runs for cell in run]
        named = [step.values[blank.place] for blank in blanks if blank.is_square]
        self.put_among(drawn, named)
        self.put("places", *(step.values[blank.place] for blank in blanks if not blank.is_square))
        if set(step.rests) == set(named):
            self.put("kinds", 0)
        else:
            self.put("kinds", 1 + len(step.rests))
            self.put_among(named + drawn, step.rests)
        self.put("kinds", len(step.reasons), *step.reasons, *step.chain)

    def put_among(self, known: Sequence[Cell], cells: Iterable[Cell]) -> None:
        """Encode a list of squares as numbers, and append these to the streams ``places`` and ``cells``.

        If a square is in the list ``known``, a number is added to ``places``. It encodes the index of the
        square in ``known``. The squares often have the same order as in ``known``, so the index is counted
        from the entry after the square that was found there last.

        If a square is not in ``known``, 0 is added to ``places``, and a number is added to ``cells``. This
        number encodes the distance from a previous square, where the squares of the board are counted row by
        row. The previous square is the last one that was written to ``cells``, or the last square of a run if
        ``put_step`` has written a run since.
        """
        after = 0
        for cell in cells:
            if cell in known:
                self.put("places", 1 + _unsigned(known.index(cell) - after))
                after = known.index(cell) + 1
            else:
                self.put("places", 0)
                self.put_cell(cell)

    def put_cell(self, cell: Cell) -> None:
        self.put("cells", _unsigned(cell - self.cell))
        self.cell = cell


def kept_steps(puzzle: Puzzle, rule: Rule, highest: int = TOP_RUNG) -> list[tuple[Step, tuple[int, ...]]]:
    """Return the steps that solve a puzzle, each with the indexes of the earlier steps that it needs.

    Args:
        puzzle: the puzzle.
        rule: the rule under which the puzzle has exactly one solution.
        highest: the hardest technique to use.
    """
    climb = climb_ladder(position_of(puzzle, rule), highest)
    steps = list(combine_steps(puzzle, explain_climb(puzzle, climb)))
    index_of = {place: index for index, step in enumerate(steps) for place in step.places}
    return [(step, tuple(sorted({index_of[place] for place in step.needs}))) for step in steps]


def _runs(edges: Iterable[Edge], blank_of: Mapping[Cell, int]) -> tuple[tuple[Cell, ...], ...]:
    """Join the edges of a step where they meet, into lines of neighbouring squares called runs.

    Runs are sorted by their first square, in the order in which the sentence of the step mentions the
    squares. Runs whose first square isn't mentioned come last. Of the two ends of a run, the one that is
    mentioned earlier comes first.

    Args:
        edges: the edges of a step. Each edge joins two neighbouring squares.
        blank_of: maps each square that the sentence mentions to the index of its first blank. A blank is the
            place of a square or a number in the sentence.
    """
    neighbours: dict[Cell, list[Cell]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    runs: list[list[Cell]] = []
    for start in sorted(neighbours, key=lambda cell: len(neighbours[cell]) > 1):
        while neighbours[start]:
            run = [start]
            while neighbours[run[-1]]:
                to = neighbours[run[-1]].pop()
                neighbours[to].remove(run[-1])
                run.append(to)
            runs.append(min(run, run[::-1], key=lambda run: blank_of.get(run[0], len(blank_of))))
    return tuple(sorted(map(tuple, runs), key=lambda run: blank_of.get(run[0], len(blank_of))))


def _direction(grid: Grid, cell: Cell, to: Cell) -> int:
    return {-1: 1, 1: 2, -grid.cols: 0, grid.cols: 3}[to - cell]


def _closed_ways(step: Step) -> list[ChainLink]:
    """Return the edges that a step rules out before it draws a line.

    An edge joins two neighbouring squares. The picture of the step shows a cross on each of these edges. The
    list is empty if the step draws nothing. It has at most ``_MOST_CROSSES`` edges.
    """
    return [ChainLink("", edge, -1) for edge in step.ruled_out[:_MOST_CROSSES] if step.drawn]


def _chain(grid: Grid, chain: Sequence[ChainLink]) -> tuple[int, ...]:
    """Encode the arrows and crosses that explain a step on the board. They are called links.

    The links are, for example, the consequences of a supposition.

    The result has the number of links, then the kind and the square of each link. The kinds are:

    - 0 to 3: an arrow from the square to its neighbour. The directions are up, left, right and down.
    - 4 to 7: a cross on one side of the square. The sides are in the same order.
    - 8: the square gets a number. The number comes after the square.

    If the link belongs to a second supposition inside the first, 16 is added to its kind. If the link
    continues the line of the link before it, 32 is added. The page doesn't number such a link on the board.
    """
    encoded = [len(chain)]
    for link in chain:
        first, last = link.cells[0], link.cells[-1]
        nested = 0 if link.mark.isdigit() else 16 if link.mark else 32
        if link.number > 0:
            encoded += (8 + nested, first, link.number)
        else:
            encoded += (_direction(grid, first, last) + (4 if link.number else 0) + nested, first)
    return tuple(encoded)


def _gapped(sentence: str, words: Words) -> tuple[str, list[Blank]]:
    """Translate a sentence, and write ``{c}`` in place of each square and ``{n}`` in place of each number.

    Args:
        sentence: the sentence as the JSON text of a ``BlankedText``, with a ``Blank`` for each square and
            each number.
        words: the phrases of the language into which the sentence is translated.
    Returns:
        The translated text, and its blanks in the order of this text.
    """
    pieces = list(words.steps.pieces(read_blanked(sentence)))
    text = "".join(
        ("{c}" if piece.is_square else "{n}") if isinstance(piece, Blank) else str(piece) for piece in pieces
    )
    return text, [piece for piece in pieces if isinstance(piece, Blank)]


class BlankedText:
    """Sentence as JSON text with a blank in place of each square and each number.

    Sentences that differ only in their squares and numbers have the same text, so the text is stored only
    once. ``read_blanked`` reads it.

    Attributes:
        text: the JSON text.
        values: the values of the blanks in order. A square is given as the index of its cell.
        blank_of: maps each cell to the index of its first blank.
    """

    def __init__(self, sentence: PhraseTree, cols: int) -> None:
        self.cols = cols
        self.values: list[int] = []
        self.blank_of: dict[Cell, int] = {}
        self.text = self._spell(sentence)

    def _spell(self, part: PhraseTree) -> str:
        if isinstance(part, FilledPhrase):
            filled = ",".join([f'"{name}":{self._spell(value)}' for name, value in part[1]])
            return f'["{part[0]}",{{{filled}}}]'
        if isinstance(part, Square):
            cell = (part[0] - 1) * self.cols + part[1] - 1
            self.values.append(cell)
            self.blank_of.setdefault(cell, len(self.values) - 1)
            return str(len(self.values) - 1)
        if isinstance(part, PhraseList):
            return f'["{part[0]}",[{",".join([self._spell(member) for member in part[1]])}]]'
        if isinstance(part, str):
            return f'"{part}"'
        # All other types are handled above, so the part is a printed number.
        assert isinstance(part, int)
        self.values.append(part)
        return str(-len(self.values))


def read_blanked(text: str) -> PhraseTree:
    """Convert the ``text`` of a ``BlankedText`` back to a sentence.

    The sentence has a ``Blank`` in place of each square and each number.
    """
    return _read(json.loads(text))


_WAYS = {*DirectionWord}


def _read(spelled: Any) -> PhraseTree:
    match spelled:
        case [key, dict(parts)]:
            return FilledPhrase(key, tuple((name, _read(value)) for name, value in parts.items()))
        case [kind, members]:
            return PhraseList(ListKind(kind), tuple(_read(member) for member in members))
        case str():
            return DirectionWord(spelled) if spelled in _WAYS else spelled
    return Blank(spelled, True) if spelled >= 0 else Blank(-1 - spelled, False)


def _unsigned(value: int) -> int:
    """Map the integers 0, -1, 1, -2, 2 to 0, 1, 2, 3, 4, and so on."""
    return 2 * value if value >= 0 else -2 * value - 1


def _varint(value: int) -> bytes:
    """Encode a number with seven bits in each byte, lowest bits first.

    The top bit of a byte is set if more bytes follow.
    """
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")
