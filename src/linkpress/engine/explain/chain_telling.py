"""Chains as clauses: a supposition, what follows from it square by square, and the contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkpress.engine.explain.board_view import BoardView
from linkpress.engine.explain.chains import fault_at_edge, fault_of_number
from linkpress.engine.explain.explained_findings import Chain, Fault, statement
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
    list_of,
    phrase,
    route,
    square,
)
from linkpress.engine.explain.telling_order import FindingGroup, in_order
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at, find, write
from linkpress.engine.techniques import EASIEST, Technique
from linkpress.puzzle.grid import Cell, Edge
from linkpress.puzzle.puzzle import Puzzle

# A chain of more links and remarks is told by its first link and its end: nobody follows more in a sentence.
MOST_LINKS = 2


@dataclass
class LineRun:
    """A line that is followed square by square.

    Args:
        begin: how the line was named where it begins.
        way: its squares.
        technique: the hardest that it takes.
        remarks: for each of its squares, what speaks against the ways that it has not.
        cells: the squares that are named.
        drawn, ruled_out: the edges that are settled on the way.
    """

    begin: PhraseTree
    way: list[Cell]
    technique: Technique = EASIEST
    remarks: list[tuple[Cell, list[PhraseTree]]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    drawn: list[Edge] = field(default_factory=list)
    ruled_out: list[Edge] = field(default_factory=list)

    def sentence(self, board: BoardView, one_step: str, many_steps: str) -> PhraseTree:
        """Tell the way with its remarks.

        Args:
            board: as it stands.
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
    """Tells what follows from a supposition, on a board of its own.

    Args:
        puzzle: the board.
        position: what is known; left as it is.
        given: squares with a number that was found without a line.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        self.puzzle, self.position, self.given = puzzle, position.copy(), dict(given)
        self.board = BoardView(puzzle, self.position, self.given)
        self.fault: Fault | None = None  # where the board contradicts itself before the chain is told

    def clause(self, chain: Chain) -> Clause:
        """Tell the supposition, the links and the contradiction, with the squares that are named."""
        supposed = supposition(self.board, chain.supposed[1], chain.supposed[0])
        self._write([statement(chain.supposed, 0)])
        near = frozenset(edge_at(self.puzzle.grid.cols, chain.supposed[1]))
        links: list[PhraseTree] = []
        cells: list[Cell] = []
        for link, named in self._links(chain, near):
            links.append(link if links else _without_its_name(supposed, link))
            cells += named
        nested = any(link.chain for link in chain.links)
        fault = self.fault or chain.fault
        cells += fault.cells
        ends = fault_clause(self.board, fault)
        if not links:
            return phrase("if_at_once", supposed=supposed, fault=ends), tuple(cells)
        if len(links) + sum(_bare(link) != link for link in links) > MOST_LINKS or nested:
            if isinstance(ends, FilledPhrase) and ends.key == "both_cross":
                ends = phrase("must_cross", number=dict(ends.parts)["number"])
            return phrase("if_at_last", supposed=supposed, links=_bare(links[0]), fault=ends), tuple(cells)
        follows = list_of(ListKind.THEN, links)
        return phrase("if_then", supposed=supposed, links=follows, fault=ends), tuple(cells)

    def _links(self, chain: Chain, near: frozenset[Cell]) -> Iterator[Clause]:
        """Tell the links up to the contradiction, which can come sooner than where it was found."""
        run: LineRun | None = None
        for group, closed in in_order(chain.links, self.puzzle.grid.cols, near):
            board, cell = self.board, group.cause
            if self.fault:
                break
            ways = board.exits_of(cell, group.deductions) if group.reason == Reason.ALL_EXITS else []
            if len(ways) == 1 and board.need_of(cell) == 1:
                remarks, named = ways_not_taken(board, cell, closed, brief=True)
                if run is None or run.way[-1] != cell:
                    if run:
                        yield self._run_clause(run)
                    run = LineRun(line_end(board, cell), [cell])
                run.way.append(ways[0])
                run.cells += [cell, *named]
                if remarks:
                    run.remarks.append((cell, remarks))
            elif not all(board.settles(deduction) for deduction in group.deductions):
                if run:
                    yield self._run_clause(run)
                    run = None
                yield self._link(group, closed)
            self._write([deduction for part in (*closed, group) for deduction in part.deductions])
        if run:
            yield self._run_clause(run)

    def _link(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        if group.reason == Reason.REFUTED:
            inner = group.findings[0].chain
            assert inner is not None
            reason, cells = ChainTeller(self.puzzle, self.position, self.given).clause(inner)
            key = "a_line_must_run" if group.deduction.kind == EdgeState.DRAWN else "no_line_can_run"
            step = route(self.board.grid, edge_at(self.puzzle.grid.cols, group.deduction.where))
            return with_remarks(phrase(key, step=step), [reason]), cells
        is_gap = group.reason in GAP_REASONS
        if is_gap and group.deduction in (find(self.position, group.technique) or []):
            return gap_clause(self.puzzle, self.position, group.deduction)
        return link_clause(self.board, group, closed)

    def _run_clause(self, run: LineRun) -> Clause:
        return run.sentence(self.board, "must_go", "must_run"), tuple(run.cells)

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


def _bare(link: PhraseTree) -> PhraseTree:
    """Leave out the remarks on a link."""
    if isinstance(link, FilledPhrase) and link.key == "remarked":
        return dict(link.parts)["said"]
    return link


def _without_its_name(supposed: FilledPhrase, link: PhraseTree) -> PhraseTree:
    """Leave out the name of the line in a chain's first link where that line was supposed."""
    if supposed.key != "if_does_not_go" or not isinstance(link, FilledPhrase):
        return link
    parts = dict(link.parts)
    if link.key == "remarked":
        return phrase("remarked", said=_without_its_name(supposed, parts["said"]), remarks=parts["remarks"])
    if link.key == "must_go" and parts["end"] == dict(supposed.parts)["end"]:
        return phrase("it_must_go", way=parts["way"])
    return link
