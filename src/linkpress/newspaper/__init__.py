"""Dated puzzles for newspapers: images of an exact width, and feeds with a manifest.

A run of a feed, in the order in which its modules are used:

- ``feed_spec``, ``feed_documents``: the feed's YAML file, its schema and its table of keys.
- ``feed``: one run from its spec to its manifest.
- ``calendar``: which days have an issue, and what each one's puzzle must be.
- ``feed_folder``: what earlier runs left in the folder.
- ``run_plan``: what a run is to do, settled before anything is made.
- ``missing_images``: earlier days' images that are gone, drawn again.
- ``day_images``: the images of days, drawn, written and described.
- ``manifest``: what the run wrote, for programs and people.

The images of a book or puzzle file:

- ``images``, ``export``, ``export_sources``: in one call, in detail, and what there is to export.

What both draw with:

- ``settings``, ``columns``, ``naming``: widths, pixels and kinds of file; column grids; file names.
- ``captions``, ``stars``, ``type_blocks``: what is said at a board, and how it is set.
- ``figure``, ``pixels``, ``drawing``: a board with its caption, on whole pixels, as a file.
- ``checkup``: for ``linkpress doctor``.

Words of the room: an *issue* is a day's puzzle with its dates; a *rendition* is one file of an image;
a *grid* of columns gives widths; the *desk* is who prints.
"""
