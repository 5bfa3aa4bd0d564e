"""Read YAML files (book specs, newspaper feeds, printer profiles, themes) and report where problems are.

A *document* is the content of a YAML file, with the line and column of each key. A *model* says which keys
the document may have, and a ``ValueReader`` reads the *value* of each key. Every mistake is reported as a
``Problem``. The argument ``folder`` is always the folder of the spec, where its relative paths start.

- ``problem``        problems in a document; documents with the place of each key
- ``yaml_source``    reads a YAML file and limits its size and depth
- ``yaml_edit``      changes values in the text of a YAML file, and proposes corrections of broken lines
- ``models``         reads a document into a frozen pydantic model; a document may extend another document
- ``other_names``    the table of other names that users may write for keys and values
- ``plain_names``    translates users' own names for keys and values into linkpress's names
- ``values``         plain values: text, numbers, lengths, page sizes, yes or no, percentages, dates
- ``inks``           inks, palettes and contrast
- ``shipped_files``  finds files that a spec names, such as printers, themes, masks and languages
"""
