"""What the ledger knows: puzzles, their places, and who holds them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum


class Kind(StrEnum):
    """What a puzzle is published in."""

    VOLUME = "volume"  # building it again replaces all of it
    FEED = "feed"  # goes on day by day; a day made again replaces that day


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """A volume or a feed, by its id."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a puzzle is held.

    Args:
        holder: the volume or feed.
        slot: the date (ISO) in a feed; in a volume the puzzle's number, but while it is only reserved
            the slot that it is made for, as ``puzzle 3 of level Gentle``.
        published: False while it is only reserved.
    """

    holder: Holder
    slot: str
    published: bool

    def __str__(self) -> str:
        return f"{self.holder}, {self.slot}"


@dataclass(frozen=True, slots=True)
class LedgerPuzzle:
    """What the ledger keeps of a puzzle.

    Args:
        fingerprint: of its canonical form.
        slot: as in ``Place``.
        rows, cols, pairs, solids: counts.
        board: link-text rows joined by line feeds.
        rule, proof: the rule it is proven under, and the way of the proof.
        grade, score: None when ungraded.
        recipe: as text.
        seed: of the slot, without the attempt.
        attempt: 0, or more when earlier attempts were found published elsewhere.
    """

    fingerprint: str
    slot: str
    rows: int
    cols: int
    pairs: int
    solids: int
    board: str
    rule: str
    proof: str
    grade: str | None
    score: int | None
    recipe: str
    seed: str
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A puzzle in the ledger: what is kept of it, its place, and the day it was made (ISO, UTC)."""

    puzzle: LedgerPuzzle
    place: Place
    made: str


@dataclass(frozen=True, slots=True)
class Holding:
    """What the ledger holds for one volume or feed.

    Args:
        holder: which.
        title: in words.
        published, reserved: numbers of puzzles.
        last_made: ISO date of the newest, "" when there is none.
    """

    holder: Holder
    title: str
    published: int
    reserved: int
    last_made: str


PUZZLE_COLUMNS = tuple(field.name for field in fields(LedgerPuzzle))
