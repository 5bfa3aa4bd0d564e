import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkpress.book.printing_keys import PlaySpec
from linkpress.book.spec import BookSpec, load_spec, read_spec_source, slug
from linkpress.documents import shipped_files as shipped
from linkpress.documents.models import annotation_of, fields_of, model_of, read_document, reader_of
from linkpress.documents.problem import YamlSource
from linkpress.documents.shipped_files import MAX_PATH, HoldsPaths
from linkpress.errors import ExitCode, SpecError
from linkpress.feeds.feed_spec import FeedSpec, load_feed
from linkpress.resources import resource

SAMPLE = """\
title: Number Link            # required
subtitle: 120 puzzles from easy to expert
author: …
volume: 1
seed: 20261120                # required: the same spec gives the same book
page: {printer: generic, trim: 8.5x11in, bleed: false}
levels:                       # printed in this order, one section each
  - name: Easy
    count: 24
    size: 7                   # or 7x9 (cols x rows), or a list to mix
    paths: 5-7                # path count: one number or a range
    solids: 0-10%             # solid ratio: one number or a range
    unique: strict            # or filled
    per_page: 4
solutions: {per_page: 9}
"""


def write(folder, text):
    path = folder / "book.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(folder, text):
    with pytest.raises(SpecError) as caught:
        load_spec(write(folder, text))
    assert caught.value.exit_code is ExitCode.USAGE
    return [line.removeprefix(f"{folder}/book.yaml:") for line in str(caught.value).splitlines()]


def test_a_spec_is_read_with_the_digest_of_its_text(tmp_path):
    spec = load_spec(write(tmp_path, SAMPLE))
    assert (spec.title, spec.seed, spec.author, spec.volume) == ("Number Link", 20261120, "…", 1)
    assert (spec.levels[0].per_page, spec.solutions.per_page, spec.page.bleed) == (4, 9, False)
    assert spec.puzzle_count == 24
    assert spec.sha256 == hashlib.sha256(SAMPLE.encode()).hexdigest()


def test_all_problems_are_listed_with_line_column_and_key_path(tmp_path):
    text = """\
titl: Number Link
seed: 1
page: {trim: A9, blead: no}
levels:
  - {name: Easy, count: 24, size: 7, paths: 9-3, solids: 1.05}
  - {name: Easy, count: 0, size: 5x7, paths: 12}
"""
    assert [line.split(" — ")[0] for line in problems_of(tmp_path, text)] == [
        "1:1 titl: there is no such key; did you mean `title`?",
        "1:1 title: this key is needed: text, up to 120 characters", "3:14 page.trim: A9",
        "3:18 page.blead: there is no such key; did you mean `bleed`?", "5:45 levels[0].paths: 9-3",
        "5:58 levels[0].solids: 1.05", "6:12 levels[1].name: Easy", "6:25 levels[1].count: 0",
        "6:46 levels[1].paths: 12",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "message"), [("Ea\\u200bsy", "Easy"), ("easy", "easy")])
def test_level_names_must_look_different(tmp_path, name, message):
    text = SAMPLE.replace("solutions", f'  - {{name: "{name}", count: 1, size: 7}}\nsolutions')
    assert problems_of(tmp_path, text) == [
        f"15:12 levels[1].name: {message} — another level has this name; give each its own"
    ]


def test_the_number_of_puzzles_in_a_book_is_limited(tmp_path):
    more = "  - {name: More, count: 1, size: 7}\nsolutions"
    text = SAMPLE.replace("count: 24", "count: 5000").replace("solutions", more)
    assert "5001 puzzles — at most 5000 in a book" in problems_of(tmp_path, text)[0]


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        ("yes", {}), ("no", None), ("{puzzle: 24}", {"puzzle": 24}),
    ],
)  # fmt: skip
def test_a_cover_is_yes_no_or_a_mapping(tmp_path, cover, expected):
    spec = load_spec(write(tmp_path, f"{SAMPLE}cover: {cover}\n"))
    assert (spec.cover.model_dump(exclude_none=True) if spec.cover else None) == expected


def test_the_puzzle_on_the_cover_must_be_in_the_book(tmp_path):
    assert problems_of(tmp_path, SAMPLE + "cover: {puzzle: 25}\n") == [
        "16:17 cover.puzzle: 25 — the book has 24 puzzles"
    ]


def test_the_player_s_address_and_keys_are_checked(tmp_path):
    assert problems_of(tmp_path, SAMPLE + "play: maybe\n") == [
        "16:7 play: maybe — yes, no, or keys of its own, set in by two spaces, are needed"
    ]
    assert problems_of(tmp_path, SAMPLE + "play: {url: example.com/x.html, hints: maybe}\n") == [
        "16:13 play.url: example.com/x.html — a web address as `https://example.com/play.html` is allowed: "
        "with https://, without blanks and #, which is added",
        "16:40 play.hints: maybe — yes or no is allowed",
    ]
    assert len(problems_of(tmp_path, SAMPLE + "play: {url: https://example.com/p.html#1}\n")) == 1
    assert load_spec(write(tmp_path, SAMPLE + "play: yes\n")).play == PlaySpec()
    text = SAMPLE + "qr: {per: section}\nplay: {url: https://example.com/p.html}\n"
    assert load_spec(write(tmp_path, text)).play_url == "https://example.com/p.html"


