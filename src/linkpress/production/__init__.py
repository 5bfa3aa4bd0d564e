"""Make the puzzles of books and feeds in worker processes, save each at once, and use no puzzle twice.

A *slot* is the plan for one puzzle: its recipe, its seed and its place in the book or feed. The same slots
give the same puzzles. The number of workers, and interruptions of the run, don't change them.

An *attempt* is one search for the puzzle of a slot. A *repeat* is a puzzle that another slot has already,
perhaps rotated, reflected or renumbered. A call in a worker is *lost* if the worker dies or hangs.

Modules, in the order in which a run uses them:

- ``ledger_session``  looks puzzles and ISBNs up in the ledger, and records those of a run
- ``journal``         the file that saves each finished slot; the log of a run; reports on its progress
- ``forecast``        estimates how long slots take and how likely a recipe succeeds, with advice
- ``dispatch``        passes calls to the workers, and repeats lost calls
- ``executors``       starts workers: processes of this machine, or the workers of a cluster
- ``cluster``         passes calls to the workers of a Dask cluster
- ``slot_search``     the function that a worker runs for one slot, and the line of its result in the journal
- ``alike``           finds small puzzles whose numbers are mostly in the same cells as those of another one
- ``production_run``  one run: makes, saves, reserves and publishes the puzzles of all slots
- ``book_puzzles``    the run of a whole book with an editor's replacements, and the report of a build
"""
