"""Sound inputs of every kind, small ones first: what the mutations begin with."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import boards
from linkpress import __version__
from linkpress.book.ledger import export_ledger
from linkpress.book.ledger.records import Holder, Kind, LedgerPuzzle, Place, Record
from linkpress.book.ledger.store import Ledger
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.volume import Volume, assemble, volume_json
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.recipe import Rule
from linkpress.production.finished_slot import FinishedSlot, journal_line
from linkpress.production.journal import Journal
from linkpress.puzzle.notation import ascii_drawing, link_text
from linkpress.puzzle.notation.article_table import both_tables, puzzle_table
from linkpress.puzzle.notation.puzz_link import puzzle_url
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource

SOLUTIONS = (boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION)
URL_BOARD = boards.puzzle_of("5 4\n1 . . . 2\n. 3 . 3 .\n. . . . .\n1 . . . 2\n")
LARGE_BOARD = boards.puzzle_of(
    "26 3\n" + " ".join(str(n) for n in range(1, 27)) + "\n" + ". " * 26 + "\n"
    + " ".join(str(n) for n in range(1, 27)) + "\n"
)  # fmt: skip
ODD_NUMBERS = boards.puzzle_of("4 3\n9999 . . 9999\n100 . . 100\n7 . . 7\n")

EVERY_KEY = """\
title: "Zażółć – Nº 1"
subtitle: &words 'It''s "two" & <three>'
author: Ö. Señor
volume: 3
seed: swallow/9
page: {printer: kdp-paperback, trim: 6x9in, bleed: no, single_sided: no, paper: white, min_cell_mm: 5.5}
levels:
  - {name: Warm, count: 2, size: [5, 5x7], paths: 4-6, solids: 0-10%, unique: filled, per_page: 2}
  - name: Own
    count: 1
    from: own.txt
    unique: strict
  - {name: Wild, count: 1, size: 7, grade: easy-hard, shortest_path: 3, adjacent_pairs: no,
     longest_share: 40%, border_share: 60.5%, solid_pattern: mirror, method: walk, solids: 4}
replace: {1: 2}
solutions: {per_page: 4}
theme: bold
standard: plain
screen: yes
cover: {blurb: "Two lines\\nof it", puzzle: 2, spine_mm: 9}
front:
  - {title: Hello, text: "# A\\n\\n**b** *c* - d\\n\\n---\\n"}
back: [{text: *words}]
qr: {per: puzzle, text: "{url} {number}"}
notes_pages: 12
publisher: House
copyright: © somebody
year: 2026
edition: First edition
isbn: 978-3-16-148410-0
language: en
date: 2026-11-20
id: my-book
"""
SMALL_SPEC = "title: T\nseed: 1\nlevels: [{name: A, count: 2, size: 5, paths: 4}]\n"

FEED = """\
id: daily
title: Links
author: A. Setter
copyright: © 2026 A. Setter
usage: once
seed: 9
first_number: 12
names: "{date:%Y}/L-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png"
image: {grid: rhenish, columns: 2, dpi: 600, mode: gray, format: [png, svg], theme: newspaper, combined: yes}
caption: {in_image: yes, number: yes, size: no, grade: stars, rules: yes, solution: yes}
week:
  monday: {size: 7, paths: 5-6, grade: easy}
  sunday: {size: 8x9, solids: 5%}
