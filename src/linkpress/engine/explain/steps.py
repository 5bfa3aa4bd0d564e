"""Explain step by step how a puzzle is solved: a sentence for each step, with the lines that it draws.

The solve to explain is a *climb*: a solve with the ladder of techniques (``engine.ladder``), which always
uses the easiest technique that finds something. ``explain_climb`` explains a whole climb.

``combine_steps`` puts several easy steps into one sentence. A step is easy if a reader sees it at a glance.
For example, a line has only one way out. Or a line turns in a corner of the board, so the line in the square
diagonally next to the corner must turn in the same two directions.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from linkpress.engine.captions import caption_of
from linkpress.engine.explain import clauses
from linkpress.engine.explain.explanation import (
    LONGEST,
    BoardView,
    ExplainedFinding,
    Fact,
    FindingGroup,
    MinimalExplanation,
    in_reading_order,
    refuted_simply,
)
from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    ListKind,
    PhraseTree,
    list_of,
    phrase,
    phrases_in,
    route,
    square,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, FindingKind, Reason
from linkpress.engine.ladder import Climb, Deduction, edge_at, edge_index, rung_of, write
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Puzzle, corners_of, edge

# A sentence that combines several steps describes at most this many lines on the board. With a limit of six
# lines, readers lost their place in the sentences. The limit also affects the size of a page for playing in a
# browser, which contains these sentences. In a test with 60 boards of 10 × 10, such a page had 36 kB with a
# limit of four or six lines, and 53 kB with a limit of one.
_MOST_LINES = 4
# Keys of the phrases that name the end of a line whose number is known.
_NUMBERED_ENDS = {"end_of_number", "end_of_path"}
# Keys of phrases about lines that fill a gap (a narrow place between walls), without naming each line.
_UNCOUNTED_LINES = {"lines_unnamed", "lines_counted", "lines_among"}
# Keys of phrases that say why a line can't turn in a square.
_WAY_FAILS = {"would_turn", "would_join"}
# Several ways through a square may fail for several reasons. Readers find a chain of up to this many findings
# easier to check.
_SHORT_CHAIN = 4
# Keys of the remarks that say why a line can't leave a square in some directions.
_NOT_TAKEN = {"not_meet", "not_loop", "not_turn"}
# Phrases about the edges through which lines can leave a square. If a sentence consists only of these
# phrases, a reader can check it by counting these edges.
_COUNTING_PHRASES = (
    {"one_way_out", "takes_both", "joined", "remarked", "end_of_line"} | _NOT_TAKEN | _NUMBERED_ENDS
)


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence that explains part of a solve, with the lines that it draws.

    Args:
        rung: the place of the step's hardest technique in the list of techniques, counted from 1 for the
            easiest technique; 0 for a mistake in a drawing.
        technique: the name of that technique, or ``mistake``.
        cells: the squares to look at, which are all squares that the sentence names, or the squares of an
            area that it mentions.
        drawn: the edges that the step draws, because every solution has them.
        ruled_out: the edges that the step rules out, because no solution has them.
        sentence: the sentence as a tree of phrase keys, which the package ``words`` turns into text.
        chain: the arrows and crosses of a picture. If the step refutes a supposition, they are the
            supposition and its consequences. If lines need all ways out of an area, they are these ways.
        places: the place of this step in the solve, counted from 0; several places for a combined step.
        needs: the places of the earlier steps from which this step follows.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    sentence: PhraseTree
    chain: tuple[clauses.ChainLink, ...] = ()
    places: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()

    def caption(self, grid: Grid) -> FilledPhrase:
        """Return the short form of the sentence, for readers who see a picture of the step."""
        return caption_of(self.sentence, self.technique, grid)


def explain_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """Explain a climb (a solve with the ladder of techniques) step by step.

    The steps are in the order in which a person would solve the puzzle. Findings are left out if no drawn
    line depends on them.
    """
    return _ClimbExplainer(puzzle, climb.start).steps(MinimalExplanation(puzzle, climb).needed())


class _ClimbExplainer:
    """Explain a climb, which is a solve with the ladder of techniques.

    Each finding is explained on the board as the earlier findings have left it.
    """

    def __init__(self, puzzle: Puzzle, start: Position) -> None:
        self.puzzle, self.cols = puzzle, puzzle.grid.cols
        self.position = start.copy()
        self.board = BoardView(puzzle, self.position, {})

    def steps(self, findings: Sequence[ExplainedFinding]) -> Iterator[Step]:
        place_of: dict[Fact, int] = {}
        count = 0
        for group, remarks in in_reading_order(findings, self.cols, frozenset()):
            closed = [remark for remark in remarks if not self.board.is_closed(*remark.edges[0])]
            if not all(self.board.is_decided(deduction) for deduction in group.deductions):
                # Some reasons are hard to check on the board: that lines fill a gap (a narrow place between
                # walls), if the lines can't be named, and that several ways through a square fail, if they
                # fail for several reasons. So if a chain leads from the opposite of the finding to a
                # contradiction, explain the finding by this chain.
                clause = None if group.findings[0].chain else clauses.clause_of(self.board, group, closed)
                if clause and len(group.findings) == 1 and (longest := _longest_chain_instead(clause[0])):
                    group = refuted_simply(self.board, group, longest)
                step = self._step(group, closed, clause)
                premises = self._premises_on_board(group, closed, place_of)
                needs = sorted({place_of[fact] for fact in premises if fact in place_of})
                yield replace(step, places=(count,), needs=tuple(needs))
                facts = [(int(FindingKind.DRAWN), edge_index(way)) for way in step.drawn]
                facts += [(int(FindingKind.RULED_OUT), edge_index(way)) for way in step.ruled_out]
                facts += [finding.fact for finding in group.findings]
                if group.reason == Reason.CUT_OFF:
                    facts.append((int(FindingKind.NUMBERED), group.edges[0][0]))
                place_of = {**dict.fromkeys(facts, count), **place_of}
                count += 1
            ways = clauses.both_ways(self.board, group, closed)
            deductions = [new for part in (*remarks, group) for new in part.deductions]
            self._write([*deductions, *(Deduction(FindingKind.DRAWN, edge_index(way)) for way in ways)])
            # With the reason CUT_OFF, the sentence says: without this line, the two numbers of a pair could
            # not be joined. So after this sentence, readers know that the line belongs to that pair.
            if group.reason == Reason.CUT_OFF and not self.board.pair_of(group.edges[0][0]):
                self._write([Deduction(FindingKind.NUMBERED, group.edges[0][0], cause=group.cause)])

    def _premises_on_board(
        self, group: FindingGroup, closed: Sequence[FindingGroup], told: Container[Fact]
    ) -> set[Fact]:
        """Return the facts on the present board from which the findings of a group follow.

        A finding is one thing that a solving technique has found out. The findings of a group share a
        sentence.

        The solver may have made these findings in another order than the one in which the steps are shown. So
        the present board may show more than the solver knew. For example, the solver has ruled out an edge,
        but on the present board no line could use this edge anyway, because the lines through one of its two
        squares are complete. Or the present board shows to which number a line belongs, while the solver did
        not know this yet.
        """
        premises = set(group.premises.union(*(remark.premises for remark in closed)))
        if group.reason in clauses.ABOUT_WAYS:
            premises |= self.board.exits_premises(group.cause)
        for remark in closed:
            for cell in remark.edges[0]:
                premises |= self.board.numbering(cell)
        for kind, where in [fact for fact in premises if fact not in told]:
            if kind == FindingKind.RULED_OUT:
                premises |= self.board.closing(*edge_at(self.cols, where))
        return premises

    def _step(
        self, group: FindingGroup, closed: Sequence[FindingGroup], clause: clauses.Clause | None
    ) -> Step:
        """Explain a group of findings by one sentence. A finding is one thing that a technique found out.

        Args:
            closed: earlier findings that some ways are closed. The sentence mentions them in remarks.
            clause: the clause about the group, if it is known already.
        """
        board, refuted = self.board, group.findings[0].chain
        if refuted is None:
            clause = clause or clauses.clause_of(board, group, closed)
            (sentence, cells), picture = clause, clauses.picture_of(board, group, clause)
        else:
            explainer = clauses.ChainExplainer(board)
            reason, named = explainer.clause(refuted)
            key = "so_line_runs" if group.deduction.kind == EdgeState.DRAWN else "so_no_line_runs"
            # If one of the two squares is the end of a line, name it first, because the caption says to which
            # neighbour the line must go on, or can't go on.
            ends = sorted(group.edges[0], key=lambda cell: board.need_of(cell) != 1)
            sentence = phrase(key, said=reason, step=route(board.grid, ends))
            cells, picture = (*group.edges[0], *named), explainer.picture()
            # Usually a picture marks all squares that the sentence names. There are two exceptions. If a
            # number is cut off in an area, mark only this area. Two paths would have to cross if their ends
            # are found in turns along a wall: an end of the first, one of the second, one of the first, one
            # of the second. Then mark the squares along this wall.
            if {"are_cut_off", "both_cross"} & {part.key for part in phrases_in(reason)}:
                cells = named
        ways = dict.fromkeys((*group.edges, *clauses.both_ways(board, group, closed)))
        edges = [way for way in ways if board.state(*way) == EdgeState.OPEN]
        drawn, ruled_out = (edges, []) if group.deduction.kind == FindingKind.DRAWN else ([], edges)
        if group.reason == Reason.FORK and clauses.is_one_way(board, group):
            exits = (edge(group.cause, to) for to in board.exits(group.cause))
            ruled_out = [way for way in exits if way not in drawn]
        ruled_out = [*clauses.edges_of(closed), *ruled_out]
        hardest = max((part.technique for part in (group, *closed)), key=rung_of)
        cells = tuple(dict.fromkeys(cells))
        return Step(hardest.rung, hardest.name, cells, tuple(drawn), tuple(ruled_out), sentence, picture)

    def _write(self, deductions: Sequence[Deduction]) -> None:
        write(self.position, deductions)
        given = {new.where: new.cause for new in deductions if new.kind == FindingKind.NUMBERED}
        self.board = BoardView(self.puzzle, self.position, {**self.board.given, **given})


def _longest_chain_instead(sentence: FilledPhrase) -> int:
    """Return how many findings a chain may have that explains a step better than a sentence.

    The result is 0 if the sentence is better than any chain.
    """
    keys = {part.key for part in phrases_in(sentence)}
    if keys & _UNCOUNTED_LINES or ("can_t_meet" in keys and keys & {"runs_beside", "path_runs_beside"}):
        return LONGEST
    fails = sum(part.key in _WAY_FAILS for part in phrases_in(sentence))
    if "can_t_meet" not in keys or fails < 2:
        return 0
    return _SHORT_CHAIN if fails == 2 else LONGEST


def combine_steps(puzzle: Puzzle, steps: Iterable[Step]) -> Iterator[Step]:
    """Combine steps that a reader can check at a glance into fewer sentences.

    Only steps that follow each other directly are combined. All other steps stay as they are.

    Args:
        steps: the steps, each after the steps from which it follows.
    """
    for counts, alike in groupby(steps, is_counting):
        some = list(alike)
        while some:
            count = 1
            while counts and len(some) > count and len(_lines_of(puzzle, some[: count + 1])) <= _MOST_LINES:
                count += 1
            yield some[0] if count == 1 else counting_step(puzzle, some[:count])
            some = some[count:]


def is_counting(step: Step) -> bool:
    """Return whether a reader can check a step of a solution by looking at one square at a time.

    For each square, it is then enough to count the edges by which a line can still leave the square.
    """
    return bool(step.drawn) and {part.key for part in phrases_in(step.sentence)} <= _COUNTING_PHRASES


def counting_step(puzzle: Puzzle, steps: Sequence[Step]) -> Step:
    grid, lines = puzzle.grid, _lines_of(puzzle, steps)
    drawn = {way for step in steps for way in step.drawn}
    turns = {cell for line, _ in lines for cell in line[1:-1]}
    # Two lines may turn one inside the other: the outer line in a corner of the board, and the inner line in
    # the square diagonally next to that corner. For such lines, the sentence says that the inner line turns
    # inside the outer one. This dict has an entry for each corner of the board in which a line turns: it maps
    # the square diagonally next to the corner to the corner. A corner is left out if the line that turns in
    # it also goes through this square.
    inside: dict[Cell, Cell] = {}
    for corner in turns & {0, grid.cols - 1, grid.size - grid.cols, grid.size - 1}:
        beside = grid.neighbours[corner]
        if drawn.isdisjoint(edge(sum(beside) - corner, to) for to in beside):
            inside[sum(beside) - corner] = corner
    named: list[PhraseTree] = []
    for line, number in lines:
        way = phrase("numbered", square=route(grid, line), number=number) if number else route(grid, line)
        if turn := next((cell for cell in line[1:-1] if cell in inside), None):
            way = phrase("inside_turn", line=way, square=square(grid, inside[turn]))
        named.append(way)
    # On the way, a line may pass squares where another direction still looks open. The sentence of the single
    # step says why the line can't go there. The sentence of the combined step must give these reasons, too.
    reasons = {part.key for step in steps for part in phrases_in(step.sentence)} & _NOT_TAKEN
    alike = {"not_turn": "ways_turn", "not_meet": "ways_meet"}
    key = "way_out" if len(lines) == 1 else "ways_out"
    if reasons:
        key = alike.get(" ".join(reasons), "ways_touch")
    sentence = phrase(key, lines=list_of(ListKind.COMMA, named))
    return combined(steps, sentence, (cell for line, _ in lines for cell in line))


def combined(steps: Sequence[Step], sentence: PhraseTree, cells: Iterable[Cell]) -> Step:
    """Combine several steps into one step that has the given sentence and draws the lines of all steps.

    Args:
        cells: the squares that the sentence names.
    """
    hardest = max(steps, key=rung_of)
    named = tuple(dict.fromkeys(cells))
    drawn = tuple(edge for step in steps for edge in step.drawn)
    ruled_out = tuple(edge for step in steps for edge in step.ruled_out)
    places = tuple(place for step in steps for place in step.places)
    needs = tuple(sorted({place for step in steps for place in step.needs} - set(places)))
    return Step(hardest.rung, hardest.technique, named, drawn, ruled_out, sentence, (), places, needs)


def _lines_of(puzzle: Puzzle, steps: Iterable[Step]) -> list[tuple[list[Cell], PhraseTree | None]]:
    """Return the lines that some steps draw, in the order of the steps. No line depends on a later one.

    A line is given by the squares at its ends and turns, in the order in which the line passes them. It comes
    with the printed number to which it belongs, or with None if the number is unknown.
    """
    lines: list[tuple[list[Cell], PhraseTree]] = []
    for step in steps:
        named = (dict(part.parts) for part in phrases_in(step.sentence) if part.key in _NUMBERED_ENDS)
        number = next((end["number"] for end in named), 0)
        last = {lines[-1][0][0], lines[-1][0][-1]} if lines else set()
        for way in sorted(step.drawn, key=last.isdisjoint):
            line, known = lines.pop() if lines and {*way} & {lines[-1][0][0], lines[-1][0][-1]} else ([], 0)
            if not line:
                line = [step.cells[0] if step.cells[0] in way else way[0]]
            elif line[-1] not in way:
                line.reverse()
            lines.append(([*line, sum(way) - line[-1]], number or known))
    at_end = puzzle.number_at.get
    return [(corners_of(line), number or at_end(line[0]) or at_end(line[-1])) for line, number in lines]
