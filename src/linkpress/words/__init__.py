"""Every printed word, by language: files of phrases, checked, and what a spec changes in them.

A *phrase* is a text whose names in braces are filled in; a *form* is a phrase for one of the language's
plural forms. Numbers, dates, lists and plural forms come from Babel, by the language's *locale*.

- ``phrases``     how phrases and plural forms are read
- ``player_phrases``      the phrases of the page in the browser
- ``step_phrases``       the phrases of the ladder's steps, and how a step is told in them
- ``wording``       all phrases of one language, and how they are filled in
- ``languages``   the shipped languages, a user's own, and the keys of a spec that choose
"""
