"""The phrases of the ladder's steps, and how what a step says is put together from them.

A step comes as a ``PhraseTree``: keys of phrases with what fills their names. Each phrase is one clause or
sentence; others go in where its names stand, so that a language has its own order of words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

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
from linkpress.words.phrases import FIELD, MOST, Phrase, Ways, phrase

Two = Annotated[str, phrase("first", "second")]
OfSquare = Annotated[str, phrase("square")]
OfSquares = Annotated[str, phrase("squares")]
OfNumber = Annotated[str, phrase("number")]
OfStep = Annotated[str, phrase("step")]
OfWays = Annotated[str, phrase("ways")]
Closes = Annotated[str, phrase("step", "why")]
NumberAt = Annotated[str, phrase("number", "square")]
NumberBeside = Annotated[str, phrase("number", "squares")]
EndGoes = Annotated[str, phrase("end", "way")]
NotMeet = Annotated[str, phrase("ways", "number")]
NotBeside = Annotated[str, phrase("ways", "squares")]
TakesBoth = Annotated[str, phrase("square", "ways")]
TwoNumbers = Annotated[str, phrase("number", "other")]
SquareGoes = Annotated[str, phrase("square", "way")]
Corner = Annotated[str, phrase("square", "ways", "reasons")]
Runs = Annotated[str, phrase("number", "route")]
OfLines = Annotated[str, phrase("lines")]
LineRuns = Annotated[str, phrase("route")]
PassingStep = Annotated[str, phrase("passing", "step")]
SaidStep = Annotated[str, phrase("said", "step")]
Bent = Annotated[str, phrase("squares", "but")]
BendFor = Annotated[str, phrase("square", "ways", "why")]
Former = Annotated[str | None, line_of_text(MOST)]
Owned = Annotated[str, phrase("squares", "number")]


# The names that are filled by the numbers of pairs; in these phrases they are counts.
_OF_PAIRS = ("number", "other", "other_number", "numbers")
_COUNTS = ("more_dark", "more_light")
_OF_WAYS = {ListKind.AND: "ways_and", ListKind.OR: "ways_or"}


def in_colours(sentence: PhraseTree, colours: Mapping[int, str], *, of_pair: bool = False) -> PhraseTree:
    """Put the colours of pairs in place of their numbers.

    Args:
        sentence: of a step.
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


