"""The way to a cluster's scheduler: its address, who answers there, and Dask's client of it.

A port is looked at before Dask speaks to it: Dask takes whatever another program says for the size of a
message, tries again for as long as nobody is there, and waits without end for a server that is no scheduler.
A server of Dask greets whoever connects, so that others are known by what they say, or fail to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from linkpress.errors import UsageError

LOGS = ("distributed.client", "tornado.application")  # they say what a user is told here, with tracebacks

_SCHEMES = ("tcp", "tls")
_PROBE_S = 1.0
_MAX_GREETING = 1 << 20  # bytes and parts of one; the first eight letters of any text are far more
_START = "Start one with 'dask scheduler', or name the address that it says."
_OTHER_PORT = "Name the address that the scheduler says when it starts; its port is usually 8786."
_CERTIFICATES = (
    "tls:// takes the certificates that Dask's configuration names, on every machine: "
    "distributed.comm.tls.ca-file, distributed.comm.tls.client.cert and distributed.comm.tls.client.key, "
    "in ~/.config/dask/*.yaml or as DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on."
)


def read_scheduler(text: str) -> str:
    """The address of a scheduler, as it stands.

    Raises:
        UsageError: it is not of that form.
    """
    try:
        parts = urlsplit(text)
        whole = parts.scheme in _SCHEMES and parts.hostname and parts.port
        if whole and not (parts.path or parts.query or parts.fragment or "@" in parts.netloc):
            return text
    except ValueError:  # no port number
        pass
    raise UsageError(
        f"{'that' if '@' in text else repr(text)} is no address of a Dask scheduler. Give tcp://HOST:PORT, "
        "or tls://HOST:PORT, as the scheduler itself says it when it starts; the port is usually 8786."
    )


def connect(address: str, connect_s: float) -> Any:
    """A client of the scheduler, which is of use to nobody but us.

    Args:
        address: as ``read_scheduler`` gives it.
        connect_s: how long to wait for an answer.
    Raises:
        UsageError: there is no scheduler, or nothing to speak to it with.
    """
    try:
        from distributed import Client, Security
    except ImportError as fault:
        raise UsageError(
            f"a cluster takes the package distributed, which is missing here ({fault}): "
            "pip install 'linkpress[cluster]'"
        ) from None
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or 0
        context = _own_context(Security()) if parts.scheme == "tls" else None
        _look_at(_Port(host, port, context), connect_s)
        with ThreadPoolExecutor(1) as asking:  # there may be a loop in this thread
            kind = asking.submit(asyncio.run, _kind_of_server(address, connect_s)).result()
        if kind != "Scheduler":
            raise _NoSchedulerError(f"that is a {kind.lower()} of Dask, and no scheduler", _OTHER_PORT)
        return Client(address, timeout=connect_s, set_as_default=False)
    except Exception as fault:  # of the system, of TLS or of Dask
        why = getattr(fault, "strerror", None) or str(fault) or f"nobody answers in {connect_s:.0f} s"
        remedy = fault.remedy if isinstance(fault, _NoSchedulerError) else _START
        raise UsageError(f"no Dask scheduler can be reached at {address}: {why}. {remedy}") from fault


class _NoSchedulerError(Exception):
    """Something else answers, or what is needed to ask is missing; with what to do."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.remedy = remedy


def _own_context(security: Any) -> ssl.SSLContext:
    """What Dask's configuration says of TLS."""
    try:
        context = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as fault:  # of its files
        named = [security.tls_ca_file, security.tls_client_cert, security.tls_client_key]
        files = ", ".join(str(name) for name in named if name and "\n" not in name)
        raise _NoSchedulerError(f"{files} can't be used: {fault}", _CERTIFICATES) from fault
    if not isinstance(context, ssl.SSLContext):
        raise _NoSchedulerError("Dask's configuration names no certificates", _CERTIFICATES)
    return context


