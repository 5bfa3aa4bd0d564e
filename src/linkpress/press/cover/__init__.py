"""Make a book's cover: back, spine and front in one piece, whose size follows from the finished interior.

- ``cover_content``   what the cover shows: words, colours, boards and pictures
- ``cover_geometry``  where back, spine, front and barcode are; a template with guides for a designer
- ``art``             the art of a design: a solved board, laid over the cover
- ``composed_cover``  the cover laid out as one frame, and drawn as a PDF of one page
"""
