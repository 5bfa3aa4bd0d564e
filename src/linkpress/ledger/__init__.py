"""The ledger: a database of every puzzle in books and newspaper feeds, so that no puzzle is published twice.

The ledger identifies a puzzle by its fingerprint, which is the same for all rotations, reflections and
renumberings. A puzzle has at most one place: a number in a book (*volume*), or a date of a newspaper feed. A
*holder* is a volume or a feed that has puzzles in the ledger.

A build *reserves* each puzzle that it makes. When its files are written, it *publishes* all of these puzzles.
If a build dies, its puzzles stay reserved. The next build of the same volume can use them, and all other
builds can't. Building a volume again replaces all its puzzles in the ledger.

- ``address``          the address of a ledger: a file or a server
- ``store``            an open ledger: look up, reserve, publish, forget, export and import puzzles
- ``database``         the records, the tables in SQL, and transactions that are repeated after errors
- ``sqlite_file``      a ledger in an SQLite file
- ``postgres_server``  a ledger on a PostgreSQL server
"""
