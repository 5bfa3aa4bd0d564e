"""A climb is told step by step, each with the lines that it draws and the squares that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkpress.engine.explain.chain_telling import ChainLink, ChainTeller, LineRun
from linkpress.engine.explain.explained_findings import BoardView, ExplainedFinding, statement
from linkpress.engine.explain.finding_clauses import (
    Clause,
    corner_clause,
    directions,
    fork,
    fork_closed,
    line_end,
    of_numbers,
    ways_not_taken,
    why_closed,
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
    squares,
)
from linkpress.engine.explain.telling_order import FindingGroup, MinimalExplanation, in_order
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, FindingKind, Reason
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.ladder import (
    Climb,
    Deduction,
    climb_ladder,
    edge_at,
    edge_index,
    find,
    position_of,
    rung_of,
    write,
)
from linkpress.engine.techniques import Technique
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge
from linkpress.puzzle.rules import Mistake, MistakeKind, check_drawing

# Findings about a square's ways, with how many it can have left when the finding is told.
_WAYS: Mapping[int, int] = {Reason.FORK: 3, Reason.EVERY_WAY_USES: 1}
_ONWARD = (Reason.ALL_EXITS, *_WAYS)


@dataclass(frozen=True, slots=True)
class Step:
    """A step is one sentence of a solve, with what it draws.

    Args:
        rung: of its hardest technique; 0 for a mistake in a drawing.
        technique: that technique's name, or ``mistake``.
        cells: the squares that it names.
        drawn: edges that every filling has.
        ruled_out: edges that no filling has.
        sentence: without words, which ``words.language`` has.
        chain: what follows from its supposition, for the picture; the supposition is the first link.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    sentence: PhraseTree
    chain: tuple[ChainLink, ...] = ()


def explain_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """Tell what a climb did as a person would: only what the lines rest on, one place after the other."""
    return _ClimbTeller(puzzle, climb.start).steps(MinimalExplanation(puzzle, climb).needed())


def explain_next_line(puzzle: Puzzle, climb: Climb) -> tuple[Step, ...]:
    """Return the steps that lead to the first lines drawn, and no other; none where the climb draws none."""
    explanation = MinimalExplanation(puzzle, climb)
    for step in _ClimbTeller(puzzle, climb.start).steps(explanation.needed()):
        if step.drawn:
            wanted = {(int(FindingKind.DRAWN), edge_index(drawn)) for drawn in step.drawn}
            return tuple(_ClimbTeller(puzzle, climb.start).steps(explanation.resting(wanted)))
    return ()


