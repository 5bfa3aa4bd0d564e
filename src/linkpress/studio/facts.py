"""These facts of a spec, a level, a feed's weekday and a puzzle go to the page as JSON data."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from linkpress.book.grade_odds import Odds, shares
from linkpress.book.level import LevelSpec
from linkpress.book.plan import Slot
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.documents.models import (
    SpecModel,
    annotation_of,
    default_words,
    descriptions_of,
    fields_of,
    is_list,
    model_of,
    reader_of,
)
from linkpress.documents.shipped_files import ShippedFiles
from linkpress.engine.recipe import Grade
from linkpress.errors import RecipeError
from linkpress.production.forecast import LevelOutlook, duration, ways_out
from linkpress.puzzle.puzzle import Solution
from linkpress.words.language import Words

_COUNT = 3  # of samples
_WORK = 250_000  # units of about a microsecond, for each board
_TRIES = 8
# The tabs of the form, and the keys in each; the last has those that no other has.
_BOOK_TABS = (
    (
        "book",
        "title subtitle author volume series seed language isbn editions publisher copyright year edition "
        "date id",
    ),
    ("page", "page standard solutions captions"),
    ("levels", "levels"),
    ("looks", "theme numbers fonts"),
    ("cover", "cover"),
    ("extras", ""),
)
_FEED_TABS = (
    ("feed", "title author id seed first_number language copyright holder usage utc_offset"),
    ("week", "week skip"),
    ("images", "image caption fonts names"),
    ("extras", ""),
)
# A part of the words for what may stand there, and the control that fits.
_CONTROLS = {
    "an ink": "ink",
    "text of one or more lines": "lines",
    "a length with its unit": "length",
    "a range, as": "range",
    "path of a picture": "picture",
}
# Their keys are the phrases of a whole words file, which is edited as a file.
_WHOLE_FILES = ("language", "words")


def search_of(slot: Slot) -> str:
    """Return what the search for a slot's puzzle depends on: what the puzzle does, and its effort."""
    return f"{slot.key} {slot.effort} {slot.otherwise}"


def level_facts(level: LevelOutlook, table: Sequence[Odds], unmet: Mapping[str, str]) -> dict[str, Any]:
    """Return what is to be expected of a level as JSON data, and what searches did not find."""
    grades, stars = shares(level.each[0][0], table)
    wanted = level.each[0][0].recipe
    low, high = wanted.grades or (Grade.BEGINNER, Grade.FIENDISH)
    is_alone = len(level.each) == 1  # else another size or paths would be that of all
    missed = [(slot, len(alike)) for alike in level.each for slot in alike if search_of(slot) in unmet]
    ways = [
        keys
        for slot, count in (*level.poor, *missed)
        for keys in ways_out(slot, count, table)
        if is_alone or not {"size", "paths"} & set(keys)
    ]
    return {
        "name": level.level,
        "words": level.words,
        "time": "" if level.time_s is None else duration(level.time_s),
        "grades": [[grade.label, share, low <= grade <= high] for grade, share in grades.items()],
        "stars": [
            ["★" * count, share, wanted.stars is None or count in wanted.stars]
            for count, share in stars.items()
        ],
        "ways": list({str(keys): keys for keys in ways}.values()),
        "unlikely": bool(level.poor),
        "unmet": unmet[search_of(missed[0][0])] if missed else "",
    }


def puzzle_facts(record: PuzzleRecord, words: Words) -> dict[str, Any]:
    """Return what is known of a made puzzle, its grade in the words of the book or feed."""
    grid = record.puzzle.grid
    return {
        "grade": words.grades[record.grade] if record.grade else "",
        "stars": "★" * (record.stars or 0),
        "size": f"{grid.cols} × {grid.rows}",
        "fingerprint": record.fingerprint,
    }


def sample_boards(
    level: LevelSpec, seed: str, is_outdated: Callable[[], bool]
) -> Iterator[tuple[Solution, Grade | None]]:
    """Make boards of a level's first, middle and last recipe, while they are still waited for."""
    from linkpress.engine.make.generate import generate  # loads the engine

    recipes, found = level.recipes(level.count), 0
    places = (0, len(recipes) // 2, len(recipes) - 1)
    for attempt in range(_TRIES):
        if found == _COUNT or is_outdated():
            return
        recipe = recipes[places[attempt % len(places)]]
        with contextlib.suppress(RecipeError):
            made = generate(recipe, f"{seed}/{level.name}/sample {attempt}", level.method, _WORK)
            found += 1
            yield made.solution, made.grading.grade if made.grading else None


def book_form() -> list[dict[str, Any]]:
    """Return the tabs of a book's form, each with its fields, as JSON data."""
    return _form(BookSpec, _BOOK_TABS)


def feed_form() -> list[dict[str, Any]]:
    """Return the tabs of a feed's form, as ``book_form`` does."""
    from linkpress.feeds.feed_spec import FeedSpec

    return _form(FeedSpec, _FEED_TABS)


def _form(model: type[SpecModel], layout: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    fields = {field["key"]: field for field in _fields(model)}
    tabs = [(name, keys.split()) for name, keys in layout]
    named = {key for _, keys in tabs for key in keys}
    tabs[-1][1].extend(key for key in fields if key not in named)
    return [{"name": name, "fields": [fields[key] for key in keys if key in fields]} for name, keys in tabs]


def _fields(model: type[SpecModel]) -> Iterator[dict[str, Any]]:
    meanings = descriptions_of(model)
    for key, field in fields_of(model).items():
        reader, inner = reader_of(field), model_of(field)
        files = annotation_of(field, ShippedFiles)
        schema = dict(reader.schema) if reader else {}
        yield {
            "key": key,
            "meaning": meanings.get(key, ""),
            "allowed": reader.words if reader else "",
            "default": default_words(field),
            "needed": field.is_required(),
            "many": is_list(field),
            "choices": _choices(schema, files),
            "free": files is not None or "enum" not in schema,
            "schema": schema,
            "kind": _kind(reader.words) if reader else "",
            "fields": list(_fields(inner)) if inner and key not in _WHOLE_FILES else [],
        }


def _choices(schema: dict[str, Any], files: ShippedFiles | None) -> list[str]:
    """Return what is offered for a key; where it is free, other values may stand there, too."""
    if files is not None:
        return list(files.names())
    first = schema.get("anyOf", [schema])[0]
    offered = first.get("enum") or first.get("examples", ())
    return [str(choice) for choice in offered if not isinstance(choice, bool)]


def _kind(words: str) -> str:
    """Return the name of the control that fits what may stand there, if there is one."""
    return next((kind for part, kind in _CONTROLS.items() if part in words), "")
