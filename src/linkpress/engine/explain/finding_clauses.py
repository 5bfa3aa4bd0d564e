"""Findings as clauses: what is said of each, with the squares that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from linkpress.engine.explain.board_view import BoardView
from linkpress.engine.explain.reasons import Fault
from linkpress.engine.explain.saying import (
    ListKind,
    Part,
    Saying,
    Way,
    listed,
    route,
    saying,
    square,
    squares,
)
from linkpress.engine.explain.sequence import FindingGroup
from linkpress.engine.explain.wall_order import crossing
from linkpress.engine.kernels.glossary import Contradiction, EdgeState, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.grid import Cell, Edge, turning_cells

Clause = tuple[Part, tuple[Cell, ...]]


def corners_of(way: Sequence[Cell]) -> list[Cell]:
    """The first and last squares of a way, and those where it turns."""
    return [way[0], *turning_cells(way), way[-1]]


def direction(known: BoardView, cell: Cell, to: Cell) -> Way:
    """The way from a square to its neighbour."""
    (row, col), (there_row, there_col) = known.grid.position(cell), known.grid.position(to)
    if row != there_row:
        return Way.DOWN if there_row > row else Way.UP
    return Way.RIGHT if there_col > col else Way.LEFT


def directions(known: BoardView, cell: Cell, tos: Sequence[Cell], join: ListKind = ListKind.AND) -> Part:
    """The ways from a square to some of its neighbours."""
    return listed(join, (direction(known, cell, to) for to in tos))


def end(known: BoardView, cell: Cell) -> Part:
    """A number, a line's end or a square on no line yet, as what a sentence is about."""
    here, number = square(known.grid, cell), known.number(cell)
    if known.need_of(cell) == 2:
        return here
    return (
        saying("end_of_number", number=number, square=here) if number else saying("end_of_line", square=here)
    )


def remarked(said: Part, remarks: Sequence[Part]) -> Part:
    """What is said, with remarks in brackets where there are any."""
    return saying("remarked", said=said, remarks=listed(ListKind.REASONS, remarks)) if remarks else said


def why_closed(known: BoardView, unit: FindingGroup) -> Clause:
    """What would be if a line took a way that is closed."""
    a, b = edge_at(known.grid.cols, unit.entries[0].finding.where)
    what, told = _what_closes(known, unit)
    if what == "meet":
        one, other = known.number(a), known.number(b)
        return saying("since_meet", number=one, other=other), (a, b)
    if what == "loop":
        return saying("since_loop"), (a, b)
    where, number = squares(known.grid, told), known.number(a) or known.number(b)
    if number:
        return saying("since_beside", number=number, squares=where), told
    return saying("since_line_beside", squares=where), told


def _what_closes(known: BoardView, unit: FindingGroup) -> tuple[str, Edge]:
    """``beside`` with two squares side by side, ``meet`` or ``loop``."""
    entry = unit.entries[0]
    a, b = edge_at(known.grid.cols, entry.finding.where)
    if unit.reason == Reason.LOOP:
        return "loop", (a, b)
    if unit.reason == Reason.TURNS_BACK:
        return "beside", turned_back(known, a, b)
    if unit.reason == Reason.BESIDE_ITSELF:
        beside = known.beside_itself(a, b)
        if beside is None and known.number(a) == known.number(b):
            beside = entry.known.beside_itself(a, b)
        if beside:
            return "beside", beside[0]
    return "meet", (a, b)  # also of a line that has got another number since it was found


def turned_back(known: BoardView, a: Cell, b: Cell) -> Edge:
    """The ends, side by side, of the three edges of a 2 × 2 square of which one is asked for."""
    drawn = known.turning_lines(a, b)
    ends = [a, b]
    for _, place in sorted(drawn):
        ends += edge_at(known.grid.cols, place)
    one, other = (cell for cell in ends if ends.count(cell) == 1)
    return one, other


