import json

import jsonschema
import pytest
import yaml

from linkpress.book.spec import load_spec
from linkpress.book.spec_reference import SCHEMA_FILE, init_text, schema_text, spec_schema
from linkpress.engine.recipe import Grade
from linkpress.feeds.feed_spec import load_feed
from linkpress.resources import resource

SCHEMA = resource("config", SCHEMA_FILE)
SHIPPED = {"starter.yaml": 24, "volume-1.yaml": 120, "six-grades.yaml": 120}


def test_the_shipped_schema_is_the_models_own():
    """After a change of keys: write schema_text() to config/spec.schema.json."""
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_spec_is_sound_by_models_and_schema(name):
    path = resource("config", name)
    text = path.read_text(encoding="utf-8")
    assert load_spec(path).puzzle_count == SHIPPED[name]
    jsonschema.validate(yaml.safe_load(text), spec_schema())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_spec_names_the_schema_beside_it_in_its_first_line(name):
    path = resource("config", name)
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=spec.schema.json"
    assert (path.parent / "spec.schema.json").exists()


def test_each_shipped_spec_has_puzzles_of_its_own():
    seeds = [load_spec(resource("config", name)).seed for name in SHIPPED]
    seeds.append(load_feed(resource("config", "feed-daily.yaml")).seed)
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_level_named_after_a_grade_has_that_grade_alone(name):
    named = {level.name.lower(): level.grade for level in load_spec(resource("config", name)).levels}
    for grade in Grade:
        assert named.get(grade.label, (grade, grade)) == (grade, grade)


def test_the_schema_finds_what_the_models_find():
    document = yaml.safe_load(resource("config", "starter.yaml").read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator(spec_schema())
    assert checker.is_valid(document)
    for key, wrong in (("titel", "x"), ("isbn", [1]), ("seed", None), ("standard", "pdfx4"), ("cover", 3)):
        assert not checker.is_valid({**document, key: wrong}), key
    level = document["levels"][0]
    for key, wrong in (("paths", "nine"), ("count", 0), ("size", 60), ("grade", "tricky"), ("path", 3)):
        assert not checker.is_valid({**document, "levels": [{**level, key: wrong}]}), key


def test_every_key_of_the_schema_says_what_it_means():
    schema = spec_schema()
    for properties in [schema["properties"], *(part["properties"] for part in schema["$defs"].values())]:
        assert [key for key, value in properties.items() if not value.get("description")] == []


def test_the_first_spec_builds_and_names_the_installed_schema(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(init_text("mine.yaml"), encoding="utf-8")
    assert load_spec(path).levels == load_spec(resource("config", "starter.yaml")).levels
    first = init_text("mine.yaml").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={SCHEMA.as_uri()}"
    assert json.loads(SCHEMA.read_text(encoding="utf-8"))["title"] == "A linkpress book spec"


def test_the_first_spec_is_of_another_book_than_the_shipped_ones(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(init_text("mine.yaml"), encoding="utf-8")
    spec, others = load_spec(path), [load_spec(resource("config", name)) for name in SHIPPED]
    assert spec.book_id not in {other.book_id for other in others}
    assert spec.seed not in {other.seed for other in others}
    assert f"output/{spec.book_id}/" in path.read_text(encoding="utf-8")


def test_each_first_feed_has_a_seed_that_nobody_guesses(tmp_path):
    seeds = []
    for _ in range(2):
        path = tmp_path / "feed.yaml"
        path.write_text(init_text("feed.yaml", feed=True), encoding="utf-8")
        feed = load_feed(path)
        assert feed.seed_warning is None
        seeds.append(feed.seed)
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize(("feed", "command"), [(False, "build"), (True, "feed")])
def test_a_first_specs_comments_say_its_own_name_and_nothing_more(feed, command):
    assert f"\n#     linkpress {command} 'my spec.yaml'" in init_text("my spec.yaml", feed=feed)
    sly = init_text("a.yaml\nseed: 9", feed=feed)
    assert "\nseed: 9\n" not in sly
    assert len(sly.splitlines()) == len(init_text("a.yaml", feed=feed).splitlines())
