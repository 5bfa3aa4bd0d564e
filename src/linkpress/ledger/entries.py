"""Data types of the ledger: puzzles, their places, and the volumes and feeds that have them.

A volume is a book, and a feed is a newspaper's series of puzzles.
"""

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
    """Kind of publication that has puzzles in the ledger."""

    VOLUME = "volume"  # a book; building it again replaces all its puzzles in the ledger
    FEED = "feed"  # a newspaper's series of puzzles; making a day again replaces only the puzzle of this day


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """Volume (book) or feed (newspaper) that has puzzles in the ledger, given by its id."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a puzzle in a volume (book) or feed (newspaper).

    Args:
        holder: the volume or feed.
        slot: the date (ISO) in a feed, or the puzzle's number in a volume. A puzzle that is only reserved for
            a volume has no number yet. Then the slot is a text such as ``puzzle 3 of level Gentle``.
        published: True if the puzzle is published, False if it is only reserved.
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
    """Puzzle in the ledger, with its place and the recipe from which it was made. The solution is not stored.

    In an exported ledger, each line is an entry. The keys of the line are the fields of this class.

    Args:
        kind: whether a volume (book) or a feed (newspaper) has the puzzle.
        name: the id of the volume or feed.
        title: the title of the volume or feed.
        slot: the date in a feed, or the number in a volume; see ``Place``.
        published: True if the puzzle is published, False if it is only reserved.
        made: the day when the puzzle was made (ISO, UTC).
        fingerprint: a text that is the same for all rotations, reflections and renumberings of the puzzle.
        board: the rows of the puzzle as link text, joined by line feeds.
        rule: the rule under which the puzzle has only one solution.
        proof: the method by which the unique solution was proven.
        technique: the grade of the hardest technique that a solver needs; None if the puzzle was not graded.
        score: how hard the puzzle feels; None if it was not graded.
        recipe: the method and the recipe on one line.
        seed: the seed of the puzzle, without the number of the attempt.
        attempt: the number of the attempt that made the puzzle. It is 0 unless puzzles of earlier attempts
            were refused, because another volume or feed has them.
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
    """Make the ledger entry of a puzzle that is being reserved today.

    Args:
        record: the puzzle.
        holder: the volume or feed for which the puzzle is reserved.
        title: the title of the volume or feed.
        slot: the place of the puzzle in the volume or feed; see ``Place``.
        recipe: the method and the recipe on one line.
    """
    # The type is Any, because mypy can't see that the label is one of the allowed
    # values of LedgerEntry.technique.
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
    """Summary of the puzzles that a volume (book) or feed (newspaper) has in the ledger.

    Args:
        holder: the volume or feed.
        title: the title of the volume or feed.
        published: the number of published puzzles.
        reserved: the number of puzzles that are only reserved.
        last_made: the day (ISO) when the newest puzzle was made; empty if there is none.
        isbn: the ISBN of the volume, if it has one.
    """

    holder: Holder
    title: str
    published: int
    reserved: int
    last_made: str
    isbn: str | None
