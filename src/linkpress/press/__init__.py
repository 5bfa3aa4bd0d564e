"""Turn a volume into the files of a book: interior, solutions, cover, screen edition and e-book.

- ``assets``          load what the pages of a book are made of, once: profile, theme, fonts, pictures
- ``book_layout``     lay out a volume for print or for screens
- ``print_files``     draw a volume's files, and check the files for the printer
- ``structure``       add the tags for screen readers to the screen edition
- ``dry_run``         find everything that would prevent printing, before any puzzle is made
- ``cover_content``   what the cover shows, and where back, spine, front and barcode are
- ``cover_art``       the art of a cover design: a solved board that extends over the cover
- ``composed_cover``  lay out the cover as one frame, and draw it as a PDF of one page
"""
