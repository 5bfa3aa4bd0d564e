"""The page as a file: what is in it and what is not."""

import json
import re
from dataclasses import replace

import pytest
from page_of import SOLUTIONS, play_page

import boards
from linkpress.documents.inks import contrast
from linkpress.documents.shipped_files import LANGUAGES, THEMES
from linkpress.engine.recipe import Rule
from linkpress.layout.theme import load_theme
from linkpress.play.look import DARK_PAPER, LEAST_CONTRAST, LIGHT_PAPER, look_of
from linkpress.play.page import board_text, fragment_html, page_html, spoken_words
from linkpress.words.languages import load_words
from node_runs import WEB


def content_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])


def test_every_puzzle_is_there_with_its_number_and_board():
    puzzles = content_of(page_html(play_page()))["puzzles"]
    assert [one[:4] for one in puzzles] == [
        [number, one.puzzle.grid.cols, one.puzzle.grid.rows, board_text(one.puzzle)]
        for number, one in enumerate(SOLUTIONS, start=1)
    ]


def test_a_page_of_untouching_puzzles_says_and_checks_their_rule():
    page = play_page(boards.SOLVED_BOARD, hints=False)
    played = replace(page.puzzles[0], record=replace(page.puzzles[0].record, rule=Rule.UNTOUCHING))
    untouching = page_html(replace(page, puzzles=[played], words=page.words.of_untouching))
    assert content_of(untouching)["untouching"] is True
    rule = page.words.rule_untouching
    assert content_of(untouching)["words"]["breaches"]["beside_itself"] == rule
    assert (f"<li>{rule}</li>" in untouching, f"<li>{rule}</li>" in page_html(page)) == (True, False)


def test_the_same_page_has_the_same_bytes():
    assert page_html(play_page()) == page_html(play_page())


def test_no_answer_is_inside_unless_asked_for():
    edges = {2 * a + int(b - a == 7) for a, b in boards.SOLVED_BOARD.edges}
    bare = content_of(page_html(play_page(boards.SOLVED_BOARD, hints=False)))
    assert set(bare) == {"id", "title", "sections", "puzzles", "words"}
    told = content_of(page_html(play_page(boards.SOLVED_BOARD, answers=True, hints=False)))
    assert set(told["answers"][0]) == edges


def test_the_page_asks_nothing_of_a_network():
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


def test_a_fragment_is_no_whole_page():
    html = fragment_html(play_page())
    assert "<html" not in html
    assert "<body" not in html
    assert 'data-page="false"' in html


def test_modules_share_no_name():
    """They stand behind each other in one script."""
    script = page_html(play_page()).rpartition("<script>")[2]
    modules = "".join(file.read_text("utf-8") for file in WEB.glob("*.mjs"))
    pattern = r"^(?:export )?(?:async )?(?:function|class|const|let) \*?(\w+)"
    names = re.findall(pattern, modules, re.MULTILINE)
    assert len(names) == len(set(names)) > 20
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)


def test_every_word_that_the_scripts_say_is_in_the_table():
    script = page_html(play_page()).rpartition("<script>")[2]
    said = set(re.findall(r"words\.(\w+)", script))
    assert len(said) > 20
    assert said <= set(spoken_words(load_words("en")))


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_every_shipped_language_has_all_phrases_of_the_page(language):
    assert [key for key, phrase in load_words(language).player if phrase is None] == []


def test_a_words_file_of_an_earlier_release_says_later_phrases_in_english():
    words = load_words("de")
    earlier = words.model_copy(update={"player": words.player.model_copy(update={"not_kept": None})})
    assert spoken_words(earlier)["not_kept"] == load_words("en").player.not_kept
    assert spoken_words(earlier)["undo"] == "Rückgängig"


@pytest.mark.parametrize("name", THEMES.names())
def test_every_ink_of_every_theme_stands_out(name):
    rules = look_of(load_theme(name)).rules
    inks = []
    for rule in rules.splitlines():
        paper = DARK_PAPER if "data-dark" in rule else LIGHT_PAPER
        inks += [(paper, *found) for found in re.findall(r"--(ink-\d+|line-ink|solid-ink): #(\w+)", rule)]
    assert len(inks) == (76 if "dots" in name else 52)  # of the theme, and of two palettes to choose from
    for paper, key, code in inks:
        colour = tuple(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
        assert contrast(colour, paper) > LEAST_CONTRAST - 0.05, (paper, key)


def test_the_player_itself_leaves_room_for_a_book_of_200_under_400_kb():
    """Measured: 200 puzzles as volume-1.yaml's take 110 kB, their hints included."""
    assert len(page_html(play_page(boards.SOLVED_BOARD)).encode()) < 160_000
