"""Start and end the studio's server. A double click on the program ``linkpress-studio`` runs this module."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from linkpress.errors import LinkpressError, UsageError
from linkpress.studio import JOB

_HOST = "127.0.0.1"
_DEFAULT_FOLDER = "linkpress books"


def main() -> None:
    """Open the studio for the folder that the first argument of the command line names.

    Without arguments, use a folder in the home folder. If the first argument is ``--job``, run a job of the
    studio instead, such as a build.
    """
    # In a bundle, worker processes are started by running this program again. This call then does their work.
    multiprocessing.freeze_support()
    if sys.argv[1:2] == [JOB]:
        del sys.argv[1]
        from linkpress.studio.job import main as run_job

        run_job()
        return
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.home() / _DEFAULT_FOLDER
    print(f"Your books are in {folder.resolve()}")
    print("The studio opens in your browser. Close this window to end it.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        run_studio(folder, folder / "output", announce=lambda address: print(address, flush=True))
    except (LinkpressError, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def run_studio(
    folder: Path,
    out: Path,
    *,
    announce: Callable[[str], None],
    port: int = 0,
    opened: str = "",
    browser: bool = True,
) -> None:
    """Serve the studio until it is interrupted, or no window has been open for ten minutes.

    Args:
        folder: the folder with the specs.
        out: the folder for built books.
        announce: function called with the address of the page, which contains a secret key.
        port: the port to listen on; 0 for any free port.
        opened: the spec to show first, as a path relative to the folder; empty for the list of all specs.
        browser: whether to open the page in the browser.
    Raises:
        UsageError: the port is in use.
    """
    with contextlib.closing(_listen(port)) as listener:
        token, key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        root, place = f"http://{_HOST}:{listener.getsockname()[1]}/", f"#{quote(opened)}" if opened else ""
        announce(f"{root}{key}/{place}")
        if browser:
            # The browser gets a token that works only once, because other users of the machine can read the
            # browser's command line.
            webbrowser.open(f"{root}?token={token}{place}")
        asyncio.run(_serve(listener, folder, out, token, key))


async def _serve(listener: socket.socket, folder: Path, out: Path, token: str, key: str) -> None:
    # Import these modules only now, because this takes most of a second. The browser starts in the meantime.
    import uvicorn

    from linkpress.studio.server import MAX_ACCEPTED, StudioProtocol, say_once, studio_app
    from linkpress.studio.session import Session

    session = Session(folder, out)
    asyncio.get_running_loop().set_exception_handler(say_once())
    # A request passes from thread to thread several times. Each time, it may have to wait for a thread that
    # computes: up to 5 ms by default, and up to 0.5 ms with the limit set here. In a test with 300 boards,
    # the sentence below a slider appeared 66 ms after the slider was moved, instead of 128 ms.
    sys.setswitchinterval(0.0005)
    config = uvicorn.Config(
        studio_app(session, token, key),
        http=StudioProtocol,
        backlog=MAX_ACCEPTED,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    ended = asyncio.create_task(session.ended.wait())
    await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    await serving
    ended.cancel()


def _listen(port: int) -> socket.socket:
    # Give the protocol explicitly, because asyncio sets TCP_NODELAY only for sockets whose protocol is
    # IPPROTO_TCP. Without this option of the sockets, small answers are delayed by 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise UsageError(
            f"--port {port} can't be used: {error.strerror or error}. Leave it out to use any free port."
        ) from None
    return listener


if __name__ == "__main__":
    main()
