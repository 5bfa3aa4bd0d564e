"""This package knows what a puzzle is; it searches for none and reads no files.

A *cell* is one square's index, an *edge* two neighbouring free cells; a *solid* cell is on no path. A
*pair* is two endpoints of one number, a *path* the cells that join them. A *breach* is a way in which a
drawing is wrong.

- ``puzzle``     Grid, Puzzle, Path and Solution
- ``rules``      the breaches of a drawing
- ``symmetry``   the eight symmetries, the canonical form and the fingerprint
- ``notation/``  puzzles and solutions as text
"""
