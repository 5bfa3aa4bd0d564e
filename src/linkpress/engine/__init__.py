"""Make and judge puzzles. The engine knows nothing of books.

These terms are used throughout:

- A *recipe* says what a puzzle must be like.
- A *path cover*, or cover for short, is a board divided into paths. The ends of the paths become the numbers
  of a puzzle.
- An *attempt* is one try to make a board for a recipe.
- A *drawing* is a set of edges that joins every pair. A *filling* is a drawing that leaves no free cell
  empty.
- The *ladder* is the list of solving techniques, from the easiest to the hardest. A *rung* is one place on
  that list. A *deduction* is one thing that a technique finds. A *climb* is the record of solving a board
  with the ladder.

The modules:

- ``rulesets``    the rules under which a puzzle can have exactly one solution, in one table
- ``difficulty``  the scale of difficulty, and a forecast of how hard the boards of a recipe will be
- ``recipe``      the requirements of a puzzle, such as counts and difficulty, and recipes that can't be met
- ``ladder``      the ladder of solving techniques in one table, and a solver that uses it like a person
- ``grade``       the techniques that a puzzle needs, and the score that says how hard it feels
- ``proof``       decides how many solutions a puzzle has under a rule
- ``board_search``  searches for the drawings of a board, within a budget of conflicts
- ``make/``       makes a proven puzzle from a recipe and a seed
- ``captions``    shortens the sentence of a step to a caption for readers who see a picture of the step
- ``explain/``    explains the steps of a solve in sentences
- ``hint``        finds the first mistake in a partly drawn board, or else explains the next line
- ``kernels/``    the inner loops, compiled or as plain Python
"""
