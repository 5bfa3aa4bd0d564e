"""Reads YAML files (specs, feeds, printers, themes, column grids) and tells every fault with its place.

A *document* is a YAML file that was read, with the line and column of each key. A *model* says
which keys it may have; each key's *value* is read by a ``Reads``. What is wrong is a *problem*.

- ``problem``        a fault as data, and how many of them are told at once
- ``yaml_source``    a YAML file's text as a document, within limits
- ``values``         the plain values: text, whole numbers, yes or no, percentages, words, dates
- ``models``         from a document to a frozen pydantic model
- ``schema``         the JSON Schema of a model, and the README's table of its keys
- ``shipped_files``  files that are shipped or a user's own: printers, themes, column grids
- ``json_text``      JSON as linkpress reads it back
"""
