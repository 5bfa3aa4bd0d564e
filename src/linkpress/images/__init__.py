"""This package makes exact images of single puzzles, with the words at them and names for the files.

A *figure* is a board with its words in whole pixels. A *column grid*
says how wide the columns of a paper are.

- ``image_settings``  width, resolution, pixels, theme; column grids; file names
- ``pixels``          exact pixels from width and resolution
- ``image_captions``  a puzzle as images show it, and the words at it, set in whole pixels
- ``composition``     board and words as one frame
- ``image_files``     the one table of the kinds of file; a composed figure as one of them
- ``image_export``    what there is to export; an image for each puzzle and solution
"""
