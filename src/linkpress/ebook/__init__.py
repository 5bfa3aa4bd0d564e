"""Convert a laid-out book to an e-book.

- ``epub`` writes an EPUB file with the chapters of the printed book, in the same order and with the same
  words.
- ``ebook.css`` is the default style sheet, whose settings readers can override in their reading app.
"""
