"""Page layout: decide where everything goes on a book's pages, in points, without drawing anything.

The result is a display list for each page (``frame``), which a renderer draws. The *trim* is the finished
page after cutting. The *live area* is the part of the trim inside its margins. A *recto* is a right-hand
page, and a *verso* is a left-hand page. A *part* is a group of pages, such as the contents. It counts its
pages before it composes them.

- ``pages`` lays out a whole book: its parts in order, the page numbers, and all pages.
- ``setting`` has the classes for the input of the layout. ``Edition`` is an edition of the book, for print or
  for screens, with its pictures. ``Setting`` is everything that all pages of a book share: sizes, theme,
  fonts and words. The module also computes the margins, which depend on the page count.
- ``page_draft`` composes one page: running head, page number, headings and links. It also has the base class
  of all parts.
- ``matter`` has the parts before and after the puzzles: title, copyright, contents, how to play, notes, a
  certificate, checklists, and the publisher's own pages.
- ``tutorial`` has the worked examples that precede the puzzles of a level.
- ``sections`` has the pages of the levels with their puzzles, and the answer pages.
- ``sheets`` arranges boards on pages in equal tiles, with captions and QR codes.
- ``boards`` draws puzzles, answers and ornaments, and smooth outlines of boards that are hearts or animals.
- ``step_pictures`` draws a board after each step of its solution.
- ``markdown`` typesets the publisher's own text.
- ``text_flow`` measures text, breaks it into lines and columns, and typesets titles.
- ``theme`` loads theme files, and checks that a printer can print them.
- ``frame`` defines the display list.
"""
