"""Steps that anybody can count are told several in a sentence: nested corners, ways out, bends.

A line with one way out is read as soon as it is seen, so that such steps are named by their squares alone,
up to a few lines in a sentence. Bends that fail along their diagonals have one reason, which is said once.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby, pairwise

from linkpress.engine.explain.finding_clauses import corners_of
from linkpress.engine.explain.phrase_tree import (
    FilledPhrase,
    ListKind,
    PhraseTree,
    list_of,
    parts_of,
    phrase,
    route,
    squares,
)
from linkpress.engine.explain.telling import Step
from linkpress.engine.solve.ladder import rung_of
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle

# Six lines make 26 words of English and 36 of the longest language, in squares about two lines of print.
MOST_LINES, MOST_SQUARES = 6, 20
MOST_LINES_OF_BOTH = 4  # where some of them bend in an empty corner and others have one way out
_COUNTED = {
    *("one_way_out", "takes_both", "runs", "line_runs", "joined", "remarked", "at"),
    *("not_meet", "not_loop", "not_turn", "end_of_number", "end_of_line"),
}
MOST_FORKS = 5  # 40 words of French
MOST_BENDS = 2
_BENDS = {"corner_must_go": "must_for", "corner_can_t_go": "can_t_for"}


def tell_jointly(puzzle: Puzzle, steps: Iterable[Step], most_lines: int = MOST_LINES) -> Iterator[Step]:
    """Put steps together that are read at a glance; all others stay as they are.

    Args:
        steps: its steps, each after those that it rests on.
        most_lines: in one sentence, ``MOST_LINES`` or fewer.
    """
    teller = _JointTeller(puzzle, most_lines)
    for key, alike in groupby(steps, _kind_of):
        if key is _Kind.COUNTED:
            yield from teller.counted(list(alike))
        elif key is _Kind.BENDS:
            yield from teller.bends(list(alike))
        elif key is _Kind.FORKS:
            yield from teller.forks(list(alike))
        else:
            yield from (teller.noted(step) for step in alike)


class _Kind(Enum):
    COUNTED, BENDS, FORKS, OTHER = range(4)


def _kind_of(step: Step) -> _Kind:
    if step.drawn and _keys_in(step.sentence) <= _COUNTED:
        return _Kind.COUNTED
    if isinstance(step.sentence, FilledPhrase) and step.sentence.key in ("fork", "fork_of_three"):
        return _Kind.FORKS
    return _Kind.BENDS if _is_bend(step.sentence) else _Kind.OTHER


def _is_bend(sentence: PhraseTree) -> bool:
    """Tell whether a sentence says that one way through a square fails, along its diagonal."""
    if not isinstance(sentence, FilledPhrase) or sentence.key not in _BENDS:
        return False
    reason = dict(sentence.parts)["reasons"]
    return isinstance(reason, FilledPhrase) and reason.key == "if_it_went"


def _keys_in(tree: PhraseTree) -> set[str]:
    own = {tree.key} if isinstance(tree, FilledPhrase) else set()
    return own.union(*map(_keys_in, parts_of(tree)))


class _JointTeller:
    """A teller tells steps of one board jointly, and follows the lines that they draw."""

    def __init__(self, puzzle: Puzzle, most_lines: int) -> None:
        self.puzzle, self.grid, self.most_lines = puzzle, puzzle.grid, most_lines
        self.joined: dict[Cell, list[Cell]] = {}
        self.is_turning_told = False

    def noted(self, step: Step) -> Step:
        for a, b in step.drawn:
            self.joined.setdefault(a, []).append(b)
            self.joined.setdefault(b, []).append(a)
        return step

    def counted(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Tell steps that each follow by counting ways out."""
        begin = 0
        while begin < len(steps):
            end = begin + 1
            while end < len(steps) and self._fit(steps[begin : end + 1]):
                end += 1
            for step in steps[begin:end]:
                self.noted(step)
            is_short = end == begin + 1 and not {"runs", "line_runs"} & _keys_in(steps[begin].sentence)
            yield steps[begin] if is_short else self._together(steps[begin:end])
            begin = end

    def _fit(self, steps: Sequence[Step]) -> bool:
        lines = _lines_of(steps)
        nested = self._nested(lines)
        if nested and len(nested) < len(lines) > MOST_LINES_OF_BOTH:
            return False
        return len(lines) <= self.most_lines and sum(len(corners_of(line)) for line in lines) <= MOST_SQUARES

    def _together(self, steps: Sequence[Step]) -> Step:
        lines = _lines_of(steps)
        bends, nested = self._nested_corner(lines), self._nested(lines)
        others = [line for line in lines if line not in nested]
        said: list[PhraseTree] = []
        if nested:
            bent = squares(self.grid, bends)
            said.append(phrase("empty_corner", squares=bent, lines=self._named(nested)))
        if others:
            turning = not self.is_turning_told and any(
                "not_turn" in _keys_in(step.sentence) for step in steps
            )
            self.is_turning_told = self.is_turning_told or turning
            said.append(phrase("ways_out_turning" if turning else "ways_out", lines=self._named(others)))
        named = tuple(dict.fromkeys(cell for line in (*nested, *others) for cell in corners_of(line)))
        return _one_step(steps, list_of(ListKind.REASONS, said), named)

    def _nested(self, lines: Sequence[list[Cell]]) -> list[list[Cell]]:
        """Return the lines that bend in an empty corner."""
        bends = set(self._nested_corner(lines))
        return [line for line in lines if bends & set(corners_of(line)[1:-1])]

    def _nested_corner(self, lines: Sequence[Sequence[Cell]]) -> list[Cell]:
        """Return the squares along a diagonal from a corner at which lines bend one inside the other."""
        bends = {bend for line in lines for bend in corners_of(line)[1:-1]}
        rows, cols = self.grid.rows, self.grid.cols
        found: list[list[Cell]] = []
        for row, down in ((0, 1), (rows - 1, -1)):
            for col, across in ((0, 1), (cols - 1, -1)):
                diagonal = [
                    self.grid.cell(row + down * depth, col + across * depth)
                    for depth in range(min(rows, cols) // 2)
                ]
                length = next(
                    (place for place, cell in enumerate(diagonal) if cell not in bends), len(diagonal)
                )
                found.append(diagonal[:length])
        longest = max(found, key=len)
        return longest if len(longest) > 1 else []

    def _number_behind(self, line: Sequence[Cell]) -> int:
        """Return the number at the end of a line's first square, 0 where there is none."""
        before, here = line[1], line[0]
        while here not in self.puzzle.number_at:
            onward = [to for to in self.joined[here] if to != before]
            if not onward:
                return 0
            before, here = here, onward[0]
        return self.puzzle.number_at[here]

    def _named(self, lines: Iterable[list[Cell]]) -> PhraseTree:
        named: list[PhraseTree] = []
        for line in lines:
            number = self._number_behind(line) or self._number_behind(line[::-1])
            way = route(self.grid, corners_of(line))
            with_number = phrase("number_along", number=number, route=way)
            named.append(with_number if number else phrase("line_along", route=way))
        return list_of(ListKind.AND, named)

    def forks(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Tell steps that each follow since any other way through a square would join two numbers."""
        most = min(MOST_FORKS, self.most_lines)
        for begin in range(0, len(steps), most):
            some = [self.noted(step) for step in steps[begin : begin + most]]
            taken = [dict(step.sentence.parts) for step in some if isinstance(step.sentence, FilledPhrase)]
            each = (phrase("goes", square=fork["square"], way=fork["way"]) for fork in taken)
            goes = list_of(ListKind.REASONS, each)  # not every language joins sentences by "and"
            cells = tuple(dict.fromkeys(cell for step in some for cell in step.cells))
            yield _one_step(some, phrase("forks", goes=goes), cells) if len(some) > 1 else some[0]

    def bends(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Tell steps that each follow from what can't bend along a diagonal."""
        for begin in range(0, len(steps), MOST_BENDS):
            some = [self.noted(step) for step in steps[begin : begin + MOST_BENDS]]
            bends = list_of(ListKind.REASONS, (_briefly(step.sentence) for step in some))
            cells = tuple(dict.fromkeys(cell for step in some for cell in step.cells))
            yield _one_step(some, phrase("inside_bends", bends=bends), cells) if len(some) > 1 else some[0]


def _briefly(sentence: PhraseTree) -> PhraseTree:
    """Say what must be of a square's ways, with the diagonal that shows it and what is at its end."""
    assert isinstance(sentence, FilledPhrase)
    parts = dict(sentence.parts)
    reason = parts["reasons"]
    assert isinstance(reason, FilledPhrase)
    why = dict(reason.parts)["why"]
    if isinstance(why, FilledPhrase) and why.key in ("so_would_inside", "so_would_diagonal"):
        but = dict(why.parts)["but"]
        names_it = why.key == "so_would_inside" and "in_the_way" not in _keys_in(but)
        why = but if names_it else phrase("along_diagonal", **dict(why.parts))
    return phrase(_BENDS[sentence.key], square=parts["square"], ways=parts["ways"], why=why)


def _one_step(steps: Sequence[Step], sentence: PhraseTree, cells: tuple[Cell, ...]) -> Step:
    hardest = max(steps, key=rung_of)
    drawn = tuple(edge for step in steps for edge in step.drawn)
    ruled_out = tuple(edge for step in steps for edge in step.ruled_out)
    return Step(hardest.rung, hardest.technique, cells, drawn, ruled_out, sentence)


def _lines_of(steps: Iterable[Step]) -> list[list[Cell]]:
    """Return the lines that steps draw, each as its squares from the end where it is followed from."""
    lines: list[list[Cell]] = []
    ways: set[Edge] = set()
    for step in steps:
        here = step.cells[0]
        for a, b in step.drawn:
            lines = _with_edge(lines, (a, b))
            begin = here if here in (a, b) else step.cells[0]
            here = a + b - begin
            ways.add((begin, here))
    return [line[:: 1 if _along(line, ways) >= _along(line[::-1], ways) else -1] for line in lines]


def _along(line: Iterable[Cell], ways: Container[Edge]) -> int:
    return sum(way in ways for way in pairwise(line))


def _with_edge(lines: list[list[Cell]], ends: Edge) -> list[list[Cell]]:
    """Lengthen the line that an edge goes on from, join the two that it goes between, or begin another."""
    met = [line for line in lines if {line[0], line[-1]} & set(ends)]
    whole: list[Cell] = list(ends)
    for line in met:
        if whole[0] in (line[0], line[-1]):
            whole.reverse()
        whole = [*whole[:-1], *(line if line[0] == whole[-1] else line[::-1])]
    if not met:
        return [*lines, whole]
    return [whole if line is met[0] else line for line in lines if line not in met[1:]]
