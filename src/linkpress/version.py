"""This is the version of linkpress, which ``pyproject.toml`` repeats and a test compares."""

__version__ = "0.3.0"