class _Port(NamedTuple):
    """Where somebody listens.

    Args:
        host, port: of the system.
        context: for TLS; None to speak without.
    """

    host: str
    port: int
    context: ssl.SSLContext | None = None

    def answer(self, sent: bytes, patience_s: float) -> bytes | None:
        """What is said first when something is sent; empty at a hang-up, None if nothing comes in time.

        Raises:
            OSError: nobody is there, or TLS fails.
        """
        with contextlib.ExitStack() as open_now:
            line = open_now.enter_context(socket.create_connection((self.host, self.port), patience_s))
            if self.context is not None:
                line = open_now.enter_context(self.context.wrap_socket(line, server_hostname=self.host))
            line.sendall(sent)
            try:
                return line.recv(64)
            except TimeoutError:
                return None

    def says(self, sent: bytes) -> bytes:
        """The same, where whatever goes wrong is no word."""
        try:
            return self.answer(sent, _PROBE_S) or b""
        except OSError:
            return b""

    def speaks_tls(self) -> bool:
        """Whether TLS is spoken there, with whatever certificate."""
        anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
        try:
            with socket.create_connection((self.host, self.port), _PROBE_S) as plain:
                anybody.wrap_socket(plain).close()
        except OSError:
            return False
        return True


def _look_at(port: _Port, connect_s: float) -> None:
    """Refuse a port where no server of Dask listens, by what does.

    Raises:
        _NoSchedulerError: something else does.
        OSError: nobody is there.
    """
    greeting, end_s = None, time.monotonic() + connect_s
    while True:
        try:
            greeting = port.answer(b"", max(_PROBE_S, end_s - time.monotonic()))
        except ConnectionRefusedError:  # it may be about to start
            if time.monotonic() > end_s:
                raise
            time.sleep(0.1)
            continue
        except ConnectionResetError:
            pass
        except ssl.SSLCertVerificationError as fault:
            why = f"its certificate is not of our authority: {fault.verify_message}"
            raise _NoSchedulerError(why, _CERTIFICATES) from fault
        except ssl.SSLError as fault:
            if "ALERT" in (fault.reason or ""):
                why = f"our certificate is refused there: {(fault.reason or '').lower().replace('_', ' ')}"
                raise _NoSchedulerError(why, _CERTIFICATES) from fault
        break
    if not _is_dask(greeting):
        raise _NoSchedulerError(*_who_else(port, greeting))


def _is_dask(greeting: bytes | None) -> bool:
    """Whether this begins as a message of Dask's: with how many bytes follow, in how many parts."""
    begins = struct.unpack("<QQ", greeting[:16]) if greeting and len(greeting) >= 16 else (0, 0)
    return all(0 < count < _MAX_GREETING for count in begins)


def _who_else(port: _Port, greeting: bytes | None) -> tuple[str, str]:
    """What answers instead of a server of Dask, and what to do."""
    plain = port._replace(context=None)
    if not greeting and port.context is not None:
        greeting = plain.says(b"")
        if _is_dask(greeting):
            return "it speaks without TLS", "Give tcp:// instead of tls://."
    elif not greeting and plain.speaks_tls():
        return "it speaks TLS", f"Give tls:// instead of tcp://. {_CERTIFICATES}"
    words = "".join(letter for letter in (greeting or b"").decode("ascii", "ignore") if letter.isprintable())
    if words:
        return f"another program answers there, with {words!r}", _OTHER_PORT
    if plain.says(b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/"):
        return "a web server answers there", _OTHER_PORT
    return "whoever listens there is no scheduler, or one that hangs", _OTHER_PORT


async def _kind_of_server(address: str, connect_s: float) -> str:
    """What a server of Dask says it is. Dask's client waits without end for one that is no scheduler."""
    from distributed import Security, rpc

    async def ask() -> str:
        args = Security().get_connection_args("client")
        async with rpc(address, timeout=connect_s, connection_args=args) as server:
            return str((await server.identity())["type"])

    return await asyncio.wait_for(ask(), connect_s + 1.0)