class _ClimbTeller:
    """A teller tells findings one after the other, from the board as it stands then."""

    def __init__(self, puzzle: Puzzle, start: Position) -> None:
        self.puzzle, self.cols = puzzle, puzzle.grid.cols
        self.start, self.position = start, start.copy()
        self.given: dict[Cell, int] = {}
        self.board = BoardView(puzzle, self.position, {})
        self.run: LineRun | None = None

    def steps(self, findings: Sequence[ExplainedFinding]) -> Iterator[Step]:
        for group, passing in in_order(findings, self.cols, frozenset()):
            closed = [
                way for way in passing if not self.board.is_closed(*edge_at(self.cols, way.deduction.where))
            ]
            news = not all(self.board.settles(deduction) for deduction in group.deductions)
            if news and self.run and self._is_one_way(group) and self.run.goes_on(group.cause, len(closed)):
                self._go_on(self.run, group, closed)
            elif news:  # else another step has said so by now
                if self.run:
                    yield self._run_step(self.run)
                    self.run = None
                if self._is_one_way(group):
                    self.run = LineRun(line_end(self.board, group.cause), [group.cause])
                    self._go_on(self.run, group, closed)
                else:
                    yield self._step(group, closed)
            both = [Deduction(FindingKind.DRAWN, edge_index(way)) for way in self._both_ways(group, closed)]
            self._write([*_findings_of(passing), *group.findings], both)
            if group.reason == Reason.CUT_OFF:
                self._give_number(group.deduction)
        if self.run:
            yield self._run_step(self.run)

    def _is_one_way(self, group: FindingGroup) -> bool:
        """Tell whether a line has one way out of a square by what has been told so far."""
        if group.reason not in _ONWARD or self.board.need_of(group.cause) != 1:
            return False
        return group.reason == Reason.ALL_EXITS or len(self.board.exits(group.cause)) <= _WAYS[group.reason]

    def _go_on(self, run: LineRun, group: FindingGroup, closed: Sequence[FindingGroup]) -> None:
        cell = group.cause
        (to,) = self.board.exits_of(cell, group.deductions)
        remarks, cells = ways_not_taken(self.board, cell, closed)
        if group.reason == Reason.FORK:
            remarks, cells = fork_closed(self.board, cell, to)
            run.ruled_out += [edge(cell, other) for other in self.board.exits(cell) if other != to]
        if remarks:
            run.remarks.append((cell, remarks))
            run.technique = max([run.technique, *(part.technique for part in (*closed, group))], key=rung_of)
        run.way.append(to)
        run.cells += [cell, *cells]
        run.drawn.append(edge(cell, to))
        run.ruled_out += self._edges(_findings_of(closed))

    def _run_step(self, run: LineRun) -> Step:
        sentence = run.sentence(self.board, "one_way_out", "runs")
        line = self.board.line(run.way[-1])
        ends = [cell for cell in line if cell in self.puzzle.number_at]
        if len(ends) == 2:
            sentence = phrase("joined", said=sentence, number=self.puzzle.number_at[ends[0]])
        return _step_of(run.technique, run.cells, run.drawn, run.ruled_out, sentence)

    def _step(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Step:
        chain: tuple[ChainLink, ...] = ()
        if group.reason == Reason.REFUTED:
            sentence, cells, chain = self._refuted(group.findings[0])
        else:
            sentence, cells = self._clause(group, closed)
        edges = list(dict.fromkeys([*self._edges(group.findings), *self._both_ways(group, closed)]))
        drawn = edges if group.deduction.kind == FindingKind.DRAWN else []
        ruled_out = edges if group.deduction.kind == FindingKind.RULED_OUT else []
        ruled_out = [*self._edges(_findings_of(closed)), *ruled_out]
        hardest = max((part.technique for part in (group, *closed)), key=rung_of)
        return _step_of(hardest, cells, drawn, ruled_out, sentence, chain)

    def _both_ways(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> list[Edge]:
        """Return the ways of a square that takes both that it has, whichever of them its finding is about."""
        cell, shut = group.cause, self._edges(_findings_of(closed))
        if group.reason not in _ONWARD or self.board.need_of(cell) != 2:
            return []
        ways = [way for to in self.board.exits(cell) if (way := edge(cell, to)) not in shut]
        return ways if len(ways) == 2 else []

    def _edges(self, findings: Iterable[ExplainedFinding]) -> list[Edge]:
        deductions = [finding.deduction for finding in findings]
        return [edge_at(self.cols, found.where) for found in deductions if found.kind != FindingKind.NUMBERED]

    def _write(self, findings: Sequence[ExplainedFinding], more: Sequence[Deduction] = ()) -> None:
        write(self.position, (finding.deduction for finding in findings))
        write(self.position, more)
        self.given.update({finding.fact[1]: finding.number for finding in findings if finding.number})
        self.board = BoardView(self.puzzle, self.position, dict(self.given))

    def _give_number(self, deduction: Deduction) -> None:
        """Write the number of an edge that a pair can't do without: it is plainly the pair's."""
        cell = edge_at(self.cols, deduction.where)[0]
        if not self.board.pair_of(cell):
            write(self.position, [Deduction(FindingKind.NUMBERED, cell, cause=deduction.cause)])
            self.given[cell] = deduction.cause
            self.board = BoardView(self.puzzle, self.position, dict(self.given))

    def _clause(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Clause:
        board, (kind, where, reason, cause) = self.board, group.deduction
        if reason in (Reason.NO_WAY_USES, Reason.EVERY_WAY_USES):
            return corner_clause(board, group)
        if reason in GAP_REASONS:
            return gap_clause(self.puzzle, self._seen_from(group.findings[0]), group.deduction)
        if reason == Reason.FORK:
            return fork(board, group.deduction)
        if kind == FindingKind.NUMBERED:
            return _numbered(board, group)
        if reason == Reason.ALL_EXITS:
            remarks, cells = ways_not_taken(board, cause, closed)
            ways = directions(board, cause, [a + b - cause for a, b in self._both_ways(group, closed)])
            taken = phrase("takes_both", square=square(board.grid, cause), ways=ways)
            return with_remarks(taken, remarks), (cause, *cells)
        a, b = edge_at(self.cols, where)
        if reason == Reason.CUT_OFF:
            return _cut_off(board, group)
        if reason == Reason.SIDE_BY_SIDE:
            both = squares(board.grid, (a, b))
            return phrase("side_by_side", squares=both, number=board.number(a)), (a, b)
        step = route(board.grid, (a, b))
        if group.in_passing:
            why, cells = why_closed(board, group)
            return phrase("no_line_since", step=step, why=why), (a, b, *cells)
        assert group.technique.phrase, f"no sentence for {Reason(reason)!r} of {group.technique.name}"
        return _in_the_way(board, group, 0, phrase(group.technique.phrase, step=step)), (a, b)

    def _seen_from(self, finding: ExplainedFinding) -> Position:
        """Return the board as it stands, or what a gap's finding rests on where more lines hide it."""
        if finding.deduction in (find(self.position, finding.technique) or []):
            return self.position
        position = self.start.copy()
        write(position, (statement(fact, self.given.get(fact[1], 0)) for fact in sorted(finding.premises)))
        return position

    def _refuted(self, finding: ExplainedFinding) -> tuple[*Clause, tuple[ChainLink, ...]]:
        chain = finding.chain
        assert chain is not None
        teller = ChainTeller(self.puzzle, self.position, self.given)
        reason, cells = teller.clause(chain)
        both = edge_at(self.cols, finding.deduction.where)
        key = "so_line_runs" if finding.deduction.kind == EdgeState.DRAWN else "so_no_line_runs"
        sentence = phrase(key, said=reason, step=route(self.board.grid, both))
        return sentence, (*both, *cells), tuple(teller.shown)


def _step_of(
    hardest: Technique,
    cells: Iterable[Cell],
    drawn: Iterable[Edge],
    ruled_out: Iterable[Edge],
    sentence: PhraseTree,
    chain: tuple[ChainLink, ...] = (),
) -> Step:
    named = tuple(dict.fromkeys(cells))
    return Step(hardest.rung, hardest.name, named, tuple(drawn), tuple(ruled_out), sentence, chain)


def _findings_of(groups: Iterable[FindingGroup]) -> list[ExplainedFinding]:
    return [finding for group in groups for finding in group.findings]


def _numbered(board: BoardView, group: FindingGroup) -> Clause:
    _, cell, reason, cause = group.deduction
    number, here = board.printed(cause), square(board.grid, cell)
    named = board.squares_of(number)
    if reason == Reason.MUST_PASS:
        sentence = _in_the_way(board, group, number, phrase("every_path", number=number, square=here))
    elif reason == Reason.ONLY_ONE_REACHES:
        sentence = _in_the_way(board, group, number, phrase("only_between", number=number, square=here))
    elif (found := board.between(cell, number)) is not None:
        named, (met, *two) = found, found
        both = squares(board.grid, two)
        here = square(board.grid, met)  # on the line of the cell, its other end as a rule
        sentence = phrase("lies_between", square=here, squares=both, number=number)
    else:
        sentence = phrase("only_reaches", number=number, square=here)
    return phrase("so_belongs", said=sentence, square=here, number=number), (cell, *named)


def _cut_off(board: BoardView, group: FindingGroup) -> Clause:
    a, b = edge_at(board.grid.cols, group.deduction.where)
    number = board.printed(group.cause)
    walls = _numbers_in_the_way(board, group, number)
    parts: dict[str, PhraseTree] = {"step": route(board.grid, (a, b)), "number": number}
    sentence = phrase("cut_off", **parts)
    if len(walls) == 1:
        sentence = phrase("cut_off_by_line", **parts, other=walls[0])
    elif walls:
        sentence = phrase("cut_off_by_lines", **parts, numbers=of_numbers(walls))
    return sentence, (a, b, *board.squares_of(number))


def _in_the_way(board: BoardView, group: FindingGroup, own: int, sentence: FilledPhrase) -> FilledPhrase:
    walls = _numbers_in_the_way(board, group, own)
    if not walls:
        return sentence
    if len(walls) == 1:
        return phrase("with_line_in_the_way", number=walls[0], said=sentence)
    return phrase("with_lines_in_the_way", numbers=of_numbers(walls), said=sentence)


def _numbers_in_the_way(board: BoardView, group: FindingGroup, own: int) -> list[int]:
    drawn = [where for kind, where in group.premises if kind == FindingKind.DRAWN]
    return sorted({board.number(edge_at(board.grid.cols, where)[0]) for where in drawn} - {0, own})


# Mistakes that a drawing has only because it is not finished.
_UNFINISHED = {MistakeKind.DEAD_END, MistakeKind.UNJOINED_PAIR, MistakeKind.UNCOVERED}


def next_step(puzzle: Puzzle, drawn: Iterable[Edge], rule: Rule) -> Step | None:
    """Return a hint for a partly drawn board: the first mistake, or else the next lines to draw.

    Args:
        drawn: the edges drawn so far, cells in any order.
        rule: under which the puzzle is proven to have one solution.
    Returns:
        A step of rung 0 for a mistake, naming the edges to take back in ``ruled_out`` where they
        are known; else the step that draws; None when the drawing is finished, or when the ladder
        sees no next line.
    """
    steps = sorted({edge(a, b) for a, b in drawn})
    for wrong in check_drawing(puzzle, steps):
        if wrong.kind not in _UNFINISHED:
            return _mistake(_mistake_sentence(puzzle, wrong), wrong.cells, ())
    empty = position_of(puzzle, rule)
    position, lines = empty.copy(), (Deduction(EdgeState.DRAWN, edge_index(step)) for step in steps)
    climb = climb_ladder(position) if write(position, lines) else None  # the lines contradict each other
    if climb is None or climb.outcome is not ClimbOutcome.FINISHED:  # a finished drawing is right
        mistake = _mistake_in(puzzle, steps, climb_ladder(empty) if steps or climb is None else climb)
        if mistake is not None:
            return mistake
    if climb is None or climb.outcome is ClimbOutcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in steps for cell in step}))
        return _mistake(phrase("can_t_be_completed"), cells, ())
    return _step_from(puzzle, climb)


