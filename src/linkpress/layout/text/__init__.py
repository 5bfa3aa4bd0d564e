"""Words on a page.

- ``wording``     every printed word, by language
- ``lines``       text broken into lines
- ``flow``        blocks of text to columns
- ``text_pages``  headings, and running text under one over as many pages as it needs
"""
