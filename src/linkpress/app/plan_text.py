"""What a build would do, in words, before any puzzle is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from linkpress.book.level import LevelSpec
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Recipe, counted
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import BUILD_DIGITS, check_cover, lay_out


def plan_text(spec: BookSpec, folder: Path) -> str:
    """The plan of a book: its levels, pages and sheets.

    Args:
        spec: checked.
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: the book would not fit its page or printer.
    """
    check_cover(spec, folder)
    book, profile, theme = lay_out(stand_in_volume(spec), folder, build="0" * BUILD_DIGITS)
    pages = book.page_count
    sheets = -(-pages // 2)
    lines = [
        f"{spec.title} ({spec.book_id})",
        f"seed {spec.seed}, printer {profile.name}, trim {book.trim}, theme {theme.name}",
        "",
        *(_level_line(level) for level in spec.levels),
        "",
        f"{counted(spec.puzzle_count, 'puzzle')}, {pages} pages, {counted(sheets, 'sheet')}, "
        f"inside margin {book.margins.inside_pt / 72:.3f} in",
    ]
    return "\n".join(lines) + "\n"


def _level_line(level: LevelSpec) -> str:
    return f"{level.name}: {counted(level.count, 'puzzle')}; " + "; ".join(_recipes(level))


def _recipes(level: LevelSpec) -> Iterator[str]:
    if level.file is not None:
        yield f"from {level.file}, {level.unique.value}"
        return
    for size in level.size:
        recipe = level.recipe(size)
        yield f"{recipe.cols} x {recipe.rows}, {_counts(recipe)}, {recipe.rule.value}{_grades(recipe)}"


def _counts(recipe: Recipe) -> str:
    paths = "any number of paths" if recipe.pairs is None else counted(recipe.pairs, "path")
    solids = "any solids" if recipe.solids is None else counted(recipe.solids, "solid")
    return f"{paths}, {solids}"


def _grades(recipe: Recipe) -> str:
    if recipe.grades is None:
        return ""
    low, high = recipe.grades
    return f", {low.label}" if low == high else f", {low.label} to {high.label}"
