"""The finished books are sound, commented, and can be begun with."""

import re
from pathlib import Path

import pytest

from linkpress.book.example_books import example_books, example_texts
from linkpress.book.spec import load_spec
from linkpress.errors import UsageError


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
    assert re.match(r"# yaml-language-server: \$schema=file://.*/config/spec\.schema\.json\n", text)
    assert "config/books" not in text


def test_two_copies_have_different_seeds():
    first, second = (example_texts("children", Path("a.yaml")) for _ in range(2))
    assert first != second


def test_an_unknown_book_is_answered_with_the_nearest_and_all():
    with pytest.raises(UsageError, match=r"Did you mean large-print\? Shipped: bestseller, children, "):
        example_texts("large", Path("a.yaml"))
