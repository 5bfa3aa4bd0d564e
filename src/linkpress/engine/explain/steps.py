"""Explain a climb step by step: a sentence for each step, with the lines that it draws.

``explain_climb`` explains a whole solve and ``next_step`` gives a hint for a partly drawn board.
``combine_steps`` puts steps that are easy to see at a glance into one sentence. Such steps are lines that
have only one way out, lines that bend inside each other in a corner of the board, forks, and bends that fail
along their diagonals.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from linkpress.engine.explain.clauses import (
    GAP_REASONS,
    ChainExplainer,
    ChainLink,
    Clause,
    LineRun,
    corner_clause,
    corners_of,
    directions,
    fork_clause,
    fork_remarks,
    gap_clause,
    of_numbers,
    subject,
    ways_not_taken,
    why_closed,
    with_remarks,
)
from linkpress.engine.explain.explanation import (
    BoardView,
    ExplainedFinding,
    FindingGroup,
    MinimalExplanation,
    as_deduction,
    in_reading_order,
)
from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    ListKind,
    PhraseTree,
    list_of,
    parts_of,
    phrase,
    route,
    square,
    squares,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, FindingKind, Reason
from linkpress.engine.ladder import (
    Climb,
    Deduction,
    Technique,
    climb_ladder,
    edge_at,
    edge_index,
    find,
    position_of,
    rung_of,
    write,
)
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge
from linkpress.puzzle.rules import Mistake, MistakeKind, check_drawing

# Findings with these reasons are explained as the only way in which a line can go on. This is done if the
# line ends at a square with at most this many open edges.
_MOST_WAYS: Mapping[int, int] = {Reason.FORK: 3, Reason.EVERY_WAY_USES: 1}
_ABOUT_WAYS = (Reason.ALL_EXITS, *_MOST_WAYS)
# Mistakes that a drawing has only because it is not finished.
_UNFINISHED = {MistakeKind.DEAD_END, MistakeKind.UNJOINED_PAIR, MistakeKind.UNCOVERED}

# Maximum number of lines and of squares in a combined sentence. Six lines make 26 words of English and 36 of
# the longest language. Their squares take about two lines of print.
MOST_LINES, _MOST_SQUARES = 6, 20
# Maximum number of lines in a combined sentence if some of them bend in an empty corner of the board
# and others do not.
_MOST_MIXED_LINES = 4
_MOST_FORKS = 5  # maximum number of forks in a combined sentence; five make 40 words of French
_MOST_BENDS = 2
# Sentences made only of these phrases can be checked by counting the ways out of each square.
_COUNTING_PHRASES = {
    *("one_way_out", "takes_both", "runs", "line_runs", "joined", "remarked", "at"),
    *("not_meet", "not_loop", "not_turn", "end_of_number", "end_of_line"),
}
# For each phrase about the bends of a square, the shorter phrase that a combined sentence uses.
_SHORT_BEND = {"corner_must_go": "must_for", "corner_can_t_go": "can_t_for"}


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence of a solve, with the lines that it draws.

    Args:
        rung: the rung of the step's hardest technique; 0 for a mistake in a drawing.
        technique: the name of that technique, or ``mistake``.
        cells: the squares that the sentence names.
        drawn: the edges that the step draws, because every solution has them.
        ruled_out: the edges that the step rules out, because no solution has them.
        sentence: the sentence without words; ``words.language`` translates it.
        chain: if the step refutes a supposition, the supposition and what follows from it, for a picture.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    sentence: PhraseTree
    chain: tuple[ChainLink, ...] = ()


def explain_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """Explain a climb in the order in which a person would solve the puzzle.

    Findings on which no drawn line depends are left out.
    """
    return _ClimbExplainer(puzzle, climb.start).steps(MinimalExplanation(puzzle, climb).needed())


def explain_next_line(puzzle: Puzzle, climb: Climb) -> tuple[Step, ...]:
    """Explain only the first lines that a climb draws.

    Returns:
        The steps on which these lines depend, and as the last one the step that draws them. Empty if the
        climb draws nothing.
    """
    explanation = MinimalExplanation(puzzle, climb)
    for step in _ClimbExplainer(puzzle, climb.start).steps(explanation.needed()):
        if step.drawn:
            facts = {(int(FindingKind.DRAWN), edge_index(drawn)) for drawn in step.drawn}
            return tuple(_ClimbExplainer(puzzle, climb.start).steps(explanation.leading_to(facts)))
    return ()


def next_step(puzzle: Puzzle, drawn: Iterable[Edge], rule: Rule) -> Step | None:
    """Give a hint for a partly drawn board: its first mistake, or else the next lines to draw.

    Args:
        drawn: the edges drawn so far, with their cells in any order.
        rule: the rule by which the puzzle is proven to have one solution.
    Returns:
        For a mistake, a step of rung 0, whose ``ruled_out`` has the edges to remove if they are known.
        Otherwise, the step that draws the next lines. None if the drawing is finished, or if no technique
        leads to another line.
    """
    edges = sorted({edge(a, b) for a, b in drawn})
    for wrong in check_drawing(puzzle, edges):
        if wrong.kind not in _UNFINISHED:
            return _mistake_step(_mistake_sentence(puzzle, wrong), wrong.cells)
    empty = position_of(puzzle, rule)
    position, lines = empty.copy(), (Deduction(EdgeState.DRAWN, edge_index(step)) for step in edges)
    # If the lines contradict each other, there is no climb.
    climb = climb_ladder(position) if write(position, lines) else None
    # A drawing that the climb finishes has no mistake.
    if climb is None or climb.outcome is not ClimbOutcome.FINISHED:
        mistake = _mistake_in(puzzle, edges, climb_ladder(empty) if edges or climb is None else climb)
        if mistake is not None:
            return mistake
    if climb is None or climb.outcome is ClimbOutcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in edges for cell in step}))
        return _mistake_step(phrase("can_t_be_completed"), cells)
    steps = explain_next_line(puzzle, climb)
    if not steps:
        return None
    sentence = list_of(ListKind.REASONS, (step.sentence for step in steps))
    *reasons, last = steps
    return _combined(steps, sentence, (cell for step in (last, *reasons) for cell in step.cells))


def _mistake_in(puzzle: Puzzle, drawn: list[Edge], climb: Climb) -> Step | None:
    """Return the mistake of a drawing that the climb from the empty board contradicts; None if it doesn't."""
    if climb.outcome is ClimbOutcome.CONTRADICTED:
        return _mistake_step(phrase("no_solution"), ())
    states = climb.position.edges()
    wrong = tuple(step for step in drawn if states[edge_index(step)] == EdgeState.RULED_OUT)
    if not wrong:
        return None
    steps = list_of(ListKind.COMMA, (route(puzzle.grid, step) for step in wrong))
    cells = tuple(sorted({cell for step in wrong for cell in step}))
    return _mistake_step(phrase("not_in_solution", steps=steps), cells, wrong)


