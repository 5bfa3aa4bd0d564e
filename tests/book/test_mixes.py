import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkpress.book.mixes import WEEKDAYS, apportion, count_parts, expand_mix, expand_week
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, read_spec
from linkpress.documents.models import read_document
from linkpress.documents.problem import InvalidError, YamlSource, problem_lines
from linkpress.documents.shipped_files import DIFFICULTY_SETS, LANGUAGES
from linkpress.documents.yaml_source import parse_yaml
from linkpress.production.forecast import rising_warnings

GENTLE_AND_TOUGH = """\
difficulties:
  gentle: {size: 6, paths: 5}
  tough: {size: 10, paths: 9-11, solids: 5%}
"""


def expand(text):
    source, problems = expand_mix(parse_yaml(text, "book.yaml"))
    assert problem_lines(problems) == []
    assert not source.value.keys() & {"puzzles", "mix", "difficulties", "size"}
    return source


def levels_of(text):
    return expand(text).value["levels"]


def counts_of(text):
    return {level["difficulty"]: int(level["count"]) for level in levels_of(text)}


def problems_of(text):
    return problem_lines(expand_mix(parse_yaml(text, "book.yaml"))[1])


def week_of(text):
    source, problems = expand_week(parse_yaml(text, "feed.yaml"))
    assert problem_lines(problems) == []
    return source.value["week"]


# Counting


@given(st.integers(1, 5000), st.lists(st.fractions(Fraction(1, 100), 100), min_size=1, max_size=5))
def test_apportioned_puzzles_add_up_and_are_within_one_of_their_share(total, weights):
    counts = apportion(total, weights)
    assert sum(counts) == total
    exact = [total * each / sum(weights) for each in weights]
    assert all(abs(count - share) < 1 for count, share in zip(counts, exact, strict=True))


@pytest.mark.parametrize(
    ("total", "weights", "counts"),
    [(37, [50, 30, 20], [19, 11, 7]), (3, [50, 50], [2, 1]), (120, [3, 2, 1], [60, 40, 20])],
)
def test_the_largest_remainder_is_rounded_up_and_of_equal_ones_the_first(total, weights, counts):
    assert apportion(total, weights) == counts


@given(st.permutations(["easy 40%", "medium 30%", "hard 20%", "expert 10%"]))
def test_the_order_of_names_in_a_mix_does_not_matter(parts):
    counts = count_parts(dict(part.split() for part in parts), 50)
    assert list(counts.items()) == [("easy", 20), ("medium", 15), ("hard", 10), ("expert", 5)]


@pytest.mark.parametrize(
    ("mix", "counts"),
    [
        ({"easy": "60", "hard": "40"}, {"easy": 60, "hard": 40}),
        ({"easy": "62.5%", "hard": "37.5 %"}, {"easy": 63, "hard": 37}),
        ({"easy": "1/3", "hard": "2/3"}, {"easy": 33, "hard": 67}),
        ({"30-34": "50%", "0-19": "50%"}, {"0-19": 50, "30-34": 50}),
        ("3:2", {"easy": 60, "medium": 40}),
        ("1 : 1 : 1 : 1", {"easy": 25, "medium": 25, "hard": 25, "expert": 25}),
    ],
)
def test_a_mix_of_shares_counts_or_a_ratio(mix, counts):
    assert count_parts(mix, 100) == counts


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        ({"easy": "50%", "hard": "40%"}, "90% in all — the shares must add up to 100%"),
        ({"easy": "3", "hard": "2"}, 'must add up to 100 puzzles.*"3:2"'),
        ({"easy": "99.9%", "hard": "0.1%"}, "0.1% — it rounds to none of 100 puzzles"),
        ({"easy": "50%", "hard": "50"}, "a share for each part, or a count for each"),
        ({"easy": "0.5", "hard": "0.5"}, "write 50% for that share"),
        ({"easy": "50%", "hrad": "50%"}, "hrad — there is no such difficulty"),
        ({"easy": ["1"]}, "a list — a share as 50%"),
        ({}, "nothing"),
        ("half and half", "half and half"),
        ("1:1:1:1:1:1", "it has 6 numbers"),
        ("3:0", "3:0"),
    ],
)
def test_a_wrong_mix_is_refused(mix, message):
    with pytest.raises(InvalidError, match=message):
        count_parts(mix, 100)


# A book


def test_a_mix_becomes_one_level_for_each_difficulty():
    source = expand("puzzles: 37\nmix: {hard: 20%, easy: 50%, medium: 30%}\nsize: 8\n")
    assert source.value["levels"] == [
        {"difficulty": "easy", "count": "19", "size": "8"},
        {"difficulty": "medium", "count": "11", "size": "8"},
        {"difficulty": "hard", "count": "7", "size": "8"},
    ]
    assert source.notes == (
        "mix of 37 puzzles: easy 19 (50%), medium 11 (30%), hard 7 (20%)",
        "  - {difficulty: easy, count: 19, size: 8}",
        "  - {difficulty: medium, count: 11, size: 8}",
        "  - {difficulty: hard, count: 7, size: 8}",
    )


