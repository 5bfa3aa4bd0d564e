"""Proving that a puzzle has one solution.

- ``proof``         the verdict, by the compiled search or by python-sat
- ``board_search``  the compiled search, and what a search may spend
- ``sat``           the same question put to python-sat
"""
