"""Check whether this installation, on this machine, can make and print a book.

The checks import what they check, so that a missing package is reported like any other problem.
"""

from __future__ import annotations

import itertools
import json
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING

from linkpress.errors import LinkpressError, Notify, SpecError, notify_nobody
from linkpress.resources import REINSTALL, resource

if TYPE_CHECKING:
    from linkpress.ledger.address import LedgerAddress

_TRIAL = "title: Trial\nseed: 1\nlevels:\n  - {name: Trial, count: 1, size: 7x5, paths: 5, solids: 1}\n"
_OTHER_LEDGER = "Give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger."


class CheckState(StrEnum):
    """State of a part of the installation. A ``POOR`` part works, but slowly or not everywhere."""

    FINE = "fine"
    POOR = "poor"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a check, in words. ``remedy`` says how to solve a problem, and ``name`` names the check."""

    state: CheckState
    text: str
    remedy: str = ""
    name: str = ""


def check_up(ledger: LedgerAddress | None, notify: Notify) -> Iterator[Result]:
    """Run all checks, and yield their results.

    Args:
        ledger: the address of the ledger; None for the default ledger.
        notify: called with a message if the ledger is slow to answer.
    """
    table = {"packages": check_packages, "files": check_files, "kernels": check_kernels}
    table |= {"ledger": lambda: check_ledger(ledger, notify), "folders": check_folders, "trial": check_trial}
    return run_checks(table)


def run_checks(table: Mapping[str, Callable[[], Result]]) -> Iterator[Result]:
    """Run named checks in order. If a check raises an error, its result is broken; the others still run."""
    for name, check in table.items():
        try:
            result = check()
        except LinkpressError as error:
            result = _broken_by(error)
        except Exception as error:
            result = _broken(f"{type(error).__name__}: {error}".splitlines()[0])
        yield replace(result, name=name)


def _fine(text: str) -> Result:
    return Result(CheckState.FINE, text)


def _broken(text: str, remedy: str = "") -> Result:
    return Result(CheckState.BROKEN, text, remedy or f"Reinstall linkpress: {REINSTALL}.")


def _broken_by(error: LinkpressError, remedy: str = "") -> Result:
    """Return a broken result. Use the error's own advice as the remedy if it has any."""
    line = str(error).splitlines()[0]
    if isinstance(error, SpecError):  # a shipped file is damaged, so only reinstalling helps
        return _broken(line)
    text, _, advice = line.partition(". ")
    return _broken(text, advice or remedy)


def check_packages() -> Result:
    lines = [line for line in requires("linkpress") or () if ";" not in line]  # no optional extras
    problems = []
    for line in lines:
        name = re.split(r"[^\w.-]", line)[0]
        least = next(iter(re.findall(r">=([\w.]+)", line)), "0")
        try:
            installed = version(name)
        except PackageNotFoundError:
            problems.append(f"{name} is missing")
            continue
        has, needs = ([int(part) for part in re.findall(r"\d+", text)] for text in (installed, least))
        if has < needs:
            problems.append(f"{name} is {installed}, {least} or later is needed")
    if problems:
        return _broken("; ".join(problems), f"Bring them up to date: {REINSTALL}.")
    return _fine(f"Python {platform.python_version()} ({sys.executable}), {len(lines)} packages")


