"""``linkpress doctor``: whether this installation, on this machine, can make and print a book."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from linkpress.errors import LinkpressError
from linkpress.press import doctor_checks as checks
from linkpress.press.doctor_checks import Result, State

Check = Callable[[], Result]


def check_up(
    ledger: Path | None = None,
    also: Mapping[str, Check] = MappingProxyType({}),
) -> Iterator[Result]:
    """Look at everything that a build needs, one result at a time.

    Args:
        ledger: where the ledger lies if not in its usual place.
        also: further checks by name, of rooms above this one; they run after those of shipped files.
    """
    return run_checks(
        {
            "python": checks.check_python,
            "packages": checks.check_packages,
            "fonts": checks.check_fonts,
            "printers": checks.check_printers,
            "files": checks.check_files,
            **also,
            "kernels": checks.check_kernels,
            "ledger": lambda: checks.check_ledger(ledger),
            "folders": checks.check_folders,
            "cores": checks.check_cores,
            "memory": checks.check_memory,
            "trial": checks.check_trial,
        }
    )


def run_checks(table: Mapping[str, Check]) -> Iterator[Result]:
    """Each check's result; one that raises is broken, with what it raised, and stops no other.

    Args:
        table: checks by name, in the order in which they run.
    """
    for name, check in table.items():
        try:
            result = check()
        except LinkpressError as fault:
            result = checks.told_by(fault)
        except Exception as fault:
            text = f"{type(fault).__name__}: {fault}".splitlines()[0]
            result = Result(State.BROKEN, text, checks.PUT_RIGHT)
        yield replace(result, name=name)
