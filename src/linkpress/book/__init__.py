"""This room knows what a volume is: its spec, its plan, the record of a made puzzle, the saved file.

A *spec* says in YAML what a book is to be: *levels* of puzzles, and the page. Its *plan* is a *slot* for
each puzzle: a place, a *recipe* and a seed. A *volume* is the finished puzzles in printed order, with
the spec to typeset them by; ``volume.json`` is its lasting record.

The spec:

- ``spec``            a whole book
- ``level``           a level, and the recipe keys that a feed's weekday shares with it
- ``printing_keys``   keys that say how the book is printed and change no puzzle
- ``cover_keys``      keys of the cover, of the series and of a cover's design
- ``theme_keys``      keys of a theme
- ``changes``         a saved book's spec with other keys, those of its puzzles kept
- ``recipe_values``   sizes, path counts, solids, grades
- ``level_files``     levels whose boards come from a file, or whose solids have a shape
- ``book_values``     trim, ISBN, seed, id, puzzles a page, replacements
- ``first_specs``     a first spec, one from six answers, copies of the finished books, the spec's schema
- ``plan``            from a spec to slots
- ``grade_odds``      how seldom each grade is, by recipe

The puzzles:

- ``puzzle_record``   a made puzzle, the same from the engine to the page and back

The volume:

- ``volume``          the puzzles in printed order, and their record, written and read
"""
