"""Build the clauses of an explanation's sentences.

A clause states what a technique finds, explains why a gap is full, or leads from a supposition to a
contradiction. It is a ``PhraseTree`` together with the squares that it names. The module ``steps`` builds
whole sentences from clauses. A square's *ways* are the edges by which a line can leave the square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from linkpress.engine.explain.explanation import (
    BoardView,
    Chain,
    ChainEnd,
    FindingGroup,
    as_deduction,
    edge_contradiction,
    in_reading_order,
    number_contradiction,
)
from linkpress.engine.explain.phrase_tree import (
    LEFT_OUT,
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseTree,
    column_name,
    list_of,
    phrase,
    route,
    square,
    squares,
    weight_of,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import EASIEST, Deduction, Technique, edge_at, find, write
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle, turning_cells

Clause = tuple[PhraseTree, tuple[Cell, ...]]

# Maximum number of reasons in the sentence about a corner. A reason about a line beside itself counts as two.
# With more reasons, the sentence is longer than 40 words.
_MOST_REASONS = 3
# The sentence about a gap names each pair that must cross it, up to this many pairs. If more pairs must cross
# the gap, the sentence only gives their number.
_MOST_PAIRS = 4
# A sentence names all squares of a gap that has up to this many. Longer gaps are straight rows, so the
# sentence names only their first two squares and their last one.
_MOST_GAP_SQUARES = 4
# The links of a chain are put into words up to this weight, as ``weight_of`` counts it. Heavier chains are
# only shown in the picture, because nobody follows more than 40 words. A weight of 11 makes 31 words of
# Spanish or Italian, and the conclusion takes 9 more.
_MOST_CHAIN_WEIGHT = 11
# A sentence about a line has at most this many remarks. With two, the French sentence has up to 40 words.
_MOST_REMARKS = 2

GAP_REASONS = (Reason.BY_ROOM, Reason.BY_TILT, Reason.WITHIN_GAP, Reason.OTHERS_CROSS)
_NUMBERING: Mapping[int, str] = {
    Reason.MUST_PASS: "must_pass",
    Reason.ONLY_ONE_REACHES: "only_between",
    Reason.IN_ORDER: "only_comes",
}


def corners_of(line: Sequence[Cell]) -> list[Cell]:
    return [line[0], *turning_cells(line), line[-1]]


def _direction(board: BoardView, cell: Cell, to: Cell) -> DirectionWord:
    (row, col), (to_row, to_col) = board.grid.position(cell), board.grid.position(to)
    if row != to_row:
        return DirectionWord.DOWN if to_row > row else DirectionWord.UP
    return DirectionWord.RIGHT if to_col > col else DirectionWord.LEFT


def directions(
    board: BoardView, cell: Cell, neighbours: Sequence[Cell], join: ListKind = ListKind.AND
) -> PhraseTree:
    return list_of(join, (_direction(board, cell, to) for to in neighbours))


def subject(board: BoardView, cell: Cell) -> PhraseTree:
    """Name the line that ends at a square, as the subject of a sentence.

    If no line ends there, name the square itself.
    """
    named = square(board.grid, cell)
    if board.need_of(cell) == 2:
        return named
    number = board.number(cell)
    if number:
        return phrase("end_of_number", number=number, square=named)
    return phrase("end_of_line", square=named)


def of_numbers(numbers: Iterable[int]) -> PhraseTree:
    return list_of(ListKind.AND, (phrase("of_number", number=number) for number in numbers))


def with_remarks(sentence: PhraseTree, remarks: Sequence[PhraseTree]) -> PhraseTree:
    """Append remarks in brackets to a sentence, if there are any."""
    if not remarks:
        return sentence
    return phrase("remarked", said=sentence, remarks=list_of(ListKind.REASONS, remarks))


def why_closed(board: BoardView, group: FindingGroup) -> Clause:
    """Say why no line can run along an edge: what would go wrong if one did."""
    a, b = edge_at(board.grid.cols, group.deduction.where)
    what, cells = _what_closes(board, group)
    if what == "meet":
        return phrase("since_meet", number=board.number(a), other=board.number(b)), (a, b)
    if what in ("loop", "turn"):
        return phrase(f"since_{what}"), (a, b)
    where, number = squares(board.grid, cells), board.number(a) or board.number(b)
    if number:
        return phrase("since_beside", number=number, squares=where), cells
    return phrase("since_line_beside", squares=where), cells


def _what_closes(board: BoardView, group: FindingGroup) -> tuple[str, Edge]:
    """Return the reason why no line can run along an edge, and the two squares that show it.

    The reason is ``beside`` if a path would run beside itself, ``meet`` if two numbers would meet, ``loop``
    if a line would close a loop, and ``turn`` if a line would turn straight back.
    """
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
    # When the edge was closed, the path would have run beside itself. Since then the line has got another
    # number, so now two numbers would meet at the edge.
    return "meet", (a, b)


def ways_not_taken(
    board: BoardView, cell: Cell, closed: Sequence[FindingGroup]
) -> tuple[list[PhraseTree], tuple[Cell, ...]]:
    """Say why a line does not leave a square by certain ways.

    Args:
        closed: the findings that close these ways. A way that is already closed on the board needs no remark.
    Returns:
        One remark for each reason, and the squares that the remarks name.
    """
    ways: dict[FilledPhrase, list[Cell]] = {}  # by reason
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
        phrase(why.key, ways=directions(board, cell, neighbours, ListKind.OR), **dict(why.parts))
        for why, neighbours in ways.items()
    ]
    return remarks, tuple(cells)


def takes_all(board: BoardView, cell: Cell, onward: Cell) -> PhraseTree:
    """Say that a square must use every way that is left: both of its two ways, or its only one.

    Args:
        onward: the neighbour to which the only way leads. It is ignored if there are two ways.
    """
    if board.need_of(cell) == 2:
        ways = directions(board, cell, board.exits(cell))
        return phrase("takes_both", square=square(board.grid, cell), ways=ways)
    return phrase("one_way_out", end=subject(board, cell), way=_direction(board, cell, onward))


def fork_clause(board: BoardView, deduction: Deduction) -> Clause:
    """Say which way a line must take at a square, because it can't use any two of the other ways together."""
    a, b = edge_at(board.grid.cols, deduction.where)
    cell = deduction.cause
    onward = a + b - cell
    others = [to for to in board.exits(cell) if to != onward]
    if len(others) < 2 or board.need_of(cell) == 1:
        remarks, cells = fork_remarks(board, cell, onward)
        return with_remarks(takes_all(board, cell, onward), remarks), cells
    parts: dict[str, PhraseTree] = {
        "square": square(board.grid, cell),
        "way": _direction(board, cell, onward),
    }
    numbers = [board.number(to) for to in others]
    if len(others) > 2:
        parts["squares"] = squares(board.grid, others)
        return phrase("fork_of_three", **parts), (cell, *others)
    parts |= dict(zip(("one", "other"), (square(board.grid, to) for to in others), strict=True))
    if board.mate_of(others[0]) == others[1]:
        return phrase("fork_of_line", **parts), (cell, *others)
    return phrase("fork", number=numbers[0], other_number=numbers[1], **parts), (cell, *others)


