"""Premises of findings, compared with their definition in plain Python."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest
from known_parts import part_of

from boards import SOLVED_BOARD
from linkpress.engine.explain.explanation import KnownFacts
from linkpress.engine.kernels import LineView
from linkpress.engine.kernels.glossary import EdgeState, FindingKind
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.ladder import OF_CODE, SIMPLE, edge_at, edge_index, find, position_of
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import edge
from strategies import filling, random_cover


def boards(count):
    """Yield random fillings, and after each the board with one strict solution."""
    for index in range(count):
        rng = Random(f"premises/{index}")
        paths = [path for path in random_cover(rng, 5, 7, touching=True) if len(path) > 1]
        yield rng, filling(5, 7, dict(enumerate(paths, 1))), Rule.FILLED
        yield rng, SOLVED_BOARD, Rule.STRICT


def grounds(count):
    """Yield boards with random known facts."""
    for rng, solution, rule in boards(count):
        known = {(one.kind, one.where): 0 for one in part_of(rng, solution.puzzle, solution)}
        yield KnownFacts(solution.puzzle, position_of(solution.puzzle, rule), known)


def with_facts(ground, facts):
    return replace(ground, numbers={fact: ground.numbers[fact] for fact in facts}).resulting_position


def joined_cells(puzzle, position, start, without=-1):
    """Map each cell of a line to the way from one of its cells to it."""
    edges, ways, ahead = position.edges(), {start: [start]}, [start]
    for here in ahead:
        for to in puzzle.grid.neighbours[here]:
            place = edge_index(edge(here, to))
            if to not in ways and place != without and edges[place] == EdgeState.DRAWN:
                ways[to] = [*ways[here], to]
                ahead.append(to)
    return ways


def test_lines_and_the_ways_along_them():
    for ground in grounds(20):
        puzzle, position = ground.puzzle, ground.resulting_position
        known, edges, rng = LineView(position, []), position.edges(), Random("ways")
        for cell in puzzle.grid.free_cells:
            around = {to: edges[edge_index(edge(cell, to))] for to in puzzle.grid.neighbours[cell]}
            assert set(known.exits(cell)) == {to for to, state in around.items() if state == EdgeState.OPEN}
            assert set(known.joined(cell)) == {to for to, state in around.items() if state == EdgeState.DRAWN}
            assert {to for to in around if known.is_closed(cell, to)} == {
                to for to, state in around.items() if state == EdgeState.RULED_OUT
            }
            ways = joined_cells(puzzle, position, cell)
            line = known.line(cell)
            assert (line[0], len(line), set(line)) == (cell, len(ways), set(ways))
            goals = rng.sample(puzzle.grid.free_cells, 5)
            met = [ways[goal] for goal in goals if goal in ways]
            assert len(known.way(cell, goals)) == min(map(len, met), default=0)
            if around:
                without = edge_index(edge(cell, rng.choice(list(around))))
                cut = joined_cells(puzzle, position, cell, without)
                assert [known.way(cell, [goal], without) for goal in goals] == [
                    cut.get(goal, []) for goal in goals
                ]


def test_a_line_has_its_number_from_the_nearest_endpoint_or_from_what_was_given():
    seen = Counter[int]()
    for ground in grounds(20):
        puzzle = ground.puzzle
        given = [cell for cell in puzzle.grid.free_cells if cell % 5 == 0 and cell not in puzzle.number_at]
        known = LineView(ground.resulting_position, given)
        for cell in puzzle.grid.free_cells:
            ways = joined_cells(puzzle, ground.resulting_position, cell)
            met = sorted((ways[end] for end in {*given, *puzzle.number_at} & ways.keys()), key=len)
            allowed = [facts_along(way, given) for way in met if len(way) == len(met[0])] or [set()]
            facts = known.numbering(cell)
            assert facts in allowed
            seen[len(facts)] += 1
    assert len(seen) > 3


def facts_along(way, given):
    """The edges along a way, and the number at its end if it was given."""
    facts = {(FindingKind.DRAWN, edge_index(edge(a, b))) for a, b in pairwise(way)}
    return facts | ({(FindingKind.NUMBERED, way[-1])} if way[-1] in given else set())


def test_lines_touch_where_two_of_their_cells_are_neighbours():
    seen = Counter[bool]()
    for ground in grounds(20):
        puzzle, known = ground.puzzle, LineView(ground.resulting_position, [])
        for one, other in combinations(puzzle.grid.free_cells[::3], 2):
            mine, theirs = (
                joined_cells(puzzle, ground.resulting_position, cell).keys() for cell in (one, other)
            )
            if other in mine:
                continue
            met = {(a, b) for a in mine for b in puzzle.grid.neighbours[a] if b in theirs}
            found = known.touching(one, other)
            assert found in met if met else found is None
            seen[found is None] += 1
    assert min(seen[True], seen[False]) > 100


def test_the_premises_of_a_simple_finding_are_known_and_lead_to_it():
    seen = Counter[int]()
    for ground in grounds(60):
        known = LineView(ground.resulting_position, [])
        for technique in SIMPLE:
            for finding in find(ground.resulting_position, technique) or ():
                premises = known.simple_premises(*finding[1:])
                assert premises <= ground.numbers.keys()
                again = find(with_facts(ground, premises), technique)
                assert finding[:2] in [one[:2] for one in again or ()], (ground, finding)
                seen[technique.code] += 1
    assert set(seen) == {technique.code for technique in SIMPLE}


def plain_least(ground, technique, finding, line):
    """Leave out halves of the facts, the newest first, then quarters, and at last single facts."""
    staying = [
        (kind, where)
        for kind, where in ground.numbers
        if kind == FindingKind.DRAWN and {*edge_at(ground.puzzle.grid.cols, where)} <= set(line)
    ]
    kept = [*ground.numbers][::-1]
    size = max(1, len(kept) // 2)
    while size:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            found = find(with_facts(ground, [*fewer, *staying]), technique)
            if any(is_sought(one, finding, line) for one in found or ()):
                kept = fewer
            else:
                at += size
        size //= 2
    return frozenset([*kept, *staying])


def is_sought(one, finding, line):
    """Whether a finding is the wanted one. A number may be found at any cell of the line."""
    if (one.kind, one.reason) != (finding.kind, finding.reason):
        return False
    if finding.kind == FindingKind.NUMBERED:
        return one.where in line and one.cause == finding.cause
    return one.where == finding.where


@pytest.mark.parametrize("rung", [Code.CUT_OFF, Code.CORNER, Code.DIAGONAL, Code.GAP])
def test_least_facts_leaves_out_the_same_facts_as_a_plain_search(rung):
    seen, technique = Counter[int](), OF_CODE[rung]
    for ground in grounds(40):
        known = LineView(ground.resulting_position, [])
        for finding in (find(ground.resulting_position, technique) or ())[:5]:
            numbered = finding.kind == FindingKind.NUMBERED
            line = known.line(finding.where) if numbered else edge_at(ground.puzzle.grid.cols, finding.where)
            facts = ground.premises_of(technique, finding, line)
            assert facts == plain_least(ground, technique, finding, line)
            seen[len(facts)] += 1
    assert len(seen) > 2
