"""A clause says one finding, and comes with the squares that it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from linkpress.engine.explain.explained_findings import BoardView, Fault
from linkpress.engine.explain.phrase_tree import (
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseTree,
    list_of,
    phrase,
    route,
    square,
    squares,
)
from linkpress.engine.explain.telling_order import FindingGroup
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.puzzle import Cell, Edge, turning_cells

Clause = tuple[PhraseTree, tuple[Cell, ...]]


def corners_of(way: Sequence[Cell]) -> list[Cell]:
    """Return the first and last squares of a way, and those where it turns."""
    return [way[0], *turning_cells(way), way[-1]]


def direction(board: BoardView, cell: Cell, to: Cell) -> DirectionWord:
    """Name the way from a square to its neighbour."""
    (row, col), (there_row, there_col) = board.grid.position(cell), board.grid.position(to)
    if row != there_row:
        return DirectionWord.DOWN if there_row > row else DirectionWord.UP
    return DirectionWord.RIGHT if there_col > col else DirectionWord.LEFT


def directions(
    board: BoardView, cell: Cell, tos: Sequence[Cell], join: ListKind = ListKind.AND
) -> PhraseTree:
    """Name the ways from a square to some of its neighbours."""
    return list_of(join, (direction(board, cell, to) for to in tos))


def line_end(board: BoardView, cell: Cell) -> PhraseTree:
    """Name what a sentence is about: a number, a line's end or a square on no line yet."""
    here = square(board.grid, cell)
    if board.need_of(cell) == 2:
        return here
    number = board.number(cell)
    return (
        phrase("end_of_number", number=number, square=here) if number else phrase("end_of_line", square=here)
    )


def with_remarks(sentence: PhraseTree, remarks: Sequence[PhraseTree]) -> PhraseTree:
    """Put remarks in brackets behind a sentence, where there are any."""
    if not remarks:
        return sentence
    return phrase("remarked", said=sentence, remarks=list_of(ListKind.REASONS, remarks))


def why_closed(board: BoardView, group: FindingGroup) -> Clause:
    """Say what would be if a line took a way that is closed."""
    a, b = edge_at(board.grid.cols, group.deduction.where)
    what, cells = _what_closes(board, group)
    if what == "meet":
        one, other = board.number(a), board.number(b)
        return phrase("since_meet", number=one, other=other), (a, b)
    if what in ("loop", "turn"):
        return phrase(f"since_{what}"), (a, b)
    where, number = squares(board.grid, cells), board.number(a) or board.number(b)
    if number:
        return phrase("since_beside", number=number, squares=where), cells
    return phrase("since_line_beside", squares=where), cells


def _what_closes(board: BoardView, group: FindingGroup) -> tuple[str, Edge]:
    """Say what closes a way: ``beside`` with two squares side by side, ``meet``, ``loop`` or ``turn``."""
    finding = group.findings[0]
    a, b = edge_at(board.grid.cols, finding.deduction.where)
    if group.reason == Reason.LOOP:
        return "loop", (a, b)
    if group.reason == Reason.TURNS_BACK:
        return "turn", (a, b)
    if group.reason == Reason.BESIDE_ITSELF:
        beside = board.beside_itself(a, b)
        if beside is None and board.number(a) == board.number(b):
            beside = finding.board.beside_itself(a, b)
        if beside:
            return "beside", beside[0]
    return "meet", (a, b)  # also of a line that has got another number since it was found


