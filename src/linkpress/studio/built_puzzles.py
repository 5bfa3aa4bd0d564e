"""The puzzles of a book that was built before, which need not be made again when its text is changed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from linkpress.book.plan import Slot, plan_slots, replacement_seed
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.volume import VOLUME_FILE, load_volume
from linkpress.errors import LinkpressError
from linkpress.production.finished_slot import FinishedSlot


def built_puzzles(folder: Path, release: str | None = None) -> Iterator[FinishedSlot]:
    """Read the puzzles of the book in a folder, each with the slot that it was made for.

    How long they took and how many boards were tried is not known any more: both are 0.

    Args:
        folder: of one book; nothing is read where there is none, or none that can be read.
        release: the version of linkpress that made them; None takes those of any version.
    """
    with contextlib.suppress(LinkpressError):
        saved = load_volume(folder / VOLUME_FILE)
        if release not in (None, saved.linkpress_version):
            return
        slots = {(slot.level, slot.index): slot for slot in plan_slots(saved.spec) if not slot.given}
        for record in saved.puzzles:
            slot = slots.get((record.level, record.index))
            if slot is not None:
                yield FinishedSlot(_slot_of(slot, record), record, 0, 0.0)


def _slot_of(slot: Slot, record: PuzzleRecord) -> Slot:
    """Return the slot that a saved puzzle was made for: its level's own, or that of a replacement."""
    seed = record.seed.rpartition("/")[0]
    which = seed.rpartition(" ")[2]
    is_replacement = which.isdigit() and seed == replacement_seed(slot.seed, int(which))
    return replace(slot, seed=seed) if is_replacement else slot
