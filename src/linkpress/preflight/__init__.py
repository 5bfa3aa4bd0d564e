"""Check a finished PDF, from linkpress or any other program, against the requirements of a printing company.

- ``check_table``: the function ``preflight``, which runs all checks, and the table of checks
- ``checks``: one function for each check
- ``judged_file``: the file under test, its requirements, its pages' drawings, its problems, the report

These modules read any PDF:

- ``pdf_file``: open a file and read its pages one after the other
- ``pdf_content``: interpret the operators of a page's content: colours, fonts, images, nested streams
- ``pdf_drawing``: read from PDFium the objects that a page draws, and find hidden texts and lines
- ``pdf_objects``: read objects that may be missing or of the wrong type; compute with matrices and boxes

Terms come from the PDF specification, ISO 32000-1. In addition, the *live area* is the page without the
printer's margins.
"""

from linkpress.preflight.check_table import preflight
from linkpress.preflight.judged_file import Finding, Report, Requirements

__all__ = ["Finding", "Report", "Requirements", "preflight"]
