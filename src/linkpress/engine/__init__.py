"""Makes and judges puzzles; knows nothing of books."""
