"""Find out which known facts each finding depends on, and in which order to explain the findings.

A **finding** is one thing that a solving technique finds out about a board.

A **climb** solves a board with a list of techniques, which are ordered from easy to hard. In each round, it
uses the easiest technique that finds something.

A **fact** is something known about a board: an edge that is drawn or ruled out, or the number of the line
through a square. In code, a fact is a pair of numbers: a ``FindingKind``, and the index of the edge or the
cell. If all lines through a square are drawn, the other edges of the square are ruled out. These ruled out
edges are not facts of their own, because they follow from the lines.

The **premises** of a finding are the facts from which the finding follows. ``MinimalExplanation`` repeats a
climb, one finding after the other. It keeps only the findings from which the lines of the solution follow,
directly or through other findings.

Some techniques suppose the opposite of a finding and show that it leads to a contradiction. ``ChainSearch``
looks for a short **chain** of findings from such a supposition to a contradiction. The findings of the chain
are its **links**. The search always records the finding that depends on the fewest earlier links. So the
first contradiction that it comes to has a chain that is short, though not always the shortest.

``in_reading_order`` sorts findings for a reader. A climb takes all findings of the easiest technique at once.
A person instead follows the simple findings as far as they lead, makes one harder finding, and looks again. A
person also finishes one area of the board before the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from heapq import heappop, heappush
from itertools import combinations, count, pairwise, product, takewhile
from operator import attrgetter

from linkpress.engine.kernels import LineView, Position, least_facts
from linkpress.engine.kernels.glossary import ClimbOutcome, Contradiction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.ladder import (
    EASIEST,
    OF_CODE,
    SIMPLE,
    TECHNIQUES,
    Climb,
    Deduction,
    Supposes,
    Technique,
    deductions,
    edge_at,
    edge_index,
    find,
    write,
)
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge

Fact = tuple[int, int]
# A group consists of findings of solving techniques that share a sentence. This type maps the index of each
# group to the indexes of the groups from which the group follows. The inner mapping is used as an ordered
# set, so its values are None.
_Reasons = Mapping[int, Mapping[int, None]]

# Maximum number of findings in a chain that leads from a supposition about a board to a contradiction. None
# of 300 boards had a longer chain.
LONGEST = 400
_FEWEST_FORK_EXITS = 3
_CUT_OFF, _ORDER, _LONG_CHAIN = OF_CODE[Code.CUT_OFF], OF_CODE[Code.ORDER], OF_CODE[Code.LONG_CHAIN]
_HARD = [technique for technique in TECHNIQUES if not technique.simple]
# If the simple techniques show no contradiction after a supposition, these techniques are tried.
_THOROUGH_TECHNIQUES = [hard for hard in _HARD if hard.supposes is Supposes.NOTHING and not hard.untouching]
# For each kind of contradiction that a solving technique can report, the key of the phrase that states it.
_PHRASE_OF_CONTRADICTION: Mapping[int, str] = {
    Contradiction.PAIR_CUT_OFF: "are_cut_off",
    Contradiction.CROSSED: "must_cross",
    Contradiction.UNREACHED: "no_number_reaches",
    Contradiction.UNFILLED: "can_t_fill",
}
# The technique ``order`` finds that two paths would have to cross, because their ends alternate along a
# wall. On a board with more than ``_EASY_TO_SURVEY`` squares, such ends are hard to find. So there, a chain
# of simple findings is preferred, if it has fewer than ``_FEWER_THAN_ORDER`` links.
_EASY_TO_SURVEY, _FEWER_THAN_ORDER = 49, 14
# To refute a supposition, a second supposition may be needed inside it. If several inner suppositions fail,
# at most this many of them are explained, to find the shortest explanation. Those that fail after the fewest
# rounds come first.
_INNER_CHAINS = 3
# If several suppositions fail, up to ``_MOST_COMPARED`` of them are compared to find the shortest
# explanation. The comparison begins with the suppositions that fail after the fewest rounds. On boards with
# more than ``_ALL_COMPARED_SQUARES`` squares, fewer are compared, because a single search may then take long.
_MOST_COMPARED, _ALL_COMPARED_SQUARES = 12, 400
# Some deductions were made by supposing the opposite, and solving on until a contradiction appeared. For such
# a deduction, this function returns the number of rounds until the contradiction, which is stored in the
# deduction's field ``cause``.
_ROUNDS = attrgetter("cause")
# If a technique has several findings, one that draws a line is explained first. The second choice is a
# finding that gives a number to a square.
_PREFERRED_KINDS = (FindingKind.DRAWN, FindingKind.NUMBERED, FindingKind.RULED_OUT)
# Before a finding is explained, these techniques are tried. They may explain it in an easier way than the
# technique by which it was found. All other techniques would take too long.
_RETRIED = [hard for hard in _HARD if hard.supposes in (Supposes.NOTHING, Supposes.SIMPLY)]
# If a solving technique gives one of these reasons for a finding, the finding only rules out an edge. It
# gets no sentence of its own. It is mentioned in a remark, in the sentence about a later finding that
# depends on it.
_REMARKS = {Reason.CLASH, Reason.LOOP, Reason.TURNS_BACK, Reason.BESIDE_ITSELF}
# Findings with these reasons share a sentence if they are about the same square and were made at
# the same time.
_ABOUT_A_SQUARE = {Reason.ALL_EXITS, Reason.EVERY_WAY_USES, Reason.NO_WAY_USES}


class BoardView(LineView):
    """Read-only view of what is known about a board at one moment, in terms of lines and squares.

    Args:
        position: the known edges and numbers. They may contradict each other.
        given: maps squares to pairs of numbers. A technique has deduced that the line through the square
            belongs to the pair, but the line may not be joined to a printed number yet. A pair is identified
            by 1 + the index of its first cell.
    """

    def __init__(self, puzzle: Puzzle, position: Position, given: Mapping[Cell, int]) -> None:
        super().__init__(position, list(given))
        self.puzzle, self.grid, self.given, self.position = puzzle, puzzle.grid, given, position

    def exits_of(self, cell: Cell, edges: Iterable[Edge]) -> list[Cell]:
        """Return the neighbours that a line can still reach from a square by one of the given edges.

        Edges that are already drawn or ruled out are left out.
        """
        return [a + b - cell for a, b in edges if self.state(a, b) == EdgeState.OPEN]

    def holds(self, fact: Fact) -> bool:
        kind, where = fact
        if kind == FindingKind.NUMBERED:
            return self.pair_of(where) != 0
        return self.edge_state(where) == kind

    def is_decided(self, deduction: Deduction) -> bool:
        """Return whether the edge or the square of a deduction is already decided, so it tells nothing new.

        Args:
            deduction: the deduction. If it is about an edge, the edge is decided once it is drawn or ruled
                out. If it is about a square, the square is decided once the number of its line is known.
        """
        if deduction.kind == FindingKind.NUMBERED:
            return self.pair_of(deduction.where) != 0
        return self.edge_state(deduction.where) != EdgeState.OPEN

    def drawn(self, way: list[Cell]) -> set[Fact]:
        return {(FindingKind.DRAWN, edge_index(edge(a, b))) for a, b in pairwise(way)}

    def printed(self, number: int) -> int:
        return self.puzzle.number_at[number - 1]

    def squares_of(self, number: int) -> tuple[Cell, ...]:
        return tuple(cell for cell, printed in self.puzzle.number_at.items() if printed == number)

    def number(self, cell: Cell) -> int:
        """Return the printed number to which the line through a square belongs; 0 if it is unknown."""
        pair = self.pair_of(cell)
        return self.printed(pair) if pair else 0

    def crossing(self, number: int) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
        """Find two pairs whose squares alternate along a wall, so that their paths would have to cross.

        A wall is a connected set of sides of cells that no line can cross.

        The walls are always those of the present ``position``, even if it was changed after this object was
        made.

        Args:
            number: the printed number of one of the two pairs.
        Returns:
            Four different squares in the order of the wall, and all squares beside this wall. The first and
            the third square belong to ``number``, and the second and the fourth to another number. Two empty
            tuples if there are no such squares.
        """
        for walk in self.position.walks():
            met = [cell for cell in walk if self.pair_of(cell)]
            numbered = [index for index, cell in enumerate(met) if self.number(cell) == number]
            for first, third in combinations(numbered, 2):
                inside, outside = met[first:third], met[third:] + met[:first]
                for second, fourth in product(inside, outside):
                    ends = met[first], second, met[third], fourth
                    if self.number(second) == self.number(fourth) != number and len(set(ends)) == len(ends):
                        return ends, tuple(walk)
        return (), ()


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """Contradiction at the end of a chain of findings that begins with a supposition.

    Args:
        phrase: the key of the phrase that states the contradiction.
        cells: the squares that the phrase names.
        facts: the facts that contradict each other.
        numbers: the printed numbers that the phrase names.
    """

    phrase: str
    cells: tuple[Cell, ...]
    facts: frozenset[Fact]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """Findings that lead from a supposition about a board to a contradiction.

    Args:
        supposed: the edge that is supposed to be drawn or ruled out.
        links: the findings that lead to the contradiction, each after the findings from which it follows.
        end: the contradiction.
        premises: the facts that were known before the supposition and that the chain needs.
    """

    supposed: Fact
    links: tuple[ExplainedFinding, ...]
    end: ChainEnd
    premises: frozenset[Fact]

    @property
    def weight(self) -> int:
        return len(self.links) + sum(link.chain.weight for link in self.links if link.chain)


@dataclass(eq=False)
class ExplainedFinding:
    """Finding of a solving technique, with its premises: the facts from which the finding follows.

    Args:
        board: the board as it was when the finding was made.
        find_premises: the function that finds the premises. It is slow, so it runs only when the premises are
            needed.
        chain: the chain of findings from the opposite of this finding to a contradiction; None if the
            technique supposed nothing.
    """

    technique: Technique
    deduction: Deduction
    board: BoardView
    find_premises: Callable[[], frozenset[Fact]]
    chain: Chain | None = None

    def __post_init__(self) -> None:
        self.fact: Fact = self.deduction[:2]
        # If the finding that is explained says to which pair a line belongs, this is the pair, as 1 + the
        # index of the pair's first cell. It is 0 if the finding is about an edge.
        self.number = self.deduction.cause if self.deduction.kind == FindingKind.NUMBERED else 0

    @cached_property
    def premises(self) -> frozenset[Fact]:
        return self.find_premises()


@dataclass(frozen=True)
class KnownFacts:
    """All facts that are known about a board.

    Args:
        start: the position before any of the facts were found.
        numbers: the facts in the order in which they were found. Each is mapped to the number that it gives
            to a square, or to 0 if it is about an edge.
    """

    puzzle: Puzzle
    start: Position
    numbers: Mapping[Fact, int]

    @property
    def given(self) -> dict[Cell, int]:
        """Map each square for which a technique has deduced a pair of numbers to this pair.

        The line through the square belongs to that pair, even if it is not joined to a printed number yet. A
        pair is identified by 1 + the index of its first cell.
        """
        return {fact[1]: number for fact, number in self.numbers.items() if number}

    @cached_property
    def resulting_position(self) -> Position:
        """Position that results from ``start`` when all facts of this object are written onto it.

        A fact is a drawn edge, an edge that is ruled out, or the number of a line.

        The position is computed only once, and all callers get the same object. So copy it before you change
        it.
        """
        position = self.start.copy()
        write(position, (Deduction(*fact, cause=self.numbers[fact]) for fact in sorted(self.numbers)))
        return position

    def premises_of(self, technique: Technique, sought: Deduction, line: Sequence[Cell]) -> frozenset[Fact]:
        """Return a minimal set of known facts from which a technique still makes the deduction ``sought``.

        Facts are left out one by one, the newest first, as long as the technique still makes the deduction.

        Args:
            sought: the deduction. Instead of a deduction, the technique may also report a contradiction. To
                find the facts from which this follows, pass a deduction whose ``where`` is the place of the
                contradiction, and whose ``reason`` is its kind.
            line: the squares of the line to which the deduction gives a number. If the deduction is about an
                edge, the two squares of the edge. Empty for a contradiction.
        """
        # A fact about a number is true for a whole line, so the drawn edges of the line must be written onto
        # the board before the number. Sorting the facts puts edges before numbers.
        facts = sorted(self.numbers)
        index = {fact: place for place, fact in enumerate(facts)}
        flat = [number for fact in facts for number in (*fact, self.numbers[fact])]
        order = [index[fact] for fact in list(self.numbers)[::-1]]
        cols, on_line = self.puzzle.grid.cols, set(line)
        drawn = (fact for fact in self.numbers if fact[0] == FindingKind.DRAWN)
        kept = [index[fact] for fact in drawn if on_line.issuperset(edge_at(cols, fact[1]))]
        left = least_facts(self.start, flat, order, kept, technique.code, list(sought), list(line))
        return frozenset([facts[place] for place in left])


class ChainSearch:
    """Search for a short chain of findings that leads from one supposition to a contradiction.

    Args:
        known: the facts that are known without the supposition.
        technique: the technique that refuted the supposition.
        supposed: the supposition: a certain open edge is drawn, or it is ruled out.
        below: only chains with fewer links than this number are accepted.
    """

    def __init__(self, known: KnownFacts, technique: Technique, supposed: Fact, below: int = LONGEST) -> None:
        self.known, self.technique, self.supposed, self.below = known, technique, supposed, below
        self.given = known.given
        self.position = known.resulting_position.copy()
        self.board = self._current_board()
        # Maps each fact that follows from the supposition to the finding that states it, in the order in
        # which they were recorded.
        self.derived: dict[Fact, ExplainedFinding] = {}
        # For each fact (drawn edge, ruled-out edge, or number) derived from the supposition: all derived
        # facts on which it depends, including the fact itself.
        self.links_of: dict[Fact, frozenset[Fact]] = {}
        # Heap of the findings of solving techniques that must still be recorded. Each entry has four items:
        # 1. The number of facts in item 4.
        # 2. A counter to break ties.
        # 3. The finding.
        # 4. The facts on which the finding depends and that were derived from the supposition.
        self.queue: list[tuple[int, int, ExplainedFinding, frozenset[Fact]]] = []
        self.counter = count()
        # The shortest chain so far from the supposition to a contradiction, as three values:
        # 1. The contradiction.
        # 2. The findings that lead to the contradiction.
        # 3. The finding that could not be added to the board because of the contradiction. None if a
        #    technique reported the contradiction.
        self.best: tuple[ChainEnd, frozenset[Fact], ExplainedFinding | None] | None = None
        self._enqueue(_finding(frozenset(), EASIEST, Deduction(*supposed), self.board))

    def chain(self) -> Chain | None:
        """Return a short chain of findings from the supposition to a contradiction; None if none is found."""
        if self.technique is _ORDER:
            # The technique ``order`` looks for a contradiction soon after the supposition. So first
            # record only the supposition, which depends on no other finding, and its direct
            # consequences, which depend on the supposition alone.
            self._record_queue(below=2)
            self._look_for_contradiction(_ORDER)
        self._record_queue(LONGEST)
        while not (self.best or self.queue):
            if not (self._find_thoroughly() or self._suppose_inside()):
                break
            self._record_queue(LONGEST)
        return self._chain_to(*self.best) if self.best else None

    def _current_board(self) -> BoardView:
        return BoardView(self.known.puzzle, self.position, dict(self.given))

    def _enqueue(self, finding: ExplainedFinding) -> None:
        links = self._links(finding.premises)
        heappush(self.queue, (len(links), next(self.counter), finding, links))

    def _links(self, facts: Iterable[Fact]) -> frozenset[Fact]:
        return frozenset().union(*(self.links_of[fact] for fact in facts if fact in self.links_of))

    def _record_queue(self, below: int) -> None:
        """Record findings from the queue, as long as they depend on fewer than ``below`` other findings.

        A finding is one thing that a solving technique finds out. The findings that depend on the fewest
        others are recorded first.
        """
        while self.queue and self.queue[0][0] < min(below, self.below):
            _, _, finding, links = heappop(self.queue)
            # A fork is a square from which a line could go on through at least ``_FEWEST_FORK_EXITS`` edges.
            # If some of these edges were ruled out after the finding was made, so that fewer are left, the
            # finding is out of date.
            is_fork, square = finding.deduction.reason == Reason.FORK, finding.deduction.cause
            out_of_date = is_fork and len(self.board.exits(square)) < _FEWEST_FORK_EXITS
            if not out_of_date and not self.board.holds(finding.fact):
                self._record(finding, links)

    def _record(self, finding: ExplainedFinding, links: frozenset[Fact]) -> None:
        kind, where, _, cause = finding.deduction
        if not write(self.position, [finding.deduction]):
            self._record_contradiction(finding, links)
            return
        self.derived[finding.fact], self.links_of[finding.fact] = finding, links | {finding.fact}
        if kind == FindingKind.NUMBERED:
            self.given[where] = cause
        self.board = self._current_board()
        for deduction in deductions(self.position.find_simply()):
            premises = self.board.simple_premises(*deduction[1:])
            self._enqueue(_finding(premises, EASIEST, deduction, self.board))
        looks_far = self.technique.supposes is not Supposes.NOTHING and self.technique.depth != 1
        if looks_far and self.best is None:
            self._look_for_contradiction(_CUT_OFF)

    def _record_contradiction(self, finding: ExplainedFinding, links: frozenset[Fact]) -> None:
        """Keep a contradiction if the chain of findings that leads to it is the shortest so far.

        Otherwise forget it. In both cases, undo the finding that caused the contradiction, so that the search
        can continue. A finding is one thing that a solving technique finds out after the supposition.
        """
        end = contradiction_of(self.board, self.position, finding.deduction)
        all_links = links | self._links(end.facts) | {finding.fact}
        if len(all_links) < self.below:
            self.best, self.below = (end, all_links, finding), len(all_links)
        self.position = self.known.resulting_position.copy()
        write(self.position, (self.derived[fact].deduction for fact in sorted(self.derived)))

    def _facts_so_far(self) -> KnownFacts:
        derived = {fact: finding.number for fact, finding in self.derived.items()}
        return replace(self.known, numbers={**self.known.numbers, **derived})

    def _look_for_contradiction(self, technique: Technique) -> None:
        if self.position.find_with(technique.code) is None:
            self._record_reported(technique)

    def _record_reported(self, technique: Technique) -> None:
        """Record the contradiction that a technique has just reported.

        The chain of findings that leads from the supposition to this contradiction is the best one, until a
        shorter chain is found.
        """
        contradiction, place = self.position.contradiction()
        premises = self._facts_so_far().premises_of(technique, Deduction(0, place, contradiction), ())
        links = self._links(premises)
        end = _reported_contradiction(self.board, contradiction, place, premises)
        self.best, self.below = (end, links, None), len(links)

    def _find_thoroughly(self) -> bool:
        """Look for findings with the techniques that are not simple, beginning with the easiest of them.

        A technique is simple if the facts from which its findings follow can be read off the board directly.

        Returns:
            Whether a technique has made findings or reported a contradiction.
        """
        if self.technique.supposes is not Supposes.THOROUGHLY:
            return False
        for technique in _THOROUGH_TECHNIQUES:
            findings = find(self.position, technique)
            if findings is None:
                self._record_reported(technique)
                return True
            direct = [deduction for deduction in findings if deduction.reason != Reason.REFUTED]
            for deduction in direct:
                self._enqueue(_found_by_looking(self._facts_so_far(), technique, deduction, self.board))
            if direct:
                return True
        return False

    def _suppose_inside(self) -> bool:
        """Look for findings that need a second supposition, made in addition to the present one.

        If a second supposition leads to a contradiction, its opposite is a finding. Nothing is done if the
        technique makes only one supposition at a time.

        Returns:
            Whether any second supposition leads to a contradiction.
        """
        if self.technique.supposes is not Supposes.TWICE:
            return False
        refuted = find(self.position, _LONG_CHAIN) or []
        for deduction in sorted(refuted, key=_ROUNDS)[:_INNER_CHAINS]:
            finding = _found_by_supposing(self._facts_so_far(), _LONG_CHAIN, deduction, self.board)
            if finding is not None:
                self._enqueue(finding)
        return bool(refuted)

    def _chain_to(self, end: ChainEnd, links: frozenset[Fact], last: ExplainedFinding | None) -> Chain:
        derived = [*self.derived.values(), *([last] if last else [])]
        needed = tuple(link for link in derived if link.fact in links and link.fact != self.supposed)
        facts = set(end.facts).union(*(link.premises for link in needed))
        return Chain(self.supposed, needed, end, frozenset(facts - links - {self.supposed}))


def _finding(
    premises: frozenset[Fact], technique: Technique, deduction: Deduction, board: BoardView
) -> ExplainedFinding:
    return ExplainedFinding(technique, deduction, board, lambda: premises)


def _found_by_looking(
    known: KnownFacts, technique: Technique, deduction: Deduction, board: BoardView
) -> ExplainedFinding:
    """Explain a finding of a technique that looks at the board without supposing anything."""
    if deduction.kind == FindingKind.NUMBERED:
        line = board.line(deduction.where)
    else:
        line = list(edge_at(board.grid.cols, deduction.where))
    find_premises = partial(known.premises_of, technique, deduction, line)
    return ExplainedFinding(technique, deduction, board, find_premises)


def _found_by_supposing(
    known: KnownFacts, technique: Technique, deduction: Deduction, board: BoardView, below: int = LONGEST
) -> ExplainedFinding | None:
    """Explain a finding by contradiction: suppose the opposite, and show where that leads.

    The explanation is a chain of findings. It begins with the supposition, and ends with a contradiction.

    Args:
        below: the chain must have fewer links than this.
    Returns:
        The explained finding; None if no chain is short enough.
    """
    opposite = EdgeState.RULED_OUT if deduction.kind == EdgeState.DRAWN else EdgeState.DRAWN
    chain = ChainSearch(known, technique, (int(opposite), deduction.where), below).chain()
    if chain is None:
        return None
    return ExplainedFinding(technique, deduction, board, lambda: chain.premises, chain)


def contradiction_of(board: BoardView, position: Position, deduction: Deduction) -> ChainEnd:
    """Return the contradiction that came up when a deduction was added to a board.

    Args:
        board: the board before the deduction was added.
        position: the state of the board after the attempt to add it.
    """
    if deduction.kind == FindingKind.NUMBERED:
        return _number_contradiction(board, deduction.where, deduction.cause)
    changed = BoardView(board.puzzle, position, board.given)
    return _edge_contradiction(changed, position.contradiction()[1], deduction[:2])


def _edge_contradiction(board: BoardView, place: int, attempted: Fact) -> ChainEnd:
    """Explain the contradiction at an edge that can be neither drawn nor ruled out.

    Args:
        board: the board on which the edge has its new state, but the lines at its ends are not joined yet.
        place: the number by which the kernels, the fast parts of the engine, refer to the edge.
        attempted: the fact (a drawn edge, an edge that is ruled out, or a number) that was being added to the
            board when the contradiction came up. It may be about another edge.
    """
    a, b = edge_at(board.grid.cols, place)
    if attempted[1] == place and not board.holds(attempted):
        facts = board.drawn([a, b]) if board.state(a, b) == EdgeState.DRAWN else board.closing(a, b)
        return ChainEnd("must_and_can_t", (a, b), frozenset(facts))
    if board.edge_state(place) == EdgeState.DRAWN:
        return _joining_contradiction(board, a, b)
    for cell in (a, b):
        if len(board.exits(cell)) < board.need_of(cell):
            return ChainEnd("no_way_out", (cell,), frozenset(board.exits_premises(cell)))
    facts = board.numbering(a) | board.numbering(b) | board.closing(a, b)
    return ChainEnd("runs_beside", (a, b), frozenset(facts), numbers=(board.number(a),))


def _joining_contradiction(board: BoardView, a: Cell, b: Cell) -> ChainEnd:
    """Explain why the lines at the two ends of a drawn edge can't be joined."""
    step = edge_index(edge(a, b))
    facts = board.drawn([a, b])
    way = board.way(a, [b], step)
    if way:
        return ChainEnd("loop_closes", (a, b), frozenset(facts | board.drawn(way)))
    pairs = board.pair_of(a), board.pair_of(b)
    if all(pairs) and pairs[0] != pairs[1]:
        facts |= board.numbering(a, step) | board.numbering(b, step)
        numbers = tuple(board.printed(pair) for pair in pairs)
        return ChainEnd("meets", (a, b), frozenset(facts), numbers=numbers)
    beside = board.beside_itself(a, b)
    if beside is not None:
        return ChainEnd("runs_beside", beside[0], facts | beside[1])
    for end in (a, b):
        facts |= board.drawn(board.way(end, list(board.puzzle.number_at), step))
    facts |= {(FindingKind.NUMBERED, cell) for cell in board.given}
    return ChainEnd("left_over", (a, b), frozenset(facts), numbers=(board.number(a) or board.number(b),))


