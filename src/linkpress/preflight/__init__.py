"""Check a finished PDF, from linkpress or any other program, against the requirements of a printing company.

- ``check_table``: the function ``preflight``, which runs all checks, and the table of checks
- ``checks``: one function for each check
- ``judged_file``: the file under test, its requirements, and the drawing of each page
- ``findings``: the class for problems that preflight or verify finds, and the preflight report

These modules read any PDF:

- ``pdf_file``: open a file and read its pages one after the other
- ``pdf_content``: interpret the operators of a page's content: colours, fonts, images, nested streams
- ``pdf_drawing``: read from PDFium the objects that a page draws, in page coordinates
- ``pdf_visibility``: find texts and lines that are hidden by something drawn later
- ``pdf_objects``: read objects that may be missing or of the wrong type; compute with matrices and boxes

Terms come from the PDF specification, ISO 32000-1. In addition, the *live area* is the page without the
printer's margins.
"""

from linkpress.preflight.check_table import preflight
from linkpress.preflight.findings import Finding, Report
from linkpress.preflight.judged_file import Requirements

__all__ = ["Finding", "Report", "Requirements", "preflight"]
