"""Boards whose paths stay inside the regions of a picture."""

import pytest
from brute_force import verdict
from hypothesis import given, settings
from hypothesis import strategies as st
from sat_judge import judge_by_sat

from linkpress.engine.make.generate import generate
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Grade, Method, Recipe, Rule, Span, fewest_pairs, recipe_problem
from linkpress.puzzle.picture import Picture, parse_picture
from linkpress.puzzle.puzzle import Grid
from linkpress.puzzle.rules import check_solution

FLAG = parse_picture("""
RRRRR..
RRRRR..
RRRRR..
.......
YYYYY#.
YYYYY..
YYYYY..
""")


def assert_regions_kept(picture, solution):
    for path, colour in zip(solution.paths, solution.puzzle.colours, strict=True):
        assert {picture.colours[cell] for cell in path.cells} == {colour}


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([Rule.STRICT, Rule.FILLED]), st.sampled_from([Method.WALK, Method.QUICK]), st.booleans(),
    st.integers(0, 10**6),
)  # fmt: skip
def test_paths_keep_to_their_regions_and_two_other_provers_agree(rule, method, composed, seed):
    recipe = Recipe(7, 7, Span(8, 10), rule=rule, composed=composed, picture=FLAG)
    made = generate(recipe, str(seed), method, graded=False)
    assert_regions_kept(FLAG, made.solution)
    assert made.puzzle.grid == FLAG.grid
    assert check_solution(made.solution) == ()
    assert prove(made.puzzle, rule).solution == made.proof.solution == made.solution
    assert judge_by_sat(made.puzzle, rule) == (Verdict.UNIQUE, [made.solution])


def test_brute_force_finds_no_second_drawing_of_a_small_picture():
    picture = parse_picture("RRRRR\nRRRRR\n.....\n.....\n..YYY")
    for seed in range(5):
        made = generate(Recipe(5, 5, Span(5, 6), picture=picture), str(seed), graded=False)
        assert_regions_kept(picture, made.solution)
        assert verdict(made.puzzle, Rule.STRICT) is Verdict.UNIQUE


def test_changes_toward_a_technique_keep_the_regions():
    recipe = Recipe(7, 7, Span(7, 9), techniques=(Grade.EASY, Grade.FIENDISH), picture=FLAG)
    made = generate(recipe, "easy")
    assert_regions_kept(FLAG, made.solution)
    assert made.grading.technique >= Grade.EASY


def test_the_pairs_of_a_colour_have_consecutive_numbers():
    made = generate(Recipe(7, 7, Span(9, 9), picture=FLAG), "colours")
    assert [*dict.fromkeys(made.puzzle.colours)] == ["red", "white", "yellow"]
    assert list(made.puzzle.colours) == sorted(made.puzzle.colours)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (
            "RRRRR RRRRR RRRRR RRRYY RRRRR",
            "the picture's yellow region of 2 squares at D4 can't be filled with paths: it is too small for "
            "a path, which has at least 3 squares; make it larger, join it to another region of this colour, "
            "or make its squares solid",
        ),
        (
            "RRRRR RRRRR RRRRR RRRLL RRRLL",
            "the picture's light blue region of 4 squares at D4 can't be filled with paths: no paths of at "
            "least 3 squares cover it, because no path may run beside itself; make it larger, join it to "
            "another region of this colour, or make its squares solid",
        ),
    ],
)
def test_a_region_that_no_paths_fill_is_named(rows, problem):
    assert recipe_problem(Recipe(5, 5, Span(3, 6), picture=parse_picture(rows.replace(" ", "\n")))) == problem


def test_a_picture_needs_a_path_for_each_region_and_goes_with_no_other_place_of_numbers():
    picture = parse_picture("RRRYY\nRRRYY\nRRRYY\nRRR..\n.....")
    assert fewest_pairs(Recipe(5, 5, picture=picture)) == 3
    assert "the picture needs 3 pairs or more" in recipe_problem(Recipe(5, 5, Span(1, 2), picture=picture))
    assert "can be neighbours" in recipe_problem(Recipe(5, 5, Span(4, 5), apart=True, picture=picture))


@settings(max_examples=60, deadline=None)
@given(st.frozensets(st.integers(0, 11), max_size=9))
def test_a_small_island_is_refused_only_if_no_paths_fill_it(solids):
    free = frozenset(range(12)) - solids
    picture = Picture(3, 4, (*("red" if cell in free else "" for cell in range(11)), "blue"))
    layer = Grid(3, 4, solids | {11})
    problem = recipe_problem(Recipe(3, 4, picture=picture)) or ""
    assert ("red region" in problem) == (not fills(layer, free - {11}))


def fills(grid, left):
    """Whether paths of three cells or more that don't touch themselves cover all cells."""
    if not left:
        return True
    return any(
        fills(grid, left - set(path))
        for start in left
        for path in paths_from(grid, (start,), left)
        if min(left) in path
    )


def paths_from(grid, path, left):
    if len(path) >= 3:
        yield path
    for cell in grid.neighbours[path[-1]]:
        if cell in left and cell not in path and len(set(grid.neighbours[cell]) & set(path)) == 1:
            yield from paths_from(grid, (*path, cell), left)
