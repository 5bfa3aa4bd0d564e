"""The steps of a climb, one sentence each, with the lines that it draws and the squares that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkpress.engine.explain.board_view import BoardView, Fact
from linkpress.engine.explain.corner_clauses import tell_corner
from linkpress.engine.explain.explained_findings import Chain, ExplainedFinding, deductions
from linkpress.engine.explain.finding_clauses import (
    Clause,
    corners_of,
    direction,
    directions,
    end,
    fault_said,
    fork,
    fork_closed,
    remarked,
    simple_clause,
    supposition,
    ways_not_taken,
    why_closed,
)
from linkpress.engine.explain.gap_clauses import GAP_REASONS, GapTeller
from linkpress.engine.explain.minimal_explanation import MinimalExplanation
from linkpress.engine.explain.reasons import Fault, fault_at_edge, fault_of_number
from linkpress.engine.explain.saying import (
    ListKind,
    Part,
    Saying,
    listed,
    route,
    saying,
    square,
    squares,
)
from linkpress.engine.explain.sequence import FindingGroup, in_order
from linkpress.engine.explain.wall_order import between
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.solve.ladder import (
    LADDER,
    Climb,
    edge_at,
    place_of,
)
from linkpress.puzzle.grid import Cell, Edge, edge
from linkpress.puzzle.puzzle import Puzzle

# Findings about a square's ways, with how many it can have left when the finding is told.
_WAYS: Mapping[int, int] = {Reason.FORK: 2, Reason.EVERY_WAY_USES: 1}
_ONWARD = (Reason.ALL_EXITS, *_WAYS)
_NAMES: Mapping[int, str] = {technique.rung: technique.name for technique in LADDER}


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence of a solve.

    Args:
        rung: of its hardest technique; 0 for a mistake in a drawing.
        technique: that technique's name, or ``mistake``.
        cells: the squares that it names.
        drawn: edges that every filling has.
        ruled_out: edges that no filling has.
        said: the sentence; ``words.steps`` puts it into words.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    said: Part


def tell_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """What a climb did, as a person would tell it: only what the lines rest on, one place after the other.

    Args:
        puzzle: any board.
        climb: what the ladder made of it.
    """
    return _Teller(puzzle, climb.start).tell(MinimalExplanation(puzzle, climb).needed())


def tell_line(puzzle: Puzzle, climb: Climb) -> tuple[Step, ...]:
    """The steps that lead to the first lines drawn, and no other; none where the climb draws none.

    Args:
        puzzle: any board.
        climb: what the ladder made of it.
    """
    retelling = MinimalExplanation(puzzle, climb)
    for step in _Teller(puzzle, climb.start).tell(retelling.needed()):
        if step.drawn:
            wanted = {(int(FindingKind.DRAWN), place_of(one)) for one in step.drawn}
            return tuple(_Teller(puzzle, climb.start).tell(retelling.resting(wanted)))
    return ()


@dataclass
class _Run:
    """A line that is followed square by square.

    Args:
        begin: how the line was named where it begins.
        way: its squares.
        remarks: for each of its squares, what was said of ways that it has not.
    """

    begin: Part
    way: list[Cell]
    rung: int = 1
    remarks: list[tuple[Cell, list[Part]]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    drawn: list[Edge] = field(default_factory=list)
    ruled_out: list[Edge] = field(default_factory=list)

    def said(self, known: BoardView, key: str) -> Part:
        """The way with its remarks; ``key`` is of a line with a number, ``line_…`` of one without."""
        number = dict(self.begin.parts).get("number") if isinstance(self.begin, Saying) else None
        way = route(known.grid, corners_of(self.way))
        told = saying(key, number=number, route=way) if number else saying(f"line_{key}", route=way)
        at = (
            saying("at", square=square(known.grid, cell), remark=listed(ListKind.REASONS, remarks))
            for cell, remarks in self.remarks
        )
        return remarked(told, list(at))

    def first_step(self, known: BoardView, key: str) -> Part:
        """The way to the next square, with its remarks."""
        told = saying(key, end=self.begin, way=direction(known, *self.way))
        return remarked(told, self.remarks[0][1] if self.remarks else [])


class _Teller:
    """Tells findings one after the other, from the board as it stands then."""

    def __init__(self, puzzle: Puzzle, start: Position) -> None:
        self.puzzle, self.cols = puzzle, puzzle.grid.cols
        self.start, self.position = start, start.copy()
        self.given: dict[Cell, int] = {}
        self.known = BoardView(puzzle, self.position, {})
        self.run: _Run | None = None

    def tell(self, entries: Sequence[ExplainedFinding]) -> Iterator[Step]:
        for unit, passing in in_order(entries, self.cols, frozenset()):
            closed = [one for one in passing if not self._is_plain(one)]
            if self._goes_on(unit):
                self._follow(unit, closed)
            elif not all(self.known.settles(one) for one in unit.findings):  # else another has said so by now
                if self.run:
                    yield self._run_step(self.run)
                    self.run = None
                if self._is_one_way(unit):
                    self.run = _Run(end(self.known, unit.cause), [unit.cause])
                    self._follow(unit, closed)
                else:
                    yield self._step(unit, closed)
            both = [(int(FindingKind.DRAWN), place_of(one)) for one in self._other_way(unit)]
            self._write([*(entry for one in passing for entry in one.entries), *unit.entries], both)
            if unit.reason == Reason.CUT_OFF:
                self._give(*unit.entries[0].finding)
        if self.run:
            yield self._run_step(self.run)

    def _goes_on(self, unit: FindingGroup) -> bool:
        if self.run is None or not self._is_one_way(unit) or unit.cause != self.run.way[-1]:
            return False
        return not all(self.known.settles(one) for one in unit.findings)

    def _is_one_way(self, unit: FindingGroup) -> bool:
        """Whether a line has one way out of a square, by what was told since the finding, if not before."""
        if unit.reason not in _ONWARD or self.known.need_of(unit.cause) != 1:
            return False
        return unit.reason == Reason.ALL_EXITS or len(self.known.exits(unit.cause)) <= _WAYS[unit.reason]

    def _follow(self, unit: FindingGroup, closed: Sequence[FindingGroup]) -> None:
        """Take a line one square on."""
        run, cell = self.run, unit.cause
        assert run is not None
        (to,) = self.known.exits_of(cell, unit.findings)
        remarks, cells = ways_not_taken(self.known, cell, closed)
        if unit.reason == Reason.FORK:
            remarks, cells = fork_closed(self.known, cell, to)
            run.ruled_out += [edge(cell, other) for other in self.known.exits(cell) if other != to]
        if remarks:
            run.remarks.append((cell, remarks))
        run.rung = max(run.rung, *(one.rung for one in (*closed, unit) if remarks), 1)
        run.way.append(to)
        run.cells += [cell, *cells]
        run.drawn.append(edge(cell, to))
        run.ruled_out += self._edges(entry for one in closed for entry in one.entries)

    def _run_step(self, run: _Run) -> Step:
        one_step = len(run.way) == 2
        said = run.first_step(self.known, "one_way_out") if one_step else run.said(self.known, "runs")
        line = self.known.line(run.way[-1])
        ends = [cell for cell in line if cell in self.puzzle.number_at]
        if len(ends) == 2:
            said = saying("joined", said=said, number=self.puzzle.number_at[ends[0]])
        return self._made(run.rung, tuple(run.cells), run.drawn, run.ruled_out, said)

    def _step(self, unit: FindingGroup, closed: Sequence[FindingGroup]) -> Step:
        said, cells = self._said(unit, closed)
        edges = list(dict.fromkeys([*self._edges(unit.entries), *self._other_way(unit)]))
        drawn = edges if unit.entries[0].finding.kind == FindingKind.DRAWN else []
        ruled_out = edges if unit.entries[0].finding.kind == FindingKind.RULED_OUT else []
        ruled_out = [*self._edges(entry for one in closed for entry in one.entries), *ruled_out]
        rung = max(unit.rung, *(one.rung for one in closed), 1)
        return self._made(rung, cells, drawn, ruled_out, said)

    def _other_way(self, unit: FindingGroup) -> list[Edge]:
        """The ways of a square that takes both that it has, told of one of them."""
        cell = unit.cause
        if unit.reason not in _WAYS or self.known.need_of(cell) != 2 or len(self.known.exits(cell)) != 2:
            return []
        return [edge(cell, to) for to in self.known.exits(cell)]

    def _made(
        self, rung: int, cells: Sequence[Cell], drawn: Sequence[Edge], ruled_out: Sequence[Edge], said: Part
    ) -> Step:
        return Step(rung, _NAMES[rung], tuple(dict.fromkeys(cells)), tuple(drawn), tuple(ruled_out), said)

    def _edges(self, entries: Iterable[ExplainedFinding]) -> list[Edge]:
        kinds = (FindingKind.DRAWN, FindingKind.RULED_OUT)
        return [edge_at(self.cols, one.finding.where) for one in entries if one.finding.kind in kinds]

    def _write(self, entries: Sequence[ExplainedFinding], more: Sequence[Fact] = ()) -> None:
        self.position.apply([word for one in entries for word in (*one.fact, 0, one.number)])
        self.position.apply([word for fact in more for word in (*fact, 0, 0)])
        self.given.update({one.finding.where: one.number for one in entries if one.number})
        self.known = BoardView(self.puzzle, self.position, dict(self.given))

    def _give(self, _kind: int, where: int, _reason: int, number: int) -> None:
        """Write the number of an edge that a pair can't do without: that it is the pair's is plain."""
        cell = edge_at(self.cols, where)[0]
        if not self.known.pair_of(cell):
            self.position.apply([int(FindingKind.NUMBERED), cell, 0, number])
            self.given[cell] = number
            self.known = BoardView(self.puzzle, self.position, dict(self.given))

    def _said(self, unit: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        known, (kind, where, reason, cause) = self.known, unit.entries[0].finding
        if reason in (Reason.NO_WAY_USES, Reason.EVERY_WAY_USES):
            return tell_corner(known, unit)
        if reason in GAP_REASONS:
            return GapTeller(self.puzzle, self._seen_from(unit.entries[0])).tell(unit.entries[0].finding)
        if reason == Reason.REFUTED:
            return self._refuted(unit.entries[0], closed)
        if reason == Reason.FORK:
            return fork(known, unit.entries[0].finding)
        if kind == FindingKind.NUMBERED:
            return _numbered(known, unit)
        a, b = edge_at(self.cols, where)
        if unit.in_passing:
            why, cells = why_closed(known, unit)
            return saying("no_line_since", step=route(known.grid, (a, b)), why=why), (a, b, *cells)
        if reason == Reason.ALL_EXITS:
            exits = known.exits_of(cause, unit.findings)
            remarks, cells = ways_not_taken(known, cause, closed)
            key = "takes_both" if len(exits) > 1 else "takes_one_of_both"  # the other is told in another step
            ways = directions(known, cause, exits)
            return remarked(saying(key, square=square(known.grid, cause), ways=ways), remarks), (
                cause,
                *cells,
            )
        if reason == Reason.SIDE_BY_SIDE:
            both = squares(known.grid, (a, b))
            return saying("side_by_side", squares=both, number=known.number(a)), (a, b)
        return _reaching(known, unit)

    def _seen_from(self, entry: ExplainedFinding) -> Position:
        """The board as it stands; but where more lines hide what a gap says, what it rests on alone."""
        found = self.position.find_on_rung(entry.rung) or []
        if entry.finding in deductions(found):
            return self.position
        position = self.start.copy()
        words = ((*fact, 0, self.given.get(fact[1], 0)) for fact in sorted(entry.premises))
        position.apply([word for four in words for word in four])
        return position

    def _refuted(self, entry: ExplainedFinding, closed: Sequence[FindingGroup]) -> Clause:
        chain = entry.chain
        assert chain is not None
        before = [_closed_before(self.known, one) for one in closed]
        self._write([one for unit in closed for one in unit.entries])
        told, cells = ChainTeller(self.puzzle, self.position, self.given).tell(chain)
        both = edge_at(self.cols, entry.finding.where)
        key = "so_line_runs" if entry.finding.kind == EdgeState.DRAWN else "so_no_line_runs"
        reasons = listed(ListKind.REASONS, [*(one for one, _ in before), told])
        named = (cell for _, some in before for cell in some)
        return saying(key, said=reasons, step=route(self.known.grid, both)), (*both, *cells, *named)

    def _is_plain(self, unit: FindingGroup) -> bool:
        """Whether a way is closed by what anybody can see."""
        return self.known.is_closed(*edge_at(self.cols, unit.entries[0].finding.where))


def _closed_before(known: BoardView, unit: FindingGroup) -> Clause:
    both = edge_at(known.grid.cols, unit.entries[0].finding.where)
    why, cells = why_closed(known, unit)
    return saying("closed", step=route(known.grid, both), why=why), (*both, *cells)


def _numbered(known: BoardView, unit: FindingGroup) -> Clause:
    """A square that is on a number's path."""
    _, cell, reason, cause = unit.entries[0].finding
    number, here = known.plain(cause), square(known.grid, cell)
    named = _squares_of(known, number)
    if reason == Reason.MUST_PASS:
        said = _in_the_way(known, unit, number, saying("every_path", number=number, square=here))
    elif reason == Reason.ONLY_ONE_REACHES:
        said = _in_the_way(known, unit, number, saying("only_between", number=number, square=here))
    else:
        found = between(known, cell, number)
        said = saying("only_reaches", number=number, square=here)
        if found is not None:
            named = found
            first, *two = found
            said = saying(
                "lies_between",
                square=square(known.grid, first),
                squares=squares(known.grid, two),
                number=number,
            )
    return saying("so_belongs", said=said, square=here, number=number), (cell, *named)


