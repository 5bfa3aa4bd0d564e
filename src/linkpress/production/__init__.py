"""Make the puzzles of books and feeds in worker processes, save each at once, and use no puzzle twice.

A *feed* is a series of daily puzzles for a newspaper. A *slot* is the plan for one puzzle of a book or feed:
its recipe, its random seed and its place. The same slots always give the same puzzles. The number of workers
and interruptions of the run don't change the puzzles.

An *attempt* is one search for the puzzle of a slot. A *repeat* is a puzzle that another slot already has,
perhaps rotated, reflected or renumbered. A function call in a worker is *lost* if the worker dies or hangs.

Modules, in the order in which a run uses them:

- ``ledger_session`` looks up which puzzles and ISBNs the ledger already has, and records the new ones there
- ``journal``         writes the file that saves each finished slot and the log of a run; reports progress
- ``forecast``        estimates how long slots take and how likely a recipe is to succeed, with advice
- ``dispatch``        passes function calls to the workers, and repeats lost calls
- ``executors``       starts workers: processes of this machine, or the workers of a cluster
- ``cluster``         passes function calls to the workers of a Dask cluster
- ``slot_search``     makes the puzzle of one slot in a worker, and converts it to a line of the journal
- ``head_start``      lets workers make the first puzzles of a book while the book is still checked
- ``alike``           finds small puzzles whose numbers are mostly in the same cells as another puzzle's
- ``production_run``  makes, saves, reserves and publishes the puzzles of all slots in one run
- ``book_puzzles``    makes all puzzles of a book with the editor's replacements, and writes the build report
"""