@pytest.mark.parametrize("text", ["mix: {easy: 60, medium: 36, hard: 24}", "puzzles: 120"])
def test_counts_give_the_number_of_puzzles_and_a_number_alone_the_usual_mix(text):
    assert counts_of(text) == {"easy": 60, "medium": 36, "hard": 24}


def test_difficulties_define_the_names_of_a_mix_or_share_the_puzzles_equally():
    assert levels_of(f"{GENTLE_AND_TOUGH}puzzles: 10\nmix: {{tough: 40%, gentle: 60%}}\n") == [
        {"size": "6", "paths": "5", "count": "6", "name": "Gentle"},
        {"size": "10", "paths": "9-11", "solids": "5%", "count": "4", "name": "Tough"},
    ]
    levels = levels_of(f"{GENTLE_AND_TOUGH}puzzles: 7\n")
    assert [(level["name"], level["count"]) for level in levels] == [("Gentle", "4"), ("Tough", "3")]


def test_the_size_of_a_mix_leaves_a_difficulty_its_own_size_or_mask():
    text = "puzzles: 9\nsize: 8\ndifficulties: {a: {paths: 5}, b: {size: 6}, c: {solids: {mask: heart}}}\n"
    assert [level.get("size") for level in levels_of(text)] == ["8", "6", None]


def test_names_of_the_scale_are_printed_in_the_language_of_the_book(tmp_path):
    book = tmp_path / "book.yaml"
    text = "title: T\nseed: 1\nlanguage: de\nsize: 9\npuzzles: 5\n"
    book.write_text(f"{text}difficulties: {{hard: {{difficulty: hard}}}}\n")
    assert read_spec(book).checked().headings == {"hard": "Schwer"}
    difficulties = ("hard", "hard", "easy-medium", "30-34")
    levels = [{"size": 9, "difficulty": each} for each in difficulties]
    levels += [{"size": 9, "title": "Ruhe"}, {"size": [9, "7x9"]}]
    document = {"title": "T", "seed": 1, "language": "de", "puzzles": 6, "levels": levels}
    assert BookSpec.model_validate(document).headings == {
        "hard": "Schwer", "hard 2": "Schwer 2", "easy-medium": "Leicht–Mittel", "30-34": "30-34",
        "Ruhe": "Ruhe", "9 × 9, 7 × 9": "9 × 9, 7 × 9",
    }  # fmt: skip


def test_levels_have_the_keys_of_their_difficulty_unless_they_have_their_own():
    text = f"""{GENTLE_AND_TOUGH}levels:
  - {{difficulty: gentle, count: 5}}
  - {{difficulty: gentle, size: 7, count: 5}}
  - {{difficulty: tough, name: Knots, count: 5, solids: 0}}
"""
    assert levels_of(text) == [
        {"size": "6", "paths": "5", "count": "5", "name": "Gentle"},
        {"size": "7", "paths": "5", "count": "5", "name": "Gentle 2"},
        {"size": "10", "paths": "9-11", "solids": "0", "name": "Knots", "count": "5"},
    ]


@pytest.mark.parametrize(
    ("levels", "counts"),
    [("{count: 31}, {}, {}", [31, 35, 34]), ("{count: 40%}, {count: 40 %}, {count: 20%}", [40, 40, 20])],
)
def test_levels_have_shares_of_the_puzzles_or_share_the_rest(levels, counts):
    made = levels_of(f"puzzles: 100\nlevels: [{levels}]\n")
    assert [int(level["count"]) for level in made] == counts


def test_a_size_of_the_book_is_for_levels_without_one():
    levels = levels_of("size: 7\nlevels: [{name: A}, {name: B, size: 8}, {name: C, from: boards.txt}]\n")
    assert [level.get("size") for level in levels] == ["7", "8", None]


@pytest.mark.parametrize("mix", ["{hard: 40%, easy: 60%}", "{easy: 18, hard: 12}", '"3:2"'])
def test_a_mix_in_a_level_becomes_counts_of_its_difficulty(mix):
    second = "hard" if "hard" in mix else "medium"
    (level,) = levels_of(f"levels: [{{name: A, count: 30, mix: {mix}}}]\n")
    assert level == {"name": "A", "count": "30", "difficulty": {"easy": "18", second: "12"}}