def ways_not_taken(
    known: BoardView, cell: Cell, closed: Sequence[FindingGroup], brief: bool = False
) -> tuple[list[Part], tuple[Cell, ...]]:
    """The ways that a square has not, each with what is against it; none where all are plain to see.

    Args:
        known: the board.
        cell: the square.
        closed: what closes its ways.
        brief: as a link of a chain has it.
    """
    ways: dict[Saying, list[Cell]] = {}  # by what is against them: a saying that ``_not_taken`` makes whole
    cells: list[Cell] = []
    for unit in closed:
        a, b = edge_at(known.grid.cols, unit.entries[0].finding.where)
        to = a + b - cell
        if known.is_closed(a, b):
            continue
        what, named = _what_closes(known, unit)
        told: tuple[Cell, ...] = named
        if brief and what == "meet":
            why, told = saying("another_s", number=known.number(to)), (to,)
        elif what == "meet":
            why = saying("not_meet", number=known.number(to))
        elif what == "beside":
            why = saying("not_beside", squares=squares(known.grid, named))
        else:
            why = saying(f"not_{what}")
        ways.setdefault(why, []).append(to)
        cells += told
    return [_not_taken(known, cell, tos, why, brief) for why, tos in ways.items()], tuple(cells)


def _not_taken(known: BoardView, cell: Cell, tos: Sequence[Cell], why: Saying, brief: bool) -> Part:
    if why.key == "another_s":
        key = "are_another_s" if len(tos) > 1 else "is_another_s"
        return saying(key, squares=squares(known.grid, tos), **dict(why.parts))
    ways = directions(known, cell, tos, ListKind.OR)
    return saying(f"{why.key}_brief" if brief else why.key, ways=ways, **dict(why.parts))


def fault_said(known: BoardView, fault: Fault) -> Part:
    """How a supposition ends, in a clause."""
    grid, numbers = known.grid, [number for number in fault.numbers if number]
    one, both = [square(grid, cell) for cell in fault.cells[:1]], [square(grid, cell) for cell in fault.cells]
    told: Mapping[str, Callable[[], Part]] = {
        "no-way-out": lambda: _shut_in(known, fault),
        "meet": lambda: saying(
            "meets", number=numbers[0], other=numbers[1], squares=listed(ListKind.AND, both)
        ),
        "loop": lambda: saying("loop_closes", squares=listed(ListKind.AND, both)),
        "beside": lambda: (
            saying("runs_beside", number=numbers[0], squares=listed(ListKind.AND, both))
            if numbers
            else saying("path_runs_beside", squares=listed(ListKind.AND, both))
        ),
        "left-over": lambda: saying("left_over", number=numbers[0]),
        "both": lambda: saying("must_and_can_t", square=both[0], other=both[1]),
        "numbers": lambda: saying("two_numbers", square=one[0], number=numbers[0], other=numbers[-1]),
        "seen": lambda: _seen(known, fault),
    }
    return told[fault.kind]()


def _shut_in(known: BoardView, fault: Fault) -> Part:
    (cell,) = fault.cells
    if cell in known.puzzle.number_at:
        return saying("no_way_out", end=end(known, cell))
    return saying("not_left", square=square(known.grid, cell))


_SEEN = {
    Contradiction.UNREACHED: "no_number_reaches",
    Contradiction.UNFILLED: "can_t_fill",
}


def _seen(known: BoardView, fault: Fault) -> Part:
    if fault.what == Contradiction.PAIR_CUT_OFF:
        return saying("are_cut_off", number=fault.numbers[0])
    if fault.what in _SEEN:
        return saying(_SEEN[Contradiction(fault.what)], square=square(known.grid, fault.cells[0]))
    if not fault.numbers:
        return saying("square_left")
    met = crossing(known, fault.numbers[0])
    if not met:
        return saying("must_cross", number=fault.numbers[0])
    one, other = (known.number(cell) for cell in met[:2])
    return saying(
        "both_cross",
        number=one,
        other=other,
        ends=listed(ListKind.AND, (_end_of_number(known, cell) for cell in met)),
    )


def _end_of_number(known: BoardView, cell: Cell) -> Part:
    return saying("end_of_number", number=known.number(cell), square=square(known.grid, cell))


