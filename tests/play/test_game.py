"""The page's rules and hints in Node give the same results as linkpress itself."""

import itertools
import json
import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from page_of import SOLUTIONS, SUPPOSED, play_page, with_colours

import boards
from linkpress.documents.inks import (
    COLOUR_BLIND_SIGHT,
    LEAST_DIFFERENCE,
    NORMAL_SIGHT,
    PICTURE_INKS,
    contrast,
    difference,
)
from linkpress.documents.shipped_files import LANGUAGES, THEMES
from linkpress.engine.explain import phrase_tree
from linkpress.engine.explain.phrase_tree import square
from linkpress.engine.recipe import Grade, Rule
from linkpress.layout.theme import SolidStyle, load_theme
from linkpress.play.page import (
    DARK_PAPER,
    LEAST_CONTRAST,
    LIGHT_PAPER,
    UNGRADED_RUNG,
    BlankedText,
    board_text,
    fragment_html,
    hint_steps,
    kept_steps,
    pack_hints,
    page_html,
    page_phrases,
    read_blanked,
    screen_style,
)
from linkpress.puzzle.notations import read_puzzles
from linkpress.puzzle.rules import check_drawing
from linkpress.words import load_words
from node_runs import NODE, WEB, needs_node, run_node

HERE = Path(__file__).parent
ENGLISH = load_words("en")
WIDE_NUMBERS = read_puzzles("5 3\n1 12 . . 3\n. # 3 12 .\n. . . . 1\n")[0]
REASONED = boards.puzzle_of("7 8\n45....6\n...3..4\n.5.....\n.......\n.......\n.1.....\n3.2..6.\n2.1....\n")
PUZZLES = [boards.ARTICLE_PUZZLE, boards.SOLVED_BOARD.puzzle, boards.TOUCHING_BOARD.puzzle, WIDE_NUMBERS]


def as_json(puzzle):
    grid = puzzle.grid
    return {"rows": grid.rows, "cols": grid.cols, "text": board_text(puzzle)}


def code(puzzle, step):
    return 2 * step[0] + int(step[1] - step[0] == puzzle.grid.cols)


def drawings(puzzle, count):
    """Return random drawings, which are the same in every run."""
    rng = random.Random(f"{puzzle}")
    return [
        sorted(rng.sample(puzzle.grid.edges, rng.randrange(len(puzzle.grid.edges)))) for _ in range(count)
    ]


@needs_node
def test_the_tests_in_node_pass():
    done = subprocess.run(
        [str(NODE), "--test", str(HERE / "game.test.mjs")],
        env={"WEB": WEB.as_uri(), "PATH": "", "WORDS": json.dumps(page_phrases(ENGLISH))},
        capture_output=True,
        check=False,
    )
    said = done.stdout.decode()
    assert done.returncode == 0, said
    assert "# fail 0" in said
    assert "# pass 0" not in said


@needs_node
def test_the_page_finds_the_same_breaches_as_linkpress():
    cases, expected = [], []
    for puzzle in PUZZLES:
        for drawn in [*drawings(puzzle, 60), []]:
            cases.append({**as_json(puzzle), "edges": [code(puzzle, step) for step in drawn]})
            expected.append([[one.kind.value, list(one.cells)] for one in check_drawing(puzzle, drawn)])
    for solution in (boards.ARTICLE_SOLUTION, boards.SOLVED_BOARD, boards.TOUCHING_BOARD):
        edges = [code(solution.puzzle, step) for step in solution.edges]
        cases.append({**as_json(solution.puzzle), "edges": edges})
        expected.append([])
    assert json.loads(run_node(HERE / "cases.mjs", cases)) == expected


@pytest.fixture(scope="module")
def unpacked():
    """The steps of each puzzle as the page unpacks them."""
    return unpacked_in(ENGLISH)


def unpacked_in(words):
    told = ((puzzle.grid, hint_steps(puzzle, Rule.FILLED, Grade.FIENDISH)) for puzzle in PUZZLES)
    packed = pack_hints(told, words)
    return json.loads(
        run_node(HERE / "hints.mjs", {"boards": [as_json(p) for p in PUZZLES], "hints": packed})
    )


def hinted(puzzle, rule):
    return [step for step, _ in kept_steps(puzzle, rule)]