def fork_remarks(board: BoardView, cell: Cell, onward: Cell) -> tuple[list[PhraseTree], tuple[Cell, ...]]:
    """Say why a line that ends at a square can't take any way but the one to ``onward``.

    There are no remarks if no line has reached the square yet.
    """
    if board.need_of(cell) != 1:
        return [], (cell,)
    others = [to for to in board.exits(cell) if to != onward]
    remarks: list[PhraseTree] = []
    for other in others:
        way = _direction(board, cell, other)
        if board.mate_of(cell) == other:
            remarks.append(phrase("not_loop", ways=way))
        else:
            remarks.append(phrase("not_meet", ways=way, number=board.number(other)))
    return remarks, (cell, *others)


def corner_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say which ways a square must or can't use, and why no line can use other combinations of two ways."""
    cell = group.cause
    taken = board.exits_of(cell, group.deductions)
    needed = group.reason == Reason.EVERY_WAY_USES
    against: list[tuple[PhraseTree, Clause]] = []
    for one, other in combinations(board.grid.neighbours[cell], 2):
        uses = [to in (one, other) for to in taken]
        is_concerned = not all(uses) if needed else any(uses)
        if is_concerned and not _is_barred(board, cell, one, other):
            against.append((directions(board, cell, (one, other)), _against(board, cell, one, other)))
    if not against:
        return takes_all(board, cell, taken[0]), (cell,)
    key, join = ("corner_must_go", ListKind.AND) if needed else ("corner_can_t_go", ListKind.OR)
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
    if len(reasons) + any(reason.key == "ways_beside" for reason in reasons) > _MOST_REASONS:
        last = dict.fromkeys(named[-1] for _, (_, named) in against)
        all_reasons = phrase("others_fail", squares=squares(board.grid, last))
    ways = directions(board, cell, taken, join)
    cells = (cell, *(named for _, (_, some) in against for named in some))
    return phrase(key, square=square(board.grid, cell), ways=ways, reasons=all_reasons), cells


