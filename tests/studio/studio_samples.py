"""A small book to try the studio with."""

SPEC = """\
# A book to try things on.
title: Small book   # its name
seed: 7
page: {trim: 6x9in}
cover: yes
levels:
  # The first level.
  - {name: Easy, size: 5, paths: 4, count: 3}
  - name: Hard
    size: 6       # squares
    paths: 4-5
    count: 2
"""

FEED = """\
id: daily
title: Daily
seed: 5
image: {width_mm: 60, dpi: 300}
week:   # a short week
  monday: {size: 5, paths: 4}
  tuesday: {size: [5, 6], difficulty: easy}
"""
