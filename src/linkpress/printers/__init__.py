"""What printers take: the profiles in ``config/printers``, and whether a book lies inside one.

- ``costs``         what a copy costs, and what is left of its price
- ``profile_keys``  the keys of a profile's file
- ``profile``       a profile: its margins, bleeds and limits, and what is wrong with a book that leaves them
"""