def _is_barred(board: BoardView, cell: Cell, one: Cell, other: Cell) -> bool:
    """Return whether a square's own edges prevent a line from going from ``one`` through it to ``other``."""
    if any(to not in (one, other) for to in board.joined(cell)):
        return True
    return board.is_closed(cell, one) or board.is_closed(cell, other)


def _against(board: BoardView, cell: Cell, one: Cell, other: Cell) -> Clause:
    """Say why a line can't go from ``one`` through a square to ``other``, although its edges allow it."""
    if one - cell != cell - other:
        along_diagonal = _against_bend(board, cell, one - cell, other - cell)
        if along_diagonal is not None:
            return along_diagonal
    if board.mate_of(one) == other:
        named = square(board.grid, one), square(board.grid, other)
        return phrase("ways_loop", square=named[0], other=named[1]), (one, other)
    numbers = board.number(one), board.number(other)
    if all(numbers) and numbers[0] != numbers[1]:
        return phrase("ways_join", number=numbers[0], other=numbers[1]), (one, other)
    touching = board.touching(one, other) or (one, other)
    return phrase("ways_beside", squares=squares(board.grid, touching)), touching


def _against_bend(board: BoardView, cell: Cell, one: int, other: int) -> Clause | None:
    """Say why a line can't bend at a square: some square further inside the bend can't bend the same way.

    A bend forces the square diagonally inside it to bend the same way, and so on along the diagonal.

    Args:
        one: the step along the bend's first way, as a difference of cell numbers.
        other: the step along its second way.
    Returns:
        The clause; None if there is no such square.
    """
    bent: list[Cell] = []
    outer = cell
    while True:
        beside, inner = outer + one, outer + one + other
        if beside not in board.grid.neighbours[outer] or inner not in board.grid.neighbours[beside]:
            return None
        named = square(board.grid, inner)
        ways = [inner + one, inner + other]
        others = [to for to in board.joined(inner) if to not in ways]
        if inner in board.puzzle.number_at:
            if not others:
                return None
            against = phrase("in_the_way", number=board.number(inner), square=named)
            return _after_bends(board, bent, against), (*bent, inner)
        bent.append(inner)
        if others:
            against = phrase("goes", square=named, way=_direction(board, inner, others[0]))
            return _after_bends(board, bent, against), tuple(bent)
        for step, to in zip((one, other), ways, strict=True):
            if to not in board.grid.neighbours[inner] or board.is_closed(inner, to):
                against = phrase("can_t_go", square=named, way=_direction(board, cell, cell + step))
                return _after_bends(board, bent, against), tuple(bent)
        outer = inner


def _after_bends(board: BoardView, bent: list[Cell], against: PhraseTree) -> PhraseTree:
    """Say that the squares inside a bend would have to bend too, and what prevents it.

    Args:
        bent: the squares that would have to bend.
        against: the clause that says what prevents it.
    """
    if not bent:
        return against
    if len(bent) == 1:
        return phrase("so_would_inside", squares=square(board.grid, bent[0]), but=against)
    return phrase("so_would_diagonal", squares=route(board.grid, (bent[0], bent[-1])), but=against)


