"""Repair a YAML book spec that has errors, and write a valid one. Implements the ``fix`` command.

1. Replace the user's names of keys and values by the names that linkpress knows.
2. Check the spec and repair each error: rename a level if another level has the same name, use the nearest
   allowed number, or turn an unknown key into a comment. Repeat until no error is left or nothing can be
   repaired.
3. Generate trial boards for each level. If no board is found, remove the level's difficulty. If there is
   still no board, reduce its number of solid squares or change its number of paths.
4. Write the new spec with the user's comments, and a comment for each repair.
"""

from __future__ import annotations

import math
import os
import re
import secrets
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from linkpress.book.difficulty_forecast import likely_keys, written_keys
from linkpress.book.key_values import ALLOWED_SIZES, MAX_SEED
from linkpress.book.mixes import apportion, expand_mix, size_name
from linkpress.book.plain_spec import plain_spec, unclear_share
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.spec import BookSpec, read_spec, slug
from linkpress.documents.models import SpecModel, fields_at, fields_of, is_list, model_of, reader_of
from linkpress.documents.other_names import name_table, simple_name
from linkpress.documents.plain_names import accepts, short_text
from linkpress.documents.problem import KeyPath, Problem, YamlSource
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.documents.yaml_edit import comments_of, with_comments, yaml_text
from linkpress.documents.yaml_source import parse_yaml, read_yaml
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.make.generate import generate
from linkpress.errors import RecipeError, UsageError
from linkpress.feeds.feed_spec import FeedSpec, plain_feed, read_feed, weekdays_of
from linkpress.press.dry_run import dry_run
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE
from linkpress.render.fonts import missing_characters, own_font
from linkpress.words import load_words

_MAX_ROUNDS = 30
# If boards are too large for the page, the minimum size of squares that the spec requires is reduced. The new
# minimum is at least this share of the old one.
_NEARLY = 0.85
# A level may have many kinds of boards, for example one for each board size. Then a trial board is not made
# for each of the kinds, but for at least this number of them and for fewer than twice this number.
_MAX_TRIALS = 5
# The generator gives up a trial board after this many units of work, or after a quarter of the usual limit if
# that is more. A unit takes about a microsecond.
_TRIAL_WORK = 2_000_000
# If no board can be generated for a level, its numbers of solid squares and of paths are multiplied by these
# factors, one pair of factors after the other, beginning with the pair that changes least.
_FEWER_SOLIDS, _OTHER_PATHS = (1.0, 0.75, 0.5, 0.25, 0.0), (1.0, 0.85, 1.2, 0.7, 1.5)
_COMMENT_WIDTH = 100
_DEEP = 99
_SHARE = r"[0-9]+/0*[1-9][0-9]*|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"  # matches a fraction such as 1/3, or a number
_REQUIRED: dict[str, Any] = {"title": "Number Link", "count": "20", "puzzles": "24", "size": "7"}
_TWO_MEANINGS = (
    "A share of solid squares above 50% can mean two things. Is it the share of the squares that are on "
    "paths, so that all other squares are solid?"
)
_NO_LEVELS = (
    "no puzzles were understood; give `puzzles`, such as 24, or `levels`, each with a `count` and a `size`"
)
_FONT_FOLDERS = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts"),
    *("/Library/Fonts", "/System/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts"),
)


class _Comment(NamedTuple):
    """Comment to write into the new spec.

    Args:
        line: the line of the user's spec that the comment belongs to; 0 if it belongs to the whole file.
        text: the comment, beginning with ``#``.
        is_own: True if the comment is on a line of its own, False if it follows a value.
        depth: how deeply the commented key is nested; 1 for a key at the top level. If the line is not in
            the new spec, the comment moves to the next key that is not nested deeper.
    """

    line: int
    text: str
    is_own: bool
    depth: int


class FixedSpec(NamedTuple):
    """Result of repairing a spec.

    Args:
        text: the new spec as YAML. This is the user's own text, unchanged, if linkpress can't tell from it
            which levels (sections of puzzles) the book has.
        changes: a message about each change.
        problems: messages about errors that could not be repaired. Empty if the new spec is valid.
    """

    text: str
    changes: tuple[str, ...]
    problems: tuple[str, ...]


