"""Printed words in every language: captions, rules of the game, hints, the page for playing in a browser.

- ``language``  the phrases of a language, from a file in ``config/languages`` or a user's own words file
"""
