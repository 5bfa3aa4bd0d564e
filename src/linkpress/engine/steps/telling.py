"""The steps of a climb in sentences, each with the lines that it draws and the squares that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import LADDER, Climb, edge_at, place_of
from linkpress.engine.steps.corner_words import tell_corner
from linkpress.engine.steps.entries import Chain, Entry, deductions
from linkpress.engine.steps.gap_words import GAP_REASONS, GapTeller
from linkpress.engine.steps.known import Fact, Known
from linkpress.engine.steps.reasons import Fault, fault_at_edge, fault_of_number
from linkpress.engine.steps.retelling import Retelling
from linkpress.engine.steps.sequence import Unit, in_order
from linkpress.engine.steps.walls import between
from linkpress.engine.steps.words import (
    Said,
    both_names,
    closed_ways,
    corners_of,
    direction,
    end,
    fault_text,
    fork,
    fork_closed,
    listed,
    named,
    simple_clause,
    supposition,
    why_closed,
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
        text: without a full stop, squares named ``r2c5`` from 1.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    text: str


def tell_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """What a climb did, as a person would tell it: only what the lines rest on, one place after the other.

    Args:
        puzzle: any board.
        climb: what the ladder made of it.
    """
    return _Teller(puzzle, climb.start).tell(Retelling(puzzle, climb).needed())


def tell_line(puzzle: Puzzle, climb: Climb) -> tuple[Step, ...]:
    """The steps that lead to the first lines drawn, and no other; none where the climb draws none.

    Args:
        puzzle: any board.
        climb: what the ladder made of it.
    """
    retelling = Retelling(puzzle, climb)
    for step in _Teller(puzzle, climb.start).tell(retelling.needed()):
        if step.drawn:
            wanted = {(int(FindingKind.DRAWN), place_of(one)) for one in step.drawn}
            return tuple(_Teller(puzzle, climb.start).tell(retelling.resting(wanted)))
    return ()


@dataclass
class _Run:
    """A line that is followed square by square.

    Args:
        said: how the line was named where it begins.
        way: its squares.
        brackets: what was said of ways that it has not.
    """

    said: str
    rung: int
    way: list[Cell]
    brackets: list[str]
    cells: list[Cell]
    drawn: list[Edge]
    ruled_out: list[Edge]


class _Teller:
    """Tells findings one after the other, from the board as it stands then."""

    def __init__(self, puzzle: Puzzle, start: Position) -> None:
        self.puzzle, self.cols = puzzle, puzzle.grid.cols
        self.start, self.position = start, start.copy()
        self.given: dict[Cell, int] = {}
        self.known = Known(puzzle, self.position, {})
        self.run: _Run | None = None

    def tell(self, entries: Sequence[Entry]) -> Iterator[Step]:
        for unit, passing in in_order(entries, self.cols, frozenset()):
            closed = [one for one in passing if not self._is_plain(one)]
            if self._goes_on(unit):
                self._follow(unit, closed)
            elif not all(self.known.settles(one) for one in unit.findings):  # else another has said so by now
                if self.run:
                    yield self._run_step(self.run)
                    self.run = None
                if self._is_one_way(unit):
                    said = end(self.known, unit.cause)
                    self.run = _Run(said, 1, [unit.cause], [], [], [], [])
                    self._follow(unit, closed)
                else:
                    yield self._step(unit, closed)
            both = [(int(FindingKind.DRAWN), place_of(one)) for one in self._other_way(unit)]
            self._write([*(entry for one in passing for entry in one.entries), *unit.entries], both)
            if unit.reason == Reason.CUT_OFF:
                self._give(*unit.entries[0].finding)
        if self.run:
            yield self._run_step(self.run)

    def _goes_on(self, unit: Unit) -> bool:
        if self.run is None or not self._is_one_way(unit) or unit.cause != self.run.way[-1]:
            return False
        return not all(self.known.settles(one) for one in unit.findings)

    def _is_one_way(self, unit: Unit) -> bool:
        """Whether a line has one way out of a square, by what was told since the finding, if not before."""
        if unit.reason not in _ONWARD or self.known.needs[unit.cause] != 1:
            return False
        return unit.reason == Reason.ALL_EXITS or len(self.known.exits(unit.cause)) <= _WAYS[unit.reason]

    def _follow(self, unit: Unit, closed: Sequence[Unit]) -> None:
        """Take a line one square on."""
        run, cell = self.run, unit.cause
        assert run is not None
        (to,) = self.known.exits_of(cell, unit.findings)
        brackets, cells = closed_ways(self.known, cell, closed)
        if unit.reason == Reason.FORK:
            brackets, cells = fork_closed(self.known, cell, to)
            run.ruled_out += [edge(cell, other) for other in self.known.exits(cell) if other != to]
        if brackets:
            run.brackets.append(f"at {self.known.grid.name(cell)} {brackets[2:-1]}")
        run.rung = max(run.rung, *(one.rung for one in (*closed, unit) if brackets), 1)
        run.way.append(to)
        run.cells += [cell, *cells]
        run.drawn.append(edge(cell, to))
        run.ruled_out += self._edges(entry for one in closed for entry in one.entries)

    def _run_step(self, run: _Run) -> Step:
        known, way = self.known, run.way
        joined = self._joining(way[-1])
        if len(way) == 2:
            why = run.brackets[0].split(" ", 2)[2] if run.brackets else ""
            brackets = f" ({why})" if why else ""
            text = f"{run.said} has one way out: {direction(known, *way)}{brackets}{joined}"
        else:
            brackets = f" ({'; '.join(run.brackets)})" if run.brackets else ""
            route = named(known, corners_of(way))
            text = f"{run.said.split(' at ')[0]} runs {route}, the only way out each time{brackets}{joined}"
        return self._made(run.rung, tuple(run.cells), run.drawn, run.ruled_out, text)

    def _joining(self, cell: Cell) -> str:
        """What a line has come to, where that finishes a pair."""
        line = self.known.line(cell)
        ends = [square for square in line if square in self.puzzle.number_at]
        return f", and the two {self.puzzle.number_at[ends[0]]}s are joined" if len(ends) == 2 else ""

    def _step(self, unit: Unit, closed: Sequence[Unit]) -> Step:
        text, cells = self._said(unit, closed)
        edges = list(dict.fromkeys([*self._edges(unit.entries), *self._other_way(unit)]))
        drawn = edges if unit.entries[0].finding.kind == FindingKind.DRAWN else []
        ruled_out = edges if unit.entries[0].finding.kind == FindingKind.RULED_OUT else []
        ruled_out = [*self._edges(entry for one in closed for entry in one.entries), *ruled_out]
        rung = max(unit.rung, *(one.rung for one in closed), 1)
        return self._made(rung, cells, drawn, ruled_out, text)

    def _other_way(self, unit: Unit) -> list[Edge]:
        """The ways of a square that takes both that it has, told of one of them."""
        cell = unit.cause
        if unit.reason not in _WAYS or self.known.needs[cell] != 2 or len(self.known.exits(cell)) != 2:
            return []
        return [edge(cell, to) for to in self.known.exits(cell)]

    def _made(
        self, rung: int, cells: Sequence[Cell], drawn: Sequence[Edge], ruled_out: Sequence[Edge], text: str
    ) -> Step:
        return Step(rung, _NAMES[rung], tuple(dict.fromkeys(cells)), tuple(drawn), tuple(ruled_out), text)

    def _edges(self, entries: Iterable[Entry]) -> list[Edge]:
        kinds = (FindingKind.DRAWN, FindingKind.RULED_OUT)
        return [edge_at(self.cols, one.finding.where) for one in entries if one.finding.kind in kinds]

    def _write(self, entries: Sequence[Entry], more: Sequence[Fact] = ()) -> None:
        self.position.apply([word for one in entries for word in (*one.fact, 0, one.number)])
        self.position.apply([word for fact in more for word in (*fact, 0, 0)])
        self.given.update({one.finding.where: one.number for one in entries if one.number})
        self.known = Known(self.puzzle, self.position, dict(self.given))

    def _give(self, _kind: int, where: int, _reason: int, number: int) -> None:
        """Write the number of an edge that a pair can't do without: that it is the pair's is plain."""
        cell = edge_at(self.cols, where)[0]
        if not self.known.numbers[cell]:
            self.position.apply([int(FindingKind.NUMBERED), cell, 0, number])
            self.given[cell] = number
            self.known = Known(self.puzzle, self.position, dict(self.given))

    def _said(self, unit: Unit, closed: Sequence[Unit]) -> Said:
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
        step = named(known, (a, b))
        if unit.in_passing:
            why, cells = why_closed(known, unit)
            return f"no line can run {step}, {why}", (a, b, *cells)
        if reason == Reason.ALL_EXITS:
            exits = known.exits_of(cause, unit.findings)
            ways = listed([direction(known, cause, to) for to in exits])
            brackets, cells = closed_ways(known, cause, closed)
            both = ":" if len(exits) > 1 else ", one of them"  # the other line is told in another step
            return f"{end(known, cause)} has two ways out and takes both{both} {ways}{brackets}", (
                cause,
                *cells,
            )
        if reason == Reason.SIDE_BY_SIDE:
            both, number = both_names(known, (a, b)), known.number(a)
            return f"{both} both belong to the {number} and stand side by side, so they are joined", (a, b)
        return _reaching(known, unit)

    def _seen_from(self, entry: Entry) -> Position:
        """The board as it stands; but where more lines hide what a gap says, what it rests on alone."""
        found = self.position.find_on_rung(entry.rung) or []
        if entry.finding in deductions(found):
            return self.position
        position = self.start.copy()
        words = ((*fact, 0, self.given.get(fact[1], 0)) for fact in sorted(entry.premises))
        position.apply([word for four in words for word in four])
        return position

    def _refuted(self, entry: Entry, closed: Sequence[Unit]) -> Said:
        chain = entry.chain
        assert chain is not None
        said = [self._closed_before(one) for one in closed]
        self._write([one for unit in closed for one in unit.entries])
        text, cells = ChainTeller(self.puzzle, self.position, self.given).tell(chain)
        a, b = edge_at(self.cols, entry.finding.where)
        runs = "a line runs" if entry.finding.kind == EdgeState.DRAWN else "no line runs"
        before = "".join(f"{one}; " for one, _ in said)
        squares = (cell for _, some in said for cell in some)
        return f"{before}{text}; so {runs} {named(self.known, (a, b))}", (a, b, *cells, *squares)

    def _is_plain(self, unit: Unit) -> bool:
        """Whether a way is closed by what anybody can see."""
        return self.known.is_closed(*edge_at(self.cols, unit.entries[0].finding.where))

    def _closed_before(self, unit: Unit) -> Said:
        a, b = edge_at(self.cols, unit.entries[0].finding.where)
        why, cells = why_closed(self.known, unit)
        return f"{named(self.known, (a, b))} is closed, {why}", (a, b, *cells)


def _numbered(known: Known, unit: Unit) -> Said:
    """A square that is on a number's path."""
    _, cell, reason, cause = unit.entries[0].finding
    number, name = known.plain(cause), known.grid.name(cell)
    if reason == Reason.MUST_PASS:
        text = f"{_in_the_way(known, unit, number)}every path between the two {number}s passes {name}"
    elif reason == Reason.ONLY_ONE_REACHES:
        text = f"{_in_the_way(known, unit, number)}only a path between the two {number}s can pass {name}"
    else:
        found = between(known, cell, number)
        if found is not None:
            here, *two = found
            text = (
                f"along the border and the lines {known.grid.name(here)} lies between "
                f"{both_names(known, two)}, both the {number}'s, and no other path can come there"
            )
            return f"{text}, so {name} is the {number}'s", (cell, *found)
        text = f"only the {number} can reach {name} without crossing another path"
    return f"{text}, so {name} is the {number}'s", (cell, *_ends(known, number))


