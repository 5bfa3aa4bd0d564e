"""Puzzles and solutions: data types, a check of drawings, and notations for text.

Nothing in this package searches for puzzles or reads files.

A *cell* is a square of the board, given by its index. An *edge* is two neighbouring cells that are not solid.
No path may enter a *solid* cell. A *pair* is the two cells that have the same number. A *path* is the line of
cells that joins the two cells of a pair.

- ``puzzle``     the classes Grid, Puzzle, Path and Solution
- ``rules``      checks drawings and solutions for mistakes
- ``symmetry``   rotations and reflections of puzzles, and a fingerprint that is the same for all of them
- ``picture``    pictures that appear when the paths of a solution are coloured
- ``notation``   puzzles and solutions as text
"""
