"""What boards look like: made ones beside those of given files.

Run: ``python tests/benchmarks/shapes.py [--count 100] [--seconds 60] [--pattern rotational] [FILE …]``. A
file holds link text, a blank line after each board. Boards are made as a book makes them where a level says
no more than size and paths. One row for each size and origin:

* shortest: squares on a board's shortest path, on average;
* straight: share of the paths that have one turn or none;
* near: share of the pairs whose numbers stand two squares apart, straight or diagonally;
* border: numbers on the border for each square there, against numbers on the board for each of its
  squares; 1 where they are spread evenly;
* symmetric: share of the numbers whose image is a number, under whichever of a half turn and the
  reflections suits the board best.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from published import records

from linkpress.book.level import RecipeKeys
from linkpress.documents.models import read_values
from linkpress.engine.make.generate import generate
from linkpress.engine.prove.proof import prove
from linkpress.engine.recipe import Pattern, Rule
from linkpress.errors import RecipeError
from linkpress.puzzle.grid import Cell, turning_cells
from linkpress.puzzle.puzzle import Solution

# Size and paths of the boards made, and the aims: straight, near and border at most.
MADE = (("10x10", "8-10"), ("12x12", "9-12"), ("15x15", "14-18"), ("20x20", "26-34"))
AIMS = (0.22, 0.04, 0.65)
HEAD = ("origin", "board", "boards", "pairs", "shortest", "straight", "near", "border", "symmetric")


@dataclass(frozen=True, slots=True)
class Shape:
    """The figures of one board."""

    pairs: int
    shortest: int
    straight: int
    near: int
    border: float
    symmetric: float


def shape_of(solution: Solution) -> Shape:
    """Measure a solved board."""
    grid = solution.puzzle.grid
    rows, cols = grid.rows, grid.cols
    ends = [cell for path in solution.paths for cell in (path.cells[0], path.cells[-1])]
    edge_squares = 2 * (rows + cols) - 4
    on_edge = sum(_on_border(cell, rows, cols) for cell in ends)
    return Shape(
        pairs=len(solution.paths),
        shortest=min(len(path.cells) for path in solution.paths),
        straight=sum(len(turning_cells(path.cells)) <= 1 for path in solution.paths),
        near=sum(_apart(path.cells[0], path.cells[-1], cols) <= 2 for path in solution.paths),
        border=(on_edge / edge_squares) / (len(ends) / (rows * cols)),
        symmetric=symmetry_of(ends, rows, cols),
    )


def symmetry_of(ends: Sequence[Cell], rows: int, cols: int) -> float:
    """The share of the squares whose image is among them, under the symmetry that suits best."""
    places = {divmod(cell, cols) for cell in ends}
    kinds = [
        {(rows - 1 - row, cols - 1 - col) for row, col in places},
        {(row, cols - 1 - col) for row, col in places},
        {(rows - 1 - row, col) for row, col in places},
    ]
    if rows == cols:
        kinds += [
            {(col, row) for row, col in places},
            {(cols - 1 - col, rows - 1 - row) for row, col in places},
        ]
    return max(len(places & images) for images in kinds) / len(places)


def _on_border(cell: Cell, rows: int, cols: int) -> bool:
    return cell // cols in (0, rows - 1) or cell % cols in (0, cols - 1)


def _apart(one: Cell, other: Cell, cols: int) -> int:
    return abs(one // cols - other // cols) + abs(one % cols - other % cols)


def made_boards(keys: RecipeKeys, count: int, limit_s: float) -> Iterator[Solution]:
    """Boards as a level makes them, until there are enough or the processor time is over."""
    begun = time.process_time()
    for number in range(count):
        if time.process_time() - begun > limit_s:
            return
        try:
            yield generate(keys.recipes(1)[0], f"shapes/{number}", graded=False).solution
        except RecipeError as error:
            print(f"  {error}")


def file_boards(path: Path) -> Iterator[Solution]:
    """The boards of a file that are proven to have one drawing."""
    for puzzle, _ in records(path):
        solution = (
            prove(puzzle, Rule.STRICT).solution if max(puzzle.grid.rows, puzzle.grid.cols) <= 15 else None
        )
        if solution is not None:
            yield solution


def row_of(origin: str, board: str, shapes: Sequence[Shape]) -> str:
    """One line of the table."""
    pairs = sum(shape.pairs for shape in shapes)
    figures = [
        f"{pairs / len(shapes):.1f}",
        f"{statistics.mean(shape.shortest for shape in shapes):.1f}",
        f"{sum(shape.straight for shape in shapes) / pairs:.1%}",
        f"{sum(shape.near for shape in shapes) / pairs:.1%}",
        f"{statistics.mean(shape.border for shape in shapes):.2f}",
        f"{statistics.mean(shape.symmetric for shape in shapes):.0%}",
    ]
    return f"| {origin} | {board} | {len(shapes)} | {' | '.join(figures)} |"


def by_size(solutions: Iterable[Solution]) -> dict[str, list[Shape]]:
    """The shapes of boards by their size."""
    sizes: dict[str, list[Shape]] = {}
    for solution in solutions:
        grid = solution.puzzle.grid
        sizes.setdefault(f"{grid.cols} × {grid.rows}", []).append(shape_of(solution))
    return sizes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="boards made of each size")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for each size")
    parser.add_argument("--fewest", type=int, default=5, help="boards of a size in a file to be shown")
    parser.add_argument("--pattern", type=Pattern, default=Pattern.SCATTERED, help="how numbers are placed")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for size, paths in MADE:
        keys = read_values({"size": size, "paths": paths}, RecipeKeys)
        shapes = [shape_of(board) for board in made_boards(keys, options.count, options.seconds)]
        print(row_of("made", size, shapes), flush=True)
    for path in options.files:
        for size, shapes in by_size(file_boards(path)).items():
            if len(shapes) >= options.fewest:
                print(row_of(path.stem, size, shapes), flush=True)
    straight, near, border = AIMS
    print(
        f"\nAims at 10 × 10 and 15 × 15: straight {straight:.0%}, near {near:.0%}, border {border} or less."
    )


if __name__ == "__main__":
    main()
