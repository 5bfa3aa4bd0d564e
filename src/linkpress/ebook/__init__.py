"""Turn a laid-out book into an e-book.

- ``epub``       the chapters of the printed book, in its order and words, as an EPUB file
- ``ebook.css``  the default look of the text, which readers can change
"""