skip: [12-25, 2027-01-01]
utc_offset: "+01:00"
"""


def board_texts() -> list[bytes]:
    """Boards in every notation, alone and mixed."""
    puzzles = [solution.puzzle for solution in SOLUTIONS]
    spaced = "".join(link_text.puzzle_text(puzzle) + "\n" for puzzle in puzzles)
    texts = [
        *(link_text.puzzle_text(puzzle) for puzzle in (*puzzles, LARGE_BOARD, ODD_NUMBERS)),
        *(link_text.compact_text(puzzle) for puzzle in (*puzzles, LARGE_BOARD)),
        *(link_text.solution_text(solution) for solution in SOLUTIONS),
        "; two records\n" + spaced + "\n" + link_text.compact_text(puzzles[0]),
        "\n".join(link_text.board_rows(puzzles[0])) + "\n\n121\n...\n212\n",
    ]
    return [text.encode() for text in texts]


def urls() -> list[bytes]:
    """Addresses of puzz.link and its like."""
    plain = puzzle_url(URL_BOARD)
    body = plain.partition("?")[2]
    return [
        text.encode()
        for text in (
            plain, body, f"http://pzv.jp/p.html?{body}", body.replace("numlin", "numlin_edit"),
            f"{plain}\n{plain}\n", puzzle_url(LARGE_BOARD), puzzle_url(ODD_NUMBERS),
            "numlin/3/3/121zzz", f"<{plain}/>",
        )
    ]  # fmt: skip


def drawings() -> list[bytes]:
    """Box drawings: puzzles, solutions, half-drawn boards."""
    solution = boards.TOUCHING_BOARD
    half = sorted(solution.edges)[::2]
    texts = [
        *(draw(one) for one in SOLUTIONS for draw in (_puzzle_drawing, ascii_drawing.draw_solution)),
        ascii_drawing.draw_solution(solution),
        ascii_drawing.draw_puzzle(ODD_NUMBERS),
        ascii_drawing.draw_lines(solution.puzzle, set(half)),
        "  " + ascii_drawing.draw_puzzle(solution.puzzle).replace("\n", "\n  ").rstrip(" "),
    ]
    return [text.encode() for text in texts]


def _puzzle_drawing(solution: Solution) -> str:
    return ascii_drawing.draw_puzzle(solution.puzzle)


def tables() -> list[bytes]:
    """What the article's program prints."""
    texts = [
        *(both_tables(one) for one in SOLUTIONS),
        *(puzzle_table(one) for one in (LARGE_BOARD, ODD_NUMBERS)),
        puzzle_table(SOLUTIONS[0].puzzle).replace("||", "|"),
    ]
    return [text.encode() for text in texts]


def shipped(folder: str) -> list[bytes]:
    """The shipped files of a kind."""
    return [path.read_bytes() for path in sorted(resource("config", folder).glob("*.yaml"))]


def specs() -> list[bytes]:
    """Book specs."""
    books = [
        resource("config", f"{name}.yaml").read_bytes() for name in ("starter", "volume-1", "six-grades")
    ]
    return [SMALL_SPEC.encode(), EVERY_KEY.encode(), EVERY_KEY.encode(), *books]


def feeds() -> list[bytes]:
    """Feed specs."""
    return [FEED.encode(), resource("config", "feed-daily.yaml").read_bytes()]


@cache
def small_spec(theme: str = "classic") -> BookSpec:
    """The spec of a book of two boards."""
    return BookSpec.model_validate(
        {
            "title": "Number Link", "subtitle": "2 puzzles", "author": "A. Setter", "seed": 1, "theme": theme,
            "page": {"trim": "6x9in", "paper": "colour" if theme == "colour" else "white"},
            "screen": True, "cover": True,
            "front": [{"title": "Before", "text": "**Words** of mine\n\n- one\n- two"}],
            "levels": [
                {"name": "First", "count": 1, "size": "7x5", "paths": 5, "solids": 3},
                {"name": "Second", "count": 1, "size": 7, "paths": 7, "solids": 3},
            ],
        }
    )  # fmt: skip


@cache
def small_volume(theme: str = "classic") -> Volume:
    """The volume of that book."""
    spec = small_spec(theme)
    made = [_finished(slot, solution) for slot, solution in zip(plan_slots(spec), SOLUTIONS, strict=True)]
    return assemble(spec, (one.record for one in made), __version__)


@cache
def _volume_text(theme: str) -> bytes:
    return volume_json(small_volume(theme)).encode()


def volumes() -> list[bytes]:
    """``volume.json`` files."""
    return [_volume_text(theme) for theme in ("classic", "colour")]


