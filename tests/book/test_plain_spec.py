"""Specs in their authors' own words: groups of puzzles under many names and in many shapes."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkpress.book.plain_spec import plain_spec
from linkpress.book.spec import BookSpec, load_spec, read_spec
from linkpress.documents.yaml_source import parse_yaml
from linkpress.errors import SpecError

PLAIN = """\
title: Links
seed: 7
page: {trim: 6x9in}
levels:
  - {name: Calm, count: 20, size: 6, paths: 5, solids: 5%, per_page: 2}
  - {name: Storm, count: 10, size: 9, paths: 8, solids: 10%, per_page: 2}
solutions: {per_page: 6}
"""
MANY = {
    "definitions and counts": """\
title: Links
randomSeed: 7
pageSize: 6 x 9 in
puzzles_per_page: 2
difficulties:
  Calm: {board_size: 6x6, path_count: 5, solid_ratio: 0.05}
  Storm: {board_size: 9, path_count: 8, solid_ratio: 0.1}
puzzles: {Calm: 20, Storm: 10}
solutions: {perPage: 6}
""",
    "sections that refer to presets": """\
book: {name: Links, trim-size: 6x9, seed: 7}
presets:
  - {id: 1, label: Calm, grid: [6, 6], pairs: 5, blocks: 5 %, per_page: 2}
  - {id: 2, label: Storm, grid: [9, 9], pairs: 8, blocks: "0,1", per_page: 2}
contents:
  - {heading: Calm, preset: 1, how_many: 20}
  - {heading: Storm, preset: 2, how_many: 10}
answers: {columns: 2, rows: 3}
""",
    "a total with shares": """\
Title: Links
Seed: 7
Page Size: 6x9
Total Puzzles: 30
Difficulty Mix: {Calm: 2/3, Storm: 1/3}
Solid Ratio: 0.05
Per Page: 2
difficulty: {Calm: {size: 6, paths: 5}, Storm: {size: 9, paths: 8, solids: 10%}}
Solutions Per Page: 6
""",
    "a mapping for each level": """\
title: Links
seed: 7
book size: 6 x 9 in
Level Calm: {Board Width: 6, Board Height: 6, Pairs: 5, Solid: 5%, Quantity: 20}
Level Storm: {Board Width: 9, Board Height: 9, Pairs: 8, Solid: 10%, Quantity: 10}
ejercicios por hoja: 2
respuestas por página: 6
""",
    "keys for all levels under `defaults`": """\
title: Links
seed: 7
paperback_size: 6 x 9 in
defaults: {puzzles_per_sheet: 2, number_of_puzzles: 20}
packs:
  - {packName: Level Calm, grid: 6, flows: 5, solids: 5%}
  - {packName: Level Storm, grid: 9, flows: 8, solids: 10%, levelCount: 10}
answers_on_each_page: 6
""",
    "a mix and the definitions of its names": """\
title: Links
seed: 7
trim: 6 x 9 in
split: {Level Calm: 20, Level Storm: 10}
params:
  Level Calm: {board_size: 6, n_pairs: 5, wall_density: 0.05}
  Level Storm: {board_size: 9, n_pairs: 8, wall_density: 0.1}
