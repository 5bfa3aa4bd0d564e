"""Connections of the studio's server, which are closed if they don't send a complete request in time.

Any program on the machine can connect. Without limits, connections with incomplete requests would use up the
file descriptors of the studio, and its user could not connect any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

# Maximum number of connections that have not sent a complete request. A browser opens six connections.
_MAX_WAITING = 64

# Maximum number of connections accepted at once, before waiting ones can be closed. macOS allows a program
# 256 file descriptors. If they run out, no connection is accepted for a second or longer.
MAX_ACCEPTED = 64
_MAX_WAIT_S = 20.0  # seconds after which a connection without a complete request is closed


class StudioProtocol(H11Protocol):
    """HTTP connection that is closed if no complete request arrives in time.

    If too many connections wait for a request, the one that has waited longest is closed.
    """

    # Connections that wait for a request, each with the timer that will close it. The oldest comes first.
    waiting: ClassVar[dict[StudioProtocol, asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and self.cycle.more_body:
            self._stop_waiting()  # A long upload gets a new timer with each part.
        self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Start a timer if the connection waits for a request.

        Stop the timer if a request is being answered.
        """
        is_in_work = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_in_work or self.transport.is_closing():
            self._stop_waiting()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(_MAX_WAIT_S, self.transport.abort)
            if len(self.waiting) > _MAX_WAITING:
                oldest = next(iter(self.waiting))
                oldest._stop_waiting()  # Remove it now, because ``abort`` closes it a little later.
                oldest.transport.abort()

    def _stop_waiting(self) -> None:
        if timer := self.waiting.pop(self, None):
            timer.cancel()


class _Once(logging.Filter):
    """Logging filter that removes repeated messages."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        is_new = message not in self._said
        self._said.add(message)
        return is_new


def say_once() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Make the server log each different message only once.

    Returns:
        A handler for errors of the event loop that logs them in the same way.
    """
    logger = logging.getLogger("uvicorn.error")
    logger.addFilter(_Once())

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        logger.error("%s: %s", context.get("message", "an error"), context.get("exception", ""))

    return handle
