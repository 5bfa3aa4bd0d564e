"""This module starts the studio's server, and ends it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from linkpress.errors import UsageError

_HOST = "127.0.0.1"


def run_studio(
    folder: Path, out: Path, port: int, opened: str, browser: bool, announce: Callable[[str], None]
) -> None:
    """Serve the studio until it is interrupted, or nobody has been there for ten minutes.

    Args:
        port: to listen on; any free one if 0.
        opened: the spec that is shown first, from the folder; empty for the list of all.
        browser: whether the page is opened at once.
        announce: is called with the address, which has the key to the page in it.
    Raises:
        UsageError: the port is in use.
    """
    with contextlib.closing(_listening(port)) as listener:
        token = secrets.token_urlsafe(32)
        address = f"http://{_HOST}:{listener.getsockname()[1]}/?token={token}"
        if opened:
            address += f"#{quote(opened)}"
        announce(address)
        if browser:
            webbrowser.open(address)
        asyncio.run(_serve(listener, folder, out, token))


async def _serve(listener: socket.socket, folder: Path, out: Path, token: str) -> None:
    import uvicorn  # while the browser starts: these and what they need take most of a second

    from linkpress.studio.server import studio_app
    from linkpress.studio.session import Session

    session = Session(folder, out)
    config = uvicorn.Config(
        studio_app(session, token), log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    ended = asyncio.create_task(session.ended.wait())
    await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await serving
    ended.cancel()


def _listening(port: int) -> socket.socket:
    # By its protocol asyncio knows that it need not gather small answers, for which a window waits 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen()
    except OSError as fault:
        listener.close()
        raise UsageError(
            f"--port {port} can't be used: {fault.strerror or fault}. Leave it out for any free one."
        ) from None
    return listener
