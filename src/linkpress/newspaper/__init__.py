"""Dated single puzzles: image export and feeds.

A *feed* makes a puzzle for each day of a calendar; a day's puzzle is an *issue*. A *figure* is a board
with its words in whole pixels; a *drawing* is a figure as a file. A *column grid* says how wide the
columns of a paper are. The *manifest* describes every image of a run.

What images are made of:

- ``image_settings``  width, resolution, pixels, theme
- ``columns``         column grids
- ``pixels``          exact pixels from width and resolution
- ``captions``        what is said at a board
- ``type_blocks``, ``stars``  words and stars, set in whole pixels
- ``figure``          board and words as one frame
- ``drawing``         a figure as PNG, TIFF, SVG or PDF
- ``naming``          file names from a template

Images without dates:

- ``puzzle_sources``  what there is to export
- ``export``          an image for each puzzle and solution
- ``images``          the same in one call, for scripts

Feeds:

- ``feed_spec``       the feed's YAML file
- ``issues``          which days have an issue
- ``planning``        what a run is to do
- ``day_puzzles``     the puzzles of a run's days
- ``day_images``, ``drawing_crew``  their images, drawn by several processes
- ``manifest``        the manifest of a run
- ``folder``          what earlier runs wrote
- ``restoring``       days of earlier runs, drawn again where something is missing
- ``feed``            a run from beginning to end
- ``checkup``         what newspapers need of an installation
"""
