"""What a puzzle is: no search, no files."""