def simple_clause(known: BoardView, unit: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
    """A finding as one link of a chain: what must be, and why where that is not plain to see."""
    kind, where, reason, cause = unit.entries[0].finding
    if reason in _NUMBERING:
        here = square(known.grid, where)
        return saying(_NUMBERING[reason], number=known.plain(cause), square=here), (where,)
    a, b = edge_at(known.grid.cols, where)
    step = route(known.grid, (a, b))
    if unit.in_passing:
        why, cells = why_closed(known, unit)
        return saying("closed", step=step, why=why), (a, b, *cells)
    if reason == Reason.ALL_EXITS:
        ways = known.exits_of(cause, unit.findings)
        remarks, cells = ways_not_taken(known, cause, closed, brief=True)
        if known.need_of(cause) == 1:
            must: Part = saying("must_go", end=end(known, cause), way=direction(known, cause, ways[0]))
        else:
            must = saying("must_join", square=square(known.grid, cause), squares=squares(known.grid, ways))
        return remarked(must, remarks), (cause, *cells)
    if reason == Reason.FORK:
        return fork(known, unit.entries[0].finding)
    if reason == Reason.SIDE_BY_SIDE:
        return saying("must_be_joined", squares=squares(known.grid, (a, b)), number=known.number(a)), (a, b)
    return saying("a_line_must_run" if kind == EdgeState.DRAWN else "no_line_can_run", step=step), (a, b)


_NUMBERING: Mapping[int, str] = {
    Reason.MUST_PASS: "must_pass",
    Reason.ONLY_ONE_REACHES: "only_between",
    Reason.IN_ORDER: "only_comes",
}


def fork(known: BoardView, finding: Deduction) -> Clause:
    """Of a square's three ways out, the one that is not taken together with another."""
    a, b = edge_at(known.grid.cols, finding.where)
    cell = finding.cause
    onward = a + b - cell
    others = [to for to in known.exits(cell) if to != onward]
    if len(others) < 2:
        remarks, cells = fork_closed(known, cell, onward)
        return remarked(nothing_to_spare(known, cell, onward), remarks), cells
    here, one, other = (square(known.grid, to) for to in (cell, *others))
    parts: dict[str, Part] = {
        "square": here,
        "one": one,
        "other": other,
        "way": direction(known, cell, onward),
    }
    if known.mate_of(others[0]) == others[1]:
        return saying("fork_of_line", **parts), (cell, *others)
    first, second = (known.number(to) for to in others)
    return saying("fork", number=first, other_number=second, **parts), (cell, *others)


def fork_closed(known: BoardView, cell: Cell, onward: Cell) -> tuple[list[Part], tuple[Cell, ...]]:
    """As ``ways_not_taken``, where a line has come to a square with three ways out by now."""
    others = [to for to in known.exits(cell) if to != onward]
    if known.need_of(cell) != 1 or not others:
        return [], (cell,)
    (other,) = others
    way = direction(known, cell, other)
    if known.mate_of(cell) == other:
        return [saying("not_loop", ways=way)], (cell, other)
    return [saying("not_meet", ways=way, number=known.number(other))], (cell, other)


def nothing_to_spare(known: BoardView, cell: Cell, onward: Cell) -> Part:
    """A square that takes every way that it has."""
    if known.need_of(cell) == 2:
        ways = directions(known, cell, known.exits(cell))
        return saying("takes_both", square=square(known.grid, cell), ways=ways)
    return saying("one_way_out", end=end(known, cell), way=direction(known, cell, onward))


def supposition(known: BoardView, place: int, state: int) -> Saying:
    """An edge drawn or not, as what is supposed."""
    a, b = edge_at(known.grid.cols, place)
    drawn = state == EdgeState.DRAWN
    for cell, to in ((a, b), (b, a)):
        if known.need_of(cell) == 1:
            key = "if_goes" if drawn else "if_does_not_go"
            return saying(key, end=end(known, cell), way=direction(known, cell, to))
    return saying("if_line_runs" if drawn else "if_no_line_runs", step=route(known.grid, (a, b)))