def ways_not_taken(
    board: BoardView, cell: Cell, closed: Sequence[FindingGroup]
) -> tuple[list[PhraseTree], tuple[Cell, ...]]:
    """Say which ways a square does not take, each with what is against it; nothing where all are plain."""
    ways: dict[FilledPhrase, list[Cell]] = {}  # by what is against them
    cells: list[Cell] = []
    for group in closed:
        a, b = edge_at(board.grid.cols, group.deduction.where)
        to = a + b - cell
        if board.is_closed(a, b):
            continue
        what, named = _what_closes(board, group)
        if what == "meet":
            why = phrase("not_meet", number=board.number(to))
        elif what == "beside":
            why = phrase("not_beside", squares=squares(board.grid, named))
        else:
            why = phrase(f"not_{what}")
        ways.setdefault(why, []).append(to)
        cells += named
    remarks: list[PhraseTree] = [
        phrase(why.key, ways=directions(board, cell, tos, ListKind.OR), **dict(why.parts))
        for why, tos in ways.items()
    ]
    return remarks, tuple(cells)


def fault_clause(board: BoardView, fault: Fault) -> PhraseTree:
    """Say how a supposition ends, in a clause."""
    named, numbers = squares(board.grid, fault.cells), [number for number in fault.numbers if number]
    match fault.phrase:
        case "no_way_out":
            (cell,) = fault.cells
            if cell in board.puzzle.number_at:
                return phrase("no_way_out", end=line_end(board, cell))
            return phrase("not_left", square=named)
        case "meets":
            return phrase("meets", number=numbers[0], other=numbers[1], squares=named)
        case "loop_closes":
            return phrase("loop_closes", squares=named)
        case "runs_beside" if numbers:
            return phrase("runs_beside", number=numbers[0], squares=named)
        case "runs_beside":
            return phrase("path_runs_beside", squares=named)
        case "must_and_can_t":
            one, other = (square(board.grid, cell) for cell in fault.cells)
            return phrase("must_and_can_t", square=one, other=other)
        case "two_numbers":
            return phrase("two_numbers", square=named, number=numbers[0], other=numbers[-1])
        case "no_number_reaches" | "can_t_fill":
            return phrase(fault.phrase, square=named)
        case "square_left":
            return phrase("square_left")
        case "must_cross":
            return _crossed(board, numbers[0])
    return phrase(fault.phrase, number=numbers[0])


def _crossed(board: BoardView, number: int) -> PhraseTree:
    met = board.crossing(number)
    if not met:
        return phrase("must_cross", number=number)
    one, other = (board.number(cell) for cell in met[:2])
    ends = squares(board.grid, met)
    return phrase("both_cross", number=one, other=other, ends=ends)


