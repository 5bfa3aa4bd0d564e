"""Steps of a solve: each sentence is true, and it follows from the sentences before it."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random

from boards import SOLVED_BOARD, puzzle_of
from linkpress.engine.explain import clauses, explanation
from linkpress.engine.explain.explanation import BoardView, MinimalExplanation
from linkpress.engine.explain.phrase_tree import phrases_in, square
from linkpress.engine.explain.steps import Step, combine_steps, explain_climb
from linkpress.engine.hint import explain_next_line
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, FindingKind
from linkpress.engine.ladder import (
    SIMPLE,
    TECHNIQUES,
    Deduction,
    Supposes,
    climb_ladder,
    edge_index,
    find,
    position_of,
    write,
)
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.puzzle.notations import read_puzzles
from linkpress.puzzle.puzzle import edge
from linkpress.words import load_words
from strategies import filling, random_cover

WAYS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
ONE_WAY_OUT = r"([A-Z]\d+) can only go"
SUPPOSED = {technique.name for technique in TECHNIQUES if technique.supposes is not Supposes.NOTHING}


@cache
def english(step):
    return load_words("en").steps.text_of(step.sentence)


@cache
def solved():
    """Solutions of boards by two rules, with their climbs and steps. Most techniques occur many times."""
    boards = []
    for index in range(150):
        rng = Random(f"steps/{index}")
        rows, cols = rng.randint(3, 7), rng.randint(3, 7)
        paths = [path for path in random_cover(rng, rows, cols, touching=True) if len(path) > 1]
        boards.append(_climbed(filling(rows, cols, dict(enumerate(paths, 1))), Rule.FILLED))
    for index in range(60):
        side, pairs = (10, 9) if index % 4 == 0 else (7, 5)
        made = generate(Recipe(side, side, Span(pairs, pairs)), f"steps/{index}")
        boards.append(_climbed(made.solution, Rule.STRICT))
    return [one for one in boards if one[1].outcome is not ClimbOutcome.CONTRADICTED]


def _climbed(solution, rule):
    climb = climb_ladder(position_of(solution.puzzle, rule))
    return solution, climb, list(explain_climb(solution.puzzle, climb))


def all_steps():
    """Every step, with the position that the steps before it leave."""
    for solution, climb, steps in solved():
        position = climb.start.copy()
        for step in steps:
            yield solution, climb, position, step
            write(position, settled_by(step))


def sentences_with(pattern):
    """Every match of a pattern in a sentence, with the position that the steps before leave."""
    for solution, _, position, step in all_steps():
        for found in re.finditer(pattern, english(step)):
            yield solution, position, step, found


def settled_by(step):
    kinds = ((EdgeState.DRAWN, step.drawn), (EdgeState.RULED_OUT, step.ruled_out))
    return [Deduction(kind, edge_index(settled)) for kind, edges in kinds for settled in edges]


def cell_at(grid, name):
    return grid.cell(int(name[1:]) - 1, ord(name[0]) - ord("A"))


def beyond(grid, cell, way):
    row, col = grid.position(cell)
    return grid.cell(row + WAYS[way][0], col + WAYS[way][1])


def joined_to(grid, position, cell, also=None):
    """All squares that drawn edges, and the edge ``also``, connect to a square."""
    edges, found, ahead = position.edges(), {cell}, [cell]
    while ahead:
        here = ahead.pop()
        for to in grid.neighbours[here]:
            step = edge(here, to)
            if to not in found and (edges[edge_index(step)] == EdgeState.DRAWN or step == also):
                found.add(to)
                ahead.append(to)
    return found


def test_the_boards_need_every_kind_of_technique():
    counts = Counter(step.technique for _, _, steps in solved() for step in steps)
    common = {"exits", "clash", "turn", "touch", "cut-off", "corner", "diagonal", "order", "look-ahead"}
    assert min(counts[name] for name in common) >= 5
    assert {"what-if", "chain", "gap", "walls"} <= counts.keys()


def test_steps_draw_the_solution_and_rule_out_none_of_its_edges():
    for solution, climb, steps in solved():
        drawn = [one for step in steps for one in step.drawn]
        assert len(drawn) == len(set(drawn))
        assert set(drawn) <= solution.edges
        assert not {one for step in steps for one in step.ruled_out} & solution.edges
        if climb.outcome is ClimbOutcome.FINISHED:
            assert set(drawn) == solution.edges


def test_the_hardest_step_has_the_hardest_rung_of_the_climb():
    for _, climb, steps in solved():
        if climb.outcome is ClimbOutcome.FINISHED:
            assert max(step.rung for step in steps) == climb.hardest.rung


def test_a_step_follows_by_its_technique_from_the_steps_before():
    checked, numbered = 0, {}
    for solution, climb, position, step in all_steps():
        if gives_number(step):
            numbered[id(climb)] = max(step.rung, numbered.get(id(climb), 0))
        if step.technique in SUPPOSED | {"gap", "balance"}:
            continue
        reached = position.copy()
        reached.climb(max(step.rung, numbered.get(id(climb), 0)))
        edges = reached.edges()
        assert all(edges[edge_index(one)] == EdgeState.DRAWN for one in step.drawn), (solution, step)
        assert all(edges[edge_index(one)] == EdgeState.RULED_OUT for one in step.ruled_out), (solution, step)
        checked += 1
    assert checked > 1000


def gives_number(step):
    """Whether a step gives a square a number, which its edges do not show."""
    return not (step.drawn or step.ruled_out) or "only reach each other" in english(step)


def test_every_chain_leads_from_its_premises_to_a_contradiction():
    chains = 0
    for solution, climb, _ in solved():
        explanation = MinimalExplanation(solution.puzzle, climb)
        for finding in explanation.needed():
            if finding.chain is not None:
                numbers = {fact: one.number for fact, one in explanation.findings.items()}
                known = [Deduction(*fact, cause=numbers.get(fact, 0)) for fact in sorted(finding.premises)]
                position = climb.start.copy()
                assert write(position, known)
                assert replay(position, finding.chain), (solution, finding.deduction)
                chains += 1
    assert chains > 50


def replay(position, chain):
    """Follow a chain, checking that each link's technique finds it. Return whether it contradicts itself."""
    if not write(position, [Deduction(*chain.supposed)]):
        return True
    for link in chain.links:
        if link.chain is not None:
            assert replay(position.copy(), link.chain)
        elif link.deduction.kind != FindingKind.NUMBERED:
            techniques = SIMPLE if link.technique.simple else (link.technique,)
            found = [one for technique in techniques for one in find(position, technique) or ()]
            assert link.fact in [one[:2] for one in found]
        if not write(position, [link.deduction]):
            return True
    looking = (technique for technique in TECHNIQUES if technique.supposes is Supposes.NOTHING)
    return any(find(position, technique) is None for technique in looking)


