"""Draw images of single puzzles in an exact size, with captions, for newspapers and web pages.

- ``image_export`` reads puzzles, and writes an image of each puzzle and each solution.
- ``image_settings`` has the settings of images: width, resolution, pixels, theme, column grid and file names.
- ``image_files`` has the table of image formats, and the metadata of image files.
- ``composition`` composes a board and its caption as one frame whose parts fill whole pixels.
"""
