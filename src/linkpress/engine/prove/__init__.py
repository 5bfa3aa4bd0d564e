"""Proving that a puzzle has one solution.

- ``proof``          the verdict, by the compiled search or by python-sat
- ``board_search``   the compiled search
- ``sat``            the same question put to python-sat
- ``search_budget``  what a search may spend
"""