def fix_spec(path: Path, ask: Callable[[str], bool] | None = None) -> FixedSpec:
    """Repair a book spec. The file itself is not changed.

    Args:
        path: the YAML file of the spec. Relative paths inside it are resolved from its folder.
        ask: function that asks the user a question and returns True for yes. If it is None, every answer is
            assumed to be yes.
    Raises:
        SpecError: the file can't be read, or is not valid YAML.
    """
    source = read_yaml(path)
    fixer = _FeedFixer if _is_week(source.value) else _Fixer
    return fixer(path, source, ask or (lambda _: True)).run()


def _is_week(keys: Mapping[str, Any]) -> bool:
    """Return whether a spec describes a newspaper's feed.

    Such a spec has puzzles for weekdays, and no key that only a book has.
    """
    table = name_table()
    of_book = {path[0] for key in keys for path, _ in table.targets(key, [""])} | keys.keys()
    of_book &= {"page", "cover", "count"}
    # A key with settings for PDF pages, such as `pdf: {size: A4, per page: 4}`, asks for a printed book. A
    # spec with such a key is not a feed, even if it has puzzles for weekdays.
    of_book |= {
        str(key) for key, value in keys.items() if isinstance(value, dict) and "pdf" in simple_name(str(key))
    }
    return any(weekdays_of(value) for value in keys.values()) and not of_book


