"""Build the clauses of the sentences that explain a solve.

A clause can state what a solving technique finds, or explain why a gap between walls is full. It can also say
how a supposition leads to a contradiction. A clause is a ``PhraseTree`` together with the squares that the
clause names. The module ``steps`` builds whole sentences from clauses.

In this module, the *ways* of a square are the edges by which a line can leave the square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from typing import NamedTuple

from linkpress.engine.explain.explanation import (
    BoardView,
    Chain,
    ChainEnd,
    FindingGroup,
    contradiction_of,
    in_reading_order,
)
from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    ListKind,
    PhraseTree,
    direction_between,
    list_of,
    phrase,
    phrases_in,
    route,
    square,
    squares,
)
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import Deduction, edge_at, edge_index, gap_cells, write
from linkpress.puzzle.puzzle import Cell, Edge, Grid, column_name, corners_of, edge

Clause = tuple[FilledPhrase, tuple[Cell, ...]]
Remarks = tuple[list[PhraseTree], tuple[Cell, ...]]

# A gap is a narrow place between walls. This is the maximum number of lines that a sentence about a gap lists
# by their numbers. If only some of the listed lines are meant, words such as "3 lines of" come before the
# list. These words count as three more lines.
_MOST_GAP_LINES = 8
# A chain of moves from a supposition to a contradiction is described in words if it has at most this many
# numbered moves. A move that continues the line of the move before it has no number of its own. Longer chains
# are only shown in the picture, because nobody follows so many moves in a sentence.
_MOST_MARKS_IN_WORDS = 8
# A chain of moves leads from a supposition to a contradiction. A picture shows at most this many numbered
# moves of a chain. If there are more, the picture shows the first moves and the last one. On 158 published
# boards, at most 9 of 380 chains have more moves. Two ways to get shorter chains were tried, without success:
# - If several suppositions fail, compare all of them, and not only twelve, to find the shortest chain. Just
#   as many chains stayed too long.
# - Allow harder techniques after a supposition. Only 3 chains stayed too long, but the search took five
#   times as long.
_MOST_MARKS_IN_PICTURE = 12

# To explain a solving technique's finding for which one of these reasons is recorded, a sentence says through
# which edges a line can leave a certain square of the board.
ABOUT_WAYS = (Reason.ALL_EXITS, Reason.FORK, Reason.EVERY_WAY_USES)
GAP_REASONS = (Reason.BY_ROOM, Reason.BY_TILT, Reason.WITHIN_GAP, Reason.OTHERS_CROSS)


def edges_of(groups: Iterable[FindingGroup]) -> list[Edge]:
    return [way for group in groups for way in group.edges]


def is_one_way(board: BoardView, group: FindingGroup) -> bool:
    """Return whether a group of findings says through which edge a line continues from its end.

    A finding is one thing that a solving technique has found out.
    """
    if group.reason not in ABOUT_WAYS or board.need_of(group.cause) != 1:
        return False
    return group.reason != Reason.EVERY_WAY_USES or len(board.exits(group.cause)) == 1


def both_ways(board: BoardView, group: FindingGroup, closed: Sequence[FindingGroup]) -> list[Edge]:
    """Return the two edges by which a line must go through a square, if only two are left.

    Return an empty list if the findings in ``group`` are not about the edges of one square, if a line already
    ends at this square, or if the number of edges left is not two.

    Args:
        group: findings that share a sentence. A finding is one deduction of a solving technique.
        closed: findings that rule out edges. These edges don't count as left.
    """
    cell, shut = group.cause, edges_of(closed)
    if group.reason not in ABOUT_WAYS or board.need_of(cell) != 2:
        return []
    ways = [way for to in board.exits(cell) if (way := edge(cell, to)) not in shut]
    return ways if len(ways) == 2 else []


def clause_of(board: BoardView, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
    """Return a clause that states what a group of findings shows, and why.

    Args:
        group: findings of a technique that works without suppositions.
        closed: findings that rule out edges. The clause also says why no line can use these edges, in remarks
            in brackets.
    """
    kind, _, reason, cause = group.deduction
    if is_one_way(board, group):
        return _one_way_clause(board, group, closed)
    if reason in (Reason.NO_WAY_USES, Reason.EVERY_WAY_USES):
        return corner_clause(board, group)
    if kind == FindingKind.NUMBERED:
        return _number_clause(board, group)
    if reason in GAP_REASONS:
        return _gap_clause(board, group)
    if reason == Reason.FORK:
        return _fork_clause(board, group)
    if reason == Reason.ALL_EXITS:
        remarks, cells = _ways_not_taken(board, cause, closed)
        ends = [a + b - cause for a, b in both_ways(board, group, closed)]
        both = phrase("takes_both", square=square(board.grid, cause), ways=_directions(board, cause, ends))
        return _with_remarks(both, remarks), (cause, *cells)
    (a, b), grid = group.edges[0], board.grid
    if reason == Reason.CUT_OFF:
        number, step = board.printed(cause), route(grid, (a, b))
        areas = [(_area(board, end, number, closed=(a, b)), end) for end in (a, b)]
        area, end = min(areas, key=lambda found: len(found[0]))
        if board.number(end) and (stuck := _stuck_at(board, end, area, a + b - end)):
            step = route(grid, (end, a + b - end))
            return phrase("cut_off_at", step=step, number=number, square=square(grid, stuck[0])), area
        others = _other_exits(board, area, number, a + b - end)
        return phrase("cut_off", step=step, number=number, others=others), area
    if reason == Reason.SIDE_BY_SIDE:
        # One of the two squares may be empty. Then say why it belongs to this number.
        number, step = board.number(a), route(grid, (a, b))
        for cell in (a, b):
            if board.need_of(cell) == 2 and _must_meet(board, cell, number):
                reach = phrase("two_ways_reach", number=number, square=square(grid, cell))
                return phrase("so_line_runs", step=step, said=reach), (a, b, *board.exits(cell))
        return phrase("side_by_side", step=step, number=number), (a, b)
    if group.is_remark:
        why, cells = why_closed(board, group)
        return phrase("no_line_since", why=why), cells
    assert reason == Reason.NOBODY_USES, f"no sentence for {Reason(reason)!r} of {group.technique.name}"
    step = route(board.grid, (a, b))
    if number := board.number(a) or board.number(b):
        beyond = _area(board, b if board.number(a) else a, number, closed=(a, b))
        return phrase("leads_away", step=step, number=number), (a, b, *beyond)
    return phrase("joins_no_pair", step=step), (a, b)


def _one_way_clause(board: BoardView, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
    """Say that a line can leave a square through one edge only, and why it can't use the other edges."""
    cell = group.cause
    (to,) = board.exits_of(cell, group.edges)
    if group.reason == Reason.FORK:
        remarks, cells = _fork_remarks(board, cell, to)
    else:
        remarks, cells = _ways_not_taken(board, cell, closed)
    sentence = _with_remarks(_takes_all(board, cell, to), remarks)
    if sum(end in board.puzzle.number_at for end in (*board.line(cell), *board.line(to))) == 2:
        sentence = phrase("joined", said=sentence, number=board.number(cell) or board.number(to))
    return sentence, (cell, *cells)


