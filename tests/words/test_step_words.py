"""Sentences about the steps of a solution, in every language."""

import re
from random import Random

import pytest

from boards import SOLVED_BOARD, puzzle_of
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.engine.captions import _TROUBLES, caption_of
from linkpress.engine.explain.clauses import _lines, clause_of, corner_clause, end_clause, why_closed
from linkpress.engine.explain.explanation import BoardView, ChainEnd, ExplainedFinding, FindingGroup
from linkpress.engine.explain.phrase_tree import (
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseList,
    Square,
    list_of,
    phrase,
)
from linkpress.engine.explain.steps import combine_steps, explain_climb
from linkpress.engine.hint import next_step
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import EASIEST, Deduction, climb_ladder, edge_index, position_of, write
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.puzzle.puzzle import edge
from linkpress.words import StepWords, load_words
from strategies import filling, random_cover

ENGLISH = load_words("en").steps
# Phrases of the model StepWords that no sentence contains: the program reads them by name.
NOT_IN_STEPS = {"ways", "title", "no_steps", "captions"}
OPTIONAL = {name for name, field in StepWords.model_fields.items() if field.default is None}
# Seeds of random boards with some lines drawn. Their steps together use all but the rarest phrases.
DRAWN_SEEDS = (
    7, 13, 15, 19, 34, 41, 48, 131, 225, 265, 294, 369, 599, 882, 915, 1042, 1495, 1496, 2129, 2433, 3181,
)  # fmt: skip
STRICT_SEEDS = (40, 52, 59, 61, 76)  # seeds of boards on which no path runs beside itself


def steps_of(puzzle, position):
    """Return the steps of a solution, and combined steps that share a sentence."""
    steps = list(explain_climb(puzzle, climb_ladder(position)))
    return [*steps, *combine_steps(puzzle, steps)]


def solve_of(seed):
    rng = Random(f"steps/drawn/{seed}")
    rows, cols = rng.randint(6, 9), rng.randint(6, 9)
    paths = [path for path in random_cover(rng, rows, cols, touching=True) if len(path) > 1]
    solution = filling(rows, cols, dict(enumerate(paths, 1)))
    position = position_of(solution.puzzle, Rule.FILLED)
    drawn = [one for one in sorted(solution.edges) if rng.random() < 0.15]
    write(position, (Deduction(EdgeState.DRAWN, edge_index(line)) for line in drawn))
    return steps_of(solution.puzzle, position)


def strict_solve_of(seed):
    made = generate(Recipe(10, 10, Span(9, 9)), f"steps/{seed}")
    return steps_of(made.puzzle, position_of(made.puzzle, Rule.STRICT))


def hints():
    """Yield the hints for drawings with every kind of mistake, and for an impossible board."""
    board = puzzle_of("4 3\n1 . 2 .\n. # . .\n1 . . 2\n")
    longer = [(0, 1), (0, 4)], [(2, 6), (6, 7), (6, 10)], [(0, 1), (1, 2)]
    for drawn in ([(0, 99)], [(0, 2)], [(1, 5)], *longer):
        yield next_step(board, drawn, Rule.FILLED)
    open_board = puzzle_of("7 5\n1 . . . . . .\n" + 3 * ". . . . . . .\n" + ". . . . . . 1\n")
    yield next_step(open_board, [(14, 21), (21, 22)], Rule.FILLED)
    yield next_step(open_board, [(9, 10), (10, 17), (16, 17), (9, 16)], Rule.FILLED)
    yield next_step(open_board, [(9, 10), (10, 11), (3, 10), (10, 17)], Rule.FILLED)
    yield next_step(puzzle_of("3 3\n1 . 2\n. . .\n2 . 1\n"), [], Rule.FILLED)
    wrong = next(one for one in SOLVED_BOARD.puzzle.grid.edges if one not in SOLVED_BOARD.edges)
    yield next_step(SOLVED_BOARD.puzzle, [wrong], Rule.STRICT)


def board_of(text, *drawn):
    puzzle = puzzle_of(text)
    position = position_of(puzzle, Rule.STRICT)
    assert write(position, (Deduction(EdgeState.DRAWN, edge_index(line)) for line in drawn))
    return BoardView(puzzle, position, {})


def group_of(board, a, b, reason, cause, kind=FindingKind.DRAWN):
    deduction = Deduction(int(kind), edge_index(edge(a, b)), int(reason), cause)
    return FindingGroup([ExplainedFinding(EASIEST, deduction, board, frozenset)], board.grid.cols)


