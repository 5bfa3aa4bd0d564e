"""The cover: back, spine and front in one piece, sized by the finished interior.

- ``order``     what a cover says and shows
- ``geometry``  where back, spine, front and barcode lie
- ``compose``   the cover as frames
- ``picture``   the half-drawn board on the front
- ``barcode``   the ISBN as bars
- ``draw``      the frames as one page of a PDF
"""
