"""Small specs to try the studio with, a studio that serves them, and steps that tests take in its window."""

import asyncio
import contextlib
import os
import threading
from pathlib import Path

import pytest

from linkpress.studio.__main__ import _listen, _serve

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

ROUGH = """\
# For my aunt.
titulo: Quiet paths   # for now
page_size: A5
output: quiet.pdf
levels:
  - {name: Soft, board_size: 5, pairs: 4, solid_ratio: 0.9, puzzles: 2}
"""


@contextlib.contextmanager
def served(folder, monkeypatch, connect=lambda port: None, **limits):
    """A studio that listens in a thread of this process, and its port.

    Args:
        connect: is called with the port before the studio accepts a connection.
        limits: other values of constants of ``linkpress.studio.server``.
    """
    for name, value in limits.items():
        monkeypatch.setattr(f"linkpress.studio.server.{name}", value)
    listener = _listen(0)
    connect(listener.getsockname()[1])
    loop = asyncio.new_event_loop()

    async def the_rest():
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*tasks, return_exceptions=True)

    def run():
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(_serve(listener, folder, folder / "output", "the-token", "the-key"))
        loop.run_until_complete(the_rest())

    earlier = set(threading.enumerate())
    thread = threading.Thread(target=run, daemon=True)
    monkeypatch.setattr("uvicorn.Server.install_signal_handlers", lambda self: None, raising=False)
    thread.start()
    yield listener.getsockname()[1]
    loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
    thread.join(10)
    # A worker that still draws when Python ends would be killed inside a library in C++, which then aborts.
    # Those that earlier tests left behind were already waited for.
    for worker in set(threading.enumerate()) - earlier:
        if worker.name == "AnyIO worker thread":
            worker.join(10)


making_puzzles = pytest.mark.parametrize("makes_puzzles", [True])


def enter(window, key, text):
    """Type a text in a field, and leave it."""
    window.fill(key, text)
    window.press(key, "Tab")


def keep_picture(window, name):
    """Keep what the window shows for the page about it, where ``STUDIO_PICTURES`` names a folder."""
    if folder := os.environ.get("STUDIO_PICTURES"):
        window.screenshot(path=Path(folder) / f"studio-{name}.png")


def drag(window, start, end, at=0.5, *, is_dropped=True):
    """Drag an element to another by the mouse, as a hand does.

    Args:
        at: the place in the other element where the mouse is let go, as a share of its height from the top.
        is_dropped: whether to let go. Otherwise the mouse stays down.
    """
    window.locator(start).hover()  # waits until it stays in its place
    window.mouse.down()
    box = window.locator(end).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * at
    window.mouse.move(x, y - 3, steps=3)
    window.mouse.move(x, y, steps=3)
    if is_dropped:
        window.mouse.up()


def choose_difficulty(window, level, *keys):
    """Press keys at the upper end of the slider of a level, one after the other."""
    slider = window.locator(f"#graph-levels-{level}-1")
    for key in keys:
        slider.press(key)
        written(window)


def written(window):
    """Wait until everything that was changed is answered."""
    window.wait_for_selector("body:not(.writing)")


def open_book(window, folder, text, title):
    """Write a book, open it in the window, and return its file."""
    spec = folder / "small.yaml"
    spec.write_text(text)
    window.click(f"text={title}")
    window.wait_for_selector(".paper svg")
    return spec
