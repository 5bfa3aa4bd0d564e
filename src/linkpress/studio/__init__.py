"""The studio is a page in the browser on which a book is planned, seen, changed and built.

The YAML file stays the truth. Whatever is done here is an edit of its text, and everything else is what the
commands do: the same functions judge, make, lay out and build, and a build goes on from the same journal.

- ``spec_file``      one spec on the disk: its text, edits of it, undo and redo, changes made elsewhere
- ``open_book``      one open book: its problems, its puzzles as far as they are made, its pages as drawings
- ``open_feed``      one open feed: its calendar, the boards of coming days, its images
- ``facts``          what the page shows of specs, levels and puzzles; samples of a level
- ``job``            the process that makes the puzzles of a book, or builds it, and reports as it goes
- ``shelf``          the books and feeds of a folder, and new ones
- ``session``        what is open, which processes run and windows listen, and when all of it is over
- ``gate``           who is let in, and what every answer says to the browser
- ``server``         the addresses that the page asks, and what each answers
- ``run``            starts the server, and ends it when the session is at its end
- ``__main__``       the studio without a terminal, by a double click
- ``web``            the page: HTML, styles and JavaScript modules, without a build step
"""

JOB = "--job"  # the argument by which a bundled studio, which is not Python, runs a job
