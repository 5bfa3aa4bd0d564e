"""Whether this installation has what newspapers need, for ``linkpress doctor``."""

from __future__ import annotations

from pathlib import Path

from linkpress.press.checkup.finding import Result
from linkpress.press.checkup.shipped import Reader, check_shipped, read_schema


def check_newspaper() -> Result:
    """Column grids, the feed to start from and its schemas are there and without fault."""
    from linkpress.config.shipped_files import COLUMN_GRIDS
    from linkpress.newspaper.columns import load_grid
    from linkpress.newspaper.feed_spec import load_feed
    from linkpress.resources import resource

    def grid_at(path: Path) -> object:
        return load_grid(str(path))

    names = COLUMN_GRIDS.names()
    shipped: dict[Path, Reader] = {
        **{COLUMN_GRIDS.find(name): grid_at for name in names},
        resource("config", "feed-daily.yaml"): load_feed,
        resource("config", "feed.schema.json"): read_schema,
        resource("config", "manifest.schema.json"): read_schema,
    }
    return check_shipped(shipped, f"{len(names)} column grids, a feed and its schemas")
