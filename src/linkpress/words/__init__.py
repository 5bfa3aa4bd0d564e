"""This package reads every printed word, by language, from files of phrases, and what a spec changes in them.

A *phrase* is a text whose names in braces are filled in; a *form* is a phrase for one of the language's
plural forms. Numbers, dates, lists and plural forms come from Babel, by the language's *locale*.

- ``phrases``    reads phrases and plural forms; the phrases of the page in the browser, and of the ladder's
  steps with the sentences made of them
- ``wording``    all phrases of one language, with their values filled in
- ``languages``  the shipped languages, a user's own, and the keys of a spec that choose
"""
