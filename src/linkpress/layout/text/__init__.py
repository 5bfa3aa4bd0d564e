"""Words on a page.

- ``wording``     every printed word, by language
- ``lines``       text broken into lines
- ``flow``        blocks of text to columns
- ``text_pages``  running text under a heading, over as many pages as it needs
- ``headings``    of a part's first page, and of the page that opens a section
"""
