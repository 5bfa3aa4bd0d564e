"""What a run says of slots that get no puzzle: boards that were refused, recipes that are not met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from linkpress.book.grade_odds import Odds
from linkpress.book.plan import Slot
from linkpress.documents.problem import MAX_SHOWN
from linkpress.errors import FoundWantingError, GaveUpError, GradeError, LinkpressError
from linkpress.production.forecast import Group, advice, group_of


def refuse_boards(slots: Sequence[Slot], missed: Mapping[int, LinkpressError | None]) -> NoReturn:
    """Say why each board from a file that was refused will not do.

    Args:
        missed: each fault by its slot's index, one or more.
    Raises:
        FoundWantingError: one line a board; after ``MAX_SHOWN`` of them only their number.
        GaveUpError: the same, where proofs that were given up are all that stands against them.
    """
    lines = [f"{slots[index]}: {missed[index]}" for index in sorted(missed)[:MAX_SHOWN]]
    if len(missed) > MAX_SHOWN:
        lines.append(f"… and {len(missed) - MAX_SHOWN} more")
    gave_up = all(isinstance(fault, GaveUpError) for fault in missed.values())
    kind = GaveUpError if gave_up else FoundWantingError
    listed = "\n".join(lines)
    raise kind(
        f"{len(missed)} of {len(slots)} boards from files can't be printed. Nothing was written.\n{listed}"
    )


def unmet_message(
    slots: Sequence[Slot],
    missed: Mapping[int, LinkpressError | None],
    table: Sequence[Odds],
    kept: str | None,
) -> str:
    """Name the first slot of each recipe that is not met, how many more there are, and what would help.

    Args:
        slots: all that were to be filled.
        missed: each fault by its slot's index; None for a slot that was left out.
        kept: what the journal keeps, as a sentence; None where there is none. Then only the first slot is
            named: how many more were begun hangs on the workers.
    """
    first: dict[Group, int] = {}
    for index in sorted(missed):
        if missed[index] is not None:
            first.setdefault(group_of(slots[index]), index)
    lines = []
    for group, index in list(first.items())[: 1 if kept is None else MAX_SHOWN]:
        sentences = [str(missed[index])]
        alike = sum(group_of(slots[other]) == group for other in missed) - 1
        if alike and kept is not None:
            sentences.append(f"{alike} more like it {'are' if alike > 1 else 'is'} not made either.")
        if isinstance(missed[index], GradeError):
            count = sum(group_of(slot) == group for slot in slots)
            sentences.append(advice(slots[index], count, table))
        lines.append(" ".join(sentences))
    if kept is not None and len(first) > MAX_SHOWN:
        lines.append(f"… and {len(first) - MAX_SHOWN} more")
    if kept:
        lines.append(kept)
    return "\n".join(lines)
