"""This package tells a solve in sentences: trees without words, which ``words`` puts into a language.

- ``phrase_tree``          sentences as trees without words
- ``explained_findings``   findings with what they rest on
- ``chains``               following a supposition to a contradiction, and what that rests on
- ``telling_order``        the climb made again, only what the lines rest on; in which order that is told
- ``finding_clauses``, ``gap_clauses``, ``chain_telling``   findings, gaps and chains as clauses
- ``telling``              sentences, each with the lines that it draws; hints on a drawing
- ``joint_telling``        steps that are read at a glance, several in a sentence
"""
