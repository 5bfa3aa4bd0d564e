"""Plan a book: one slot for each puzzle, with the recipe and the seed from which the puzzle is generated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from linkpress.book.level import IfMissing, LevelSpec
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.errors import SpecError
from linkpress.puzzle.link_text import board_rows, grid_rows
from linkpress.puzzle.picture import Picture
from linkpress.puzzle.puzzle import Grid, Puzzle


@dataclass(frozen=True)
class Slot:
    """Place for one puzzle of a book.

    Args:
        number: the number of the slot in the plan, from 1. The printed number of the puzzle may be another
            one, because the puzzles of a level are printed from easy to hard.
        level: the name of the level.
        index: the number of the slot in its level, from 1.
        seed: the seed of all random choices for the puzzle. Each attempt appends its own number.
        recipe: the properties that the puzzle must have.
        method: how its board is generated.
        effort: how long to search for the puzzle before giving up. 1 means as long as usual, 2 means twice as
            long.
        otherwise: what to do if no puzzle of the required difficulty or technique is found.
        given: the board, if it comes from a file; None if the board is generated.
        line: the line of that file on which the board begins.
    """

    number: int
    level: str
    index: int
    seed: str
    recipe: Recipe
    method: Method
    effort: float = 1.0
    otherwise: IfMissing = IfMissing.FAIL
    given: Puzzle | None = None
    line: int = 0

    def seed_of(self, attempt: int) -> str:
        return f"{self.seed}/{attempt}"

    @property
    def work(self) -> int:
        return round(self.effort * self.recipe.usual_work)

    @property
    def cover_method(self) -> Method | None:
        return None if self.given else self.method

    @property
    def order(self) -> str:
        return f"{self.method} {recipe_text(self.recipe)}"

    @property
    def key(self) -> str:
        """Digest of everything on which the puzzle depends.

        Slots that differ only in their number, or in the effort of the search, have the same digest.
        """
        board = None if self.given is None else board_rows(self.given)
        parts = [self.level, self.index, self.seed, str(self.method), recipe_text(self.recipe), board]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def facts(self) -> dict[str, str | int]:
        return {"slot": self.number, "level": self.level}

    def __str__(self) -> str:
        source = f" ({self.seed.rpartition('/')[0]}, line {self.line})" if self.given else ""
        return f"puzzle {self.index} of level {self.level}{source}"


def plan_slots(spec: BookSpec) -> tuple[Slot, ...]:
    """Return the slots of a book, level by level. A slot is the place of one puzzle in the plan of the book.

    A slot depends only on the book's seed, on the name and keys of its level, and on its index in the level.
    So adding a puzzle to one level does not change the puzzles of other levels. All slots have different
    seeds.
    """
    slots: list[Slot] = []
    for level in spec.levels:
        if level.file is not None:
            slots += _given_slots(spec, level, len(slots) + 1)
            continue
        for index, recipe in enumerate(level.recipes(level.count), start=1):
            slots.append(
                Slot(
                    number=len(slots) + 1,
                    level=level.name,
                    index=index,
                    seed=f"{spec.seed}/{level.name}/{index}",
                    recipe=recipe,
                    method=level.method,
                    effort=level.effort,
                    otherwise=level.otherwise,
                )
            )
    return tuple(slots)


def replacement_slots(printed: Mapping[int, Slot], chosen: Mapping[int, int], begin: int) -> tuple[Slot, ...]:
    """Return new slots for the puzzles that the user wants to replace.

    A slot is the place of one puzzle in the plan of the book, with the recipe and the seed of the puzzle. A
    new slot differs from the old slot of the puzzle only in its seed and number.

    Args:
        printed: maps the printed number of each puzzle to its old slot.
        chosen: the value of the spec's key ``replace``. For the printed number of each puzzle, it says which
            replacement to use: 1 for the first one, 2 for the next one, and so on.
        begin: the number of the first new slot.
    """
    return tuple(
        replace(printed[number], number=begin + place, seed=replacement_seed(printed[number].seed, which))
        for place, (number, which) in enumerate(sorted(chosen.items()))
    )


def replacement_seed(seed: str, which: int) -> str:
    """Return the seed of a puzzle that replaces another one.

    Args:
        seed: the seed of the old puzzle.
        which: the number of the replacement, from 1, which the user chooses.
    """
    return f"{seed}/replacement {which}"


# Cached, because the text is needed several times for each puzzle, and many puzzles have the same recipe.
@lru_cache(maxsize=100)
def recipe_text(recipe: Recipe) -> str:
    """Write a recipe on one line. A recipe lists the properties that a puzzle must have.

    The text is saved, and identifies the recipe in later runs.
    """
    parts = []
    for field in fields(Recipe):
        value = getattr(recipe, field.name)
        if value is None:
            continue
        if isinstance(value, tuple):
            value = "-".join(grade.label for grade in value if isinstance(grade, Grade))
        if isinstance(value, Grid):
            value = "/".join(grid_rows(value))
        if isinstance(value, Picture):
            value = "/".join(value.rows_text)
        parts.append(f"{field.name}={value}")
    return " ".join(parts)


def _given_slots(spec: BookSpec, level: LevelSpec, begin: int) -> Iterator[Slot]:
    boards = spec.boards(level)
    if len(boards) < level.count:
        raise SpecError(
            f"the level {level.name} takes its puzzles from {level.file}, and that was not read with the "
            "spec: load the spec from its file"
        )
    for index, (board, line) in enumerate(boards, start=1):
        solids = len(board.grid.solids)
        yield Slot(
            number=begin + index - 1,
            level=level.name,
            index=index,
            seed=f"{level.file}/{index}",
            recipe=Recipe(
                board.grid.rows,
                board.grid.cols,
                pairs=Span(len(board.pairs), len(board.pairs)),
                solids=Span(solids, solids),
                rule=level.unique,
            ),
            method=level.method,
            given=board,
            line=line,
        )
