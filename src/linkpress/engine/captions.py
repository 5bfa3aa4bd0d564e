"""Write captions for the pictures of a solve. Each picture shows one step of the solution of a puzzle.

A step also has a sentence that explains which lines to draw next, and why. The caption says the same in at
most 15 words. It is printed below the picture.

The sentence names every square, for readers who can't see the board. The caption names few squares and
numbers, and gives only the hardest reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from linkpress.engine.explain.phrase_tree import (
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseList,
    PhraseTree,
    Square,
    direction_between,
    list_of,
    parts_of,
    phrase,
    phrases_in,
)
from linkpress.puzzle.puzzle import Grid

# A sentence consists of phrases. For each phrase that states a reason, there is a caption with the same key.
# This table maps the key of the phrase to the names of the placeholders in the caption. A placeholder gets
# the same value as in the phrase. The hardest reasons come first. If a sentence states several of these
# reasons, its caption gives only the first one in this order.
_CAPTIONS: Mapping[str, tuple[str, ...]] = {
    "balance_full": (),
    "gap_full": ("lines",),
    "gap_needed": ("lines", "count"),
    "gap_odd": ("count",),
    "gap_end": ("count", "square"),
    "every_path": ("others", "number", "square"),
    "ends_reach": ("number", "square", "first", "second"),
    **dict.fromkeys(("two_ways_reach", "only_reaches", "only_between"), ("number", "square")),
    "cut_off": ("others", "number"),
    "leads_away": ("number",),
    "joins_no_pair": (),
    **dict.fromkeys(("not_beside", "since_beside"), ("number", "squares")),
    **dict.fromkeys(("not_line_beside", "since_line_beside"), ("squares",)),
    **dict.fromkeys(("not_turn", "not_loop"), ()),
    "not_meet": ("other", "number"),
    **dict.fromkeys(("since_turn", "since_loop"), ()),
    "since_meet": ("number", "other"),
    **dict.fromkeys(("side_by_side", "joined"), ("number",)),
    "inside_turn": ("square",),
    **dict.fromkeys(("takes_both", "ways_turn", "ways_meet", "ways_touch", "ways_out"), ()),
}
# Keys of phrases for which no caption was written. Each is mapped to the key of a similar phrase, whose
# caption is used instead.
_ALIKE = {
    "balance_needed": "balance_full",
    "fork_of_line": "not_loop",
    "two_numbers": "meets",
    "fork_of_three": "fork",
    "both_cross": "must_cross",
    "end_of_path": "end_of_number",
}
# Contradictions that have captions of their own. The key of the contradiction's phrase is mapped to the names
# of the placeholders in the caption. All other contradictions use the caption ``trouble_later``.
_TROUBLES = {
    "must_cross": ("number",),
    "joins_across": ("step", "first", "second"),
    **dict.fromkeys(("are_cut_off", "no_way_out"), ("number", "square")),
    "meets": ("number", "other", "square"),
    **dict.fromkeys(("not_left", "no_number_reaches", "joins_different"), ("square",)),
    "loop_closes": (),
    "runs_beside": ("number", "squares"),
    "path_runs_beside": ("squares",),
}
# Limits for the numbers that a caption gives. If lines with different numbers would be joined in one square,
# the caption gives these numbers only if there are at most ``_MOST_JOINED`` of them. If a line can't turn in
# some squares, because each turn would join two numbers, the caption gives the two numbers of one turn, but
# only if there are fewer than ``_MOST_TURNS`` such squares.
_MOST_JOINED, _MOST_TURNS = 4, 3
# Keys of the two remarks which say that a line would run beside itself.
_BESIDE = ("not_beside", "not_line_beside")


def caption_of(sentence: PhraseTree, technique: str, grid: Grid) -> FilledPhrase:
    """Return the caption of a step, as a phrase whose key begins with ``captions.``.

    Args:
        sentence: the sentence of the step.
        technique: the name of the hardest technique that the step uses.
        grid: the grid of the puzzle.
    """
    # A sentence may have several phrases with the same key. Only the first of them counts. As a dict keeps
    # the last entry for each key, add the phrases in reverse order.
    parts = reversed([*phrases_in(sentence)])
    found = {_ALIKE.get(part.key, part.key): dict(part.parts) for part in parts}
    if "so_line_runs" in found and (reach := found.get("two_ways_reach")):
        return _caption("joined_by_reach", **reach)
    if "so_line_runs" in found or "so_no_line_runs" in found:
        return _supposition(technique, found)
    if turn := found.get("corner_must_go") or found.get("corner_can_t_go"):
        return _corner_caption(turn, found)
    if stuck := found.get("cut_off_at"):
        start, onward = _squares_in(stuck["step"])
        trouble = _caption("no_way_out", number=stuck["number"], square=stuck["square"])
        return _caption("try_draw", square=start, way=direction_between(start, onward), trouble=trouble)
    if "fork" in found:
        start, onward = _squares_in(found["fork"]["step"])
        return _caption("fork", square=start, way=direction_between(start, onward))
    corners = [Square(row, col) for row in (1, grid.rows) for col in (1, grid.cols)]
    if found.keys() == {"takes_both"} and found["takes_both"]["square"] in corners:
        return _caption("empty_corner")
    remarks = found.get("remarked", {}).get("remarks")
    if isinstance(remarks, PhraseList):
        if len(remarks.parts) == 2:
            one, other = (next(phrases_in(remark)) for remark in remarks.parts)
            return _two_ways_caption(next(_squares_in(found["remarked"]["said"])), one, other)
    elif key := next((key for key in _CAPTIONS if key in found), ""):
        if key == "inside_turn" and found.keys() & {"ways_turn", "ways_meet", "ways_touch"}:
            return _caption("turn_inside", square=found[key]["square"])
        if key == "gap_full" and "lines_unnamed" in found:
            return _caption("gap_filled")
        values = {"other": found.get("end_of_number", {}).get("number", 0), **found[key]}
        said = {name: values[name] for name in _CAPTIONS[key]}
        if key in _BESIDE and isinstance(way := values["ways"], DirectionWord):
            return _caption(f"one_{key}", square=next(_squares_in(sentence)), way=way, **said)
        return _caption(key, **said)
    if "one_way_out" in found and "end_of_number" in found:
        return _caption("number_goes_on", number=found["end_of_number"]["number"])
    return _caption("line_goes_on")


def _caption(key: str, **parts: PhraseTree) -> FilledPhrase:
    return phrase(f"captions.{key}", **parts)


def _two_ways_caption(square: Square, one: FilledPhrase, other: FilledPhrase) -> FilledPhrase:
    """Return the caption of a step about a line that can't leave a square in two of the directions.

    Args:
        one, other: for each of the two directions, the remark that says why the line can't go there.
    """
    if {one.key, other.key} <= {*_BESIDE}:
        # The line can't go in two of the directions, because it would touch itself there. Each remark is
        # about one direction, and names the squares where the line would touch itself. A single caption can
        # state both remarks in one case: besides ``square``, the remark about the first direction only names
        # the neighbour in the second direction, and the other way round.
        ends = [end for remark in (other, one) for end in _squares_in(remark) if end != square]
        ways = [dict(remark.parts)["ways"] for remark in (one, other)]
        if len(ends) == 2 and [direction_between(square, end) for end in ends] == ways:
            return _caption("both_beside", square=square, squares=list_of(ListKind.AND, sorted(ends)))
        return _caption("ways_touch")
    if any(isinstance(dict(remark.parts)["ways"], PhraseList) for remark in (one, other)):
        # A caption that names three directions would be too long.
        return _caption("ways_meet" if one.key == other.key == "not_meet" else "ways_touch")
    return _caption("two_ways_closed", first=_way_closed(one), second=_way_closed(other))


def _way_closed(remark: FilledPhrase) -> FilledPhrase:
    """Shorten, for a caption, a remark that says why a line can't leave a square in some directions."""
    return _caption(f"way_{remark.key}", **dict(remark.parts))


