"""A solve told in sentences: trees of phrases without words, which ``words`` puts into a language.

- ``phrase_tree``          sentences as trees without words
- ``explained_findings``   findings with what they rest on
- ``chains``               following a supposition to a contradiction, and what that rests on
- ``minimal_explanation``  the climb made again, one hard finding at a time, only what the lines rest on
- ``telling_order``        in which order findings are told
- ``finding_clauses``, ``gap_clauses``, ``chain_telling``   findings, gaps and chains as clauses
- ``telling``              sentences, each with the lines that it draws
- ``joint_telling``        steps that are read at a glance, several in a sentence
- ``hint``                 the first mistake of a drawing, or the next lines
"""
