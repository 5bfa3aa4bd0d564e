"""This package makes and judges puzzles; it knows nothing of books.

A *recipe* says what a puzzle must be, a *cover* is a board cut into paths, an *attempt* is one board
tried for a recipe. A *drawing* is a set of edges that joins every pair, a *filling* one that leaves no
square empty. A *rung* is a technique's place on the ladder, a *deduction* what a technique finds, a *climb*
all that the ladder made of a board.

- ``recipe``      what is asked for: sizes, counts, shares, grades, rule
- ``feasibility`` whether a recipe can be met, as its counts, patterns and mask tell
- ``techniques``  the ladder: one list of all that is known of each technique
- ``make/``       from a recipe and a seed to a proven puzzle
- ``prove/``      whether a puzzle has one solution
- ``solve/``      how a person solves it, and how hard that is
- ``explain/``    a solve in sentences
- ``kernels/``    the compiled loops, and the same as plain Python
"""
