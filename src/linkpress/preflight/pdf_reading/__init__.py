"""This package reads any PDF: what its pages are, what their operators say, what they draw.

pikepdf gives structure and operators, PDFium the place, size and words of each object.

- ``reader``: the way in; one page after the other, within a budget
- ``page_boxes``: the pages as their dictionaries give them, with boxes
- ``content``: colours, inline images, missing fonts, patterns and glyphs, from the operators
- ``covered``: what something drawn later hides
- ``drawn``: paths, texts, images and shadings in page coordinates, from PDFium
- ``colours``: colour spaces and colours as files set them
- ``embedded_fonts``: embedded or not, Type 3 glyphs, and what is too large for PDFium
- ``objects``: access to objects that may be missing or of the wrong type; the budget
- ``matrices``: matrices and boxes

Words: an *item* is a drawn object; *hidden* items are those inside patterns and Type 3 glyphs, which
PDFium does not show; a *budget* is what a file may ask for; a file that asks for more is refused.
"""
