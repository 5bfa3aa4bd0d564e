"""The ledger knows every puzzle made for a volume or a feed, and where it is published.

A puzzle is known by its fingerprint, which is the same for all its rotations, reflections and
renumberings, and has at most one place: a slot of a volume or a date of a feed. A build
reserves each puzzle that it makes and publishes them when its files are in place. Reservations
outlive a build that dies; the next build of the same volume takes them over, every other one
finds them taken. Building a volume again replaces what the ledger held for it.

- ``entries``          puzzles, their places, and who holds them
- ``address``          where a ledger is: a file or a server; loads no database
- ``store``            an open ledger; refuses an ISBN that another volume has
- ``ledger_build``     a build's hold on a ledger, and what tells whether it goes on
- ``database``         the tables and rows in SQL; transactions, and which faults are worth another try
- ``sqlite_file``      a ledger as an SQLite file
- ``postgres_server``  a ledger on a PostgreSQL server
- ``exchange``         a ledger as text
"""
