"""The studio: a page in the browser on which a book is planned, previewed, changed and built.

The state of a book is only in its YAML file. Each change in the browser is an edit of the file's text. The
studio calls the same functions as the commands, and its builds use the same journal. So the studio can
continue a build that a command has begun, and a command can continue a build of the studio.

- ``spec_files``  a spec file with edits and undo, the files of a folder, new files, the form for their keys
- ``open_book``   an open book: its problems, its finished puzzles, drawings of its pages
- ``open_feed``   an open feed: its calendar, the boards of the coming days, its images
- ``job``         the process that makes the puzzles of a book, or builds it, and reports its progress
- ``session``     the open specs, the running jobs and the open windows of a studio, and when it ends
- ``server``      the web server: who may connect, and the answers to the page's requests
- ``connections``  limits for connections that send no whole request
- ``__main__``    starts and ends the server; also the program that a double click starts
- ``web``         the page itself: HTML, styles and JavaScript modules, without a build step
"""

# First argument that makes the bundled studio run a job. A bundle is a single program without a Python
# interpreter, so it can't run the module ``job`` with ``python -m``.
JOB = "--job"
