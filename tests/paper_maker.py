"""A stand-in for the engine: each row is one path or two, without any proof; and runs that use it."""

import contextlib
import ctypes
import os
import pathlib
import random
import time
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace

from linkpress.book.spec import BookSpec
from linkpress.engine.make.generate import generate
from linkpress.errors import GradeError, RecipeError
from linkpress.files import lock_folder
from linkpress.ledger.entries import Holder, Kind
from linkpress.production.book_puzzles import JOURNAL_FILE, plan_book
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess
from linkpress.production.journal import Watcher
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import make_slot
from linkpress.puzzle.puzzle import Grid, Path, Puzzle, Solution


@dataclass
class PaperMade:
    puzzle: Puzzle
    solution: Solution
    proof: SimpleNamespace
    grading: None
    attempts: int


def make_on_paper(recipe, seed, method, work=0):
    rolls = random.Random(seed)
    grid = Grid(recipe.rows, recipe.cols)
    pieces = []
    for row in range(recipe.rows):
        cells = [grid.cell(row, col) for col in range(recipe.cols)]
        cut = rolls.choice((0, *range(2, recipe.cols - 1)))
        pieces += [piece for piece in (cells[:cut], cells[cut:]) if piece]
    numbers = {cell: n for n, piece in enumerate(pieces, 1) for cell in (piece[0], piece[-1])}
    puzzle = Puzzle.from_numbers(grid, numbers)
    paths = tuple(Path(n, tuple(piece)) for n, piece in enumerate(pieces, 1))
    proof = SimpleNamespace(rule=recipe.rule, method="paper")
    return PaperMade(puzzle, Solution(puzzle, paths), proof, None, 1)


def make_unevenly(recipe, seed, method, work=0):
    """Later slots finish before earlier ones."""
    time.sleep(random.Random(seed).random() / 50)
    return make_on_paper(recipe, seed, method)


def make_slowly(recipe, seed, method, work=0):
    """So slowly that calls wait for each other."""
    time.sleep(0.1)
    return make_on_paper(recipe, seed, method)


def keep_lock(pipe):
    """As a solver in C that lets no other thread run, until somebody opens the other end of that pipe."""
    os.close(ctypes.PyDLL(None).open(pipe.encode(), os.O_RDONLY))
    return pipe


def make_or_lie(slot, heard):
    """Make a slot's puzzle; a worker that is told to lie has one path on it, and says it was proven.

    The others end no call before the file ``heard`` says that it was found out.
    """
    finished = make_slot(partial(generate, graded=True), slot, 0)
    if "LINKPRESS_TEST_LIES" not in os.environ:
        while not pathlib.Path(heard).exists():
            time.sleep(0.02)
        return finished
    rows, cols = slot.recipe.rows, slot.recipe.cols
    grid = Grid(rows, cols)
    columns = range(cols)
    snake = [grid.cell(row, col) for row in range(rows) for col in columns[:: -1 if row % 2 else 1]]
    puzzle = Puzzle.from_numbers(grid, {snake[0]: 1, snake[-1]: 1})
    wrong = Solution(puzzle, (Path(1, tuple(snake)),))
    return replace(finished, record=replace(finished.record, solution=wrong))


def hold_first(held):
    """The first call waits until that file says nothing any more; the others end at once."""
    file = pathlib.Path(held)
    with contextlib.suppress(FileExistsError), file.open("x") as first:
        first.write("first")
        first.flush()
        while file.read_text():
            time.sleep(0.02)
    return held


def own_pid(word=""):
    """Who is asked."""
    return os.getpid()


def make_twins(recipe, seed, method, work=0):
    """The first attempt of every slot gives the same puzzle."""
    return make_on_paper(recipe, "same" if seed.endswith("/0") else seed, method)


def refuse_third(recipe, seed, method, work=0):
    if "/3/" in seed:
        raise RecipeError("it can't be")
    return make_on_paper(recipe, seed, method)


def refuse_grades(recipe, seed, method, work=0):
    if recipe.grades:
        raise GradeError("no such grade.")
    return make_on_paper(recipe, seed, method)


def end_worker(recipe, seed, method, work=0):
    """As when the system ends a process for want of memory."""
    os._exit(9)


def make_endlessly(recipe, seed, method, work=0):
    """Say who is at work, then never finish."""
    os.write(1, f"{os.getpid()}\n".encode())  # in one piece: others write too
    while True:
        time.sleep(1)


def die_once(recipe, seed, method, work=0):
    """The first call for each seed takes its process along."""
    mark = pathlib.Path(os.environ["PAPER_FOLDER"]) / seed.replace("/", "-")
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return make_on_paper(recipe, seed, method)


HERE = Workers(1, InProcess)


def paper_spec():
    """A book of two levels and seven puzzles."""
    return BookSpec.model_validate(
        {
            "title": "Link “Ü” 🎲",
            "seed": 7,
            "levels": [
                {"name": "Easy", "count": 4, "size": "7x5", "paths": "4-6", "solids": "0-2"},
                {"name": "Hard", "count": 3, "size": ["7x5", "6"], "paths": "4-6", "unique": "filled"},
            ],
        }
    )


def make_slots(slots, maker=make_on_paper, workers=HERE, **parts):
    """The puzzles of some slots; parts of the run are journal, ledger, log and watcher."""
    run = ProductionRun(RunPlan(Holder(Kind.VOLUME, "paper"), "Paper", len(slots)), maker=maker, **parts)
    with run.at_work(workers):
        return run.fill(slots)


@contextlib.contextmanager
def opened(spec, folder, choice=NO_LEDGER, log=None, watcher=None, maker=make_on_paper):
    """The run of a book in its folder, as a build opens it."""
    journal, plan = folder / JOURNAL_FILE, plan_book(spec)
    with lock_folder(folder), ProductionRun.open(plan, journal, choice, log, watcher, maker) as run:
        yield run


def essence(made):
    """What does not depend on who made the puzzles, and when."""
    return [(one.slot, one.record) for one in made]


class Heard(Watcher):
    """What is told of a run: puzzles and messages. When so many puzzles have come, it acts."""

    def __init__(self, act=lambda: None, after=1):
        self.act, self.after = act, after
        self.made_so_far, self.said = [], []

    def made(self, finished):
        self.made_so_far.append(finished)
        if len(self.made_so_far) == self.after:
            self.act()

    def notify(self, message):
        self.said.append(message)

    @property
    def slots(self):
        """The numbers of their slots."""
        return [one.slot.number for one in self.made_so_far]


def stop(after, fault=KeyboardInterrupt):
    """What ends a run, as Ctrl-C does, when so many puzzles have come."""

    def end():
        raise fault

    return Heard(end, after)
