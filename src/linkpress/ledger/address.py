"""Address of a ledger (a database of published puzzles): a file, or a database of a PostgreSQL server.

No database driver is imported here, so that reading an address is fast and needs no driver.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from linkpress.documents.problem import printable
from linkpress.errors import UsageError

ENVIRONMENT = "LINKPRESS_LEDGER"
_ESCAPED = r"(?:[^\s@:/?#%]|%(?!00)[0-9A-Fa-f]{2})*"
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^\s@/?#%:,\[\]]*)(?::\d+)?"
_SERVER = (
    rf"(?!.*[\ud800-\udfff])postgres(?:ql)?(?:\+psycopg)?://(?:(?P<user>{_ESCAPED})(?::{_ESCAPED})?@)?"
    rf"(?P<host>{_HOST}(?:,{_HOST})*)(?:/(?P<database>[^\s@/?#]*))?(?:\?[^\s#@]*)?"
)
# Pattern of a text that may be a malformed server address with a password. Such a text must not be read as a
# path, because messages show paths.
_LIKE_A_SERVER = (
    r"(?is)[\s\"']*(?:postgres\w*(?:\+\w+)?(?::|//)|//[^/]*@|[^/\\]{2,}:[^\\]*@)|.*://|.*\b(?:host|password)="
)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a database on a PostgreSQL server.

    ``str`` and ``repr`` leave out the password and the parameters, so messages don't show them.

    Args:
        url: an address for PostgreSQL's client library libpq:
            ``postgresql://user:password@host:port/database?parameters``. All parts except ``postgresql://``
            may be left out. ``postgresql+psycopg://`` is accepted too.
    Raises:
        UsageError: the address is malformed, or a special character in user or password is not escaped.
    """

    url: str = field(repr=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        match = re.fullmatch(_SERVER, self.url)
        if match is None:
            raise UsageError(
                "the address of a ledger on a server is postgresql://user:password@host:port/database, "
                "without spaces, and the port is a number. In user and password write @ as %40, : as %3A, "
                "/ as %2F, ? as %3F, # as %23 and % as %25."
            )
        user, host, database = (unquote(match[part] or "") for part in ("user", "host", "database"))
        name = f"postgresql://{user}{'@' * bool(user)}{host}/{database}"
        object.__setattr__(self, "name", printable(name, 120))

    @property
    def conninfo(self) -> str:
        """Return the address without the suffix ``+psycopg``, which PostgreSQL's libpq does not know."""
        return f"postgresql://{self.url.partition('://')[2]}"

    def __str__(self) -> str:
        return self.name


LedgerAddress = Path | ServerAddress


def read_address(text: str) -> LedgerAddress:
    """Read the address of a ledger that the user has given.

    Args:
        text: a path, or a URL of a PostgreSQL database.
    Raises:
        UsageError: the text is another kind of URL, or a malformed URL.
    """
    scheme, mark, _ = text.partition("://")
    is_url = bool(mark and re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme))
    if is_url and scheme not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise UsageError(
            f"a ledger can't be reached by {scheme}://: give the path of a file, or a PostgreSQL "
            "database as postgresql://user:password@host/database."
        )
    return ServerAddress(text) if is_url or re.match(_LIKE_A_SERVER, text) else Path(text)


def ledger_address(chosen: LedgerAddress | None = None) -> LedgerAddress:
    """Return the address of the ledger to use.

    Args:
        chosen: the user's choice. If it is None, the environment variable ``LINKPRESS_LEDGER`` is used. If
            this variable is not set, a file in the user's data folder is used.
    Raises:
        UsageError: the user has no data folder, or the environment variable is malformed.
    """
    if chosen is not None:
        return chosen
    if from_environment := os.environ.get(ENVIRONMENT):
        return read_address(from_environment)
    # This module is imported only when it is needed, because importing it takes 15 ms.
    import platformdirs

    try:
        path = Path(platformdirs.user_data_dir("linkpress", appauthor=False), "ledger.sqlite3")
    except RuntimeError:  # Newer releases of platformdirs raise this error if the user has no home folder.
        path = Path()
    if not path.is_absolute():
        raise UsageError(
            "there is no home folder for the ledger: give a place with --ledger or LINKPRESS_LEDGER, or "
            "build with --no-ledger."
        )
    return path
