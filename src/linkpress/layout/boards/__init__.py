"""Boards on a page: drawn, and placed on equal tiles with their captions and codes.

- ``board``      a puzzle, or its answer in one of three ways, as a frame
- ``numerals``   how large each number is set, and where its ink is centred
- ``tiles``      how many boards stand on a page, and how large their squares are
- ``sheets``     page after page of tiles and captions, for puzzles and answers alike
- ``qr``         QR codes of puzzles and levels
- ``ornaments``  ornaments made of the game itself, and the worked example
"""
