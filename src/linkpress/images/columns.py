"""Column grids: how wide one, two or three columns of a newspaper are.

Data in ``config/newspapers/*.yaml``, each with its source and date, because papers change them; a
user's own file works the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from linkpress.documents.models import Readable, SpecModel, load_named
from linkpress.documents.problem import Problem
from linkpress.documents.shipped_files import COLUMN_GRIDS
from linkpress.documents.values import Date, line_of_text, millimetres
from linkpress.errors import UsageError

DEFAULT_GRID = "broadsheet"
MIN_WIDTH_MM, MAX_WIDTH_MM = 20.0, 600.0

_MOST_COLUMNS = 12


class ColumnGrid(SpecModel):
    """One newspaper's columns."""

    name: Annotated[str, line_of_text(40)]
    """What the grid is called."""
    about: Annotated[str | None, line_of_text(200)] = None
    """What it is, in words."""
    source: Annotated[str, line_of_text(300)]
    """Where the widths come from."""
    date: Date
    """When they were looked up."""
    gutter_mm: Annotated[float, millimetres(0, 30)]
    """Between two columns."""
    widths_mm: Annotated[
        tuple[Annotated[float, millimetres(MIN_WIDTH_MM, MAX_WIDTH_MM)], ...],
        Field(min_length=1, max_length=_MOST_COLUMNS),
    ]
    """Of one column, of two with the gutter between them, and so on."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Widths that do not rise by a column and a gutter."""
        if not readable("widths_mm", "gutter_mm"):
            return
        for count, (narrow, wide) in enumerate(pairwise(self.widths_mm), 1):
            if wide - narrow < 1.5 * self.gutter_mm or wide <= narrow:
                message = (
                    f"{count + 1} columns must be at least a gutter of {self.gutter_mm:g} mm and a half "
                    f"wider than {count} columns of {narrow:g}"
                )
                yield Problem(f"{wide:g}", message, ("widths_mm", count))

    def width_mm(self, columns: int) -> float:
        """The width of so many columns with the gutters between them.

        Raises:
            UsageError: the grid has fewer.
        """
        if not 1 <= columns <= len(self.widths_mm):
            raise UsageError(
                f"{columns} columns: the grid {self.name} has 1 to {len(self.widths_mm)}. Choose one of "
                "these, another grid, or a width in millimetres."
            )
        return self.widths_mm[columns - 1]


def load_grid(name_or_path: str) -> ColumnGrid:
    """A shipped grid by its name, or a grid file by its path.

    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: the file is not a right grid; lists every fault.
    """
    return load_named(name_or_path, COLUMN_GRIDS, ColumnGrid)