puzzles_on_a_page: 2
solutions: {answers_per_sheet: 6}
""",
}


def read(text):
    return read_spec(Path("book.yaml"), text).checked()


def book_of(text):
    spec = read(text)
    levels = [
        (
            str(each.title or each.name).removeprefix("Level "), each.count, set(each.size), each.paths,
            str(each.solids), each.per_page,
        )
        for each in spec.levels
    ]  # fmt: skip
    return spec.title, spec.seed, spec.page.trim.size, spec.solutions.per_page, levels


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_many_words_and_shapes_give_one_book(text):
    assert book_of(text) == book_of(PLAIN)


def spelled(words):
    """Write a key of several words in snake, kebab and camel case, with blanks, and in plural."""
    first, *others = words.split("_")
    forms = [
        words,
        "-".join([first, *others]),
        first + "".join(map(str.title, others)),
        " ".join([first, *others]),
    ]
    return st.sampled_from([*forms, *(f"{form}s" for form in forms), words.title(), words.upper()])


@given(*map(spelled, ["page_size", "path_count", "solid_ratio", "difficulty", "board_size"]))
def test_every_spelling_gives_the_same_spec(page_size, path_count, solid_ratio, difficulty, board_size):
    level = f"{{{board_size}: 7, {path_count}: 6, {solid_ratio}: 0.05, count: 8}}"
    spec = read(f"title: A\n{page_size}: A5\n{difficulty}: {{calm: {level}}}\n")
    plain = "title: A\npage: {trim: A5}\nlevels: [{name: calm, count: 8, size: 7, paths: 6, solids: 5%}]\n"
    assert spec.document() == read(plain).document()


def test_a_difficulty_of_the_scale_may_have_any_language():
    spec, same = (
        read(f"title: A\nlevels: [{keys}]\n")
        for keys in ("{dificultad: difícil, cantidad: 4, tamaño: 9}", "{difficulty: hard, count: 4, size: 9}")
    )
    assert spec.levels[0].difficulty == same.levels[0].difficulty


@pytest.mark.parametrize(
    ("keys", "key", "value"),
    [
        ("layout: one puzzle per page", "levels.0.per_page", "1"),
        ("board-size: 6..=7", "levels.0.size", ["6", "7"]),
        ("one_per_sheet: true", "levels.0.per_page", "1"),
        ("min_size: 6\nmax_size: 7", "levels.0.size", ["6", "7"]),
        ("format: {breite: 148mm, hoehe: 210mm}", "page.trim", "148mm x 210mm"),
        ("couverture: oui", "cover", "yes"),
        ("page: A4\norientation: landscape", "page.trim", "297x210mm"),
        ("page: {size: A5, orientation: quer}", "page.trim", "210x148mm"),
        ("page_size: A5\nlandscape: yes", "page.trim", "210x148mm"),
        ("page_size: A5\nlandscape: no", "page.trim", "A5"),
        ("page: {size: B5, orientation: landscape}", "page.trim", "250x176mm"),
        ("page: {size: DIN A5, orientation: quer}", "page.trim", "210x148mm"),
        ("puzzles: [1 hard 9x9 with 8 paths and 5% solid]", "levels.0.solids", "5%"),
        ("cover_color: navy blue", "cover.background", "#1F3864"),
        ("grid_color: light grey", "theme.grid.ink", "K45"),
        ("kdp: true", "page.printer", "kdp-paperback"),
        ("printer: Lulu\nbinding: coil", "page.printer", "lulu-coil"),
        ("margin: 15mm\ngutter: 5mm", "page.margins.inside", "0.7874in"),
        ("margins: [0.5, 0.6, 0.75, 1]", "page.margins.bottom", "0.75in"),
        ("margins: {inner: 5p0, outer: 3p6}", "page.margins.outside", "42pt"),
        ("margin: 36", "page.margins.top", "36pt"),
        ("page-size: [15, 21]\npage-units: cm", "page.trim", "15 cm x 21 cm"),
        ("png: {width_px: 1200, dpi: 300}", "images.width", "4in"),
        ("output: {format: png, width_mm: 85, color_mode: grayscale}", "images.mode", "gray"),
        ("output: {formats: [pdf, png], dpi: 300}", "images.format", ["png"]),
        ("formats: [pdf, png]", "images.format", ["png"]),
        ("layout: {page_size: A5, columns: 2, rows: 1, orientation: portrait}", "levels.0.per_page", "2"),
        ("layout: {units: cm, page_size: 15x21, margin: 1.5}", "page.margins.top", "1.5 cm"),
        ("difficulty_mix: [{easy: 3}, {hard: 1}]", "levels.1.count", "1"),
        ("lines: {grid: 0.4pt}", "theme.grid.inner_pt", "0.4"),
        ("grid_color: '#5A5A5A'\ncolour: soft", "theme", {"base": "soft", "grid": {"ink": "#5A5A5A"}}),
        ("solutions: {colour_paths: yes}", "theme", "colour"),
        ("colour_mode: greyscale", "theme", "classic"),
        ("page: {numbering: {show: yes, position: bottom centre, start: 1}}", "page.numbers", "centre"),
        ("solutions: {per_page: {easy: 9, hard: 4}}", "solutions.per_page", "auto"),
        ("rules: {show: yes, text: Join the pairs.}", "front.0.text", "Join the pairs."),
        ("front_matter: [title page, contents, rules]", "parts", {"contents": "yes", "how_to_play": "yes"}),
        ("difficulty: {easy: 75%, hard: 25%}", "levels.0.count", "3"),
        ("images: {width: 600}", "images.width", "2in"),
        ("output: {images: out/png/}", "images", {"format": "png"}),
        ("output: {solutions: set_a_answers.pdf}", "solutions.place", "file"),
        ("png: {size: 1080x1080}", "images.width", "3.6in"),
        ("lines: {solid_color: black}", "theme.solids.ink", "K100"),
        ("font size: 28pt", "page.large_print", "yes"),
        ("front_matter: [{rules: Join the pairs.}, title_page]", "front.0.text", "Join the pairs."),
        ("copyright: |\n  One line\n  Two lines", "copyright", "One line Two lines"),
        ("page: {border: 1.5pt}", "theme.grid.outer_pt", "1.5"),
        ("output: {format: PDF/X-1a}", "standard", "pdfx1a"),
        ("grid: 2x2", "levels.0.per_page", "4"),
        (
            "back_matter: [{page: Also by, text: Two books}]",
            "back",
            [{"title": "Also by", "text": "Two books"}],
        ),
        ("layout: {puzzle_title: 'Week {number}'}", "words.puzzle", "Week {number}"),
        ("images: {previews: {width: 300px}}", "images.width", "1in"),
        ("page: {size: B6, width: 128mm, height: 182mm}", "page.trim", "128x182mm"),
        ("certificate: yes", "parts.certificate", "yes"),
        ("also_by: [One, Two]", "parts.more_books", ["One", "Two"]),
        (
            "numero: 5\npuzzles: {easy: [{board: 6x6}, {board: 7x7}], hard: [{board: 9x9}]}",
            "levels.1.count",
            "1",
        ),
        ("output: {png_dir: out/png}", "images.format", "png"),
        ("png: {solutions: separate files}", "images.what", "both"),
        ("sets: {ogre: {size: 9, n: 4}}\nlayout: {ogre: 2 per page}", "levels.0.per_page", "2"),
        ("solutions: {start_on_right_page: true}", "parts.recto", "true"),
        ("welcome: Hello.\ndedication: For Amma.", "front.1.text", "For Amma."),
        ("defaults: &all\n  paths: 5\nlevels: [{<<: *all, size: 6, n: 4}]", "paths", None),
        ("sets: [{board_size: [6, 8], n: 3}, {board_size: [7, 9], n: 1}]", "levels.0.size", "6x8"),
        ("niveau: {facile: 3, difficile: 1}\nboard_size: {facile: 6, difficile: 9}", "levels.1.size", "9"),
        ("page: {paper: Letter}", "page.trim", "Letter"),
        ("page: {width: 15, height: 21, units: cm, puzzles_per_page: 1}", "levels.0.per_page", "1"),
        ("output: {png: false, dir: build}", "images", None),
        ("style: {grid: light gray, numbers: bold}", "theme", {"base": "classic", "grid": {"ink": "K45"}}),
        ("levels: [{difficulty: Very Hard, size: 9, count: 4}]", "levels.0.name", "Very Hard"),
        ('impressum: "© Nord, Kiel"', "copyright", "© Nord, Kiel"),
        ("puzzles: {easy: {count: 2, size: 8}, numbering: 'Week {n}'}", "words.puzzle", "Week {number}"),
        (
            "groups: [{label: Easy, boards: [{rows: 8, cols: 6, n: 3}, {rows: 7, cols: 7, n: 1}]}]",
            "levels.1.name",
            "Easy 7 × 7",
        ),
    ],
)
def test_a_value_in_the_words_of_a_stranger_is_understood(keys, key, value):
    count = "" if "numero" in keys or "puzzles:" in keys.split("\n")[0] else "puzzles: 4"
    found = read(f"title: A\n{count}\n{keys}\n").source.value
    for step in key.split("."):
        found = found[int(step)] if step.isdigit() else found.get(step)
    assert found == value


MIX = "puzzles: 12\nmix: {easy: 6, hard: 6}"
CHILDREN = "difficulties: children\nmix: {start: 50%, go-on: 30%, challenge: 20%}"


@pytest.mark.parametrize(
    ("keys", "counts"),
    [
        ("puzzles: 10\npuzzles_per_page: 2", "easy 5, medium 3, hard 2"),
        ("mix: easy 4, hard 2", "easy 4, hard 2"),
        ("total: 10\nmix: 80% facile + 20% difficile", "easy 8, hard 2"),
        ("puzzles: 9\nratio: easy/hard = 2:1", "easy 6, hard 3"),
        ("puzzles: 6\nmix: [hard, easy, medium]", "easy 2, medium 2, hard 2"),
        ("puzzles: 4\nparts: {Coffee: easy, Lunch: hard}", "Coffee 2, Lunch 2"),
        ("puzzles: {easy: 4, hard: 2, total: 6, per_page: 1}", "easy 4, hard 2"),
        ("puzzles: {total: 10}", "easy 5, medium 3, hard 2"),
        ("num_easy: 4\nnum_hard: 2", "easy 4, hard 2"),
        ("kinds: [{count: 3, difficulty: easy to medium}]", "easy-medium 3"),
        ("total: 80\nlevels: [{level: Very easy, percent: 75}, {level: Hard, percent: 25}]",
         "Very easy 60, Hard 20"),
        ("levels: [{difficulty: 1, count: 2}, {difficulty: 3, count: 2}]", "easy 2, hard 2"),
        ("Level names: easy, hard\nPuzzles in each level: 4", "easy 4, hard 4"),
        ("séries: {CE1: {grille: 5x5, exercices: 8}, CE2: {grille: 6x6, exercices: 8}}", "CE1 8, CE2 8"),
        (f"puzzles: 20\n{CHILDREN}", "Start 10, Go on 6, Challenge 4"),
        (f"puzzles: 20\n{CHILDREN.replace('children', 'Kids')}", "Start 10, Go on 6, Challenge 4"),

        ("puzzles: 30\ndifficulties: experts", "hard 10, expert 10, extreme 10"),
        ("levels: {a_bit_harder: {count: 3, size: 6}, Calm: {count: 4, size: 5}}", "A bit harder 3, Calm 4"),
        *((f"{name}: [{{day: Monday, size: 6}}, {{day: Tuesday, size: 7}}]", "Monday 1, Tuesday 1")
          for name in ("volume", "puzzles", "entries", "levels")),
        ("tasks: [{number: 1, size: 6}, {number: 2, size: 7}]", "1 1, 2 1"),
        ("volume: {chapters: [{title: B, count: 2, size: 6}, {title: C, count: 2, size: 7}]}", "B 2, C 2"),
        ("groups: {calm: [{size: 6, count: 6}, {size: 7x8, count: 5}], storm: [{size: 9, count: 4}]}",
         "calm 6 × 6 6, calm 7 × 8 5, storm 4"),
        ("puzzles: [{name: B, size: 6, paths: 5}, {name: C, size: 8, paths: 7}]", "B 1, C 1"),
        ("puzzles: '3 puzzles: 2 easy, 1 hard'", "easy 2, hard 1"),
        ("puzzles: 2 leichte und 1 schwer", "easy 2, hard 1"),
        ("puzzles: [2 easy 6x6, 1 hard 9x9 with 8 paths]", "easy 2, hard 1"),
        ("puzzles: {count: 4, mix: easy 50% hard 50%}", "easy 2, hard 2"),
        ("puzzles: {very easy: 2, easy: 1, hard: 1}", "easy 3, hard 1"),
        ("mix: 2 easy, 3 leicht, 1 hard", "easy 5, hard 1"),
        ("levels: [{name: B, size: 6, mix: {easy: 2, simple: 3}}]", "B 5"),
        ("puzzles: 10\ndifficulty: mixed", "easy 5, medium 3, hard 2"),
        *((f"{key}:\nlevels: [{{count: 2, difficulty: easy}}]", "easy 2")  # a key without a value
          for key in ("difficulty", "puzzles", "mix", "difficulties")),
    ],
)  # fmt: skip
def test_levels_and_mixes_may_have_many_forms(keys, counts):
    assert ", ".join(f"{level.name} {level.count}" for level in read(f"title: A\n{keys}\n").levels) == counts


ONE_LEVEL = "levels: [{count: 2, difficulty: easy}]"
TWO_LEVELS = [{"count": 10, "size": 6, "paths": 5}, {"count": 20, "size": 9, "paths": 8}]


@pytest.mark.parametrize(
    ("keys", "levels"),
    [
        ("puzzles: {easy: 10, hard: 20}\nsizes: {easy: 6, hard: 9}\npaths: {easy: 5, hard: 8}", TWO_LEVELS),
        ("level_names: [B, C]\nlevel_counts: [10, 20]\nsizes: [6, 9]\npath_counts: [5, 8]", TWO_LEVELS),
        (
            "easy: {board: 6x6, paths: 5}\nhard: {board: 9x9, paths: 8}\nmix: {easy: 10, hard: 20}\n"
            "pdf: {per_page: 2, solutions: at end}",
            [{**level, "per_page": 2} for level in TWO_LEVELS],
        ),
        ("weeks: [{puzzles: 10, size: 6, paths: 5}, {puzzles: 20, size: 9, paths: 8}]", TWO_LEVELS),
        (
            "difficulty: {easy: {size: 6, n_paths: 5}, hard: {size: 9, n_paths: 8}}\n"
            "volumes: [{n_puzzles: 30, mix: {easy: 10, hard: 20}}]",
            TWO_LEVELS,
        ),
        (
            "niveles: [{puzles: 10, tamaño: 6}, {puzles: 20, tamaño: 9, maciza: 0.1}]",
            [{"size": 6}, {"solids": "10%"}],
        ),
        (
            "parts: [{part: A, title: B, total: 10, size: 6}, {part: B, title: C, total: 20, size: 9}]",
            [{"name": "B", "size": 6}, {"name": "C", "size": 9}],
        ),
        (
            "total: 30\nmix: [{level: B, weight: 1, size: 6, paths: 5}, "
            "{level: C, weight: 2, size: 9, paths: 8}]",
            TWO_LEVELS,
        ),
        (
            "defaults: &all {size: 6, paths: 5}\n"
            "sections: [{<<: *all, count: 10}, {<<: *all, count: 20, size: 9, paths: 8}]",
            TWO_LEVELS,
        ),
        ("size: [6, 7]\npaths: [5, 6]\npuzzles: 3", [{"size": "['6', '7']", "paths": "5-6"}]),
        (
            "days: 28\nschedule: {monday: {grid: 6, paths: 5}, tuesday: {grid: 9, paths: 8}}",
            [{"name": "monday", "count": 14, "size": 6}, {"name": "tuesday", "count": 14, "size": 9}],
        ),
        ("niveaux: {Tige: {taille: 6}, Feuille: {taille: 9}}\ngrilles_par_niveau: 5", [{"count": 5}] * 2),
        ("weekdays: {mon: {grid: 6, paths: 5}, tue: {grid: 9, paths: 8}}", [{"size": 6}, {"size": 9}]),
        (
            "defaults: {puzzles: 15}\nlevels: [{name: B, board: 6}, {name: C, size: 7, boards: 20}]",
            [{"count": 15, "size": 6}, {"count": 20, "size": 7}],
        ),
        (f"{MIX}\npuzzles_per_page: 2", [{"difficulty": "easy", "per_page": 2}, {"count": 6, "per_page": 2}]),
        (f"{MIX}\nsolid_ratio: 0.05\npath_count: 7", [{"solids": "5%", "paths": 7}] * 2),
        (
            f"{MIX}\npaths: 6\ndifficulties: {{easy: {{size: 6, paths: 5}}}}",
            [{"name": "Easy", "paths": 5}, {"difficulty": "hard", "paths": 6}],
        ),
        (f"{MIX}\nhard_puzzles_per_page: 2", [{"difficulty": "easy"}, {"difficulty": "hard", "per_page": 2}]),
        ("puzzles: 4\nsolid_ratio: 0.05", [{"count": count, "solids": "5%"} for count in (2, 1, 1)]),
        ("puzzles: 2\ngrade: difícil", [{"difficulty": "hard", "count": 2}]),
        ("puzzles: 2\ngrade: 8", [{"size": 8, "count": 2}]),
        ("niveis: [{quantidade: 2, grade: dificil}]", [{"difficulty": "hard", "count": 2}]),
        ("pages: [{name: B, pages: 5, per_page: 4, size: 6}]", [{"count": 20}]),
        (
            "tiers: {B: {size: 6, replicas: 30, black: 0.05}, C: {size: 8, replicas: 20, black: 0.05}}",
            [{"count": 30, "solids": "5%"}, {"count": 20, "solids": "5%"}],
        ),
        (f"layout: {{rows: 2, columns: 2, page_size: A5, bleed: no}}\n{ONE_LEVEL}", [{"per_page": 4}]),
        (f"layout: {{rows: 2, columns: 1, puzzles_per_page: 2}}\n{ONE_LEVEL}", [{"per_page": 2}]),
        (
            "puzzles: 8\nmix: {easy: 50%, hard: 50%}\npdf: {rows: 2, columns: 2}\n"
            "levels: {easy: {width: 7, height: 7}, hard: {width: 9, height: 9}}",
            [{"size": 7, "per_page": 4}, {"size": 9, "per_page": 4}],
        ),
        ("puzzles: {total: 20, per_page: 1}\ndifficulty: hard", [{"count": 20, "per_page": 1}]),
        (
            "puzzles: {per_page: 2, B: {count: 3, size: 6}, C: {count: 4, size: 7, per_page: 1}}",
            [{"name": "B", "count": 3, "per_page": 2}, {"name": "C", "count": 4, "per_page": 1}],
        ),
        ("levels: [{count: 1, size: 8x8 to 10x10, black_percent: 5}]",
         [{"size": ["8", "9", "10"], "solids": "5%"}]),
        ("puzzles: 40\nsize: 8x8\npaths: 7", [{"count": 40, "size": 8, "paths": 7}]),
        (
            "tiers: [{n: 4, width: [6, 7], height: [6, 7]}, {n: 4, width: 5-6, height: 9}]",
            [{"size": ["6", "7"]}, {"size": ["5x9", "6x9"]}],
        ),
        (
            "levels: {easy: {count: 2, size: [8, 8]}, hard: {count: 2, size: [10, 14]}}",
            [{"size": 8}, {"size": "10x14"}],
        ),
        *(
            (f"levels: [{{name: B, size: 7, count: 4, {mix}}}]", [{"difficulty": {"easy": 3, "hard": 1}}])
            for mix in (
                "difficulty: {easy: 75%, hard: 25%}", "mix: facile 75% difficile 25%",
                "difficulty_mix: {facile: 0.75, difficile: 0.25}",
            )
        ),
    ],
)  # fmt: skip
def test_levels_have_the_keys_of_columns_of_weeks_and_of_the_whole_book(keys, levels):
    found = read(f"title: A\n{keys}\n").document()["levels"]
    assert len(found) == len(levels)
    for level, expected in zip(found, levels, strict=True):
        seen = {key: re.sub(r"^(\d+)x\1$", r"\1", str(level.get(key))) for key in expected}
        assert seen == {key: str(expected[key]) for key in expected}


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("{separate_file: true}", "file"),
        ("{fichier séparé: oui}", "file"),
        ("upside-down at the foot of the page", "upside-down"),
        ("end-of-chapter", "after-section"),
        ("chapterEnd", "after-section"),
        ("al final de cada capítulo", "after-section"),
        ("am Ende des Buches", "back"),
        ("each on its own page at the end", "back"),
        ("in a separate section at the back", "back"),
        ("dans un fichier séparé", "file"),
    ],
)
def test_the_words_of_a_phrase_tell_where_the_answers_are(words, place):
    assert read(f"title: A\npuzzles: 4\nsolutions: {words}\n").solutions.place == place


def test_images_may_be_one_of_several_outputs():
    outputs = "outputs: [{format: pdf, path: a.pdf}, {format: png, dpi: 200, include_solutions: yes}]"
    value = plain_spec(parse_yaml(f"title: A\npuzzles: 4\n{outputs}\n", "a.yaml"), BookSpec).value
    assert value["images"] == {"format": "png", "dpi": "200", "what": "both"}
    assert value["outputs path"] == "a.pdf"


def test_boards_of_a_file_need_neither_seed_nor_count_and_can_be_the_whole_book(tmp_path):
    board = "3 3\n1 . 1\n2 . 2\n3 . 3\n"
    (tmp_path / "boards.txt").write_text(f"{board}\n{board}")
    path = tmp_path / "book.yaml"
    for keys in ("levels: [{name: A, from: boards.txt}]", "from: boards.txt\nper_page: 2"):
        path.write_text(f"title: Two boards\n{keys}\n")
        spec = load_spec(path)
        assert (spec.seed, [level.count for level in spec.levels]) == ("Two boards", [2])
        assert BookSpec.model_validate(spec.document()).seed == "Two boards"
    assert spec.levels[0].per_page == 2


def test_a_mask_may_stand_at_its_level():
    (level,) = read("title: A\nlevels: [{name: B, count: 2, paths: 9, mask: heart}]").levels
    assert level.solids.mask.rows > 5


def test_a_mapping_under_any_name_is_the_place_that_its_keys_belong_to():
    spec = read(
        "title: A\npuzzles: 40\ninterior: {trim_size: 6 x 9 in, bleed: 3mm, page_numbers: no}\n"
        "last part: {place: after section, columns: 2, rows: 2}\n"
    )
    assert (spec.page.trim.text, spec.page.bleed, spec.page.numbers) == ("6 x 9 in", True, "none")
    assert (spec.solutions.place, spec.solutions.per_page) == ("after-section", 4)


def test_a_key_with_yes_may_be_the_value_that_is_wanted():
    solutions = read("title: A\npuzzles: 40\nanswers: {am_ende_jedes_kapitels: ja, n_up: 9}\n").solutions
    assert (solutions.place, solutions.per_page) == ("after-section", 9)


def test_sample_images_are_images_and_other_margins_are_the_rest():
    spec = read(
        "title: A\npuzzles: 4\nleftMargin: 0.75in\notherMargins: 0.5in\n"
        "sampleImages: {format: PNG, size: 600px}\n"
    )
    assert (spec.images.width, [each.value for each in spec.images.format]) == (50.8, ["png"])
    assert (spec.page.margins.inside, spec.page.margins.top) == (54, 36)


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ("levels: [{name: B, count: 1, spielbrettmass: 7x9}]", "`spielbrettmass: 7x9` is read as `size"),
        ("puzzles: {easy: 1, hard: 2}\nsizes: {easy: 6, hard: 9}", "line 3: `sizes` is read as the `size`"),
        ("mix: {easy: 3, hard: 1}\nmixture: {easy: 1}", "line 3: `mixture: {easy: 1}` is left out: `mix` is"),
        *((f"seed: {word}\npuzzles: 4", "is left out: the title decides the puzzles")
          for word in ("random", "none", "zufällig")),
        ("levels: [{difficulty: very hard, count: 2}, {difficulty: fiendish, count: 2}]",
         "`difficulty: very hard` is read as `difficulty: expert`"),
        ("levels: [{difficulty: fiendish, count: 2}, {difficulty: fiendish, count: 2}]",
         "`difficulty: fiendish` is read as `difficulty: expert` (1 more like this)"),
        ("puzzles: 4\nsolutions: nach jedem Rätsel", "answers after each single puzzle are not available"),
        ("solutions: {show: yes, at: back}\npuzzles: 4", "`show: yes` is left out"),
    ],
)  # fmt: skip
def test_the_author_is_told_of_keys_that_are_read_otherwise_or_left_out(keys, note):
    assert any(note in line for line in read(f"title: A\n{keys}\n").source.notes)


def test_no_note_says_that_a_unit_is_left_out():
    notes = read("title: A\npage: {width: 6, height: 9, unit: in}\npuzzles: 4\n").source.notes
    assert not any("left out" in note for note in notes)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        *((f"levels: [{{count: 1, size: 7, solid_ratio: {share}}}]", "solid squares, or of the squares on p")
          for share in ("0.7", "70%", "[0.6, 0.7]")),
        ("puzzles: 10\nmix: {easy: half, hard: half}", "mix.easy: half — a percentage"),
        ("puzzles: 10\nmix: easy 5 zebra 6", "zebra 6"),
        ("puzzles: 5 easy zebras", "puzzles: 5 easy zebras"),
        ("puzzles: {easy: 50%, very easy: 3}", "mix.very easy: 3 — this means `easy`, which line 2 gives"),
        ("tiers:\n  - [Calm, 6x6, 5, 16]", "tiers: this means `levels`"),
        ("from: Nana\npuzzles: 4\nsize: 6", "from: there is no such key here"),
        ("shuffle: yes", "linkpress chooses this itself; leave it out"), ("threads: 3", "--jobs 8"),
        ("number_font_size: 30pt", "sizes of letters follow from the page"),
        ("output_file: a.pdf", "to the file or folder that the command names"),
 ("subtitel_: A", "did you mean `subtitle`?"),
        ("frobnicate: 1", "linkpress has no such key, so leave it out"),
        ("page: {trim: A5, page size: A4}", "this means `page.trim`: write that once"),
        ("show_name_line: yes", "no line to write a name on"),
        ("images: {levels: [B]}", "there are images of all puzzles"),
        ("schedule: {monday: {difficulty: easy, size: 6}}", "`linkpress init --feed`"),
        ("difficulty: hard", "book.yaml:2:13 puzzles: give `puzzles` too, the number of puzzles"),
        ("levels: [{name: B, count: 2, difficulty: 3 stars}]", "levels[0].difficulty: 3 stars — easy, m"),
        ("captions: {difficulty: hard}", "captions.difficulty: hard — none, marks or number"),
        ("captions: {difficulty: white}", "captions.difficulty: white — none, marks or number"),
        (f"{MIX}\ndifficulties: foo", "book.yaml:4:15 difficulties: foo — no set of diff"),
        ("pages-multiple-of: 4", "page_count: {multiple: 4}"),
        ("output: {file: a.pdf}", "-o FOLDER"),
        ("output: {cover: x.pdf}", "cover: x.pdf — linkpress names the PDF files by itself: `cover: yes`"),
        ("files: {cover: x.pdf}", "cover: x.pdf — linkpress names the PDF files by itself: `cover: yes`"),
        ("fonts: {body: Helvetica}", "fonts: {regular: MyFont.ttf}"),
        ("cover: {text_color: white}", "cover: {accent"), ("cover_text_colour: white", "cover: {accent"),
    ],
)  # fmt: skip
def test_a_key_that_is_not_understood_gets_one_sentence_with_advice(keys, words):
    has_levels = re.search("levels|tiers|puzzles|^difficulty", keys)
    with pytest.raises(SpecError) as caught:
        read(f"title: A\n{keys}\n{'' if has_levels else ONE_LEVEL}\n")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 260


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "title: A\npuzzles: 4\nimages: [{width: 62mm, dpi: 300}, {width: 85mm, dpi: 200}]",
            "images: `linkpress export BOOK --width 85mm --dpi 200`",
        ),
        ("volumes: [{title: A, mix: {easy: 2}}, {title: B, mix: {hard: 2}}]", "volumes: B — a spec makes on"),
        (
            "defaults: &all {page_size: A5, total_puzzles: 6}\nbooks:\n"
            "  - {title: A, seed: 1, <<: *all}\n  - {title: B, seed: 2, <<: *all}",
            "books: B",
        ),
    ],
)
def test_of_several_books_or_sets_of_images_the_first_is_made_and_the_others_are_told(text, problem):
    source = read_spec(Path("book.yaml"), f"{text}\n")
    assert source.model.title == "A"
    (line,) = map(str, source.problems)
    assert all(part in line for part in problem.split(": "))


def test_letter_sizes_under_a_name_for_fonts_are_no_levels():
    sizes = "{body: {size: 11pt}, text: 12pt, clues: {size: auto}}"
    source = read_spec(Path("book.yaml"), f"title: A\npuzzles: 4\ntypography: {sizes}\n")
    assert [problem.key for problem in source.problems] == [("fonts", "body"), ("fonts", "clues")]