class GapSides:
    """Parts ("sides") into which a gap divides a board, and the lines that must cross the gap.

    A gap is a few squares between two walls. Each side is identified by the smallest cell number in it. Each
    cell of the gap counts as a side of its own.
    """

    def __init__(self, puzzle: Puzzle, position: Position, cells: tuple[Cell, ...]) -> None:
        self.grid, self.cells = puzzle.grid, cells
        self.side_of: list[Cell] = position.gap_sides(list(cells))
        self.mates, self.needs_at = position.mates(), position.needs()
        # The open ends of the two lines of each pair that is not joined, by the pair's lower endpoint.
        self.line_ends = {
            pair.first: (self.mates[pair.first], self.mates[pair.second])
            for pair in sorted(puzzle.pairs, key=lambda pair: pair.first)
            if self.mates[pair.first] != pair.second
        }

    def cells_of(self, side: Cell) -> list[Cell]:
        return [cell for cell in range(self.grid.size) if self.side_of[cell] == side]

    def busiest(self) -> Cell:
        """Return the side of the gap that the most lines have to leave."""
        sides = sorted({self.side_of[cell] for cell in range(self.grid.size) if cell not in self.cells})
        return max(sides, key=lambda side: len(self.apart(side)) - self.carried(side))

    def apart(self, side: Cell) -> tuple[Cell, ...]:
        """Return the pairs with one line that ends on a given side of the gap and one that ends elsewhere.

        Each pair is given by its endpoint with the smaller cell number.
        """
        return tuple(
            first
            for first, ends in self.line_ends.items()
            if sum(self.side_of[end] == side for end in ends) == 1
        )

    def carried(self, side: Cell) -> int:
        """Count the drawn lines without a number that lead from this side of the gap to elsewhere."""
        ends_of_pairs = {end for ends in self.line_ends.values() for end in ends}
        ends = [cell for cell in self.cells_of(side) if self.needs_at[cell] and cell not in ends_of_pairs]
        return sum(1 for end in ends if self.side_of[self.mates[end]] != side)

    def needs(self, side: Cell) -> tuple[int, int]:
        """Count how many more drawn edges the dark and the light squares on one side of the gap need.

        Squares are coloured like a chessboard, with A1 dark.
        """
        needs = [0, 0]
        for cell in self.cells_of(side):
            needs[sum(self.grid.position(cell)) % 2] += self.needs_at[cell]
        return needs[0], needs[1]


def gap_clause(puzzle: Puzzle, position: Position, deduction: Deduction) -> Clause:
    """Say which lines must cross a gap between walls, how much room it has, and what follows for an edge."""
    grid = puzzle.grid
    ends = edge_at(grid.cols, deduction.where)
    gap, step = GapSides(puzzle, position, _gap_cells(grid.cols, deduction.cause)), route(grid, ends)
    if deduction.reason == Reason.WITHIN_GAP:
        return phrase("no_room", passing=_passing(puzzle, gap, gap.busiest()), step=step), gap.cells
    outside = next(cell for cell in ends if cell not in gap.cells)
    side = gap.side_of[outside]
    needed, has_room = deduction.kind == EdgeState.DRAWN, len(gap.apart(side)) <= gap.carried(side)
    sentence: PhraseTree
    if deduction.reason == Reason.OTHERS_CROSS:
        sentence = phrase("others_cross", passing=_passing(puzzle, gap, side), step=step)
    elif deduction.reason == Reason.BY_TILT:
        conclusion = phrase("is_needed" if needed else "can_t_be_drawn", step=step)
        reasons: list[PhraseTree] = [_colour_count(gap, outside)]
        if not has_room:
            passing = phrase("on_chessboard", corner=square(grid, 0), passing=_surplus(*gap.needs(side)))
            reasons = [_passing(puzzle, gap, side, briefly=True), passing]
        sentence = list_of(ListKind.REASONS, [*reasons, conclusion])
    elif not needed:
        sentence = phrase("gap_full", passing=_passing(puzzle, gap, gap.busiest()), step=step)
    elif has_room:
        beyond = square(grid, outside)
        sentence = phrase("filled_from_outside", gap=_gap_name(gap), square=beyond, step=step)
    else:
        sentence = phrase("none_to_spare", passing=_passing(puzzle, gap, side), step=step)
    return sentence, tuple(sorted({*gap.cells, *ends}))


