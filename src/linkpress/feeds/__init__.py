"""Make dated puzzles for newspapers: one for each day of a calendar.

- ``feed_spec``: the feed's YAML file, and its calendar: which days have a puzzle, and of which kind
- ``feed_run``: a run from beginning to end: plan, make, draw, write
- ``feed_folder``: what earlier runs wrote, and which days get another puzzle
- ``manifest``: the file that describes all images of a run
- ``web_pages``: the days' pages for the browser

Terms: an *issue* is a day's puzzle, with its number and the day on which its solution is printed; a *run* is
one ``linkpress feed`` command for some days; the *combined* image shows a day's puzzle with the earlier
solution.
"""
