"""Sound inputs of every kind, small ones first: what is spoilt."""

import io
import tempfile
from functools import cache
from pathlib import Path

from PIL import Image

import boards
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.book.volume import assemble, volume_json
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.recipe import Rule
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import read_dates
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger, export_ledger
from linkpress.production.journal import Journal
from linkpress.production.ledger_session import LedgerChoice
from linkpress.production.slot_search import FinishedSlot, journal_line
from linkpress.puzzle.notation.ascii_drawing import draw_lines
from linkpress.puzzle.notation.link_text import both_tables
from linkpress.puzzle.notation.notations import Notation, write_puzzle, write_solution
from linkpress.resources import resource
from linkpress.version import __version__
from press_samples import typeset_in

SOLUTIONS = (boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION)
URL_BOARD = boards.puzzle_of("5 4\n1 . . . 2\n. 3 . 3 .\n. . . . .\n1 . . . 2\n")
_COUNTED = " ".join(str(n) for n in range(1, 27))
LARGE_BOARD = boards.puzzle_of(f"26 3\n{_COUNTED}\n{'. ' * 26}\n{_COUNTED}\n")
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
words: {solution_on: "Answer p. {page}", tips: [Look.], count: {one: "{number} of them"}}
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
language: de
words: {solution_on_weekday: "Antwort {day}", grades: {hard: knifflig}}
"""
CHANGES = """\
subtitle: In other words
page: {printer: lulu, paper: cream, trim: A5}
levels:
  - {}
  - {per_page: 2}
front: [{text: Hello}]
language: es
words: {puzzle_on: "Board p. {page}", player: {hint: Tell me}, tips: [Look twice.]}
cover: {spine_mm: 9}
theme: bold
"""
SMALL_FEED = """\
id: daily
title: Links
seed: 9
image: {dpi: 72, columns: 2, format: [png, svg]}
week: {tuesday: &day {size: 5, paths: 4-5}, wednesday: *day, thursday: *day}
"""


def board_texts():
    """Link text, spaced and compact, alone and mixed, with and without sizes."""
    link, compact = (
        [write_puzzle(one, form) for one in (SOLUTIONS[0].puzzle, SOLUTIONS[1].puzzle, LARGE_BOARD)]
        for form in (Notation.LINK, Notation.COMPACT)
    )
    mixed = f"; two records\n{link[0]}\n{link[1]}\n\n{compact[0]}"
    bare = link[0].partition("\n")[2] + "\n\n121\n...\n212\n"
    answers = [write_solution(one, Notation.LINK) for one in SOLUTIONS]
    return _encoded(*link, *compact, *answers, write_puzzle(ODD_NUMBERS, Notation.LINK), mixed, bare)


def addresses():
    """Addresses and files of puzz.link and its like, addresses of Penpa+."""
    plain, *others = (
        write_puzzle(one, Notation.URL).strip() for one in (URL_BOARD, LARGE_BOARD, ODD_NUMBERS)
    )
    body = plain.partition("?")[2]
    files = [write_puzzle(URL_BOARD, Notation.PZPRV3, filled=filled) for filled in (True, False)]
    others += [
        *files,
        files[0].replace("\n", "/"),
        *(write_solution(one, Notation.PENPA) for one in SOLUTIONS),
    ]
    return _encoded(
        plain, body, f"http://pzv.jp/p.html?{body}", body.replace("numlin", "numlin_edit"),
        f"{plain}\n{plain}\n", *others, "numlin/3/3/121zzz", f"<{plain}/>",
    )  # fmt: skip


def drawings():
    """Box drawings: puzzles, solutions, half-drawn boards."""
    touching = boards.TOUCHING_BOARD
    puzzle = write_puzzle(touching.puzzle, Notation.ASCII)
    return _encoded(
        *(write_solution(one, Notation.ASCII) for one in (*SOLUTIONS, touching)),
        *(write_puzzle(one.puzzle, Notation.ASCII) for one in SOLUTIONS),
        write_puzzle(ODD_NUMBERS, Notation.ASCII),
        draw_lines(touching.puzzle, set(sorted(touching.edges)[::2])),
        "  " + puzzle.replace("\n", "\n  ").rstrip(" "),
    )


def tables():
    """What the article's program prints."""
    wide = [write_puzzle(one, Notation.TABLE) for one in (LARGE_BOARD, ODD_NUMBERS)]
    return _encoded(*map(both_tables, SOLUTIONS), *wide, wide[0].replace("||", "|"))


def notations():
    """Boards in every notation."""
    return [*drawings(), *tables(), *board_texts(), *addresses()]


