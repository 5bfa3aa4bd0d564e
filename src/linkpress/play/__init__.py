"""Puzzles are played in a browser on a page that this package makes.

* ``page`` fills its template; ``look`` writes a theme for screens.
* ``hint_data`` packs the ladder's steps in few bytes.
* ``web`` is the page itself, in HTML, CSS and JavaScript; all that it says stands in its language's words.
"""
