"""Read YAML files (book specs, feeds, printer profiles, themes) and report the place of every problem.

A *document* is a YAML file that was read, with the line and column of each key. A *model* says which keys
the document may have, and a ``ValueReader`` reads the *value* of each key. Everything wrong is reported as a
``Problem``. The argument ``folder`` is always the folder of the spec, where its relative paths start.

- ``problem``        a problem in a document; a document that was read, with the place of each key
- ``yaml_source``    reads a YAML file within limits
- ``yaml_edit``      changes single values in the text of a YAML file and keeps everything else
- ``mending``        proposes an edit of one line that mends a broken file
- ``models``         reads a document into a frozen pydantic model; a document may extend another one
- ``other_names``    the table of other names under which a document may give keys and values
- ``plain_names``    translates the keys and values that users make up into linkpress's own
- ``values``         plain values: text, numbers, lengths, page sizes, yes or no, percentages, dates
- ``inks``           inks, palettes and contrast
- ``shipped_files``  finds printers, themes, masks, column grids and languages: shipped, or a user's own
"""
