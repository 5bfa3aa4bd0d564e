"""Makes files for a printer, and judges finished ones.

- ``typesetting``  a volume as finished PDF files, in memory, each with its preflight
- ``own_pictures`` the pictures that a spec names, read
- ``rehearsal``    all that could stand in the way of printing, told before any puzzle is made
- ``stand_in_volume``  boards of mere stripes, for the rehearsal
- ``cover/``       back, spine and front as one page
- ``ebook/``       a volume as an EPUB
- ``pdfx``         the objects that make a drawn PDF a printer's, or a screen edition
- ``pdf_reading/`` any PDF's pages, operators and drawn objects
- ``preflight/``   a finished PDF held to a printer's profile
- ``verify/``      a built book read back from its PDFs and its e-book, proven and graded again
- ``findings``     what preflight and verify find, as data, and a preflight's report
"""
