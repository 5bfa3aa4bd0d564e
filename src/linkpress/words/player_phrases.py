"""The phrases of the page in the browser, beside those that it shares with the book.

The English words file is the list of all of them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, create_model

from linkpress.documents.models import SpecModel
from linkpress.words.phrases import Forms, Name, Phrase, Ways, english_phrases, phrase


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


# Phrases that words files of earlier releases lack.
_LATER = {
    "next_unsolved", "is_answered", "pause", "resume", "trial", "trial_keep", "trial_back", "share", "export",
    "checking", "vibration", "palette", "palette_theme", "palette_strong", "palette_soft", "line_width",
    "width_thin", "width_usual", "width_thick", "cell_crossed", "cross_where", "paused", "trial_begun",
    "no_puzzle", "no_day", "not_kept", "needs_script", "share_text", "copied", "list_places",
}  # fmt: skip
# Those that stand on no button and over no list, and may be as long as a sentence.
_SENTENCES = {
    "made_with", "pen_down", "pen_up", "cross_where", "paused", "trial_begun", "cleared", "line_removed",
    "nothing_to_undo", "nothing_to_redo", "no_day", "not_kept", "needs_script", "solved", "copied", "sound",
    "hint_mistake", "hint_none", "hint_unreadable", "answer_question", "answer_shown",
}  # fmt: skip
_Phrases = create_model("_Phrases", __base__=SpecModel, **english_phrases("player", _LATER, _SENTENCES))


class PlayerWords(_Phrases):  # type: ignore[misc, valid-type]
    """The phrases of the page about itself and about a drawing."""

    controls: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
    keys: KeyboardHelp
    ways: Ways
    hints_used: Forms | None = None
    streak: Forms | None = None
    left_pairs: Forms
    left_squares: Forms
    left_ends: Forms
    breaches: Breaches
