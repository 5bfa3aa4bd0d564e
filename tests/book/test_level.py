import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from linkpress.book.level import IfGradeMissing, LevelSpec
from linkpress.book.recipe_values import BoardSize
from linkpress.engine.recipe import Grade, Method, NumberPattern, Pattern, Recipe, Rule, Span


def level(**keys):
    return LevelSpec.model_validate({"name": "Easy", "count": 3, "size": "7x5", **keys})


def faults_of(**keys):
    with pytest.raises(ValidationError, match=r"\d validation error") as caught:
        level(**keys)
    return [
        f"{'.'.join(map(str, problem.key))}: {problem.text}"
        for entry in caught.value.errors()
        for problem in entry["ctx"]["error"].problems
    ]


def test_the_keys_become_a_recipe():
    keys = {
        "paths": "4-5",
        "solids": "0-10%",
        "unique": "filled",
        "grade": "easy-hard",
        "stars": "2-3",
        "shortest_path": 4,
        "adjacent_pairs": "yes",
        "longest_share": "40%",
        "border_share": "50%",
        "solid_pattern": "rotational",
    }
    assert level(**keys).recipes(1) == [
        Recipe(
            rows=5,
            cols=7,
            pairs=Span(4, 5),
            solids=Span(0, 3),
            rule=Rule.FILLED,
            grades=(Grade.EASY, Grade.HARD),
            shortest_path=4,
            adjacent_pairs=True,
            longest_share=0.4,
            border_share=0.5,
            pattern=Pattern.ROTATIONAL,
            stars=Span(2, 3),
        )
    ]


def test_effort_and_otherwise_are_read_and_change_no_recipe():
    asked = level(effort=2.5, otherwise="nearest")
    assert (asked.effort, asked.otherwise) == (2.5, IfGradeMissing.NEAREST)
    assert (level().effort, level().otherwise) == (1.0, IfGradeMissing.FAIL)
    assert asked.recipe(BoardSize(5, 7)) == level().recipe(BoardSize(5, 7))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"effort": 0}, "a number from 0.1 to 1000 (times the usual work) is allowed"),
        ({"effort": "lots"}, "a number from 0.1 to 1000"),
        ({"otherwise": "skip"}, "fail or nearest is allowed"),
    ],
)
def test_an_effort_or_otherwise_that_means_nothing_is_refused(keys, said):
    assert any(said in fault for fault in faults_of(**keys))


def test_what_is_left_out_has_the_methods_own_default():
    walked, classic = level(), level(method="classic")
    assert walked.recipe(BoardSize(5, 7)) == Recipe(
        5, 7, pairs=Span(4, 5), solids=Span(0, 0), longest_share=0.6, border_share=0.5
    )
    assert classic.method is Method.CLASSIC
    assert classic.recipe(BoardSize(5, 7)) == Recipe(5, 7, shortest_path=2, adjacent_pairs=True)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            {"paths": "8-12"},
            "paths: 8-12 — 12 paths of 3 squares or more need 36; a board of 7x5 has 35 free",
        ),
        ({"paths": 9, "shortest_path": 4}, "paths: 9 — 9 paths of 4 squares or more need 36"),
        ({"paths": "8", "solids": "0-12"}, "solids: 0-12 — the high end leaves 23 squares free"),
        ({"solids": 33}, "solids: 33 — that leaves 2 of the 35 squares"),
        ({"solids": "95%"}, "solids: 95% — that leaves 2 of the 35 squares"),
        (
            {"solids": "6-8%"},
            "solids: 6-8% — no whole number of the 35 squares of a board of 7x5 lies in that",
        ),
        ({"paths": 3, "longest_share": "20%"}, "longest_share: 20% — 3 paths of at most 7 squares"),
        ({"longest_share": "0%"}, "longest_share: 0% — 5 paths of at most 0 squares"),
        ({"size": "6", "solids": 3, "solid_pattern": "rotational"}, "solids: 3 — an odd number"),
        ({"size": "4"}, "size: 4 — boards from 5 to 50 are made; smaller with method: classic"),
        ({"size": ["7", "4x9"]}, "size.1: 4x9 — boards from 5 to 50"),
    ],
)
def test_a_recipe_that_can_not_exist_is_a_fault(keys, said):
    assert faults_of(**keys)[0].startswith(said)


def test_every_size_of_a_list_is_judged_with_the_other_keys():
    assert [line.split(";")[1] for line in faults_of(size=["6", "7x5", "9"], paths=12)] == [
        " a board of 7x5 has 35 free"
    ]


@pytest.mark.parametrize(
    ("keys", "shares"),
    [
        ({"paths": 3}, (0.6, 0.5)),
        ({"paths": "2-5"}, (1, 1)),
        ({"paths": 1, "solids": 20}, (1, 1)),
        ({"paths": 5, "method": "classic"}, (1, 1)),
        ({"paths": 5, "longest_share": "100%"}, (1, 0.5)),
        ({"paths": 2, "border_share": "0%"}, (1, 0)),
    ],
)
def test_shares_that_are_left_out_are_limits_where_there_are_three_paths_or_more(keys, shares):
    recipe = level(**keys).recipe(BoardSize(5, 7))
    assert (recipe.longest_share, recipe.border_share) == shares


def test_mirrored_solids_may_be_odd_where_the_middle_column_is_there():
    assert level(solids=3, solid_pattern="mirror").recipe(BoardSize(5, 7)).solids == Span(3, 3)
    assert level(size="7x6", solids=3, solid_pattern="scattered").solids is not None


def test_classic_makes_boards_of_three():
    assert level(size="3", method="classic").recipe(BoardSize(3, 3)).rows == 3