def _reaching(known: Known, unit: Unit) -> Said:
    """An edge that a number needs, or that no path can use."""
    _, where, reason, cause = unit.entries[0].finding
    a, b = edge_at(known.grid.cols, where)
    step = named(known, (a, b))
    if reason == Reason.CUT_OFF:
        number = known.plain(cause)
        walls = _walls(known, unit, number)
        by = f" by {walls}" if walls else ""
        return f"without {step} the two {number}s are cut off from each other{by}", (
            a,
            b,
            *_ends(known, number),
        )
    return f"{_in_the_way(known, unit, 0)}a path that took {step} could not join two equal numbers", (a, b)


def _in_the_way(known: Known, unit: Unit, own: int) -> str:
    walls = _walls(known, unit, own)
    return f"with {walls} in the way, " if walls else ""


def _walls(known: Known, unit: Unit, own: int) -> str:
    """Whose lines leave no other way, as ``the lines of the 3 and the 6``."""
    drawn = [where for kind, where in unit.premises if kind == FindingKind.DRAWN]
    found = {known.number(edge_at(known.grid.cols, where)[0]) for where in drawn} - {0, own}
    if not found:
        return ""
    numbers = listed([f"the {number}" for number in sorted(found)])
    return f"the line{'s' * (len(found) > 1)} of {numbers}"


