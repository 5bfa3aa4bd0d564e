"""A volume becomes an e-book here: EPUB 3, whose text a reader sets as wide and large as they like.

- ``chapters``   what the book holds, chapter by chapter, in the order and the words of the printed one
- ``epub``       chapters and pictures as one file
- ``ebook.css``  how they look where the reader has no wish of their own
"""
