"""Makes files for a printer, and judges finished ones.

- ``build``: a book's folder from its spec, or set again from its volume
- ``typesetting``: a volume as finished PDF files, in memory, each with its preflight
- ``edition``: what the layout needs to know of a volume
- ``stand_in_volume``: boards of mere stripes, for counting pages before any puzzle is made
- ``plan_text``: what a build would do, in words
- ``cover/``: back, spine and front as one page
- ``pdfx``, ``file_info``: the objects that make a drawn PDF a printer's, and what it says of itself
- ``stale_files``: what an earlier build left in the folder
- ``pdf_reading/``: any PDF's pages, operators and drawn objects
- ``preflight/``: a finished PDF held to a printer's profile
- ``verify/``: a built book read back from its PDFs, proven and graded again
- ``findings``: what preflight and verify find, as data
- ``doctor``, ``doctor_checks``: whether this installation can make and print a book
"""