def _number_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say why the path of a certain number must go through a square."""
    _, cell, reason, cause = group.deduction
    number, named = board.printed(cause), square(board.grid, cell)
    keys: Mapping[int, str] = {Reason.MUST_PASS: "every_path", Reason.ONLY_ONE_REACHES: "only_between"}
    key, cells = keys.get(reason, "only_reaches"), (cell, *_ends(board, number))
    parts: dict[str, PhraseTree] = {"number": number, "square": named}
    if key == "every_path":
        # The square may be on a drawn line. Then name the square of that line that lies beside the area.
        line = board.line(cell)
        area = min((_area(board, end, number, line) for end in _ends(board, number)), key=len)
        cell = next(at for at in line if not {*board.grid.neighbours[at]}.isdisjoint(area))
        named = parts["square"] = square(board.grid, cell)
        cells, parts["others"] = (cell, *area), _other_exits(board, area, number, cell)
    elif board.need_of(cell) == 2 and _must_meet(board, cell, number):
        key, cells = "two_ways_reach", (cell, *board.exits(cell))
    else:
        ends = sorted({cell, board.mate_of(cell)})
        reached = [sorted({board.number(to) for to in board.exits(end)}) for end in ends]
        if len(ends) == 2 and all(map(all, reached)) and max(map(len, reached)) <= 2:
            key, cells = "ends_reach", (*board.line(cell), *chain.from_iterable(map(board.exits, ends)))
            parts |= zip(("first", "second"), (list_of(ListKind.OR, side) for side in reached), strict=True)
    return phrase("so_belongs", said=phrase(key, **parts), square=named, number=number), cells


def _must_meet(board: BoardView, cell: Cell, number: int) -> bool:
    """Return whether the line through an empty square must use a neighbour that belongs to a number."""
    return sum(board.number(to) != number for to in board.exits(cell)) < 2


def _ends(board: BoardView, number: int) -> list[Cell]:
    """Return the squares where the lines from the two squares with a certain number end now.

    If no line has been drawn from one of the two squares yet, the result contains this square itself.
    """
    return [cell if board.need_of(cell) else board.mate_of(cell) for cell in board.squares_of(number)]


def _area(
    board: BoardView, start: Cell, number: int = 0, outside: Iterable[Cell] = (), closed: Edge | None = None
) -> tuple[Cell, ...]:
    """Return the squares that a line can reach from a square along edges that may still be drawn.

    If the number of the line is known, the line can also join lines that are already drawn and have no
    number. Then all squares of such a line are in the result, and the search goes on from its other end. A
    line of another number can't be joined.

    Args:
        number: the printed number of the line that starts at the square; 0 if it is not known.
        outside: squares that the line must not enter.
        closed: an edge that the line must not use.
    """
    found, left, passed = {start}, [start], set[Cell]()
    while left:
        cell = left.pop()
        ways = [to for to in board.exits(cell) if not closed or {cell, to} != {*closed}]
        if number:
            ways = [to for to in (*ways, board.mate_of(cell)) if board.number(to) in (0, number)]
        new = [to for to in ways if board.need_of(to) and to not in found and to not in outside]
        if number and board.mate_of(cell) in new:
            passed.update(board.line(cell))
        found.update(new)
        left += new
    return tuple(sorted(found | passed))


def _stuck_at(board: BoardView, end: Cell, area: Sequence[Cell], closed: Cell = -1) -> tuple[Cell, ...]:
    """Return the square in which a line would get stuck if it can't leave an area, in a tuple.

    Suppose that the area consists of ``end`` and of the squares of a single line without a number, which
    begins beside ``end``. Then the two lines would become one, and it would be stuck at the far end of the
    second line. In all other cases, the result is empty.

    Args:
        end: the square where the line ends now.
        area: the squares that the line can reach.
        closed: a neighbour of ``end`` to which the line can't go; -1 for none.
    """
    nexts = [to for to in board.exits(end) if to != closed and board.need_of(to) == 1]
    stuck = tuple({board.mate_of(to) for to in nexts})
    return stuck if len(stuck) == 1 and {*area} == {end}.union(board.line(stuck[0])) else ()


def _other_exits(board: BoardView, area: Sequence[Cell], number: int, onward: Cell) -> FilledPhrase:
    """Return the part of a caption that says why a path can leave an area in only one place.

    Args:
        number: the printed number of the path.
        onward: the only square outside the area to which the path can go.
    """
    border = {to for cell in area for to in board.grid.neighbours[cell]}.difference(area, {onward})
    taken = {board.number(to) for to in border if board.need_of(to) or board.number(to)} - {number}
    return phrase("captions.others_taken" if taken and 0 not in taken else "captions.others_closed")


def _directions(board: BoardView, cell: Cell, ends: list[Cell], kind: ListKind = ListKind.AND) -> PhraseTree:
    return list_of(kind, (direction_between(square(board.grid, cell), square(board.grid, to)) for to in ends))


def _subject(board: BoardView, cell: Cell) -> PhraseTree:
    """Name the line that ends at a square, as the subject of a sentence.

    If no line ends there, name the square itself.
    """
    named = square(board.grid, cell)
    if board.need_of(cell) == 2:
        return named
    if number := board.number(cell):
        key = "end_of_number" if cell in board.puzzle.number_at else "end_of_path"
        return phrase(key, number=number, square=named)
    return phrase("end_of_line", square=named)


def _with_remarks(said: FilledPhrase, remarks: Sequence[PhraseTree]) -> FilledPhrase:
    """Append remarks in brackets to a sentence, if there are any."""
    return phrase("remarked", said=said, remarks=list_of(ListKind.REASONS, remarks)) if remarks else said


def why_closed(board: BoardView, group: FindingGroup) -> Clause:
    """Return a clause about an edge that is ruled out: what would go wrong if a line used it."""
    a, b = group.edges[0]
    what, cells = _what_closes(board, group)
    parts: dict[str, PhraseTree] = {"step": route(board.grid, (a, b))}
    if what == "meet":
        parts |= {"number": board.number(a), "other": board.number(b)}
    elif what == "beside":
        what, number = _path_beside(board, a, b)
        parts |= {**number, "squares": squares(board.grid, cells)}
    return phrase(f"since_{what}", **parts), (a, b, *cells)


def _path_beside(board: BoardView, a: Cell, b: Cell) -> tuple[str, dict[str, int]]:
    """Choose the phrase that says that a path would run beside itself.

    Returns:
        The last part of the phrase's key, and a dictionary with the phrase's only placeholder, the number of
        the path. If the number is not known, a phrase without a placeholder is chosen, and the dictionary is
        empty.
    """
    number = board.number(a) or board.number(b)
    return ("beside", {"number": number}) if number else ("line_beside", {})


def _what_closes(board: BoardView, group: FindingGroup) -> tuple[str, tuple[Cell, ...]]:
    """Return the reason why no line can run along an edge, and the squares that show the reason.

    The reason is one of four words:

    - ``beside``: a path would run beside itself, in another way than by a U-turn.
    - ``meet``: two numbers would meet.
    - ``loop``: a line would close a loop.
    - ``turn``: a line would make a U-turn, through all four squares of a 2 × 2 block.
    """
    a, b = group.edges[0]
    if group.reason == Reason.LOOP:
        return "loop", (a, b)
    # The solver may have ruled out this edge for another reason. But the board that readers see may have more
    # lines by now. If these lines join the two squares of the edge to different numbers, the simpler reason
    # is given: the two numbers would meet.
    numbers = board.number(a), board.number(b)
    if group.reason == Reason.CLASH or (all(numbers) and numbers[0] != numbers[1]):
        return "meet", (a, b)
    if group.reason == Reason.TURNS_BACK:
        return "turn", next(_u_turns(board, a, b), (a, b))
    beside = board.beside_itself(a, b) or group.findings[0].board.beside_itself(a, b)
    assert beside is not None, f"the solver ruled out {a}–{b} because a path would run beside itself"
    return "beside", tuple(sorted(beside[0]))


def _u_turns(board: BoardView, a: Cell, b: Cell) -> Iterator[tuple[Cell, ...]]:
    """Yield each block of 2 × 2 squares in which a line along the edge from a to b would make a U-turn.

    Four edges join the squares of a block. The line would make a U-turn if at least two of the other three
    edges are drawn already.
    """
    across = board.grid.cols if b - a == 1 else 1
    for to in (across, -across):
        if a + to in board.grid.neighbours[a] and b + to in board.grid.neighbours[b]:
            others = (a, a + to), (a + to, b + to), (b, b + to)
            if sum(board.state(*edge(*other)) == EdgeState.DRAWN for other in others) > 1:
                yield a, b, b + to, a + to


def _ways_not_taken(board: BoardView, cell: Cell, closed: Sequence[FindingGroup]) -> Remarks:
    """Say why a line can't leave the square ``cell`` through certain edges.

    Args:
        closed: the findings that rule out these edges. An edge gets no remark if readers can already see on
            the board that no line can use it.
    Returns:
        One remark for each reason, and the squares that the remarks name.
    """
    ways: dict[FilledPhrase, list[Cell]] = {}  # by reason
    cells: list[Cell] = []
    for group in closed:
        a, b = group.edges[0]
        if board.is_closed(a, b):
            continue
        what, named = _what_closes(board, group)
        if what == "meet":
            why = phrase("not_meet", number=board.number(a + b - cell))
        elif what == "beside":
            what, number = _path_beside(board, a, b)
            why = phrase(f"not_{what}", squares=squares(board.grid, named), **number)
        else:
            why = phrase(f"not_{what}")
        ways.setdefault(why, []).append(a + b - cell)
        cells += named
    remarks: list[PhraseTree] = [
        phrase(why.key, ways=_directions(board, cell, neighbours, ListKind.OR), **dict(why.parts))
        for why, neighbours in ways.items()
    ]
    return remarks, tuple(cells)


def _takes_all(board: BoardView, cell: Cell, onward: Cell) -> FilledPhrase:
    """Say that the line at a square must use all edges that are still open there.

    If no line has reached the square yet, two edges are open, and a line goes through both of them. If a line
    ends at the square, only one edge is open, and the line goes on along this edge.

    Args:
        onward: the neighbour to which the only edge leads. It is ignored if there are two edges.
    """
    if board.need_of(cell) == 2:
        ways = _directions(board, cell, board.exits(cell))
        return phrase("takes_both", square=square(board.grid, cell), ways=ways)
    return phrase("one_way_out", end=_subject(board, cell), way=_directions(board, cell, [onward]))


def _fork_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say why the line through a square must use a certain edge, which the finding draws.

    The line uses two edges of the square. No two of the other edges can be used together, so this edge must
    be one of the two.
    """
    (a, b), cell, grid = group.edges[0], group.cause, board.grid
    onward = a + b - cell
    others = [to for to in board.exits(cell) if to != onward]
    if len(others) < 2:
        return _takes_all(board, cell, onward), (cell,)
    key = "fork" if len(others) == 2 else "fork_of_three"
    ends = _numbered(grid, others, map(board.number, others))
    if len(others) == 2 and board.mate_of(others[0]) == others[1]:
        key, ends = "fork_of_line", squares(grid, others)
    return phrase(key, step=route(grid, (cell, onward)), ends=ends), (cell, *others)