def _number_contradiction(board: BoardView, cell: Cell, number: int) -> ChainEnd:
    """Explain why the line through a square can't belong to a certain number.

    Args:
        number: the number, given as 1 + the index of the first square in which it is printed.
    """
    printed = board.printed(number)
    if board.pair_of(cell):
        numbers = (board.number(cell), printed)
        return ChainEnd("two_numbers", (cell,), frozenset(board.numbering(cell)), numbers=numbers)
    for here in board.line(cell):
        for to in board.grid.neighbours[here]:
            if board.pair_of(to) == number and board.state(here, to) != EdgeState.OPEN:
                facts = board.numbering(to) | board.drawn(board.way(cell, [here])) | board.closing(here, to)
                return ChainEnd("runs_beside", (here, to), frozenset(facts), numbers=(printed,))
    first, last = board.squares_of(printed)
    facts = board.drawn(board.way(first, [last]))
    return ChainEnd("left_over", (cell,), frozenset(facts), numbers=(printed,))


def _reported_contradiction(
    board: BoardView, contradiction: int, place: int, premises: frozenset[Fact]
) -> ChainEnd:
    phrase = _PHRASE_OF_CONTRADICTION.get(contradiction, "square_left")
    if contradiction not in (Contradiction.PAIR_CUT_OFF, Contradiction.CROSSED):
        return ChainEnd(phrase, (place,), premises)
    if not place:
        return ChainEnd("square_left", (), premises)
    number = board.printed(place)
    return ChainEnd(phrase, board.squares_of(number), premises, (number,))


