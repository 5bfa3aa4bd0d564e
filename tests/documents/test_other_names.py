"""The table of other names, and the forms of values that a document may have."""

from pathlib import Path

import pytest

from linkpress.book import plain_spec as plain_spec_module
from linkpress.book.spec import BookSpec, read_spec
from linkpress.documents import plain_names as plain_names_module
from linkpress.documents.models import fields_of, model_of
from linkpress.documents.other_names import ENDS, NameTable, name_table
from linkpress.documents.plain_names import PlainNames
from linkpress.documents.yaml_source import parse_yaml
from linkpress.feeds.feed_spec import FeedSpec
from linkpress.resources import TableSections, read_table

GROUPS = {"levels.id", "levels.pages"}  # places for values that end in other keys


def plain_names(source, model):
    return PlainNames(source, model).rewritten()


def field_of(path):
    model, field = BookSpec if path[0] in fields_of(BookSpec) else FeedSpec, None
    for step in path:
        field = fields_of(model).get(step) if model else field
        model = model_of(field) if field else None
    return field


def test_every_name_belongs_to_a_key():
    paths = [path for path in name_table().names if path not in GROUPS]
    keys = {path: [step for step in path.split(".") if step not in ENDS] for path in paths}
    assert [path for path in paths if field_of(keys[path]) is None] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("page_size: 6x9", {"page": {"trim": "6x9in"}}),
        ("page: A5", {"page": {"trim": "A5"}}),
        ("pagesize: [148mm, 210mm]", {"page": {"trim": "148mm x 210mm"}}),
        ("page: {width: 6, height: 9, unit: in}", {"page": {"trim": "6 in x 9 in"}}),
        ("printer: amazon", {"page": {"printer": "kdp-paperback"}}),
        ("bleed: 3mm", {"page": {"bleed": "yes"}}), ("double_sided: yes", {"page": {"single_sided": "no"}}),
        ("margins: 0,5in\ngutter: 2cm",
         {"page": {"margins": {"inside": "2cm", "outside": "0.5in", "top": "0.5in", "bottom": "0.5in"}}}),
        ("lang: de-DE", {"language": "de"}), ("idioma: Español", {"language": "es"}),
 ("solutions: yes", {"solutions": {"place": "back"}}),
        ("answers: {position: al final, columns: 3, rows: 4}",
         {"solutions": {"place": "back", "per_page": "12"}}),
        ("solutions: {title: Keys}", {"solutions": {}, "words": {"solutions": "Keys"}}),
        ("cell_size: 2.2cm", {"page": {"max_cell_mm": "22mm"}}),
        ("page: A5 hochkant", {"page": {"trim": "A5"}}), ("page: quer A6", {"page": {"trim": "148x105mm"}}),
        ("page: 8 x 10 in landscape", {"page": {"trim": "10x8in"}}),
        ("page: half letter landscape", {"page": {"trim": "8.5x5.5in"}}),
        ("page: 6x9 paperback", {"page": {"trim": "6x9in"}}),
        ("size: 6 wide by 8 high", {"size": "6x8"}), ("size: 8 high, 6 wide", {"size": "6x8"}),
        ("size: {wide: 6, high: 8}", {"size": "6 x 8"}),
        ("size: {low: 6, high: 8}", {"levels": [{"size": ["6", "7", "8"]}]}),
        ("page: 6 wide by 9 high", {"page": {"trim": "6x9in"}}),
        ("images: {solutions: no, dpi: 300dpi}", {"images": {"what": "puzzle", "dpi": "300"}}),
        ("cover: {enabled: yes, color: burgundy}", {"cover": {"background": "#7A1F2B"}}),
        ("png: {make: no}", {"images": "no"}),
        ("captions: {grade: stars}", {"captions": {"difficulty": "marks"}}),
        ("authors: [A, B]", {"author": "A, B"}),
        ("tags: logic, paths", {"listing": {"keywords": ["logic", "paths"]}}),
        ("price: €9,99", {"price": {"EUR": "9.99"}}),
        ("volume: {number: 2, trim: 6x9in}", {"volume": "2", "page": {"trim": "6x9in"}}),
        ("book: {page: {size: 5x8in, bleed: no}}", {"page": {"trim": "5x8in", "bleed": "no"}}),
        ("ページの大きさ: A5 (148 x 210 mm)", {"page": {"trim": "A5"}}),
        ("qrcode: yes", {"qr": {"per": "puzzle"}}),
        ("numbers: coloured dots", {"numbers": {"style": "dots"}}),
        ("epub: kindle", {"epub": {"kind": "kindle"}}),
    ],
)  # fmt: skip
def test_a_rough_form_becomes_the_plain_one(text, value):
    assert plain_names(parse_yaml(text + "\n", "a.yaml"), BookSpec).value == value