def test_every_link_of_a_chain_is_needed():
    for solution, climb, _ in solved():
        for finding in MinimalExplanation(solution.puzzle, climb).needed():
            if chain := finding.chain:
                rested = set(chain.end.facts).union(*(link.premises for link in chain.links))
                assert all(link.fact in rested for link in chain.links[:-1])


def test_a_number_named_at_a_square_is_the_solution_s():
    named = 0
    for solution, _, step, found in sentences_with(r"(?i)the (\d+)(?:'s line)? at ([A-Z]\d+)"):
        if not re.search("if |reach its partner", english(step)):
            assert solution.number_of[cell_at(solution.puzzle.grid, found[2])] == int(found[1]), step
            named += 1
    assert named > 500


def test_the_one_way_out_is_the_only_one():
    seen = 0
    for solution, position, step, found in sentences_with(ONE_WAY_OUT + r" (\w+)"):
        grid, cell = solution.puzzle.grid, cell_at(solution.puzzle.grid, found[1])
        closed = position.copy()
        write(closed, settled_by(Step(1, "", (), (), step.ruled_out, 0)))
        edges = closed.edges()
        ways = [to for to in grid.neighbours[cell] if edges[edge_index(edge(cell, to))] == EdgeState.OPEN]
        assert ways == [beyond(grid, cell, found[2])], step
        assert step.drawn == (edge(cell, ways[0]),)
        seen += 1
    assert seen > 500