def _reaching(known: BoardView, unit: FindingGroup) -> Clause:
    """An edge that a number needs, or that no path can use."""
    _, where, reason, cause = unit.entries[0].finding
    a, b = edge_at(known.grid.cols, where)
    step = route(known.grid, (a, b))
    if reason != Reason.CUT_OFF:
        return _in_the_way(known, unit, 0, saying("joins_no_pair", step=step)), (a, b)
    number = known.plain(cause)
    walls, parts = _walls(known, unit, number), {"step": step, "number": number}
    said = saying("cut_off", **parts)
    if len(walls) == 1:
        said = saying("cut_off_by_line", **parts, other=walls[0])
    elif walls:
        said = saying("cut_off_by_lines", **parts, numbers=_of_numbers(walls))
    return said, (a, b, *_squares_of(known, number))


def _in_the_way(known: BoardView, unit: FindingGroup, own: int, said: Saying) -> Saying:
    """What is said, with whose lines leave no other way."""
    walls = _walls(known, unit, own)
    if not walls:
        return said
    if len(walls) == 1:
        return saying("with_line_in_the_way", number=walls[0], said=said)
    return saying("with_lines_in_the_way", numbers=_of_numbers(walls), said=said)


def _walls(known: BoardView, unit: FindingGroup, own: int) -> list[int]:
    """Whose lines leave no other way."""
    drawn = [where for kind, where in unit.premises if kind == FindingKind.DRAWN]
    return sorted({known.number(edge_at(known.grid.cols, where)[0]) for where in drawn} - {0, own})