def _numbered(
    grid: Grid, cells: Iterable[Cell], numbers: Iterable[int], kind: ListKind = ListKind.AND
) -> PhraseTree:
    """List squares, each with the printed number of its line."""
    named = ((square(grid, cell), number) for cell, number in zip(cells, numbers, strict=True))
    return list_of(kind, (phrase("numbered", square=where, number=number) for where, number in named))


def _fork_remarks(board: BoardView, cell: Cell, onward: Cell) -> Remarks:
    """Say why a line that ends at a square can't go on to any neighbour other than ``onward``.

    Neighbours to which the board already shows no way are left out.

    Returns:
        Two values: a list with a remark for each of the other neighbours; and the squares that the remarks
        are about, which are the given square and these neighbours.
    """
    others = {to: _directions(board, cell, [to]) for to in board.exits(cell) if to != onward}
    remarks: list[PhraseTree] = [
        phrase("not_loop", ways=way)
        if board.mate_of(cell) == other
        else phrase("not_meet", ways=way, number=board.number(other))
        for other, way in others.items()
    ]
    return remarks, (cell, *others)


def corner_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say through which sides of a square the line must go, or through which it can't go, and why.

    A line goes through two sides of each square. The reason says why no other two sides are possible.
    """
    cell = group.cause
    taken = board.exits_of(cell, group.edges)
    needed = group.reason == Reason.EVERY_WAY_USES
    failing = [
        ways
        for ways in combinations(board.grid.neighbours[cell], 2)
        if (not set(taken) <= set(ways) if needed else set(taken) & set(ways))
        and not _is_barred(board, cell, *ways)
    ]
    if not failing:
        return _takes_all(board, cell, taken[0]), (cell,)
    reasons, named = zip(*(_why_ways_fail(board, cell, *ways) for ways in failing), strict=True)
    steps = list_of(ListKind.AND, (route(board.grid, (cell, to)) for to in taken))
    cells = dict.fromkeys((cell, *chain.from_iterable(named)))
    reason = list_of(ListKind.REASONS, reasons)
    return phrase("corner_must_go" if needed else "corner_can_t_go", steps=steps, reason=reason), tuple(cells)


def _why_ways_fail(board: BoardView, cell: Cell, one: Cell, other: Cell) -> Clause:
    """Say why a line can't go from the neighbour ``one`` through a square to the neighbour ``other``."""
    end = _joined_wrongly(board, cell, one, other)
    turn = None if end.phrase == "meets" else _turn_clause(board, cell, one, other)
    return turn or _wrong_join(board, end)


