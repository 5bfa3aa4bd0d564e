"""This package reads puzzles out of a finished book's files, from what is drawn alone, and proves them again.

- ``verification``: the way in; compares, proves and grades all that a built folder holds
- ``pdf_books``: a whole PDF as puzzles and answers with the words by them, and lines of text
- ``ebooks``: an e-book as the same pages, with links in the place of page numbers
- ``ebook_pictures``: the drawings of an e-book, as the objects of a page; those for Kindles, drawn again
- ``drawn_boards``: boards as they stand on a page, made of strokes, outlines, fills and texts
- ``compare``: the book read against the volume, answers against puzzles, the sample against its
  proof, and the book against what it says about itself

Words: a *segment* is one straight stroke; a *run* is a level or upright segment in squares of its
board; a *wall* is a stroke on a grid line that no path crosses; a *sample* is the worked example.
"""

from linkpress.verify.drawn_boards import BoardRead
from linkpress.verify.pdf_books import BookRead, Phrases, read_book
from linkpress.verify.verification import Verification, verify_folder

__all__ = ["BoardRead", "BookRead", "Phrases", "Verification", "read_book", "verify_folder"]