def _ends(known: Known, number: int) -> tuple[Cell, ...]:
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
        self.known = Known(puzzle, self.position, self.given)
        self.fault: Fault | None = None  # where the board contradicts itself before the chain is told

    def tell(self, chain: Chain) -> Said:
        """The supposition, the links and the contradiction, and the squares that are named."""
        supposed = supposition(self.known, chain.supposed[1], chain.supposed[0])
        self._write([chain.supposed], {})
        near = frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1]))
        links: list[str] = []
        cells: list[Cell] = []
        for clause, squares in self._links(chain, near):
            links.append(clause)
            cells += squares
        named_twice, denied, _ = supposed.partition(" does not go ")
        if denied and links and links[0].startswith(f"{named_twice} must go "):
            links[0] = f"it{links[0].removeprefix(named_twice)}"
        fault = self.fault or chain.fault
        cells += fault.cells
        then = f", then {', then '.join(links)}, and " if links else ", "
        return f"if {supposed}{then}{fault_text(self.known, fault)}", tuple(cells)

    def _links(self, chain: Chain, near: frozenset[Cell]) -> Iterator[Said]:
        """The links up to the contradiction, which can come sooner than on the board that it was found on."""
        run: _Run | None = None
        for unit, closed in in_order(chain.links, self.puzzle.grid.cols, near):
            known, cell = self.known, unit.cause
            if self.fault:
                break
            ways = known.exits_of(cell, unit.findings) if unit.reason == Reason.ALL_EXITS else []
            if len(ways) == 1 and known.needs[cell] == 1:
                brackets, squares = closed_ways(known, cell, closed, brief=True)
                if run is None or run.way[-1] != cell:
                    if run:
                        yield self._run_clause(run)
                    run = _Run(end(known, cell), 1, [cell], [], [], [], [])
                run.way.append(ways[0])
                run.cells += [cell, *squares]
                if brackets:
                    run.brackets.append(f"at {known.grid.name(cell)} {brackets[2:-1]}")
            elif not all(known.settles(one) for one in unit.findings):
                if run:
                    yield self._run_clause(run)
                    run = None
                yield self._clause(unit, closed)
            entries = [*(entry for one in closed for entry in one.entries), *unit.entries]
            self._write([one.fact for one in entries], {one.fact: one.number for one in entries})
        if run:
            yield self._run_clause(run)

    def _clause(self, unit: Unit, closed: Sequence[Unit]) -> Said:
        if unit.reason == Reason.REFUTED:
            entry = unit.entries[0]
            assert entry.chain is not None
            text, cells = ChainTeller(self.puzzle, self.position, self.given).tell(entry.chain)
            step = named(self.known, edge_at(self.puzzle.grid.cols, entry.finding.where))
            runs = "a line must run" if entry.finding.kind == EdgeState.DRAWN else "no line can run"
            return f"{runs} {step} ({text})", cells
        found = self.position.find_on_rung(unit.rung) if unit.reason in GAP_REASONS else None
        if found and unit.findings[0] in deductions(found):
            return GapTeller(self.puzzle, self.position).tell(unit.findings[0])
        return simple_clause(self.known, unit, closed)

    def _run_clause(self, run: _Run) -> Said:
        known = self.known
        if len(run.way) == 2:
            why = f" ({run.brackets[0].split(' ', 2)[2]})" if run.brackets else ""
            return f"{run.said} must go {direction(known, *run.way)}{why}", tuple(run.cells)
        brackets = f" ({'; '.join(run.brackets)})" if run.brackets else ""
        route = named(known, corners_of(run.way))
        return f"{run.said.split(' at ')[0]} must run {route}{brackets}", tuple(run.cells)

    def _write(self, facts: Sequence[Fact], numbers: Mapping[Fact, int]) -> None:
        for fact in facts:
            if self.fault is None and not self.position.apply([*fact, 0, numbers.get(fact, 0)]):
                self.fault = self._fault(fact, numbers.get(fact, 0))
            elif numbers.get(fact):
                self.given[fact[1]] = numbers[fact]
        if self.fault is None:
            self.known = Known(self.puzzle, self.position, dict(self.given))

    def _fault(self, fact: Fact, number: int) -> Fault:
        if number:
            return fault_of_number(self.known, fact[1], number)
        known = Known(self.puzzle, self.position, dict(self.given))
        return fault_at_edge(known, self.position.contradiction()[1], fact)
