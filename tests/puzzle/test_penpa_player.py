"""Open our addresses in Penpa+ itself, and solve them by mouse in a browser.

The site of Penpa+ is the folder ``docs`` of swaroopg92/penpa-edit. There is no package of it, so the
environment variable ``LINKPRESS_PENPA`` must name a checkout.
"""

import os
from pathlib import Path

import pytest

import boards
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Span
from linkpress.puzzle.notations import read_drawings
from linkpress.puzzle.penpa import PLAYER, puzzle_address, solution_address

CHECKOUT = os.environ.get("LINKPRESS_PENPA")
pytestmark = pytest.mark.skipif(
    CHECKOUT is None, reason="LINKPRESS_PENPA names no checkout of swaroopg92/penpa-edit"
)
MARGIN = 2  # squares that Penpa+ adds on each side of the board
DRAWN = "typeof pu === 'object' && pu.point"


class Penpa:
    """Penpa+ in a browser page, with an address open."""

    def __init__(self, page, address, grid):
        site = Path(CHECKOUT or "", "docs", "index.html").resolve().as_uri()
        self.page, self.grid = page, grid
        page.goto("about:blank")
        page.goto(address.replace(PLAYER, site))
        page.wait_for_function(DRAWN)

    def index(self, cell):
        row, col = self.grid.position(cell)
        return (row + MARGIN) * (self.grid.cols + 2 * MARGIN) + col + MARGIN

    def drag(self, cells):
        corner = self.page.locator("#canvas").bounding_box()
        points = [self.page.evaluate(f"pu.point[{self.index(cell)}]") for cell in cells]
        places = [(corner["x"] + point["x"], corner["y"] + point["y"]) for point in points]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=3)
        self.page.mouse.up()

    @property
    def finds_it_right(self):
        """Whether Penpa+ accepts the drawing."""
        return bool(self.page.evaluate("pu.sol_flag"))

    @property
    def shown(self):
        """Return the numbers by index, and the indexes of the black squares."""
        numbers, shades = self.page.evaluate("[pu.pu_q.number, pu.pu_q.surface]")
        assert set(shades.values()) <= {4}
        return {int(at): int(number[0]) for at, number in numbers.items()}, set(map(int, shades))


def made(rows, cols, solids):
    return generate(Recipe(rows, cols, solids=solids), f"penpa/{rows}/{cols}").solution


@pytest.fixture(scope="module")
def solutions():
    """Return solutions of boards with odd and even sides, with and without solids."""
    return [boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION, made(6, 8, Span(2, 4)), made(10, 9, Span(0, 0))]


@pytest.fixture
def penpa(chromium):
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    context.route("http*://**/*", lambda route: route.abort())  # fonts and visitor counters
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield lambda address, grid: Penpa(page, address, grid)
    context.close()
    assert errors == []


@pytest.mark.parametrize("at", range(4))
def test_penpa_shows_the_numbers_and_the_solids(penpa, solutions, at):
    puzzle = solutions[at].puzzle
    for address in (puzzle_address(puzzle), solution_address(solutions[at])):
        player = penpa(address, puzzle.grid)
        numbers, solids = player.shown
        assert numbers == {player.index(cell): number for cell, number in puzzle.number_at.items()}
        assert solids == {player.index(cell) for cell in puzzle.grid.solids}


@pytest.mark.parametrize("at", range(4))
def test_penpa_takes_the_answer_and_no_other(penpa, solutions, at):
    solution = solutions[at]
    player = penpa(solution_address(solution), solution.puzzle.grid)
    *paths, last = (path.cells for path in solution.paths)
    for cells in paths:
        player.drag(cells)
    player.drag(last[:-1])
    assert not player.finds_it_right, "a step is missing"
    player.drag(last[-2:])
    player.page.wait_for_function("pu.sol_flag")
    spare = next(step for step in steps_of(solution.puzzle.grid) if step not in solution.edges)
    player.page.click(".swal2-confirm")
    player.page.wait_for_selector(".swal2-container", state="detached")
    player.drag(spare)
    assert not player.finds_it_right, "there is a step too many"


def test_what_is_drawn_in_penpa_is_read_back(penpa):
    solution = boards.SOLVED_BOARD
    player = penpa(puzzle_address(solution.puzzle), solution.puzzle.grid)
    for path in solution.paths[:2]:
        player.drag(path.cells)
    ((puzzle, drawn),) = read_drawings(player.page.evaluate("pu.maketext()"))
    assert puzzle == solution.puzzle
    assert drawn == {step for path in solution.paths[:2] for step in path.edges}


def steps_of(grid):
    return ((one, other) for one in grid.free_cells for other in grid.neighbours[one] if one < other)
