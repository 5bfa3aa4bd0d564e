"""Dated single puzzles: image export and feeds."""
