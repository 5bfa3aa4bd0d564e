"""The way to a cluster's scheduler: its address, and Dask's client of it.

Dask's client waits without end for a server that is no scheduler, so that whoever listens there
is first asked what it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from linkpress.errors import UsageError

LOGS = ("distributed", "tornado.application")  # what they say with tracebacks is told here in a sentence

_SCHEMES = ("tcp", "tls")
_START = (
    "Start one with 'dask scheduler', or name the address that it says when it starts, with tcp:// or tls:// "
    "as there; its port is usually 8786."
)
_CERTIFICATES = (
    " tls:// takes the certificates that Dask's configuration names, on every machine: "
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
        from distributed import Client
    except ImportError as fault:
        raise UsageError(
            f"a cluster takes the package distributed, which is missing here ({fault}): "
            "pip install 'linkpress[cluster]'"
        ) from None
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with ThreadPoolExecutor(1) as asking:  # there may be a loop in this thread
            kind = asking.submit(asyncio.run, _kind_of_server(address, connect_s)).result()
        if kind != "Scheduler":
            raise ValueError(f"that is a {kind.lower()} of Dask, and no scheduler")
        return Client(address, timeout=connect_s, set_as_default=False)
    except Exception as fault:  # of the system, of TLS or of Dask
        cause = str(fault.__cause__ or "") or str(fault) or f"nobody answers in {connect_s:.0f} s"
        cause = re.sub(r"^in <[^>]*>: ", "", cause).rstrip(".")  # Dask's name of the connection
        remedy = _START + _CERTIFICATES * address.startswith("tls:")
        raise UsageError(f"no Dask scheduler can be reached at {address}: {cause}. {remedy}") from fault


async def _kind_of_server(address: str, connect_s: float) -> str:
    """What a server of Dask says it is."""
    from distributed import Security, rpc

    async def ask() -> str:
        args = Security().get_connection_args("client")
        async with rpc(address, timeout=connect_s, connection_args=args) as server:
            return str((await server.identity())["type"])

    return await asyncio.wait_for(ask(), connect_s + 1.0)
