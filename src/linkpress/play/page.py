"""The player's page is a template filled with puzzles, words and looks.

Everything is in the one file that comes out: fonts, styles, scripts, puzzles. It asks nothing of a
server or a network. The scripts are the modules of ``web`` put one behind the other, as each names
the ones before it alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.models import SpecModel
from linkpress.engine.rulesets import ruleset_of
from linkpress.layout.boards import board_frame, worked_example
from linkpress.layout.theme import Theme
from linkpress.play.hint_data import StepCode, pack_hints
from linkpress.play.look import look_of
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.fonts import FontMeasure
from linkpress.render.svg import draw_svg
from linkpress.resources import resource
from linkpress.version import __version__
from linkpress.words.language import ENGLISH, Words, load_words

_WEB = Path(__file__).with_name("web")
_PLAYER = (
    "rules", "drawing", "telling", "hints", "store", "board_view", "input", "list", "settings", "player",
    "start",
)  # fmt: skip
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_COMMENT = re.compile(r"^ *(//.*|/\*(?s:.*?)\*/)\n", re.MULTILINE)
_REMARK = re.compile(r" +// [^\"'`\n]*$", re.MULTILINE)
_INDENT = re.compile(r"^ +", re.MULTILINE)
_CSS_BLANKS = re.compile(r"(?<=[;:{,]) | (?=[{}])")
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_EMPTY = re.compile(r"(?:\.,)+")
_COMMA = re.compile(r"(?<!\d),|,(?!\d)")  # that parts no two numbers
_MOST_EMPTY = 26
_CELL_PT = 18.0  # of the pictures
_PROGRESS_KEY_DIGITS = 10  # of a fingerprint, under which a browser keeps a puzzle's progress


@dataclass(frozen=True, slots=True)
class PlayedPuzzle:
    """A puzzle stands on the page with the number that opens it, as ``#17``, and perhaps with hints."""

    number: int
    record: PuzzleRecord
    section: str
    with_answer: bool = False
    hints: tuple[StepCode, ...] | None = None


@dataclass(frozen=True, slots=True)
class PlayPage:
    """A page to play on has puzzles, words and a theme.

    Args:
        id: the key under which a browser keeps progress and settings.
        puzzles: puzzles in the order in which one leads to the next.
        subtitle: the line under the title, or empty.
        credit: the last line of the page, or empty.
        archive: where the list of earlier days lies, or empty.
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
    """Write the whole page; the same content gives the same text."""
    sheets = _sheets(page.words, page.theme, is_page=True)
    policy = f"default-src 'none'; {policy_of(*sheets.values())}"
    if page.archive:
        policy += "; img-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self'"
    return whole_page(page.words, page.title, _fragment(page, sheets, is_page=True), policy_tag(policy))


def whole_page(words: Words, title: str, body: str, *head: str) -> str:
    """Write a page around its body."""
    return filled(
        "page.html",
        language=words.language,
        title=escape(title),
        generator=f"linkpress {__version__}",
        head="".join(f"{line}\n" for line in head),
        body=body,
    )


def policy_tag(policy: str) -> str:
    """Return the line of a page's head that gives its Content-Security-Policy."""
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def is_page_of(content: bytes, page_id: str) -> bool:
    """Tell whether a file is linkpress's page of this book, whatever its puzzles and version."""
    signs = '<meta name="generator" content="linkpress ', f'"id":{json_of(page_id)},'
    return all(sign.encode() in content for sign in signs)


def fragment_html(page: PlayPage) -> str:
    """Write the player alone, for somebody else's page: its styles and ids don't meet that page's."""
    sheets = _sheets(page.words, page.theme, is_page=False)
    policy = policy_of(*sheets.values())
    return f"<!-- Content-Security-Policy: {policy} -->\n{_fragment(page, sheets, is_page=False)}"


def content_policy(words: Words, theme: Theme) -> str:
    """Return the directives of a Content-Security-Policy under which ``fragment_html`` runs."""
    return policy_of(*_sheets(words, theme, is_page=False).values())


