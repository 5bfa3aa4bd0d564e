"""Sphinx extension: write parts of the reference from the models, commands and tables of the code.

A line ``<!-- generated: NAME -->`` of a page is replaced by the text that the function of that name in
``GENERATED`` returns. So each key, command and type is described in one place only.
"""

from __future__ import annotations

import ast
import csv
import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import rooms_picture
from keys_table import document_table

import linkpress
from linkpress.book.difficulty_forecast import forecast
from linkpress.book.level import load_mask, load_picture
from linkpress.book.printing_keys import CoverDesign, Theme
from linkpress.book.spec import BookSpec
from linkpress.cli.app import app as linkpress_app
from linkpress.cli.synonyms import word_table
from linkpress.documents.other_names import name_table
from linkpress.documents.shipped_files import (
    COLUMN_GRIDS,
    COVERS,
    DIFFICULTY_SETS,
    LANGUAGES,
    MASKS,
    PICTURES,
    PRINTERS,
    THEMES,
)
from linkpress.documents.yaml_source import read_shipped
from linkpress.engine.ladder import TECHNIQUES
from linkpress.engine.recipe import Grade
from linkpress.errors import ExitCode
from linkpress.feeds.feed_spec import DaySpec, FeedSpec
from linkpress.images.image_settings import ColumnGrid, load_grid
from linkpress.preflight import check_table
from linkpress.printers import PrinterProfile, load_printer
from linkpress.production.forecast import ODDS_FILE, cell_keys
from linkpress.puzzle.notations import Notation
from linkpress.resources import resource
from linkpress.words import load_words

_MARKER = re.compile(r"^<!-- generated: ([a-z-]+) -->$", re.MULTILINE)
# The keys of a weekday are in the table of a book's keys.
_OF_A_WEEKDAY = {DaySpec: "the recipe keys of a book's level, `size` to `otherwise`"}
_TABLE_HEAD = "| key | value | default | meaning |\n|---|---|---|---|\n"


def expanded(text: str) -> str:
    """Return a page's text with every marker replaced.

    Raises:
        KeyError: a marker names nothing that can be generated.
    """
    return _MARKER.sub(lambda found: GENERATED[found[1]](), text)


def setup(app: Any) -> dict[str, bool]:
    """Make Sphinx expand each page when it reads it."""

    def expand(_app: object, _name: str, source: list[str]) -> None:
        source[0] = expanded(source[0])

    app.connect("source-read", expand)
    return {"parallel_read_safe": True}


def key_sections(table: str) -> str:
    """Return a table of the outermost keys, and a section with a table for each key that has inner ones."""
    rows = [re.match(r"\| `([^`]+)` \|", line) and line for line in table.splitlines()]
    outer: list[str] = []
    inner: dict[str, list[str]] = {}
    for row in filter(None, rows):
        key = row.split("`")[1]
        first, dot, _ = key.replace("[]", "").partition(".")
        if dot:
            inner.setdefault(first, []).append(row)
        else:
            outer.append(row)
    linked = [re.sub(r"^\| `([^`]+)`", lambda key: _linked(key[1], inner), row) for row in outer]
    parts = [_section_links({f"`{key}`": key for key in inner}), _key_table(linked)]
    parts += [f"## `{key}`\n\n{_key_table(lines)}" for key, lines in inner.items()]
    return "\n\n".join(parts) + "\n"


def _section_links(sections: Mapping[str, str]) -> str:
    """Return a line of links to the sections of a page, given the anchor of each title."""
    return "Sections: " + " · ".join(f"[{title}](#{anchor})" for title, anchor in sections.items())


def _key_table(rows: Iterable[str]) -> str:
    """Return a table of a class of its own, so that narrow screens can stack its columns."""
    return ":::{table}\n:class: keys\n\n" + _TABLE_HEAD + "\n".join(rows) + "\n:::"


def _linked(key: str, sections: Mapping[str, object]) -> str:
    return f"| [`{key}`](#{key})" if key in sections else f"| `{key}`"


def member_sentences(enum: type[Enum]) -> dict[str, str]:
    """Return the description of each member: the docstring below it, or the comment behind it."""
    source = inspect.getsource(enum)
    found = dict(re.findall(r"^ +([A-Z_0-9]+) = .*?  # (.*)$", source, re.MULTILINE))
    (body,) = ast.parse(source).body
    assert isinstance(body, ast.ClassDef)
    for member, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(member, ast.Assign) and isinstance(below, ast.Expr):
            name, text = member.targets[0], below.value
            assert isinstance(name, ast.Name)
            assert isinstance(text, ast.Constant)
            found[name.id] = str(text.value)
    return found


