"""Show the progress of a book or feed on standard error: bars on a terminal, otherwise a line every 10 s."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linkpress.cli.process import Pulse, say
from linkpress.production.forecast import Forecast
from linkpress.production.journal import Watcher
from linkpress.production.slot_search import FinishedSlot

if TYPE_CHECKING:
    from rich.progress import Progress

# Environment variables that make Rich, the library for progress bars, treat any output as a terminal.
_FORCING_VARIABLES = ("FORCE_COLOR", "TTY_COMPATIBLE")
_STAGES = {"make": "making puzzles", "lay out": "laying out", "write": "writing"}


@contextmanager
def showing_progress() -> Iterator[Watcher]:
    """Yield a watcher that shows the progress of a run."""
    if not sys.stderr.isatty() and not any(name in os.environ for name in _FORCING_VARIABLES):
        yield _Lines()  # Bars can't be shown here, so don't import Rich, which takes 14 ms.
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        # Names of levels may contain brackets, which Rich would read as markup.
        TextColumn("{task.fields[now]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bars(progress)


class _Bars(Watcher):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._forecast = Forecast(0)
        self._puzzles = progress.add_task(_STAGES["make"], total=None, now="")
        self._days = progress.add_task("drawing days", total=None, now="", visible=False)

    def stage(self, name: str) -> None:
        self._progress.update(self._puzzles, description=_STAGES.get(name, name))

    def planned(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._progress.update(self._puzzles, total=forecast.total)

    def notify(self, message: str) -> None:
        self._progress.console.print(message, markup=False, highlight=False, soft_wrap=True)

    def made(self, finished: FinishedSlot) -> None:
        self._progress.update(self._puzzles, completed=self._forecast.done, now=str(self._forecast))

    def drawing(self, days: int) -> None:
        self._progress.update(self._days, total=days, visible=True)

    def drawn(self) -> None:
        self._progress.advance(self._days)


class _Lines(Watcher):
    def __init__(self) -> None:
        self._pulse = Pulse()
        self._forecast = Forecast(0)
        self._days = self._drawn = 0

    def planned(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._pulse = Pulse()  # Print the first line ten seconds from now.

    def notify(self, message: str) -> None:
        say(message)

    def waiting(self) -> None:
        if self._pulse.is_due:
            now = str(self._forecast)
            done = f"made {self._forecast.done} of {self._forecast.total} puzzles"
            self._pulse.say(f"{done}; {now}" if now else done)

    def made(self, finished: FinishedSlot) -> None:
        self.waiting()

    def drawing(self, days: int) -> None:
        self._days = days

    def drawn(self) -> None:
        self._drawn += 1
        self._pulse.say(f"drew {self._drawn} of {self._days} days")
