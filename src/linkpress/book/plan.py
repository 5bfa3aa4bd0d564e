"""This module plans a book: each slot says which puzzle is made where, from which randomness."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace

from linkpress.book.level import IfGradeMissing, LevelSpec
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.errors import SpecError
from linkpress.puzzle.notation.link_text import board_rows, grid_rows
from linkpress.puzzle.puzzle import Grid, Puzzle


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot is a place for one puzzle.

    Args:
        number: the slot's number in the plan, 1…; the printed number goes by difficulty.
        index: the slot's number in its level, 1….
        seed: what the puzzle's randomness comes from, together with the attempt.
        effort: how many times the usual work a search for it may take.
        otherwise: what happens where no puzzle of the grade is found.
        given: the board itself, where it comes from a file.
        line: the line of that file on which the board begins.
    """

    number: int
    level: str
    index: int
    seed: str
    recipe: Recipe
    method: Method
    effort: float = 1.0
    otherwise: IfGradeMissing = IfGradeMissing.FAIL
    given: Puzzle | None = None
    line: int = 0

    def seed_of(self, attempt: int) -> str:
        """Return the seed of all the randomness of an attempt, counted from 0."""
        return f"{self.seed}/{attempt}"

    @property
    def work(self) -> int:
        """Return the units of work that a search for its puzzle may take."""
        return round(self.effort * self.recipe.usual_work)

    @property
    def cover_method(self) -> Method | None:
        """Return the method by which its puzzle's cover is made; None for a board from a file."""
        return None if self.given else self.method

    @property
    def order(self) -> str:
        """Return the puzzle's method and recipe on one line, as the ledger has them."""
        return f"{self.method} {recipe_text(self.recipe)}"

    @property
    def key(self) -> str:
        """Return a digest of what the slot's puzzle depends on: its recipe, but not its place or effort."""
        board = None if self.given is None else board_rows(self.given)
        parts = [self.level, self.index, self.seed, str(self.method), recipe_text(self.recipe), board]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def facts(self) -> dict[str, str | int]:
        """Return the facts about the slot that a log has; a level's name stands for its file."""
        return {"slot": self.number, "level": self.level}

    def __str__(self) -> str:
        source = f" ({self.seed.rpartition('/')[0]}, line {self.line})" if self.given else ""
        return f"puzzle {self.index} of level {self.level}{source}"


def plan_slots(spec: BookSpec) -> tuple[Slot, ...]:
    """Return the slots of a book, level by level; the sizes of a list take turns.

    A slot depends on the book's seed, its level's name and keys and its index in the level alone:
    a puzzle added to one level moves no other. Within a book the seeds are all different: they
    end in the index, and level names are.
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


def replacement_slots(printed: Mapping[int, Slot], wanted: Mapping[int, int], begin: int) -> tuple[Slot, ...]:
    """Return the slots of an editor's replacements, which differ from the first ones in their seeds alone.

    Args:
        printed: the slot that each printed number has without replacements.
        begin: the first new slot's number.
    """
    return tuple(
        replace(printed[number], number=begin + place, seed=replacement_seed(printed[number].seed, which))
        for place, (number, which) in enumerate(sorted(wanted.items()))
    )


def replacement_seed(seed: str, which: int) -> str:
    """Return the seed of a replacement, counted from 1, of the slot with this seed."""
    return f"{seed}/replacement {which}"


_PARTS = tuple((field.name, field.default) for field in fields(Recipe))
_LATER_PARTS = ("border_numbers", "number_pattern", "composed", "apart")


def recipe_text(recipe: Recipe) -> str:
    """Write a recipe on one line, every part that is set by its name.

    Parts that releases after 0.1.0 added are left out where they ask for nothing: slots are known by this
    text, in ledgers and journals.
    """
    parts = []
    for name, default in _PARTS:
        value = getattr(recipe, name)
        if name in _LATER_PARTS and value == default:
            continue
        if isinstance(value, tuple):
            value = "-".join(grade.label for grade in value if isinstance(grade, Grade))
        if isinstance(value, Grid):
            value = "/".join(grid_rows(value))
        if value is not None:
            parts.append(f"{name}={value}")
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