def test_a_way_that_would_meet_a_number_leads_to_another_path():
    seen = 0
    for solution, _, step, found in sentences_with(ONE_WAY_OUT):
        grid, cell = solution.puzzle.grid, cell_at(solution.puzzle.grid, found[1])
        for ways, number in re.findall(r"not ([a-z ]+), into the (\d+)", english(step)):
            for way in ways.split(" or "):
                assert solution.number_of[beyond(grid, cell, way)] == int(number) != solution.number_of[cell]
                seen += 1
    assert seen > 200


def test_a_path_that_would_run_beside_itself_would_hold_both_squares():
    seen = 0
    beside = r"not (\w+), where (?:it|the \d+) would double back at ([A-Z]\d+) and ([A-Z]\d+)"
    for solution, position, step, found in sentences_with(ONE_WAY_OUT):
        grid, number_at = solution.puzzle.grid, solution.puzzle.number_at
        cell = cell_at(grid, found[1])
        for way, *names in re.findall(beside, english(step)):
            one, other = (cell_at(grid, name) for name in names)
            step_taken = edge(cell, beyond(grid, cell, way))
            assert other in grid.neighbours[one]
            assert edge(one, other) != step_taken
            line = joined_to(grid, position, cell, also=step_taken)
            ends = [number_at[c] for c in line if c in number_at]
            for end in (one, other):
                own = joined_to(grid, position, end) | line if end in line else joined_to(grid, position, end)
                numbers = {number_at[c] for c in own if c in number_at}
                assert end in line or numbers & {*ends, solution.number_of[end]}, step
            seen += 1
    assert seen > 3


def test_a_line_that_would_turn_straight_back_has_three_sides_of_a_block():
    seen = 0
    for solution, position, step, found in sentences_with(ONE_WAY_OUT):
        grid, cell, edges = solution.puzzle.grid, cell_at(solution.puzzle.grid, found[1]), position.edges()
        for ways in re.findall(r"not ([a-z ]+), a U-turn", english(step)):
            for way in ways.split(" or "):
                row, col = grid.position(cell)
                to_row, to_col = grid.position(beyond(grid, cell, way))
                corners = [(min(row, to_row), min(col, to_col))]
                corners.append((row - 1, corners[0][1]) if row == to_row else (corners[0][0], col - 1))
                drawn = [
                    sum(
                        edge(a, b) == edge(cell, beyond(grid, cell, way)) or is_drawn(edges, a, b)
                        for a, b in sides
                    )
                    for top, left in corners
                    if (sides := block_sides(grid, top, left))
                ]
                assert 3 in drawn, step
                seen += 1
    assert seen > 50


def is_drawn(edges, a, b):
    return edges[edge_index(edge(a, b))] == EdgeState.DRAWN


def block_sides(grid, top, left):
    """The four edges of a block of 2 × 2 squares; empty if it is not on the board."""
    if not (0 <= top < grid.rows - 1 and 0 <= left < grid.cols - 1):
        return []
    one, two, three, four = (
        grid.cell(top + row, left + col) for row, col in ((0, 0), (0, 1), (1, 0), (1, 1))
    )
    return [(one, two), (one, three), (two, four), (three, four)]


def test_a_pair_that_would_be_cut_off_has_no_way_around_the_edge():
    seen = 0
    for solution, position, step, match in sentences_with(
        r"^the two (\d+)s can only reach each other along (\S+)–(\S+)$"
    ):
        grid, puzzle = solution.puzzle.grid, solution.puzzle
        missing = edge(cell_at(grid, match[2]), cell_at(grid, match[3]))
        pair = next(pair for pair in puzzle.pairs if pair.number == int(match[1]))
        edges, numbers = position.edges(), position.pair_codes()
        mates, needs = position.mates(), position.needs()
        start, goal = (end if needs[end] else mates[end] for end in (pair.first, pair.second))
        found, ahead = {start}, [start]
        while ahead:
            here = ahead.pop()
            for to in grid.neighbours[here]:
                is_free = not numbers[to] or puzzle.number_at[numbers[to] - 1] == pair.number
                is_open = edges[edge_index(edge(here, to))] == EdgeState.OPEN and edge(here, to) != missing
                leaving = goal if to == goal else mates[to]  # the other end of a line
                if leaving not in found and is_free and is_open:
                    found.add(leaving)
                    ahead.append(leaving)
        assert goal not in found, step
        seen += 1
    assert seen > 10


