"""A solve told in sentences: trees of phrases without words, which ``words`` puts into a language.

- ``saying``               what is said of a step, as a tree without words
- ``board_view``           a board as it stands, who is joined to whom, and by what
- ``reasons``              what a contradiction is, and what it rests on
- ``explained_findings``   findings with what they rest on
- ``wall_order``           who goes round whom along a wall
- ``gap_sides``            a gap as the sentences tell it
- ``chains``               following a supposition to a contradiction
- ``minimal_explanation``  the climb made anew, one hard finding at a time, only what the lines rest on
- ``sequence``             in which order findings are told
- ``finding_clauses``, ``corner_clauses``, ``gap_clauses``   what is said of findings
- ``telling``              sentences, each with the lines that it draws
- ``hint``                 the first mistake of a drawing, or the next lines
"""

from linkpress.engine.explain.telling import Step, tell_climb, tell_line

__all__ = ["Step", "tell_climb", "tell_line"]