def worded(puzzle, step):
    """A step's text with its gaps filled."""
    values = iter(step["values"])
    parts = step["text"].replace("{n}", "{c}\0").split("{c}")
    text = parts[0]
    for part in parts[1:]:
        value = next(values)
        text += f"{value}{part[1:]}" if part.startswith("\0") else f"{square(puzzle.grid, value).name}{part}"
    return text


@needs_node
def test_unpacked_steps_equal_the_packed_ones(unpacked):
    for puzzle, found in zip(PUZZLES, unpacked, strict=True):
        told = hinted(puzzle, Rule.FILLED)
        assert [worded(puzzle, step) for step in found["steps"]] == [
            f"{ENGLISH.steps.text_of(step.sentence)}\n{ENGLISH.steps.text_of(step.caption(puzzle.grid))}"
            for step in told
        ]
        packed = hint_steps(puzzle, Rule.FILLED, Grade.FIENDISH)
        assert [step["nudge"] for step in found["steps"]] == [step.nudge for step in packed]
        assert [sorted(step["cells"]) for step in found["steps"]] == [
            sorted(set(step.cells)) for step in told
        ]
        assert [sorted(step["edges"]) for step in found["steps"]] == [codes(puzzle, step) for step in told]


def test_a_hint_looks_for_what_its_caption_speaks_of():
    """Two ways out and squares that one line reaches are found by several techniques."""
    looks_for = {"captions.takes_both": "exits", "captions.two_ways_closed": "exits"}
    looks_for |= {"captions.every_path": "area", "captions.two_ways_reach": "reach"}
    seen = 0
    for puzzle in (*PUZZLES, SUPPOSED):
        codes = hint_steps(puzzle, Rule.FILLED, Grade.FIENDISH)
        for step, code in zip(hinted(puzzle, Rule.FILLED), codes, strict=True):
            key = step.caption(puzzle.grid).key
            assert code.nudge == looks_for.get(key, code.nudge)
            seen += key in looks_for and code.nudge != step.technique
    assert seen


@needs_node
def test_steps_in_another_language_have_the_same_squares_and_edges(unpacked):
    words = load_words("ja")
    for puzzle, found, english in zip(PUZZLES, unpacked_in(words), unpacked, strict=True):
        told = [
            f"{words.steps.text_of(step.sentence)}\n{words.steps.text_of(step.caption(puzzle.grid))}"
            for step in hinted(puzzle, Rule.FILLED)
        ]
        assert [worded(puzzle, step) for step in found["steps"]] == told
        for key in ("cells", "edges"):
            assert [sorted(step[key]) for step in found["steps"]] == [
                sorted(step[key]) for step in english["steps"]
            ]


def codes(puzzle, step):
    return sorted(code(puzzle, one) for one in step.drawn or step.ruled_out)


@needs_node
def test_hints_alone_lead_to_the_solution(unpacked):
    kind, count, breaches = unpacked[PUZZLES.index(boards.SOLVED_BOARD.puzzle)]["played"]
    assert (kind, breaches) == ("done", 0)
    assert count > 3


@needs_node
def test_a_wrong_line_is_reported_as_a_mistake(unpacked):
    kind, edge, told = unpacked[PUZZLES.index(boards.SOLVED_BOARD.puzzle)]["mistake"]
    assert (kind, told) == ("mistake", [edge])


def test_a_hint_needs_earlier_hints_only():
    for puzzle in (REASONED, SUPPOSED):
        kept = kept_steps(puzzle, Rule.STRICT)
        assert any(reasons for _, reasons in kept)
        assert all(place < index for index, (_, reasons) in enumerate(kept) for place in reasons)
        needed = {place for _, reasons in kept for place in reasons}
        assert needed >= {place for place, (step, _) in enumerate(kept) if not step.drawn}


@needs_node
def test_an_unpacked_chain_has_the_marks_of_its_links():
    told = kept_steps(SUPPOSED, Rule.STRICT)
    packed = pack_hints([(SUPPOSED.grid, hint_steps(SUPPOSED, Rule.STRICT, Grade.FIENDISH))], ENGLISH)
    given = {"boards": [as_json(SUPPOSED)], "hints": packed}
    (found,) = json.loads(run_node(HERE / "hints.mjs", given))
    links = [[[link.mark, list(link.cells), link.number] for link in step.chain] for step, _ in told]
    assert any(links)
    for step, chain in zip(found["steps"], links, strict=True):
        assert step["links"] == chain or (
            not chain and {tuple(link[::2]) for link in step["links"]} == {("", -1)}
        )
    assert [step["reasons"] for step in found["steps"]] == [list(reasons) for _, reasons in told]


