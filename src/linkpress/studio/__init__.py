"""The studio: a page in the browser on which a book is planned, previewed, changed and built.

A book is described by its YAML file (spec), and each change in the browser edits the text of this file. The
studio calls the same functions as the commands of linkpress. The studio and the commands also save finished
puzzles in the same file, the journal of the build. So the studio can continue a build that a command has
begun, and a command can continue a build of the studio.

- ``spec_files``  a spec file with edits and undo; the list of the spec files in a folder; new spec files
- ``open_book``   an open book: its problems, its finished puzzles, drawings of its pages
- ``open_feed``   an open feed: its calendar, the boards of the coming days, its images
- ``html_parts``  functions that write HTML, and the labels and messages of the page
- ``settings``    the form for the settings of each part of a book, as HTML
- ``forecast_html``  the forecast of a level, and sample boards, as HTML
- ``feed_html``   a month of a feed and the panel of a day, as HTML
- ``shelf``       the list of books and feeds, as HTML
- ``finished``    the editions of a book, the progress of a build, and a finished book, as HTML
- ``job``         the process that makes the puzzles of a book, or builds it, and reports its progress
- ``session``     the open specs, the running jobs and the open windows of a studio, and when it ends
- ``server``      the web server: it admits only windows of this studio, answers their requests, and
  closes connections that don't send a complete request in time
- ``__main__``    starts and ends the server; also the program that a double click starts
- ``web``         the page itself: HTML, styles and JavaScript modules, without a build step
"""

# First argument with which the bundled studio runs a job instead of the server. A bundle is a single program
# without a Python interpreter, so it can't run the module ``job`` by ``python -m``.
JOB = "--job"
