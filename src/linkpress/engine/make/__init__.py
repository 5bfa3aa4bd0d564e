"""Make puzzles: from a recipe and a seed to a proven board.

- ``generate``  a puzzle that meets a recipe, and the log of all boards that were tried for it
- ``cover``     a board divided into paths; made to order, repaired until it is unique, or grown as in the
  article
- ``steer``     small changes to a board until it has a required grade
- ``compose``   the style of a board, small changes toward it, and the order of its numbers
"""
