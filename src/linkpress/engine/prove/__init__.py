"""Prove that a puzzle has exactly one solution.

Boards that linkpress makes are proven while they are made. The last search of ``kernels.covers.repair`` is a
search of the whole board, and a board passes it only if it has no second drawing.

- ``proof``         the verdict on a puzzle under a rule
- ``board_search``  searches for the drawings of a board, within a budget of conflicts
"""
