"""Reads puzzles back out of a finished book's files, from what is drawn alone, and proves them again.

- ``verification``: the way in; compares, proves and grades all that a built folder holds
- ``pdf_books``: a whole PDF as puzzles and answers with the words by them, and lines of text
- ``ebooks``: the same of an e-book, whose links stand for page numbers
- ``svg_marks``: what its drawings show, as marks of a page
- ``drawn_boards``: boards as they stand on a page, made of strokes, outlines, fills and texts
- ``compare``: what is drawn against the record, answers against puzzles, the sample against its
  proof, and what the book says about itself

Words: a *mark* is one stroke, outline, fill or text; a *segment* one straight stroke; a *wall* a
stroke on a grid line that no path crosses; a *sample* the worked example of the rules.
"""

from linkpress.verify.drawn_boards import BoardRead
from linkpress.verify.pdf_books import BookRead, Phrases, read_book
from linkpress.verify.verification import Verification, verify_folder

__all__ = ["BoardRead", "BookRead", "Phrases", "Verification", "read_book", "verify_folder"]
