"""Makes and judges puzzles; knows nothing of books.

A *recipe* says what a puzzle must be, a *cover* is a board cut into paths, an *attempt* is one board
tried for a recipe. A *drawing* is a set of edges that joins every pair, a *filling* one that leaves no
square empty. A *rung* is one technique of the ladder, a *deduction* what it finds, a *climb* all that the
ladder made of a board.

Making:

- ``recipe``        what is asked for: sizes, counts, shares, grades, rule
- ``generate``      from a recipe and a seed to a proven puzzle
- ``attempts``      the account of all boards tried, and what it says when they came to nothing
- ``cover``         a board cut into paths, and the puzzle that it hides
- ``reshape``       the walk: a cover changed until it has one solution
- ``steer``         a board changed until it has a wanted grade
- ``classic``       the article's generator: paths grown one after the other

One solution?

- ``proof``         the verdict, by the compiled search or by python-sat
- ``board_search``  the compiled search
- ``sat``           the same question put to python-sat
- ``search_budget`` what a search may spend

As a person solves:

- ``ladder``        the techniques, and the climb from the lowest up
- ``saying``        what is said of a step, as a tree without words
- ``grade``         grade and score of a climb
- ``steps``         a climb in sentences
- ``gap_sides``     a gap as those sentences tell it
- ``hint``          the first mistake of a drawing, or the next lines

``kernels/`` holds the compiled loops, and the same as plain Python.
"""
