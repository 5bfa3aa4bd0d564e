"""Dated single puzzles: image export and feeds.

A *feed* makes a puzzle for each day of a calendar; a day's puzzle is an *issue*. A *figure* is a board
with its words in whole pixels; a *drawing* is a figure as a file. A *column grid* says how wide the
columns of a paper are. The *manifest* describes every image of a run.

What images are made of:

- ``image_settings``  width, resolution, pixels, theme
- ``columns``         column grids
- ``pixels``          exact pixels from width and resolution
- ``captions``        a puzzle as images show it, and what is said at it
- ``type_blocks``     words and stars, set in whole pixels
- ``composition``     board and words as one frame
- ``image_files``     a composed figure as PNG, TIFF, SVG, PDF or EPS
- ``naming``          file names from a template

Images without dates:

- ``puzzle_sources``  what there is to export
- ``export``          an image for each puzzle and solution

Feeds:

- ``feed_spec``       the feed's YAML file
- ``feed``            a run from beginning to end: planned, made, drawn, described
- ``calendar``        which days have an issue, and what each one's puzzle must be
- ``feed_folder``     what earlier runs left in the folder
- ``day_images``      the images of days, drawn, written and described
- ``replacing``       days whose puzzle is made anew
- ``web_pages``       the days' pages for the browser
- ``manifest``        the manifest of a run
"""
