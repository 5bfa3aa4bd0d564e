"""The solvers: each adapter asks a peer about one board and says what it answered.

Tried and left out: pyflowsolver.py of mzucker/flow_solver, which is Python 2; kunisura/algorithms2012, whose
solver ddnumlin replaces; semiexp/cspuz_core, which has no program for Numberlink and takes part in
``by_size``; semiexp/numlin-sat, which needs other repositories to be built; laggycomputer/permanganate, a
library without a program that finds one drawing; junkawahara/numberlink_gen, which counts the boards of a
size and prints none; puzzlekit, which has no Numberlink.
"""

import importlib
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from string import ascii_uppercase

from linkpress.engine.prove import proof
from linkpress.engine.recipe import Rule
from linkpress.puzzle.notation.link_text import puzzle_squares
from linkpress.puzzle.notation.pzpr import puzzle_url

from .adapters import LINKPRESS, THOMASAHLE, Peer, PeerError, output
from .judge import Verdict, is_filling


class Answer(Enum):
    """What a solver says of a board."""

    NONE = "none"
    ONE = "one"
    SEVERAL = "several"
    GAPPED = "gapped"  # one drawing but for detours, and squares stay empty: no puzzle of one solution
    SOME = "some"  # a drawing, and no word on whether there are more
    WRONG = "wrong"  # a drawing that is none
    UNSETTLED = "unsettled"

    def fits(self, verdict):
        """Whether it is right, given the judge's verdict."""
        return self in _RIGHT[verdict]


_RIGHT = {
    Verdict.NONE: (Answer.NONE,),
    Verdict.UNIQUE: (Answer.ONE, Answer.SOME),
    Verdict.MULTIPLE: (Answer.SEVERAL, Answer.GAPPED, Answer.SOME),
}
_COUNTED = (Answer.NONE, Answer.ONE, Answer.SEVERAL)


@dataclass(frozen=True)
class Solver:
    """A peer that solves: ``start`` loads it, once, and gives what is then asked of each board."""

    peer: Peer
    rules: tuple
    start: Callable
    takes: Callable = field(default=lambda puzzle: True)


def _counted(drawings):
    return _COUNTED[int(min(drawings, 2))]


def _canonical(drawings, *, gapped):
    """The answer of a program that counts a drawing once whatever detours its empty squares allow."""
    return Answer.GAPPED if drawings == 1 and gapped else _counted(drawings)


def _text(puzzle, empty, separator, *, signs=""):
    """The rows of a board, each square its number or the sign that stands for it."""
    return "\n".join(
        separator.join(empty if n == 0 else signs[n - 1] if signs else str(n) for n in row)
        for row in puzzle_squares(puzzle)
    )


def _found(puzzle, marks):
    return Answer.SOME if is_filling(puzzle, marks) else Answer.WRONG


def _start_linkpress(path):
    said = {
        proof.Verdict.NONE: Answer.NONE,
        proof.Verdict.UNIQUE: Answer.ONE,
        proof.Verdict.MULTIPLE: Answer.SEVERAL,
        proof.Verdict.GAVE_UP: Answer.UNSETTLED,
    }
    return lambda puzzle, rule: said[proof.prove(puzzle, rule).verdict]


def _start_numlin(path):
    def ask(puzzle, rule):
        said = output([str(path), puzzle_url(puzzle)])
        steps = said.count("─") + said.count("│")
        gapped = steps + len(puzzle.pairs) < len(puzzle.grid.free_cells)
        return _canonical(_number(r"solutions: (\d+)", said), gapped=gapped)

    return ask


def _start_ddnumlin(path):
    def ask(puzzle, rule):
        with tempfile.NamedTemporaryFile("w", suffix=".dat") as file:
            file.write(f"{puzzle.grid.cols} {puzzle.grid.rows}\n{_text(puzzle, '-', ' ')}\n")
            file.flush()
            blanks = ["-k", "0"] if rule is Rule.UNTOUCHING else []
            said = output([str(path), "-m", "2", *blanks, file.name])
        # A square has two columns, the second its own; the first drawing comes last but for a blank line.
        drawn = said.split("#1\n")[-1].split("\n\n")[0]
        gapped = any(" " in line[2:-1:2] for line in re.findall("┃.*┃", drawn))
        return _canonical(_number(r"#solution = (\S+)", said), gapped=gapped)

    return ask


def _start_imos(path):
    def ask(puzzle, rule):
        size = f"{puzzle.grid.cols} {puzzle.grid.rows}"
        said = output([str(path)], f"{size}\n{_text(puzzle, '0', ' ')}\n0 0\n")
        return _counted(_number(r"# of solutions: (\S+)", said))

    return ask


def _number(pattern, said):
    found = re.search(pattern, said)
    if not found:
        raise PeerError(f"no {pattern!r} in what it printed")
    return float(found[1])  # some print 1e+20


def _start_thomasahle(path):
    def ask(puzzle, rule):
        size = f"{puzzle.grid.cols} {puzzle.grid.rows}"
        said = output([str(path)], f"{size}\n{_text(puzzle, '.', '', signs=_LETTERS)}\n0 0\n")
        if "IMPOSSIBLE" in said:
            return Answer.NONE
        return _found(puzzle, "".join(said.split()[2:]))

    return ask


_LETTERS = "".join(chr(n) for n in range(33, 127) if chr(n) not in ".#")


