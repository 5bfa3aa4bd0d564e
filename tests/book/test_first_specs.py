"""First specs, copies of the finished books, and the schema of all keys."""

import json
from itertools import product
from pathlib import Path

import jsonschema
import pytest
import yaml

from linkpress.book.first_specs import (
    SCHEMA_FILE,
    GuidedAnswers,
    example_books,
    example_texts,
    guided_choices,
    guided_text,
    init_text,
)
from linkpress.book.plan import plan_slots
from linkpress.book.spec import load_spec, read_spec
from linkpress.errors import UsageError
from linkpress.feeds.feed_spec import load_feed
from linkpress.press.dry_run import dry_run
from linkpress.production.forecast import level_outlooks, odds_table, rising_warnings
from linkpress.resources import resource
from linkpress.version import __version__

SCHEMA = json.loads(resource("config", SCHEMA_FILE).read_text("utf-8"))
SHIPPED = {"starter.yaml": 24, "volume-1.yaml": 120, "techniques.yaml": 120}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_spec_fits_the_models_and_its_schema(name):
    path = resource("config", name)
    text = path.read_text(encoding="utf-8")
    assert load_spec(path).puzzle_count == SHIPPED[name]
    jsonschema.validate(yaml.safe_load(text), SCHEMA)
    assert text.splitlines()[0] == f"# yaml-language-server: $schema={SCHEMA_FILE}"


def test_the_schema_refuses_the_same_values_as_the_models():
    document = yaml.safe_load(resource("config", "starter.yaml").read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(SCHEMA)
    assert checker.is_valid(document)
    for key, wrong in (("titel", "x"), ("isbn", [1]), ("seed", None), ("standard", "pdfx4"), ("cover", 3)):
        assert not checker.is_valid({**document, key: wrong}), key
    level = document["levels"][0]
    for key, wrong in (("paths", "nine"), ("count", 0), ("size", 60), ("difficulty", "tricky"), ("path", 3)):
        assert not checker.is_valid({**document, "levels": [{**level, key: wrong}]}), key


def test_every_key_of_the_schema_has_a_description():
    for properties in [SCHEMA["properties"], *(part["properties"] for part in SCHEMA["$defs"].values())]:
        assert [key for key, value in properties.items() if not value.get("description")] == []


def test_the_first_spec_differs_from_the_shipped_ones_and_names_the_installed_schema(tmp_path):
    path, text = tmp_path / "mine.yaml", init_text("mine.yaml")
    path.write_text(text, encoding="utf-8")
    spec, others = load_spec(path), [load_spec(resource("config", name)) for name in SHIPPED]
    assert spec.levels == others[0].levels
    assert spec.book_id not in {other.book_id for other in others}
    assert spec.seed not in {other.seed for other in others}
    assert f"output/{spec.book_id}/" in text
    assert text.splitlines()[0] == "# yaml-language-server: $schema=spec.schema.json"
    assert text.splitlines()[1].endswith("linkpress schema > spec.schema.json")
    assert SCHEMA["$id"] == f"urn:linkpress:BookSpec:{__version__}"


def test_each_first_feed_has_a_random_seed(tmp_path):
    seeds = []
    for _ in range(2):
        path = tmp_path / "feed.yaml"
        path.write_text(init_text("feed.yaml", feed=True), encoding="utf-8")
        feed = load_feed(path)
        assert feed.seed_warning is None
        seeds.append(feed.seed)
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize(("feed", "command"), [(False, "build"), (True, "feed")])
def test_comments_of_a_first_spec_name_its_own_file(feed, command):
    assert f"\n#     linkpress {command} 'my spec.yaml'" in init_text("my spec.yaml", feed=feed)
    assert "\nseed: 9\n" not in init_text("a.yaml\nseed: 9", feed=feed)


def test_the_finished_books_are_those_that_the_documentation_shows():
    shown = {"bestseller", "children", "enthusiasts", "large-print", "series", "tablet"}
    assert set(example_books()) == shown


@pytest.mark.parametrize("name", example_books())
def test_a_copy_is_the_same_book_with_a_seed_of_its_own(name, tmp_path):
    place = tmp_path / "mine.yaml" if len(example_books()[name]) == 1 else tmp_path
    texts = example_texts(name, place)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    for shipped, path in zip(example_books()[name], texts, strict=True):
        if "\nseed:" in shipped.read_text(encoding="utf-8"):
            book, own = load_spec(shipped), load_spec(path)
            assert own.seed != book.seed
            assert own.model_dump(exclude={"seed"}) == book.model_dump(exclude={"seed"})


def test_a_copy_s_comments_name_its_own_path_and_the_installed_schema(tmp_path):
    (text,) = example_texts("large-print", tmp_path / "my book.yaml").values()
    assert f"linkpress build '{tmp_path}/my book.yaml'" in text
    assert text.startswith("# yaml-language-server: $schema=spec.schema.json\n")
    assert "config/books" not in text


def test_a_similar_book_is_suggested_for_an_unknown_one():
    with pytest.raises(UsageError, match=r"Did you mean large-print\? Shipped: bestseller, children, "):
        example_texts("large", Path("a.yaml"))


CHOICES = guided_choices()


def book(**changed):
    answers = {name: choices[0] for name, choices in CHOICES.items()} | changed
    document = read_spec(Path("first.yaml"), guided_text("Ours: a book", GuidedAnswers(**answers)))
    assert document.problems == []
    assert document.model is not None
    return document.model


@pytest.mark.parametrize(("reader", "hardness"), list(product(CHOICES["reader"], CHOICES["hardness"])))
def test_every_level_of_a_guided_book_can_probably_be_made(reader, hardness):
    spec = book(reader=reader, hardness=hardness, count="200")
    levels = list(level_outlooks(plan_slots(spec), odds_table()))
    assert sum(len(slots) for level in levels for slots in level.each) == 200
    assert [level.level for level in levels if level.poor or level.time_s is None] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"reader": "large-print", "trim": "A5", "printer": "lulu", "hardness": "hard"},
        {"reader": "enthusiasts", "printer": "ingramspark", "hardness": "rising", "trim": "A4"},
        {"printer": "generic", "trim": "8.5x8.5in"},  # for children
        {"trim": "A5", "count": "60", "hardness": "rising"},
        {"trim": "A4", "count": "60", "printer": "lulu"},
    ],
)
def test_a_first_book_can_be_printed_as_it_is(changed):
    answers = GuidedAnswers(**{name: choices[0] for name, choices in CHOICES.items()} | changed)
    run = dry_run(read_spec(Path("first.yaml"), guided_text("Ours", answers)))
    assert [problem.text for problem in run.problems] + list(run.elsewhere) == []


def test_levels_are_named_after_their_difficulty_in_the_language_of_the_book():
    names = [level.name for level in book(reader="everyone", language="es").levels]
    assert names == ["Fácil", "Fácil 2", "Medio"]


@pytest.mark.parametrize("hardness", CHOICES["hardness"])
def test_a_first_book_for_children_has_dots_and_their_names_of_levels(hardness):
    spec = book(reader="children", language="es", hardness=hardness)
    assert [level.name for level in spec.levels] == ["Primeros pasos", "Seguimos", "El reto"]
    assert list(rising_warnings(plan_slots(spec))) == []
    assert spec.numbers.style == "dots"
    assert str(spec.listing.ages) == "5-8"


def test_an_answer_that_is_not_offered_is_refused():
    with pytest.raises(UsageError, match="choose 6x9in"):
        GuidedAnswers("children", "40", "gentle", "A6", "lulu", "en")
