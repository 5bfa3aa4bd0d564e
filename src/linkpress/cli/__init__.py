"""The commands, made with Typer. Only this folder prints to the terminal or ends the process.

A command imports what it needs when it runs, so that ``linkpress --help`` answers quickly.

- ``process``             the entry point; messages, results, exit codes, signals, closed streams
- ``app``                 the list of commands, ``studio`` and ``doctor``
- ``synonyms``            other words for commands and options, and what they mean
- ``options``             options that several commands share, reading puzzle files, the layout of the help
- ``progress``            the progress of a book or feed: bars on a terminal, else a line now and then
- ``book_commands``       the commands for specs and built books, and ``preflight``
- ``puzzle_commands``     the commands ``generate``, ``solve``, ``prove``, ``grade`` and ``hint``
- ``newspaper_commands``  the commands ``export`` and ``feed``
- ``ledger_commands``     the commands of ``ledger``, such as ``ledger list``
"""
