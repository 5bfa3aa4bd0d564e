"""A printer takes what its profile in ``config/printers`` says, and a book must lie inside it.

- ``costs``         what a copy costs, and what is left of its price
- ``profile_keys``  the keys of a profile's file
- ``profile``       a profile: its margins, bleeds and limits, and what is wrong with a book that leaves them
"""
