"""Puzzles and solutions as text.

* ``notations``: writes either in any ``Notation``; ``reading`` reads them all.
* ``link_text``, ``ascii_drawing``, ``article_table``, ``puzz_link``, ``pzprv3``, ``penpa``: one form each.
* ``squares``: what the forms that draw a square at a time share.
* ``source``: text with the places of what it holds, for messages.
"""

from __future__ import annotations

from enum import StrEnum


class Notation(StrEnum):
    """How a puzzle or a solution is written down."""

    LINK = "link"  # size, then rows of squares separated by blanks
    COMPACT = "compact"  # the same with one character a square
    ASCII = "ascii"  # a drawing in box-drawing characters
    TABLE = "table"  # as the article's C program prints it
    URL = "url"  # an address of the puzz.link player
    PZPRV3 = "pzprv3"  # a file of the same
    PENPA = "penpa"  # an address of the Penpa+ player
