"""This package proves that a puzzle has one solution.

A board that linkpress makes is proven where it is made: the last question of ``kernels.covers.repair`` is
asked about the whole board, and only a board without a second drawing leaves it.

- ``proof``         the verdict, by the compiled search or by python-sat
- ``board_search``  the compiled search, and what a search may spend
- ``sat``           the same question put to python-sat
"""
