"""A feed's progress on stderr: bars on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from linkpress.cli.streams import Pulse
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.watcher import Watcher


@contextmanager
def showing_feed() -> Iterator[Watcher]:
    """A watcher that shows a feed's progress while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bars(progress)


class _Bars(Watcher):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._puzzles = progress.add_task("making puzzles", total=None)
        self._images = progress.add_task("drawing days", total=None, visible=False)
        self._made: set[int] = set()

    def planned(self, count: int) -> None:
        self._progress.update(self._puzzles, total=count)

    def made(self, finished: FinishedSlot) -> None:
        self._made.add(finished.slot.number)
        self._progress.update(self._puzzles, completed=len(self._made))

    def drawing(self, days: int) -> None:
        self._progress.update(self._images, total=days, visible=True)

    def drawn(self) -> None:
        self._progress.advance(self._images)


class _Lines(Watcher):
    def __init__(self) -> None:
        self._total = 0
        self._made: set[int] = set()
        self._days = 0
        self._drawn = 0
        self._pulse = Pulse()

    def planned(self, count: int) -> None:
        self._total = count
        self._pulse = Pulse()  # the time before does not count

    def made(self, finished: FinishedSlot) -> None:
        self._made.add(finished.slot.number)
        self.waiting()

    def waiting(self) -> None:
        self._pulse.say(f"made {len(self._made)} of {self._total} puzzles")

    def drawing(self, days: int) -> None:
        self._days = days

    def drawn(self) -> None:
        self._drawn += 1
        self._pulse.say(f"drew {self._drawn} of {self._days} days")