class _Fixer:
    """Repairs one spec. Collects the changed values, messages about the changes, and comments to write.

    Args:
        path: the YAML file of the spec.
        source: the parsed content of the file.
        ask: function that asks the user a question and returns True for yes.
    """

    root: type[SpecModel] = BookSpec

    def __init__(self, path: Path, source: YamlSource, ask: Callable[[str], bool]) -> None:
        self._path, self._user_value, self._text = path, source.value, source.text or ""
        self._changes: list[str] = []
        self._comments: list[_Comment] = []
        # Maps the key path of each changed value to three things: the value before the first change, the
        # messages for the user about the changes, and the comments about them in the new spec.
        self._reported: dict[KeyPath, tuple[Any, list[str], list[_Comment]]] = {}
        self._refused: list[Problem] = []
        plain, changes = self._read(source, ask)
        self._value: dict[str, Any] = _ordered(_stripped(self._source.value), self.root)
        for change in changes:
            self._say((), change)
        self._changes += self._source.notes
        for problem in plain.problems:
            if problem.found:
                key = f"{problem.key[-1]}: " if problem.key else ""
                text = f"{key}{problem.found} (left out: {problem.message})"
                self._changes.append(f"line {problem.line}: {text}")
                self._comments.append(_Comment(problem.line, f"# {text}", True, len(problem.key)))

    def _read(self, source: YamlSource, ask: Callable[[str], bool]) -> tuple[YamlSource, list[str]]:
        """Translate the user's keys and values into linkpress's own.

        A second version of the translated document, in which levels replace the key ``mix``, is stored in the
        attribute ``_source``.

        Returns:
            The translated document, with its key ``mix``; and a message about each guess at the meaning of
            the user's spec.
        """
        plain = plain_spec(source, BookSpec)
        changes = []
        if share := unclear_share(plain):
            if ask(_TWO_MEANINGS):
                plain = plain_spec(source, BookSpec, of_free=True)
                changes.append(
                    "shares of solid squares are read as shares of squares on paths; the rest are solid. "
                    f"If {share} of the squares are solid, write `solids: {share}`"
                )
            else:
                plain = plain_spec(source, BookSpec, of_free=False)
                changes.append("shares of solid squares above 50% stay unchanged")
        self._source, self._refused = expand_mix(plain)
        # ``expand_mix`` has refused the mix of difficulties in the spec, for example because its numbers
        # don't add up to the number of puzzles. Try again, and read the numbers as a ratio.
        if self._refused:
            mixed, levels = {**plain.value}, plain.value.get("levels")
            if mixed.keys() & {"mix", "difficulties"}:
                mixed.setdefault("puzzles", _REQUIRED["puzzles"])
                mixed["mix"] = _as_counts(mixed.get("mix"), mixed["puzzles"])
            if isinstance(levels, list) and all(isinstance(level, dict) for level in levels):
                mixed["levels"] = levels = [dict(level) for level in levels]
                for level in levels:
                    if "mix" in level:
                        level["mix"] = _as_counts(level["mix"], level.get("count"))
            self._source, self._refused = expand_mix(replace(plain, value=mixed))
            if "puzzles" in mixed.keys() - plain.value.keys():
                changes.append(f"`puzzles: {mixed['puzzles']}` is added: the spec gives no number of puzzles")
        return plain, changes

    def run(self) -> FixedSpec:
        # The mix of difficulties in the spec can't be converted to levels. A new spec without these levels
        # would describe another book, so return the user's own text.
        if self._refused:
            return FixedSpec(self._text, (), tuple(map(str, self._refused)))
        title = self._value.get("title")
        if isinstance(title, str) and self._value.get("seed") is None and self._source.base is None:
            why = "the puzzles then stay the same if the title changes"
            self._set(self._value, ("seed",), title[:MAX_SEED].strip(), why)
        self._name_levels()
        self._name_language()
        self._enlarge_print()
        problems = self._problems()
        if not self._levels() and any(problem.key == ("levels",) for problem in problems):
            return FixedSpec(self._text, (), (f"{self._path}: {_NO_LEVELS}",))
        problems = self._mend_all(problems)
        if not problems:
            changes = len(self._changes)
            if any(" is read as " in note for note in self._source.notes):
                self._keep_difficulties()
            self._try_boards()
            if len(self._changes) > changes:
                problems = self._problems()
        return self._fixed(problems)

    def _fixed(self, problems: Sequence[Problem]) -> FixedSpec:
        """Return the repaired spec. Each problem that remains names its place in the user's file."""
        placed = (str(self._placed(problem)) for problem in problems)
        return FixedSpec(self._written(), tuple(self._changes), tuple(placed))

    def _placed(self, problem: Problem) -> Problem:
        """Return a problem with the line of its key in the user's file; without a line if it has no key."""
        if problem.source:
            return problem
        if problem.key:
            return self._source.problem(problem.key, problem.found, problem.message)
        return replace(problem, line=0)

    def _mend_all(self, problems: list[Problem]) -> list[Problem]:
        """Repair problems until none is left or nothing can be repaired. Return the remaining problems."""
        for _ in range(_MAX_ROUNDS):
            # If a key has several problems, repair only the first one. This repair may solve the key's
            # other problems too.
            first = {problem.key: problem for problem in reversed(problems)}
            mended = [self._mend(problem) for problem in problems if problem is first[problem.key]]
            if not any(mended):
                break
            problems = self._problems()
        return problems

    def _levels(self) -> list[dict[str, Any]]:
        levels = self._value.get("levels")
        return [level for level in levels or () if isinstance(level, dict)]

    def _name_language(self) -> None:
        """Set the book's language to the language of the user's titles, if the spec doesn't name a language.

        If a Japanese book has the page size B5, set the size that is called B5 in Japan.
        """
        if "language" not in self._value and self._source.base is None:
            texts = (text for _, text in _texts(self._user_value))
            language = name_table().language_of(" ".join(map(str, texts)))
            if language not in (None, "en"):
                self._set(self._value, ("language",), language, "the texts of the book are in this language")
        page = self._value.get("page")
        if (
            self._value.get("language") == "ja"
            and isinstance(page, dict)
            and page.get("trim") in ("B5", "b5")
        ):
            self._set(
                page, ("page", "trim"), "182x257mm", "this is B5 in Japan; 176x250mm is the B5 of Europe"
            )

    def _enlarge_print(self) -> None:
        """Add the key for large print if the title says that the book is in large print."""
        page = self._value.get("page", {})
        titles = " ".join(str(self._value.get(key, "")) for key in ("title", "subtitle"))
        if isinstance(page, dict) and "large_print" not in page and name_table().says_large_print(titles):
            self._value["page"] = page
            self._set(page, ("page", "large_print"), "yes", "the title says that the book is in large print")

    def _name_levels(self) -> None:
        """If several unnamed levels have the same difficulty, name each after its difficulty and board size.

        A name is, for example, ``hard 9 × 9``.
        """
        levels = self._levels()
        unnamed = [None if {"name", "title"} & each.keys() else each.get("difficulty") for each in levels]
        for index, (level, difficulty) in enumerate(zip(levels, unnamed, strict=True)):
            size = size_name(level.get("size"))
            if isinstance(difficulty, str) and unnamed.count(difficulty) > 1 and size:
                name = f"{difficulty} {size}"
                self._set(level, ("levels", index, "name"), name, "several levels have this difficulty")

    def _keep_difficulties(self) -> None:
        """Set the difficulty of each level that is named after a difficulty, such as "hard".

        If boards of the level's size can't have this difficulty, set the nearest possible difficulty. If
        there is none, set no difficulty.
        """
        for index, level in enumerate(self._levels()):
            name = re.sub(r" [0-9]+ × [0-9]+$", "", str(level.get("name", "")))
            word = name_table().value(name, "levels.difficulty") or name.lower()
            if word not in list(Difficulty) or "size" not in level or "difficulty" in level:
                continue
            level["difficulty"] = word
            change = f"`difficulty: {word}` is added, after the level's name"
            if problems := self._problems():
                message = problems[0].message
                del level["difficulty"]
                change = f"`{name}` is only a name: {message}"
                if near := _nearest_difficulty(word, message):
                    level["difficulty"] = near
                    change = f"`difficulty: {near}` is added, although the level's name is {name}: {message}"
            self._say(("levels", index, "difficulty"), change)

    # Problems

    def _problems(self) -> list[Problem]:
        run = dry_run(read_spec(self._path, yaml_text(self._value)))
        return [*run.problems, *(Problem("", line) for line in run.elsewhere)]

    def _mend(self, problem: Problem) -> bool:
        """Repair one problem, usually by changing or removing the key that it is about.

        Return False if the problem can't be repaired.
        """
        path: KeyPath = problem.key[:3] if problem.key[2:3] == ("size",) else problem.key
        parent: Any = self._value
        if "glyph" in problem.message:
            return self._find_font(problem.message)
        few = re.search(r"pages: ([0-9]+) pages; allowed: ([0-9]+)", problem.message)
        if few and int(few[1]) < int(few[2]) and "notes_pages" not in self._value:
            return self._set(self._value, ("notes_pages",), str(int(few[2]) - int(few[1])), problem.message)
        page = self._value.get("page", {})
        if (paper := re.search(r"printed in colour \(([^),]+)", problem.message)) and "paper" not in page:
            self._value["page"] = page
            return self._set(page, ("page", "paper"), paper[1], "the theme has colours")
        if path[:1] == ("levels",) and len(path) == 2 and self._shrink(problem.message, page):
            return True
        if path[:1] == ("levels",) and len(path) == 2 and "at 1 a page" in problem.message:
            level = self._levels()[int(path[1])]
            size = level.get("size")
            return isinstance(size, str) and self._set(
                level, (*path, "size"), _scaled(size, 0.9), problem.message
            )
        try:
            for step in path[:-1]:
                parent = parent[step]
        # The key path leads to no value of the spec, for example because a step of the path names a key but
        # the spec has a list there.
        except (LookupError, TypeError):
            return False
        if not path or not isinstance(parent, dict) or not isinstance(path[-1], str):
            return False
        key, of_level = path[-1], path[0] in ("levels", "week") and len(path) == 3
        value = parent.get(key)
        inner_match = re.search(rf"\b{key}\.(\w+)", problem.message)
        # If the message names a key inside a mapping, repair that key only.
        if isinstance(value, dict) and inner_match and inner_match[1] in value:
            path, parent, key = (*path, inner_match[1]), value, inner_match[1]
        field = fields_at(self.root, path[:-1]).get(key)
        schema = reader.schema if field and (reader := reader_of(field)) else {}
        value, new = str(parent.get(key)), None
        allowed = [each for each in schema.get("enum", ()) if isinstance(each, int)]
        if path[0] == "levels" and key == "name":
            new = self._new_name(parent, int(path[1]) + 1)
        elif key not in parent:
            is_unknown = of_level and parent.keys().isdisjoint({"count", "size", "difficulty", "from", "mix"})
            new = None if is_unknown else _REQUIRED.get(key)
        elif of_level and key == "difficulty" and (near := _nearest_difficulty(value, problem.message)):
            parent.setdefault("name", self._difficulty_name(value))
            new = near
        elif of_level and key == "size" and (nearest := _nearest_size(parent[key])) != parent[key]:
            new = nearest
        elif of_level and key == "size" and problem.message == ALLOWED_SIZES:
            key, new = "method", "classic"
            if "solids" not in parent:
                self._set(parent, (*path[:-1], "solids"), "0", "`method: classic` makes any number of them")
        elif of_level and key in ("size", "paths", "solids", "longest_share") and accepts(field, value):
            return self._loosen(parent, path[:-1])
        elif value.isdecimal() and int(value) in allowed:
            # This number is allowed in general, but too large for the page. Use the next smaller allowed one.
            new = next((str(each) for each in reversed(allowed) if each < int(value)), None)
        elif value.isdecimal() and allowed:
            new = str(min(allowed, key=lambda each: (abs(each - int(value)), -each)))
        elif least := re.search(r" asks for ([0-9.]+) in or more", problem.message):
            # The limit in the message is rounded. Add a little, in case it was rounded down.
            new = f"{float(least[1]) + 0.001:.3f} in"
        elif len(value) > schema.get("maxLength", len(value)):
            new = textwrap.shorten(value, schema["maxLength"], placeholder="")
        if new is not None and new != parent.get(key):
            return self._set(parent, (*path[:-1], key), new, problem.message)
        if key not in parent or (field is not None and field.is_required()):
            return False
        entries = parent[key]
        if isinstance(entries, list) and entries and fields_at(self.root, path) and not is_list(field):
            for index in range(len(entries) - 1, 0, -1):
                self._remove(entries, (*path, index), "there can be only one")
            parent[key] = entries[0]
            return True
        if path[0] == "levels" and key == "difficulty":
            parent.setdefault("name", self._new_name(parent, int(path[1]) + 1))
        self._remove(parent, path, problem.message)
        return True

    def _shrink(self, message: str, page: Any) -> bool:
        """Allow squares that are a little smaller than the spec's minimum size.

        Return False if the squares would have to be much smaller than that minimum.
        """
        sizes = re.search(
            r"squares of ([0-9.]+) mm at (?!1 ).* page\.min_cell_mm .* asks for ([0-9.]+) mm", message
        )
        if not sizes or not isinstance(page, dict) or float(sizes[1]) < _NEARLY * float(sizes[2]):
            return False
        self._value["page"] = page
        return self._set(page, ("page", "min_cell_mm"), sizes[1], message)

    def _new_name(self, level: dict[str, Any], number: int) -> str:
        names = [str(other.get("name")) for other in self._levels() if other is not level]
        unnamed = f"Part {number}" if len(self._levels()) > 1 else "Puzzles"
        difficulty = self._difficulty_name(str(level.get("difficulty", "")))
        stem = str(level.get("name") or difficulty or unnamed)[:36]
        return next(name for name in (stem, *(f"{stem} {n}" for n in range(2, 99))) if name not in names)

    def _difficulty_name(self, difficulty: str) -> str:
        """Return the name of a difficulty in the book's language. Return any other text unchanged."""
        language = str(self._value.get("language", "en"))
        is_shipped = language in LANGUAGES.names() and difficulty in list(Difficulty)
        return load_words(language).difficulties[Difficulty(difficulty)] if is_shipped else difficulty

    def _loosen(self, level: dict[str, Any], path: KeyPath) -> bool:
        """Change a level so that its boards are easier to generate. Return False if that is impossible.

        If the level limits the length of the longest path (``longest_share``), remove this limit. Otherwise,
        reduce the number of solid squares. If that number can't be reduced, reduce the number of paths.
        """
        if "longest_share" in level:
            self._remove(level, (*path, "longest_share"), "with it, the paths can't fill the board")
            return True
        for key, factor in (("solids", 0.7), ("paths", 0.8)):
            if key in level and (new := _scaled(level[key], factor)) != str(level[key]):
                return self._set(level, (*path, key), new, "more do not fit on the board")
        return False

    # Boards

    def _try_boards(self) -> None:
        """Generate a trial board for each level.

        If that fails for a level, remove its difficulty, and then change its numbers of solid squares and
        paths as little as possible.
        """
        for index, level in enumerate(self._levels()):
            if "from" in level or {"size", "paths"} - level.keys() or isinstance(level.get("solids"), dict):
                continue
            if "difficulty" in level:
                if self._has_board(index):
                    continue
                level.setdefault("name", self._new_name(level, index + 1))
                difficulty, slots = level["difficulty"], self._slots(index)
                why = f"boards of its size and paths that feel {difficulty} are too rare to be found"
                if slots and (keys := likely_keys(slots[0].recipe)):
                    why += f"; {difficulty} needs {written_keys(keys)}"
                self._remove(level, ("levels", index, "difficulty"), why)
            given = dict(level)
            factors = [(solids, paths) for solids in _FEWER_SOLIDS for paths in _OTHER_PATHS]
            for solids, paths in sorted(factors, key=lambda each: abs(1 - each[0]) + 2 * abs(1 - each[1])):
                level |= {"paths": _scaled(given["paths"], paths)}
                if "solids" in given:
                    level["solids"] = _scaled(given["solids"], solids)
                elif solids != 1:
                    continue
                if self._has_board(index):
                    break
            else:
                level |= given
            for key in ("solids", "paths"):
                if given.get(key) != level.get(key):
                    change = f"`{key}: {level[key]}` instead of {given[key]}, with which no board was found"
                    self._say(("levels", index, key), change)

    def _slots(self, index: int) -> list[Slot]:
        """Return one slot for each different recipe of a level.

        A slot is the plan for one puzzle of the book. The list is empty if the spec has problems.
        """
        document = read_spec(self._path, yaml_text(self._value))
        if document.problems or document.model is None:
            return []
        name = document.model.levels[index].name
        return list({slot.recipe: slot for slot in plan_slots(document.model) if slot.level == name}.values())

    def _has_board(self, index: int) -> bool:
        slots = self._slots(index)
        try:
            for slot in slots[:: max(1, len(slots) // _MAX_TRIALS)]:
                generate(slot.recipe, "trial", slot.method, max(_TRIAL_WORK, slot.work // 4))
        except RecipeError:
            return False
        return bool(slots)

    # Fonts

    def _find_font(self, message: str) -> bool:
        """Add an installed font to the spec, for letters that linkpress's own fonts lack.

        Return False if the spec already names fonts, or if no installed font has the letters.

        Args:
            message: an error message with the code points of some missing letters. A font without these
                letters is skipped at once. A font with them is tried in a dry run of the book, which is slow.
        """
        if "fonts" in self._value:
            return False
        letters = "".join(chr(int(code, 16)) for code in re.findall(r"\(U\+([0-9A-F]+)", message))
        for file in _font_files():
            if not _has_letters(file, letters):
                continue
            self._value["fonts"] = {"fallback": str(file)}
            if not any("fonts" in problem.key or "glyph" in problem.message for problem in self._problems()):
                self._say(
                    (), f"`fonts: {{fallback: {file}}}` is added, for letters that linkpress's own fonts lack"
                )
                return True
            del self._value["fonts"]
        return False

    # Changes

    def _line(self, path: KeyPath) -> int:
        """Return the line of the user's spec that has this key path; 0 if the user didn't write it."""
        path = self._source.typed_path(path)
        place = self._source.key_places.get(path) or self._source.places.get(path)
        return place.line if place and path else 0

    def _set(self, parent: dict[Any, Any], path: KeyPath, value: Any, why: str) -> bool:
        key = str(path[-1])
        # If a value is repaired in several steps, report only one change: from the value that the user wrote
        # to the last value.
        first, earlier_changes, earlier_comments = self._reported.pop(path, (parent.get(key), [], []))
        self._changes = [each for each in self._changes if each not in earlier_changes]
        self._comments = [each for each in self._comments if each not in earlier_comments]
        changes, comments = len(self._changes), len(self._comments)
        was = "is added" if first is None else f"instead of {short_text(first)}"
        parent[key] = value
        self._say(path, f"`{key}: {short_text(value)}` {was}: {why}")
        self._reported[path] = first, self._changes[changes:], self._comments[comments:]
        return True

    def _remove(self, parent: Any, path: KeyPath, why: str) -> None:
        text = f"{path[-1]}: {short_text(parent.pop(path[-1]))}"
        why = re.sub("there is no such key: |(;|, so) leave it out", "", why)
        # If a mapping around the removed key is empty now, remove the mapping too.
        for length in range(len(path) - 1, 0, -1):
            *outer, inner = path[:length]
            around: Any = self._value
            for step in outer:
                around = around[step]
            if around[inner]:
                break
            # Some keys, such as `images`, accept `yes` instead of a mapping. If the mapping of such a key is
            # empty now, replace it by `yes`.
            if accepts(fields_at(self.root, tuple(outer)).get(str(inner)), "yes"):
                around[inner] = "yes"
                break
            del around[inner]
        self._say(path, f"`{text}` is left out: {why}", f"{text} (left out: {why})")

    def _say(self, path: KeyPath, change: str, comment: str = "") -> None:
        """Add a message about a change, and a comment for its place in the new spec.

        Args:
            path: the key path of the changed value; empty for a change of the whole spec.
            change: the message for the user.
            comment: the text of the comment, without ``#``; empty to use the message as the comment.
        """
        line = self._line(path) or self._line(path[:-1])
        self._changes.append(f"line {line}: {change}" if line else change)
        wrapped = textwrap.wrap(comment or change, _COMMENT_WIDTH, subsequent_indent="  ")
        self._comments += [_Comment(line, f"# {part}", True, len(path)) for part in wrapped]

    # Writing

    def _written(self) -> str:
        """Return the new spec as YAML, with the user's comments and a comment for each change."""
        text = yaml_text(_ordered(self._value, self.root))
        new = parse_yaml(text, str(self._path))
        # Maps each line of the user's spec to its line in the new spec, and to the nesting depth of its key.
        new_lines: dict[int, tuple[int, int]] = {}
        for path, place in sorted({**new.places, **new.key_places}.items(), key=lambda each: each[1]):
            if line := self._line(path):
                new_lines.setdefault(line, (place.line, len(path)))
        first, last = min(new_lines, default=1), text.count("\n") + 1
        user_comments = [
            _Comment(line, comment, column is not None, _DEEP if column else 1)
            for line, (comment, column) in comments_of(self._text).items()
        ]
        change_comments = [each._replace(line=each.line or first - 1) for each in self._comments]
        comments: dict[int, list[tuple[str, bool]]] = {}
        for line, comment, is_own, depth in sorted(
            [*user_comments, *change_comments], key=lambda each: each.line
        ):
            if line in new_lines and (new_lines[line][1] <= depth or not is_own):
                target = new_lines[line][0]
            elif line < first:
                target = 0
            else:
                below = (
                    new_lines[each][0]
                    for each in sorted(new_lines)
                    if each > line and new_lines[each][1] <= depth
                )
                target, is_own = next(below, last), True
            comments.setdefault(target, []).append((comment, is_own))
        return with_comments(text, comments)


class _FeedFixer(_Fixer):
    """Repairs the spec of a newspaper feed, which has a puzzle recipe for each weekday."""

    root = FeedSpec

    def _read(self, source: YamlSource, ask: Callable[[str], bool]) -> tuple[YamlSource, list[str]]:
        self._source = plain_feed(source, FeedSpec)
        return self._source, []

    def run(self) -> FixedSpec:
        self._value.setdefault("title", _REQUIRED["title"])
        if "id" not in self._value:
            name = slug(str(self._value["title"]))
            self._set(self._value, ("id",), name, "each feed has a name of its own")
        if "seed" not in self._value:
            why = "nobody must be able to guess the puzzles of future days"
            self._set(self._value, ("seed",), f"{secrets.token_hex(20)}x", why)
        problems = self._mend_all(self._problems())
        self._say((), self._command())
        return self._fixed(problems)

    def _problems(self) -> list[Problem]:
        return list(read_feed(self._path, yaml_text(self._value)).problems)

    def _command(self) -> str:
        """Return a message with the command that makes the images of a week.

        The command has a date and a folder. They are the first date and the first folder in the user's spec,
        or examples if the spec has none.
        """
        given = _texts(self._user_value)
        texts = {simple_name(str(path[-1])): str(value) for path, value in given}
        days = (text for text in texts.values() if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text))
        folders = (text for key, text in texts.items() if re.search("dir|folder", key))
        first, folder = next(days, "2026-12-01"), next(folders, "output/daily")
        return (
            f"`linkpress feed FILE --from {first} --days 7 -o {folder}` makes the images of a week, with the "
            "name of this file"
        )


def _texts(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield each single value in nested mappings and lists, with its key path."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _texts(inner, (*path, key))
    elif path:
        yield path, value


def _nearest_difficulty(wanted: str, message: str) -> str | None:
    """Return the difficulty that is possible for a level and nearest to the wanted difficulty.

    Return None if no possible difficulty is known.

    Args:
        wanted: the difficulty that the level can't have.
        message: the message of the problem, which lists the possible difficulties in words such as "boards of
            this size are easy or medium".
    """
    names = [each.value for each in Difficulty]
    found = re.search(r" are ([a-z]+)(?:(?:, [a-z]+)* or ([a-z]+))?;", message)
    possible = [name for name in names if found and name in found.groups()]
    if wanted not in names or not possible:
        return None
    return min(possible, key=lambda name: abs(names.index(name) - names.index(wanted)))


def _scaled(value: object, factor: float) -> str:
    """Multiply every number in a text such as ``5-7`` or ``40%`` by a factor, and round down."""
    if factor == 1:
        return str(value)
    return re.sub(r"[0-9.]+", lambda number: str(math.floor(float(number[0]) * factor)), str(value))


def _nearest_size(size: Any) -> Any:
    """Return a board size with its sides brought into the allowed range.

    A side that is too large becomes the largest allowed one, and a side that is too small the smallest. In a
    list of sizes, each size is treated in this way. Any other value is returned unchanged.
    """
    if isinstance(size, list):
        return [_nearest_size(each) for each in size]
    if not re.fullmatch("[0-9]+( ?x ?[0-9]+)?", str(size)):
        return size
    return re.sub("[0-9]+", lambda side: str(min(MAX_SIDE, max(MIN_SIDE, int(side[0])))), size)


def _as_counts(mix: Any, total: Any) -> Any:
    """Convert the shares of a book's difficulties to numbers of puzzles.

    Args:
        mix: the value of the spec's key ``mix``, which maps each difficulty to its share or weight as text.
            If it isn't a mapping, it is returned unchanged.
        total: the number of puzzles in the book, which is the sum of the new numbers.
    """
    if not isinstance(mix, dict) or not str(total).isdecimal():
        return mix
    weights = [
        Fraction(number[0]) if (number := re.search(_SHARE, str(each))) else 0 for each in mix.values()
    ]
    counts = apportion(int(total), weights) if sum(weights) else weights
    return {name: str(count) for name, count in zip(mix, counts, strict=True) if count}


def _stripped(value: Any) -> Any:
    """Strip white space from both ends of each string in nested YAML values, so that they need no quotes."""
    if isinstance(value, dict):
        return {key: _stripped(inner) for key, inner in value.items() if inner is not None}
    return [_stripped(each) for each in value] if isinstance(value, list) else value and value.strip()


def _font_files() -> Iterator[Path]:
    for folder in map(os.path.expanduser, _FONT_FOLDERS):
        yield from sorted(Path(folder).rglob("*.ttf"))


def _has_letters(file: Path, letters: str) -> bool:
    try:
        return not missing_characters(letters, own_font(file, "fonts.fallback"))
    except UsageError:
        return False


def _ordered(value: dict[str, Any], model: Any) -> dict[str, Any]:
    fields = fields_of(model)
    ordered = {key: value[key] for key in fields if key in value} | value
    for key, inner in ordered.items():
        inner_model = model_of(fields[key]) if key in fields else None
        if inner_model and isinstance(inner, dict):
            ordered[key] = _ordered(inner, inner_model)
        elif inner_model and isinstance(inner, list):
            ordered[key] = [_ordered(each, inner_model) if isinstance(each, dict) else each for each in inner]
    return ordered
