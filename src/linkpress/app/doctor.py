"""``linkpress doctor`` tells whether this installation, on this machine, can make and print a book.

Packages are imported inside the checks, so that a missing one is a result too.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

from linkpress.errors import LinkpressError, Notify, SpecError, notify_nobody
from linkpress.resources import REINSTALL

if TYPE_CHECKING:  # what may be missing, which is a result
    from packaging.requirements import Requirement

    from linkpress.ledger.address import LedgerAddress

_LEAST_MEMORY_MB = 1024  # a process stays below it at 50 × 50
_PUT_RIGHT = f"Reinstall linkpress: {REINSTALL}."

_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_SPECS = ("starter", "six-grades", "volume-1")
_SERIES_BASE = "house.yaml"  # no whole book: the volumes beside it are read upon it
_TRIAL_SPEC = """\
title: Trial
seed: 1
levels:
  - {name: Trial, count: 1, size: 7x5, paths: 5, solids: 1}
"""


class CheckState(StrEnum):
    """A check ends in one of these ways."""

    FINE = "fine"
    POOR = "poor"  # works, but slowly or not everywhere
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Result:
    """A result is what a check found, named by what runs it, and what to do about it, if anything."""

    state: CheckState
    text: str
    remedy: str = ""
    name: str = ""


Check = Callable[[], Result]


def check_up(ledger: LedgerAddress | None, notify: Notify) -> Iterator[Result]:
    """Look at all that a build needs, one result at a time; a ledger's silence goes to ``notify``."""
    return run_checks(
        {
            "python": check_python,
            "packages": check_packages,
            "fonts": check_fonts,
            "printers": check_printers,
            "files": check_files,
            "newspaper": check_newspaper,
            "kernels": check_kernels,
            "ledger": lambda: check_ledger(ledger, notify),
            "folders": check_folders,
            "cores": check_cores,
            "memory": check_memory,
            "trial": check_trial,
        }
    )


def run_checks(table: Mapping[str, Check]) -> Iterator[Result]:
    """Yield each check's result in order, by name; one that raises is broken, and stops no other."""
    for name, check in table.items():
        try:
            result = check()
        except SpecError as fault:  # a shipped file
            result = _broken(str(fault).splitlines()[0])
        except LinkpressError as fault:
            result = _from_fault(fault)
        except Exception as fault:
            result = _broken(f"{type(fault).__name__}: {fault}".splitlines()[0])
        yield replace(result, name=name)


def _fine(text: str) -> Result:
    return Result(CheckState.FINE, text)


def _poor(text: str, remedy: str) -> Result:
    return Result(CheckState.POOR, text, remedy)


def _broken(text: str, remedy: str = _PUT_RIGHT) -> Result:
    return Result(CheckState.BROKEN, text, remedy)


def _from_fault(fault: LinkpressError, remedy: str = _PUT_RIGHT) -> Result:
    """Return the result of a check that met one of our own faults, with its advice or ours."""
    found, _, advice = str(fault).splitlines()[0].partition(". ")
    return _broken(found, advice or remedy)


def check_python() -> Result:
    """Check that Python is new enough for this linkpress."""
    from packaging.specifiers import SpecifierSet

    needed = SpecifierSet(distribution("linkpress").metadata["Requires-Python"])
    found = platform.python_version()
    least = str(needed).removeprefix(">=")
    text = f"{found} ({sys.executable}), {least} or later is needed"
    if needed.contains(found, prereleases=True):
        return _fine(text)
    return _broken(text, f"Install Python {least} or later and linkpress into it.")


def check_packages() -> Result:
    """Check that every package that linkpress needs is there, and new enough."""
    needed = required_packages()
    faults = [fault for package in needed if (fault := _package_fault(package))]
    if not faults:
        return _fine(f"{len(needed)} packages, none missing or too old")
    return _broken("; ".join(faults), f"Bring them up to date: {REINSTALL}.")


