"""This package decides where everything goes on a book's pages, in points; it draws nothing.

A *page* has a *frame*: shapes and texts with absolute places. The *live area* is what the margins leave
of the *trim*, the page as cut; a *recto* is a right-hand page. A book is made of *parts*, each of which
says how many pages it needs before it composes them. A *setting* is what composing any page depends on.
The argument ``where`` is the spec's key from which a text comes, for messages.

- ``pages``         a whole book: its parts in order, numbered, composed
- ``edition``       what is laid out, the setting of its pages, its margins, what a part must be able to say
- ``page_draft``    one page while it is being composed: live area, furniture, headings, running text
- ``text_flow``     text broken into lines, lines set into columns
- ``line_breaks``   where a line may end
- ``lettering``     words of covers and title pages, set line by line
- ``markdown``      the publisher's own text as blocks, its tables too
- ``pictures``      the publisher's own pictures: how large, and whether they have the pixels for it
- ``frame``         the display list that renderers draw
- ``measure``       what is asked about type, without knowing fonts
- ``theme``         the files in ``config/themes``, and whether a printer can print one
- ``book_parts/``   the parts: title, copyright, contents, rules, levels, solutions, own pages
- ``boards/``       boards and what stands beside them
"""
