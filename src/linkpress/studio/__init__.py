"""The studio: a page in the browser on which a book is planned, previewed, changed and built.

The YAML file holds everything. Each change in the browser is an edit of its text. The studio calls the same
functions as the commands, and its builds use the same journal, so either can continue the other's work.

- ``spec_files``  a spec file with edits and undo, the files of a folder, new files, the form for their keys
- ``open_book``   an open book: its problems, its puzzles so far, its pages as drawings
- ``open_feed``   an open feed: its calendar, the boards of the coming days, its images
- ``job``         the process that makes the puzzles of a book, or builds it, and reports its progress
- ``session``     what is open, which jobs run, which browser windows listen, and when the studio ends
- ``server``      who may connect, and the answers to the page's requests
- ``__main__``    starts and ends the server; also the program behind a double click
- ``web``         the page itself: HTML, styles and JavaScript modules, without a build step
"""

# First argument that makes the bundled studio run a job. A bundle has no Python to run the module with.
JOB = "--job"