def check_fonts() -> Result:
    """Check that every font can be read and has the figures of a board."""
    from linkpress.render.fonts import ShippedFont, font

    lacking = [name for name in ShippedFont if not font(name).face.charToGlyph.keys() >= set(b"0123456789")]
    if lacking:
        return _broken(f"no figures in {', '.join(lacking)}", f"The fonts are damaged: {REINSTALL}.")
    return _fine(f"{len(ShippedFont)} fonts: {', '.join(ShippedFont)}")


def check_printers() -> Result:
    """Check that every shipped printer profile can be read."""
    from linkpress.documents.shipped_files import PRINTERS
    from linkpress.printers.profile import load_printer

    for name in PRINTERS.names():
        load_printer(PRINTERS.find(name))
    return _fine(f"{len(PRINTERS.names())} profiles: {', '.join(PRINTERS.names())}")


def check_files() -> Result:
    """Check themes, covers, languages, shapes, the specs to start from and the finished books."""
    from linkpress.book.design_keys import CoverDesign
    from linkpress.book.first_specs import example_books
    from linkpress.book.grade_odds import load_odds
    from linkpress.book.level import load_mask
    from linkpress.book.spec import load_spec
    from linkpress.documents.models import load_named
    from linkpress.documents.shipped_files import COVERS, LANGUAGES, MASKS, THEMES
    from linkpress.layout.theme import load_theme
    from linkpress.resources import resource
    from linkpress.words.language import load_words

    for name in THEMES.names():
        load_theme(THEMES.find(name))
    for name in COVERS.names():
        load_named(name, COVERS, CoverDesign)
    for name in LANGUAGES.names():
        load_words(LANGUAGES.find(name))
    for name in MASKS.names():
        load_mask(name)
    for name in _SPECS:
        load_spec(resource("config", f"{name}.yaml"))
    books = example_books()
    for file in (file for files in books.values() for file in files if file.name != _SERIES_BASE):
        load_spec(file)
    _read_schema("spec")
    load_odds()
    kinds = {"themes": THEMES, "covers": COVERS, "languages": LANGUAGES, "shapes": MASKS}
    counted = ", ".join(f"{len(kind.names())} {name}" for name, kind in kinds.items())
    return _fine(f"{counted}, {len(_SPECS)} specs, {len(books)} finished books and their schema")


def check_newspaper() -> Result:
    """Check the column grids, the feed to start from, and its schemas."""
    from linkpress.documents.shipped_files import COLUMN_GRIDS
    from linkpress.feeds.feed_spec import load_feed
    from linkpress.images.image_settings import load_grid
    from linkpress.resources import resource

    for name in COLUMN_GRIDS.names():
        load_grid(str(COLUMN_GRIDS.find(name)))  # by its path: those of names are kept
    load_feed(resource("config", "feed-daily.yaml"))
    _read_schema("feed")
    _read_schema("manifest")
    return _fine(f"{len(COLUMN_GRIDS.names())} column grids, a feed and its schemas")


def required_packages() -> list[Requirement]:
    """Return the packages that linkpress itself needs, extras left out."""
    from packaging.requirements import Requirement

    needed = [Requirement(line) for line in distribution("linkpress").requires or ()]
    return [package for package in needed if package.marker is None]


def _package_fault(needed: Requirement) -> str | None:
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return f"{needed.name} is missing"
    if needed.specifier.contains(found, prereleases=True):
        return None
    return f"{needed.name} is {found}, {str(needed.specifier).removeprefix('>=')} or later is needed"


def _read_schema(name: str) -> None:
    from linkpress.resources import resource

    path = resource("config", f"{name}.schema.json")
    try:
        json.loads(path.read_bytes())
    except (OSError, ValueError) as fault:
        raise SpecError(f"{path}: not a JSON schema: {fault}") from fault


def check_kernels() -> Result:
    """Check that the engine's hot loops are compiled, and from the sources that are installed."""
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    if WHY_PLAIN:
        return _poor(f"plain Python, about a hundred times slower: {WHY_PLAIN}", COMPILE_REMEDY)
    return _fine("compiled")