def test_qr_codes_of_sections_need_a_text(tmp_path):
    (problem,) = problems_of(tmp_path, SAMPLE + "qr: {per: section}\n")
    assert problem.startswith("16:5 qr.text: this key is needed: a section has no address of its own")
    (problem,) = problems_of(tmp_path, SAMPLE + 'qr: {per: section, text: "{url}"}\n')
    assert problem.startswith("16:26 qr.text: {url} — a section has an address where `play.url` gives")
    spec = load_spec(write(tmp_path, SAMPLE + "qr: {per: section, text: 'https://example.com/{level}'}\n"))
    assert BookSpec.model_validate(spec.document()).qr == spec.qr
    assert load_spec(write(tmp_path, SAMPLE + "qr: {}\n")).qr.text == "{url}"


def test_a_spec_can_be_read_back_from_its_document():
    spec = BookSpec.model_validate(
        {
            "title": "Ü 🎲", "seed": "spring", "date": "2026-11-20", "isbn": "978-3-16-148410-0",
            "cover": "yes", "page": {"trim": "A5", "min_cell_mm": "6.5mm"},
            "levels": [
                {"name": "A", "count": 2, "size": ["7", "7x9"], "solids": "4%", "difficulty": "easy-medium"},
                {"name": "B", "count": 1, "size": 9, "longest_share": "40%", "adjacent_pairs": True},
            ],
        },
    )  # fmt: skip
    assert BookSpec.model_validate(spec.document()) == spec


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Number Link", "number-link"), ("Été: l’Œuvre!", "ete-lœuvre"), ("../../etc", "etc"),
        ("CON", "book-con"), ("日本 2", "日本-2"), ("!!!", "book-e84c538e"), ("Don't 5", "dont-5"),
        ("x" * 100, "x" * 60), ("ลากเส้น เล่ม ๑", "ลากเส้น-เล่ม-๑"),
    ],
)  # fmt: skip
def test_a_slug_keeps_letters_and_digits(title, expected):
    assert slug(title) == expected


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("", "", "number-link-1"),
        ("volume: 1\n", "", "number-link"),
        ("volume: 1", "id: series-3", "series-3"),
    ],
)
def test_a_book_s_folder_is_named_after_its_id_or_title_and_volume(tmp_path, old, new, name):
    assert load_spec(write(tmp_path, SAMPLE.replace(old, new, 1))).book_id == name


@given(
    st.sampled_from(sorted(["title", "seed", "page", "levels", "solutions", "isbn", "date", "cover", "id"])),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    ),
)
def test_any_value_of_a_key_is_read_or_refused(key, value):
    document = {"title": "x", "seed": 1, "levels": [{"name": "A", "count": 1, "size": 7}], key: value}
    problems = read_document(YamlSource("a.yaml", document, {}, {}), BookSpec).problems
    assert all(str(problem).startswith("a.yaml: ") for problem in problems)


def test_replacements_are_sorted_by_puzzle_and_written_back(tmp_path):
    spec = load_spec(write(tmp_path, SAMPLE + "replace: {4: 2, 1: 1}\n"))
    assert list(spec.replace.items()) == [(1, 1), (4, 2)]
    assert BookSpec.model_validate(spec.document()).document() == spec.document()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("17", "replace: 17 — puzzle numbers"),
        ("{25: 1}", "replace.25: puzzle 25 is swapped here, but the book has 24 puzzles; remove"),
        ("{1: 0}", "replace.1: 0 — "), ("{0: 1}", "replace.0: 0 — a puzzle's printed number, 1 to 5000"),
        ("{one: 1}", "replace.one: one — a puzzle's printed number"),
        ("{1: 1000}", "replace.1: 1000 — the number of the replacement, 1 to 999"),
        ("{2: [1]}", "replace.2: a list — the number of"), ("{2}", "replace.2: the number of"),
        ("{2: 1, 2: 2}", "replace.2: the key is given twice, first in line 16"), ("[1]", "replace: .*list"),
    ],
)  # fmt: skip
def test_an_invalid_replacement_is_a_problem(tmp_path, value, message):
    (problem,) = problems_of(tmp_path, f"{SAMPLE}replace: {value}\n")
    assert re.match(r"16:\d+ " + message, problem)


def keys_below(model, above=""):
    for name, field in fields_of(model).items():
        yield above + name, field
        if reader_of(field) is None and (inner := model_of(field)):
            yield from keys_below(inner, f"{above}{name}.")


@pytest.mark.parametrize("model", [BookSpec, FeedSpec])
def test_every_key_that_takes_a_path_is_marked_as_one(model):
    assert [
        key
        for key, field in keys_below(model)
        if (reader := reader_of(field)) and reader.schema.get("maxLength") == MAX_PATH
        if annotation_of(field, HoldsPaths) is None
    ] == ["base"]


