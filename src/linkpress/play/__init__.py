"""The page on which puzzles are played in a browser.

- ``page``  the HTML page: content, phrases, style, script and compressed hints in one file
- ``web``   the HTML templates, CSS and JavaScript modules of the page
"""
