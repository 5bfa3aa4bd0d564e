"""A feed makes dated puzzles for newspapers, one for each day of a calendar.

A day's puzzle is an *issue*. The *manifest* describes every image of a run.

- ``feed_spec``    the feed's YAML file
- ``feed_run``     a run from beginning to end: planned, made, drawn, described
- ``calendar``     which days have an issue, and what each one's puzzle must be
- ``feed_folder``  what earlier runs left in the folder, and which of its days are made anew
- ``day_images``   the images of days, drawn, written and described
- ``web_pages``    the days' pages for the browser
- ``manifest``     the manifest of a run
"""
