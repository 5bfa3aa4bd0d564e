"""Command line of linkpress, made with Typer. Only this package prints to the terminal or ends the process.

Most modules are imported by the command that needs them, so that ``linkpress --help`` answers quickly.

- ``process``             runs a command as a process: messages, results, exit codes and signals
- ``app``                 the list of all commands, and the commands ``studio`` and ``doctor``
- ``synonyms``            translates other names of commands and options that people often type
- ``options``             options that several commands share, readers of puzzle files, layout of the help
- ``progress``            shows the progress of a book or feed as bars on a terminal, or else as lines
- ``book_commands``       the commands for specs and built books, and ``preflight``
- ``puzzle_commands``     the commands ``generate``, ``solve``, ``prove``, ``grade`` and ``hint``
- ``newspaper_commands``  the commands ``export`` and ``feed``
- ``ledger_commands``     the commands of ``ledger``, such as ``ledger list``
"""
