"""Puzzles and solutions: data types, a check of drawings, and notations for text.

Nothing in this package searches for puzzles or reads files.

A *cell* is a square of the board, given by its index. An *edge* is two neighbouring cells that are not solid.
No path may enter a *solid* cell. A *pair* is the two cells that have the same number. A *path* is the line of
cells that joins the two cells of a pair.

- ``puzzle``     the classes Grid, Puzzle, Path and Solution
- ``rules``      checks drawings and solutions for mistakes
- ``symmetry``   rotations and reflections of puzzles, and a fingerprint that is the same for all of them
- ``picture``    pictures that appear when the paths of a solution are coloured

Notations, which are puzzles and solutions as text:

- ``notations``      the table of all notations, and functions to read and write them
- ``link_text``      link text, tables with bars, and the functions that all notations share
- ``ascii_drawing``  drawings in box-drawing characters
- ``pzpr``           addresses and files of the puzz.link player
- ``penpa``          addresses of the Penpa+ player
"""
