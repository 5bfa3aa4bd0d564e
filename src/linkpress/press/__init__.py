"""This package makes files for a printer.

- ``typesetting``  a volume as finished PDF files, in memory, each with its preflight
- ``book_looks``   a book's theme, fonts, pictures and cover's design, read
- ``rehearsal``    all that could stand in the way of printing, told before any puzzle is made
- ``stand_in_volume``  boards of mere stripes, for the rehearsal
- ``cover/``       back, spine and front as one page
- ``pdfx``         the objects that make a drawn PDF a printer's, or a screen edition
"""