def _mistake_step(sentence: PhraseTree, cells: tuple[Cell, ...], wrong: tuple[Edge, ...] = ()) -> Step:
    return Step(0, "mistake", cells, (), wrong, sentence)


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


class _ClimbExplainer:
    """Explainer of a climb. It explains each finding on the board as the earlier findings have left it."""

    def __init__(self, puzzle: Puzzle, start: Position) -> None:
        self.puzzle, self.cols = puzzle, puzzle.grid.cols
        self.start, self.position = start, start.copy()
        self.given: dict[Cell, int] = {}
        self.board = BoardView(puzzle, self.position, {})
        self.run: LineRun | None = None

    def steps(self, findings: Sequence[ExplainedFinding]) -> Iterator[Step]:
        for group, remarks in in_reading_order(findings, self.cols, frozenset()):
            closed = [
                way for way in remarks if not self.board.is_closed(*edge_at(self.cols, way.deduction.where))
            ]
            is_new = not all(self.board.settles(deduction) for deduction in group.deductions)
            if is_new and self.run and self._is_one_way(group) and self.run.goes_on(group.cause, len(closed)):
                self._extend(self.run, group, closed)
            elif is_new:
                if self.run:
                    yield self._run_step(self.run)
                    self.run = None
                if self._is_one_way(group):
                    self.run = LineRun(subject(self.board, group.cause), [group.cause])
                    self._extend(self.run, group, closed)
                else:
                    yield self._step(group, closed)
            both = [Deduction(FindingKind.DRAWN, edge_index(way)) for way in self._both_ways(group, closed)]
            self._write([*_findings_of(remarks), *group.findings], both)
            if group.reason == Reason.CUT_OFF:
                self._give_number(group.deduction)
        if self.run:
            yield self._run_step(self.run)

    def _is_one_way(self, group: FindingGroup) -> bool:
        """Return whether a line ends at the group's square and has only one way out of it."""
        if group.reason not in _ABOUT_WAYS or self.board.need_of(group.cause) != 1:
            return False
        exits = len(self.board.exits(group.cause))
        return group.reason == Reason.ALL_EXITS or exits <= _MOST_WAYS[group.reason]

    def _extend(self, run: LineRun, group: FindingGroup, closed: Sequence[FindingGroup]) -> None:
        cell = group.cause
        (to,) = self.board.exits_of(cell, group.deductions)
        remarks, cells = ways_not_taken(self.board, cell, closed)
        if group.reason == Reason.FORK:
            remarks, cells = fork_remarks(self.board, cell, to)
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
        return _step_of(run.technique, run.cells, sentence, drawn=run.drawn, ruled_out=run.ruled_out)

    def _step(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> Step:
        chain: tuple[ChainLink, ...] = ()
        if group.findings[0].chain is not None:
            sentence, cells, chain = self._refuted(group.findings[0])
        else:
            sentence, cells = self._clause(group, closed)
        edges = list(dict.fromkeys([*self._edges(group.findings), *self._both_ways(group, closed)]))
        drawn = edges if group.deduction.kind == FindingKind.DRAWN else []
        ruled_out = edges if group.deduction.kind == FindingKind.RULED_OUT else []
        ruled_out = [*self._edges(_findings_of(closed)), *ruled_out]
        hardest = max((part.technique for part in (group, *closed)), key=rung_of)
        return _step_of(hardest, cells, sentence, drawn=drawn, ruled_out=ruled_out, chain=chain)

    def _both_ways(self, group: FindingGroup, closed: Sequence[FindingGroup]) -> list[Edge]:
        """Return both edges of a square that must use both of its ways; empty for any other square."""
        cell, shut = group.cause, self._edges(_findings_of(closed))
        if group.reason not in _ABOUT_WAYS or self.board.need_of(cell) != 2:
            return []
        ways = [way for to in self.board.exits(cell) if (way := edge(cell, to)) not in shut]
        return ways if len(ways) == 2 else []

    def _edges(self, findings: Iterable[ExplainedFinding]) -> list[Edge]:
        deductions = [finding.deduction for finding in findings]
        return [edge_at(self.cols, new.where) for new in deductions if new.kind != FindingKind.NUMBERED]

    def _write(self, findings: Sequence[ExplainedFinding], more: Sequence[Deduction] = ()) -> None:
        write(self.position, (finding.deduction for finding in findings))
        write(self.position, more)
        self.given.update({finding.fact[1]: finding.number for finding in findings if finding.number})
        self.board = BoardView(self.puzzle, self.position, dict(self.given))

    def _give_number(self, deduction: Deduction) -> None:
        """Give a pair's number to the line at an edge that the pair needs.

        By then, readers see that this line belongs to the pair.
        """
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
            return gap_clause(self.puzzle, self._position_showing(group.findings[0]), group.deduction)
        if reason == Reason.FORK:
            return fork_clause(board, group.deduction)
        if kind == FindingKind.NUMBERED:
            return _number_clause(board, group)
        if reason == Reason.ALL_EXITS:
            remarks, cells = ways_not_taken(board, cause, closed)
            ways = directions(board, cause, [a + b - cause for a, b in self._both_ways(group, closed)])
            both = phrase("takes_both", square=square(board.grid, cause), ways=ways)
            return with_remarks(both, remarks), (cause, *cells)
        a, b = edge_at(self.cols, where)
        if reason == Reason.CUT_OFF:
            return _cut_off_clause(board, group)
        if reason == Reason.SIDE_BY_SIDE:
            both_squares = squares(board.grid, (a, b))
            return phrase("side_by_side", squares=both_squares, number=board.number(a)), (a, b)
        step = route(board.grid, (a, b))
        if group.is_remark:
            why, cells = why_closed(board, group)
            return phrase("no_line_since", step=step, why=why), (a, b, *cells)
        assert group.technique.phrase, f"no sentence for {Reason(reason)!r} of {group.technique.name}"
        return _with_walls(board, group, 0, phrase(group.technique.phrase, step=step)), (a, b)

    def _position_showing(self, finding: ExplainedFinding) -> Position:
        """Return a position in which the finding's technique still makes the finding.

        The present position is preferred. If lines that were drawn later hide the finding, return a position
        with only the finding's premises.
        """
        if finding.deduction in (find(self.position, finding.technique) or []):
            return self.position
        position = self.start.copy()
        premises = sorted(finding.premises)
        write(position, (as_deduction(fact, self.given.get(fact[1], 0)) for fact in premises))
        return position

    def _refuted(self, finding: ExplainedFinding) -> tuple[*Clause, tuple[ChainLink, ...]]:
        assert finding.chain is not None
        explainer = ChainExplainer(self.puzzle, self.position, self.given)
        reason, cells = explainer.clause(finding.chain)
        both = edge_at(self.cols, finding.deduction.where)
        key = "so_line_runs" if finding.deduction.kind == EdgeState.DRAWN else "so_no_line_runs"
        sentence = phrase(key, said=reason, step=route(self.board.grid, both))
        return sentence, (*both, *cells), tuple(explainer.shown)


def _step_of(
    hardest: Technique,
    cells: Iterable[Cell],
    sentence: PhraseTree,
    *,
    drawn: Iterable[Edge],
    ruled_out: Iterable[Edge],
    chain: tuple[ChainLink, ...] = (),
) -> Step:
    named = tuple(dict.fromkeys(cells))
    return Step(hardest.rung, hardest.name, named, tuple(drawn), tuple(ruled_out), sentence, chain)


def _findings_of(groups: Iterable[FindingGroup]) -> list[ExplainedFinding]:
    return [finding for group in groups for finding in group.findings]


def _number_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say why a square belongs to a number."""
    _, cell, reason, cause = group.deduction
    number, named = board.printed(cause), square(board.grid, cell)
    cells = board.squares_of(number)
    if reason == Reason.MUST_PASS:
        sentence = _with_walls(board, group, number, phrase("every_path", number=number, square=named))
    elif reason == Reason.ONLY_ONE_REACHES:
        sentence = _with_walls(board, group, number, phrase("only_between", number=number, square=named))
    elif (place := board.between(cell, number)) is not None:
        cells, (met, *two) = place, place
        # Name the square of the line that lies between the two numbers. It is often not ``cell`` itself, but
        # the other end of the same line.
        named = square(board.grid, met)
        sentence = phrase("lies_between", square=named, squares=squares(board.grid, two), number=number)
    else:
        sentence = phrase("only_reaches", number=number, square=named)
    return phrase("so_belongs", said=sentence, square=named, number=number), (cell, *cells)


def _cut_off_clause(board: BoardView, group: FindingGroup) -> Clause:
    """Say that a pair would be cut off if an edge were not drawn, and which lines are in the pair's way."""
    a, b = edge_at(board.grid.cols, group.deduction.where)
    number = board.printed(group.cause)
    walls = _wall_numbers(board, group, number)
    parts: dict[str, PhraseTree] = {"step": route(board.grid, (a, b)), "number": number}
    sentence = phrase("cut_off", **parts)
    if len(walls) == 1:
        sentence = phrase("cut_off_by_line", **parts, other=walls[0])
    elif walls:
        sentence = phrase("cut_off_by_lines", **parts, numbers=of_numbers(walls))
    return sentence, (a, b, *board.squares_of(number))


def _with_walls(board: BoardView, group: FindingGroup, own: int, sentence: FilledPhrase) -> FilledPhrase:
    """Add to a sentence which lines are in the way.

    Args:
        own: the number that the sentence is about, so that its own lines are not named; 0 if there is none.
    """
    walls = _wall_numbers(board, group, own)
    if not walls:
        return sentence
    if len(walls) == 1:
        return phrase("with_line_in_the_way", number=walls[0], said=sentence)
    return phrase("with_lines_in_the_way", numbers=of_numbers(walls), said=sentence)


def _wall_numbers(board: BoardView, group: FindingGroup, own: int) -> list[int]:
    """Return the numbers of the drawn lines from which a finding follows, without the number ``own``."""
    drawn = [where for kind, where in group.premises if kind == FindingKind.DRAWN]
    return sorted({board.number(edge_at(board.grid.cols, where)[0]) for where in drawn} - {0, own})


def combine_steps(puzzle: Puzzle, steps: Iterable[Step], most_lines: int = MOST_LINES) -> Iterator[Step]:
    """Combine the steps that a reader can check at a glance into fewer sentences; leave the others alone.

    Args:
        steps: the steps, each after the steps from which it follows.
        most_lines: the maximum number of lines in a sentence. It must not exceed ``MOST_LINES``.
    """
    combiner = _StepCombiner(puzzle, most_lines)
    for combine, alike in groupby(steps, combiner.method_for):
        yield from combine(list(alike))


def _is_bend(sentence: PhraseTree) -> bool:
    """Return whether a sentence gives a single reason: that a line can't bend in a certain way."""
    if not isinstance(sentence, FilledPhrase) or sentence.key not in _SHORT_BEND:
        return False
    reason = dict(sentence.parts)["reasons"]
    return isinstance(reason, FilledPhrase) and reason.key == "if_it_went"


def _keys_in(tree: PhraseTree) -> set[str]:
    key = {tree.key} if isinstance(tree, FilledPhrase) else set()
    return key.union(*map(_keys_in, parts_of(tree)))


class _StepCombiner:
    """Combiner that puts the steps of one board into fewer sentences. It records the lines drawn so far."""

    def __init__(self, puzzle: Puzzle, most_lines: int) -> None:
        self.puzzle, self.grid, self.most_lines = puzzle, puzzle.grid, most_lines
        self.joined: dict[Cell, list[Cell]] = {}
        self.explained_turning = False  # whether a sentence has said that lines must not turn straight back

    def method_for(self, step: Step) -> Callable[[Sequence[Step]], Iterator[Step]]:
        """Return the method that combines steps like this one."""
        if step.drawn and _keys_in(step.sentence) <= _COUNTING_PHRASES:
            return self._counting
        if isinstance(step.sentence, FilledPhrase) and step.sentence.key in ("fork", "fork_of_three"):
            return self._forks
        return self._bends if _is_bend(step.sentence) else self._unchanged

    def _draw(self, steps: Iterable[Step]) -> None:
        for step in steps:
            for a, b in step.drawn:
                self.joined.setdefault(a, []).append(b)
                self.joined.setdefault(b, []).append(a)

    def _unchanged(self, steps: Sequence[Step]) -> Iterator[Step]:
        self._draw(steps)
        yield from steps

    def _counting(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Combine steps that a reader can check by counting the ways out of squares."""
        begin = 0
        while begin < len(steps):
            end = begin + 1
            while end < len(steps) and self._fit(steps[begin : end + 1]):
                end += 1
            self._draw(steps[begin:end])
            is_short = end == begin + 1 and not {"runs", "line_runs"} & _keys_in(steps[begin].sentence)
            yield steps[begin] if is_short else self._counting_step(steps[begin:end])
            begin = end

    def _fit(self, steps: Sequence[Step]) -> bool:
        """Return whether the lines of these steps fit into one sentence."""
        lines = _lines_of(steps)
        nested = self._nested(lines)
        if nested and len(nested) < len(lines) > _MOST_MIXED_LINES:
            return False
        return len(lines) <= self.most_lines and sum(len(corners_of(line)) for line in lines) <= _MOST_SQUARES

    def _counting_step(self, steps: Sequence[Step]) -> Step:
        lines = _lines_of(steps)
        nested = self._nested(lines)
        others = [line for line in lines if line not in nested]
        sentences: list[PhraseTree] = []
        if nested:
            bends = squares(self.grid, self._nested_corner(lines))
            sentences.append(phrase("empty_corner", squares=bends, lines=self._names_of(nested)))
        if others:
            turning = not self.explained_turning and any(
                "not_turn" in _keys_in(step.sentence) for step in steps
            )
            self.explained_turning = self.explained_turning or turning
            key = "ways_out_turning" if turning else "ways_out"
            sentences.append(phrase(key, lines=self._names_of(others)))
        cells = [cell for line in (*nested, *others) for cell in corners_of(line)]
        return _combined(steps, list_of(ListKind.REASONS, sentences), cells)

    def _nested(self, lines: Sequence[list[Cell]]) -> list[list[Cell]]:
        """Return the lines that bend in an empty corner of the board, one inside the other."""
        bends = set(self._nested_corner(lines))
        return [line for line in lines if bends & set(corners_of(line)[1:-1])]

    def _nested_corner(self, lines: Sequence[Sequence[Cell]]) -> list[Cell]:
        """Return the squares on the diagonal from a corner where lines bend inside each other.

        The list is empty if no corner has at least two such bends. If several corners have, the one with the
        most bends is chosen.
        """
        bends = {bend for line in lines for bend in corners_of(line)[1:-1]}
        rows, cols = self.grid.rows, self.grid.cols
        candidates: list[list[Cell]] = []
        for row, down in ((0, 1), (rows - 1, -1)):
            for col, across in ((0, 1), (cols - 1, -1)):
                diagonal = [
                    self.grid.cell(row + down * depth, col + across * depth)
                    for depth in range(min(rows, cols) // 2)
                ]
                length = next(
                    (place for place, cell in enumerate(diagonal) if cell not in bends), len(diagonal)
                )
                candidates.append(diagonal[:length])
        longest = max(candidates, key=len)
        return longest if len(longest) > 1 else []

    def _number_before(self, line: Sequence[Cell]) -> int:
        """Follow the drawn lines backwards from a line's first square; return their number, 0 for none."""
        last, cell = line[1], line[0]
        while cell not in self.puzzle.number_at:
            onward = [to for to in self.joined[cell] if to != last]
            if not onward:
                return 0
            last, cell = cell, onward[0]
        return self.puzzle.number_at[cell]

    def _names_of(self, lines: Iterable[list[Cell]]) -> PhraseTree:
        names: list[PhraseTree] = []
        for line in lines:
            number = self._number_before(line) or self._number_before(line[::-1])
            way = route(self.grid, corners_of(line))
            if number:
                names.append(phrase("number_along", number=number, route=way))
            else:
                names.append(phrase("line_along", route=way))
        return list_of(ListKind.AND, names)

    def _forks(self, steps: Sequence[Step]) -> Iterator[Step]:
        return self._in_batches(steps, min(_MOST_FORKS, self.most_lines), _forks_sentence)

    def _bends(self, steps: Sequence[Step]) -> Iterator[Step]:
        return self._in_batches(steps, _MOST_BENDS, _bends_sentence)

    def _in_batches(
        self, steps: Sequence[Step], most: int, sentence_of: Callable[[Sequence[Step]], PhraseTree]
    ) -> Iterator[Step]:
        self._draw(steps)
        for begin in range(0, len(steps), most):
            some = steps[begin : begin + most]
            yield _combined(some, sentence_of(some)) if len(some) > 1 else some[0]


def _forks_sentence(steps: Sequence[Step]) -> PhraseTree:
    parts = [dict(step.sentence.parts) for step in steps if isinstance(step.sentence, FilledPhrase)]
    each = (phrase("goes", square=fork["square"], way=fork["way"]) for fork in parts)
    # Join the sentences as a list of reasons, because not every language joins sentences by "and".
    return phrase("forks", goes=list_of(ListKind.REASONS, each))


def _bends_sentence(steps: Sequence[Step]) -> PhraseTree:
    bends = list_of(ListKind.REASONS, (_shortened(step.sentence) for step in steps))
    return phrase("inside_bends", bends=bends)


def _shortened(sentence: PhraseTree) -> PhraseTree:
    """Shorten a sentence about a bend: say which ways its square must or can't use, and why."""
    assert isinstance(sentence, FilledPhrase)
    parts = dict(sentence.parts)
    reason = parts["reasons"]
    assert isinstance(reason, FilledPhrase)
    why = dict(reason.parts)["why"]
    if isinstance(why, FilledPhrase) and why.key in ("so_would_inside", "so_would_diagonal"):
        but = dict(why.parts)["but"]
        names_square = why.key == "so_would_inside" and "in_the_way" not in _keys_in(but)
        why = but if names_square else phrase("along_diagonal", **dict(why.parts))
    return phrase(_SHORT_BEND[sentence.key], square=parts["square"], ways=parts["ways"], why=why)


def _combined(steps: Sequence[Step], sentence: PhraseTree, cells: Iterable[Cell] | None = None) -> Step:
    """Combine several steps into one step with the given sentence.

    Args:
        cells: the squares that the sentence names; by default all squares that the steps name.
    """
    hardest = max(steps, key=rung_of)
    if cells is None:
        cells = (cell for step in steps for cell in step.cells)
    named = tuple(dict.fromkeys(cells))
    drawn = tuple(edge for step in steps for edge in step.drawn)
    ruled_out = tuple(edge for step in steps for edge in step.ruled_out)
    return Step(hardest.rung, hardest.technique, named, drawn, ruled_out, sentence)


def _lines_of(steps: Iterable[Step]) -> list[list[Cell]]:
    """Return the lines that steps draw, as lists of squares in the direction in which steps follow them."""
    lines: list[list[Cell]] = []
    ways: set[Edge] = set()
    for step in steps:
        begin = step.cells[0]
        for a, b in step.drawn:
            lines = _with_edge(lines, (a, b))
            if begin not in (a, b):
                begin = step.cells[0]
            ways.add((begin, a + b - begin))
            begin = a + b - begin
    return [line[:: 1 if _along(line, ways) >= _along(line[::-1], ways) else -1] for line in lines]


def _along(line: Iterable[Cell], ways: Container[Edge]) -> int:
    return sum(way in ways for way in pairwise(line))


def _with_edge(lines: list[list[Cell]], ends: Edge) -> list[list[Cell]]:
    """Add an edge to the lines: extend a line, join two of them, or begin a new one."""
    met = [line for line in lines if {line[0], line[-1]} & set(ends)]
    whole: list[Cell] = list(ends)
    for line in met:
        if whole[0] in (line[0], line[-1]):
            whole.reverse()
        whole = [*whole[:-1], *(line if line[0] == whole[-1] else line[::-1])]
    if not met:
        return [*lines, whole]
    return [whole if line is met[0] else line for line in lines if line not in met[1:]]
