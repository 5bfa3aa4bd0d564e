"""Printed words in every language: captions, rules of the game, hints, the page for playing in a browser.

- ``language`` loads the phrases of a language from a file in ``config/languages`` or from a user's own words
  file.
"""
