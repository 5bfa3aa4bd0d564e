"""Puzzles and solutions as text, in every form that people exchange them in."""
