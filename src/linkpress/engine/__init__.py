"""Make and judge puzzles. The engine knows nothing of books.

A *recipe* says what a puzzle must be like. A *cover* is a board divided into paths, whose ends become the
numbers of a puzzle. An *attempt* is one board tried for a recipe. A *drawing* is a set of edges that joins
every pair; a *filling* is a drawing that leaves no free cell empty. The *ladder* is the list of solving
techniques, from the easiest up, and a *rung* is the place of a technique on it. A *deduction* is one thing
that a technique finds. A *climb* is everything that the ladder finds on a board.

- ``rulesets``    the rules under which a puzzle can have exactly one solution, in one table
- ``recipe``      what is required of a puzzle: sizes, counts, shares, grades, rule
- ``feasibility`` whether a recipe can be met at all, judged by its counts, patterns and mask
- ``techniques``  the ladder of techniques, in one table
- ``ladder``      how a person solves a puzzle: the climb of the ladder
- ``grade``       how hard a puzzle is: its grade and its stars
- ``make/``       from a recipe and a seed to a proven puzzle
- ``prove/``      whether a puzzle has exactly one solution
- ``explain/``    the steps of a solve in sentences
- ``kernels/``    the inner loops, compiled or as plain Python
"""
