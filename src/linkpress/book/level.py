"""One level of a book, and the recipe keys that a feed's weekday shares with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from linkpress.book.book_values import MAX_PUZZLES, PerPageChoice, puzzles_a_page
from linkpress.book.recipe_values import BoardSize, Grades, Paths, Sizes, SolidCount, SolidsAmount
from linkpress.config.models import Keys, Readable
from linkpress.config.problem import Problem
from linkpress.config.values import LeftOut, Share, YesNo, line_of_text, one_of, percent_text, whole
from linkpress.engine.recipe import (
    Method,
    Pattern,
    Recipe,
    Rule,
    Span,
    counted,
    longest_path,
    recipe_fault,
    solid_counts,
)
from linkpress.puzzle.grid import MAX_SIDE

MIN_WALK_SIDE = 5

# Free squares for each path where `paths` is left out: from long, winding paths to short ones.
# 7 × 7 gets 5-7 paths, 10 × 10 10-15, 20 × 20 40-58.
_LONG_PATH, _SHORT_PATH = 10, 7
_WALK_SHORTEST, _CLASSIC_SHORTEST = 3, 2

# Where the keys are left out no path covers nearly all, and not most of the pairs stand on the
# border. Boards begun for a puzzle, without and with both: 5 × 5 with 3 paths 1.8 and 1.6, 7 × 7
# with 3 57 and 58, 9 × 9 with 4 283 and 283, 10 × 10 with 12 1.3 and 1.2; of 450 searches over 150
# odd recipes 5 failed without and 4 with them. One or two paths may have to.
_LONGEST_SHARE, _BORDER_SHARE = 0.6, 0.5
_FREE_OF_SHARES = 2


class RecipeKeys(Keys):
    """What each puzzle of a level or a weekday must be."""

    size: Annotated[Sizes, Field(description="The board's size. A list is mixed evenly.")]
    paths: Annotated[
        Paths | None,
        LeftOut("one for every 7 to 10 free squares; classic: any"),
        Field(description="How many paths (pairs of numbers) a board has."),
    ] = None
    solids: Annotated[
        SolidsAmount | None,
        LeftOut("0; classic: any"),
        Field(
            description="How many squares are solid. Without % a count; with % a share of all "
            "rows x cols squares: a range means the whole counts inside it, a single share the nearest."
        ),
    ] = None
    unique: Annotated[
        Rule,
        one_of(Rule),
        Field(
            description="What one solution means: `strict`, no other drawing even if squares may "
            "stay empty; `filled`, no other drawing that covers every square."
        ),
    ] = Rule.STRICT
    grade: Annotated[
        Grades | None,
        LeftOut("any, ungraded too"),
        Field(description="How hard, by the techniques that a person needs."),
    ] = None
    method: Annotated[
        Method,
        one_of(Method),
        Field(description="`walk` meets a recipe exactly; `classic` is the article's path growth."),
    ] = Method.WALK
    shortest_path: Annotated[
        int | None,
        whole(2, 50),
        LeftOut("3; classic: 2"),
        Field(description="The fewest squares on a path, its two numbers included."),
    ] = None
    adjacent_pairs: Annotated[
        YesNo | None,
        LeftOut("no; classic: yes"),
        Field(description="Whether the two numbers of a pair may be neighbours."),
    ] = None
    longest_share: Annotated[
        Share | None,
        LeftOut("60%; classic, or 1 or 2 paths: 100%"),
        Field(description="The most of the free squares that one path may cover."),
    ] = None
    border_share: Annotated[
        Share | None,
        LeftOut("50%; classic, or 1 or 2 paths: 100%"),
        Field(description="The most of the pairs that may have both numbers on the border."),
    ] = None
    solid_pattern: Annotated[
        Pattern, one_of(Pattern), Field(description="How solids lie: unchanged by a half turn, or mirrored.")
    ] = Pattern.SCATTERED

    @property
    def shortest_squares(self) -> int:
        """The fewest squares on a path, the method's own where the key is left out."""
        if self.shortest_path is not None:
            return self.shortest_path
        return _CLASSIC_SHORTEST if self.method is Method.CLASSIC else _WALK_SHORTEST

    def solids_on(self, size: BoardSize) -> Span | None:
        """The counts of solids meant on a board; None for any (``classic`` only)."""
        if self.solids is not None:
            return self.solids.span(size)
        return None if self.method is Method.CLASSIC else Span(0, 0)

    def paths_on(self, size: BoardSize) -> Span | None:
        """The path counts meant on a board; None for any (``classic`` only)."""
        if self.paths is not None or self.method is Method.CLASSIC:
            return self.paths
        solids = self.solids_on(size)
        free = size.rows * size.cols - (solids.high if solids else 0)
        most = max(1, free // self.shortest_squares)
        least = math.ceil(1 / self.longest_share) if self.longest_share else 1
        high = min(most, math.ceil(free / _SHORT_PATH))
        return Span(min(max(least, math.ceil(free / _LONG_PATH)), max(high, least)), max(high, least))

    def recipe(self, size: BoardSize) -> Recipe:
        """What one puzzle of a size must be."""
        classic, paths = self.method is Method.CLASSIC, self.paths_on(size)
        limited = not classic and paths is not None and paths.low > _FREE_OF_SHARES
        longest, border = (_LONGEST_SHARE, _BORDER_SHARE) if limited else (1.0, 1.0)
        return Recipe(
            rows=size.rows,
            cols=size.cols,
            pairs=paths,
            solids=self.solids_on(size),
            rule=self.unique,
            grades=self.grade,
            shortest_path=self.shortest_squares,
            adjacent_pairs=classic if self.adjacent_pairs is None else self.adjacent_pairs,
            longest_share=longest if self.longest_share is None else float(self.longest_share),
            border_share=border if self.border_share is None else float(self.border_share),
            pattern=self.solid_pattern,
        )

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Why no board of a size can meet the keys, as far as counting tells."""
        if readable("size"):
            for at, size in enumerate(self.size):
                yield from _faults(self, size, at)


class LevelHead(Keys):
    """What a level is called and how many puzzles it has."""

    name: Annotated[
        str, line_of_text(40), Field(description="The section's title; part of its puzzles' randomness.")
    ]
    count: Annotated[int, whole(1, MAX_PUZZLES), Field(description="How many puzzles the level has.")]


def _size_or_boards(schema: dict[str, Any]) -> None:
    schema["required"].remove("size")
    schema["anyOf"] = [{"required": ["size"]}, {"required": ["from"]}]


class LevelSpec(RecipeKeys, LevelHead):
    """One section of the book."""

    model_config = ConfigDict(json_schema_extra=_size_or_boards)

    file: Annotated[
        str | None,
        line_of_text(200),
        Field(
            alias="from",
            description="A file of puzzles, beside the spec, to be proven, graded and printed instead of "
            "made ones: its first `count`. Leave `size` and the other recipe keys out; `unique` holds.",
        ),
    ] = None
    per_page: Annotated[
        PerPageChoice,
        puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9),
        Field(description="Puzzles on a page; `auto`: the most that keep comfortable squares."),
    ] = "auto"

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """As for other puzzles; keys that say what boards must be, where a file has them."""
        if self.file is None:
            yield from super().problems(readable)
            return
        for name in RecipeKeys.model_fields.keys() - {"size", "unique"}:
            if getattr(self, name) != RecipeKeys.model_fields[name].default:
                yield Problem("", "the boards of `from` are as they are; leave it out", (name,))


def _faults(keys: RecipeKeys, size: BoardSize, at: int) -> Iterator[Problem]:
    """Why no board of a size can meet the keys."""
    squares = size.rows * size.cols
    here = ("size", at) if len(keys.size) > 1 else ("size",)
    if keys.method is Method.WALK and min(size.rows, size.cols) < MIN_WALK_SIDE:
        message = f"boards from {MIN_WALK_SIDE} to {MAX_SIDE} are made; smaller with method: classic"
        yield Problem(str(size), message, here)
        return
    solids = keys.solids_on(size)
    if solids is None and keys.solids is not None:
        yield Problem(str(keys.solids), _no_whole_count(keys.solids, size), ("solids",))
        return
    fewest, most = (solids.low, solids.high) if solids else (0, 0)
    shortest = keys.shortest_squares
    if squares - most < shortest:
        message = (
            f"that leaves {max(0, squares - most)} of the {squares} squares of a board of {size.sides} free; "
            f"a path needs {shortest}"
        )
        yield Problem(str(keys.solids), message, ("solids",))
        return
    recipe = keys.recipe(size)
    found = list(_path_faults(keys, size, squares - fewest, squares - most))
    if not solid_counts(recipe):
        message = f"an odd number can't lie {recipe.pattern} on a board of {size.sides}; make it even"
        found.append(Problem(str(keys.solids), message, ("solids",)))
    yield from found
    other = None if found else recipe_fault(recipe)
    if other:
        yield Problem(size.sides, other, here)


def _path_faults(keys: RecipeKeys, size: BoardSize, most_free: int, least_free: int) -> Iterator[Problem]:
    paths, shortest = keys.paths_on(size), keys.shortest_squares
    if paths is None:
        return
    if paths.high * shortest > most_free:
        message = (
            f"{paths.high} paths of {shortest} squares or more need {paths.high * shortest}; "
            f"a board of {size.sides} has {most_free} free; at most {most_free // shortest} paths fit"
        )
        yield Problem(str(paths), message, ("paths" if keys.paths else "shortest_path",))
    elif paths.low * shortest > least_free:
        message = (
            f"the high end leaves {least_free} squares free on a board of {size.sides}; {paths.low} paths of "
            f"{shortest} squares or more need {paths.low * shortest}"
        )
        yield Problem(str(keys.solids), message, ("solids",))
    if keys.longest_share is None:
        return
    longest = longest_path(keys.recipe(size), size.rows * size.cols - most_free)
    if paths.high * longest < least_free:
        message = (
            f"{counted(paths.high, 'path')} of at most {longest} squares can't cover the {least_free} free "
            f"squares of a {size.sides} board; allow more or ask for more paths"
        )
        yield Problem(percent_text(keys.longest_share), message, ("longest_share",))


def _no_whole_count(solids: SolidCount, size: BoardSize) -> str:
    squares = size.rows * size.cols
    below = math.floor(solids.low * squares)
    return (
        f"no whole number of the {squares} squares of a board of {size.sides} lies in that range; "
        f"the nearest are {below} ({below / squares:.1%}) and {below + 1} ({(below + 1) / squares:.1%})"
    )
