"""Puzzles and solutions as text, in every form in which people exchange them."""

from linkpress.puzzle.notation.forms import Form, write_puzzle, write_solution
from linkpress.puzzle.notation.reading import decode, read_puzzles, read_solutions

__all__ = ["Form", "decode", "read_puzzles", "read_solutions", "write_puzzle", "write_solution"]
