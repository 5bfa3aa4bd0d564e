"""This package reads and writes puzzles and solutions as text.

* ``notations``: the table of notations; reads all of them, and writes a puzzle or a solution in any.
* ``link_text``, ``ascii_drawing``, ``article_table``, ``pzpr``, ``penpa``: each has one notation, or those
  of one player.
* ``squares``: what they share: the lines of a text with their places, and boards as rows of squares.
"""
