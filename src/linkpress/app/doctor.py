"""Check whether linkpress can make and print books on this machine. Implements the ``doctor`` command.

Each check imports its packages when it runs, so a missing package is reported like any other problem.
"""

from __future__ import annotations

import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from linkpress.errors import LinkpressError, Notify, OutputError, SpecError
from linkpress.ledger.address import LedgerAddress, ledger_address
from linkpress.resources import REINSTALL, resource

_TRIAL = "title: Trial\nseed: 1\nlevels:\n  - {name: Trial, count: 1, size: 7x5, paths: 5, solids: 1}\n"
_REINSTALL = f"Reinstall linkpress: {REINSTALL}."
_OTHER_LEDGER = "Give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger."
_OTHER_FOLDER = "Go to another folder, or set TMPDIR to one that can be written."


class CheckState(StrEnum):
    """State of one part of the installation. A ``POOR`` part works, but slowly or with restrictions."""

    FINE = "fine"
    POOR = "poor"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one check.

    Args:
        state: the state of the checked part.
        text: the result in words.
        remedy: advice on how to solve the problem; empty if there is none.
        name: the name of the check.
    """

    state: CheckState
    text: str
    remedy: str = ""
    name: str = ""


def check_up(ledger: LedgerAddress | None, notify: Notify) -> Iterator[Result]:
    """Run all checks of the installation, and yield their results.

    A check that raises an error is reported as broken, and the next checks still run.
    """
    yield run_check("packages", check_packages)
    yield run_check("files", check_files)
    yield run_check("kernels", check_kernels)
    yield run_check("ledger", lambda: check_ledger(ledger, notify), _OTHER_LEDGER)
    yield run_check("folders", check_folders, _OTHER_FOLDER)
    yield run_check("trial", check_trial)


def run_check(name: str, check: Callable[[], Result], remedy: str = _REINSTALL) -> Result:
    """Run a check, and return its result with the check's name.

    If the check raises an error, the state is ``BROKEN``, and the text is the first sentence of the error's
    message. A second sentence of the message is advice, and becomes the result's remedy. If there is none,
    the result has the remedy that was passed as an argument.
    """
    try:
        return replace(check(), name=name)
    # Here, a SpecError means that a file of linkpress is damaged. The advice in its message is for authors of
    # specs and would be wrong, so leave the advice out.
    except SpecError as error:
        text, advice = str(error), ""
    except LinkpressError as error:
        text, _, advice = str(error).splitlines()[0].partition(". ")
    except Exception as error:
        text, advice = f"{type(error).__name__}: {error}", ""
    return Result(CheckState.BROKEN, text.splitlines()[0], advice or remedy, name)


def check_packages() -> Result:
    # Leave out optional packages. Their lines have a semicolon and the name of the extra that needs them.
    packages = [line for line in requires("linkpress") or () if ";" not in line]
    problems = []
    for package in packages:
        name, least = re.findall(r"^[\w.-]+|(?<=>=)[\w.]+", package)
        try:
            installed = version(name)
        except PackageNotFoundError:
            problems.append(f"{name} is missing")
            continue
        has, needs = ([int(part) for part in re.findall(r"\d+", text)] for text in (installed, least))
        if has < needs:
            problems.append(f"{name} is {installed}, {least} or later is needed")
    if problems:
        return Result(CheckState.BROKEN, "; ".join(problems), f"Bring them up to date: {REINSTALL}.")
    python = f"Python {platform.python_version()} ({sys.executable})"
    return Result(CheckState.FINE, f"{python}, {len(packages)} packages")


def check_files() -> Result:
    """Check that every shipped file can be read: fonts, configuration and example specs."""
    from linkpress.book.first_specs import example_books
    from linkpress.book.level import load_mask, load_picture
    from linkpress.book.printing_keys import CoverDesign
    from linkpress.book.spec import load_spec
    from linkpress.documents import shipped_files as shipped
    from linkpress.documents.models import load_named
    from linkpress.documents.yaml_source import read_yaml
    from linkpress.feeds.feed_spec import load_feed
    from linkpress.images.image_settings import load_grid
    from linkpress.layout.theme import load_theme
    from linkpress.printers import load_printer
    from linkpress.render.fonts import ShippedFont, font
    from linkpress.words import load_words

    counts = [f"{len([font(name) for name in ShippedFont])} fonts"]
    loaders: dict[shipped.ShippedFiles, Callable[[Path], object]] = {
        shipped.PRINTERS: load_printer,
        shipped.THEMES: load_theme,
        shipped.COVERS: lambda path: load_named(path, shipped.COVERS, CoverDesign),
        shipped.LANGUAGES: load_words,
        shipped.MASKS: load_mask,
        shipped.PICTURES: load_picture,
        shipped.COLUMN_GRIDS: lambda path: load_grid(str(path)),
        shipped.DIFFICULTY_SETS: read_yaml,
    }
    for files, load in loaders.items():
        loaded = [load(files.find(name)) for name in files.names()]
        counts.append(f"{len(loaded)} in {files.folder}")
    specs = [resource("config", f"{name}.yaml") for name in ("starter", "techniques", "volume-1")]
    for file in sum(example_books().values(), specs):
        # The example house.yaml is only a base for other specs, so it lacks required keys and can't be read
        # as the spec of a book.
        if file.name != "house.yaml":
            load_spec(file)
    load_feed(resource("config", "feed-daily.yaml"))
    return Result(CheckState.FINE, f"{', '.join(counts)}, and specs")


def check_kernels() -> Result:
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    slow = f"plain Python, about a hundred times slower: {WHY_PLAIN}"
    return Result(CheckState.POOR, slow, COMPILE_REMEDY) if WHY_PLAIN else Result(CheckState.FINE, "compiled")


def check_ledger(chosen: LedgerAddress | None, notify: Notify) -> Result:
    """Check that the ledger can be opened and is undamaged.

    If there is no ledger yet, check that one can be created.
    """
    from linkpress.ledger.database import NoLedgerError
    from linkpress.ledger.store import Ledger

    address = ledger_address(chosen)
    try:
        with Ledger(address, writable=False, notify=notify) as ledger:
            count = sum(holding.published for holding in ledger.holdings())
            defect, is_writable = ledger.database.defect(), ledger.database.can_be_written()
    except NoLedgerError:
        if isinstance(address, Path) and not _can_write(address.parent):
            raise OutputError(
                f"there is none, and {address.parent} can't be written. {_OTHER_LEDGER}"
            ) from None
        return Result(CheckState.FINE, f"none yet; the first build makes {address}")
    if defect is not None:
        return Result(CheckState.BROKEN, f"{address} is damaged: {defect}", "Put back a copy of it.")
    if not is_writable:
        return Result(CheckState.POOR, f"{address} is sound but can't be written", _OTHER_LEDGER)
    return Result(CheckState.FINE, f"{address} is sound: {count} puzzles published")


def check_folders() -> Result:
    try:
        folders = {"this folder": Path.cwd(), "the temporary folder": Path(tempfile.gettempdir())}
    except OSError:
        text = "this folder has gone, or there is none for temporary files"
        return Result(
            CheckState.BROKEN, text, "Go to another folder, or set TMPDIR to one that can be written."
        )
    refusing = [f"{name} ({path})" for name, path in folders.items() if not _can_write(path)]
    if refusing:
        text = f"can't be written: {', '.join(refusing)}"
        return Result(CheckState.POOR, text, "Build elsewhere with -o, or set TMPDIR.")
    return Result(CheckState.FINE, " and ".join(f"{name} {path}" for name, path in folders.items()))


def _can_write(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return bool(file.write(bytes(4096)))  # A full disk still accepts an empty file, so write data.
    except OSError:
        return False


def check_trial() -> Result:
    """Build a book with one puzzle, and check that the puzzle can be read back from its PDF."""
    from linkpress.app.build import build
    from linkpress.production.ledger_session import NO_LEDGER
    from linkpress.verify.verification import verify_folder

    with tempfile.TemporaryDirectory(prefix="linkpress-") as folder:
        Path(folder, "trial.yaml").write_text(_TRIAL, encoding="utf-8")
        verdict = verify_folder(build(Path(folder, "trial.yaml"), folder, 1, ledger=NO_LEDGER).folder)
    if verdict.passed:
        return Result(CheckState.FINE, "one puzzle made, proven, typeset, read back and proven again")
    text = "; ".join(finding.found for finding in verdict.findings) or "the proof was given up"
    return Result(CheckState.BROKEN, f"a puzzle came back wrong: {text}", _REINSTALL)