def _start_flow_solver(path):
    def ask(puzzle, rule):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(_text(puzzle, ".", "", signs=ascii_uppercase) + "\n")
            file.flush()
            said = output([str(path), "-A", "-m", "4000", file.name])
        if "search unsolvable" in said:
            return Answer.NONE
        if "search successful" not in said:
            return Answer.UNSETTLED
        rows = [line[1:-1] for line in said.splitlines() if re.fullmatch(r"#.*#", line)]
        drawn = [row for row in rows if row.strip("#")][-puzzle.grid.rows :]
        return _found(puzzle, "".join(drawn))

    return ask


def _start_grilops(path):
    grilops, paths = importlib.import_module("grilops"), importlib.import_module("grilops.paths")
    point = importlib.import_module("grilops.geometry").Point

    def ask(puzzle, rule):
        spot = {cell: point(*puzzle.grid.position(cell)) for cell in puzzle.grid.free_cells}
        lattice = importlib.import_module("grilops.geometry").RectangularLattice(list(spot.values()))
        symbols = paths.PathSymbolSet(lattice)
        symbols.append("BLANK", " ")
        board = grilops.SymbolGrid(lattice, symbols)
        filled = rule is Rule.FILLED
        constrainer = paths.PathConstrainer(board, complete=filled, allow_loops=False)
        for cell, where in spot.items():
            board.solver.add(symbols.is_terminal(board.grid[where]) == (cell in puzzle.number_at))
        for pair in puzzle.pairs:
            instance = lattice.point_to_index(spot[pair.first])
            for end in (pair.first, pair.second):
                board.solver.add(constrainer.path_instance_grid[spot[end]] == instance)
        if not board.solve():
            return Answer.NONE
        return Answer.ONE if board.is_unique() else Answer.SEVERAL

    return ask


def _start_noqx(path):
    sys.path.insert(0, str(path))
    clingo, manager = importlib.import_module("noqx.clingo"), importlib.import_module("noqx.manager")
    model = importlib.import_module("noqx.puzzle")
    manager.load_solver("solver", "numlin")
    clingo.Config.max_solutions_to_find, clingo.Config.time_limit = 2, 1_000_000

    def ask(puzzle, rule):
        board = model.Puzzle("numlin", "", {"visit_all": rule is Rule.FILLED, "no_2x2": False})
        board.row, board.col = puzzle.grid.rows, puzzle.grid.cols
        for cell, number in puzzle.number_at.items():
            board.text[model.Point(*puzzle.grid.position(cell))] = number
        solver = clingo.ClingoSolver()
        solver.solve(manager.generate_program(board))
        return _counted(len(solver.solution()))

    return ask


def _start_multi(path):
    array = importlib.import_module("numpy").array
    tools = importlib.import_module("puzzle_solver.core.utils_ortools")
    boards = importlib.import_module("puzzle_solver").connect_the_dots_solver

    def drawing(board, solver):
        return tools.SingleSolution(
            {at: mark for (at, mark), on in board.model_vars.items() if solver.Value(on)}
        )

    def ask(puzzle, rule):
        board = boards.Board(array([[str(n or "") for n in row] for row in puzzle_squares(puzzle)]))
        return _counted(len(tools.generic_solve_all(board, drawing, max_solutions=2, verbose=False)))

    return ask


STRICT, UNTOUCHING = (Rule.STRICT,), (Rule.UNTOUCHING,)
SOLVERS = (
    Solver(LINKPRESS, tuple(Rule), _start_linkpress),
    Solver(
        Peer(
            "numlin_v2", "semiexp/numlin_v2", "MIT", "9002a5e",
            "its program `numlin` (Rust)", "lists every drawing",
        ),
        STRICT, _start_numlin,
    ),
    Solver(
        Peer(
            "ddnumlin", "kunisura/TdZdd", "MIT", "95ad69d",
            "its program `ddnumlin` (C++)", "counts every drawing",
        ),
        STRICT + UNTOUCHING, _start_ddnumlin,
    ),
    Solver(
        Peer(
            "imos", "imos/Puzzle", "all rights reserved", "0e12d0f",
            "its program of NumberLink/numberlink_solver_v1.cc (C++)", "counts every drawing",
        ),
        STRICT, _start_imos,
    ),
    Solver(
        Peer("grilops", "obijywk/grilops", "MIT", package="grilops", module="grilops"),
        (Rule.STRICT, Rule.FILLED), _start_grilops,
    ),
    Solver(
        Peer(
            "noqx", "T0nyX1ang/noqx", "Apache 2.0 or GPL 3.0", "0f59813", "the folder of its checkout",
            package="clingo", module="clingo",
        ),
        (Rule.STRICT, Rule.FILLED), _start_noqx,
    ),
    Solver(
        Peer(
            "multi-puzzle-solver", "Ar-Kareem/puzzle_solver", "not stated",
            package="multi-puzzle-solver", module="puzzle_solver",
        ),
        UNTOUCHING, _start_multi,
    ),
    Solver(THOMASAHLE, UNTOUCHING, _start_thomasahle, lambda puzzle: len(puzzle.pairs) <= len(_LETTERS)),
    Solver(
        Peer(
            "flow_solver", "mzucker/flow_solver", "CC BY-NC 2.0", "b2c7a2b", "its program `flow_solver` (C)",
            "finds one drawing and stops; square boards to 14 × 14 with 16 pairs",
        ),
        UNTOUCHING, _start_flow_solver,
        lambda puzzle: puzzle.grid.rows == puzzle.grid.cols <= 14 and len(puzzle.pairs) <= 16,
    ),
)  # fmt: skip