class StepWords(SpecModel):
    """What is said of a step; a phrase's key is its name here.

    Phrases with a text here came later than the others: a words file that lacks them says them in English.
    """

    title: Phrase
    no_steps: OfNumber
    ways: Ways
    list_comma: Two
    list_and: Two
    list_or: Two
    ways_and: Two | None = None
    """Of ways, where a language joins them otherwise than squares and numbers."""
    ways_or: Two | None = None
    """Likewise."""
    list_reasons: Two
    list_then: Two
    list_route: Two
    end_of_number: NumberAt
    end_of_line: OfSquare
    one_way_out: EndGoes
    takes_both: TakesBoth
    takes_one_of_both: TakesBoth
    runs: Runs
    line_runs: LineRuns
    joined: Annotated[str, phrase("said", "number")]
    number_along: Runs = "the {number} {route}"
    line_along: LineRuns = "a line {route}"
    ways_out: OfLines = "one way out each time: {lines}"
    ways_out_turning: OfLines = "one way out each time, as no line turns straight back: {lines}"
    empty_corner: Annotated[str, phrase("squares", "lines")] = (
        "empty corner: {squares} bend, their lines run side by side ({lines})"
    )
    remarked: Annotated[str, phrase("said", "remarks")]
    at: Annotated[str, phrase("square", "remark")]
    not_meet: NotMeet
    not_loop: OfWays
    not_beside: NotBeside
    not_turn: OfWays = "not {ways}, where it would turn straight back"
    no_line_since: Closes
    closed: Closes
    since_meet: TwoNumbers
    since_loop: Phrase
    since_turn: Phrase = "since the line would turn straight back"
    since_beside: NumberBeside
    since_line_beside: OfSquares
    fork: Annotated[str, phrase("square", "one", "other", "number", "other_number", "way")]
    fork_of_line: Annotated[str, phrase("square", "one", "other", "way")]
    fork_of_three: Annotated[str, phrase("square", "squares", "way")] = (
        "{square} goes {way}: {squares} can't meet"
    )
    forks: Annotated[str, phrase("goes")] = "any other way would join two numbers: {goes}"
    side_by_side: Owned
    cut_off: Annotated[str, phrase("step", "number")]
    cut_off_by_line: Annotated[str, phrase("step", "number", "other")]
    cut_off_by_lines: Annotated[str, phrase("step", "number", "numbers")]
    of_number: OfNumber
    joins_no_pair: OfStep
    with_line_in_the_way: Annotated[str, phrase("number", "said")]
    with_lines_in_the_way: Annotated[str, phrase("numbers", "said")]
    every_path: NumberAt
    only_between: NumberAt
    only_reaches: NumberAt
    lies_between: Annotated[str, phrase("square", "squares", "number")]
    so_belongs: Annotated[str, phrase("said", "square", "number")]
    corner_must_go: Corner
    corner_can_t_go: Corner
    if_it_went: Annotated[str, phrase("ways", "why")]
    fails_at: Annotated[str, phrase("ways", "square")] = "{ways} fails at {square} on the diagonal"
    ways_join: Annotated[str, phrase("ways", "number", "other")] = (
        "{ways} would join the {number} to the {other}"
    )
    ways_loop: Annotated[str, phrase("ways", "square", "other")] = (
        "{ways} would close a loop with the line from {square} to {other}"
    )
    ways_beside: NotBeside = "{ways} would run beside itself at {squares}"
    others_fail: OfSquares = "any other way through fails because of {squares}"
    inside_bends: Annotated[str, phrase("bends")] = "a bend repeats along its diagonal, so {bends}"
    must_for: BendFor = "{square} must go {ways} ({why})"
    can_t_for: BendFor = "{square} can't go {ways} ({why})"
    along_diagonal: Bent = "{squares}: {but}"
    so_would_inside: Bent
    so_would_diagonal: Bent
    in_the_way: NumberAt
    goes: SquareGoes
    can_t_go: SquareGoes
    pair: OfNumber
    pairs_pass: Annotated[str, phrase("pairs", "gap")]
    in_and_out: Annotated[str, phrase("gap")]
    pairs_apart_one: Annotated[str, phrase("numbers", "gap", "least")]
    pairs_apart: Annotated[str, phrase("numbers", "gap", "carried", "least")]
    least_pass: Annotated[str, phrase("numbers", "gap", "least")] = (
        "at least {least} of the pairs {numbers} must pass the gap {gap}"
    )
    gap_full: PassingStep
    none_to_spare: PassingStep
    no_room: PassingStep
    others_cross: PassingStep
    filled_from_outside: Annotated[str, phrase("gap", "square", "step")]
    coloured: Annotated[str, phrase("corner", "gap", "square", "dark", "light", "passing")]
    on_chessboard: Annotated[str, phrase("corner", "passing")] = (
        "on a chessboard with {corner} dark, {passing}"
    )
    as_many_pass: Phrase
    more_dark: OfNumber
    more_light: OfNumber
    is_needed: OfStep
    can_t_be_drawn: OfStep
    if_then: Annotated[str, phrase("supposed", "links", "fault")]
    if_at_last: Annotated[str, phrase("supposed", "links", "fault")] = (
        "if {supposed}, then {links}, and in the end {fault}"
    )
    if_in_the_end: Annotated[str, phrase("supposed", "fault")] = "if {supposed}, then in the end {fault}"
    if_at_once: Annotated[str, phrase("supposed", "fault")]
    so_line_runs: SaidStep
    so_no_line_runs: SaidStep
    if_goes: EndGoes
    if_does_not_go: EndGoes
    if_line_runs: OfStep
    if_no_line_runs: OfStep
    must_go: EndGoes
    it_must_go: Annotated[str, phrase("way")]
    must_run: Runs
    line_must_run: LineRuns
    a_line_must_run: OfStep
    no_line_can_run: OfStep
    must_join: Annotated[str, phrase("square", "squares")]
    must_be_joined: Owned
    must_pass: NumberAt
    only_comes: NumberAt
    no_way_out: Annotated[str, phrase("end")]
    not_left: OfSquare
    meets: Annotated[str, phrase("number", "other", "squares")]
    loop_closes: OfSquares
    runs_beside: NumberBeside
    path_runs_beside: OfSquares
    left_over: OfNumber
    must_and_can_t: Annotated[str, phrase("square", "other")]
    two_numbers: Annotated[str, phrase("square", "number", "other")]
    are_cut_off: OfNumber
    no_number_reaches: OfSquare
    can_t_fill: OfSquare
    square_left: Phrase
    must_cross: OfNumber
    both_cross: Annotated[str, phrase("number", "other", "ends")]
    not_in_solution: Annotated[str, phrase("steps")]
    can_t_be_completed: Phrase
    no_solution: Phrase
    breach: Annotated[str, phrase("squares", "breach")]
    breach_off_the_board: Phrase
    breach_not_neighbours: Phrase
    breach_through_a_solid: Phrase
    breach_through_a_number: OfNumber
    breach_branch: Phrase
    breach_crossing: Phrase
    breach_closed_loop: Phrase
    breach_wrong_pair_joined: TwoNumbers
    # No step says these any more; words files of before have them.
    not_loop_brief: Former = None
    not_beside_brief: Former = None
    is_another_s: Former = None
    are_another_s: Former = None
    would_close_loop: Former = None
    would_join: Former = None
    would_run_beside: Former = None

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
