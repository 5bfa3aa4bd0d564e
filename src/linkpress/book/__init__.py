"""What a book is: its spec, the slots that it plans, the record of a made puzzle, the saved volume.

- ``spec``, ``level``, ``printing_keys``, ``imprint``, ``replacements``: the keys of a book's YAML file.
- ``amounts``, ``values``, ``named``: the values behind those keys.
- ``given``: levels whose boards come from a file.
- ``yaml_source``, ``yaml_text``, ``models``, ``problem``, ``documents``: YAML with places, read into
  models; faults as data; the example, the schema and the table of keys.
- ``json_text``: JSON as it is read back.
- ``plan``: from a spec to numbered slots.
- ``puzzle_record``: a made puzzle, the same from the engine to the page and back.
- ``volume``, ``volume_reading``: the puzzles of a book in printed order, and ``volume.json``.
- ``ledger``: every puzzle made for a volume or a feed, and where it is published.

Words of the room: a *level* is a section of the book with keys of its own; a *slot* is a place for one
puzzle, as planned; a *volume* is the finished book's puzzles with the spec to print them by; a *place*
is where the ledger has a puzzle, *reserved* while a book is made, *published* when its files are there.
"""