def _exit_codes() -> str:
    sentences = member_sentences(ExitCode)
    rows = [(str(int(code)), f"`{code.name}`", sentences[code.name]) for code in ExitCode]
    return _table(("exit code", "name", "meaning"), rows)


def _odds() -> str:
    """Return a table of the forecast difficulty and the share of each grade, for each measured recipe."""
    rows: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    text = resource("config", ODDS_FILE).read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        rows.setdefault((row["size"], row["paths"], row["other"]), {})[row["asked"]] = row
    lines = []
    for cell, of_cell in rows.items():
        (recipe,) = cell_keys(*cell).recipes(1)
        feel = forecast(recipe)
        difficulty = (str(feel.median), str(feel.spread)) if feel else ("", "")
        shares = [f"{100 * float(of_cell[grade.label]['share']):.0f} %" for grade in Grade]
        size, paths, other = cell[0], cell[1] or "any", cell[2].replace(" ", ", ").replace("=", ": ")
        lines.append((size, paths, other, *difficulty, *shares, f"{float(of_cell['any']['per_s']):.2g}"))
    grades = [grade.label for grade in Grade]
    return _table(("size", "paths", "more keys", "difficulty", "80 % are", *grades, "a second"), lines)


def _commands() -> str:
    import typer

    root = typer.main.get_command(linkpress_app)
    parts = [_section_links({f"`{name}`": f"linkpress-{name}" for name in root.commands}) + "\n"]  # type: ignore[attr-defined]
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        if inner is None:
            parts.append(_command(f"linkpress {name}", command, "##"))
        else:
            parts.append(f"## `linkpress {name}`\n\n{_plain(command.help)}\n")
            parts += [_command(f"linkpress {name} {sub}", one, "###") for sub, one in inner.items()]
    return "\n".join(parts)


def _command(name: str, command: Any, heading: str) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join([name, *map(_argument, arguments), "[OPTIONS]" if options else ""]).strip()
    text = f"{heading} `{name}`\n\n{_plain(command.help)}\n\n`{usage}`\n"
    rows = [(f"`{_argument(one)}`", _plain(one.help)) for one in arguments]
    rows += [(", ".join(f"`{word}`" for word in _words(one)), _meaning(one)) for one in options]
    return f"{text}\n{_table(('argument or option', 'meaning'), rows)}" if rows else text


def _other_words() -> str:
    """Return a table of the other words that are understood for commands."""
    table = word_table()
    words: dict[tuple[str, str], list[str]] = {}
    for where, names in (("", table.commands), (" with the YAML file of a book", table.of_books)):
        for name, own in names.items():
            words.setdefault((own, where), []).append(f"`{name}`")
    rows = [(", ".join(names) + where, f"`linkpress {own}`") for (own, where), names in words.items()]
    return _table(("other words", "command"), rows)


def _argument(parameter: Any) -> str:
    word = (parameter.metavar or parameter.name.upper()).strip("[].")
    word += "…" if parameter.nargs == -1 else ""
    return word if parameter.required else f"[{word}]"


def _meaning(option: Any) -> str:
    default = option.default
    if option.is_flag or default is None or "Default:" in (option.help or ""):
        return _plain(option.help)
    return f"{_plain(option.help)} Default: `{getattr(default, 'value', default)}`."


def _words(option: Any) -> Iterator[str]:
    takes = "" if option.is_flag else f" {_value(option)}"
    for word in (*option.opts, *option.secondary_opts):
        yield word + takes


def _value(option: Any) -> str:
    kind = option.type_descriptor.annotation
    if option.metavar:
        return str(option.metavar)
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return "/".join(str(one.value) for one in kind)
    return {int: "N", float: "NUMBER"}.get(kind, "TEXT")