def test_a_mix_of_difficulties_with_their_own_boards_becomes_several_levels():
    text = f"""{GENTLE_AND_TOUGH}levels:
  - {{name: Start, difficulty: easy, size: 7, count: 2}}
  - {{name: Week 1, count: 10, mix: {{gentle: 70%, tough: 30%}}}}
  - {{name: End, size: 8, count: 2}}
"""
    source = expand(text)
    assert [(level["name"], level["count"], level["size"]) for level in source.value["levels"]] == [
        ("Start", "2", "7"), ("Week 1: Gentle", "7", "6"), ("Week 1: Tough", "3", "10"), ("End", "2", "8")
    ]  # fmt: skip
    assert [source.typed_path(("levels", index, "count")) for index in (2, 3)] == [
        ("levels", 1, "count"), ("levels", 2, "count")
    ]  # fmt: skip
    assert source.typed_path(("levels", 2, "paths")) == ("difficulties", "tough", "paths")


@pytest.mark.parametrize(
    ("base", "keys", "names", "note"),
    [
        ("levels: [{name: A, count: 3, size: 6}]", "mix: {easy: 5, hard: 5}", ["easy", "hard"], "`mix` repl"),
        ("puzzles: 9\nmix: 2:1", "levels: [{name: A, count: 3, size: 6}]", ["A"], "`levels` replaces the"),
    ],
)  # fmt: skip
def test_the_file_itself_decides_between_a_mix_and_levels(base, keys, names, note, tmp_path):
    (tmp_path / "house.yaml").write_text(base + "\n")
    book = tmp_path / "book.yaml"
    book.write_text(f"base: house.yaml\ntitle: T\nseed: 1\n{keys}\n")
    spec = read_spec(book).checked()
    assert [level.name for level in spec.levels] == names
    assert any(line.startswith(note) for line in spec.source.notes)


@pytest.mark.parametrize(("part", "is_unused"), [("easy", True), ("start", False)])
def test_a_set_that_nothing_refers_to_gets_a_note(tmp_path, part, is_unused):
    book = tmp_path / "book.yaml"
    book.write_text(f"title: T\nseed: 1\nmix: {{{part}: 3}}\ndifficulties: children\n")
    notes = read_spec(book).checked().source.notes
    assert any("no level and no mix names start, go-on or challenge" in note for note in notes) is is_unused


def test_a_file_beside_the_spec_may_hold_the_difficulties(tmp_path):
    (tmp_path / "ours.yaml").write_text("gentle: {size: 6, title: {en: Soft, de: Sanft}}\n")
    book = tmp_path / "book.yaml"
    book.write_text("title: T\nseed: 1\nlanguage: de\npuzzles: 10\ndifficulties: ours.yaml\n")
    spec = read_spec(book).checked()
    assert spec.headings == {"Gentle": "Sanft"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("puzzles: 12\nmix: {easy: 99%,\n  hard: 1%}", "3:9 mix.hard: 1% — it rounds to none"),
        ("mix: {easy: 1,\n  hrd: 2}", "2:8 mix.hrd: hrd — there is no such difficulty"),
        ("puzzles: many", "1:10 puzzles: many"),
        ("mix: {easy: 50%, hard: 50%}", "1:6 mix: give the number of puzzles too"),
        ("mix: {easy: 5}\nlevels: []", "1:6 mix: the file has `levels` too"),
        ("puzzles: 5\nlevels: [{count: 3}]", "1:10 puzzles: 5 — the levels have 3 in all"),
        ("puzzles: 5\nlevels: [{count: 5}, {}]", "1:10 puzzles: 5 — the levels have 5 in all"),
        ("puzzles: 5\ndifficulties: kids", "2:15 difficulties: kids — no set of difficulties"),
        ("puzzles: 5\ndifficulties: [a]", r"2:15 difficulties: a list — names with their keys"),
        ("puzzles: 5\ndifficulties: {a: 6}", "2:19 difficulties.a: 6 — keys of a level"),
        (
            f"{GENTLE_AND_TOUGH}levels: [{{difficulty: gentel}}]",
            "4:23 .*gentel — there is no such difficulty",
        ),
        ("levels: [{mix: {easy: 5}, difficulty: hard}]", r"1:16 levels\[0\].mix: the level has `difficulty`"),
        ("levels: [{count: 9, mix: {easy: 5}}]", r"1:26 levels\[0\].mix: 5 in all"),
        (
            f"{GENTLE_AND_TOUGH}levels: [{{mix: {{gentle: 5, tough: 5}}}}, {{count: 3, mix: {{easy: 5}}}}]",
            r"4:56 levels\[1\].mix: 5 in all — ",
        ),
    ],
)
def test_a_problem_is_placed_where_the_user_wrote_it(text, line):
    (problem,) = problems_of(text)
    assert re.match(rf"book\.yaml:{line}", problem), problem