def nodes(part):
    """Yield all nodes of a ``PhraseTree``."""
    yield part
    parts = dict(part.parts).values() if isinstance(part, FilledPhrase) else getattr(part, "parts", ())
    for one in parts:
        yield from nodes(one)


def rare_phrases():
    """Yield sentences with the rarest phrases, about boards made for them."""
    pair = board_of("3 3\n1 1 .\n. . .\n. . .\n")
    yield end_clause(pair, ChainEnd("must_cross", (), frozenset(), (1,)))[0]
    yield end_clause(pair, ChainEnd("square_left", (), frozenset()))[0]
    yield end_clause(pair, ChainEnd("runs_beside", (0, 1), frozenset(), (1,)))[0]
    around = board_of("3 3\n. . .\n. . .\n1 . 1\n", (0, 1), (1, 2), (0, 3), (2, 5))
    yield corner_clause(around, group_of(around, 4, 7, Reason.EVERY_WAY_USES, 4))[0]
    turning = group_of(around, 3, 4, Reason.TURNS_BACK, 3, FindingKind.RULED_OUT)
    yield why_closed(around, turning)[0]
    beside = group_of(around, 3, 4, Reason.BESIDE_ITSELF, 3, FindingKind.RULED_OUT)
    yield why_closed(around, beside)[0]
    yield clause_of(around, group_of(around, 3, 6, Reason.ALL_EXITS, 3), [beside])[0]
    numbered = board_of("3 3\n. . 1\n. . .\n. . 1\n", (0, 1), (1, 2), (0, 3))
    beside = group_of(numbered, 3, 4, Reason.BESIDE_ITSELF, 3, FindingKind.RULED_OUT)
    yield why_closed(numbered, beside)[0]
    among = board_of("3 3\n1 . 2\n. 3 .\n1 2 3\n")
    yield end_clause(among, ChainEnd("no_number_reaches", (1,), frozenset()))[0]
    crowded = board_of("4 3\n. 1 . 2\n2 . 3 .\n. 1 . 3\n")
    ways = [group_of(crowded, 5, to, Reason.EVERY_WAY_USES, 5).findings[0] for to in (1, 9)]
    yield corner_clause(crowded, FindingGroup(ways, 4))[0]
    yield clause_of(around, group_of(around, 3, 4, Reason.NOBODY_USES, 3, FindingKind.RULED_OUT), [])[0]
    numbers = " ".join(map(str, range(1, 10)))
    full = board_of(f"9 3\n{numbers}\n. . . . . . . . .\n{numbers}\n")
    # The code of the row of nine squares to the right of square 9, direction 3: ``kernels.ladder.gaps``.
    yield clause_of(full, group_of(full, 9, 10, Reason.WITHIN_GAP, -939, FindingKind.RULED_OUT), [])[0]
    between = board_of("3 3\n. 1 .\n. . .\n. 1 .\n")
    numbered = Deduction(int(FindingKind.NUMBERED), 4, int(Reason.IN_ORDER), 2)
    group = FindingGroup([ExplainedFinding(EASIEST, numbered, between, frozenset)], 3)
    yield clause_of(between, group, [])[0]
    yield _lines([1, 2, 3], room=2, drawn=1)


def test_a_caption_names_the_squares_on_both_sides_of_a_line_that_can_only_go_straight_on():
    left, middle, right = (Square(5, col) for col in (8, 9, 10))
    remarks = [
        phrase("not_line_beside", ways=way, squares=list_of(ListKind.AND, cells))
        for way, cells in ((DirectionWord.LEFT, (middle, right)), (DirectionWord.RIGHT, (left, middle)))
    ]
    sentence = phrase(
        "remarked", said=phrase("one_way_out", end=middle), remarks=list_of(ListKind.COMMA, remarks)
    )
    named = phrase("captions.both_beside", square=middle, squares=list_of(ListKind.AND, (left, right)))
    assert caption_of(sentence, "exits", SOLVED_BOARD.puzzle.grid) == named


@pytest.mark.parametrize(
    ("ends", "beside", "key"), [((5, 7), False, "not_meet"), ((), True, "not_line_beside")]
)
def test_a_caption_of_a_square_without_failing_turns_speaks_of_no_turn(ends, beside, key):
    square, squares = Square(2, 4), (Square(1, 4), Square(2, 5))
    numbered = [phrase("numbered", square=square, number=number) for number in ends]
    reasons = [phrase("can_t_meet", ends=list_of(ListKind.AND, numbered))] if ends else []
    reasons += [phrase("path_runs_beside", squares=list_of(ListKind.AND, squares))] if beside else []
    step = list_of(ListKind.ROUTE, (square, Square(3, 4)))
    sentence = phrase("corner_must_go", steps=step, reason=list_of(ListKind.REASONS, reasons))
    caption = caption_of(sentence, "corner", SOLVED_BOARD.puzzle.grid)
    assert caption.key == f"captions.{key}"


