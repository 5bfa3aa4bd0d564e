"""What a run tells while it goes on."""

from __future__ import annotations

from linkpress.production.finished_slot import FinishedSlot


class Watcher:
    """Told how far a book or a feed is; the base class says nothing."""

    def stage(self, name: str) -> None:
        """A stage begins: ``make``, ``lay out``, ``draw``, ``write``."""

    def planned(self, count: int) -> None:
        """So many puzzles are to be made."""

    def waiting(self) -> None:
        """Puzzles are being made; said over and over, several times a second."""

    def made(self, finished: FinishedSlot) -> None:
        """A slot's puzzle is there; a slot that is made again is told again."""

    def drawing(self, days: int) -> None:
        """The images of so many days of a feed are to be drawn."""

    def drawn(self) -> None:
        """A day's images are there."""