def link_clause(board: BoardView, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
    """Tell a finding as one link of a chain: what must be, and why where that is not plain to see."""
    kind, where, reason, cause = group.deduction
    if reason in _NUMBERING:
        here = square(board.grid, where)
        return phrase(_NUMBERING[reason], number=board.printed(cause), square=here), (where,)
    a, b = edge_at(board.grid.cols, where)
    step = route(board.grid, (a, b))
    if group.in_passing:
        why, cells = why_closed(board, group)
        return phrase("closed", step=step, why=why), (a, b, *cells)
    if reason == Reason.ALL_EXITS:
        ways = board.exits_of(cause, group.deductions)
        _, cells = ways_not_taken(board, cause, closed)
        if board.need_of(cause) == 1:
            must = phrase("must_go", end=line_end(board, cause), way=direction(board, cause, ways[0]))
        else:
            must = phrase("must_join", square=square(board.grid, cause), squares=squares(board.grid, ways))
        return must, (cause, *cells)
    if reason == Reason.FORK:
        sentence, cells = fork(board, group.deduction)
        if isinstance(sentence, FilledPhrase) and sentence.key.startswith("fork"):
            taken = dict(sentence.parts)
            sentence = phrase("goes", square=taken["square"], way=taken["way"])
        return sentence, cells
    if reason == Reason.SIDE_BY_SIDE:
        return phrase("must_be_joined", squares=squares(board.grid, (a, b)), number=board.number(a)), (a, b)
    return phrase("a_line_must_run" if kind == EdgeState.DRAWN else "no_line_can_run", step=step), (a, b)


_NUMBERING: Mapping[int, str] = {
    Reason.MUST_PASS: "must_pass",
    Reason.ONLY_ONE_REACHES: "only_between",
    Reason.IN_ORDER: "only_comes",
}


def fork(board: BoardView, deduction: Deduction) -> Clause:
    """Say which of a square's ways out are not taken together."""
    a, b = edge_at(board.grid.cols, deduction.where)
    cell = deduction.cause
    onward = a + b - cell
    others = [to for to in board.exits(cell) if to != onward]
    if len(others) < 2 or board.need_of(cell) == 1:
        remarks, cells = fork_closed(board, cell, onward)
        return with_remarks(takes_all(board, cell, onward), remarks), cells
    parts: dict[str, PhraseTree] = {"square": square(board.grid, cell), "way": direction(board, cell, onward)}
    numbers = [board.number(to) for to in others]
    if len(others) > 2:
        parts["squares"] = squares(board.grid, others)
        return phrase("fork_of_three", **parts), (cell, *others)
    parts |= dict(zip(("one", "other"), (square(board.grid, to) for to in others), strict=True))
    if board.mate_of(others[0]) == others[1]:
        return phrase("fork_of_line", **parts), (cell, *others)
    return phrase("fork", number=numbers[0], other_number=numbers[1], **parts), (cell, *others)


def of_numbers(numbers: Iterable[int]) -> PhraseTree:
    """List numbers as those of several lines."""
    return list_of(ListKind.AND, (phrase("of_number", number=number) for number in numbers))


def fork_closed(board: BoardView, cell: Cell, onward: Cell) -> tuple[list[PhraseTree], tuple[Cell, ...]]:
    """Say which ways are not taken where a line has come by now to a square with more than two ways out."""
    others = [to for to in board.exits(cell) if to != onward]
    if board.need_of(cell) != 1:
        return [], (cell,)
    remarks: list[PhraseTree] = []
    for other in others:
        way = direction(board, cell, other)
        if board.mate_of(cell) == other:
            remarks.append(phrase("not_loop", ways=way))
        else:
            remarks.append(phrase("not_meet", ways=way, number=board.number(other)))
    return remarks, (cell, *others)


def takes_all(board: BoardView, cell: Cell, onward: Cell) -> PhraseTree:
    """Tell that a square takes every way that it has."""
    if board.need_of(cell) == 2:
        ways = directions(board, cell, board.exits(cell))
        return phrase("takes_both", square=square(board.grid, cell), ways=ways)
    return phrase("one_way_out", end=line_end(board, cell), way=direction(board, cell, onward))


def supposition(board: BoardView, place: int, state: int) -> FilledPhrase:
    """Name an edge, drawn or not, as what is supposed."""
    a, b = edge_at(board.grid.cols, place)
    drawn = state == EdgeState.DRAWN
    for cell, to in ((a, b), (b, a)):
        if board.need_of(cell) == 1:
            key = "if_goes" if drawn else "if_does_not_go"
            return phrase(key, end=line_end(board, cell), way=direction(board, cell, to))
    return phrase("if_line_runs" if drawn else "if_no_line_runs", step=route(board.grid, (a, b)))


def corner_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say what the ways through a square have in common, each other way with what is against it."""
    cell = group.cause
    taken = board.exits_of(cell, group.deductions)
    against: list[tuple[PhraseTree, Clause]] = []
    needed = group.reason == Reason.EVERY_WAY_USES
    for one, other in combinations(board.grid.neighbours[cell], 2):
        if needed and all(to in (one, other) for to in taken):
            continue
        if not needed and not any(to in (one, other) for to in taken):
            continue
        if _is_barred(board, cell, one, other):
            continue
        against.append((directions(board, cell, (one, other)), _against(board, cell, one, other)))
    if not against:
        return takes_all(board, cell, taken[0]), (cell,)
    key, join = ("corner_must_go", ListKind.AND) if needed else ("corner_can_t_go", ListKind.OR)
    ways = directions(board, cell, taken, join)
    reasons: list[FilledPhrase] = []
    for both, (why, named) in against:
        assert isinstance(why, FilledPhrase)
        if why.key.startswith("ways_"):
            reasons.append(phrase(why.key, ways=both, **dict(why.parts)))
        elif len(against) == 1:
            reasons.append(phrase("if_it_went", ways=both, why=why))
        else:
            reasons.append(phrase("fails_at", ways=both, square=square(board.grid, named[-1])))
    all_reasons: PhraseTree = list_of(ListKind.REASONS, reasons)
    if len(reasons) + any(reason.key == "ways_beside" for reason in reasons) > MOST_REASONS:
        last = dict.fromkeys(named[-1] for _, (_, named) in against)
        all_reasons = phrase("others_fail", squares=squares(board.grid, last))
    cells = (cell, *(named for _, (_, some) in against for named in some))
    return phrase(key, square=square(board.grid, cell), ways=ways, reasons=all_reasons), cells


# More reasons than three ways through a square are longer than forty words, and so are three of which one is
# that a line would run beside itself.
MOST_REASONS = 3


def _is_barred(board: BoardView, cell: Cell, one: Cell, other: Cell) -> bool:
    """Tell whether a square's own edges close a way through it, as anybody can see."""
    if any(to not in (one, other) for to in board.joined(cell)):
        return True
    return board.is_closed(cell, one) or board.is_closed(cell, other)


def _against(board: BoardView, cell: Cell, one: Cell, other: Cell) -> Clause:
    """Say what is against a way that is open by the square's own edges."""
    if one - cell != cell - other:
        found = _diagonal(board, cell, one - cell, other - cell)
        if found is not None:
            return found
    if board.mate_of(one) == other:
        ends = square(board.grid, one), square(board.grid, other)
        return phrase("ways_loop", square=ends[0], other=ends[1]), (one, other)
    numbers = board.number(one), board.number(other)
    if all(numbers) and numbers[0] != numbers[1]:
        return phrase("ways_join", number=numbers[0], other=numbers[1]), (one, other)
    touching = board.touching(one, other) or (one, other)
    return phrase("ways_beside", squares=squares(board.grid, touching)), touching


def _diagonal(board: BoardView, cell: Cell, one: int, other: int) -> Clause | None:
    """Say what is against a bend along its diagonal: a square there that can't bend the same way.

    ``one`` and ``other`` lead from a square to the next, by the two ways that the bend takes.
    """
    passed: list[Cell] = []
    here = cell
    while True:
        beside, inner = here + one, here + one + other
        if beside not in board.grid.neighbours[here] or inner not in board.grid.neighbours[beside]:
            return None
        there = square(board.grid, inner)
        ways = [inner + one, inner + other]
        others = [to for to in board.joined(inner) if to not in ways]
        if inner in board.puzzle.number_at:
            if not others:
                return None
            against = phrase("in_the_way", number=board.number(inner), square=there)
            return _bent(board, passed, against), (*passed, inner)
        passed.append(inner)
        if others:
            against = phrase("goes", square=there, way=direction(board, inner, others[0]))
            return _bent(board, passed, against), tuple(passed)
        for step, to in zip((one, other), ways, strict=True):
            if to not in board.grid.neighbours[inner] or board.is_closed(inner, to):
                against = phrase("can_t_go", square=there, way=direction(board, cell, cell + step))
                return _bent(board, passed, against), tuple(passed)
        here = inner


def _bent(board: BoardView, passed: list[Cell], against: PhraseTree) -> PhraseTree:
    """Say what is against the squares inside a bend that bend with it."""
    if not passed:
        return against
    if len(passed) == 1:
        return phrase("so_would_inside", squares=square(board.grid, passed[0]), but=against)
    return phrase("so_would_diagonal", squares=route(board.grid, (passed[0], passed[-1])), but=against)
