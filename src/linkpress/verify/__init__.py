"""Read the puzzles back from a finished book's PDFs, and prove them again.

Boards are recognised only by the lines, areas and numbers that a page draws, and not by data of linkpress in
the file.

- ``verification``: check a built folder; compare its boards and texts with the volume; prove and grade
  every puzzle
- ``pdf_books``: read the boards, captions and lines of text of a whole PDF; find boards in drawn shapes
- ``page_objects``: compare each page with what this release draws, or with its hash saved by the build

Terms: a *sample* is a board of a worked example, on the page of rules or in the tutorial; a *wall* is a
stroke on a grid line between two areas of an answer, which no path crosses.
"""
