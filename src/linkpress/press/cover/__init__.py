"""Make a book's cover: back, spine and front in one piece, whose size depends on the finished interior.

- ``cover_content``   what the cover shows: words, colours, boards and pictures
- ``cover_geometry``  where back, spine, front and barcode are; a template with guides for a designer
- ``art``             the art of a cover design: a solved board that extends over the cover
- ``composed_cover``  lay out the cover as one frame, and draw it as a PDF of one page
"""
