"""The ledger: a list of every puzzle made for a volume or a feed, and where it is published.

The ledger knows a puzzle by its fingerprint, which is the same for all rotations, reflections and
renumberings. A puzzle has at most one place: a slot of a volume, or a date of a feed. A *holder* is a volume
or a feed that has puzzles.

A build reserves each puzzle that it makes, and publishes all of them when its files are in place.
Reservations outlive a build that dies: the next build of the same volume takes them over, and all other
builds are refused these puzzles. Building a volume again replaces all its puzzles in the ledger.

- ``entries``          puzzles, their places, and their holders
- ``address``          where a ledger is: a file or a server; loads no database
- ``store``            an open ledger: look up, build, forget, export and import
- ``database``         tables and rows in SQL, transactions, and which errors are worth another try
- ``sqlite_file``      a ledger in an SQLite file
- ``postgres_server``  a ledger on a PostgreSQL server
"""
