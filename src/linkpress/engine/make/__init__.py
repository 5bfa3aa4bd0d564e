"""This package makes puzzles: from a recipe and a seed to a proven board.

- ``generate``  from a recipe and a seed to a proven puzzle
- ``attempts``  the account of all boards tried, and what it says when they came to nothing
- ``cover``     a board cut into paths, the puzzle that it hides, and the article's generator
- ``reshape``   the walk: a cover changed until it has one solution, which is its proof
- ``compose``   a style for each puzzle, a board changed toward it, and its numbering
- ``steer``     a board changed until it has a wanted grade
"""