@pytest.mark.parametrize(("number", "key"), [(1, "no_number_reaches"), (3, "joins_different")])
def test_a_line_that_no_number_reaches_is_told_by_the_numbers_around_its_ends(number, key):
    board = board_of(f"4 3\n. . 1 3\n. 2 . .\n{number} . 2 {4 - number}\n", (0, 1))
    said, cells = end_clause(board, ChainEnd("no_number_reaches", (1,), frozenset()))
    assert said.key == key
    assert dict(said.parts)["square"] == Square(1, 2)
    assert {2, 5, 8} < set(cells)


def test_every_phrase_of_steps_is_used_on_some_board():
    steps = [step for seed in DRAWN_SEEDS for step in solve_of(seed)]
    steps += [step for seed in STRICT_SEEDS for step in strict_solve_of(seed)]
    sentences = [*(step.sentence for step in [*steps, *hints()]), *rare_phrases()]
    used = [node for sentence in sentences for node in nodes(sentence)]
    keys = {node.key for node in used if isinstance(node, FilledPhrase)}
    keys |= {node.kind.value for node in used if isinstance(node, PhraseList)}
    assert set(StepWords.model_fields) - keys - NOT_IN_STEPS - OPTIONAL == set()
    assert {node for node in used if isinstance(node, DirectionWord)} == set(DirectionWord)


@pytest.fixture(params=LANGUAGES.names())
def words(request):
    return load_words(request.param)


def test_a_step_names_all_its_squares_and_numbers_in_every_language(words):
    steps = [step for seed in DRAWN_SEEDS[:4] for step in solve_of(seed)]
    for step in steps:
        text = words.steps.text_of(step.sentence)
        assert not re.search(r"[{}]| [,;.)]|\s\s", text.replace("\u202f;", ";"))
        named = [node.name for node in nodes(step.sentence) if isinstance(node, Square)]
        assert sorted(re.findall(r"[A-Z]\d+", text)) == sorted(named)
        numbers = [str(node) for node in nodes(step.sentence) if isinstance(node, int)]
        plain = re.sub(r"[A-Z]\d+", "", text)
        assert sorted(re.findall(r"\d+", plain)) == sorted(numbers)


def test_lists_are_joined_as_their_phrases_say():
    numbers = [2, 5, 8]
    texts = {kind: ENGLISH.text_of(list_of(kind, numbers)) for kind in ListKind}
    assert texts[ListKind.AND] == "2, 5 and 8"
    assert texts[ListKind.OR] == "2 or 5 or 8"
    assert texts[ListKind.ROUTE] == "2–5–8"
    assert ENGLISH.text_of(list_of(ListKind.AND, [7])) == "7"


def test_each_language_has_its_own_order_of_words():
    end = phrase("end_of_number", number=3, square=Square(2, 5))
    sentence = phrase("one_way_out", end=end, way=DirectionWord.UP)
    assert ENGLISH.text_of(sentence) == "the 3 at E2 can only go up"
    assert list(load_words("ja").steps.pieces(sentence)) == [Square(2, 5), "の", 3, "の出口は", "上", "だけ"]


@pytest.mark.parametrize(
    ("kind", "joined"), [(ListKind.AND, "ด้านขวาและด้านล่าง"), (ListKind.OR, "ด้านขวาหรือด้านล่าง")]
)
def test_thai_lists_have_spaces_between_squares_but_not_directions(kind, joined):
    thai = load_words("th").steps
    assert thai.text_of(list_of(kind, (DirectionWord.RIGHT, DirectionWord.DOWN))) == joined
    assert " " in thai.text_of(list_of(kind, (Square(0, 0), Square(1, 1))))


@pytest.mark.parametrize(
    ("language", "joined", "backwards"),
    [
        ("es", "E1, E4 e I6", "I6, E4 y E1"),
        ("it", "E1, E4 e I6", "I6, E4 ed E1"),
        ("pt", "E1, E4 e I6", "I6, E4 e E1"),
    ],
)
def test_and_changes_before_the_same_vowel(language, joined, backwards):
    cells, words = (Square(1, 5), Square(4, 5), Square(6, 9)), load_words(language).steps
    assert words.text_of(list_of(ListKind.AND, cells)) == joined
    assert words.text_of(list_of(ListKind.AND, cells[::-1])) == backwards


