"""Boards on a page: drawn, placed on equal tiles, with their captions and codes.

- ``board``      a puzzle, or its answer, as a frame
- ``answers``    the three ways of drawing an answer
- ``numerals``   how large each number is set, and where its ink is centred
- ``tiles``      how many boards stand on a page, and how large their squares are
- ``sheets``     page after page of tiles, for puzzles and answers alike
- ``captions``   the words at a board
- ``qr``         QR codes of puzzles and levels
- ``ornaments``  ornaments made of the game itself, and the worked example
"""
