"""Names of files that no file can have are refused by every reader in its own words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from linkpress.app.build import typeset_again
from linkpress.book.spec import load_spec
from linkpress.book.volume import load_volume
from linkpress.cli.main import run
from linkpress.errors import LinkpressError
from linkpress.feeds.feed_spec import load_feed
from linkpress.images.image_export import read_puzzle_source
from linkpress.images.image_settings import load_grid
from linkpress.layout.theme import load_theme
from linkpress.ledger.store import Ledger
from linkpress.preflight import preflight
from linkpress.printers.profile import load_printer
from linkpress.verify import verify_folder

NAMES = ("a" * 300, "\U0001f600" * 200, "a\0b", "\ud800", "x/" * 2500, "/dev/null/x", "")
READERS: dict[str, Callable[[str], object]] = {
    "printer": load_printer,
    "theme": load_theme,
    "column grid": load_grid,
    "spec": lambda name: load_spec(Path(name)),
    "feed": lambda name: load_feed(Path(name)),
    "volume": lambda name: load_volume(Path(name)),
    "export": lambda name: read_puzzle_source(Path(name)),
    "typeset": typeset_again,
    "verify": lambda name: verify_folder(Path(name)),
    "preflight": lambda name: preflight(Path(name), load_printer("generic")),
    "ledger": lambda name: Ledger(Path(name), writable=False),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_no_file_has_is_refused(reader: str, name: str) -> None:
    with pytest.raises(LinkpressError):
        READERS[reader](name)


@pytest.mark.parametrize("command", ["preview", "export", "check", "prove", "verify"])
def test_so_it_is_on_the_command_line(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([command, "a" * 300]) in (2, 4)
    assert "File name too long" in capfd.readouterr().err
