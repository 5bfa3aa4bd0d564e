from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random

import pytest
from brute_force import fillings
from grown_boards import small_board
from hypothesis import given, settings
from hypothesis import strategies as st
from known_parts import part_of

from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, FindingKind
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.ladder import OF_CODE, Deduction, edge_index, find, position_of, write
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Rule, Span, fewest_in, fewest_paths, islands, recipe_problem
from linkpress.errors import RecipeError
from linkpress.puzzle.puzzle import Grid, Puzzle

Finding = tuple[int, int, int]


@dataclass
class BoardView:
    """What a position knows, by cell or edge."""

    puzzle: Puzzle
    edges: list[int]
    mates: list[int]
    numbers: list[int]
    needs: list[int]

    @classmethod
    def of(cls, puzzle, position):
        return cls(puzzle, position.edges(), position.mates(), position.pair_codes(), position.needs())

    def fragments(self, first):
        """How many fragments carry the number of the pair with this first endpoint."""
        ends = [cell for cell in self.puzzle.grid.free_cells if self.needs[cell] or self.is_endpoint(cell)]
        carrying = [cell for cell in ends if self.numbers[cell] == first + 1]
        return len({min(cell, self.mates[cell]) for cell in carrying})

    def is_endpoint(self, cell):
        return cell in self.puzzle.number_at


def some_numbers(rng, known, drawing):
    """The right number for a few fragments that are known to carry none."""
    first_of = {pair.number: pair.first for pair in drawing.puzzle.pairs}
    return [
        Deduction(FindingKind.NUMBERED, cell, 0, 1 + first_of[drawing.number_of[cell]])
        for cell, need in enumerate(known.needs)
        if need > 0 and known.numbers[cell] == 0 and known.mates[cell] >= cell and rng.random() < 0.1
    ]


def joined(known):
    """Cells with need that a line can go on to: the edge, or -1 along a fragment."""
    ways = {cell: {} for cell, need in enumerate(known.needs) if need > 0}
    for a, b in known.puzzle.grid.edges:
        if a in ways and b in ways and known.edges[edge_index((a, b))] == EdgeState.OPEN:
            ways[a][b] = ways[b][a] = edge_index((a, b))
    for cell in ways:
        mate = known.mates[cell]
        if mate != cell and mate in ways:
            ways[cell][mate] = -1
    return ways


def paths(ways, allowed, path, goal):
    if path[-1] == goal:
        yield list(path)
        return
    for to in ways[path[-1]]:
        if to in allowed and to not in path:
            yield from paths(ways, allowed, [*path, to], goal)


def expected(known):
    """What the cut-off technique has to say, by listing every way of every pair."""
    ways, findings, users = joined(known), set[Finding](), dict[int, set[int]]()
    needs, mates, numbers = known.needs, known.mates, known.numbers
    used = set[int]()
    for pair in known.puzzle.pairs:
        first = pair.first
        ends = [cell if needs[cell] else mates[cell] for cell in (first, pair.second)]
        if not needs[ends[0]]:
            continue
        allowed = {cell for cell in ways if numbers[cell] in (0, first + 1)}
        found = list(paths(ways, allowed, [ends[0]], ends[1]))
        if not found:
            return None
        between = set().union(*found)
        for cell in between:
            if not needs[mates[cell]] or mates[cell] in between:
                users.setdefault(cell, set()).add(first + 1)
        used |= {edge for cell in between for to, edge in ways[cell].items() if to in between}
        for cell in set.intersection(*map(set, found)):
            if not numbers[cell]:
                findings.add((FindingKind.NUMBERED, min(cell, mates[cell]), first + 1))
        steps = [{ways[a][b] for a, b in pairwise(path)} for path in found]
        findings |= {(FindingKind.DRAWN, edge, 0) for edge in set.intersection(*steps) - {-1}}
    for cell in ways:
        if cell not in users:
            return None
        if not numbers[cell] and len(users[cell]) == 1:
            findings.add((FindingKind.NUMBERED, min(cell, mates[cell]), *users[cell]))
        findings |= {(FindingKind.RULED_OUT, edge, 0) for edge in set(ways[cell].values()) - used - {-1}}
    return findings


def test_cut_offs_agree_with_a_list_of_all_paths():
    seen = {"contradicted": 0, "silent": 0, "telling": 0, "with fragments": 0}
    for index in range(400):
        rng = Random(f"reach/{index}")
        puzzle = small_board(rng)
        drawings = fillings(puzzle)
        position = position_of(puzzle, Rule.FILLED)
        if position.climb(0)[0] == ClimbOutcome.CONTRADICTED:
            continue
        if drawings:
            drawing = rng.choice(drawings)
            assert write(position, part_of(rng, puzzle, drawing))
            assert write(position, some_numbers(rng, BoardView.of(puzzle, position), drawing))
        known, found = BoardView.of(puzzle, position), find(position, OF_CODE[Code.CUT_OFF])
        wanted = expected(known)
        if found is None or wanted is None:
            assert found is wanted is None
            seen["contradicted"] += 1
            continue
        reported = {
            (what, where, cause if what == FindingKind.NUMBERED else 0) for what, where, _, cause in found
        }
        assert reported == wanted, puzzle
        assert len(reported) == len(found)
        seen["telling" if reported else "silent"] += 1
        seen["with fragments"] += any(known.fragments(pair.first) > 2 for pair in puzzle.pairs)
    assert min(seen[kind] for kind in ("contradicted", "telling", "silent", "with fragments")) >= 3, seen


def grid_of(*rows):
    cells = enumerate("".join(rows))
    return Grid(len(rows), len(rows[0]), frozenset(cell for cell, square in cells if square == "#"))


def most_lines(grid):
    """The most lines of which no three meet in a square, found by trying all sets."""
    for count in range(len(grid.edges), 0, -1):
        for lines in combinations(grid.edges, count):
            ends = [cell for line in lines for cell in line]
            if all(ends.count(cell) <= 2 for cell in grid.free_cells):
                return count
    return 0


def test_islands_are_connected_groups_of_cells():
    assert islands(grid_of("..#.", "##..", "..##")) == ((0, 1), (3, 6, 7), (8, 9))


@settings(max_examples=30, deadline=None)
@given(st.sets(st.integers(0, 8), max_size=7))
def test_fewest_paths_are_those_that_the_most_lines_leave(solids):
    grid = Grid(3, 3, frozenset(solids))
    assert fewest_in(grid) == len(grid.free_cells) - most_lines(grid)


def test_each_extra_square_of_one_colour_needs_another_path():
    grid = grid_of(".#.#.", ".....", ".#.#.", ".....", ".#.#.")
    assert fewest_paths(grid, islands(grid)[0]) == 7


def test_too_few_pairs_for_a_mask_are_refused_before_any_board_is_made():
    cross = grid_of(*["###.###"] * 3, ".......", *["###.###"] * 3)
    message = "1 to 2 pairs: the mask needs 3 pairs or more; raise the number"
    assert recipe_problem(Recipe(7, 7, Span(1, 2), mask=cross)) == message
    assert recipe_problem(Recipe(7, 7, Span(1, 3), mask=cross)) is None


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (Recipe(5, 5, 3, mask=Grid(5, 7)), "the mask is 7 × 5, but the board is 5 × 5"),
        (Recipe(5, 7, 5, Span(1, 1), mask=Grid(5, 7)), "solids 1: the mask has 0"),
    ],
)
def test_a_recipe_that_contradicts_its_mask_is_refused(recipe, message):
    with pytest.raises(RecipeError, match=message):
        generate(recipe, "x")
