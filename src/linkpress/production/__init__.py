"""Make the puzzles for the slots of books and feeds, save them at once, and repeat none.

The same slots give the same puzzles, whatever the number of workers and wherever a run was interrupted.

A *slot* is the place of one puzzle in a plan. An *attempt* is one search for its puzzle. A *repeat* is a
puzzle that another slot has already, perhaps rotated, reflected or renumbered. A call is *lost* if its worker
dies or hangs.

Modules, in the order in which a run uses them:

- ``ledger_session``  what a run asks the ledger, and what it records there
- ``journal``         the file that saves each finished slot; the log of a run, and its watcher
- ``forecast``        how long slots are likely to take, how likely a recipe is met, and what would help
- ``dispatch``        hands out calls to the workers of any executor, and repeats lost calls
- ``executors``       worker processes of this machine, this process itself, or a cluster, as executors
- ``cluster``         calls made by the workers of a Dask cluster, as an executor
- ``slot_search``     what a worker does for one slot; a finished slot, and its line in the journal
- ``production_run``  one run: hand out slots, save results, accept them in order, and publish
- ``book_puzzles``    the run of a whole book with an editor's replacements, and the report of a build
"""