def _plain(text: str | None) -> str:
    """Return a help text in one paragraph a paragraph, without Rich's marks."""
    text = re.sub(r"\[/?[a-z ]+\]", "", inspect.cleandoc(text or "")).split("\f")[0]
    text, _, example = text.partition("Example: ")
    text = re.sub(r"(?<![\w`-])--[a-z][a-z-]*", r"`\g<0>`", text) + (
        f"Example: `{example}`" if example else ""
    )
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(_cell(one) for one in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _printers() -> str:
    rows = []
    for name in PRINTERS.names():
        profile = load_printer(name)
        papers = ", ".join(paper.name for paper in profile.papers)
        fewest = min(paper.pages.low for paper in profile.papers)
        most = max(paper.pages.high for paper in profile.papers)
        source = f"{profile.published}, {profile.date}"
        unsure = ", ".join(profile.unconfirmed) or "–"
        rows.append((f"`{name}`", profile.title, papers, f"{fewest}–{most}", source, unsure))
    return _table(("profile", "printer", "papers", "pages", "source and date", "unconfirmed"), rows)


def _themes() -> str:
    rows = [(f"`{name}`", _first_comment(THEMES.find(name))) for name in THEMES.names()]
    return _table(("theme", "what it is like"), rows)


def _covers() -> str:
    rows = [(f"`{name}`", _first_comment(COVERS.find(name))) for name in COVERS.names()]
    return _table(("design", "what it is like"), rows)


def _masks() -> str:
    masks = [(f"`{name}`", load_mask(name)) for name in MASKS.names()]
    rows = [(name, f"{mask.cols} × {mask.rows}", str(len(mask.free_cells))) for name, mask in masks]
    return _table(("shape", "size", "free squares"), rows)


def _pictures() -> str:
    pictures = [(f"`{name}`", load_picture(name)) for name in PICTURES.names()]
    rows = [(name, f"{one.cols} × {one.rows}", str(len(one.layers))) for name, one in pictures]
    return _table(("picture", "size", "colours"), rows)


def _difficulty_sets() -> str:
    rows = []
    for name in DIFFICULTY_SETS.names():
        for difficulty, keys in read_shipped(DIFFICULTY_SETS.find(name)).value.items():
            sizes = keys["size"] if isinstance(keys["size"], list) else [keys["size"]]
            boards = " and ".join(f"{size} × {size}" for size in sizes)
            rows.append((f"`{name}`", f"`{difficulty}`", boards, keys.get("paths", "–"), keys["difficulty"]))
    return _table(("set", "name", "boards", "paths", "difficulty"), rows)


def _grids() -> str:
    grids = [load_grid(name) for name in COLUMN_GRIDS.names()]
    rows = [
        (f"`{one.name}`", one.about or "–", ", ".join(f"{width:g}" for width in one.widths_mm), one.source)
        for one in grids
    ]
    return _table(("grid", "what it is", "widths of 1, 2, 3 … columns, mm", "source"), rows)


def _languages() -> str:
    words = {tag: load_words(tag) for tag in LANGUAGES.names()}
    rows = [(f"`{tag}`", one.cldr.get_display_name("en"), one.how_to_play) for tag, one in words.items()]
    return _table(("tag", "language", "“How to play” in it"), rows)


def _notations() -> str:
    sentences = member_sentences(Notation)
    rows = [(f"`{one.value}`", sentences.get(one.name, "")) for one in Notation]
    return _table(("word", "what it is"), rows)


def _techniques() -> str:
    rows = [
        (one.grade.label, f"`{one.name}`", one.lesson, "yes" if one.untouching else "–") for one in TECHNIQUES
    ]
    return _table(("grade", "technique", "what to look for", "untouching"), rows)


def _checks() -> str:
    rows = []
    for check in check_table.ALL_CHECKS:
        said = _by_reading(check.name) or (inspect.getdoc(check.function) or "").split("\n\n")[0]
        rows.append((f"`{check.name}`", said))
    return _table(("check", "what it does"), rows)


def _by_reading(name: str) -> str:
    """Return what the table says of a check that no function makes, since reading the file makes it."""
    found = re.search(rf'^[A-Z]+ = Check\("{name}"\)  # (.*)$', inspect.getsource(check_table), re.MULTILINE)
    return found[1] if found else ""


def _other_names() -> str:
    names = name_table().names.items()
    plain = {key: ", ".join(str(other).removeprefix(".") for other in others) for key, others in names}
    return _table(("key", "other names"), [(f"`{key}`", others) for key, others in plain.items()])


def _wishes() -> str:
    wishes = name_table().refused_names.items()
    return _table(("keys", "what linkpress says"), [(", ".join(names), said) for said, names in wishes])


def _shipped(folder: str, name: str) -> str:
    return f"```yaml\n{resource('config', folder, name).read_text(encoding='utf-8')}```\n"


def _python_api() -> str:
    parts = []
    for kind, names in _public_by_kind().items():
        parts.append(f"## {kind}\n\n```{{eval-rst}}")
        for name in names:
            value = getattr(linkpress, name)
            directive = "autoclass" if inspect.isclass(value) else "autofunction"
            parts.append(f".. {directive}:: linkpress.{name}\n   :no-index-entry:\n")
        parts.append("```\n")
    return "\n".join(parts)


def _public_by_kind() -> Mapping[str, list[str]]:
    kinds: dict[str, list[str]] = {"Functions": [], "Types": [], "Words that calls take": [], "Errors": []}
    for name in linkpress.__all__:
        value = getattr(linkpress, name)
        if not inspect.isclass(value):
            kinds["Functions"].append(name)
        elif issubclass(value, Exception):
            kinds["Errors"].append(name)
        elif issubclass(value, Enum):
            kinds["Words that calls take"].append(name)
        else:
            kinds["Types"].append(name)
    return kinds


def _volume_example() -> str:
    """Return the beginning of a real ``volume.json``: its head and its first puzzle."""
    spec = "title: Number Link\nseed: 7\nlevels: [{name: Gentle, count: 1, size: 5x7, paths: 5}]\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.yaml")
        path.write_text(spec, encoding="utf-8")
        built = linkpress.build(path, folder, ledger=linkpress.LedgerChoice(used=False), jobs=1)
        volume = json.loads(Path(built.folder, "volume.json").read_text(encoding="utf-8"))
    volume["book"] = {"title": "…"}
    return f"```json\n{json.dumps(volume, ensure_ascii=False, indent=1)}\n```\n"


