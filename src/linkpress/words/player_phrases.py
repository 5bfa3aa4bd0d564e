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
    cross: KeyHelp | None = None
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
    next_unsolved: Name | None = None
    progress: Annotated[str, phrase("solved", "count")]
    is_solved: Name
    is_begun: Name
    is_answered: Name | None = None
    undo: Name
    redo: Name
    check: Name
    hint: Name
    clear: Name
    answer: Name
    pause: Name | None = None
    resume: Name | None = None
    trial: Name | None = None
    trial_keep: Name | None = None
    trial_back: Name | None = None
    share: Name | None = None
    export: Name | None = None
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
    checking: Name | None = None
    vibration: Name | None = None
    palette: Name | None = None
    palette_theme: Name | None = None
    palette_strong: Name | None = None
    palette_soft: Name | None = None
    line_width: Name | None = None
    width_thin: Name | None = None
    width_usual: Name | None = None
    width_thick: Name | None = None
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
    cell_crossed: Annotated[str, phrase("ways")] | None = None
    ways: Ways
    place: Annotated[str, phrase("row", "column")]
    pen_down: Phrase
    pen_up: Phrase
    cross_where: Phrase | None = None
    paused: Phrase | None = None
    trial_begun: Phrase | None = None
    cleared: Phrase
    line_removed: Phrase
    nothing_to_undo: Phrase
    nothing_to_redo: Phrase
    no_puzzle: Annotated[str, phrase("number")] | None = None
    no_day: Phrase | None = None
    not_kept: Phrase | None = None
    needs_script: Phrase | None = None
    solved: Phrase
    solved_in: Annotated[str, phrase("time")]
    hints_used: Forms | None = None
    share_text: Annotated[str, phrase("title", "puzzle", "result")] | None = None
    copied: Phrase | None = None
    streak: Forms | None = None
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
