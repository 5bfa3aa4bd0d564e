"""Boards are drawn, and placed on a page in equal tiles with their captions and codes.

- ``board_frames``   a puzzle, or its answer in one of three ways, as a frame
- ``numerals``       how large each number is set, and where its ink is centred
- ``tiles``          divides a page into equal tiles, and refuses squares that are too small
- ``board_captions`` the words and the QR code at a board
- ``sheets``         how many boards stand on a page; page after page of tiles with captions
- ``answers``        answers that run on across levels, or stand upside down below puzzles
- ``ornaments``      ornaments made of the game itself, and the worked example
- ``step_pictures``  the board after each step of a solve
"""
