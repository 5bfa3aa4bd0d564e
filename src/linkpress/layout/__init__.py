"""Page layout: decide where everything goes on a book's pages, in points, without drawing anything.

The result is a display list for each page (``frame``), which the renderers draw. Terms: the *trim* is the
page as cut, the *live area* is the trim without its margins, a *recto* is a right-hand page. A *part* is a
group of pages such as the contents; it counts its pages before it composes them. The *setting* holds what all
pages of a book share: sizes, theme, fonts and words.

- ``pages``          a whole book: its parts in order, page numbers, all pages
- ``book_parts/``    the parts: title page, contents, how to play, tutorial, levels, answers, notes
- ``setting``        the edition to be laid out, its pictures, and the setting of its pages
- ``margins``        margins, which depend on the page count, and the live area
- ``page_draft``     one page while it is composed: running head, page number, headings, links
- ``sheets``         pages of boards in equal tiles, with captions and QR codes
- ``boards``         drawings of puzzles, answers and ornaments
- ``shapes``         smooth outlines of boards that are hearts, animals or letters
- ``step_pictures``  drawings of a board after each step of a solve
- ``markdown``       the publisher's own text
- ``text_flow``      lines, columns and display lines of text
- ``measure``        sizes of text, and whether the fonts can set it
- ``theme``          theme files, and whether a printer can print them
- ``frame``          the display list
"""