def _wrong_join(board: BoardView, end: ChainEnd) -> Clause:
    """Say why a line can't join two squares, for example because two numbers can't meet."""
    said, cells = end_clause(board, end)
    return said._replace(key="can_t_meet") if end.phrase == "meets" else said, cells


def _is_barred(board: BoardView, cell: Cell, one: Cell, other: Cell) -> bool:
    """Return whether a line can't go from ``one`` through a square to ``other``.

    Only the edges of this square are considered.
    """
    if any(to not in (one, other) for to in board.joined(cell)):
        return True
    return board.is_closed(cell, one) or board.is_closed(cell, other)


def _joined_wrongly(board: BoardView, cell: Cell, one: Cell, other: Cell) -> ChainEnd:
    """Return what would go wrong if a line went from ``one`` through a square to ``other``."""
    numbers = board.number(one), board.number(other)
    ends = cell if one in board.joined(cell) else one, cell if other in board.joined(cell) else other
    if board.mate_of(one) == other:
        return ChainEnd("loop_closes", ends, frozenset())
    if all(numbers) and numbers[0] != numbers[1]:
        return ChainEnd("meets", ends, frozenset(), numbers)
    # Joining the lines of the two neighbours would neither close a loop nor join two different numbers. So
    # only one reason is left why they can't be joined: the joined path would run beside itself. The path
    # turns in ``cell``, and ``inner`` is the square diagonally inside this turn. A line may already lead from
    # ``inner`` to one of the two neighbours. Then the path would run beside itself at ``inner`` and the other
    # neighbour. Otherwise, it would run beside itself at other squares of the neighbours' lines.
    inner = one + other - cell
    by_inner = inner, other if one in board.joined(inner) else one
    is_u_turn = board.need_of(cell) < 2 or not {one, other}.isdisjoint(board.joined(inner))
    beside = (not is_u_turn and board.touching(one, other)) or by_inner
    return ChainEnd("runs_beside", beside, frozenset(), (max(numbers),))