def _corner_caption(
    turn: Mapping[str, PhraseTree], found: Mapping[str, Mapping[str, PhraseTree]]
) -> FilledPhrase:
    """Return the caption of a step that says through which sides of one square a line can go.

    Args:
        turn: the values of the placeholders, by their names, in one phrase of the step's sentence: the phrase
            that says through which sides of the square the line must go, or can't go.
        found: for the key of each phrase in the step's sentence, the values of that phrase's placeholders.
    """
    square, must_go = next(_squares_in(turn["steps"])), "corner_must_go" in found
    reasons = [turn["reason"]] if isinstance(turn["reason"], FilledPhrase) else [*parts_of(turn["reason"])]
    # Leave out reasons whose keys begin with ``would_``. They say: if a line turned in this square, a second
    # line would have to turn inside the first one, which is impossible.
    joins = [part for part in reasons if isinstance(part, FilledPhrase) and not part.key.startswith("would_")]
    if len(reasons) == 1 and not joins:
        turning = found.get("would_join") or found["would_turn"]
        (end,) = _squares_in(turning["square"])
        parts: dict[str, PhraseTree] = {"square": square, "ways": turning["ways"], "other": end}
        is_far = abs(end.row - square.row) > 1
        if "can_t_meet" in found:
            parts |= zip(("first", "second"), _numbers_in(turning["why"]), strict=True)
            return _caption("ripple_joins" if is_far else "turn_joins", **parts)
        if not is_far and (touching := _squares_beside(turning)):
            return _caption("turn_beside", **parts, squares=list_of(ListKind.AND, touching))
        return _caption("ripple" if is_far else "would_turn", **parts)
    turns = [dict(part.parts) for part in reasons if isinstance(part, FilledPhrase) and part not in joins]
    kind = ListKind.COMMA if must_go else ListKind.OR
    fails = list_of(kind, (turn["square"] for turn in turns))
    if not joins:
        key = "no_turn" if must_go else "turns_out"
        return _caption(key, square=square, trouble=_turns_fail(turns, needs_all=must_go))
    only_joins = len(joins) == len(reasons)
    meetings = [part for part in joins if part.key == "can_t_meet"]
    if not meetings:
        only, mixed = ("not_line_beside", "others_touch") if must_go else ("since_line_beside", "all_touch")
        touching = [*_squares_in(dict(joins[0].parts)["squares"])]
        if only_joins:
            return _caption(only, square=square, squares=list_of(ListKind.AND, touching))
        return _caption(mixed, square=square, first=touching[0], last=touching[1], ends=fails)
    one, other = _numbers_in(meetings[0])
    # There are three kinds of reasons: two numbers would meet, a line would touch itself, or a line can't
    # turn. If all three occur, choose a caption that names all three.
    if turns and len(meetings) < len(joins):
        return _caption("three_fail", square=square, number=one, other=other, ends=fails)
    if must_go and len(joins) == len(reasons) > 1:
        ways = (direction_between(square, to) for to in _squares_in(turn["steps"]) if to != square)
        return _caption("fork", square=square, way=list_of(ListKind.AND, ways))
    alone, mixed = ("not_meet", "others_fail") if must_go else ("since_meet", "all_fail")
    key = alone if only_joins else mixed
    return _caption(key, number=one, other=other, square=square, ends=fails)


