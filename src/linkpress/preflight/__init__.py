"""This package judges a finished PDF, ours or anyone's, against a printer's profile.

- ``check_table``: the way in; the table of checks, each with its id, its source and when it is made
- ``judged_file``: the file under judgement, what it must be, and what each of its pages draws
- ``file_checks``: the checks of the file as a whole, by the printer and by PDF/X
- ``area_checks``: the checks of each page's boxes, and of where things stand in them
- ``ink_checks``: the checks of colours, lines, words and images
- ``findings``: what preflight and verify find, as data, and a preflight's report
- ``pdf_reading/``: any PDF's pages, operators and drawn objects

Words: the *live area* is the page less the printer's margins; *ink* is what a page draws; a *part*
of the printer's profile has a source of its own.
"""

from linkpress.preflight.check_table import preflight
from linkpress.preflight.findings import Finding, Report
from linkpress.preflight.judged_file import Requirements

__all__ = ["Finding", "Report", "Requirements", "preflight"]