def check_ledger(chosen: LedgerAddress | None, notify: Notify = notify_nobody) -> Result:
    """Check that the ledger can be opened and is sound, or can be made."""
    from linkpress.ledger.address import ledger_address
    from linkpress.ledger.database import NoLedgerError
    from linkpress.ledger.store import Ledger

    remedy = "Give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger."
    address = ledger_address(chosen)
    try:
        with Ledger(address, writable=False, notify=notify) as ledger:
            holdings, fault, writable = (
                ledger.holdings(),
                ledger.database.defect(),
                ledger.database.can_be_written(),
            )
    except NoLedgerError:
        if not isinstance(address, Path) or _can_write(address.parent):
            return _fine(f"none yet; the first build makes {address}")
        return _broken(f"there is none, and {address.parent} can't be written", remedy)
    except LinkpressError as refusal:
        return _from_fault(refusal, remedy)
    if fault is not None:
        return _broken(f"{address} is damaged: {fault}", "Put back a copy of it.")
    if not writable:
        return _poor(f"{address} is sound but can't be written", remedy)
    return _fine(f"{address} is sound: {sum(holding.published for holding in holdings)} puzzles published")


def check_folders() -> Result:
    """Check that the folders to which a build writes can be written."""
    try:
        folders = {"this folder": Path.cwd(), "the temporary folder": Path(tempfile.gettempdir())}
    except OSError:  # no current folder, or none to be found for temporary files
        return _broken(
            "this folder has gone, or there is none for temporary files",
            "Go to another folder, or set TMPDIR to one that can be written.",
        )
    refusing = [f"{name} ({path})" for name, path in folders.items() if not _can_write(path)]
    if refusing:
        return _poor(f"can't be written: {', '.join(refusing)}", "Build elsewhere with -o, or set TMPDIR.")
    return _fine(" and ".join(f"{name} {path}" for name, path in folders.items()))


def check_cores() -> Result:
    """Check that the machine says how many puzzles can be made at a time."""
    from linkpress.production.executors import available_jobs

    jobs = available_jobs()
    return _fine(f"{jobs} core{'s' * (jobs != 1)} for linkpress, of {os.cpu_count() or jobs}")


def check_memory() -> Result:
    """Check that there is enough memory for one process at the largest boards."""
    total_mb = memory_mb()
    if total_mb is None:
        return _poor("this system does not say how much there is", "Use few --jobs if builds are killed.")
    if total_mb < _LEAST_MEMORY_MB:
        return _poor(
            f"{total_mb} MB", f"Under {_LEAST_MEMORY_MB} MB: use --jobs 1, and boards up to 30 × 30."
        )
    return _fine(f"{total_mb} MB")


def memory_mb() -> int | None:
    """Return the MB of memory that this process may use: the machine's, or the container's where less."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    limits = [limit for path in _CGROUP_LIMITS if (limit := _limit(Path(path))) is not None]
    return min([machine, *limits]) >> 20


def check_trial() -> Result:
    """Check that a book of one puzzle can be built, and says what its volume says."""
    from linkpress.app.build import build
    from linkpress.production.ledger_session import NO_LEDGER
    from linkpress.verify import verify_folder

    with tempfile.TemporaryDirectory(prefix="linkpress-") as name:
        spec = Path(name, "trial.yaml")
        spec.write_text(_TRIAL_SPEC, encoding="utf-8")
        built = build(spec, name, 1, ledger=NO_LEDGER)
        verdict = verify_folder(built.folder)
    if not verdict.passed:
        text = "; ".join(finding.found for finding in verdict.findings) or "the proof was given up"
        return _broken(f"a puzzle came back wrong: {text}", f"{_PUT_RIGHT} Report this if that is no help.")
    return _fine("one puzzle made, proven, typeset, read back and proven again")


def _limit(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _can_write(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(4096))  # an empty file goes onto a full disk
            return True
    except OSError:
        return False
