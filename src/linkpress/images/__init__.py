"""Draw exact images of single puzzles, with captions, for newspapers and web pages.

- ``image_export``: read puzzles, and write an image of each puzzle and solution
- ``image_settings``: how images are made: width, resolution, pixels, theme, column grid, file names
- ``image_files``: the table of image formats, and the metadata of image files
- ``composition``: a board and its caption as one frame, in whole pixels
"""