def test_an_ungraded_board_has_hints_by_the_easier_techniques():
    record = boards.record_of(boards.ARTICLE_SOLUTION, technique=None)
    told = kept_steps(record.puzzle, record.rule, UNGRADED_RUNG)
    assert len(hint_steps(record.puzzle, record.rule, None)) == len(told)
    rungs = {step.rung for step, _ in told}
    assert 0 < max(rungs) <= UNGRADED_RUNG


def test_the_board_s_text_keeps_neighbouring_numbers_apart():
    assert board_text(WIDE_NUMBERS) == "1,12b3a#3,12e1"


def content_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def test_the_page_contains_every_puzzle_with_number_and_board():
    puzzles = content_of(page_html(play_page()))["puzzles"]
    assert [one[:4] for one in puzzles] == [
        [number, one.puzzle.grid.cols, one.puzzle.grid.rows, board_text(one.puzzle)]
        for number, one in enumerate(SOLUTIONS, start=1)
    ]


def test_a_page_of_untouching_puzzles_prints_and_checks_their_rule():
    page = play_page(boards.SOLVED_BOARD, hints=False)
    played = replace(page.puzzles[0], record=replace(page.puzzles[0].record, rule=Rule.UNTOUCHING))
    untouching = page_html(replace(page, puzzles=[played], words=page.words.with_rule("rule_untouching")))
    assert content_of(untouching)["untouching"] is True
    rule = page.words.rule_untouching
    assert content_of(untouching)["words"]["breaches"]["beside_itself"] == rule
    assert (f"<li>{rule}</li>" in untouching, f"<li>{rule}</li>" in page_html(page)) == (True, False)


def test_a_page_of_strict_puzzles_says_that_no_line_runs_beside_itself():
    page = play_page(boards.SOLVED_BOARD, hints=False)
    pages = [
        page_html(
            replace(
                page, puzzles=[replace(page.puzzles[0], record=replace(page.puzzles[0].record, rule=rule))]
            )
        )
        for rule in (Rule.STRICT, Rule.FILLED)
    ]
    assert [page.words.player.good_to_know in html for html in pages] == [True, False]


def test_the_page_has_the_colours_of_a_picture_and_their_words():
    solution = boards.SOLVED_BOARD
    colours = ["black", *["yellow"] * (len(solution.paths) - 1)]
    content = content_of(page_html(play_page(solution, with_colours(solution, colours))))
    assert list(content["pictures"]) == ["2"]
    picture = content["pictures"]["2"]
    assert picture["key"].startswith(f"{ENGLISH.picture_rule}\nblack:\N{NO-BREAK SPACE}1 · yellow:")
    black, yellow = PICTURE_INKS["black"].hex, PICTURE_INKS["yellow"].hex
    assert picture["inks"] == [[black, "#ffffff"], *[[yellow, "#000000"]] * (len(solution.paths) - 1)]
    assert "pictures" not in content_of(page_html(play_page(solution)))


def test_the_same_page_has_the_same_bytes():
    assert page_html(play_page()) == page_html(play_page())


def test_a_page_contains_answers_only_on_request():
    edges = {2 * a + int(b - a == 7) for a, b in boards.SOLVED_BOARD.edges}
    bare = content_of(page_html(play_page(boards.SOLVED_BOARD, hints=False)))
    assert set(bare) == {"id", "title", "sections", "puzzles", "words"}
    told = content_of(page_html(play_page(boards.SOLVED_BOARD, answers=True, hints=False)))
    assert set(told["answers"][0]) == edges


def test_the_page_requests_nothing_from_a_network():
    html = page_html(play_page())
    fonts = re.findall(r"url\((?!data:)", html)
    addresses = re.findall(r"https?://[^\s\"'<]+", html)
    assert fonts == []
    assert set(addresses) == {"http://www.w3.org/2000/svg"}  # a namespace, no address
    assert "import(" not in html


def test_a_title_can_t_end_the_script_or_the_page():
    title = "</script><b>&amp; \"so\" 'on'"
    html = page_html(play_page(title=title))
    assert title not in html
    assert content_of(html)["title"] == title


def test_a_fragment_has_no_html_or_body_tag():
    html = fragment_html(play_page())
    assert "<html" not in html
    assert "<body" not in html
    assert 'data-page="false"' in html