def _colour_count(gap: GapSides, outside: Cell) -> FilledPhrase:
    """Say how many more edges the dark and the light squares on one side of a gap need."""
    dark, light = gap.needs(gap.side_of[outside])
    return phrase(
        "coloured",
        corner=square(gap.grid, 0),
        gap=_gap_name(gap),
        square=square(gap.grid, outside),
        dark=dark,
        light=light,
        passing=_surplus(dark, light),
    )


def _surplus(dark: int, light: int) -> FilledPhrase:
    """Say whether more lines cross a gap at dark or at light squares, and how many more."""
    if dark == light:
        return phrase("as_many_pass")
    return phrase("more_dark" if dark > light else "more_light", number=abs(dark - light))


def _passing(puzzle: Puzzle, gap: GapSides, side: Cell, briefly: bool = False) -> FilledPhrase:
    """Say which lines must cross a gap from one side."""
    apart, carried = gap.apart(side), gap.carried(side)
    numbers = sorted(puzzle.number_at[first] for first in apart)
    name = _gap_name(gap)
    if len(apart) <= carried:
        return phrase("in_and_out", gap=name)
    if not carried and len(numbers) <= _MOST_PAIRS:
        pairs = list_of(ListKind.AND, (phrase("pair", number=number) for number in numbers))
        return phrase("pairs_pass", pairs=pairs, gap=name)
    parts: dict[str, PhraseTree] = {"numbers": list_of(ListKind.AND, numbers), "gap": name}
    if not carried:
        return phrase("all_pass", **parts)
    parts["least"] = len(apart) - carried
    if briefly or len(numbers) > _MOST_PAIRS:
        return phrase("least_pass", **parts)
    if carried == 1:
        return phrase("pairs_apart_one", **parts)
    return phrase("pairs_apart", carried=carried, **parts)


def _gap_name(gap: GapSides) -> PhraseTree:
    if len(gap.cells) <= _MOST_GAP_SQUARES:
        return squares(gap.grid, gap.cells, ListKind.COMMA)
    first, second, *_, last = (square(gap.grid, cell) for cell in gap.cells)
    return list_of(ListKind.COMMA, (first, second, LEFT_OUT, last))


def _gap_cells(cols: int, code: int) -> tuple[Cell, ...]:
    """Return the cells of a gap, given the integer code by which the kernels refer to the gap.

    The module ``kernels.ladder.gaps`` describes the code.
    """
    rows, columns = (-1, -1, 0, 1, 1, 1, 0, -1), (0, 1, 1, 1, 0, -1, -1, -1)
    cell, ways = divmod(abs(code), 100)
    way, last = divmod(ways, 10)
    if code < 0:
        step = rows[way - 1] * cols + columns[way - 1]
        return tuple(cell + step * place for place in range(last))
    beside = [rows[way - 1] * cols + columns[way - 1] for way in (way, last) if way]
    return tuple(sorted((cell, *(cell + step for step in beside))))


class ChainLink(NamedTuple):
    """Link of a chain as a picture shows it: the supposition, or a finding that follows from it.

    Args:
        mark: the link's number in the chain: 1, 2, 3. If an inner chain leads to link 3, the links of the
            inner chain have the marks 3a, 3b.
        cells: the two squares of an edge in the direction of the line, or the one square that gets a number.
        number: the printed number that a square gets; 0 for a drawn edge, -1 for a closed one.
    """

    mark: str
    cells: tuple[Cell, ...]
    number: int

    def text(self, grid: Grid) -> str:
        """Return the link in symbols: 2 E2–E3 (drawn edge), 2 E2×E3 (closed edge) or 2 E4=7 (number)."""
        names = [square(grid, cell).name for cell in self.cells]
        if self.number > 0:
            return f"{self.mark} {names[0]}={self.number}"
        return f"{self.mark} {('×' if self.number else '–').join(names)}"