def _turns_fail(turns: Sequence[Mapping[str, PhraseTree]], needs_all: bool) -> PhraseTree:
    """Return the part of a caption that says in which squares a line can't turn.

    If there are only a few such squares, this part may also give the reason for one of them: the two numbers
    that would be joined if a line turned there.

    Args:
        turns: for each turn, the values of the placeholders in the phrase that says why it is impossible.
        needs_all: whether the step depends on all of these turns. Otherwise, the line would make only one of
            them.
    """
    said, fails = list[PhraseTree](), list[PhraseTree]()
    for turn in turns:
        numbers = _numbers_in(turn.get("why", 0)) if len(turns) < _MOST_TURNS else []
        if len(numbers) == 2 and not said:
            said.append(_caption("joins", square=turn["square"], lines=list_of(ListKind.AND, numbers)))
        elif len(turns) < _MOST_TURNS and not said and (beside := _squares_beside(turn)):
            said.append(_caption("turn_doubles", square=turn["square"], first=beside[0], last=beside[1]))
        else:
            fails.append(turn["square"])
    if fails:
        kind = ListKind.AND if needs_all else ListKind.OR
        said.append(_caption("turn_fails", squares=list_of(kind, fails)))
    return list_of(ListKind.COMMA if needs_all else ListKind.OR, said)


