"""Make puzzles: from a recipe and a seed to a proven board.

- ``generate``  a puzzle that meets a recipe, a log of all boards that were tried for it, and the style of
  composed boards
- ``cover``     a board divided into paths; made to requirements and repaired until it is unique, or grown by
  the method of the article on which linkpress is based
- ``steer``     small changes to a board until it needs a required technique
"""
