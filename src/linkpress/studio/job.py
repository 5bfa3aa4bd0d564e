"""Process that makes the puzzles of a book or feed, or builds a book, and reports its progress as JSON lines.

The process saves puzzles in the same journal as ``linkpress build``, so that no puzzle is made twice. It ends
when its standard input is closed, which also happens when the studio ends. Finished puzzles stay in the
journal.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from linkpress.app.build import build
from linkpress.app.editions import book_folder, edition_notes, shop_lines
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.spec import load_spec, read_spec
from linkpress.errors import CheckFailedError, ExitCode, LinkpressError
from linkpress.feeds.feed_folder import journal_path
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import load_feed, read_dates
from linkpress.files import explanation, is_file_error, lock_folder
from linkpress.preflight.judged_file import Finding
from linkpress.press.assets import load_profile
from linkpress.press.dry_run import dry_run
from linkpress.production.book_puzzles import JOURNAL_FILE, built_puzzles, make_book, plan_book
from linkpress.production.executors import local_workers
from linkpress.production.forecast import Forecast
from linkpress.production.journal import Watcher
from linkpress.production.ledger_session import USUAL_LEDGER
from linkpress.production.production_run import ProductionRun
from linkpress.production.slot_search import FinishedSlot, journal_line
from linkpress.studio.open_book import search_key, spoken_time
from linkpress.studio.spec_files import problem_facts
from linkpress.verify.verification import verify_folder
from linkpress.version import __version__

# Niceness of the process that makes puzzles before a build. This low priority keeps the browser responsive.
_NICENESS = 10


class _Reporter(Watcher):
    """Watcher that writes each report on the progress of a run as a JSON line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._forecast = Forecast(0)
        self._reported = ""
        # Maps each level to the numbers of the slots whose puzzles are already made. A slot is the plan for
        # one puzzle of the level.
        self._made: dict[str, set[int]] = {}

    def report(self, event: str, **facts: Any) -> None:
        self._out.write(json.dumps({"event": event, **facts}) + "\n")
        self._out.flush()

    def stage(self, name: str) -> None:
        self.report("stage", name=name)

    def planned(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self.report("planned", count=forecast.total)

    def notify(self, message: str) -> None:
        self.report("note", message=message)

    def unmet(self, slot: Slot, why: str) -> None:
        self.report("unmet", search=search_key(slot), level=slot.level, message=why)

    def waiting(self) -> None:
        left_s = self._forecast.left_s
        words = f"{spoken_time(left_s)} left" if left_s else ""
        if words != self._reported:
            self._reported = words
            self.report("waiting", words=words)

    def made(self, finished: FinishedSlot) -> None:
        self._made.setdefault(finished.slot.level, set()).add(finished.slot.number)
        made_of = {level: len(numbers) for level, numbers in self._made.items()}
        self.report("made", made=self._forecast.done, made_of=made_of, line=journal_line(finished))


def _make(path: Path, out: Path, reporter: _Reporter) -> dict[str, Any]:
    """Make the puzzles of a book before it is built.

    The puzzles are saved in the book's journal, so that the build finds them. The ledger is read, so that no
    puzzle of another book is made, but nothing is written to it. If the puzzles of a level can't be made, the
    puzzles of the other levels are made all the same.
    """
    # If the file has problems, ``read_spec`` returns no model. Then ``load_spec`` raises an error that
    # lists the problems.
    spec = read_spec(path).model or load_spec(path)
    folder = book_folder(out, spec)
    # If another book has the same ISBN, only the build of this book must be refused. The puzzles can be made
    # all the same, so leave out the ISBN here.
    plan, choice = replace(plan_book(spec), isbn=None), replace(USUAL_LEDGER, draft=True)
    run_of_book = ProductionRun.open(plan, folder / JOURNAL_FILE, choice, watcher=reporter)
    with lock_folder(folder), run_of_book as run:
        run.take_over(plan_slots(spec), built_puzzles(folder, __version__))
        make_book(spec, run, local_workers(1))
    return {}


def _build(path: Path, out: Path, reporter: _Reporter) -> dict[str, Any]:
    """Build a book, read its files back, and prove again that each puzzle has only one solution."""
    built = build(path, out, watcher=reporter, ledger=USUAL_LEDGER)
    reporter.stage("verify")
    verified = verify_folder(built.folder, built.volume.spec.folder)
    editions = [verify_folder(book.folder, book.volume.spec.folder) for book in built.editions]
    findings = [finding for edition in editions for finding in edition.findings]
    spec, profile = built.volume.spec, load_profile(built.volume.spec)
    messages = [*built.warnings, *built.notes]
    for name, edition in zip(spec.editions or {}, built.editions, strict=True):
        messages += (*edition_notes(spec, name, edition.volume.spec, has_keys=False), *edition.notes)
    return {
        "proven": verified.puzzles,
        "checks": built.checks,
        "findings": _findings([*verified.findings, *findings]),
        "shop": list(shop_lines(spec, profile, built.page_count)),
        "folder": str(built.folder),
        "files": [file.name for file in built.files],
        "pages": built.page_count,
        "messages": messages,
        "editions": [
            {"name": name, "folder": str(book.folder), "files": [file.name for file in book.files]}
            for name, book in zip(spec.editions or {}, built.editions, strict=True)
        ],
    }


def _feed(path: Path, out: Path, reporter: _Reporter) -> dict[str, Any]:
    spec, run = load_feed(path), read_dates(sys.argv[4], int(sys.argv[5]))
    folder = out / spec.id
    resume = journal_path(folder, spec.id, run).exists()
    fed = feed(path, run, folder, resume=resume, watcher=reporter, ledger=USUAL_LEDGER, spec=spec)
    return {
        "folder": str(fed.folder),
        "files": [file.name for file in fed.files],
        "days": fed.made + fed.replaced,
        "messages": list(fed.notes),
    }


def _findings(findings: Sequence[object]) -> list[dict[str, Any]]:
    return [
        {key: getattr(finding, key) for key in ("file", "page", "puzzle", "found", "allowed")}
        for finding in findings
        if isinstance(finding, Finding)
    ]


def _problems(path: Path) -> list[dict[str, Any]]:
    """Check a book without building it, and return the problems as JSON data.

    Each problem has the key of the spec that causes it. Problems in other files have no key.
    """
    checked = dry_run(read_spec(path))
    return problem_facts([*checked.problems, *checked.elsewhere])


def main() -> None:
    """Run the job that the command line describes.

    The arguments of the command line are the kind of job (``make``, ``build`` or ``feed``), the spec file,
    and the folder of built books. For a feed, the first day and the number of days follow.
    """
    kind, path, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    reporter = _Reporter(sys.stdout)
    if kind == "make" and hasattr(os, "nice"):
        os.nice(_NICENESS)
    # If the studio runs in the background, this process ignores SIGINT at its start. Make SIGINT raise
    # KeyboardInterrupt again, because ``_end_with_studio`` ends this process with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=_end_with_studio, daemon=True).start()
        work = {"make": _make, "build": _build, "feed": _feed}[kind]
        reporter.report("done", **work(path, out, reporter))
    except LinkpressError as error:
        findings = _findings(error.findings) if isinstance(error, CheckFailedError) else []
        code = error.exit_code
        problems = _problems(path) if kind == "build" and code is ExitCode.USAGE else []
        facts = {"message": str(error), "exit_code": int(code), "findings": findings, "problems": problems}
        reporter.report("failed", **facts)
    except OSError as error:
        if not is_file_error(error):
            raise
        reporter.report("failed", message=explanation(error), exit_code=int(ExitCode.OUTPUT), findings=[])
    except KeyboardInterrupt as stop:
        reporter.report("stopped", message=str(stop))


def _end_with_studio() -> None:
    """Interrupt this process when its standard input is closed."""
    # Read file descriptor 0 and not sys.stdin, because a forked worker process closes sys.stdin.
    with contextlib.suppress(OSError):
        while os.read(0, 1):
            pass
    _thread.interrupt_main()


if __name__ == "__main__":
    main()