def policy_of(script: str, *styles: str) -> str:
    """Return the directives that allow this script and these styles, and fonts within them."""
    script_hash, *style_hashes = (
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
        for text in (script, *styles)
    )
    return f"script-src {script_hash}; style-src {' '.join(style_hashes)}; font-src data:"


def _sheets(words: Words, theme: Theme, *, is_page: bool) -> dict[str, str]:
    fonts = font_faces(words.is_thai)
    return {
        "script": script_of(*_PLAYER),
        "outer": _source("page.css") + fonts if is_page else fonts,
        "inner": f"{look_of(theme).rules}\n{bare_source('player.css')}",
    }


def spoken_words(words: Words) -> dict[str, Any]:
    """Return the phrases of scripts and templates: the page's own, and those that it shares with books.

    What a words file of an earlier release lacks is said in English.
    """
    english, translated = (
        language.player.model_dump(mode="json", exclude_none=True, exclude={"controls", "keys"})
        for language in (load_words(ENGLISH), words)
    )
    spoken = {**english, **translated}
    for key in ("puzzle", "size", "grades", "time", "how_to_play", "rules_intro"):
        value = getattr(words, key)
        spoken[key] = value.model_dump(mode="json") if isinstance(value, SpecModel) else value
    return {**spoken, "list_reasons": words.steps.list_reasons, "locale": words.locale or words.language}


def filled(template: str, /, *tables: Mapping[str, str], **values: str) -> str:
    """Fill in the names of a template of the folder ``web``."""
    return Template(_source(template)).substitute(*tables, **values)


def _fragment(page: PlayPage, sheets: Mapping[str, str], *, is_page: bool) -> str:
    return filled(
        "fragment.html", sheets, is_page=str(is_page).lower(), player=_player(page, is_page=is_page)
    )


