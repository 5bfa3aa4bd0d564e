"""The commands stand here, made with Typer; this is the only place that prints or exits.

Results go to stdout, all else to stderr. A command's module imports what it needs when it runs.

- ``main``                the entry point: what a command raises becomes a message and an exit code
- ``app``                 the Typer application, ``doctor`` and ``studio``
- ``book_commands``       what takes a spec or a built book, and ``preflight``
- ``puzzle_commands``     generate, solve, prove, grade, hint
- ``newspaper_commands``  export, feed
- ``ledger_commands``     ledger list, find and the others
- ``options``             options that several commands share
- ``progress``            bars on a terminal, a line now and then elsewhere
- ``streams``             standard input and output
"""
