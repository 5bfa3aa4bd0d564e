"""A range of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.errors import UsageError


@dataclass(frozen=True, slots=True)
class Span:
    """Range of whole numbers that includes both ends."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise UsageError(f"{self.low}-{self.high}: the low end is above the high end")

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"
