"""The phrases of the page in the browser, beside those that it shares with the book."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from linkpress.documents.models import SpecModel
from linkpress.words.phrases import Forms, Name, Phrase, Ways, phrase


class KeyHelp(SpecModel):
    """A key on the keyboard, and what it does."""

    key: Name
    does: Phrase


class KeyboardHelp(SpecModel):
    """The keys of the keyboard, in the order of their list."""

    move: KeyHelp
    draw: KeyHelp
    pen: KeyHelp
    back: KeyHelp
    remove: KeyHelp
    undo: KeyHelp
    ends: KeyHelp
    zoom: KeyHelp


class Breaches(SpecModel):
    """The rules that a drawing can break."""

    through_a_number: Annotated[str, phrase("numbers")]
    branch: Phrase
    crossing: Phrase
    closed_loop: Phrase
    wrong_pair_joined: Annotated[str, phrase("numbers")]


class PlayerWords(SpecModel):
    """The phrases of the page about itself and about a drawing."""

    all_puzzles: Name
    previous: Name
    next: Name
    progress: Annotated[str, phrase("solved", "count")]
    is_solved: Name
    is_begun: Name
    undo: Name
    redo: Name
    check: Name
    hint: Name
    clear: Name
    answer: Name
    print: Name
    larger: Name
    smaller: Name
    fit: Name
    move_board: Name
    close: Name
    archive: Name
    settings: Name
    colours: Name
    timer: Name
    scheme: Name
    scheme_auto: Name
    scheme_light: Name
    scheme_dark: Name
    made_with: Phrase
    controls_title: Name
    controls: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
    keys_title: Name
    keys: KeyboardHelp
    board: Annotated[str, phrase("number", "cols", "rows")]
    cell_empty: Name
    cell_solid: Name
    cell_line: Annotated[str, phrase("number")]
    cell_loose: Name
    cell_mixed: Name
    ways: Ways
    place: Annotated[str, phrase("row", "column")]
    pen_down: Phrase
    pen_up: Phrase
    cleared: Phrase
    line_removed: Phrase
    nothing_to_undo: Phrase
    nothing_to_redo: Phrase
    no_puzzle: Annotated[str, phrase("number")] | None = None
    not_kept: Phrase | None = None
    needs_script: Phrase | None = None
    solved: Phrase
    solved_in: Annotated[str, phrase("time")]
    sound: Phrase
    left_pairs: Forms
    left_squares: Forms
    left_ends: Forms
    breaches: Breaches
    both: Annotated[str, phrase("first", "second")]
    list_places: Annotated[str, phrase("first", "second")] = "{first}; {second}"
    at_places: Annotated[str, phrase("places")]
    more: Annotated[str, phrase("count")]
    hint_next: Name
    hint_mistake: Phrase
    hint_take_back: Name
    hint_step: Annotated[str, phrase("step")]
    hint_reasons: Annotated[str, phrase("reasons")]
    hint_none: Phrase
    hint_unreadable: Phrase
    hint_squares: Annotated[str, phrase("squares")]
    square_at: Annotated[str, phrase("letter", "place")]
    answer_question: Phrase
    answer_shown: Phrase