def test_the_end_of_a_line_where_every_other_way_gets_stuck_has_only_other_numbers_around_it():
    seen = 0
    for solution, position, step, match in sentences_with(
        r"^any other way, the \d+ gets stuck at (\S+), so draw \S+$"
    ):
        stuck, edges, numbers = (
            cell_at(solution.puzzle.grid, match[1]),
            position.edges(),
            position.pair_codes(),
        )
        own = {0, *(numbers[cell] for cell in step.drawn[0])}
        ways = [to for to in solution.puzzle.grid.neighbours[stuck] if to not in step.cells]
        onward = [to for to in ways if edges[edge_index(edge(stuck, to))] == EdgeState.OPEN]
        assert position.needs()[stuck] == 1, step
        assert [to for to in onward if numbers[to] in own] == [], step
        seen += 1
    assert seen > 0


def way_through(grid, names):
    """All squares of a line whose ends and turns are named."""
    corners = [grid.position(cell_at(grid, name)) for name in names.split("–")]
    way = [grid.cell(*corners[0])]
    for (r0, c0), (r1, c1) in pairwise(corners):
        count = max(abs(r1 - r0), abs(c1 - c0))
        between = range(1, count + 1)
        way += [grid.cell(r0 + n * (r1 - r0) // count, c0 + n * (c1 - c0) // count) for n in between]
    return way


def combined_steps():
    """All sentences that combine several steps, each with its board."""
    for solution, _, steps in solved():
        for step in combine_steps(solution.puzzle, steps):
            if step not in steps:
                yield solution, step


def test_combined_steps_settle_the_same_edges_in_the_same_order():
    for solution, _, steps in solved():
        joint = list(combine_steps(solution.puzzle, steps))
        for kind in ("drawn", "ruled_out"):
            settled = [one for step in steps for one in getattr(step, kind)]
            assert [one for step in joint for one in getattr(step, kind)] == settled
        assert [step for step in joint if step.technique in SUPPOSED] == [
            step for step in steps if step.technique in SUPPOSED
        ]


def test_lines_named_in_a_combined_step_are_the_lines_that_it_draws():
    seen, cornered = 0, 0
    for solution, step in combined_steps():
        grid = solution.puzzle.grid
        lines = english(step).split(": ")[1]
        ways = []
        for line in lines.split(", "):
            found = re.fullmatch(r"(\S+)(?: \((\d+)\))?(?: inside the turn at (\S+))?", line)
            ways.append(way_through(grid, found[1]))
            if found[3]:
                corner = cell_at(grid, found[3])
                near = grid.neighbours[corner]
                turn = ways[-1].index(sum(near) - corner)
                assert len(near) == 2
                assert corner not in solution.puzzle.number_at
                assert not {*near} & {ways[-1][turn - 1], ways[-1][turn + 1]}
                cornered += 1
            assert not found[2] or solution.number_of[ways[-1][0]] == int(found[2])
        assert sorted(edge(a, b) for way in ways for a, b in pairwise(way)) == sorted(step.drawn), step
        seen += len(ways)
    assert seen > 500
    assert cornered > 10


def test_no_line_of_a_combined_step_depends_on_a_line_named_after_it():
    for solution, _, steps in solved():
        drawn_by = {place: step.drawn for step in steps for place in step.places}
        for joint in combine_steps(solution.puzzle, steps):
            if len(joint.places) > 1:
                drawn = [one for place in joint.places for one in drawn_by[place]]
                lines = english(joint).split(": ")[1].split(", ")
                named = [way_through(solution.puzzle.grid, line.split()[0]) for line in lines]
                told = [edge(a, b) for way in named for a, b in pairwise(way)]
                line_of = {one: place for place, way in enumerate(named) for one in map(edge, way, way[1:])}
                assert [line_of[one] for one in drawn] == sorted(line_of[one] for one in told)


def test_a_line_in_a_combined_step_begins_where_it_has_one_way_out():
    """From C1 the line of the 5 could also go down to C2. At A2 it has only one way out."""
    puzzle = puzzle_of("6 6\n. . 5 7 . .\n5 2 . 4 3 .\n2 . . . . .\n. 1 4 3 6 .\n. 6 . . . .\n1 7 . . . .\n")
    first = next(combine_steps(puzzle, explain_climb(puzzle, climb_ladder(position_of(puzzle, Rule.STRICT)))))
    assert english(first).startswith("forced: A2–A1–C1 (5), ")


def test_sentences_name_squares_and_have_no_gaps():
    for _, _, steps in solved():
        for step in steps:
            assert not re.search(r"and \d+ more\b|None|\bthe 0\b", english(step)), step
            assert step.cells
            assert not english(step).endswith(".")


def test_the_square_that_a_sentence_begins_with_is_among_those_that_the_step_names():
    for solution, _, step, found in sentences_with(
        r"^.*?([A-Z]\d+)(?:.* can only go|–.*’t turn|–\S+: .* meet$)"
    ):
        assert cell_at(solution.puzzle.grid, found[1]) in step.cells, step


def test_sentences_of_the_simple_techniques():
    _, _, steps = _climbed(SOLVED_BOARD, Rule.FILLED)
    assert english(steps[0]) == "A1 has only two ways out and needs both: right and down"
    assert (steps[0].cells, steps[0].drawn) == ((0,), ((0, 1), (0, 7)))
    reason = re.compile(r"can only go \w+ \(not \w+, into the \d’s line\)")
    assert any(reason.search(english(step)) for step in steps)


def test_corner_steps_say_why_each_other_pair_of_ways_fails():
    turn = r"turning ([a-z]+) and ([a-z]+) fails at ([A-Z]\d+)(?:, since (.+))?"
    kinds = Counter()
    for solution, _, steps in solved():
        grid = solution.puzzle.grid
        for step in steps:
            if step.sentence.key not in ("corner_must_go", "corner_can_t_go"):
                continue
            for reason in english(step).split(": ")[1].split("; "):
                why = reason
                if turning := re.fullmatch(turn, reason):
                    start, at = step.cells[0], cell_at(grid, turning[3])
                    ahead = sum(beyond(grid, start, turning[way]) - start for way in (1, 2))
                    assert (at - start) // ahead in range(1, max(grid.rows, grid.cols))
                    assert (at - start) % ahead == 0
                    kinds["turns"] += 1
                    why = turning[4]
                    if why is None:
                        continue
                if met := re.search(r"([A-Z]\d+) \((\d+)\) and ([A-Z]\d+) \((\d+)\) can’t meet$", why):
                    paths = [solution.number_of[cell_at(grid, met[at])] for at in (1, 3)]
                    assert [int(met[2]), int(met[4])] == paths, step
                    kinds["meets"] += 1
                else:
                    beside = re.search(
                        r" (?:would double back|a loop would form) at ([A-Z]\d+) and ([A-Z]\d+)$", why
                    )
                    one, two = (cell_at(grid, name) for name in beside.groups())
                    assert two in grid.neighbours[one], step
                    kinds["beside"] += 1
    assert len(kinds) == 3
    assert min(kinds.values()) > 1, kinds
    assert kinds.total() > 100


def test_a_sentence_about_a_supposition_says_what_follows_from_it():
    for solution, _, _, step in all_steps():
        if step.technique in SUPPOSED:
            match = re.search(r"^(draw )?([A-Z]\d+)–([A-Z]\d+)( is out)?: otherwise,? .+$", english(step))
            settled = step.drawn[0] if match[1] else step.ruled_out[-1]
            assert settled == edge(*(cell_at(solution.puzzle.grid, match[at]) for at in (2, 3)))


def test_ends_that_alternate_round_the_edge_are_among_the_squares_of_the_step():
    found = [step for *_, step in all_steps() if " alternate, so their lines would cross" in english(step)]
    assert found
    for step in found:
        ends = next(part for part in phrases_in(step.sentence) if part.key == "both_cross")
        named = {tuple(dict(end.parts)["square"]) for end in dict(ends.parts)["ends"].parts}
        rows = [solution for solution, _, steps in solved() if step in steps]
        assert named <= {tuple(square(rows[0].puzzle.grid, cell)) for cell in step.cells}, step


def test_ends_that_alternate_round_the_edge_are_four_different_squares(monkeypatch):
    monkeypatch.setattr(explanation, "_FEWER_THAN_ORDER", 0)
    # On the ninth step of this board, the only two ends of another line are the same square of a wall.
    (puzzle,) = read_puzzles("""9 9
. 9 4 8 . . . . 8
. . . . . . . . .
. . 10 . 2 . . 5 .
. . . 4 . . 3 . .
9 2 . . . . . . .
1 . . . 6 10 . 7 .
. . 11 . 5 . . . .
. . 6 . 7 . . . .
. . 1 . . . . 11 3
""")
    steps = list(explain_climb(puzzle, climb_ladder(position_of(puzzle, Rule.FILLED))))
    found = [part for step in steps for part in phrases_in(step.sentence) if part.key.endswith("_cross")]
    assert [part.key for part in found].count("must_cross") == 1
    for part in found:
        ends = dict(part.parts).get("ends")
        assert ends is None or len(set(ends.parts)) == 4


def test_a_chain_of_many_marks_is_not_put_into_words(monkeypatch):
    told, boards = [], solved()
    monkeypatch.setattr(clauses, "_MOST_MARKS_IN_WORDS", 3)
    for solution, climb, steps in boards:
        if any(step.technique in SUPPOSED for step in steps):
            told += [step for step in explain_climb(solution.puzzle, climb) if step.technique in SUPPOSED]
    marks = [sum(bool(link.mark) for link in step.chain) for step in told]
    assert {count > 3 for count in marks} == {True, False}
    for step, count in zip(told, marks, strict=True):
        assert count <= 3 or "otherwise, sooner or later, " in english(step), step


def test_a_picture_shows_the_first_marks_and_the_last_one_of_a_long_chain(monkeypatch):
    found = [(solution, climb, step) for solution, climb, steps in solved() for step in steps if step.chain]
    solution, climb, whole = max(found, key=lambda each: sum(bool(link.mark) for link in each[2].chain))
    marks = [link.mark for link in whole.chain if link.mark]
    assert 4 < len(marks) <= clauses._MOST_MARKS_IN_PICTURE
    monkeypatch.setattr(clauses, "_MOST_MARKS_IN_PICTURE", 3)
    told = [step for step in explain_climb(solution.puzzle, climb) if step.sentence == whole.sentence]
    (cut,) = told
    assert [link.mark for link in cut.chain if link.mark] == [*marks[:2], marks[-1]]
    assert cut.chain[-1] == whole.chain[-1]
    assert set(cut.chain) < set(whole.chain)


def test_a_caption_has_up_to_15_words_and_names_few_squares_and_numbers():
    words = load_words("en")
    for language in (words, words.of_dots):
        for solution, _, steps in solved():
            for step in [*steps, *combine_steps(solution.puzzle, steps)]:
                said = step.caption(solution.puzzle.grid)
                caption = language.steps.text_of(said)
                assert len(caption.split()) <= 15, caption
                assert len(re.findall(r"\b[A-Z]\d+\b", caption)) <= 5, caption
                keys = {part.key.removeprefix("captions.") for part in phrases_in(said)}
                most = 4 if keys & {"joins", "join_two_of", "joins_across", "ends_reach"} else 2
                most = 9 if keys & {"gap_full", "gap_needed"} else most
                assert len(set(re.findall(r"\b\d+(?:s\b|\b)", caption))) <= most, caption
                assert caption[0].isupper() or caption[0].isdigit()
                assert caption[-1] in ".!"


def test_a_caption_speaks_of_lines_only_if_several_are_drawn():
    words, counts = load_words("en"), Counter()
    for solution, step in combined_steps():
        caption = words.steps.text_of(step.caption(solution.puzzle.grid))
        several = len(re.findall(r"[A-Z]\d+–\S*\d", english(step))) > 1
        if found := re.search("(each time|This line has)", caption):
            assert (found[1] == "each time") == several, step
            counts[several] += 1
    assert min(counts[True], counts[False]) > 10


def test_a_caption_speaks_of_other_ways_only_if_a_line_is_drawn():
    counts = Counter()
    for solution, _, steps in solved():
        for step in steps:
            caption = load_words("en").steps.text_of(step.caption(solution.puzzle.grid))
            for begins, is_drawn in (
                ("Any other way, ", True),
                ("A line here ", False),
                ("Without this line, ", True),
            ):
                if caption.startswith(begins):
                    assert bool(step.drawn) == is_drawn, (caption, step)
                    counts[begins] += 1
    assert len(counts) == 3


def test_a_caption_of_inner_turns_says_why_other_ways_are_closed_if_the_step_closes_some():
    seen = Counter()
    for solution, step in combined_steps():
        key = step.caption(solution.puzzle.grid).key
        if key in ("captions.inside_turn", "captions.turn_inside"):
            assert (key == "captions.turn_inside") == bool(step.ruled_out), step
            seen[key] += 1
    assert len(seen) == 2


def test_lines_leave_the_shaded_area_only_as_the_caption_says():
    seen = Counter()
    for solution, _, position, step in all_steps():
        caption, area = step.caption(solution.puzzle.grid), {*step.cells}
        key, parts = caption.key.removeprefix("captions."), dict(caption.parts)
        known = BoardView(solution.puzzle, position, {})
        ways = {edge(cell, to) for cell in area for to in known.exits(cell) if to not in area}
        if key in ("cut_off", "every_path"):
            used = {one for one in solution.edges & ways if solution.number_of[one[0]] == parts["number"]}
            named = {cell_at(solution.puzzle.grid, parts["square"].name)} if "square" in parts else set()
            assert used == {*step.drawn} if key == "cut_off" else all(named & {*one} for one in used), step
            inside = area - named
            border = {to for cell in inside for to in solution.puzzle.grid.neighbours[cell]} - area
            beyond = {to for to in border.difference(named, *step.drawn) if known.need_of(to)}
            if parts["others"].key == "captions.others_taken":
                assert all(solution.number_of[to] != parts["number"] for to in beyond), step
            key = parts["others"].key.removeprefix("captions.")
        elif key == "gap_odd":
            assert sum(known.need_of(cell) == 1 for cell in area) % 2
            assert ways == {*step.drawn}, step
        elif key == "gap_needed":
            assert {*step.drawn} <= ways <= solution.edges, step
            # As many arrows as the caption says lead out of the area.
            marks, count = [link.mark for link in step.chain if link.mark], int(parts["count"])
            assert marks == [str(mark) for mark in range(1, count + 1)] or len(step.chain) == count, step
            assert not marks or len(step.chain) > count, step
            assert ways <= {edge(*link.cells) for link in step.chain}, step
            assert all(link.cells[0] in area and link.cells[1] not in area for link in step.chain), step
        elif "trouble" in parts and parts["trouble"].key == "captions.are_cut_off":
            number = dict(parts["trouble"].parts)["number"]
            after = position.copy()
            write(after, [chained(link) for link in step.chain])
            board = BoardView(solution.puzzle, after, {})
            exits = {to for cell in area for to in board.exits(cell) if board.number(to) in (0, number)}
            assert exits <= area, step
            key = "are_cut_off"
        else:
            continue
        seen[key] += 1
    assert seen.keys() >= {"others_taken", "others_closed", "are_cut_off"}, seen


def test_lines_in_a_gap_that_are_too_many_to_name_are_not_counted_but_a_chain_is_shown(monkeypatch):
    keys = {"captions.gap_full", "captions.gap_needed"}
    all_solved = solved()  # cached, so they are explained before the limit is changed
    monkeypatch.setattr(clauses, "_MOST_GAP_LINES", 0)
    chained = 0
    for solution, climb, steps in all_solved:
        gaps = [step for step in steps if step.caption(solution.puzzle.grid).key in keys]
        told = (
            {(step.drawn, step.ruled_out): step for step in explain_climb(solution.puzzle, climb)}
            if gaps
            else {}
        )
        chained += sum(bool(told[step.drawn, step.ruled_out].chain) for step in gaps)
    assert chained


def test_a_chain_shows_last_how_a_line_leaves_a_dead_end_only_to_touch_itself():
    puzzle = puzzle_of(
        "8 8\n. . . . . . 6 2\n. 1 5 . . . . .\n. . . . 4 . . .\n6 . . . . . . .\n. . . 3 . . . .\n"
        ". 5 . . . . . .\n. 3 . . . . . 2\n. . . . . 4 . 1\n"
    )
    steps = explain_climb(puzzle, climb_ladder(position_of(puzzle, Rule.UNTOUCHING)))
    step = next(step for step in steps if english(step).startswith("E1–E2 is out: "))
    assert english(step).endswith("F1–G1 is forced; the 6 would double back at D1 and E1")
    assert [(link.mark, link.number) for link in step.chain] == [("1", 0), ("2", -1), ("3", 0)]


def chained(link):
    """The deduction that a picture's link of a chain shows."""
    kind = EdgeState.RULED_OUT if link.number else EdgeState.DRAWN
    return Deduction(kind, edge_index(edge(*link.cells)))


def test_a_caption_speaks_of_different_pairs_only_if_a_step_joins_two_lines():
    seen = Counter()
    for solution, _, steps in solved():
        for step in steps:
            key = step.caption(solution.puzzle.grid).key
            if key in ("captions.others_fail", "captions.no_turn", "captions.others_touch"):
                joins = {part.key for part in phrases_in(step.sentence)}
                joins &= {"can_t_meet", "runs_beside", "path_runs_beside", "loop_closes"}
                assert bool(joins) or key == "captions.no_turn", step
                seen[key] += 1
    assert len(seen) == 3


def test_a_step_follows_by_its_technique_from_the_steps_that_it_needs():
    checked = 0
    for solution, climb, steps in solved():
        for step in steps:
            needed = set(step.needs)
            for before in reversed(steps[: step.places[0]]):
                needed |= set(before.needs) if before.places[0] in needed else set()
            before = [steps[place] for place in sorted(needed)]
            if step.technique in SUPPOSED | {"gap", "balance"} or any(map(gives_number, before)):
                continue
            position = climb.start.copy()
            assert write(position, [one for step in before for one in settled_by(step)])
            position.climb(step.rung)
            edges = position.edges()
            assert all(edges[edge_index(one)] == EdgeState.DRAWN for one in step.drawn), (solution, step)
            assert all(edges[edge_index(one)] == EdgeState.RULED_OUT for one in step.ruled_out), step
            checked += 1
    assert checked > 1000


def test_the_steps_to_a_line_end_with_that_line_and_draw_no_other():
    for solution, climb, steps in solved():
        shown = explain_next_line(solution.puzzle, climb)
        assert bool(shown) == any(step.drawn for step in steps)
        assert all(not step.drawn for step in shown[:-1])
        assert not shown or set(shown[-1].drawn) <= solution.edges


def test_a_finished_drawing_has_no_steps():
    puzzle = SOLVED_BOARD.puzzle
    position = position_of(puzzle, Rule.FILLED)
    write(position, (Deduction(EdgeState.DRAWN, edge_index(one)) for one in sorted(SOLVED_BOARD.edges)))
    climb = climb_ladder(position)
    assert list(explain_climb(puzzle, climb)) == []
    assert explain_next_line(puzzle, climb) == ()