@dataclass
class LineRun:
    """Stretch of a line that one sentence can follow, because each square on it has only one way out.

    Args:
        begin: the phrase that names the line at its first square.
        way: the squares along the line.
        technique: the hardest technique that is needed to follow the line.
        remarks: for some squares of the line, the reasons why it does not go another way there.
        cells: the squares that the sentence names.
        drawn: the edges along the line.
        ruled_out: the edges that are ruled out on the way.
    """

    begin: PhraseTree
    way: list[Cell]
    technique: Technique = EASIEST
    remarks: list[tuple[Cell, list[PhraseTree]]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    drawn: list[Edge] = field(default_factory=list)
    ruled_out: list[Edge] = field(default_factory=list)

    def goes_on(self, cell: Cell, closed: int) -> bool:
        """Return whether the sentence about this line has room for a step onward from a square.

        Args:
            closed: how many remarks the step adds.
        """
        count = sum(len(against) for _, against in self.remarks)
        return cell == self.way[-1] and count < _MOST_REMARKS and count + closed <= _MOST_REMARKS

    def sentence(self, board: BoardView, one_step: str, many_steps: str) -> PhraseTree:
        """Return the sentence that follows the line, with its remarks.

        Args:
            one_step: the key of the phrase for a single step.
            many_steps: the key of the phrase for several steps of a line that has a number. The phrase for a
                line without a number has the same key with ``line_`` before it.
        """
        if len(self.way) == 2:
            whole = phrase(one_step, end=self.begin, way=_direction(board, *self.way))
            return with_remarks(whole, self.remarks[0][1] if self.remarks else [])
        number = dict(self.begin.parts).get("number") if isinstance(self.begin, FilledPhrase) else None
        way = route(board.grid, corners_of(self.way))
        if number:
            run = phrase(many_steps, number=number, route=way)
        else:
            run = phrase(f"line_{many_steps}", route=way)
        remarks: list[PhraseTree] = [
            phrase("at", square=square(board.grid, cell), remark=list_of(ListKind.REASONS, against))
            for cell, against in self.remarks
        ]
        return with_remarks(run, remarks)


class ChainExplainer:
    """Put a chain into words: what follows from a supposition, step by step up to a contradiction.

    It draws the findings of the chain on a copy of the board.

    Args:
        given: maps squares to their deduced numbers. It has only squares whose number was known before a line
            joined them to a printed number.
    Attributes:
        shown: the links of the chain for a picture. The method ``clause`` fills this list.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        self.puzzle, self.position, self.given = puzzle, position.copy(), dict(given)
        self.board = BoardView(puzzle, self.position, self.given)
        # The first contradiction in the order of the sentences. It may come before the contradiction at the
        # end of the chain, because the search for the chain uses another order.
        self.early_end: ChainEnd | None = None
        self.shown: list[ChainLink] = []
        self.count = 0

    def clause(self, chain: Chain) -> Clause:
        """State the supposition, the contradiction and, if there is room, the steps between them."""
        supposed = _supposition(self.board, chain.supposed[1], chain.supposed[0])
        self._show(as_deduction(chain.supposed))
        self._write([as_deduction(chain.supposed)])
        near = frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1]))
        clauses = list(self._links(chain, near))
        links = [link for link, _ in clauses]
        end = self.early_end or chain.end
        ends = end_clause(self.board, end)
        if not links:
            return phrase("if_at_once", supposed=supposed, contradiction=ends), end.cells
        links[0] = _without_repeated_name(supposed, links[0])
        if isinstance(ends, FilledPhrase) and ends.key == "both_cross":
            ends = phrase("must_cross", number=dict(ends.parts)["number"])
        if weight_of(supposed, *links, ends) <= _MOST_CHAIN_WEIGHT:
            follows = list_of(ListKind.THEN, links)
            cells = (*(cell for _, named in clauses for cell in named), *end.cells)
            return phrase("if_then", supposed=supposed, links=follows, contradiction=ends), cells
        if weight_of(supposed, links[0], ends) <= _MOST_CHAIN_WEIGHT:
            sentence = phrase("if_at_last", supposed=supposed, links=links[0], contradiction=ends)
            return sentence, (*clauses[0][1], *end.cells)
        return phrase("if_in_the_end", supposed=supposed, contradiction=ends), end.cells

    def _links(self, chain: Chain, near: frozenset[Cell]) -> Iterator[Clause]:
        """Explain the links of a chain one by one, up to the first contradiction."""
        run: LineRun | None = None
        for group, closed in in_reading_order(chain.links, self.puzzle.grid.cols, near):
            board, cell = self.board, group.cause
            if self.early_end:
                break
            ways = board.exits_of(cell, group.deductions) if group.reason == Reason.ALL_EXITS else []
            if len(ways) == 1 and board.need_of(cell) == 1:
                _, named = ways_not_taken(board, cell, closed)
                if run is None or run.way[-1] != cell:
                    if run:
                        yield self._run_clause(run)
                    run = LineRun(subject(board, cell), [cell])
                run.way.append(ways[0])
                run.cells += [cell, *named]
            elif not all(board.settles(deduction) for deduction in group.deductions):
                if run:
                    yield self._run_clause(run)
                    run = None
                yield self._link(group, closed)
            for deduction in group.deductions:
                self._show(deduction)
            self._write([deduction for part in (*closed, group) for deduction in part.deductions])
        if run:
            yield self._run_clause(run)

    def _run_clause(self, run: LineRun) -> Clause:
        return run.sentence(self.board, "must_go", "must_run"), tuple(run.cells)

    def _link(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        inner = group.findings[0].chain
        if inner is not None:
            explainer = ChainExplainer(self.puzzle, self.position, self.given)
            explainer.clause(inner)
            for place, link in enumerate(explainer.shown, 1):
                self.shown.append(link._replace(mark=f"{self.count + 1}{column_name(place).lower()}"))
            return _must_or_can_t(self.board, group.deduction), ()
        is_gap = group.reason in GAP_REASONS
        if is_gap and group.deduction in (find(self.position, group.technique) or []):
            return gap_clause(self.puzzle, self.position, group.deduction)
        return link_clause(self.board, group, closed)

    def _show(self, deduction: Deduction) -> None:
        if self.board.settles(deduction):
            return
        self.count += 1
        if deduction.kind == FindingKind.NUMBERED:
            number = self.board.printed(deduction.cause)
            self.shown.append(ChainLink(str(self.count), (deduction.where,), number))
            return
        a, b = edge_at(self.puzzle.grid.cols, deduction.where)
        last = self.shown[-1].cells[-1:] if self.shown else ()
        line_ends = [cell for cell in (a, b) if self.board.need_of(cell) == 1]
        if b in last or (a not in last and line_ends == [b]):
            a, b = b, a
        number = 0 if deduction.kind == EdgeState.DRAWN else -1
        self.shown.append(ChainLink(str(self.count), (a, b), number))

    def _write(self, findings: Sequence[Deduction]) -> None:
        for deduction in findings:
            if self.early_end is None and not write(self.position, [deduction]):
                self.early_end = self._contradiction(deduction)
            elif deduction.kind == FindingKind.NUMBERED:
                self.given[deduction.where] = deduction.cause
        if self.early_end is None:
            self.board = BoardView(self.puzzle, self.position, dict(self.given))

    def _contradiction(self, deduction: Deduction) -> ChainEnd:
        if deduction.kind == FindingKind.NUMBERED:
            return number_contradiction(self.board, deduction.where, deduction.cause)
        board = BoardView(self.puzzle, self.position, dict(self.given))
        return edge_contradiction(board, self.position.contradiction()[1], deduction[:2])


def _supposition(board: BoardView, place: int, state: int) -> FilledPhrase:
    """State a supposition: a line runs along an edge, or no line does."""
    a, b = edge_at(board.grid.cols, place)
    drawn = state == EdgeState.DRAWN
    for cell, to in ((a, b), (b, a)):
        if board.need_of(cell) == 1:
            key = "if_goes" if drawn else "if_does_not_go"
            return phrase(key, end=subject(board, cell), way=_direction(board, cell, to))
    return phrase("if_line_runs" if drawn else "if_no_line_runs", step=route(board.grid, (a, b)))


def _without_repeated_name(supposed: FilledPhrase, link: PhraseTree) -> PhraseTree:
    """Say "it" in the first link of a chain if the supposition has just named the same line."""
    if supposed.key != "if_does_not_go" or not isinstance(link, FilledPhrase):
        return link
    parts = dict(link.parts)
    if link.key == "must_go" and parts["end"] == dict(supposed.parts)["end"]:
        return phrase("it_must_go", way=parts["way"])
    return link


def link_clause(board: BoardView, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
    """State a finding briefly, as one link of a chain."""
    _, where, reason, cause = group.deduction
    if reason in _NUMBERING:
        named = square(board.grid, where)
        return phrase(_NUMBERING[reason], number=board.printed(cause), square=named), (where,)
    a, b = edge_at(board.grid.cols, where)
    if group.is_remark:
        why, cells = why_closed(board, group)
        return phrase("closed", step=route(board.grid, (a, b)), why=why), (a, b, *cells)
    if reason == Reason.ALL_EXITS:
        ways = board.exits_of(cause, group.deductions)
        _, cells = ways_not_taken(board, cause, closed)
        if board.need_of(cause) == 1:
            must = phrase("must_go", end=subject(board, cause), way=_direction(board, cause, ways[0]))
        else:
            must = phrase("must_join", square=square(board.grid, cause), squares=squares(board.grid, ways))
        return must, (cause, *cells)
    if reason == Reason.FORK:
        sentence, cells = fork_clause(board, group.deduction)
        if isinstance(sentence, FilledPhrase) and sentence.key.startswith("fork"):
            parts = dict(sentence.parts)
            sentence = phrase("goes", square=parts["square"], way=parts["way"])
        return sentence, cells
    if reason == Reason.SIDE_BY_SIDE:
        return phrase("must_be_joined", squares=squares(board.grid, (a, b)), number=board.number(a)), (a, b)
    return _must_or_can_t(board, group.deduction), (a, b)


def _must_or_can_t(board: BoardView, deduction: Deduction) -> FilledPhrase:
    key = "a_line_must_run" if deduction.kind == EdgeState.DRAWN else "no_line_can_run"
    return phrase(key, step=route(board.grid, edge_at(board.grid.cols, deduction.where)))


def end_clause(board: BoardView, end: ChainEnd) -> PhraseTree:
    """State the contradiction at the end of a chain."""
    named, numbers = squares(board.grid, end.cells), [number for number in end.numbers if number]
    match end.phrase:
        case "no_way_out":
            (cell,) = end.cells
            if cell in board.puzzle.number_at:
                return phrase("no_way_out", end=subject(board, cell))
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
            one, other = (square(board.grid, cell) for cell in end.cells)
            return phrase("must_and_can_t", square=one, other=other)
        case "two_numbers":
            return phrase("two_numbers", square=named, number=numbers[0], other=numbers[-1])
        case "no_number_reaches" | "can_t_fill":
            return phrase(end.phrase, square=named)
        case "square_left":
            return phrase("square_left")
        case "must_cross":
            return _crossing_clause(board, numbers[0])
    return phrase(end.phrase, number=numbers[0])


def _crossing_clause(board: BoardView, number: int) -> PhraseTree:
    met = board.crossing(number)
    if not met:
        return phrase("must_cross", number=number)
    one, other = (board.number(cell) for cell in met[:2])
    return phrase("both_cross", number=one, other=other, ends=squares(board.grid, met))