def _manifest_fields() -> str:
    schema = json.loads(resource("config", "manifest.schema.json").read_text(encoding="utf-8"))
    tables = [_fields("The manifest", schema)]
    tables += [_fields(f"`{name}`", part) for name, part in schema["$defs"].items()]
    return "\n".join(tables)


def _fields(title: str, schema: Mapping[str, Any]) -> str:
    rows = [
        (f"`{name}`", _kind(value), value.get("description", "–"))
        for name, value in schema["properties"].items()
    ]
    return f"### {title}\n\n{_table(('field', 'value', 'meaning'), rows)}"


def _kind(value: Mapping[str, Any]) -> str:
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(one)}`" for one in value["enum"])
    if "$ref" in value:
        return f"a `{value['$ref'].rpartition('/')[2]}`"
    if "anyOf" in value:
        return " or ".join(_kind(one) for one in value["anyOf"])
    kind = value.get("format") or value.get("type", "any")
    if kind == "array":
        return f"a list, each {_kind(value['items'])}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _first_comment(path: Any) -> str:
    """Return what a shipped file says of itself in its first lines."""
    text = path.read_text(encoding="utf-8")
    about = re.search(r"^about: (.*)$", text, re.MULTILINE)
    return about[1] if about else ""


def _rooms() -> str:
    rows = [(f"`{name}`", sentence) for name, sentence in reversed(rooms_picture.rooms().items())]
    return _table(("room", "what it is for"), rows)


GENERATED: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "book-keys": lambda: key_sections(document_table(BookSpec)),
        "feed-keys": lambda: key_sections(document_table(FeedSpec, _OF_A_WEEKDAY)),
        "theme-keys": lambda: key_sections(document_table(Theme)),
        "cover-keys": lambda: key_sections(document_table(CoverDesign)),
        "printer-keys": lambda: key_sections(document_table(PrinterProfile)),
        "grid-keys": lambda: key_sections(document_table(ColumnGrid)),
        "english-words": lambda: _shipped("languages", "en.yaml"),
        "printer-file": lambda: _shipped("printers", "kdp-paperback.yaml"),
        "printers": _printers,
        "themes": _themes,
        "covers": _covers,
        "masks": _masks,
        "pictures": _pictures,
        "difficulty-sets": _difficulty_sets,
        "column-grids": _grids,
        "languages": _languages,
        "notations": _notations,
        "techniques": _techniques,
        "odds": _odds,
        "commands": _commands,
        "other-words": _other_words,
        "exit-codes": _exit_codes,
        "preflight-checks": _checks,
        "python-api": _python_api,
        "volume-example": _volume_example,
        "manifest-fields": _manifest_fields,
        "other-names": _other_names,
        "wishes": _wishes,
        "rooms": _rooms,
        "rooms-picture": rooms_picture.picture,
    }
)
