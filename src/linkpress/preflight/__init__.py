"""Judge a finished PDF, from linkpress or any other program, by a printer's profile.

- ``check_table``: the function ``preflight``, and the table of checks
- ``checks``: the functions that make the checks
- ``judged_file``: the file that is judged, its requirements, and the drawing of each page
- ``findings``: the problems that preflight and verify find, and a preflight's report

These modules read any PDF:

- ``pdf_file``: open a file and read its pages one after the other
- ``pdf_content``: interpret the operators of a page's content: colours, fonts, images, nested streams
- ``pdf_drawing``: the objects that a page draws, in page coordinates, from PDFium
- ``pdf_visibility``: find texts and lines that something drawn later hides
- ``pdf_objects``: access objects that may be missing or of the wrong type; matrices and boxes; limits

Terms are those of the PDF specification, ISO 32000-1. The *live area* is the page without the printer's
margins.
"""

from linkpress.preflight.check_table import preflight
from linkpress.preflight.findings import Finding, Report
from linkpress.preflight.judged_file import Requirements

__all__ = ["Finding", "Report", "Requirements", "preflight"]