def _encoded(*some):
    return [text.encode() for text in some]


def shipped(pattern):
    """The shipped files of a kind, as a function."""
    return lambda: [path.read_bytes() for path in sorted(resource("config").glob(pattern))]


def masks():
    """Shapes as texts, and as pictures of each kind."""
    picture, pictures = Image.new("L", (9, 7), 255), []
    picture.putpixel((3, 3), 0)
    for kind in ("PNG", "BMP", "GIF", "JPEG", "TIFF", "WEBP"):
        written = io.BytesIO()
        picture.save(written, kind)
        pictures.append(written.getvalue())
    return [resource("config", "masks", "heart.txt").read_bytes(), *pictures]


def specs():
    """Book specs."""
    return _encoded(SMALL_SPEC, EVERY_KEY, EVERY_KEY) + [
        resource("config", f"{name}.yaml").read_bytes() for name in ("starter", "volume-1", "six-grades")
    ]


def feeds():
    """Feed specs."""
    return [FEED.encode(), *shipped("feed-daily.yaml")()]


def words_files():
    """Words files."""
    return [resource("config", "languages", f"{language}.yaml").read_bytes() for language in ("en", "th")]


def changes_files():
    """Changes of the small book."""
    texts = (CHANGES, "levels: [{}, {}]\n", "words: {scan: Play}\n")
    return _encoded(*texts)


@cache
def small_spec(theme="classic"):
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


def _finished_slots():
    for slot, solution in zip(plan_slots(small_spec()), SOLUTIONS, strict=True):
        graded = grade_puzzle(solution.puzzle, Rule.STRICT)
        facts = {"grade": graded.grade, "score": graded.score, "techniques": graded.techniques}
        record = boards.record_of(solution, level=slot.level, seed=slot.seed_of(0), index=slot.index, **facts)
        yield FinishedSlot(slot, record, 1, 0.1)


@cache
def small_volume(theme="classic"):
    """The volume of that book."""
    return assemble(small_spec(theme), (one.record for one in _finished_slots()), __version__)


@cache
def volumes():
    """``volume.json`` files."""
    return _encoded(*(volume_json(small_volume(theme)) for theme in ("classic", "colour")))


def journals():
    """Journals of the small book: one finished, one begun."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (2, 1):
            with Journal(Path(folder, str(count)), small_spec().book_id, __version__) as journal:
                kept = list(_finished_slots())[:count]
                journal.append((one.slot.number, journal_line(one)) for one in kept)
        return [Path(folder, name).read_bytes() for name in ("2", "1")]


def fill_ledger(path):
    """A ledger of three puzzles in a volume and a feed."""
    solutions = (*SOLUTIONS, boards.TOUCHING_BOARD)
    kinds = (Kind.VOLUME, Kind.VOLUME, Kind.FEED)
    with Ledger(path) as ledger:
        ledger.add(
            boards.entry_of(solution.puzzle, Holder(kind, "one"), str(at))
            for at, (solution, kind) in enumerate(zip(solutions, kinds, strict=True), 1)
        )


@cache
def _ledger():
    """A ledger's file and its export."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger")
        fill_ledger(path)
        with Ledger(path, writable=False) as ledger:
            return path.read_bytes(), "".join(export_ledger(ledger)).encode()


def ledger_files():
    """Ledgers as they lie on the disk."""
    return [_ledger()[0]]


def ledger_exports():
    """What ``ledger export`` writes."""
    return [_ledger()[1]]


@cache
def manifests():
    """A feed's manifest, from a run of three days."""
    with tempfile.TemporaryDirectory() as name:
        spec, out = Path(name, "feed.yaml"), Path(name, "out")
        spec.write_text(SMALL_FEED)
        feed(spec, read_dates("2026-12-01", 3), out, jobs=1, ledger=LedgerChoice(used=False))
        return [path.read_bytes() for path in out.glob("manifest-*.json")]


@cache
def built_files(theme="classic"):
    """A small book's finished PDFs, by name."""
    return dict(typeset_in(small_volume(theme), Path()).files)


def pdfs():
    """Interiors, screen editions and covers."""
    return [content for theme in ("classic", "colour") for content in built_files(theme).values()]


def interiors():
    """Interiors alone."""
    return [built_files(theme)["interior.pdf"] for theme in ("classic", "colour")]


def put_own_boards(folder):
    """The file that ``EVERY_KEY`` takes boards from."""
    (folder / "own.txt").write_text(write_puzzle(SOLUTIONS[0].puzzle, Notation.LINK))
