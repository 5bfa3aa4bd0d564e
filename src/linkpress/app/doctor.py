"""Check whether this installation, on this machine, can make and print a book.

Packages are imported inside the checks, since a missing package is a result too.
"""

from __future__ import annotations

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
    """Result of a check; ``POOR`` works, but slowly or not everywhere."""

    FINE = "fine"
    POOR = "poor"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a check in words, and what to do about it; ``name`` is the name of the check."""

    state: CheckState
    text: str
    remedy: str = ""
    name: str = ""


def check_up(ledger: LedgerAddress | None, notify: Notify) -> Iterator[Result]:
    """Check everything that a build needs, one result at a time.

    Args:
        ledger: the address of the ledger; None for the usual one.
        notify: takes a line if the ledger is slow to answer.
    """
    table = {"packages": check_packages, "files": check_files, "kernels": check_kernels}
    table |= {"ledger": lambda: check_ledger(ledger, notify), "folders": check_folders, "trial": check_trial}
    return run_checks(table)


def run_checks(table: Mapping[str, Callable[[], Result]]) -> Iterator[Result]:
    """Run checks in order, by name; one that raises an error is broken, and the others still run."""
    for name, check in table.items():
        try:
            result = check()
        except SpecError as error:  # a shipped file can't be read
            result = _broken(str(error).splitlines()[0])
        except LinkpressError as error:
            result = _broken(*_text_and_remedy(error))
        except Exception as error:
            result = _broken(f"{type(error).__name__}: {error}".splitlines()[0])
        yield replace(result, name=name)


def _fine(text: str) -> Result:
    return Result(CheckState.FINE, text)


def _broken(text: str, remedy: str = "") -> Result:
    return Result(CheckState.BROKEN, text, remedy or f"Reinstall linkpress: {REINSTALL}.")


def _text_and_remedy(error: LinkpressError) -> tuple[str, str]:
    text, _, remedy = str(error).splitlines()[0].partition(". ")
    return text, remedy


def check_packages() -> Result:
    needed = [
        line for line in requires("linkpress") or () if ";" not in line
    ]  # a semicolon precedes the condition of an extra
    problems = [problem for line in needed if (problem := _package_problem(line))]
    if problems:
        return _broken("; ".join(problems), f"Bring them up to date: {REINSTALL}.")
    return _fine(f"Python {platform.python_version()} ({sys.executable}), {len(needed)} packages")


def _package_problem(requirement: str) -> str | None:
    name = re.split(r"[^\w.-]", requirement)[0]
    least = next(iter(re.findall(r">=([\w.]+)", requirement)), "0")
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    has, needs = ([int(part) for part in re.findall(r"\d+", text)] for text in (installed, least))
    return f"{name} is {installed}, {least} or later is needed" if has < needs else None


def check_files() -> Result:
    """Check that every shipped file can be read, from fonts to example specs."""
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
    for name in ("starter", "six-grades", "volume-1"):
        load_spec(resource("config", f"{name}.yaml"))
    for file in (file for example in example_books().values() for file in example):
        if file.name != "house.yaml":  # the base of a series, not a whole book
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
        text, remedy = _text_and_remedy(error)
        return _broken(text, remedy or _OTHER_LEDGER)
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
            file.write(bytes(4096))  # a full disk still takes an empty file
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
