"""linkpress: proven, graded Numberlink puzzles, as print-ready books and newspaper images."""

__version__ = "0.1.0"