def check_files() -> Result:
    """Check that every shipped file can be read: fonts, configuration, example specs and schemas."""
    from linkpress.book.design_keys import CoverDesign
    from linkpress.book.first_specs import example_books
    from linkpress.book.level import load_mask
    from linkpress.book.spec import load_spec
    from linkpress.documents import shipped_files as shipped
    from linkpress.documents.models import load_named
    from linkpress.feeds.feed_spec import load_feed
    from linkpress.images.image_settings import load_grid
    from linkpress.layout.theme import load_theme
    from linkpress.printers.profile import load_printer
    from linkpress.render.fonts import ShippedFont, font
    from linkpress.words.language import load_words

    for shipped_font in ShippedFont:
        font(shipped_font)
    loaders: Mapping[shipped.ShippedFiles, Callable[[Path], object]] = {
        shipped.PRINTERS: load_printer,
        shipped.THEMES: load_theme,
        shipped.COVERS: lambda path: load_named(path, shipped.COVERS, CoverDesign),
        shipped.LANGUAGES: load_words,
        shipped.MASKS: load_mask,
        shipped.COLUMN_GRIDS: lambda path: load_grid(str(path)),
    }
    for files, load in loaders.items():
        for name in files.names():
            load(files.find(name))
    specs = [resource("config", f"{name}.yaml") for name in ("starter", "six-grades", "volume-1")]
    for file in (*specs, *itertools.chain(*example_books().values())):
        if file.name != "house.yaml":  # house.yaml is only a base for other specs, so it lacks required keys
            load_spec(file)
    load_feed(resource("config", "feed-daily.yaml"))
    for path in sorted(resource("config").glob("*.json")):
        try:
            json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise SpecError(f"{path}: not JSON: {error}") from error
    counts = (f"{len(files.names())} in {files.folder}" for files in loaders)
    return _fine(f"{len(ShippedFont)} fonts, {', '.join(counts)}, specs and schemas")


def check_kernels() -> Result:
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    slow = f"plain Python, about a hundred times slower: {WHY_PLAIN}"
    return Result(CheckState.POOR, slow, COMPILE_REMEDY) if WHY_PLAIN else _fine("compiled")


def check_ledger(chosen: LedgerAddress | None, notify: Notify = notify_nobody) -> Result:
    """Check that the ledger can be opened and is sound, or that it can be created."""
    from linkpress.ledger.address import ledger_address
    from linkpress.ledger.database import NoLedgerError
    from linkpress.ledger.store import Ledger

    address = ledger_address(chosen)
    try:
        with Ledger(address, writable=False, notify=notify) as ledger:
            count = sum(holding.published for holding in ledger.holdings())
            defect, is_writable = ledger.database.defect(), ledger.database.can_be_written()
    except NoLedgerError:
        if not isinstance(address, Path) or _can_write(address.parent):
            return _fine(f"none yet; the first build makes {address}")
        return _broken(f"there is none, and {address.parent} can't be written", _OTHER_LEDGER)
    except LinkpressError as error:
        return _broken_by(error, _OTHER_LEDGER)
    if defect is not None:
        return _broken(f"{address} is damaged: {defect}", "Put back a copy of it.")
    if not is_writable:
        return Result(CheckState.POOR, f"{address} is sound but can't be written", _OTHER_LEDGER)
    return _fine(f"{address} is sound: {count} puzzles published")


def check_folders() -> Result:
    try:
        folders = {"this folder": Path.cwd(), "the temporary folder": Path(tempfile.gettempdir())}
    except OSError:
        text = "this folder has gone, or there is none for temporary files"
        return _broken(text, "Go to another folder, or set TMPDIR to one that can be written.")
    refusing = [f"{name} ({path})" for name, path in folders.items() if not _can_write(path)]
    if refusing:
        text = f"can't be written: {', '.join(refusing)}"
        return Result(CheckState.POOR, text, "Build elsewhere with -o, or set TMPDIR.")
    return _fine(" and ".join(f"{name} {path}" for name, path in folders.items()))


def _can_write(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(4096))  # an empty file could be created on a full disk
            return True
    except OSError:
        return False


def check_trial() -> Result:
    """Check that a book of one puzzle can be built and read back."""
    from linkpress.app.build import build
    from linkpress.production.ledger_session import NO_LEDGER
    from linkpress.verify import verify_folder

    with tempfile.TemporaryDirectory(prefix="linkpress-") as name:
        spec = Path(name, "trial.yaml")
        spec.write_text(_TRIAL, encoding="utf-8")
        verdict = verify_folder(build(spec, name, 1, ledger=NO_LEDGER).folder)
    if verdict.passed:
        return _fine("one puzzle made, proven, typeset, read back and proven again")
    text = "; ".join(finding.found for finding in verdict.findings) or "the proof was given up"
    return _broken(f"a puzzle came back wrong: {text}")
