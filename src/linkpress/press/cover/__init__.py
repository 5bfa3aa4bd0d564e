"""A cover is back, spine and front in one piece, sized by the finished interior.

- ``cover_order``  what a cover is made of: keys and words, colours, boards
- ``cover_geometry``  where back, spine, front and barcode lie; a template with guides for a designer
- ``composed_cover``  back, spine and front as frames, and as one page of a PDF
- ``back``      what the back says and shows, with the barcode; boards on white panels, for the front too
- ``front_words``  the words of a front that has a design
- ``art``       the art of a design: a solved board, laid over the cover and drawn
- ``art_board``  that board, made and proven
"""
