"""Explain a solve in sentences, step by step. Sentences are trees without words; ``words`` translates them.

- ``phrase_tree``  sentences as trees of phrase keys, squares and numbers
- ``explanation``  the known facts from which each finding follows, chains of suppositions, and the order in
  which findings are explained
- ``clauses``      the clause that states a finding, a gap or a chain
- ``steps``        whole sentences with the lines that they draw, steps combined into one sentence, and hints
"""
