"""Words of an invented language, each twice as long as in English, keep to their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from plain_measure import SIX_BY_NINE, book, placed, text_runs

from linkpress.book.printing_keys import CaptionsSpec, PartsSpec, QrSpec, SolutionsPlace
from linkpress.documents.lengths import Size
from linkpress.documents.models import read_values
from linkpress.errors import LayoutError
from linkpress.layout.frame import Page
from linkpress.words.languages import load_words
from linkpress.words.wording import Words

LARGE = Size(612, 792)
FIELD = re.compile(r"(\{\w+\})")
LONGEST = 400  # characters that a phrase may have


def long_words(text: str) -> str:
    return re.sub(r"(\{\w+\})|([^\W\d_]+)", lambda found: found[1] or found[2] + found[2].lower(), text)


def many_words(text: str) -> str:
    return f"{text} {' '.join(FIELD.sub('', text).split())}"[:LONGEST]


def as_long_as_can_be(text: str) -> str:
    return text + (60 - len(text)) * "x"


def language(longer: Callable[[str], str]) -> Words:
    """The English words, made longer."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: changed(inner) for key, inner in value.items()}
        return [changed(inner) for inner in value] if isinstance(value, list) else longer(value)

    own = {"language", "locale", "player", "for_dots"}
    document = load_words("en").model_dump(mode="json", exclude_none=True, exclude=own)
    player = load_words("en").player.model_dump(mode="json", exclude_none=True)
    document["count"] = {key: text for key, text in document["count"].items() if text}
    return read_values({**changed(document), "player": player, "language": "qaa", "locale": "en"}, Words)


def clashes(page: Page) -> Iterator[tuple[str, str]]:
    """Texts that run into another, over the page's edge or onto a board."""
    runs = text_runs(page)
    for one, other in combinations(runs, 2):
        near = abs(one.y - other.y) < 0.6 * min(one.size_pt, other.size_pt)
        if near and one.x < other.x + other.width_pt - 0.1 and other.x < one.x + one.width_pt - 0.1:
            yield one.text, other.text
    for run in runs:
        if run.x < 0 or run.x + run.width_pt > page.frame.width_pt:
            yield run.text, "the edge"
        for board in placed(page):
            frame = board.frame
            across = run.x < board.x + frame.width_pt - 0.5 and run.x + run.width_pt > board.x + 0.5
            if across and run.y < board.y + frame.height_pt - 0.5 and run.y + 0.5 * run.size_pt > board.y:
                yield run.text, board.name


@pytest.mark.parametrize("longer", [long_words, many_words])
@pytest.mark.parametrize(
    "how",
    [
        {"trim": LARGE},
        {"trim": LARGE, "per_page": 8, "solutions_per_page": 12},
        {"trim": LARGE, "captions": CaptionsSpec(time=True), "qr": QrSpec(text="https://x.org/{number}")},
        {"trim": SIX_BY_NINE, "per_page": 1, "place": SolutionsPlace.FILE},
        {"trim": LARGE, "parts": PartsSpec(tutorial=True)},
        {"trim": LARGE, "place": SolutionsPlace.UPSIDE_DOWN, "solutions_per_page": 4, "notes_pages": 1},
    ],
)
def test_words_twice_as_long_run_into_nothing(longer: Callable[[str], str], how: dict[str, Any]) -> None:
    made = book(9, 3, language=language(longer), **how)
    pages = (*made.pages, *made.solutions)
    assert [(page.number, *clash) for page in pages for clash in clashes(page)] == []


def test_the_check_of_clashes_finds_one() -> None:
    (page,) = [page for page in book(1, language="en").pages if page.kind == "copyright"]
    assert list(clashes(page)) == []
    on_one_line = tuple(replace(run, y=100.0) for run in text_runs(page))
    assert list(clashes(replace(page, frame=replace(page.frame, items=on_one_line))))


def test_words_that_fit_nowhere_are_named_with_their_place() -> None:
    with pytest.raises(LayoutError, match=r"too long for its line of .* mm, even in type of 6 pt"):
        book(9, 3, language=language(as_long_as_can_be))
