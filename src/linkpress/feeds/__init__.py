"""Make dated puzzles for newspapers: one for each day of a calendar.

- ``feed_spec``: the feed's YAML file, and its calendar: which days have a puzzle, and how to make it
- ``feed_run``: the steps of a run: plan the days, make the puzzles, draw the images, write the files
- ``feed_folder``: the folder with the files of all runs, the manifests that describe them, and the
  replacement of earlier puzzles
- ``web_pages``: web pages for each day

Terms: An *issue* is a day's puzzle, with its number and the day on which its solution is printed. A *run* is
one ``linkpress feed`` command, which makes the puzzles of some days. A *combined* image shows a day's puzzle
together with the solution of the puzzle before it.
"""