def journals() -> list[bytes]:
    """Journals of the small book: one finished, one begun."""
    made, spec = [], small_spec()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal")
        for count in (2, 1):
            with Journal(path, spec.book_id, __version__) as journal:
                for slot, solution in list(zip(plan_slots(spec), SOLUTIONS, strict=True))[:count]:
                    journal.append(slot.number, journal_line(_finished(slot, solution)))
            made.append(path.read_bytes())
            path.unlink()
    return made


def _finished(slot: Slot, solution: Solution) -> FinishedSlot:
    graded = grade_puzzle(solution.puzzle, Rule.STRICT)
    facts = {"grade": graded.grade, "score": graded.score, "techniques": graded.techniques}
    made = boards.record_of(solution, level=slot.level, seed=slot.seed_of(0), index=slot.index, **facts)
    return FinishedSlot(slot, made, 1, 0.1)


def ledger_puzzle(puzzle: Puzzle, slot: str) -> LedgerPuzzle:
    """What a ledger keeps of a board."""
    return LedgerPuzzle(
        fingerprint(puzzle), slot, "\n".join(link_text.board_rows(puzzle)), "strict", "sat", "easy", 7,
        "7 x 5", "1/First/1",
    )  # fmt: skip


def fill_ledger(path: Path) -> None:
    """A ledger of three puzzles in a volume and a feed."""
    puzzles = [*(solution.puzzle for solution in SOLUTIONS), URL_BOARD]
    records = [
        Record(ledger_puzzle(puzzle, str(at)), Place(Holder(kind, "one"), str(at), True), "2026-11-20")
        for at, (puzzle, kind) in enumerate(
            zip(puzzles, (Kind.VOLUME, Kind.VOLUME, Kind.FEED), strict=True), 1
        )
    ]
    with Ledger(path) as ledger:
        ledger.add([("One", records[:2]), ("Daily", records[2:])])


def ledger_exports() -> list[bytes]:
    """What ``ledger export`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        fill_ledger(Path(folder, "ledger"))
        with Ledger(Path(folder, "ledger"), writable=False) as ledger:
            return ["".join(export_ledger(ledger)).encode()]


def ledger_files() -> list[bytes]:
    """Ledgers as they lie on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        fill_ledger(Path(folder, "ledger"))
        return [Path(folder, "ledger").read_bytes()]


@cache
def manifests() -> tuple[bytes, ...]:
    """A feed's manifests, from a run of three days."""
    from linkpress.newspaper.calendar import read_run
    from linkpress.newspaper.feed import feed
    from linkpress.production.ledger_session import LedgerChoice

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "feed.yaml").write_text(MANIFEST_FEED)
        run = read_run("2026-12-01", 3)
        feed(folder / "feed.yaml", run, folder / "out", jobs=1, ledger=LedgerChoice(asked=False))
        return tuple(path.read_bytes() for path in (folder / "out").glob("manifest-*.json"))


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MANIFEST_FEED = (
    "id: daily\ntitle: Links\nseed: 9\nimage: {dpi: 72, columns: 2}\nweek:\n"
    + "".join(f"  {day}: {{size: 5, paths: 4-5}}\n" for day in _DAYS)
)  # fmt: skip


@cache
def built_files(theme: str = "classic") -> dict[str, bytes]:
    """A small book's finished PDFs, by name."""
    from linkpress.press.typesetting import typeset

    return dict(typeset(small_volume(theme), Path()).files)


def pdfs() -> list[bytes]:
    """Interiors, screen editions and covers."""
    return [content for theme in ("classic", "colour") for content in built_files(theme).values()]


def interiors() -> list[bytes]:
    """Interiors alone."""
    return [built_files(theme)["interior.pdf"] for theme in ("classic", "colour")]


def own_boards(folder: Path) -> None:
    """The file that ``EVERY_KEY`` takes boards from."""
    (folder / "own.txt").write_text(link_text.puzzle_text(SOLUTIONS[0].puzzle))


def load_small(folder: Path, text: str) -> BookSpec:
    """A spec read from a text."""
    path = folder / "spec.yaml"
    path.write_text(text)
    return load_spec(path)
