"""Prove that a puzzle has exactly one solution.

Boards that linkpress makes are already proven while they are made. The last step of ``kernels.covers.repair``
searches the whole board, and accepts the board only if it has no second drawing.

- ``proof``         decides how many solutions a puzzle has under a rule
- ``board_search``  searches for the drawings of a board, within a budget of conflicts
"""
