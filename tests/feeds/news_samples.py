"""Feeds and runs that the tests of the feeds share."""

import datetime
import hashlib
import json

from linkpress.feeds.feed_spec import FeedDates

FEED_TEXT = """\
id: test-feed
title: Links
author: Ann Author
copyright: © 2026 Ann – Author
seed: 7
names: L-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png
image: {columns: 1, dpi: 100}
caption: {difficulty: number}
week:
  monday: {size: 5x7}
  tuesday: {size: 5}
  wednesday: {size: 5x6}
  thursday: {size: 6x5}
  friday: {size: 6}
  saturday: {size: 5, technique: beginner-hard}
"""
"""Without Sundays; one column of 39.7 mm has room for 7 squares of 5.5 mm."""
FRIDAY = datetime.date(2026, 12, 25)


def write_feed(folder, text=FEED_TEXT):
    """A feed's file."""
    path = folder / "feed.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def run_of(days, first=FRIDAY):
    """So many days of a feed."""
    return FeedDates(first, days)


def sums(folder):
    """What each file of a folder holds, by its checksum."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def manifest_of(fed):
    """The manifest that a run wrote."""
    return json.loads(fed.manifest.read_text("utf-8"))