def test_no_two_modules_define_the_same_name():
    """All modules are joined into one script."""
    script = page_html(play_page()).rpartition("<script>")[2]
    modules = "".join(file.read_text("utf-8") for file in WEB.glob("*.mjs"))
    pattern = r"^(?:export )?(?:async )?(?:function|class|const|let) \*?(\w+)"
    names = re.findall(pattern, modules, re.MULTILINE)
    assert len(names) == len(set(names)) > 20
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)


def test_every_phrase_that_scripts_use_exists():
    script = page_html(play_page()).rpartition("<script>")[2]
    said = set(re.findall(r"words\.(\w+)", script))
    assert len(said) > 20
    assert said <= set(page_phrases(load_words("en")))


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_every_shipped_language_has_all_phrases_of_the_page(language):
    assert [key for key, phrase in load_words(language).player if phrase is None] == []


def test_untranslated_phrases_are_in_english():
    words = load_words("de")
    earlier = words.model_copy(update={"player": words.player.model_copy(update={"not_kept": None})})
    assert page_phrases(earlier)["not_kept"] == load_words("en").player.not_kept
    assert page_phrases(earlier)["undo"] == "Rückgängig"


def screen_inks(name):
    """Yield the colour of the page and the other colours of each CSS rule that sets colours."""
    for rule in screen_style(load_theme(name)).rules.splitlines():
        paper = DARK_PAPER if "data-dark" in rule else LIGHT_PAPER
        found = re.findall(r"--((?:on-)?ink-\d+|line-ink|solid-ink): #(\w+)", rule)
        if found:
            yield paper, {key: tuple(part / 255 for part in bytes.fromhex(code)) for key, code in found}


@pytest.mark.parametrize("name", THEMES.names())
def test_every_ink_of_every_theme_has_enough_contrast(name):
    rules = list(screen_inks(name))
    assert len(rules) == 6  # of the theme, and of two palettes to choose from, light and dark
    for paper, inks in rules:
        for key, ink in inks.items():
            if "dots" not in name or key in ("line-ink", "solid-ink"):
                assert contrast(ink, paper) > LEAST_CONTRAST - 0.05, (paper, key)


@pytest.mark.parametrize("name", ["dots", "plain-dots"])
def test_dots_on_a_page_differ_for_colour_blind_readers_and_have_legible_numbers(name):
    for _, inks in screen_inks(name):
        dots = [inks[f"ink-{number}"] for number in range(12)]
        for sight in (NORMAL_SIGHT, *COLOUR_BLIND_SIGHT):
            pairs = itertools.combinations(dots, 2)
            assert min(difference(*pair, sight) for pair in pairs) > LEAST_DIFFERENCE
        assert min(contrast(dot, inks[f"on-ink-{number}"]) for number, dot in enumerate(dots)) > 4.5


def test_a_page_of_200_puzzles_stays_below_400_kb():
    """Measured: 200 puzzles as volume-1.yaml's take 110 kB, their hints included."""
    assert len(page_html(play_page(boards.SOLVED_BOARD)).encode()) < 170_000


def test_boards_in_a_shape_share_its_drawing():
    solids = load_theme("classic").solids.model_copy(update={"style": SolidStyle.OUTLINE})
    theme = load_theme("classic").model_copy(update={"solids": solids})
    page = replace(play_page(boards.SOLVED_BOARD, boards.TOUCHING_BOARD, boards.SOLVED_BOARD), theme=theme)
    (content,) = re.findall(r"application/json\">(.*?)</script>", page_html(page), re.DOTALL)
    content = json.loads(content)
    assert [row[8:] for row in content["puzzles"]] == [[0], [1], [0]]
    shape, _ = content["shapes"]
    assert shape["outlines"].startswith("M")
    assert shape["outlines"].endswith("Z")


def test_a_count_in_a_sentence_is_read_back_from_its_text_and_is_no_blank():
    lines = phrase_tree.phrase(
        "lines_among", count="2", lines=phrase_tree.list_of(phrase_tree.ListKind.AND, (1, 3, 6))
    )
    blanked = BlankedText(phrase_tree.phrase("gap_needed", lines=lines, gap=phrase_tree.Square(1, 2)), cols=7)
    assert blanked.values == [1, 3, 6, 1]
    read = dict(dict(read_blanked(blanked.text).parts)["lines"].parts)
    assert read["count"] == "2"
