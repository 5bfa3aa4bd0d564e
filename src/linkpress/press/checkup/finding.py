"""Running the checks, each of which finds something out and none of which can stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from linkpress.errors import LinkpressError
from linkpress.resources import REINSTALL


class State(StrEnum):
    """How a check ended."""

    FINE = "fine"
    POOR = "poor"  # works, but slowly or not everywhere
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Args:
        name: of the check.
        state: how it ended.
        text: what was found.
        remedy: what to do about it; empty when it is fine.
    """

    name: str
    state: State
    text: str
    remedy: str = ""


Result = tuple[State, str, str]
Check = Callable[[], Result]

PUT_RIGHT = f"Reinstall linkpress: {REINSTALL}."


def fine(text: str) -> Result:
    """The result of a check that found nothing wrong."""
    return State.FINE, text, ""


def told_by(fault: LinkpressError) -> Result:
    """The result of a check that met one of our own faults: its first sentence, and its advice."""
    found, _, advice = str(fault).splitlines()[0].partition(". ")
    return State.BROKEN, found, advice or PUT_RIGHT


def run_checks(checks: Mapping[str, Check]) -> Iterator[Finding]:
    """Each check's finding; one that raises is broken, with what it raised.

    Args:
        checks: by name, in the order in which they run.
    """
    for name, check in checks.items():
        try:
            state, text, remedy = check()
        except LinkpressError as fault:
            state, text, remedy = told_by(fault)
        except Exception as fault:
            state, text = State.BROKEN, f"{type(fault).__name__}: {fault}".splitlines()[0]
            remedy = PUT_RIGHT
        yield Finding(name, state, text, remedy)


def check_up(
    ledger: Path | None = None,
    also: Mapping[str, Check] = MappingProxyType({}),
) -> Iterator[Finding]:
    """Look at everything that a build needs, one finding at a time.

    Args:
        ledger: where the ledger lies if not in its usual place.
        also: further checks by name, of rooms above this one; they run after those of shipped files.
    """
    # Imported here so that a package that is missing is a finding, not the end of the check-up.
    from linkpress.press.checkup import installation, machine, trial

    yield from run_checks(
        {
            "python": installation.check_python,
            "packages": installation.check_packages,
            "fonts": installation.check_fonts,
            "printers": installation.check_printers,
            "files": installation.check_files,
            **also,
            "kernels": machine.check_kernels,
            "ledger": lambda: machine.check_ledger(ledger),
            "folders": machine.check_folders,
            "cores": machine.check_cores,
            "memory": machine.check_memory,
            "trial": trial.check_trial,
        }
    )
