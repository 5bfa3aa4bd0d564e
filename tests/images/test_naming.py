import datetime

import pytest

from linkpress.documents.problem import InvalidError
from linkpress.errors import UsageError
from linkpress.images.image_settings import ImageKind, NameFields, read_template

DAY = NameFields(datetime.date(2026, 12, 1), 7, ImageKind.PUZZLE, 2, 600)


def test_the_example_of_the_readme():
    template = read_template("LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png")
    assert template.name(DAY, ".png") == "LINKS-20261201-0007-puzzle-2col-600.png"


def test_the_suffix_follows_the_kind_of_file():
    assert read_template("{number}-{what}.png").name(DAY, ".tif") == "7-puzzle.tif"
    assert read_template("{number}-{what}").name(DAY, ".svg") == "7-puzzle.svg"


def test_names_may_lie_in_folders():
    assert read_template("{date:%Y}/{date:%m}/{number}-{what}").name(DAY, ".png") == "2026/12/7-puzzle.png"


@pytest.mark.parametrize(
    "text",
    [
        "/{what}",
        "../{what}",
        "a/../../{what}",
        "a\\{what}",
        "./{what}",
        "C:{what}",
        ".{what}",
        "a//{what}",
        "{what}|",
        "con/{what}",
        "manifest-{what}",
        "{number}",
        "{what.__class__}",
        "{what[0]}",
        "{what!r}",
        "{0}-{what}",
        "{}-{what}",
        "{title}-{what}",
        "{what:>99}",
        "{number:{dpi}}-{what}",
        "{number:99999}-{what}",
        "{date:%c}-{what}",
        "{date:%A}-{what}",
        "{date:%Y/%m}-{what}",
        "{what",
        "{what}" + "x" * 200,
        "{what}/" + "\U0001f600" * 50,
        "{what}\ud800",
        "={what}",
        "-{what}",
        "@{what}/{number}",
        "index.csv/{what}-{number}",
        "{what}\u202egnp.",
        "{what}\u2028",
        "{what}\ufeff",
        "{what}\0",
    ],
)
def test_a_template_with_anything_else_is_refused(text):
    with pytest.raises(InvalidError):
        read_template(text)


def test_a_field_without_a_value_is_refused():
    undated = NameFields(None, 7, ImageKind.PUZZLE, None, 600)
    for text in ("{date:%Y}-{what}", "{columns}-{what}"):
        with pytest.raises(UsageError, match="Leave it out"):
            read_template(text).name(undated, ".png")
