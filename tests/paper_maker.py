"""Stand-in for the engine: boards with one or two paths in each row and no proof; and runs that use it."""

import contextlib
import os
import pathlib
import random
import time
from types import SimpleNamespace

from linkpress.book.spec import BookSpec
from linkpress.engine.make.generate import MadePuzzle
from linkpress.errors import GradeError, RecipeError
from linkpress.files import lock_folder
from linkpress.ledger.database import Holder, Kind
from linkpress.production.book_puzzles import JOURNAL_FILE, plan_book
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess
from linkpress.production.journal import Watcher
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.puzzle.puzzle import Grid, Path, Puzzle, Solution


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
    return MadePuzzle(Solution(puzzle, paths), proof, grading=None, attempts=1)


def make_unevenly(recipe, seed, method, work=0):
    """Take a random time, so that later slots may finish before earlier ones."""
    time.sleep(random.Random(seed).random() / 50)
    return make_on_paper(recipe, seed, method)


def make_slowly(recipe, seed, method, work=0):
    """Take so long that calls wait for each other."""
    time.sleep(0.1)
    return make_on_paper(recipe, seed, method)


def own_pid(word=""):
    """Return the process id of the worker."""
    return os.getpid()


def make_repeats(recipe, seed, method, work=0):
    """Make the same puzzle in the first attempt of every slot."""
    return make_on_paper(recipe, "same" if seed.endswith("/0") else seed, method)


def refuse_third(recipe, seed, method, work=0):
    if "/3/" in seed:
        raise RecipeError("it can't be")
    return make_on_paper(recipe, seed, method)


def refuse_grades(recipe, seed, method, work=0):
    if recipe.required:
        raise GradeError("no such puzzle.")
    return make_on_paper(recipe, seed, method)


def end_worker(recipe, seed, method, work=0):
    """End the worker, as the system does when memory runs out."""
    os._exit(9)


def make_endlessly(recipe, seed, method, work=0):
    """Write the process id of the worker, then never finish."""
    os.write(1, f"{os.getpid()}\n".encode())  # a single write, because other workers write, too
    while True:
        time.sleep(1)


def die_once(recipe, seed, method, work=0):
    """End the worker at the first call for each seed."""
    mark = pathlib.Path(os.environ["PAPER_FOLDER"]) / seed.replace("/", "-")
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return make_on_paper(recipe, seed, method)


HERE = Workers(1, InProcess)


def paper_spec():
    """Return the spec of a book with two levels and seven puzzles."""
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
    """Make the puzzles for some slots.

    Args:
        slots: the slots.
        maker: makes a puzzle.
        workers: the workers.
        parts: journal, ledger, log and watcher of the run.
    """
    run = ProductionRun(RunPlan(Holder(Kind.VOLUME, "paper"), "Paper", len(slots)), maker=maker, **parts)
    with run.at_work(workers):
        return run.fill(slots)


@contextlib.contextmanager
def opened(spec, folder, choice=NO_LEDGER, log=None, watcher=None, maker=make_on_paper):
    """Open the run of a book in its folder."""
    journal, plan = folder / JOURNAL_FILE, plan_book(spec)
    with lock_folder(folder), ProductionRun.open(plan, journal, choice, log, watcher, maker) as run:
        yield run


def essence(made):
    """Return the slots and records, which don't depend on who made the puzzles and when."""
    return [(one.slot, one.record) for one in made]


class Heard(Watcher):
    """Watcher that collects puzzles and messages, and calls ``act`` after some puzzles."""

    def __init__(self, act=lambda: None, after=1):
        self.act, self.after = act, after
        self.made_so_far, self.messages = [], []

    def made(self, finished):
        self.made_so_far.append(finished)
        if len(self.made_so_far) == self.after:
            self.act()

    def notify(self, message):
        self.messages.append(message)

    @property
    def slots(self):
        """Numbers of the slots that have puzzles."""
        return [one.slot.number for one in self.made_so_far]


def stop(after, error=KeyboardInterrupt):
    """Return a watcher that ends a run after some puzzles, as Ctrl-C does."""

    def end():
        raise error

    return Heard(end, after)
