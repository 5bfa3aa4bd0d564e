"""Progress of a run, for whoever shows it."""

from __future__ import annotations

from linkpress.book.plan import Slot
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.forecast import Forecast


class Watcher:
    """Gets a call for each step of a book or a feed; the base class does nothing."""

    def stage(self, name: str) -> None:
        """A stage begins: ``make``, ``lay out``, ``draw``, ``write``."""

    def planned(self, forecast: Forecast) -> None:
        """Puzzles are to be made; the forecast is kept up to date from now on."""

    def notify(self, message: str) -> None:
        """A message for the user came: what a level is likely to take, which slot gets no puzzle.

        Messages about a cluster come from another thread.
        """

    def unmet(self, slot: Slot, why: str) -> None:
        """A slot gets no puzzle, and none is sought for those like it; others are still made."""
        self.notify(f"{why} What can be made is made before this ends.")

    def waiting(self) -> None:
        """Puzzles are being made; called several times a second."""

    def made(self, finished: FinishedSlot) -> None:
        """A slot's puzzle was made; called again for a slot that is made again."""

    def drawing(self, days: int) -> None:
        """The images of so many days of a feed are to be drawn."""

    def drawn(self) -> None:
        """A day's images were drawn."""
