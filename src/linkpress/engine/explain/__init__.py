"""Explain in sentences, step by step, how a puzzle is solved.

A sentence is built without words, as a tree of phrase keys. The package ``words`` turns it into a language.

- ``phrase_tree``  sentences as trees of phrase keys, squares and numbers
- ``explanation``  from which known facts each finding follows, and in which order to explain the findings
- ``captions``     short forms of sentences, for readers who see a picture of the step
- ``clauses``      the clauses of a sentence
- ``steps``        whole sentences with the lines that they draw, and hints
"""