def _squares_beside(turn: Mapping[str, PhraseTree]) -> list[Square]:
    """Return the squares where a line would touch itself if it turned.

    Args:
        turn: the values of the placeholders in the phrase that says why the turn is impossible.
    """
    beside = [part for part in phrases_in(turn.get("why", 0)) if part.key.endswith("runs_beside")]
    return [cell for part in beside for cell in _squares_in(part)]


def _supposition(technique: str, found: Mapping[str, Mapping[str, PhraseTree]]) -> FilledPhrase:
    """Return the caption of a step that refutes a supposition.

    The caption names the supposition and the contradiction that follows from the supposition.

    Args:
        technique: the name of the hardest technique that the step uses.
        found: for the key of each phrase in the step's sentence, the values of that phrase's placeholders.
    """
    said = next(found[key] for key in ("if_then", "if_in_the_end", "if_at_once") if key in found)
    contradiction = next(phrases_in(said["contradiction"]))
    start, onward = _squares_in((found.get("so_line_runs") or found["so_no_line_runs"])["step"])
    way = direction_between(start, onward)
    if technique == "order" and "so_no_line_runs" in found and contradiction.key == "both_cross":
        number, other, *_ = _numbers_in(contradiction)
        ends = list_of(ListKind.COMMA, _squares_in(contradiction))
        return _caption("order", square=start, way=way, squares=ends, number=number, other=other)
    key = "try_draw" if "so_line_runs" in found else "try_out"
    trouble = _trouble(contradiction)
    if trouble.key == "captions.no_way_out":
        # The line may be stuck because it would touch itself in both directions that are left. Then the
        # sentence of the step says so for each direction, and the caption has one phrase for both.
        stuck = next(_squares_in(trouble))
        touching = [part for part in phrases_in(said.get("links", 0)) if part.key.startswith("since_")]
        touching = [part for part in touching if stuck in _squares_in(dict(part.parts)["step"])]
        if [part.key for part in touching] == ["since_beside", "since_beside"]:
            trouble = _caption("either_way", **dict(trouble.parts))
    return _caption(key, square=start, way=way, trouble=trouble)


def _trouble(contradiction: FilledPhrase) -> FilledPhrase:
    """Return the part of a caption that names the contradiction to which a supposition leads."""
    key = _ALIKE.get(contradiction.key, contradiction.key)
    if key not in _TROUBLES:
        return _caption("trouble_later")
    slots = {name: value for part in [*phrases_in(contradiction)][::-1] for name, value in part.parts}
    if key == "meets" and "ends" in slots:
        slots |= dict(zip(("number", "other"), _numbers_in(contradiction), strict=True))
    if key == "joins_across":
        first, second = (list_of(ListKind.OR, _numbers_in(slots[name])) for name in ("ends", "others"))
        if 2 < len(_numbers_in(contradiction)) < _MOST_JOINED:
            return _caption(key, step=slots["step"], first=first, second=second)
        key, slots["square"] = "joins_different", next(_squares_in(slots["step"]))
    if key == "joins_different" and len(numbers := _numbers_in(contradiction)) <= _MOST_JOINED:
        key = "meet_in" if len(numbers) == 2 else "join_two_of"
        return _caption(key, square=slots["square"], lines=list_of(ListKind.AND, numbers))
    return _caption(key, **{name: slots[name] for name in _TROUBLES[key]})


def _numbers_in(ends: PhraseTree) -> list[PhraseTree]:
    """Return the numbers in a phrase that lists squares and the numbers of their lines, each number once."""
    return [*dict.fromkeys(dict(part.parts)["number"] for part in phrases_in(ends) if part.key == "numbered")]


def _squares_in(tree: PhraseTree) -> Iterator[Square]:
    """Yield the squares that a sentence names, in the order of its placeholders."""
    if isinstance(tree, Square):
        yield tree
    for part in parts_of(tree):
        yield from _squares_in(part)