def _mistake_in(puzzle: Puzzle, drawn: list[Edge], climb: Climb) -> Step | None:
    """Say where a drawing contradicts the climb from the empty board."""
    if climb.outcome is ClimbOutcome.CONTRADICTED:
        return _mistake(phrase("no_solution"), (), ())
    edges = climb.position.edges()
    wrong = tuple(step for step in drawn if edges[edge_index(step)] == EdgeState.RULED_OUT)
    if not wrong:
        return None
    steps = list_of(ListKind.COMMA, (route(puzzle.grid, step) for step in wrong))
    cells = tuple(sorted({cell for step in wrong for cell in step}))
    return _mistake(phrase("not_in_solution", steps=steps), cells, wrong)


def _step_from(puzzle: Puzzle, climb: Climb) -> Step | None:
    """Return the next step that draws a line, after the reasons that it rests on."""
    steps = explain_next_line(puzzle, climb)
    if not steps:
        return None
    *reasons, last = steps
    hardest = max(steps, key=rung_of)
    cells = tuple(dict.fromkeys(cell for step in (last, *reasons) for cell in step.cells))
    ruled_out = tuple(ruled_out for step in steps for ruled_out in step.ruled_out)
    sentence = list_of(ListKind.REASONS, (step.sentence for step in steps))
    return Step(hardest.rung, hardest.technique, cells, last.drawn, ruled_out, sentence)


def _mistake_sentence(puzzle: Puzzle, mistake: Mistake) -> PhraseTree:
    numbers = [puzzle.number_at[cell] for cell in mistake.cells if cell in puzzle.number_at]
    parts: dict[str, int] = {}
    if mistake.kind is MistakeKind.WRONG_PAIR:
        parts = dict(zip(("number", "other"), numbers, strict=True))
    elif mistake.kind is MistakeKind.THROUGH_NUMBER:
        parts = dict(zip(("number",), numbers, strict=True))
    broken = phrase(f"breach_{mistake.kind.replace(' ', '_')}", **parts)
    if not mistake.cells:
        return broken
    return phrase("breach", squares=squares(puzzle.grid, mistake.cells, ListKind.COMMA), breach=broken)


def _mistake(sentence: PhraseTree, cells: tuple[Cell, ...], wrong: tuple[Edge, ...]) -> Step:
    return Step(0, "mistake", cells, (), wrong, sentence)
