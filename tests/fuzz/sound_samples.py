"""Sound inputs of every kind, as lists of bytes with the smallest first; the tests damage them."""

import io
import tempfile
from functools import cache
from pathlib import Path

from PIL import Image

import boards
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.book.volume import assemble
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.recipe import Rule
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import read_dates
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger, export_ledger
from linkpress.production.journal import Journal
from linkpress.production.ledger_session import LedgerChoice
from linkpress.production.slot_search import FinishedSlot, journal_text
from linkpress.puzzle.ascii_drawing import draw_lines
from linkpress.puzzle.link_text import both_tables
from linkpress.puzzle.notations import Notation, write_puzzle, write_solution
from linkpress.resources import resource
from linkpress.version import __version__
from press_samples import Typeset

SOLUTIONS = (boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION)
URL_BOARD = boards.puzzle_of("5 4\n1 . . . 2\n. 3 . 3 .\n. . . . .\n1 . . . 2\n")
ODD_NUMBERS = boards.puzzle_of("4 3\n9999 . . 9999\n100 . . 100\n7 . . 7\n")

EVERY_KEY = """\
title: "Zażółć – Nº 1"
subtitle: &words 'It''s "two" & <three>'
volume: 3
seed: swallow/9
page: {printer: kdp-paperback, trim: 6x9in, bleed: no, single_sided: no, paper: white, min_cell_mm: 5.5}
levels:
  - {name: Warm, count: 2, size: [5, 5x7], paths: 4-6, solids: 0-10%, unique: filled, per_page: 2}
  - {name: Own, count: 1, from: own.txt, unique: strict}
  - {name: Wild, count: 1, size: 7, technique: easy-hard, shortest_path: 3, adjacent_pairs: no,
     longest_share: 40%, border_share: 60.5%, solid_pattern: mirror, method: walk, solids: 4}
replace: {1: 2}
solutions: {per_page: 4}
theme: bold
screen: yes
cover: {blurb: "Two lines\\nof it", puzzle: 2, spine_mm: 9}
front: [{title: Hello, text: "# A\\n\\n**b** *c* - d\\n\\n---\\n"}]
back: [{text: *words}]
qr: {per: puzzle, text: "{url} {number}"}
isbn: 978-3-16-148410-0
words: {solution_on: "Answer p. {page}", tips: [Look.], count: {one: "{number} of them"}}
date: 2026-11-20
"""
SMALL_SPEC = "title: T\nseed: 1\nlevels: [{name: A, count: 2, size: 5, paths: 4}]\n"
CHANGES = """\
subtitle: In other words
page: {printer: lulu, paper: cream, trim: A5}
levels: [{}, {per_page: 2}]
front: [{text: Hello}]
language: es
words: {puzzle_on: "Board p. {page}", player: {hint: Tell me}, tips: [Look twice.]}
cover: {spine_mm: 9}
"""
SMALL_FEED = """\
id: daily
title: Links
seed: 9
image: {dpi: 72, columns: 2, format: [png, svg]}
week: {tuesday: &day {size: 5, paths: 4-5}, wednesday: *day, thursday: *day}
"""


def board_texts():
    """Boards as link text, alone and several in a file, with and without a size."""
    link = [write_puzzle(one.puzzle, Notation.LINK) for one in SOLUTIONS]
    compact = write_puzzle(SOLUTIONS[0].puzzle, Notation.COMPACT)
    bare = link[0].partition("\n")[2] + "\n\n121\n...\n212\n"
    answer = write_solution(SOLUTIONS[0], Notation.LINK)
    mixed = f"; two records\n{link[0]}\n{link[1]}\n\n{compact}"
    texts = (*link, compact, answer, write_puzzle(ODD_NUMBERS, Notation.LINK), mixed, bare)
    return [text.encode() for text in texts]


def addresses():
    """Addresses and files of puzz.link and pzprv3, and addresses of Penpa+."""
    plain = write_puzzle(URL_BOARD, Notation.URL).strip()
    file = write_puzzle(URL_BOARD, Notation.PZPRV3)
    penpa = [write_solution(one, Notation.PENPA) for one in SOLUTIONS]
    texts = (plain, f"{plain}\n{plain}\n", f"<{plain}/>", file, file.replace("\n", "/"), *penpa)
    return [text.encode() for text in texts]


def drawings():
    """Box drawings of puzzles, solutions and a half-drawn board, and tables of the article's program."""
    touching = boards.TOUCHING_BOARD
    half = draw_lines(touching.puzzle, set(sorted(touching.edges)[::2]))
    puzzles = [write_puzzle(one, Notation.ASCII) for one in (SOLUTIONS[0].puzzle, ODD_NUMBERS)]
    texts = (write_solution(touching, Notation.ASCII), *puzzles, half, *map(both_tables, SOLUTIONS))
    return [text.encode() for text in texts]