@settings(deadline=None, max_examples=80)
@given(st.integers(5, 50), st.integers(5, 50), st.integers(2, 12), st.sampled_from(["0", "3", "0-10%"]))
def test_paths_that_are_left_out_always_fit(rows, cols, shortest, solids):
    made = level(size=f"{cols}x{rows}", shortest_path=shortest, solids=solids)
    recipe = made.recipe(BoardSize(rows, cols))
    assert 1 <= recipe.pairs.low <= recipe.pairs.high
    assert recipe.pairs.high * shortest <= rows * cols


@pytest.mark.parametrize(
    ("size", "keys", "looks"),
    [
        (9, {"paths": "8-9"}, (3, 0.5, 1.0)),
        (10, {"paths": "8-10"}, (5, 0.2, 0.25)),
        (10, {}, (5, 0.2, 0.25)),  # 15 paths of 6.7 squares each
        (10, {"paths": 18}, (4, 0.2, 0.25)),
        (10, {"paths": 22}, (3, 0.5, 1.0)),
        (10, {"paths": "8-10", "solids": "40-50%"}, (4, 0.2, 0.25)),
        (10, {"paths": "4-6"}, (3, 0.5, 1.0)),
        (10, {"paths": 9, "shortest_path": 3, "border_share": "40%", "border_numbers": "60%"}, (3, 0.4, 0.6)),
        (10, {"method": "classic", "paths": 14}, (2, 1.0, 1.0)),
    ],
)
def test_boards_of_ten_that_are_not_composed_have_no_short_paths_where_there_is_room(
    size, keys, looks
) -> None:
    recipe = level(size=size, **{"composed": "no"} | keys).recipe(BoardSize(size, size))
    assert (recipe.shortest_path, recipe.border_share, recipe.border_numbers) == looks


@pytest.mark.parametrize(
    ("size", "keys", "composed", "pattern"),
    [
        ("7", {}, False, NumberPattern.FREE),
        ("8x9", {}, True, NumberPattern.FREE),
        ("10x12", {}, True, NumberPattern.SYMMETRIC),
        ("10x16", {}, True, NumberPattern.FREE),  # too long for symmetric ones to be made quickly
        ("10", {"paths": "4-6"}, True, NumberPattern.FREE),
        ("10", {"solids": 4}, True, NumberPattern.FREE),
        ("10", {"composed": "no"}, False, NumberPattern.FREE),
        ("10", {"composed": "no", "number_pattern": "symmetric"}, False, NumberPattern.SYMMETRIC),
        ("10", {"number_pattern": "flip"}, True, NumberPattern.FLIP),
        ("10", {"method": "classic"}, False, NumberPattern.FREE),
    ],
)
def test_boards_are_composed_from_eight_up_and_symmetric_from_ten(size, keys, composed, pattern) -> None:
    made = level(size=size, **keys)
    recipe = made.recipe(made.size[0])
    assert (recipe.composed, recipe.number_pattern) == (composed, pattern)


def test_grown_boards_are_not_composed() -> None:
    assert faults_of(method="classic", composed="yes")[0].startswith("composed: yes — grown boards")


def test_numbers_in_a_pattern_are_refused_where_they_can_not_lie_so() -> None:
    assert level(number_pattern="mirror").recipe(BoardSize(5, 7)).number_pattern is NumberPattern.MIRROR
    assert faults_of(size="10", paths=9, number_pattern="rotational")[0].startswith(
        "size: 10x10 — number pattern"
    )
    assert faults_of(method="classic", number_pattern="mirror")[0].startswith(
        "number_pattern: mirror — grown"
    )


def test_numbers_are_apart_where_nothing_puts_them_side_by_side() -> None:
    assert level(apart="yes").recipe(BoardSize(5, 7)).apart
    assert faults_of(method="classic", apart="yes")[0].startswith("apart: yes — grown boards")
    assert faults_of(apart="yes", adjacent_pairs="yes")[0].startswith(
        "apart: yes — the two numbers of a pair"
    )


def test_a_mix_is_spread_over_the_puzzles_from_the_easiest_on_and_sizes_take_turns() -> None:
    mixed = level(count=5, size=["7x5", "8"], grade={"hard": 2, "easy-medium": 3}, stars={2: 1, "1": 4})
    asked = [(recipe.cols, recipe.asked) for recipe in mixed.recipes(5)]
    easy, hard = "easy to medium", "hard"
    assert asked == [
        (7, f"{easy}, 1 star"),
        (8, f"{easy}, 1 star"),
        (7, f"{easy}, 1 star"),
        (8, f"{hard}, 1 star"),
        (7, f"{hard}, 2 stars"),
    ]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"grade": {"easy": 2, "hard": 2}}, "grade: 4 in all — let the counts of the mix add up to 3"),
        ({"stars": {"1": 2}}, "stars: 2 in all — let the counts of the mix"),
        ({"from": "boards.txt", "stars": 3}, "stars: the boards of `from` are as they are"),
    ],
)
def test_a_mix_or_stars_that_can_not_be_met_is_a_fault(keys, said) -> None:
    assert faults_of(**keys)[0].startswith(said)


@pytest.mark.parametrize(
    ("size", "stars", "paths"), [(10, 1, "14-24"), (10, 2, "6-11"), (15, 3, "12-18"), (20, 4, "23")]
)
def test_where_stars_are_asked_for_the_paths_are_those_that_usually_give_them(size, stars, paths) -> None:
    (recipe,) = level(count=1, size=size, stars=stars).recipes(1)
    assert str(recipe.pairs) == paths
    (given,) = level(count=1, size=size, stars=stars, paths="9-10").recipes(1)
    assert str(given.pairs) == "9-10"
