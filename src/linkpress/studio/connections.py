"""Connections of the studio's server: limits for those that send no whole request.

Any program on the machine can connect. Without limits, connections that send half a request would use up the
file descriptors of the studio, and keep its owner out.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

_MAX_WAITING = 64  # connections without a request in work; a browser opens six to a host
# Connections that are accepted before others are closed. With more, the descriptors could run out meanwhile,
# and then nothing is accepted for a second or longer. macOS allows a program 256 descriptors.
MAX_ACCEPTED = 64
_MAX_WAIT_S = 20.0  # a browser sends a request of 2 MB in less


class StudioProtocol(H11Protocol):
    """HTTP connection that is closed if it sends no whole request in time, or too many others wait."""

    waiting: ClassVar[
        dict[StudioProtocol, asyncio.TimerHandle]
    ] = {}  # in the order in which they began to wait

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and self.cycle.more_body:
            self._stop_waiting()  # a long upload gets new time with each part
        self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Begin or end to wait for a request, as the state of the connection is now."""
        is_in_work = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_in_work or self.transport.is_closing():
            self._stop_waiting()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(_MAX_WAIT_S, self.transport.abort)
            if len(self.waiting) > _MAX_WAITING:
                oldest = next(iter(self.waiting))
                oldest._stop_waiting()  # closing it takes a moment, in which others may come
                oldest.transport.abort()

    def _stop_waiting(self) -> None:
        if timer := self.waiting.pop(self, None):
            timer.cancel()


class _Once(logging.Filter):
    """Filter that lets each message pass once."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        is_new = message not in self._said
        self._said.add(message)
        return is_new


def say_once() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Make the server print each of its messages once; return a handler for errors of the event loop."""
    logger = logging.getLogger("uvicorn.error")
    logger.addFilter(_Once())

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        logger.error("%s: %s", context.get("message", "an error"), context.get("exception", ""))

    return handle
