"""Books as data: from the spec that the user writes to the finished puzzles.

A *spec* describes a book in YAML: its *levels* of puzzles, and how they are printed. Each puzzle of a level
is generated from a *recipe*, which says how large and how hard the puzzle is. The *plan* of a book has one
*slot* for each puzzle, with its recipe and the seed of its random choices. A *volume* holds the finished
puzzles in printed order and the spec. It is saved as ``volume.json``.

The spec:

- ``spec``           the whole spec; changes of its keys for one run, or after the book is built
- ``plain_spec``     translates a user's own words into linkpress's keys and values
- ``level``          one level: its recipe keys, masks for solid squares, boards from a file
- ``mixes``          mixes of difficulties, which are turned into levels
- ``printing_keys``  keys that say how the book is printed and how it looks: paper, parts, themes, covers
- ``key_values``     values of keys: trim, ISBN, seed, board sizes, paths, solids, grades
- ``first_specs``    writes a new spec: the commented example, a copy of a shipped book, or a spec made
  from the user's answers or description
- ``plan``           the slots that a spec asks for
- ``difficulty_forecast``  how hard the boards of a recipe will feel, which settings to change for another
  difficulty, and warnings about levels that don't become harder

The puzzles:

- ``puzzle_record``  everything that is known about a finished puzzle
- ``puzzle_names``   names of puzzles, which come from a pattern of the numbers or from the hardest technique
- ``volume``         the puzzles in printed order; writes and reads ``volume.json``
"""
