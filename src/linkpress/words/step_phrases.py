"""The phrases of the ladder's steps, and how what a step says is put together from them.

A step comes as a ``PhraseTree``: keys of phrases with what fills their names. Each phrase is one clause or
sentence; others go in where its names stand, so that a language has its own order of words. The English words
file is the list of all phrases and of the names in each.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import create_model

from linkpress.documents.models import SpecModel
from linkpress.documents.values import line_of_text
from linkpress.engine.explain.phrase_tree import (
    Blank,
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseList,
    PhraseTree,
    Square,
    Value,
    list_of,
)
from linkpress.words.phrases import FIELD, MOST, Ways, english_phrases, phrase

# Phrases that words files of earlier releases lack, which are said in English then.
_LATER = {
    "number_along", "line_along", "ways_out", "ways_out_turning", "empty_corner", "not_turn", "since_turn",
    "fork_of_three", "forks", "fails_at", "ways_join", "ways_loop", "ways_beside", "others_fail",
    "inside_bends", "must_for", "can_t_for", "along_diagonal", "least_pass", "on_chessboard", "if_at_last",
    "if_in_the_end", "all_pass",
}  # fmt: skip
# Those that no step says any more; words files of before have them.
_FORMER = (
    "not_loop_brief", "not_beside_brief", "is_another_s", "are_another_s", "would_close_loop", "would_join",
    "would_run_beside", "takes_one_of_both",
)  # fmt: skip
# The names that are filled by the numbers of pairs; in these phrases they are counts.
_OF_PAIRS = ("number", "other", "other_number", "numbers")
_COUNTS = ("more_dark", "more_light")
_OF_WAYS = {ListKind.AND: "ways_and", ListKind.OR: "ways_or"}


def in_colours(sentence: PhraseTree, colours: Mapping[int, str], *, of_pair: bool = False) -> PhraseTree:
    """Put the colours of pairs in place of their numbers.

    Args:
        colours: the colour's name for each number.
        of_pair: whether a number that stands here alone is that of a pair.
    """
    if isinstance(sentence, FilledPhrase):
        pairs = () if sentence.key in _COUNTS else _OF_PAIRS
        parts = ((name, in_colours(part, colours, of_pair=name in pairs)) for name, part in sentence.parts)
        return FilledPhrase(sentence.key, tuple(parts))
    if isinstance(sentence, PhraseList):
        return list_of(sentence.kind, (in_colours(part, colours, of_pair=of_pair) for part in sentence.parts))
    return colours[sentence] if of_pair and isinstance(sentence, int) else sentence


_FIELDS = english_phrases("steps", _LATER) | dict.fromkeys(
    _FORMER, (Annotated[str | None, line_of_text(MOST)], None)
)
_Phrases = create_model("_Phrases", __base__=SpecModel, **_FIELDS)


class StepWords(_Phrases):  # type: ignore[misc, valid-type]
    """What is said of a step; a phrase's key is its name here."""

    ways: Ways
    ways_and: Annotated[str, phrase("first", "second")] | None = None
    """Of ways, where a language joins them otherwise than squares and numbers."""
    ways_or: Annotated[str, phrase("first", "second")] | None = None
    """Likewise."""

    def text_of(self, sentence: PhraseTree) -> str:
        """A sentence without a full stop, squares as E2 and numbers as they are printed."""
        pieces = self.pieces(sentence)
        return "".join(piece.name if isinstance(piece, Square) else str(piece) for piece in pieces)

    def pieces(self, sentence: PhraseTree) -> Iterator[str | Value | Blank]:
        """Text, and squares and numbers where they stand in it."""
        if isinstance(sentence, FilledPhrase):
            parts = dict(sentence.parts)
            for index, piece in enumerate(FIELD.split(getattr(self, sentence.key))):
                if index % 2:
                    yield from self.pieces(parts[piece])
                elif piece:
                    yield piece
        elif isinstance(sentence, PhraseList):
            first, *more = sentence.parts
            for place, second in enumerate(more, 1):
                is_last = place == len(more)
                kind = sentence.kind if is_last or sentence.kind is not ListKind.AND else ListKind.COMMA
                key = _OF_WAYS.get(kind) if isinstance(second, DirectionWord) else None
                joined = key if key and getattr(self, key) else kind.value
                first = FilledPhrase(joined, (("first", first), ("second", second)))
            yield from self.pieces(first)
        elif isinstance(sentence, DirectionWord):
            yield getattr(self.ways, sentence.value)
        else:
            yield sentence
