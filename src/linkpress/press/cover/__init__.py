"""The cover: back, spine and front in one piece, sized by the finished interior.

- ``geometry``  where back, spine, front and barcode lie
- ``compose``   what a cover says and shows, as frames and as one page of a PDF
- ``artwork``   the half-drawn board on the front, the ISBN as bars
"""
