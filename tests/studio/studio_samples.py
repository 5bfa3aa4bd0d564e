"""Small specs to try the studio with, and a studio that serves them."""

import asyncio
import contextlib
import threading

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

    thread = threading.Thread(target=run, daemon=True)
    monkeypatch.setattr("uvicorn.Server.install_signal_handlers", lambda self: None, raising=False)
    thread.start()
    yield listener.getsockname()[1]
    loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
    thread.join(10)
    # A worker that still draws when Python ends would be killed inside a library in C++, which then aborts.
    for worker in threading.enumerate():
        if worker.name == "AnyIO worker thread":
            worker.join(10)
