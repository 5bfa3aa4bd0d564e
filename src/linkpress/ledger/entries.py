"""The ledger knows this: puzzles, their places, and who holds them."""

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
    """Puzzles are published in works of these kinds."""

    VOLUME = "volume"  # building it again replaces all of it
    FEED = "feed"  # goes on day by day; a day made again replaces that day


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """A holder is a volume or a feed, by its id."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """A place is where a puzzle is held.

    Args:
        slot: the date (ISO) in a feed; in a volume the puzzle's number, but while it is only reserved
            the slot that it is made for, as ``puzzle 3 of level Gentle``.
        published: False while it is only reserved.
    """

    holder: Holder
    slot: str
    published: bool

    def __str__(self) -> str:
        return f"{self.holder}, {self.slot}"


def _one_text(rows: object) -> object:
    """Join a board's rows as the ledger keeps them; exports list them."""
    return "\n".join(rows) if isinstance(rows, list) and all(isinstance(row, str) for row in rows) else rows


_Text = Annotated[str, AfterValidator(lambda text: str(line_of_text(2000).read(text)) if text else text)]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An entry is a puzzle in the ledger: who holds it, its record without answer, what it was made to.

    Its fields are the keys of an export's line, in their order.

    Args:
        kind, name, title: of the volume or feed that holds it.
        slot, published: as in ``Place``.
        made: on which day (ISO, UTC).
        fingerprint: the same under symmetry and renumbering.
        board: link-text rows joined by line feeds.
        rule, proof: the rule it is proven under, and the way of the proof.
        grade, score: None when ungraded.
        seed: of the slot, without the attempt.
        attempt: 0, or more when earlier attempts were found published elsewhere.
        isbn: of the volume, 13 digits; None for a feed, or when the volume has none.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    kind: Kind
    name: Annotated[str, AfterValidator(read_id)]
    title: Annotated[str, AfterValidator(line_of_text(120).read)]
    slot: Annotated[str, AfterValidator(line_of_text(300).read)]
    published: bool
    made: Annotated[str, AfterValidator(lambda text: date.fromisoformat(text).isoformat())]
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    board: Annotated[str, BeforeValidator(_one_text), Field(max_length=100_050)]
    rule: Annotated[str, AfterValidator(lambda text: Rule(text).value)]
    proof: _Text
    grade: Literal["beginner", "easy", "medium", "hard", "expert", "fiendish"] | None
    score: Annotated[int, Field(ge=0, le=1_000_000_000)] | None
    recipe: _Text
    seed: _Text
    attempt: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    isbn: Annotated[str, Field(pattern=r"^97[89][0-9]{10}$")] | None = None

    @property
    def holder(self) -> Holder:
        """Return whoever holds the puzzle."""
        return Holder(self.kind, self.name)

    @property
    def place(self) -> Place:
        """Return the place where the puzzle is held."""
        return Place(self.holder, self.slot, self.published)

    @property
    def rows(self) -> int:
        """Return the number of the board's rows."""
        return self.board.count("\n") + 1

    @property
    def cols(self) -> int:
        """Return the number of the board's columns."""
        return len(self.board.partition("\n")[0].split())

    @property
    def pairs(self) -> int:
        """Return the number of the board's pairs."""
        return sum(cell.isdigit() for cell in self.board.split()) // 2

    @property
    def solids(self) -> int:
        """Return the number of the board's solids."""
        return self.board.split().count("#")


def reserved_entry(record: PuzzleRecord, holder: Holder, title: str, slot: str, recipe: str) -> LedgerEntry:
    """Make the entry of a puzzle that is reserved today for a slot; the recipe is the one it was made to."""
    grade: Any = record.grade.label if record.grade else None  # one of those that the field names
    return LedgerEntry(
        holder.kind,
        holder.name,
        title,
        slot,
        published=False,
        made=datetime.now(UTC).date().isoformat(),
        fingerprint=record.fingerprint,
        board="\n".join(board_rows(record.puzzle)),
        rule=record.rule.value,
        proof=record.proof,
        grade=grade,
        score=record.score,
        recipe=recipe,
        seed=record.seed.removesuffix(f"/{record.attempt}"),
        attempt=record.attempt,
    )


@dataclass(frozen=True, slots=True)
class Holding:
    """A holding counts a volume's or feed's puzzles, with the day (ISO) of its newest, or "", and ISBN."""

    holder: Holder
    title: str
    published: int
    reserved: int
    last_made: str
    isbn: str | None
