"""This room fills slots with puzzles, for books and feeds alike; nothing is lost and nothing repeated.

The same slots give the same puzzles whatever the number of workers and whatever a run was cut off by.

Modules, in the order in which a run uses them:

- ``ledger_session``: what a run asks the ledger, and what it records there.
- ``journal``: each finished slot, on the disk before the next is waited for; a run's log, and its watcher.
- ``forecast``: what slots are likely to take, by odds, trials and slots that are done; what would help.
- ``executors``: worker processes of this machine, this process itself, or a cluster, as executors.
- ``cluster``: calls made by a Dask cluster, as an executor; and the way to its scheduler.
- ``cluster_workers``: who its workers are, and who of them can take part.
- ``dispatch``: calls handed out to any executor's workers, and made again where a worker is lost.
- ``slot_search``: the search for one slot's puzzle in a worker; a finished slot, and its line in the journal.
- ``production_run``: one run: slots are handed out, saved as they end, taken in order, and published.
- ``book_puzzles``: a whole book's run, with an editor's replacements; what an earlier build left.

Words of the room: a *slot* is a place for one puzzle, as planned; an *attempt* is one puzzle made for
it; a *repeat* is a puzzle that another slot has already; a call is *lost* when its worker dies or hangs.
"""
