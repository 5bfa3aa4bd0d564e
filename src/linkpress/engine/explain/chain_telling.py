"""A chain is told in clauses: a supposition, what follows from it square by square, and the contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from linkpress.engine.explain.chains import fault_at_edge, fault_of_number
from linkpress.engine.explain.explained_findings import BoardView, Chain, Fault, statement
from linkpress.engine.explain.finding_clauses import (
    Clause,
    corners_of,
    direction,
    fault_clause,
    line_end,
    link_clause,
    supposition,
    ways_not_taken,
    with_remarks,
)
from linkpress.engine.explain.gap_clauses import GAP_REASONS, gap_clause
from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    ListKind,
    PhraseTree,
    column_name,
    list_of,
    phrase,
    route,
    square,
    weight_of,
)
from linkpress.engine.explain.telling_order import FindingGroup, in_order
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at, find, write
from linkpress.engine.techniques import EASIEST, Technique
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle

# Nobody follows more than forty words: of what a chain says to its end, what is heavier stands in its picture
# alone. A weight of 11 makes 31 words of Spanish and Italian, and what it means for the board makes 9.
MOST_WEIGHT = 11
# Two remarks on a line make up to 40 words of French.
MOST_REMARKS = 2


class ChainLink(NamedTuple):
    """A link is a supposition, or one thing that follows from it, as a picture shows it.

    Args:
        mark: its place in the chain: 1, 2, 3; those of a chain that leads to 3 are 3a, 3b.
        cells: the two squares of a way, in the direction in which the line goes; one that gets a number.
        number: the number that a square gets; 0 for a way that a line takes, -1 for one that is closed.
    """

    mark: str
    cells: tuple[Cell, ...]
    number: int

    def text(self, grid: Grid) -> str:
        """Write the link for a list without words: 2 E2–E3, × between squares of a closed way, 3 E4=7."""
        names = [square(grid, cell).name for cell in self.cells]
        if self.number > 0:
            return f"{self.mark} {names[0]}={self.number}"
        return f"{self.mark} {('×' if self.number else '–').join(names)}"


@dataclass
class LineRun:
    """A run is a line that is followed square by square.

    Args:
        begin: how the line was named where it begins.
        remarks: for each of its squares, what speaks against the ways that it does not take.
        drawn, ruled_out: the edges that are settled on the way.
    """

    begin: PhraseTree
    way: list[Cell]
    technique: Technique = EASIEST
    remarks: list[tuple[Cell, list[PhraseTree]]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    drawn: list[Edge] = field(default_factory=list)
    ruled_out: list[Edge] = field(default_factory=list)

    def goes_on(self, cell: Cell, closed: int) -> bool:
        """Tell whether a way out of a square belongs to the line, and to its sentence."""
        count = sum(len(against) for _, against in self.remarks)
        return cell == self.way[-1] and count < MOST_REMARKS and count + closed <= MOST_REMARKS

    def sentence(self, board: BoardView, one_step: str, many_steps: str) -> PhraseTree:
        """Tell the way with its remarks.

        Args:
            one_step: the phrase of a way to the next square.
            many_steps: that of a line with a number; ``line_`` stands before it for a line without one.
        """
        if len(self.way) == 2:
            whole = phrase(one_step, end=self.begin, way=direction(board, *self.way))
            return with_remarks(whole, self.remarks[0][1] if self.remarks else [])
        number = dict(self.begin.parts).get("number") if isinstance(self.begin, FilledPhrase) else None
        way = route(board.grid, corners_of(self.way))
        run = phrase(many_steps, number=number, route=way) if number else None
        remarks: list[PhraseTree] = [
            phrase("at", square=square(board.grid, cell), remark=list_of(ListKind.REASONS, against))
            for cell, against in self.remarks
        ]
        return with_remarks(run or phrase(f"line_{many_steps}", route=way), remarks)


class ChainTeller:
    """A teller says what follows from a supposition, on a board of its own.

    Args:
        given: squares with a number that was found without a line.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        self.puzzle, self.position, self.given = puzzle, position.copy(), dict(given)
        self.board = BoardView(puzzle, self.position, self.given)
        self.fault: Fault | None = None  # where the board contradicts itself before the chain is told
        self.shown: list[ChainLink] = []
        self.count = 0

    def clause(self, chain: Chain) -> Clause:
        """Tell the supposition, the links and the contradiction, with the squares that are named."""
        supposed = supposition(self.board, chain.supposed[1], chain.supposed[0])
        self._show(statement(chain.supposed, 0))
        self._write([statement(chain.supposed, 0)])
        near = frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1]))
        clauses = list(self._links(chain, near))
        links = [link for link, _ in clauses]
        fault = self.fault or chain.fault
        ends = fault_clause(self.board, fault)
        if not links:
            return phrase("if_at_once", supposed=supposed, fault=ends), fault.cells
        links[0] = _without_its_name(supposed, links[0])
        if isinstance(ends, FilledPhrase) and ends.key == "both_cross":
            ends = phrase("must_cross", number=dict(ends.parts)["number"])
        if weight_of(supposed, *links, ends) <= MOST_WEIGHT:
            follows = list_of(ListKind.THEN, links)
            cells = (cell for _, named in clauses for cell in named)
            return phrase("if_then", supposed=supposed, links=follows, fault=ends), (*cells, *fault.cells)
        if weight_of(supposed, links[0], ends) <= MOST_WEIGHT:
            sentence = phrase("if_at_last", supposed=supposed, links=links[0], fault=ends)
            return sentence, (*clauses[0][1], *fault.cells)
        return phrase("if_in_the_end", supposed=supposed, fault=ends), fault.cells

    def _links(self, chain: Chain, near: frozenset[Cell]) -> Iterator[Clause]:
        """Tell the links up to the contradiction, which can come sooner than where it was found."""
        run: LineRun | None = None
        for group, closed in in_order(chain.links, self.puzzle.grid.cols, near):
            board, cell = self.board, group.cause
            if self.fault:
                break
            ways = board.exits_of(cell, group.deductions) if group.reason == Reason.ALL_EXITS else []
            if len(ways) == 1 and board.need_of(cell) == 1:
                _, named = ways_not_taken(board, cell, closed)
                if run is None or run.way[-1] != cell:
                    if run:
                        yield self._run_clause(run)
                    run = LineRun(line_end(board, cell), [cell])
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

    def _link(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        if group.reason == Reason.REFUTED:
            inner = group.findings[0].chain
            assert inner is not None
            teller = ChainTeller(self.puzzle, self.position, self.given)
            teller.clause(inner)
            for place, link in enumerate(teller.shown, 1):
                mark = f"{self.count + 1}{column_name(place).lower()}"
                self.shown.append(link._replace(mark=mark))
            key = "a_line_must_run" if group.deduction.kind == EdgeState.DRAWN else "no_line_can_run"
            step = route(self.board.grid, edge_at(self.puzzle.grid.cols, group.deduction.where))
            return phrase(key, step=step), ()
        is_gap = group.reason in GAP_REASONS
        if is_gap and group.deduction in (find(self.position, group.technique) or []):
            return gap_clause(self.puzzle, self.position, group.deduction)
        return link_clause(self.board, group, closed)

    def _run_clause(self, run: LineRun) -> Clause:
        return run.sentence(self.board, "must_go", "must_run"), tuple(run.cells)

    def _show(self, deduction: Deduction) -> None:
        if self.board.settles(deduction):
            return
        self.count += 1
        if deduction.kind == FindingKind.NUMBERED:
            number = self.board.printed(deduction.cause)
            self.shown.append(ChainLink(str(self.count), (deduction.where,), number))
            return
        a, b = edge_at(self.puzzle.grid.cols, deduction.where)
        ends = self.shown[-1].cells[-1:] if self.shown else ()
        begins = [cell for cell in (a, b) if self.board.need_of(cell) == 1]
        if b in ends or (a not in ends and begins == [b]):
            a, b = b, a
        number = 0 if deduction.kind == EdgeState.DRAWN else -1
        self.shown.append(ChainLink(str(self.count), (a, b), number))

    def _write(self, statements: Sequence[Deduction]) -> None:
        for deduction in statements:
            if self.fault is None and not write(self.position, [deduction]):
                self.fault = self._fault(deduction)
            elif deduction.kind == FindingKind.NUMBERED:
                self.given[deduction.where] = deduction.cause
        if self.fault is None:
            self.board = BoardView(self.puzzle, self.position, dict(self.given))

    def _fault(self, deduction: Deduction) -> Fault:
        if deduction.kind == FindingKind.NUMBERED:
            return fault_of_number(self.board, deduction.where, deduction.cause)
        board = BoardView(self.puzzle, self.position, dict(self.given))
        return fault_at_edge(board, self.position.contradiction()[1], deduction[:2])


def _without_its_name(supposed: FilledPhrase, link: PhraseTree) -> PhraseTree:
    """Leave out the name of the line in a chain's first link where that line was supposed."""
    if supposed.key != "if_does_not_go" or not isinstance(link, FilledPhrase):
        return link
    parts = dict(link.parts)
    if link.key == "must_go" and parts["end"] == dict(supposed.parts)["end"]:
        return phrase("it_must_go", way=parts["way"])
    return link