def test_a_change_is_noted_once_for_all_its_places_and_problems_name_what_the_user_wrote():
    text = "page_size: A9\nfonts: {}\nsubtitle: Yes\nmargin: 1cm\n"
    source = plain_names(parse_yaml(text, "a.yaml"), BookSpec)
    assert source.notes == (
        "line 1: `page_size: A9` is read as `page.trim: A9`",
        "line 4: `margin: 1cm` is read as `page.margins.inside: 1cm`, `page.margins.outside: 1cm`, "
        "`page.margins.top: 1cm` and `page.margins.bottom: 1cm`",
    )
    problem = source.problem(("page", "trim"), "A9", "no size")
    assert str(problem) == "a.yaml:1:12 page.trim: A9 — no size (`page_size` is read as `trim`)"
    assert source.value["subtitle"] == "Yes"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chief_artist: Ann", "the nearest is `author`"),
        ("images: {large_print: yes}", "did you mean `page.large_print`?"),
        ("solutions: {zoom: 50%}", "follows from how many are on a page"),
        ("end: 08.01.2027", "the days are given to the command"),
        ("'': 5", "no such key"), ("'!!': 5", "no such key"),
    ],
)  # fmt: skip
def test_a_message_about_an_unknown_key_names_the_nearest_key(text, words):
    text = f"title: A\nlevels: [{{name: B, count: 1, size: 7}}]\n{text}\n"
    assert words in str(read_spec(Path("a.yaml"), text).problems[0])


@pytest.mark.parametrize(
    "text",
    ["puzzles: 5 dozen", "page: {paper: white 60lb}"]
    + [f"page: {{trim: {size}}}" for size in ("A4 long", "6 x 9 ft", "6in x 9cm")],
)
def test_words_that_are_not_understood_are_no_part_of_a_guess(text):
    source = parse_yaml(text + "\n", "a.yaml")
    assert plain_names(source, BookSpec).value == source.value


def test_two_keys_for_one_are_told_and_linkpress_own_name_wins():
    text = "general: {name: links-1}\ndocument: {title: Links}\n"
    source = plain_names(parse_yaml(text, "a.yaml"), BookSpec)
    assert source.value["title"] == "Links"
    assert [problem.text for problem in source.problems] == [
        "links-1 — `name` means `title`, which line 2 gives too; keep one of them"
    ]


def test_a_wrong_value_is_told_at_the_key_that_takes_it():
    source = plain_names(parse_yaml("page: {height: 9in}\nnumbers: blue\n", "a.yaml"), BookSpec)
    assert source.value == {"page": {"trim": "height 9in"}, "numbers": {"style": "blue"}}


def test_a_key_wins_over_its_other_names():
    source = plain_names(parse_yaml("idioma: es\nlanguage: de\n", "a.yaml"), BookSpec)
    assert source.value == {"language": "de", "idioma": "es"}


def test_a_feed_has_other_names_too():
    source = plain_names(
        parse_yaml("week: {lunes: {tamaño: 7, pairs: 5}}\nresolution: 300\n", "a.yaml"), FeedSpec
    )
    assert source.value == {"week": {"monday": {"size": "7", "paths": "5"}}, "image": {"dpi": "300"}}
    text = "schedule: {mon: easy}\nholidays: [12-25]\nimage: {colour: bw}\ncaption: {stars: yes}\n"
    assert plain_names(parse_yaml(text, "a.yaml"), FeedSpec).value == {
        "week": {"monday": {"difficulty": "easy"}}, "skip": ["12-25"],
        "image": {"mode": "1bit"}, "caption": {"difficulty": "marks"},
    }  # fmt: skip


def test_a_plain_spec_needs_no_table_of_other_names(monkeypatch):
    for module in (plain_names_module, plain_spec_module):
        monkeypatch.setattr(module, "name_table", None)
    text = "title: A\npage: {trim: A5}\nlevels: [{name: B, count: 1, size: 7}]\nparts: {contents: yes}\n"
    assert not read_spec(Path("a.yaml"), text).problems


def test_a_difficulty_is_found_without_reading_the_names_of_keys():
    sections = TableSections("other-names.yaml")
    assert NameTable(sections).value("schwer", "levels.difficulty") == "hard"
    assert "keys" not in sections
    assert {key: sections[key] for key in read_table("other-names.yaml")} == read_table("other-names.yaml")