class MinimalExplanation:
    """Search for the findings on which the lines drawn in a solve really depend.

    A solver usually makes more findings than needed. This class repeats a climb, which is a solve with the
    ladder of techniques, one finding at a time. It finds out from which facts each finding follows.
    """

    def __init__(self, puzzle: Puzzle, climb: Climb) -> None:
        self.puzzle, self.climb = puzzle, climb
        self.position = climb.start.copy()
        self.findings: dict[Fact, ExplainedFinding] = {}
        # All facts known so far: drawn edges, edges that are ruled out, and numbers of squares. Each is
        # mapped to the number that it gives to a square, or to 0 if it is about an edge.
        self.numbers: dict[Fact, int] = {}

        # The puzzle is already solved. The solution consists of findings: each is one thing that a technique
        # found out, such as an edge that must be drawn. To find out why each finding is true, this object
        # applies all findings again, one by one, to its own copy of the board. This queue has the findings
        # that are still to be applied. The solver applied its techniques in rounds, so each finding stands
        # beside the round in which it was found.
        self.pending = deque((round_, found) for round_ in climb.rounds for found in climb.found_in(round_))

    def needed(self) -> list[ExplainedFinding]:
        """Repeat the whole solve, and return the findings on which its drawn lines depend.

        The findings that draw these lines are included, and all other findings are left out. Each finding
        comes after the findings from which it follows. If the solver has not finished the board, all of its
        findings are returned.
        """
        while self._find_simple() or self._find_next():
            pass
        finished = self.climb.outcome is ClimbOutcome.FINISHED
        used = {fact for fact in self.findings if fact[0] == FindingKind.DRAWN or not finished}
        needed: list[ExplainedFinding] = []
        for fact, finding in reversed(self.findings.items()):
            if fact in used:
                used |= finding.premises
                needed.append(finding)
        return needed[::-1]

    def _find_simple(self) -> bool:
        """Record all findings of the easiest simple technique that finds something.

        A technique is simple if the facts from which its findings follow can be read off the board directly.
        Return whether any simple technique finds something.
        """
        for technique in SIMPLE:
            found = find(self.position, technique)
            if found:
                board = self._current_board()
                # A fork is a square at which a line could go on in several directions. Most findings about
                # forks are replaced by simpler findings later. So record a finding about a fork only if there
                # are no other findings.
                chosen = [new for new in found if new.reason != Reason.FORK] or found[:1]
                return self._record(
                    [_finding(board.simple_premises(*new[1:]), technique, new, board) for new in chosen]
                )
        return False

    def _find_next(self) -> bool:
        """Record the next finding to explain, if no simple technique finds anything.

        A technique is simple if the facts from which its findings follow can be read off the board directly.

        The solver's findings about edges and squares that are not decided yet are taken in the order of its
        rounds. Sometimes a technique that is easier than the solver's also finds something. Then the finding
        of the easier technique is recorded instead. If several findings share a sentence, all of them are
        recorded. Return whether anything was recorded.
        """
        board = self._current_board()
        while self.pending and board.is_decided(self.pending[0][1]):
            self.pending.popleft()
        if not self.pending:
            return False
        first = self.pending[0][0]
        for technique in _RETRIED:
            if technique.rung < first.technique.rung and (found := find(self.position, technique)):
                return self._record(self._shortest_of(technique, found, board))
        of_round = takewhile(lambda pending: pending[0] is first, self.pending)
        open_yet = [deduction for _, deduction in of_round if not board.is_decided(deduction)]
        return self._record(self._shortest_of(first.technique, open_yet, board))

    def _shortest_of(
        self, technique: Technique, found: Sequence[Deduction], board: BoardView
    ) -> list[ExplainedFinding]:
        """Choose the finding with the shortest explanation; return all findings that share its sentence.

        A finding that needs no supposition is preferred. Among other findings, the one with the shortest
        chain from a supposition to a contradiction is chosen.

        Args:
            found: the deductions that the technique made in the present round of the solve.
            board: the board before these deductions.
        """
        known = KnownFacts(self.puzzle, self.climb.start, dict(self.numbers))
        direct = [deduction for deduction in found if deduction.reason != Reason.REFUTED]
        if direct:
            best = min(direct, key=lambda deduction: _PREFERRED_KINDS.index(deduction.kind))
            alike = [best]
            if best.reason in _ABOUT_A_SQUARE:
                alike = [new for new in direct if new._replace(where=best.where) == best]
            return [_found_by_looking(known, technique, deduction, board) for deduction in alike]
        squares = max(self.puzzle.grid.size, _ALL_COMPARED_SQUARES)
        compared = max(1, _MOST_COMPARED * _ALL_COMPARED_SQUARES // squares)
        searches = [(technique, LONGEST)]
        if technique is _ORDER and self.puzzle.grid.size > _EASY_TO_SURVEY:
            searches.insert(0, (_LONG_CHAIN, _FEWER_THAN_ORDER))
        for search, below in searches:
            shortest = None
            for deduction in sorted(found, key=_ROUNDS)[:compared]:
                finding = _found_by_supposing(known, search, deduction, board, below)
                if finding is not None and finding.chain is not None:
                    shortest, below = replace(finding, technique=technique), 1 + finding.chain.weight
            if shortest:
                return [shortest]
        return []

    def _record(self, findings: Sequence[ExplainedFinding]) -> bool:
        for finding in findings:
            self.findings.setdefault(finding.fact, finding)
            self.numbers[finding.fact] = self.findings[finding.fact].number
        return bool(findings) and write(self.position, (finding.deduction for finding in findings))

    def _current_board(self) -> BoardView:
        given = {where: number for (_, where), number in self.numbers.items() if number}
        return BoardView(self.puzzle, self.position, given)


class FindingGroup:
    """Findings of solving techniques that share one sentence of the explanation.

    Args:
        findings: a single finding; or findings about one square that have the same reason and were made at
            the same time.
    Attributes:
        premises: the facts from which the findings follow, without the findings themselves.
        edges: the edges that the findings are about, in the order of the findings.
        cells: the squares that the findings are about.
        deduction: the deduction of the first finding.
        is_remark: whether the group only rules out an edge. Such a group has no sentence of its own, but is
            mentioned in the sentence that depends on it.
    """

    def __init__(self, findings: Sequence[ExplainedFinding], cols: int) -> None:
        facts = [finding.fact for finding in findings]
        self.findings = findings
        self.premises = findings[0].premises.union(*[finding.premises for finding in findings[1:]]) - {*facts}
        self.edges = [edge_at(cols, where) for kind, where in facts if kind != FindingKind.NUMBERED]
        numbered = [where for kind, where in facts if kind == FindingKind.NUMBERED]
        self.cells = frozenset(numbered).union(*self.edges)
        self.deductions = [finding.deduction for finding in findings]
        self.technique, self.deduction = findings[0].technique, self.deductions[0]
        self.reason, self.cause = self.deduction.reason, self.deduction.cause
        self.is_remark = self.reason in _REMARKS


def refuted_simply(board: BoardView, group: FindingGroup, longest: int) -> FindingGroup:
    """Try to explain a finding by supposing its opposite, and following simple findings to a contradiction.

    Args:
        longest: the maximum number of findings in this chain.
    Returns:
        A group with the same finding, which is now explained by this chain of simple findings. The given
        group if there is no such chain.
    """
    numbers = {(int(FindingKind.NUMBERED), cell): pair for cell, pair in board.given.items()}
    known = KnownFacts(board.puzzle, board.position, numbers)
    found = _found_by_supposing(known, _LONG_CHAIN, group.deduction, board, longest + 1)
    return FindingGroup([replace(found, technique=group.technique)], board.grid.cols) if found else group


def in_reading_order(
    findings: Sequence[ExplainedFinding], cols: int, near: frozenset[Cell]
) -> Iterator[tuple[FindingGroup, list[FindingGroup]]]:
    """Sort findings of solving techniques into the order in which a reader can follow them.

    Args:
        findings: findings, each after the findings from which it follows.
        cols: the number of columns of the board.
        near: squares near which to begin; empty to begin anywhere.
    Returns:
        Each group of findings that gets a sentence of its own, with a list of further groups. The sentence
        mentions these further groups in passing, as remarks.
    """
    pending = dict(enumerate(_grouped(findings, cols)))
    of_fact = {finding.fact: index for index, group in pending.items() for finding in group.findings}
    reasons = {
        index: dict.fromkeys([of_fact[fact] for fact in sorted(group.premises) if fact in of_fact])
        for index, group in pending.items()
    }
    waits = _sentences_before(pending, reasons)
    while pending:
        ready = [index for index, others in waits.items() if pending.keys().isdisjoint(others)]
        if not ready:
            ready = [index for index in pending if not reasons[index].keys() & pending.keys()]
        chosen = ready[0] if len(ready) == 1 else _nearest(pending, ready, near, cols)
        group, remarks = pending[chosen], _pending_reasons(chosen, pending, reasons)
        around = group.cause if group.reason == Reason.ALL_EXITS else None
        alone = [index for index in remarks if around not in pending[index].cells]
        yield from ((pending[index], []) for index in alone)
        yield group, [pending[index] for index in remarks if index not in alone]
        for done in (*remarks, chosen):
            del pending[done]
            waits.pop(done, None)
        near = group.cells


def _sentences_before(groups: Mapping[int, FindingGroup], reasons: _Reasons) -> dict[int, set[int]]:
    """Map each group of findings that gets a sentence to the groups that must be explained before it.

    A finding is one thing that a solving technique finds out. Some groups get no sentence of their own, but
    are mentioned as a remark in another group's sentence. All groups on which the remark depends must be
    explained before that sentence.
    """
    waits: dict[int, set[int]] = {}
    of_remark: dict[int, set[int]] = {}
    # A remark is a group of findings that gets no sentence of its own. In ``groups``, every group comes after
    # the groups on which it depends. So when the loop comes to a group, ``of_remark`` already has an entry
    # for each remark on which the group depends.
    for index, group in groups.items():
        before: set[int] = set()
        for reason in reasons[index]:
            before |= of_remark[reason] if groups[reason].is_remark else {reason}
        (of_remark if group.is_remark else waits)[index] = before
    return waits


def _grouped(findings: Sequence[ExplainedFinding], cols: int) -> list[FindingGroup]:
    groups: dict[tuple[int, ...], list[ExplainedFinding]] = {}
    for index, finding in enumerate(findings):
        kind, _, reason, cause = finding.deduction
        key = (reason, kind, cause, id(finding.board)) if reason in _ABOUT_A_SQUARE else (index,)
        groups.setdefault(key, []).append(finding)
    return [FindingGroup(group, cols) for group in groups.values()]


def _pending_reasons(chosen: int, pending: Mapping[int, FindingGroup], reasons: _Reasons) -> list[int]:
    """Return the indexes of the groups of findings to explain before the group with the index ``chosen``.

    These are all groups in ``pending`` on which the chosen group depends, directly or through other groups in
    ``pending``. Each group comes after the groups on which it depends. A finding is one thing that a solving
    technique found out. The findings of a group share a sentence.
    """
    before: dict[int, None] = {}
    for reason in reasons[chosen]:
        if reason in pending:
            before |= dict.fromkeys((*_pending_reasons(reason, pending, reasons), reason))
    return list(before)


def _nearest(pending: Mapping[int, FindingGroup], ready: list[int], near: frozenset[Cell], cols: int) -> int:
    """Choose the group of findings to explain next, and return its index, which is one of ``ready``.

    A technique is simple if the facts from which its findings follow can be read off the board directly.
    Groups whose technique is simple are preferred. If there are none, the groups with the easiest technique
    are preferred. Of several such groups, the nearest to the squares in ``near`` is chosen. If several are
    equally near, the first in the order of the squares on the board is chosen.
    """

    def order(index: int) -> tuple[int, int, Cell]:
        technique, cells = pending[index].technique, pending[index].cells
        ways = (abs(a // cols - b // cols) + abs(a % cols - b % cols) for a, b in product(cells, near))
        return 0 if technique.simple else technique.rung, min(ways, default=0), min(cells)

    return min(ready, key=order)
