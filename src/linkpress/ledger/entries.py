"""What the ledger holds: puzzles, their places, and their holders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from linkpress.book.key_values import read_id
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.values import line_of_text
from linkpress.engine.recipe import Rule
from linkpress.puzzle.notation.link_text import board_rows


class Kind(StrEnum):
    """Kind of work in which puzzles are published."""

    VOLUME = "volume"  # building a volume again replaces all its puzzles
    FEED = "feed"  # a feed grows day by day; making a day again replaces only this day


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """Volume or feed that has puzzles in the ledger, by its id."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a puzzle in a volume or feed.

    Args:
        holder: the volume or feed.
        slot: the date (ISO) in a feed, or the puzzle's number in a volume. While a puzzle of a volume is only
            reserved it has no number yet, so the slot is text like ``puzzle 3 of level Gentle``.
        published: False while the puzzle is only reserved.
    """

    holder: Holder
    slot: str
    published: bool

    def __str__(self) -> str:
        return f"{self.holder}, {self.slot}"


def _join_rows(rows: object) -> object:
    return "\n".join(rows) if isinstance(rows, list) and all(isinstance(row, str) for row in rows) else rows


_Text = Annotated[str, AfterValidator(lambda text: str(line_of_text(2000).read(text)) if text else text)]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Puzzle in the ledger, with its place and the recipe it was made from. The solution is not stored.

    The fields are the keys of a line in an export, in the same order.

    Args:
        kind: the kind of the holder.
        name: the id of the holder.
        title: the title of the holder.
        slot: as in ``Place``.
        published: as in ``Place``.
        made: the day when the puzzle was made (ISO, UTC).
        fingerprint: the same for all rotations, reflections and renumberings of the puzzle.
        board: the rows of the puzzle as link text, joined by line feeds.
        rule: the uniqueness rule under which the puzzle has one solution.
        proof: the method of the proof.
        technique: the grade of the hardest technique that it needs; None if the puzzle was not graded.
        score: how hard it feels; None if the puzzle was not graded.
        recipe: the method and the recipe on one line.
        seed: the seed of the puzzle's slot, without the attempt.
        attempt: the number of attempts whose puzzles were refused because another holder has them.
        isbn: the volume's ISBN, 13 digits; None for a feed or a volume without ISBN.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    kind: Kind
    name: Annotated[str, AfterValidator(read_id)]
    title: Annotated[str, AfterValidator(line_of_text(120).read)]
    slot: Annotated[str, AfterValidator(line_of_text(300).read)]
    published: bool
    made: Annotated[str, AfterValidator(lambda text: date.fromisoformat(text).isoformat())]
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    board: Annotated[str, BeforeValidator(_join_rows), Field(max_length=100_050)]
    rule: Annotated[str, AfterValidator(lambda text: Rule(text).value)]
    proof: _Text
    technique: Literal["beginner", "easy", "medium", "hard", "expert", "fiendish"] | None
    score: Annotated[int, Field(ge=0, le=1_000_000_000)] | None
    recipe: _Text
    seed: _Text
    attempt: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    isbn: Annotated[str, Field(pattern=r"^97[89][0-9]{10}$")] | None = None

    @property
    def holder(self) -> Holder:
        return Holder(self.kind, self.name)

    @property
    def place(self) -> Place:
        return Place(self.holder, self.slot, self.published)

    @property
    def rows(self) -> int:
        return self.board.count("\n") + 1

    @property
    def cols(self) -> int:
        return len(self.board.partition("\n")[0].split())

    @property
    def pairs(self) -> int:
        return sum(cell.isdigit() for cell in self.board.split()) // 2

    @property
    def solids(self) -> int:
        return self.board.split().count("#")


def reserved_entry(
    record: PuzzleRecord, *, holder: Holder, title: str, slot: str, recipe: str
) -> LedgerEntry:
    """Return the entry of a puzzle that is reserved today for a slot."""
    # a label is a value of LedgerEntry.technique
    technique: Any = record.technique.label if record.technique else None
    return LedgerEntry(
        kind=holder.kind,
        name=holder.name,
        title=title,
        slot=slot,
        published=False,
        made=datetime.now(UTC).date().isoformat(),
        fingerprint=record.fingerprint,
        board="\n".join(board_rows(record.puzzle)),
        rule=record.rule.value,
        proof=record.proof,
        technique=technique,
        score=record.score,
        recipe=recipe,
        seed=record.seed.removesuffix(f"/{record.attempt}"),
        attempt=record.attempt,
    )


@dataclass(frozen=True, slots=True)
class Holding:
    """Summary of a volume's or feed's puzzles in the ledger.

    Args:
        holder: the volume or feed.
        title: its title.
        published: the number of its published puzzles.
        reserved: the number of puzzles that are only reserved.
        last_made: the day (ISO) of its newest puzzle; empty if it has none.
        isbn: the volume's ISBN, if it has one.
    """

    holder: Holder
    title: str
    published: int
    reserved: int
    last_made: str
    isbn: str | None
