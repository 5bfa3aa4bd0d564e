"""Explain in sentences, step by step, how a puzzle is solved.

A sentence is first built as a tree of phrase keys, without words. The package ``words`` then writes the tree
as a sentence of a language, such as English.

Modules of this package:

- ``phrase_tree``  sentences as trees of phrase keys, squares and numbers
- ``explanation``  the known facts from which each finding of a solving technique follows, and the order in
  which the findings are explained
- ``clauses``      the clauses of a sentence
- ``steps``        whole sentences with the lines that they draw
"""
