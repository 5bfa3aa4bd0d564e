"""The readers under fire, each by its public entry, and what is done with what they let through.

A reader returns whether the input was found good and raises ``LinkpressError`` to refuse it. What
it lets through is used as a command would use it: written again, planned, laid out, judged.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import fuzz_cli
import fuzz_corpus as corpus
import nasty_values as nasty
from fuzz_mutation import Mutation, spoil_value
from fuzz_pdf import PdfMutation
from fuzz_watch import Read

from linkpress.app.preview import plan_text
from linkpress.book.ledger import export_ledger, import_ledger
from linkpress.book.ledger.entries import Holder, Kind
from linkpress.book.ledger.store import Ledger
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.volume import load_volume, volume_json
from linkpress.cli.ledger import _lines
from linkpress.config.lengths import Size
from linkpress.errors import PuzzleError
from linkpress.layout.printers import load_printer
from linkpress.layout.theme import check_theme, load_theme
from linkpress.newspaper.calendar import issue_days, read_run
from linkpress.newspaper.columns import load_grid
from linkpress.newspaper.feed_folder import read_folder
from linkpress.newspaper.feed_spec import load_feed
from linkpress.newspaper.naming import NameFields, What
from linkpress.newspaper.puzzle_sources import read_source
from linkpress.press.preflight import Wanted, preflight
from linkpress.press.verify import verify_folder
from linkpress.production.book_puzzles import JOURNAL_FILE, plan_book
from linkpress.production.finished_slot import journal_line
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.run import open_run
from linkpress.puzzle.notation import Form
from linkpress.puzzle.notation.ascii_drawing import draw_lines
from linkpress.puzzle.notation.forms import write_puzzle, write_solution
from linkpress.puzzle.notation.reading import decode, read_drawings, read_puzzles, read_solutions
from linkpress.puzzle.symmetry import fingerprint

Spoil = Callable[[Random, bytes], bytes]


@dataclass(frozen=True)
class Target:
    """A reader, its sound inputs, and how they are spoilt.

    Args:
        name: in the table.
        samples: sound inputs.
        spoiler: makes the mutation for them.
        read: the reader.
        share: of all inputs, in thousandths.
        small: inputs in the default suite.
    """

    name: str
    samples: Callable[[], list[bytes]]
    spoiler: Callable[[list[bytes]], Spoil]
    read: Read
    share: int
    small: int


def _texts(*words: str) -> Callable[[list[bytes]], Spoil]:
    return lambda samples: Mutation(words, samples).spoil


def _values(lines: bool = False) -> Callable[[list[bytes]], Spoil]:
    """Half of the inputs spoilt as JSON values, half as text."""

    def spoiler(samples: list[bytes]) -> Spoil:
        plain = Mutation(nasty.JSON, samples).spoil

        def spoil(dice: Random, sample: bytes) -> bytes:
            if dice.random() < 0.4:
                return plain(dice, sample)
            if not lines:
                return _written(spoil_value(dice, json.loads(sample)))
            listed = [json.loads(line) for line in sample.splitlines()]
            spoilt = spoil_value(dice, listed)
            return (
                b"\n".join(_written(line) for line in spoilt)
                if isinstance(spoilt, list)
                else _written(spoilt)
            )

        return spoil

    return spoiler


def _journal_lines(samples: list[bytes]) -> Spoil:
    """Journals whose check sums hold although what they guard is spoilt."""
    plain = Mutation(nasty.JSON, samples).spoil

    def spoil(dice: Random, sample: bytes) -> bytes:
        if dice.random() < 0.3:
            return plain(dice, sample)
        head, *lines = [line.partition(b" ")[2] for line in sample.splitlines()]
        if dice.random() < 0.7:
            lines = [_written(spoil_value(dice, json.loads(line))) for line in lines]
        else:
            lines = [plain(dice, line).replace(b"\n", b" ") for line in lines]
        return b"".join(b"%08x %s\n" % (zlib.crc32(line), line) for line in (head, *lines))

    return spoil


def _written(value: Any) -> bytes:
    try:
        return json.dumps(value).encode()
    except RecursionError:
        return b'{"a":' * 3000


def _read_boards(content: bytes, folder: Path) -> bool:
    puzzles = read_puzzles(decode(content))
    for puzzle in puzzles[:20]:
        fingerprint(puzzle)
        for form in Form:
            try:
                again = read_puzzles(write_puzzle(puzzle, form))
            except PuzzleError:
                continue  # compact and url can't hold every board
            if again != [puzzle]:
                raise AssertionError(f"{form} does not read back")
    return bool(puzzles)


def _read_answers(content: bytes, folder: Path) -> bool:
    text = decode(content)
    try:
        for puzzle, edges in read_drawings(text)[:20]:
            draw_lines(puzzle, edges)
    except PuzzleError:
        pass
    solutions = read_solutions(text)
    for solution in solutions[:20]:
        write_solution(solution, Form.ASCII)
    return bool(solutions)


def _read_spec(content: bytes, folder: Path) -> bool:
    corpus.own_boards(folder)
    path = _put(folder, "spec.yaml", content)
    spec = load_spec(path)
    if BookSpec.model_validate(spec.document()).document() != spec.document():
        raise AssertionError("the document does not read back")
    if spec.puzzle_count <= 300:
        plan_slots(spec)
    if (
        spec.puzzle_count <= 30
        and sum(max(s.rows * s.cols for s in level.size) for level in spec.levels) < 500
    ):
        plan_text(spec, folder).encode()
    return True


def _read_feed(content: bytes, folder: Path) -> bool:
    spec = load_feed(_put(folder, "feed.yaml", content))
    spec.model_dump_json()
    for day in issue_days(spec, read_run("2026-12-01", 14)):
        name = spec.template.name(NameFields(day, 12, What.PUZZLE, 2, 600), ".png")
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise AssertionError(f"{name} leaves the folder")
    return True


def _read_theme(content: bytes, folder: Path) -> bool:
    theme = load_theme(_put(folder, "theme.yaml", content))
    for name in ("generic", "kdp-paperback"):
        check_theme(theme, load_printer(name))
    return True


def _read_printer(content: bytes, folder: Path) -> bool:
    profile = load_printer(_put(folder, "printer.yaml", content))
    for trim in (Size(432, 648), Size(612, 792), *profile.data.trims.sizes[:2]):
        for pages in (1, 24, 10_000):
            for fault in profile.check(trim, pages):
                str(fault).encode()
            profile.margins(pages, bleed=True)
            profile.pages_to_print(pages, trim)
        profile.page_limits(trim)
    profile.bleed_of(recto=True)
    return True


def _read_grid(content: bytes, folder: Path) -> bool:
    grid = load_grid(str(_put(folder, "grid.yaml", content)))
    return grid.width_mm(1) > 0


def _read_volume(content: bytes, folder: Path) -> bool:
    volume = load_volume(_put(folder, "volume.json", content))
    text = volume_json(volume)
    if volume_json(load_volume(_put(folder, "again.json", text.encode()))) != text:
        raise AssertionError("the volume does not read back")
    return True


def _make_nothing(*order: object) -> NoReturn:
    raise AssertionError("what a journal holds is only read here")


def _read_journal(content: bytes, folder: Path) -> bool:
    spec, book = corpus.small_spec(), folder / "book"
    book.mkdir(exist_ok=True)
    _put(book, JOURNAL_FILE, content)
    for _ in range(2):  # what the first reading leaves is read again
        with open_run(plan_book(spec), book / JOURNAL_FILE, NO_LEDGER, maker=_make_nothing) as run:
            ready = run.resume(plan_slots(spec))
            for one in ready.values():
                journal_line(one)
    return bool(ready)


def _read_export(content: bytes, folder: Path) -> bool:
    path, into = _put(folder, "export.jsonl", content), folder / "into.sqlite3"
    into.unlink(missing_ok=True)
    with Ledger(into) as ledger:
        import_ledger(ledger, _lines(str(path)), str(path))
        for line in export_ledger(ledger):
            line.encode()
    return True


def _read_ledger(content: bytes, folder: Path) -> bool:
    path = _put(folder, "ledger.sqlite3", content)
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    with Ledger(path, writable=False) as ledger:
        sound = ledger.fault() is None
        for holding in ledger.holdings():
            str(holding.holder)
        for record in ledger.entries():
            ledger.find(record.fingerprint)
        ledger.find_prefix("a")
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "two"), "Two"):
        pass
    return sound


def _read_manifest(content: bytes, folder: Path) -> bool:
    _put(folder, "manifest-x.json", content)
    read = read_folder(folder, "daily")
    for day in list(read.items)[:3]:
        issue = read.issue(day)
        issue.record.puzzle.grid.size  # noqa: B018
        for item in read.items[day]:
            for rendition in item["renditions"]:
                read.is_sound(rendition["file"])
    return bool(read.items)


def _read_given(content: bytes, folder: Path) -> bool:
    _put(folder, "own.txt", content)
    spec = corpus.load_small(
        folder, "title: T\nseed: 1\nlevels:\n  - {name: A, count: 1, from: own.txt, unique: filled}\n"
    )
    plan_slots(spec)
    return True


def _read_source(content: bytes, folder: Path) -> bool:
    return bool(read_source(_put(folder, "boards.txt", content)).exhibits)


def _read_pdf(content: bytes, folder: Path) -> bool:
    report = preflight(content, _PROFILES[len(content) % 2], Wanted(cover=len(content) % 5 == 0))
    report.text().encode()
    report.as_json().encode()
    return report.passed


_PROFILES = (load_printer("generic"), load_printer("kdp-paperback"))


def _verify_pdf(content: bytes, folder: Path) -> bool:
    return _verified(folder, corpus.volumes()[0], content)


def _verify_volume(content: bytes, folder: Path) -> bool:
    return _verified(folder, content, corpus.built_files()["interior.pdf"])


def _verified(folder: Path, volume: bytes, interior: bytes) -> bool:
    _put(folder, "volume.json", volume)
    _put(folder, "interior.pdf", interior)
    verdict = verify_folder(folder)
    verdict.text().encode()
    verdict.as_json().encode()
    return verdict.passed


def _put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def _pdf_spoiler(samples: list[bytes]) -> Spoil:
    return PdfMutation(samples).spoil


def _tagged(samples: list[bytes]) -> Spoil:
    """Files below a line that says their kind, which stays."""
    spoil_text = Mutation(
        (*nasty.BOARDS, *nasty.YAML, *nasty.JSON), [s.partition(b"\n")[2] for s in samples]
    ).spoil
    spoil_pdf = PdfMutation([s.partition(b"\n")[2] for s in samples if s.startswith(b"pdf\n")]).spoil
    spoil_json = _values()(samples)

    def spoil(dice: Random, sample: bytes) -> bytes:
        kind, _, content = sample.partition(b"\n")
        if dice.random() < 0.1:
            return sample
        chosen = {b"pdf": spoil_pdf, b"volume": spoil_json}.get(kind, spoil_text)
        return kind + b"\n" + chosen(dice, content)

    return spoil


_YAML_WORDS = (
    *nasty.YAML,
    *nasty.YAML,
    "\n  ",
    "size",
    "paths",
    "grade",
    "from",
    "printer",
    "name",
    "levels",
)

TARGETS = (
    Target("link text", corpus.board_texts, _texts(*nasty.BOARDS), _read_boards, 170, 250),
    Target("puzz.link address", corpus.urls, _texts(*nasty.BOARDS), _read_boards, 100, 200),
    Target("ascii drawing", corpus.drawings, _texts(*nasty.BOARDS), _read_boards, 80, 100),
    Target("article table", corpus.tables, _texts(*nasty.BOARDS), _read_boards, 60, 100),
    Target(
        "solutions, drawings",
        lambda: [*corpus.drawings(), *corpus.tables(), *corpus.board_texts()],
        _texts(*nasty.BOARDS),
        _read_answers,
        60,
        100,
    ),
    Target("from: file", corpus.board_texts, _texts(*nasty.BOARDS), _read_given, 30, 40),
    Target("export's puzzle file", corpus.board_texts, _texts(*nasty.BOARDS), _read_source, 20, 30),
    Target("book spec", corpus.specs, _texts(*_YAML_WORDS), _read_spec, 110, 40),
    Target("feed spec", corpus.feeds, _texts(*_YAML_WORDS), _read_feed, 60, 30),
    Target("theme", lambda: corpus.shipped("themes"), _texts(*_YAML_WORDS), _read_theme, 50, 30),
    Target(
        "printer profile", lambda: corpus.shipped("printers"), _texts(*_YAML_WORDS), _read_printer, 50, 20
    ),
    Target("column grid", lambda: corpus.shipped("newspapers"), _texts(*_YAML_WORDS), _read_grid, 30, 30),
    Target("volume.json", corpus.volumes, _values(), _read_volume, 70, 80),
    Target("build journal", corpus.journals, _journal_lines, _read_journal, 30, 40),
    Target("ledger import", corpus.ledger_exports, _values(lines=True), _read_export, 20, 20),
    Target("ledger file", corpus.ledger_files, _texts("SELECT 1", "CREATE TABLE"), _read_ledger, 20, 20),
    Target("feed manifest", lambda: list(corpus.manifests()), _values(), _read_manifest, 20, 10),
    Target("preflight", corpus.pdfs, _pdf_spoiler, _read_pdf, 40, 20),
    Target("verify, PDF", corpus.interiors, _pdf_spoiler, _verify_pdf, 15, 8),
    Target("verify, volume.json", corpus.volumes, _values(), _verify_volume, 15, 8),
    Target("command line, files", fuzz_cli.file_samples, _tagged, fuzz_cli.run_on_file, 30, 8),
    Target(
        "command line, words", fuzz_cli.word_samples, _texts("--json", "-h"), fuzz_cli.run_on_words, 20, 8
    ),
)
