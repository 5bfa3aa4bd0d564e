"""The page on which puzzles are played in a browser.

- ``page``       the HTML page: content, phrases, style and script in one file
- ``hint_data``  the hints of a page, compressed
- ``web``        the HTML templates, CSS and JavaScript modules of the page
"""
