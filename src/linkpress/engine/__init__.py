"""Make and judge puzzles. The engine knows nothing of books.

These terms are used throughout:

- A *recipe* says what a puzzle must be like.
- A *cover* is a board divided into paths. The ends of the paths become the numbers of a puzzle.
- An *attempt* is one try to make a board for a recipe.
- A *drawing* is a set of edges that joins every pair. A *filling* is a drawing that leaves no free cell
  empty.
- The *ladder* is the list of solving techniques, from the easiest up. A *rung* is one place on that list. A
  *deduction* is one thing that a technique finds. A *climb* is everything that the ladder finds on a board.

The modules:

- ``rulesets``    the rules under which a puzzle can have exactly one solution, in one table
- ``difficulty``  the scale of difficulty, and how hard the boards of a recipe will be
- ``recipe``      what is required of a puzzle: sizes, counts, shares, difficulty, techniques, rule
- ``feasibility`` whether a recipe can be met at all, judged by its counts, patterns and mask
- ``ladder``      the ladder of techniques, in one table, and how a person climbs it to solve a puzzle
- ``grade``       the techniques that a puzzle needs, and the score that says how hard it feels
- ``make/``       from a recipe and a seed to a proven puzzle
- ``prove/``      whether a puzzle has exactly one solution
- ``explain/``    the steps of a solve in sentences
- ``kernels/``    the inner loops, compiled or as plain Python
"""
