"""Books as data: the spec, the plan, the made puzzles, and the volume that is saved.

A *spec* describes a book in YAML: its *levels* of puzzles and how they are printed. The *plan* of a book has
a *slot* for each puzzle, with a *recipe* and a seed. A *volume* is the finished puzzles in printed order
together with the spec; it is saved as ``volume.json``.

The spec:

- ``spec``           the whole spec, and how its keys are changed for one run or after the book is built
- ``plain_spec``     translates a user's own words into linkpress's keys and values
- ``level``          one level: its recipe keys, masks for solid squares, boards from a file
- ``mixes``          mixes of difficulties, which are written out as levels
- ``printing_keys``  keys that say how the book is printed and don't affect the puzzles
- ``design_keys``    keys of themes, covers and cover designs
- ``key_values``     values of keys: trim, ISBN, seed, board sizes, paths, solids, grades
- ``first_specs``    writes a new spec: the commented example, a copy of a shipped book, or a spec made
  from the user's answers or description
- ``plan``           the slots of a spec
- ``difficulty_forecast``  how hard the boards of a recipe feel, and which numbers of paths give a
  difficulty; warnings about levels that don't get harder

The puzzles:

- ``puzzle_record``  everything known about a made puzzle
- ``puzzle_names``   names of puzzles, after a pattern of their numbers or their hardest technique
- ``volume``         the puzzles in printed order; writes and reads ``volume.json``
"""
