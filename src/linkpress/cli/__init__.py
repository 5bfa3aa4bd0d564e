"""The commands, made with Typer. Only this room prints to the terminal or ends the process.

A command imports what it needs when it runs, so that ``linkpress --help`` answers quickly.

- ``process``             the entry point; messages, results, exit codes, signals, closed streams
- ``app``                 the list of commands, ``studio`` and ``doctor``
- ``options``             options and puzzle files that several commands share; the form of the help text
- ``progress``            progress of a book or feed: bars on a terminal, else a line now and then
- ``book_commands``       commands for specs and built books, and ``preflight``
- ``puzzle_commands``     generate, solve, prove, grade, hint
- ``newspaper_commands``  export, feed
- ``ledger_commands``     ledger list, find and the others
"""
