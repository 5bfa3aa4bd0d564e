"""Puzzles and solutions as text.

* ``notations``: the table of notations, and what writes a puzzle or a solution in any of them.
* ``reading``: reads them all.
* ``link_text``, ``ascii_drawing``, ``article_table``, ``puzz_link``, ``pzprv3``, ``penpa``: each
  has one notation.
* ``squares``: what they share: the lines of a text with their places, and boards as rows of squares.
"""
