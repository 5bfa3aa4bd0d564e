"""This room reads YAML files (specs, feeds, printers, themes, grids), and reports faults with places.

A *document* is a YAML file that was read, with the line and column of each key. A *model* says which
keys it may have; a ``ValueReader`` reads each key's *value*. Whatever is wrong is a ``Problem``: a reader
that finds one raises an ``InvalidError``, and the place is added where the document is known. The argument
``folder`` is everywhere that of the spec, from which its relative paths start.

- ``yaml_source``    a YAML file as a document, within limits
- ``bases``          a document upon another one, whose keys it has where it has none itself
- ``yaml_edit``      changes single values in a file's text and leaves all else as it stands
- ``models``         from a document to a frozen pydantic model, in one pass
- ``problem``        what is wrong, as data, how many are listed at once; a document with its places
- ``values``         the plain values: text, whole numbers, yes or no, percentages, words, dates
- ``lengths``        lengths and page sizes
- ``inks``           inks and palettes
- ``shipped_files``  printers, themes, column grids and languages: shipped, or a user's own
- ``json_text``      JSON as linkpress reads it back; a model's JSON Schema, and the table of its keys
"""
