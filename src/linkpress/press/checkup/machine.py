"""What the machine gives: compiled kernels, the ledger, folders, cores, memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from linkpress.engine.kernels import COMPILE_REMEDY
from linkpress.press.checkup.finding import Result, State, fine, told_by

LEAST_MEMORY_MB = 1024  # a process stays below it at 50 × 50
_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_kernels() -> Result:
    """The engine's hot loops are compiled, and from the sources that are installed."""
    from linkpress.engine.kernels import WHY_PLAIN

    if WHY_PLAIN:
        return State.POOR, f"plain Python, about a hundred times slower: {WHY_PLAIN}", COMPILE_REMEDY
    return fine("compiled")


def check_ledger(chosen: Path | None) -> Result:
    """The ledger can be opened and is sound, or can be made."""
    from linkpress.book.ledger import Ledger, ledger_path
    from linkpress.errors import LinkpressError

    remedy = "Give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger."
    try:
        path = ledger_path(chosen)
        if not path.exists():
            if _can_write(path.parent):
                return fine(f"none yet; the first build makes {path}")
            return State.BROKEN, f"there is none, and {path.parent} can't be written", remedy
        with Ledger(path, writable=False) as ledger:
            holdings, fault = ledger.holdings(), ledger.fault()
    except LinkpressError as fault_found:
        return told_by(fault_found)
    if fault is not None:
        return State.BROKEN, f"{path} is damaged: {fault}", "Put back a copy of it."
    if not (os.access(path, os.W_OK) and _can_write(path.parent)):
        return State.POOR, f"{path} is sound but can't be written", remedy
    return fine(f"{path} is sound: {sum(one.published for one in holdings)} puzzles published")


def check_folders() -> Result:
    """What is written while building can be written."""
    try:
        folders = {"this folder": Path.cwd(), "the temporary folder": Path(tempfile.gettempdir())}
    except OSError:  # no current folder, or none to be found for temporary files
        return (
            State.BROKEN,
            "this folder has gone, or there is none for temporary files",
            "Go to another folder, or set TMPDIR to one that can be written.",
        )
    refusing = [f"{what} ({path})" for what, path in folders.items() if not _can_write(path)]
    if refusing:
        return (
            State.POOR,
            f"can't be written: {', '.join(refusing)}",
            "Build elsewhere with -o, or set TMPDIR.",
        )
    return fine(" and ".join(f"{what} {path}" for what, path in folders.items()))


def check_cores() -> Result:
    """How many puzzles can be made at a time."""
    from linkpress.production.executors import available_jobs

    jobs = available_jobs()
    return fine(f"{jobs} core{'s' * (jobs != 1)} for linkpress, of {os.cpu_count() or jobs}")


def check_memory() -> Result:
    """There is enough for one process at the largest boards."""
    total_mb = memory_mb()
    if total_mb is None:
        return (
            State.POOR,
            "this system does not say how much there is",
            "Use few --jobs if builds are killed.",
        )
    if total_mb < LEAST_MEMORY_MB:
        return (
            State.POOR,
            f"{total_mb} MB",
            f"Under {LEAST_MEMORY_MB} MB: use --jobs 1, and boards up to 30 × 30.",
        )
    return fine(f"{total_mb} MB")


def memory_mb() -> int | None:
    """Memory that this process may use, in MB: the machine's, or the container's where that is less."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    limits = [limit for path in _CGROUP_LIMITS if (limit := _limit(Path(path))) is not None]
    return min([machine, *limits]) >> 20


def _limit(path: Path) -> int | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdigit() else None


def _can_write(folder: Path) -> bool:
    """Whether a file can be made in a folder, or in the nearest one above it that there is."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.NamedTemporaryFile(dir=folder):
            return True
    except OSError:
        return False