def _turn_clause(board: BoardView, cell: Cell, one: Cell, other: Cell) -> Clause | None:
    """Say why a line can't turn at a square: because another line would have to turn inside it, and can't.

    If a line turns at a square, the line through the square diagonally inside the turn must turn in the same
    directions, unless that square holds a number. The same holds for the next square on the diagonal, and so
    on. The clause names the first square along the diagonal at which the turn is impossible.

    Args:
        one, other: the two neighbours that the turning line would join.

    Returns:
        None if the line goes straight on, or if no square inside the turn prevents the turn.
    """
    across, down = one - cell, other - cell
    inside, outer = list[Cell](), cell
    while across != -down:
        beside, inner = outer + across, outer + across + down
        if beside not in board.grid.neighbours[outer] or inner not in board.grid.neighbours[beside]:
            break
        ways = inner + across, inner + down
        parts, reason = dict[str, PhraseTree](), tuple[Cell, ...](ways)
        if inner not in board.puzzle.number_at:
            inside.append(inner)
            fails = not {*ways} <= {*board.grid.neighbours[inner]} or _is_barred(board, inner, *ways)
            if not fails and len({board.number(to) for to in ways} - {0}) > 1:
                parts["why"] = phrase("can_t_meet", ends=_numbered(board.grid, ways, map(board.number, ways)))
        elif inside and not set(board.joined(inner)) <= set(ways):
            fails = True
            joined = _joined_wrongly(board, outer, outer + across, outer + down)
            parts["why"], reason = _wrong_join(board, joined)
        else:
            break
        if fails or parts:
            parts |= {
                "ways": _directions(board, cell, [one, other]),
                "square": square(board.grid, inside[-1]),
            }
            # If there are several squares inside the turn, the caption may call them "the shaded squares". So
            # then the picture marks others only if a line would join them with different numbers.
            named = (*inside, *reason) if "why" in parts and (len(inside) == 1 or not fails) else inside
            return phrase("would_join" if "why" in parts else "would_turn", **parts), tuple(named)
        outer = inner
    return None