def _of_numbers(numbers: Sequence[int]) -> Part:
    return listed(ListKind.AND, (saying("of_number", number=number) for number in numbers))


def _squares_of(known: BoardView, number: int) -> tuple[Cell, ...]:
    return tuple(cell for cell, here in known.puzzle.number_at.items() if here == number)


class ChainTeller:
    """Tells what follows from a supposition, on a board of its own.

    Args:
        puzzle: the board.
        position: what is known; left as it is.
        given: squares with a number that was found without a line.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        self.puzzle, self.position, self.given = puzzle, position.copy(), dict(given)
        self.known = BoardView(puzzle, self.position, self.given)
        self.fault: Fault | None = None  # where the board contradicts itself before the chain is told

    def tell(self, chain: Chain) -> Clause:
        """The supposition, the links and the contradiction, and the squares that are named."""
        supposed = supposition(self.known, chain.supposed[1], chain.supposed[0])
        self._write([chain.supposed], {})
        near = frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1]))
        links: list[Part] = []
        cells: list[Cell] = []
        for clause, named in self._links(chain, near):
            links.append(_it_must_go(supposed, clause) if not links else clause)
            cells += named
        fault = self.fault or chain.fault
        cells += fault.cells
        ends = fault_said(self.known, fault)
        if not links:
            return saying("if_at_once", supposed=supposed, fault=ends), tuple(cells)
        return saying("if_then", supposed=supposed, links=listed(ListKind.THEN, links), fault=ends), tuple(
            cells
        )

    def _links(self, chain: Chain, near: frozenset[Cell]) -> Iterator[Clause]:
        """The links up to the contradiction, which can come sooner than on the board that it was found on."""
        run: _Run | None = None
        for unit, closed in in_order(chain.links, self.puzzle.grid.cols, near):
            known, cell = self.known, unit.cause
            if self.fault:
                break
            ways = known.exits_of(cell, unit.findings) if unit.reason == Reason.ALL_EXITS else []
            if len(ways) == 1 and known.need_of(cell) == 1:
                remarks, named = ways_not_taken(known, cell, closed, brief=True)
                if run is None or run.way[-1] != cell:
                    if run:
                        yield self._run_clause(run)
                    run = _Run(end(known, cell), [cell])
                run.way.append(ways[0])
                run.cells += [cell, *named]
                if remarks:
                    run.remarks.append((cell, remarks))
            elif not all(known.settles(one) for one in unit.findings):
                if run:
                    yield self._run_clause(run)
                    run = None
                yield self._clause(unit, closed)
            entries = [*(entry for one in closed for entry in one.entries), *unit.entries]
            self._write([one.fact for one in entries], {one.fact: one.number for one in entries})
        if run:
            yield self._run_clause(run)

    def _clause(self, unit: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        if unit.reason == Reason.REFUTED:
            entry = unit.entries[0]
            assert entry.chain is not None
            told, cells = ChainTeller(self.puzzle, self.position, self.given).tell(entry.chain)
            key = "a_line_must_run" if entry.finding.kind == EdgeState.DRAWN else "no_line_can_run"
            step = route(self.known.grid, edge_at(self.puzzle.grid.cols, entry.finding.where))
            return remarked(saying(key, step=step), [told]), cells
        found = self.position.find_on_rung(unit.rung) if unit.reason in GAP_REASONS else None
        if found and unit.findings[0] in deductions(found):
            return GapTeller(self.puzzle, self.position).tell(unit.findings[0])
        return simple_clause(self.known, unit, closed)

    def _run_clause(self, run: _Run) -> Clause:
        one_step = len(run.way) == 2
        said = run.first_step(self.known, "must_go") if one_step else run.said(self.known, "must_run")
        return said, tuple(run.cells)

    def _write(self, facts: Sequence[Fact], numbers: Mapping[Fact, int]) -> None:
        for fact in facts:
            if self.fault is None and not self.position.apply([*fact, 0, numbers.get(fact, 0)]):
                self.fault = self._fault(fact, numbers.get(fact, 0))
            elif numbers.get(fact):
                self.given[fact[1]] = numbers[fact]
        if self.fault is None:
            self.known = BoardView(self.puzzle, self.position, dict(self.given))

    def _fault(self, fact: Fact, number: int) -> Fault:
        if number:
            return fault_of_number(self.known, fact[1], number)
        known = BoardView(self.puzzle, self.position, dict(self.given))
        return fault_at_edge(known, self.position.contradiction()[1], fact)


def _it_must_go(supposed: Saying, link: Part) -> Part:
    """A chain's first link; where it is about the line that was supposed, without naming it again."""
    if supposed.key != "if_does_not_go" or not isinstance(link, Saying):
        return link
    parts = dict(link.parts)
    if link.key == "remarked":
        return saying("remarked", said=_it_must_go(supposed, parts["said"]), remarks=parts["remarks"])
    if link.key == "must_go" and parts["end"] == dict(supposed.parts)["end"]:
        return saying("it_must_go", way=parts["way"])
    return link
