"""Write the captions for the steps of a solve. A step is one sentence that explains the next lines to draw.

A caption has at most 15 words. It is printed below a picture of the board that shows the squares and lines of
the step.

The sentence of a step names every square, for readers who can't see the board. The caption of a step names at
most two squares and one number, and gives only the hardest reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    PhraseList,
    PhraseTree,
    Square,
    direction_between,
    parts_of,
    phrase,
    phrases_in,
)
from linkpress.puzzle.puzzle import Grid

# Keys of phrases in sentences, the hardest reasons first. Each key is also the key of a caption. If a
# sentence contains several of these phrases, the first of them in this list decides the caption.
_CAPTIONS = (
    *("balance_full", "gap_full", "gap_needed", "no_room", "every_path"),
    *("only_between", "cut_off", "joins_no_pair", "not_beside", "not_turn"),
    *("not_loop", "not_meet", "since_beside", "since_turn", "since_loop", "since_meet", "side_by_side"),
    *("joined", "inside_turn", "takes_both", "ways_out"),
)
# Phrases of sentences that have no caption of their own. Each is mapped to the key of another phrase, whose
# caption is used instead.
_ALIKE = {
    "balance_needed": "balance_full",
    "only_reaches": "only_between",
    "since_line_beside": "since_beside",
    "fork_of_line": "not_loop",
    "two_numbers": "meets",
    "runs_beside": "path_runs_beside",
    "fork_of_three": "fork",
    "both_cross": "must_cross",
    "end_of_path": "end_of_number",
}
# Keys of the phrases for contradictions that have a caption of their own. Each is mapped to the placeholders
# of its caption. Other contradictions share the caption ``trouble_later``.
_TROUBLES = {
    **dict.fromkeys(("no_way_out", "are_cut_off", "must_cross"), ("number",)),
    "meets": ("number", "other"),
    **dict.fromkeys(("not_left", "no_number_reaches"), ("square",)),
    **dict.fromkeys(("loop_closes", "path_runs_beside"), ()),
}


def caption_of(sentence: PhraseTree, technique: str, grid: Grid) -> FilledPhrase:
    """Return the caption of a step, as a phrase whose key begins with ``captions.``.

    Args:
        sentence: the sentence of the step.
        technique: the name of the hardest technique that the step uses.
        grid: the grid of the puzzle.
    """
    parts = reversed([*phrases_in(sentence)])  # of several phrases with the same key, the first is kept
    found = {_ALIKE.get(part.key, part.key): dict(part.parts) for part in parts}
    if "so_line_runs" in found or "so_no_line_runs" in found:
        return _supposition(technique, found)
    if turn := found.get("corner_must_go") or found.get("corner_can_t_go"):
        turning, square = found.get("would_turn"), next(_squares_in(turn["steps"]))
        if turning is None or not isinstance(turn["reason"], FilledPhrase):
            only_turns = not {"can_t_meet", "path_runs_beside", "loop_closes"} & found.keys()
            needed = "turns_fail" if only_turns else "others_fail"
            return _caption(needed if "corner_must_go" in found else "all_fail", square=square)
        # The squares of the repeated turn. The first one is the farthest, where the turn is impossible.
        along = [*_squares_in(turning["squares"])]
        if {"can_t_go", "goes_already"} & found.keys():
            along.insert(0, next(_squares_in(turning["why"])))
        key = "ripple" if len(along) > 2 else "would_turn"
        return _caption(key, square=square, ways=turning["ways"], other=along[0])
    if "fork" in found:
        start, onward = _squares_in(found["fork"]["step"])
        return _caption("fork", square=start, way=direction_between(start, onward))
    corners = [Square(row, col) for row in (1, grid.rows) for col in (1, grid.cols)]
    if found.keys() == {"takes_both"} and found["takes_both"]["square"] in corners:
        return _caption("empty_corner")
    # If a line has one way out because of several reasons, the caption names none of them.
    is_mixed = "one_way_out" in found and isinstance(found.get("remarked", {}).get("remarks"), PhraseList)
    if not is_mixed and (key := next((key for key in _CAPTIONS if key in found), "")):
        return _caption(key, **{name: found[key][name] for name in _SLOTS.get(key, ())})
    if "one_way_out" in found and "end_of_number" in found:
        return _caption("number_goes_on", number=found["end_of_number"]["number"])
    return _caption("line_goes_on")


# Names of the placeholders of each caption in ``_CAPTIONS``. A caption takes the values of its placeholders
# from the phrase with the same key in the full sentence of the step. Captions that are missing here have no
# placeholders in their words.
_SLOTS = {
    "every_path": ("number", "square"),
    "only_between": ("number", "square"),
    "cut_off": ("number",),
    "not_meet": ("number",),
    "side_by_side": ("number",),
    "joined": ("number",),
}


def _caption(key: str, **parts: PhraseTree) -> FilledPhrase:
    return phrase(f"captions.{key}", **parts)


def _supposition(technique: str, found: Mapping[str, Mapping[str, PhraseTree]]) -> FilledPhrase:
    """Return the caption of a step that refutes a supposition.

    The caption names the supposition and the contradiction that follows from the supposition.

    Args:
        technique: the name of the hardest technique that the step uses.
        found: the placeholders of each phrase in the sentence of the step, by the key of the phrase.
    """
    said = next(found[key] for key in ("if_then", "if_in_the_end", "if_at_once") if key in found)
    supposed, contradiction = (next(phrases_in(said[name])) for name in ("supposed", "contradiction"))
    parts = dict(supposed.parts)
    start, *onward = _squares_in(supposed)
    way = direction_between(start, *onward) if onward else parts["way"]
    if technique == "order" and "so_no_line_runs" in found and "other" in found.get("must_cross", {}):
        numbers = {name: found["must_cross"][name] for name in ("number", "other")}
        return _caption("order", square=start, way=way, **numbers)
    key = "try_draw" if "so_line_runs" in found else "try_out"
    return _caption(key, square=start, way=way, trouble=_trouble(contradiction))


def _trouble(contradiction: FilledPhrase) -> FilledPhrase:
    """Return the part of a caption that names the contradiction to which a supposition leads."""
    key = _ALIKE.get(contradiction.key, contradiction.key)
    if key not in _TROUBLES:
        return _caption("trouble_later")
    slots = (slot for part in phrases_in(contradiction) for slot in part.parts)
    values = (value for name, value in slots if name in _TROUBLES[key])
    return _caption(key, **dict(zip(_TROUBLES[key], values, strict=False)))


def _squares_in(tree: PhraseTree) -> Iterator[Square]:
    """Yield the squares that a sentence names, in the order of its placeholders."""
    if isinstance(tree, Square):
        yield tree
    for part in parts_of(tree):
        yield from _squares_in(part)