def _player(page: PlayPage, *, is_page: bool) -> str:
    words = spoken_words(page.words)
    look, first = look_of(page.theme), page.puzzles[0]
    heading = page.words.say(page.words.puzzle, number=first.number)
    example = worked_example(any(played.record.puzzle.grid.solids for played in page.puzzles))
    phrases = {key: escape(value) for key, value in words.items() if isinstance(value, str)}
    archive = f'<a href="{escape(page.archive)}">{phrases["archive"]}</a>' if page.archive else ""
    return filled(
        "player.html",
        phrases,
        language=page.words.language,
        numbers=look.numbers,
        solids=look.solids,
        title=escape(page.title),
        subtitle=escape(page.subtitle),
        archive=archive,
        index_hidden=" hidden" if len(page.puzzles) == 1 else "",
        print_hidden="" if is_page else " hidden",
        still=picture(page.theme, first.record.puzzle, title=heading),
        example=picture(page.theme, example.puzzle, example),
        rules=_rules(page.words),
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
    """Draw a board, with its answer if one is given."""
    return draw_svg(board_frame(puzzle, solution, _CELL_PT, theme, FontMeasure()), title)


def _rules(words: Words) -> str:
    """Write the rules, that of solids included, which the script hides where there are none."""
    of_solids = next((rule for rule in words.rules_solids if rule not in words.rules), "")
    parts = {of_solids: ' data-part="rule-solids"'}
    return "".join(f"<li{parts.get(rule, '')}>{escape(rule)}</li>" for rule in words.rules_solids)


def _content(page: PlayPage, words: Mapping[str, Any]) -> dict[str, Any]:
    runs = [[*run] for _, run in groupby(page.puzzles, key=lambda played: played.section)]
    content: dict[str, Any] = {
        "id": page.id,
        "title": page.title,
        "sections": [{"name": run[0].section, "first": run[0].number, "count": len(run)} for run in runs],
        "puzzles": [_puzzle(played) for played in page.puzzles],
        "words": words,
    }
    if page.archive:
        content["daily"] = True
    for ruleset in {ruleset_of(played.record.rule) for played in page.puzzles}:
        if ruleset.page_check and ruleset.phrase:
            check, mistake = ruleset.page_check
            content[check] = True
            breaches = {**content["words"]["breaches"], mistake: getattr(page.words, ruleset.phrase)}
            content["words"] = {**content["words"], "breaches": breaches}
    if any(played.with_answer for played in page.puzzles):
        content["answers"] = [_answer(played) if played.with_answer else None for played in page.puzzles]
    if any(played.hints is not None for played in page.puzzles):
        hints = ((played.record.puzzle.grid, played.hints or ()) for played in page.puzzles)
        content["hints"] = pack_hints(hints, page.words)
    return content


def _puzzle(played: PlayedPuzzle) -> list[object]:
    record, grid = played.record, played.record.puzzle.grid
    grade = record.grade.label if record.grade else None
    facts = progress_key(record.fingerprint), int(played.hints is not None), record.stars
    return [played.number, grid.cols, grid.rows, board_text(record.puzzle), grade, *facts]


def progress_key(fingerprint: str) -> str:
    """Return the key under which a browser keeps the progress of a puzzle."""
    return fingerprint.rpartition(":")[2][:_PROGRESS_KEY_DIGITS]


def board_text(puzzle: Puzzle) -> str:
    """Write a board as the page holds it, in reading order.

    A letter ``a`` to ``z`` is a run of 1 to 26 empty squares, ``#`` a solid one, digits a number;
    a comma stands between two numbers.
    """
    grid, number_at = puzzle.grid, puzzle.number_at
    squares = (number_at.get(cell, "#" if cell in grid.solids else ".") for cell in range(grid.size))
    return _COMMA.sub("", _EMPTY.sub(_run_of_empty, "".join(f"{square}," for square in squares)))


def _run_of_empty(run: re.Match[str]) -> str:
    full, rest = divmod(len(run[0]) // 2, _MOST_EMPTY)
    return "z" * full + (chr(96 + rest) if rest else "")


def _answer(played: PlayedPuzzle) -> list[int]:
    """Return for each edge twice the upper or left cell, plus 1 where it runs down."""
    cols = played.record.puzzle.grid.cols
    return sorted(2 * a + int(b - a == cols) for a, b in played.record.solution.edges)


def json_of(content: object) -> str:
    """Return JSON that no HTML parser takes for an end of the script."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@cache
def script_of(*modules: str) -> str:
    """Return modules of the folder ``web`` as one script; each names the ones before it alone."""
    bare = "".join(_EXPORT.sub("", _IMPORT.sub("", bare_source(f"{name}.mjs"))) for name in modules)
    return f'(() => {{\n"use strict";\n{bare}}})();'


@cache
def bare_source(name: str) -> str:
    """Read a script or style of the folder ``web`` without comments, and blanks that mean nothing."""
    bare = _INDENT.sub("", _REMARK.sub("", _COMMENT.sub("", _source(name))))
    return _CSS_BLANKS.sub("", bare) if name.endswith(".css") else bare


@cache
def font_faces(thai: bool = False) -> str:
    """Return the two weights of the printed page, for the characters of Latin 1 and, if wanted, of Thai."""
    faces = []
    scripts = [("ibm-plex-sans/IBMPlexSans", "Latin1", "")]
    scripts += [("ibm-plex-sans-thai/IBMPlexSansThai", "Thai", " unicode-range: U+0E00-0E7F;")] * thai
    for family, script, only in scripts:
        for name, weight in (("Regular", 400), ("SemiBold", 600)):
            file = resource("fonts", *f"{family}-{name}-{script}.woff2".split("/"))
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            faces.append(
                f'@font-face {{ font-family: "Linkpress Plex"; font-weight: {weight}; font-display: swap; '
                f"src: url(data:font/woff2;base64,{data}) format('woff2');{only} }}"
            )
    return "\n".join(faces)


@cache
def _source(name: str) -> str:
    return (_WEB / name).read_text(encoding="utf-8")
