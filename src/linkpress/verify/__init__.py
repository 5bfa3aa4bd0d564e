"""Read the puzzles back from a finished book's PDFs, and prove again that each has one solution.

Boards are recognised only by the lines, areas and numbers that a page draws. Data that linkpress stores in
the file are not used.

- ``verification``: check the folder of a built book; compare its boards and texts with its ``volume.json``;
  prove that every puzzle has one solution, and grade it
- ``pdf_books``: read the boards, captions and lines of text of a whole PDF; find boards in drawn shapes
- ``page_objects``: compare each page with what this release draws, or with its hash saved by the build

Two terms: A *sample* is a board of a worked example, on the page of rules or in the tutorial. A *wall* is a
stroke on a grid line between two areas of an answer. No path crosses a wall.
"""
