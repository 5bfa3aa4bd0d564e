"""The page on which puzzles are played in a browser.

* ``page``: the template filled.
* ``hint_data``: the ladder's steps in few bytes; ``look``: a theme for screens.
* ``web``: the page itself, in HTML, CSS and JavaScript; all that it says stands in the words of its language.
"""
