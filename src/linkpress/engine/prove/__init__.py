"""Prove that a puzzle has exactly one solution.

Boards that linkpress makes are proven while they are made: the last search of ``kernels.covers.repair`` is
about the whole board, and only a board without a second drawing leaves it.

- ``proof``         the verdict on a puzzle under a rule
- ``board_search``  searching for the drawings of a board, within a budget of conflicts
"""