def _gap_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say why a line must run along an edge, or why no line can run there.

    The reason is about a gap, which is a narrow place between walls: the clause compares the number of lines
    that must go through the gap with the number of lines for which the gap has room.
    """
    grid, ends, cells = board.grid, group.edges[0], gap_cells(board.grid.cols, group.cause)
    is_drawn = group.deduction.kind == EdgeState.DRAWN
    parts = {"gap": route(grid, (cells[0], cells[-1])), "step": route(grid, ends)}
    if group.technique.name == "balance":
        return phrase("balance_needed" if is_drawn else "balance_full", **parts), cells
    if not is_drawn:
        if sum(map(board.need_of, cells)) == 1:
            # A gap is a narrow place that divides the board around it into areas. Here, one line ends in the
            # gap. It must go on into the area in which an odd number of lines end. The lines in this area
            # join these ends two by two, and one end is left over for the line from the gap.
            (cell,) = filter(board.need_of, cells)
            sides = (_area(board, to, outside=cells) for to in board.exits(cell) if to not in ends)
            side, count = next((side, n) for side in sides if (n := _ends_in(board, side)) % 2)
            return phrase("gap_end", count=str(count), step=parts["step"], square=square(grid, cell)), side
        # A gap is a narrow place that divides the board around it into areas. A line begins at each of the
        # two squares with the same number, and the two lines must be joined to one path. This path must leave
        # an area if one of the two lines ends there, and the other one ends neither there nor in the gap.
        # There are two ways out of an area. One is along a line without a number that already leads out of
        # the area; each such line serves one path only. The other is through the gap. Each square of the gap
        # has room for one path, but has none if a line with a number ends there. The gap is full if all of
        # its room is needed for paths that must leave the area.
        areas = {_area(board, to, outside=cells) for at in cells for to in board.exits(at) if to not in cells}
        found = ((_leaving(board, side, cells), len(_ways_drawn(board, side))) for side in areas)
        leaving, drawn = max(found, key=lambda side: (len(side[0]) - side[1], -side[1]))
        room = _lines_at(board, (cell for cell in cells if board.need_of(cell) > (board.number(cell) > 0)))
        return phrase("gap_full", lines=_lines(leaving, room, drawn), **parts), cells
    # A gap is a narrow place at the border of an area. Lines can leave the area in two ways: by an edge into
    # the gap, or along a line without a number that already leads out of the area. If as many lines must
    # leave the area as there are ways out, every way is needed. So the edge into the gap is drawn.
    area = _area(board, next(end for end in ends if end not in cells), outside=cells)
    ways = [to for cell in area for to in board.exits(cell) if to in cells]
    if len(ways) > 1:
        room = _lines_at(board, ways) + len(_ways_drawn(board, area))
        return phrase("gap_needed", lines=_lines(_leaving(board, area), room), count=str(room), **parts), area
    # The edge is the only connection between two areas. Each area has an odd number of line ends. Lines that
    # stay in an area join its ends two by two, so one end is left over. A line from it must use the edge.
    area = min((_area(board, end, closed=ends) for end in ends), key=len)
    return phrase("gap_odd", count=str(_ends_in(board, area)), **parts), area


def _ends_in(board: BoardView, area: Sequence[Cell]) -> int:
    return sum(board.need_of(cell) == 1 for cell in area)


def _ways_drawn(board: BoardView, area: Sequence[Cell]) -> list[Cell]:
    """Return the squares of an area in which lines without a known number end, if these lines lead out of it.

    Such a line has one end in the area, and the other end outside of it. Its end in the area is returned.
    """
    ends = (cell for cell in area if board.need_of(cell) == 1 and not board.number(cell))
    return [cell for cell in ends if board.mate_of(cell) not in area]


def picture_of(board: BoardView, group: FindingGroup, clause: Clause) -> tuple[ChainLink, ...]:
    """Return the arrows and crosses that show the reason of a step in a picture, if a picture can show it.

    Args:
        group: the findings that the step explains. They were made without a supposition.
        clause: the clause about these findings.
    """
    sentence, cells = clause
    if sentence.key == "gap_needed":
        return tuple(_ways_out(board, group, cells))
    if sentence.key == "cut_off":
        inside, onward = sorted(group.edges[0], key=lambda at: at not in cells)
        crosses = tuple(_crossed_exits(board, cells, onward))
        return (ChainLink("", (inside, onward), 0), *crosses)[:_MOST_MARKS_IN_PICTURE] if crosses else ()
    if "every_path" in {part.key for part in phrases_in(sentence)}:
        return tuple(_crossed_exits(board, cells[1:], cells[0]))[:_MOST_MARKS_IN_PICTURE]
    return ()


def _ways_out(board: BoardView, group: FindingGroup, area: Sequence[Cell]) -> Iterator[ChainLink]:
    """Yield an arrow for each way out of an area beside a gap, for a picture.

    A gap is a narrow place between walls. If as many lines must leave the area as there are ways out, each
    way out must be drawn. The explained step draws one of them, and the first arrow shows it. Two edges count
    as one way out if they lead to both ends of the same line. Only then the ways out are numbered, and the
    second edge's arrow has no number. Otherwise readers can count the arrows, and would take a number beside
    an arrow for the number of the line that goes there.

    Args:
        group: the findings that the step explains. They contain the gap that was counted, and the edge that
            must be drawn.
        area: the squares of the area.
    """
    gap = gap_cells(board.grid.cols, group.cause)
    first = sorted(group.edges[0], key=lambda at: at not in area)
    ways = [(cell, to) for cell in area for to in board.exits(cell) if to in gap]
    shared: dict[frozenset[Cell], list[Edge]] = {}
    for cell, to in sorted(ways, key=lambda way: way != tuple(first)):
        shared.setdefault(frozenset((to, board.mate_of(to))), []).append((cell, to))
    lines = [pairwise(board.way(cell, [board.mate_of(cell)])) for cell in _ways_drawn(board, area)]
    counted = [*shared.values(), *([next(way for way in line if way[1] not in area)] for line in lines)]
    is_numbered = any(len(ways) > 1 for ways in counted)
    for number, (way, *alike) in enumerate(counted, 1):
        yield ChainLink(str(number) if is_numbered else "", way, 0)
        yield from (ChainLink("", same, 0) for same in alike)


def _crossed_exits(board: BoardView, area: Sequence[Cell], onward: Cell) -> Iterator[ChainLink]:
    """Yield crosses on the open edges by which a path can't leave an area, for a picture.

    Args:
        onward: the only square outside the area to which the path can go.
    """
    for cell in area:
        for to in board.exits(cell):
            if to not in area and to != onward:
                yield ChainLink("", (cell, to), -1)


def _leaving(board: BoardView, area: Sequence[Cell], gap: Sequence[Cell] = ()) -> list[int]:
    """Return the numbers whose path must leave an area.

    A line begins at each of the two squares with the same number, and these two lines must be joined to one
    path. If exactly one of the two lines ends in the area, the path must leave the area.

    Args:
        gap: the squares of a gap (a narrow place between walls) beside the area. A number is left out if one
            of its two lines ends in these squares.
    """
    pairs = [(n, {*_ends(board, n)}) for n, *_ in board.puzzle.pairs]
    return [n for n, ends in pairs if len(ends.intersection(area)) == 1 and ends.isdisjoint(gap)]


def _lines_at(board: BoardView, cells: Iterable[Cell]) -> int:
    """Return how many lines have room in the given squares.

    Each square has room for one line. If both ends of a drawn line are among the squares, these two squares
    count as one.
    """
    return len({frozenset((cell, board.mate_of(cell))) for cell in cells})


def _lines(numbers: Sequence[int], room: int, drawn: int = 0) -> PhraseTree:
    """Name the lines that take all the room in a gap (a narrow place between walls).

    Args:
        numbers: the numbers of the lines that must leave the area beside the gap.
        room: the number of lines for which the gap has room.
        drawn: the number of lines without a number that already lead out of the area. Along each of them, one
            of the lines in ``numbers`` can leave without using the gap.
    """
    if not 1 < room == len(numbers) - drawn:
        return phrase("lines_unnamed")
    if len(numbers) + 3 * (drawn > 0) > _MOST_GAP_LINES:
        return phrase("lines_counted", count=str(room))
    named = list_of(ListKind.AND, numbers)
    return phrase("lines_among", count=str(room), lines=named) if drawn else named


class ChainLink(NamedTuple):
    """Link of a chain of findings, as a picture shows it: the supposition, or a finding that follows from it.

    Args:
        mark: the link's number in the chain: 1, 2, 3. If an inner chain leads to link 3, the links of the
            inner chain have the marks 3a, 3b. Empty if the link continues the line of the link before it.
        cells: the two squares of an edge, in the direction of the line. If the link gives a number to a
            square, only this square.
        number: the printed number that a square gets; 0 for a drawn edge; -1 for an edge that is ruled out.
    """

    mark: str
    cells: tuple[Cell, ...]
    number: int


class ChainExplainer:
    """Put a chain of findings into words: what follows from a supposition, up to a contradiction.

    The explainer draws the findings of the chain on a copy of the board, one after the other.

    Args:
        board: the board before the supposition.
    Attributes:
        shown: all links of the chain. The method ``clause`` fills this list.
        why_closed: maps edges that the chain rules out to the clauses that say why no line can run there.
        crosses: edges that the chain rules out without a link of their own. The picture shows them as crosses
            without numbers.
    """

    def __init__(self, board: BoardView) -> None:
        self.puzzle, self.position, self.given = board.puzzle, board.position.copy(), dict(board.given)
        self.board = BoardView(self.puzzle, self.position, self.given)
        # The first contradiction that appears when the findings of the chain are drawn in the order in which
        # they are explained; None if none has appeared yet. The search that found the chain drew the findings
        # in another order. So this contradiction may appear before the one at the end of the chain.
        self.early_end: ChainEnd | None = None
        self.shown: list[ChainLink] = []
        self.why_closed: dict[Edge, Clause] = {}
        self.crosses: list[ChainLink] = []
        self.count = 0

    def clause(self, chain: Chain) -> Clause:
        """Write the part of a sentence that states the contradiction to which a chain of findings leads.

        The chain begins with a supposition about the board. If it has only a few findings, they are stated
        too.
        """
        self._show(Deduction(*chain.supposed))
        self._write([Deduction(*chain.supposed)])
        self._follow(chain, frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1])))
        contradiction, cells = end_clause(self.board, self.early_end or chain.end)
        if contradiction.key != "both_cross":
            cells += tuple(cell for _, named in self.why_closed.values() for cell in named)
        links = list(self._links())
        if not links or self.count > _MOST_MARKS_IN_WORDS:
            return phrase("if_in_the_end" if links else "if_at_once", contradiction=contradiction), cells
        return phrase("if_then", links=list_of(ListKind.THEN, links), contradiction=contradiction), cells

    def picture(self) -> tuple[ChainLink, ...]:
        """Return the links of the chain to show in a picture.

        The links are the supposition and the findings that follow from it, up to the contradiction. A picture
        shows all links of a short chain, or the first links and the last link of a long chain.
        """
        marked = [place for place, link in enumerate(self.shown) if link.mark]
        return (*self.shown[: marked[:_MOST_MARKS_IN_PICTURE][-1]], *self.shown[marked[-1] :], *self.crosses)

    def _follow(self, chain: Chain, near: frozenset[Cell]) -> None:
        """Draw the findings of a chain one by one and add them to ``shown``, up to the first contradiction.

        A chain leads from a supposition about the board to a contradiction.

        Args:
            chain: the findings, each of which follows from earlier ones.
            near: the squares that the reader looks at now. The chain begins with a finding close to them.
        """
        end = chain.end
        last: Deduction | None = None
        # The chain may end because a line can't leave a square. ``touching`` has the edges of that square
        # along which the line would touch itself.
        beside = (link.deduction for link in chain.links if link.deduction.reason == Reason.BESIDE_ITSELF)
        ways = [edge_at(self.puzzle.grid.cols, deduction.where) for deduction in beside]
        touching = [way for way in ways if end.phrase == "no_way_out" and {*end.cells} < {*way}]
        for group, closed in in_reading_order(chain.links, self.puzzle.grid.cols, near):
            if self.early_end or (end.phrase == "must_cross" and self.board.crossing(*end.numbers)[0]):
                break
            if (inner := group.findings[0].chain) is not None:
                explainer = ChainExplainer(self.board)
                explainer.clause(inner)
                for link in explainer.shown:
                    letter = column_name(int(link.mark)).lower() if link.mark.isdigit() else link.mark
                    self.shown.append(link._replace(mark=letter and f"{self.count + 1}{letter}"))
            if group.is_remark:
                way, (why, named) = group.edges[0], why_closed(self.board, group)
                # The picture usually marks an edge that is ruled out with a cross. A cross would not show
                # where the line touches itself. So instead of a cross, show a move along the edge, after all
                # other moves of the chain. There is one exception: if the line would touch itself near both
                # of two edges, a single phrase of the caption names both reasons, so no move is shown.
                is_far = {*way}.isdisjoint(named[2:])
                if way in touching and last is None and (is_far or len(touching) == 1):
                    last = Deduction(FindingKind.DRAWN, edge_index(way))
                    continue
                self.why_closed[way] = why, named
            shut = [ChainLink("", way, -1) for way in edges_of(closed) if not self.board.is_closed(*way)]
            self.crosses += shut[: _MOST_MARKS_IN_PICTURE - len(self.crosses)]
            # In a picture, a cross marks an edge that is ruled out. But a cross alone does not show where a
            # line would run beside itself. So for these edges, keep the reason too.
            unseen = [part for part in closed if part.reason == Reason.BESIDE_ITSELF]
            self.why_closed |= {part.edges[0]: why_closed(self.board, part) for part in unseen}
            # An inner chain already has a number for the edge that it is about. Two would cover each other.
            for deduction in group.deductions:
                self._show(deduction, has_mark=inner is None)
            self._write([deduction for part in (*closed, group) for deduction in part.deductions])
        if last and self.early_end is None:
            self._show(last)
            self._write([last])

    def _links(self) -> Iterator[PhraseTree]:
        """Yield phrases for the findings that follow from the supposition.

        A finding is a drawn edge, an edge that is ruled out, or a number of a square.

        A finding has a phrase of its own, unless it continues the line of the finding before it. All findings
        that continue one line have a single phrase.
        """
        grid, run = self.puzzle.grid, list[Cell]()
        for link in (*self.shown[1:], None):
            if link and not link.number and run and {run[0], run[-1]} & {*link.cells}:
                run = run if run[-1] in link.cells else run[::-1]
                run.append(sum(link.cells) - run[-1])
                continue
            if run:
                yield phrase("a_line_must_run", step=route(grid, corners_of(run)))
            run = list(link.cells) if link and not link.number else []
            if link and link.number > 0:
                yield phrase("must_pass", number=link.number, square=square(grid, link.cells[0]))
            elif link and link.number:
                plain = phrase("no_line_can_run", step=route(grid, link.cells))
                yield self.why_closed.get(edge(*link.cells), (plain, ()))[0]

    def _show(self, deduction: Deduction, *, has_mark: bool = True) -> None:
        if self.board.is_decided(deduction):
            return
        if deduction.kind == FindingKind.NUMBERED:
            self.count += 1
            number = self.board.printed(deduction.cause)
            self.shown.append(ChainLink(str(self.count), (deduction.where,), number))
            return
        a, b = edge_at(self.puzzle.grid.cols, deduction.where)
        last = self.shown[-1] if self.shown else ChainLink("", (), 0)
        line_ends = [cell for cell in (a, b) if self.board.need_of(cell) == 1]
        if b in last.cells[-1:] or (a not in last.cells[-1:] and line_ends == [b]):
            a, b = b, a
        number = 0 if deduction.kind == EdgeState.DRAWN else -1
        continues = len(self.shown) > 1 and number == last.number == 0 and a in last.cells[-1:]
        has_mark = has_mark and not continues
        self.count += has_mark
        self.shown.append(ChainLink(str(self.count) if has_mark else "", (a, b), number))

    def _write(self, findings: Sequence[Deduction]) -> None:
        for deduction in findings:
            if self.early_end is None and not write(self.position, [deduction]):
                self.early_end = contradiction_of(self.board, self.position, deduction)
            elif deduction.kind == FindingKind.NUMBERED:
                self.given[deduction.where] = deduction.cause
        if self.early_end is None:
            self.board = BoardView(self.puzzle, self.position, dict(self.given))


# For each phrase that states a contradiction, the names of its placeholders. The phrases that are missing
# here have a single placeholder, named ``number``.
_SLOTS_OF_END = {
    "meets": ("ends",),
    "two_numbers": ("square", "number", "other"),
    "runs_beside": ("number", "squares"),
    **dict.fromkeys(("loop_closes", "path_runs_beside"), ("squares",)),
    **dict.fromkeys(("not_left", "can_t_fill"), ("square",)),
    "square_left": (),
}


def end_clause(board: BoardView, end: ChainEnd) -> Clause:
    """State the contradiction at the end of a chain of findings."""
    key, named = end.phrase, squares(board.grid, sorted(end.cells))
    numbers = [number for number in end.numbers if number]
    # Two paths would have to cross, because their ends alternate along a wall (sides of cells that no line
    # can cross). Name these four ends. The squares beside the wall form a ring, along which a reader finds
    # the ends in this order.
    if key == "must_cross" and all(crossing := board.crossing(numbers[0])):
        met, ring = crossing
        return phrase("both_cross", ends=_numbered(board.grid, met, map(board.number, met))), ring
    if key == "must_and_can_t":
        one, other = (square(board.grid, cell) for cell in end.cells)
        return phrase(key, square=one, other=other), end.cells
    if key == "no_way_out":
        (cell,) = end.cells
        if cell in board.puzzle.number_at or (board.need_of(cell) == 1 and board.number(cell)):
            return phrase(key, end=_subject(board, cell)), end.cells
        key = "not_left"
    if key == "runs_beside" and not numbers:
        numbers = [number for number in map(board.number, end.cells) if number]
        key = "runs_beside" if numbers else "path_runs_beside"
    if key == "are_cut_off":
        areas = [(_area(board, cell, numbers[0]), cell) for cell in _ends(board, numbers[0])]
        area, cell = min(areas, key=lambda found: len(found[0]))
        if len(area) == 1:
            return phrase("no_way_out", end=_subject(board, area[0])), area
        if stuck := _stuck_at(board, cell, area):
            at = phrase("end_of_path", number=numbers[0], square=square(board.grid, stuck[0]))
            return phrase("no_way_out", end=at), area
        return phrase(key, number=numbers[0], square=square(board.grid, cell)), area
    if key == "no_number_reaches":
        (cell,) = end.cells
        # The line through the square has two ends, and each must go on to a neighbour. Collect the numbers
        # that the line can reach in this way. If a neighbour doesn't belong to a numbered line yet, look one
        # square further: at all squares to which the line can go on from this neighbour.
        ends = tuple(dict.fromkeys((cell, board.mate_of(cell))))
        ways = [board.exits(at) for at in ends]
        ways = [[to] for to in ways[0]] if len(ends) == 1 and len(ways[0]) == 2 else ways
        far = {to: [to] if board.number(to) else board.exits(board.mate_of(to)) for at in ways for to in at}
        found = [sorted({*chain.from_iterable(far[to] for to in side)} - {*ends}) for side in ways]
        reached = sorted({*chain.from_iterable(found)})
        known = dict.fromkeys(map(board.number, reached))
        cells = (cell, *ends, *far, *reached)
        numbers_at = [{*map(board.number, side)} for side in found]
        if 0 not in known and len(found) == 2 and all(found) and numbers_at[0].isdisjoint(numbers_at[1]):
            near, rest = (_numbered(board.grid, at, map(board.number, at), ListKind.OR) for at in found)
            return phrase("joins_across", step=route(board.grid, ends), ends=near, others=rest), cells
        if 0 not in known and len(known) == len(reached) > 1:
            named = _numbered(board.grid, reached, known)
            return phrase("joins_different", square=square(board.grid, cell), ends=named), cells
        return phrase(key, square=square(board.grid, cell)), cells
    values: dict[str, PhraseTree] = {"square": named, "squares": named}
    if numbers:
        values |= {"number": numbers[0], "other": numbers[-1]}
    if key == "meets":
        values["ends"] = _numbered(board.grid, end.cells, end.numbers)
    return phrase(key, **{slot: values[slot] for slot in _SLOTS_OF_END.get(key, ("number",))}), end.cells