def test_a_wrong_name_does_not_hide_a_wrong_sum():
    of_sum, of_name = problems_of("puzzles: 9\nmix: {easy: 1, hrd: 2}")
    assert "hrd — there is no such difficulty" in of_name
    assert "3 in all — the counts must add up to 9 puzzles" in of_sum


def test_a_wrong_key_of_a_difficulty_is_reported_at_its_definition(tmp_path):
    book = tmp_path / "book.yaml"
    text = "title: T\nseed: 1\npuzzles: 9\ndifficulties:\n"
    text += "  gentle: {size: 6, paths: 99}\n  odd: {size: 7, pahts: 5}\n"
    book.write_text(text)
    problems = [(problem.line, ".".join(map(str, problem.key))) for problem in read_spec(book).problems]
    assert problems == [(5, "difficulties.gentle.paths"), (6, "difficulties.odd.pahts")]


WORDS = st.sampled_from(
    ["easy", "hard", "gentle", "50%", "1/2", "7", "3:2", "children", "nobody.yaml", "0", "-"]
)
VALUES = st.recursive(
    st.none() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            WORDS | st.sampled_from(["size", "count", "mix", "difficulty", "name", "title"]), inner
        )
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(["puzzles", "mix", "difficulties", "size", "levels", "week"])


@given(st.dictionaries(KEYS, VALUES))
def test_any_values_end_in_levels_or_in_problems(value):
    source = YamlSource("book.yaml", value, {}, {})
    for expand_any in (expand_mix, expand_week):
        expanded, problems = expand_any(source)
        assert not expanded.value.keys() & {"puzzles", "mix", "difficulties", "size"}
        assert all(problem.message for problem in problems)
    assert read_document(expand_mix(source)[0], BookSpec).problems


# Shipped sets


@pytest.mark.parametrize("name", DIFFICULTY_SETS.names())
@pytest.mark.parametrize("language", LANGUAGES.names())
def test_a_shipped_set_has_titles_in_every_language_and_rises(name, language):
    spec = BookSpec.model_validate(
        {"title": "T", "seed": 1, "puzzles": 12, "difficulties": name, "language": language}
    )
    headings = list(spec.headings.values())
    assert 3 <= len(set(headings)) == len(headings) <= 4
    assert language == "en" or not {level.title for level in spec.levels} & {"First steps", "On we go"}
    assert list(rising_warnings(plan_slots(spec))) == []


# Scripts


def test_a_script_may_give_a_mix():
    difficulties = {"gentle": {"size": 6, "paths": 5}, "tough": {"size": 8}}
    keys = {"title": "T", "seed": 1, "puzzles": 5, "mix": {"gentle": "60%", "tough": "40%"}}
    spec = BookSpec.model_validate({**keys, "difficulties": difficulties})
    assert [(level.name, level.count) for level in spec.levels] == [("Gentle", 3), ("Tough", 2)]
    assert BookSpec.model_validate(spec.document()) == spec
    with pytest.raises(ValueError, match="rounds to none"):
        BookSpec.model_validate({**keys, "mix": {"easy": "99%", "hard": "1%"}})


# A week


def test_a_week_goes_from_easy_to_hard():
    week = week_of("mix: {hard: 2, easy: 3, medium: 2}\nsize: 8\n")
    assert tuple(week) == WEEKDAYS
    assert [day["difficulty"] for day in week.values()] == ["easy"] * 3 + ["medium"] * 2 + ["hard"] * 2
    assert {day["size"] for day in week.values()} == {"8"}


@pytest.mark.parametrize(
    ("mix", "days"), [("{easy: 3, hard: 2}", 5), ("{easy: 50%, hard: 50%}", 7), ('"3:2:2"', 7)]
)
def test_counts_may_leave_out_the_last_days_of_a_week(mix, days):
    assert tuple(week_of(f"mix: {mix}\n")) == WEEKDAYS[:days]


def test_a_weekday_has_the_keys_of_its_difficulty_that_describe_boards():
    difficulties = "difficulties: {gentle: {size: 6, paths: 5, title: Gentle, per_page: 4}}"
    assert week_of(f"{difficulties}\nweek: {{monday: {{difficulty: gentle}}}}\n") == {
        "monday": {"size": "6", "paths": "5"}
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("mix: {easy: 5, hard: 3}", "1:6 mix: 8 in all — a week has 7 days"),
        ("mix: {easy: 5}\nweek: {}", "1:6 mix: the file has `week` too"),
    ],
)
def test_a_problem_of_a_week_is_placed_where_the_user_wrote_it(text, line):
    (problem,) = problem_lines(expand_week(parse_yaml(text, "feed.yaml"))[1])
    assert problem.startswith(f"feed.yaml:{line}")
