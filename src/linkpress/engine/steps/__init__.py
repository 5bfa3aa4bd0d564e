"""The climb told in sentences, as ``saying`` has them: trees without words.

- ``known``         a board as it stands, on the kernels' ``KnownLines``: who is joined to whom, and by what
- ``reasons``       what a contradiction is, and what it rests on
- ``entries``       findings with what they rest on
- ``walls``         who goes round whom along a wall
- ``chains``        following a supposition to a contradiction
- ``retelling``     the climb made anew, one hard finding at a time, only what the lines rest on
- ``sequence``      in which order findings are told
- ``clauses``, ``corner_clauses``, ``gap_clauses``   what is said of findings
- ``telling``       sentences, each with the lines that it draws
"""

from linkpress.engine.steps.telling import Step, tell_climb, tell_line

__all__ = ["Step", "tell_climb", "tell_line"]
