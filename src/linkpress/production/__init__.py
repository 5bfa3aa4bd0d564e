"""From slots to finished puzzles, for books and feeds alike, so that nothing is lost and nothing repeated.

The same slots give the same puzzles whatever the number of workers and whatever a run was cut off by.

Modules, in the order in which a run uses them:

- ``ledger_session``: what a run asks the ledger, and what it records there.
- ``journal``: each finished slot, on the disk before the next one is waited for.
- ``log``: the log of a run, for people (``-v``) and programs (``--log``).
- ``forecast``: what slots are likely to take, before and while they are made, and what would help.
- ``trial``: a few boards made of recipes of which no odds are known, before anything is said of them.
- ``watcher``: progress, for whoever shows it.
- ``executors``: worker processes of this machine, this process itself, or a cluster, as executors.
- ``cluster``: calls made by a Dask cluster, as an executor; and the way to its scheduler.
- ``cluster_workers``: who its workers are, and who of them can take part.
- ``dispatch``: calls handed out to any executor's workers, and made again where a worker is lost.
- ``finished_slot``: a slot with its puzzle, and its line in the journal.
- ``slot_search``: the search for one slot's puzzle, or the proof of its board from a file, in a worker.
- ``missed_slots``: what is said of slots that get no puzzle.
- ``production_run``: one run: slots are handed out, saved as they end, taken in order, and published.
- ``book_puzzles``: a whole book's run, with an editor's replacements.
- ``report``: ``report.txt``.

Words of the room: a *slot* is a place for one puzzle, as planned; an *attempt* is one puzzle made for
it; a *repeat* is a puzzle that another slot has already; a call is *lost* when its worker dies or hangs.
"""