def test_every_path_of_a_base_starts_from_the_base_s_folder(tmp_path):
    def text_of(folder):
        return (
            f'![a map]({folder}map.png "60mm") and ![](<{folder}sea chart.png>), \\![not](one.png)\n\n'
            "![][far] ![](https://example.com/a.png) ![](/b.png) [words](c.png)\n\n"
            f"[far]: {folder}far.png\n[Note]: see below\n"
        )

    text = "".join(f"\n      {line}" for line in text_of("").splitlines())
    house = f"""\
page: {{printer: own.yaml, background: {{image: back.jpg}}}}
theme: {{base: theme.yaml}}
fonts: {{regular: a.ttf, semibold: b.ttf, italic: c.ttf, fallback: d.ttf, fallback_semibold: e.ttf}}
cover: {{image: front.jpg}}
language: words.yaml
front:
  - text: |{text}
levels: [{{name: A, count: 2, from: boards.txt}}]
"""
    (tmp_path / "the house").mkdir()
    (tmp_path / "the house" / "house.yaml").write_text(house, encoding="utf-8")
    book = read_spec_source(write(tmp_path, "base: the house/house.yaml\n")).value
    assert book["page"] == {"printer": "the house/own.yaml", "background": {"image": "the house/back.jpg"}}
    assert book["theme"] == {"base": "the house/theme.yaml"}
    assert list(book["fonts"].values()) == [f"the house/{name}.ttf" for name in "abcde"]
    assert (book["cover"]["image"], book["language"]) == ("the house/front.jpg", "the house/words.yaml")
    assert book["levels"][0]["from"] == "the house/boards.txt"
    assert book["front"][0]["text"] == text_of("the%20house/")


def test_a_long_folder_of_a_base_makes_no_path_too_long(tmp_path):
    folder = "/".join(["d" * 200] * 3)
    (tmp_path / folder).mkdir(parents=True)
    house = f"{SAMPLE}fonts: {{regular: {'f' * 200}.ttf}}\n"
    (tmp_path / folder / "house.yaml").write_text(house, encoding="utf-8")
    spec = load_spec(write(tmp_path, f"base: {folder}/house.yaml\n"))
    assert spec.fonts.regular == f"{folder}/{'f' * 200}.ttf"
    saved = YamlSource("volume.json", spec.model_dump(mode="json"), {}, {})
    assert read_document(saved, BookSpec).checked().fonts == spec.fonts


def test_the_folder_of_a_base_makes_no_own_page_too_long(tmp_path):
    (tmp_path / "the house").mkdir()
    text = "![](own/map.png)\n\n[map]: map.png\n\n"

    def read(most):
        page = {"text": text + "a" * (most - len(text.replace("own/", "")))}
        (tmp_path / "the house" / "house.yaml").write_text(f"{SAMPLE}front: {json.dumps([page])}\n", "utf-8")
        return load_spec(write(tmp_path, "base: the house/house.yaml\n"))

    moved = read(20_000)
    assert moved.front[0].text.startswith("![](the%20house/own/map.png)\n\n[map]: the%20house/map.png\n")
    assert BookSpec.model_validate(moved.model_dump(mode="json", exclude_unset=True)).front == moved.front
    with pytest.raises(SpecError, match="20001 characters — at most 20000 are allowed"):
        read(20_001)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (shipped.THEMES, "this is a theme; a book or a feed names it: `theme: "),
        (shipped.PRINTERS, "this is the profile of a printer; a book names it: `page: {printer: "),
        (shipped.COVERS, "this is a cover's design; a book names it: `cover: {design: "),
        (shipped.LANGUAGES, "this is a words file; a book or a feed names it: `language: "),
        (shipped.COLUMN_GRIDS, "this is a column grid; a feed names it: `image: {grid: "),
    ],
    ids=["themes", "printers", "designs", "languages", "grids"],
)
@pytest.mark.parametrize("load", [load_spec, load_feed])
def test_a_file_of_another_kind_is_no_spec(files, message, load):
    for name in files.names():
        path = files.find(name)
        with pytest.raises(SpecError, match=re.escape(f"{message}{path}")):
            load(path)


@pytest.mark.parametrize(
    ("load", "name", "message"),
    [
        (load_spec, "feed-daily.yaml", "this is a newspaper feed: `linkpress feed "),
        (load_feed, "starter.yaml", "this is a book: `linkpress build "),
        (load_spec, "spec.schema.json", "this is a JSON Schema"),
    ],
)
def test_a_spec_of_another_kind_is_reported_with_its_command(load, name, message):
    with pytest.raises(SpecError, match=message) as error:
        load(resource("config", name))
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("given", ["", "volume.json"], ids=["folder", "volume"])
def test_a_built_book_is_no_spec(tmp_path, given):
    (tmp_path / "volume.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SpecError, match=re.escape(f"`linkpress typeset {tmp_path}` prints it again")):
        load_spec(tmp_path / given)