@pytest.mark.parametrize("language", [name for name in LANGUAGES.names() if name not in ("ja", "th")])
def test_captions_and_nudges_have_up_to_15_words_even_with_long_values(language):
    for words in (load_words(language), load_words(language).of_dots):
        captions, player = words.steps.captions.model_dump(), words.player
        ways = list(words.steps.ways.model_dump().values())
        colours = words.colour_names.model_dump().values() if words != load_words(language) else ["12"]
        values = {"square": "J10", "other": "J10", "way": longest(ways), "number": longest(colours)}
        values["ways"] = words.steps.text_of(list_of(ListKind.AND, (DirectionWord.LEFT, DirectionWord.DOWN)))
        values["squares"] = words.steps.text_of(list_of(ListKind.AND, (Square(10, 10), Square(10, 11))))
        commas = words.steps.text_of(list_of(ListKind.COMMA, (Square(10, 10), Square(10, 11))))
        values |= {"ends": values["squares"], "others": captions["others_closed"]}
        values |= {"step": "J10–K10", "count": "12", "last": "K10"}
        numbered, some = (list_of(ListKind.AND, range(5, 5 + most)) for most in (8, 5))
        among = phrase("lines_among", count="3", lines=some)
        values["lines"] = longest(map(words.steps.text_of, (numbered, among)))
        closed = {
            key: text.format(**{**values, "ways": values["way"]})
            for key, text in captions.items()
            if key.startswith("way_not_")
        }
        values["first"] = longest(closed.values())
        # If a line would run beside itself in both directions, there is another caption (``both_beside``).
        values["second"] = longest(text for key, text in closed.items() if "beside" not in key)
        numbers = {**values, "other": values["number"]}
        cells = [Square(10, col) for col in range(10, 14)]
        order = {**numbers, "squares": words.steps.text_of(list_of(ListKind.COMMA, cells))}
        both = words.steps.text_of(list_of(ListKind.AND, (values["number"], values["number"])))
        joins = captions["joins"].format(square="J10", lines=both)
        sides = {"first": "J10", "last": "K10"}
        doubles = captions["turn_doubles"].format(square="J10", **sides)
        fails = captions["turn_fails"].format(squares="J10")
        trouble = words.steps.list_or.format(first=longest([joins, doubles]), second=fails)
        turns = {**values, "trouble": trouble}
        both_fail = words.steps.list_comma.format(first=longest([joins, doubles]), second=fails)
        by_length = sorted(colours, key=word_count)
        distinct = [by_length[0], *by_length[-2:]] if len(by_length) > 1 else [12] * 4
        some = words.steps.text_of(list_of(ListKind.AND, distinct))
        joined = {**values, "first": values["number"], "second": values["number"]}
        one, *others = distinct[:3]
        across = {"first": str(one), "second": words.steps.text_of(list_of(ListKind.OR, others))}
        troubles = [
            text.format(**{**numbers, "lines": both if key == "meet_in" else some, **across})
            for key, text in captions.items()
            if key in (*_TROUBLES, "trouble_later", "meet_in", "join_two_of", "either_way")
        ]
        filled = dict.fromkeys(("since_meet", "not_meet", "all_fail"), numbers)
        filled |= {"others_fail": {**numbers, "ends": commas}}
        filled |= {"three_fail": {**numbers, "ends": "J10"}}
        filled |= {"all_touch": {**values, **sides}, "others_touch": {**values, **sides, "ends": commas}}
        reached = [words.steps.text_of(list_of(ListKind.OR, (one, other))) for other in others]
        filled |= {"ends_reach": {**values, "number": str(one), "first": reached[0], "second": reached[1]}}
        filled |= {"turn_joins": joined, "ripple_joins": joined, "joins_across": {**values, **across}}
        filled |= {"order": order, "no_turn": {**turns, "trouble": both_fail}, "turns_out": turns}
        values["trouble"] = longest(troubles)
        texts = [text.format(**{**values, **filled.get(key, {})}) for key, text in captions.items()]
        assert [text for text in texts if word_count(text) > 15] == []
        place = longest(player.places.model_dump().values())
        nudges = [text.format(place=place) for text in player.nudges.model_dump().values()]
        assert [text for text in nudges if word_count(text) > 15] == []


def word_count(text):
    return len(re.findall(r"\w[\w’-]*", text))


def longest(texts):
    return max(texts, key=word_count)