def notations():
    """Boards in every notation."""
    return [*drawings(), *board_texts(), *addresses()]


def shipped(pattern):
    """Return a function that reads the shipped files of a kind."""
    return lambda: [path.read_bytes() for path in sorted(resource("config").glob(pattern))]


def masks():
    """Masks as a text and as pictures of each format."""
    picture, files = Image.new("L", (9, 7), 255), shipped("masks/heart.txt")()
    picture.putpixel((3, 3), 0)
    for kind in ("PNG", "BMP", "GIF", "JPEG", "TIFF", "WEBP"):
        picture.save(written := io.BytesIO(), kind)
        files.append(written.getvalue())
    return files


def specs():
    """Book specs."""
    texts = (SMALL_SPEC, EVERY_KEY, EVERY_KEY)
    return [*(text.encode() for text in texts), *shipped("starter.yaml")(), *shipped("techniques.yaml")()]


def feeds():
    """Feed specs."""
    return [SMALL_FEED.encode(), *shipped("feed-daily.yaml")()]


def changes_files():
    """Changes of the small book for another edition."""
    return [CHANGES.encode(), b"words: {scan: Play}\n"]


@cache
def small_spec():
    """Build the spec of a book of two boards."""
    return BookSpec.model_validate(
        {
            "title": "Number Link", "subtitle": "2 puzzles", "author": "A. Setter", "seed": 1,
            "page": {"trim": "6x9in"}, "screen": True, "cover": True,
            "front": [{"title": "Before", "text": "**Words** of mine\n\n- one\n- two"}],
            "levels": [
                {"name": "First", "count": 1, "size": "7x5", "paths": 5, "solids": 3},
                {"name": "Second", "count": 1, "size": 7, "paths": 7, "solids": 3},
            ],
        }
    )  # fmt: skip


@cache
def _finished_slots():
    slots = []
    for slot, solution in zip(plan_slots(small_spec()), SOLUTIONS, strict=True):
        graded = grade_puzzle(solution.puzzle, Rule.STRICT)
        facts = {
            "technique": graded.technique,
            "difficulty": graded.difficulty,
            "score": graded.score,
            "findings": graded.findings,
        }
        record = boards.record_of(solution, level=slot.level, seed=slot.seed_of(0), index=slot.index, **facts)
        slots.append(FinishedSlot(slot, record, 1, 0.1))
    return slots


@cache
def small_volume():
    """Build the volume of the small book."""
    return assemble(small_spec(), (one.record for one in _finished_slots()), __version__)


def volumes():
    """The small book's ``volume.json``."""
    return [small_volume().json.encode()]


@cache
def build_journals():
    """Journals of the small book: a finished one, and one with half the puzzles."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (2, 1):
            with Journal(Path(folder, str(count)), small_spec().book_id, __version__) as journal:
                journal.append((one.slot.number, journal_text(one)) for one in _finished_slots()[:count])
        return [Path(folder, name).read_bytes() for name in ("2", "1")]


def fill_ledger(path):
    """Write a ledger of two puzzles in a volume and a feed; return what ``ledger export`` writes."""
    with Ledger(path) as ledger:
        ledger.add(
            boards.entry_of(solution.puzzle, Holder(kind, "one"), "1")
            for solution, kind in zip(SOLUTIONS, (Kind.VOLUME, Kind.FEED), strict=True)
        )
        return "".join(export_ledger(ledger)).encode()


@cache
def _ledger_and_export():
    with tempfile.TemporaryDirectory() as folder:
        export = fill_ledger(path := Path(folder, "ledger"))
        return path.read_bytes(), export


def ledger_files():
    return [_ledger_and_export()[0]]


def ledger_exports():
    return [_ledger_and_export()[1]]


@cache
def manifests():
    """A feed's manifest, from a run of three days."""
    with tempfile.TemporaryDirectory() as name:
        spec, out = Path(name, "feed.yaml"), Path(name, "out")
        spec.write_text(SMALL_FEED)
        feed(spec, read_dates("2026-12-01", 3), out, jobs=1, ledger=LedgerChoice(used=False))
        return [path.read_bytes() for path in out.glob("manifest-*.json")]


@cache
def pdfs():
    """The small book's interior, screen edition and cover."""
    return list(Typeset(small_volume(), Path()).files.values())


def put_own_boards(folder):
    """Write the file from which ``EVERY_KEY`` reads boards."""
    (folder / "own.txt").write_text(write_puzzle(SOLUTIONS[0].puzzle, Notation.LINK))
