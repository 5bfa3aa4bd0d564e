"""A ledger is a file, or a database of a PostgreSQL server; no driver is loaded to say which."""

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
# What may hold a password is never taken for a path, which messages would show.
_LIKE_A_SERVER = (
    r"(?is)[\s\"']*(?:postgres\w*(?:\+\w+)?(?::|//)|//[^/]*@|[^/\\]{2,}:[^\\]*@)|.*://|.*\b(?:host|password)="
)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A server's address names a database of PostgreSQL.

    As text, in every message, it has neither the password nor the parameters.

    Args:
        url: ``postgresql://user:password@host:port/database?parameters`` as libpq reads it, each part but
            the host optional; ``postgresql+psycopg://`` means the same.
    Raises:
        UsageError: it is no such address, or a sign that has a meaning of its own stands in user or password.
    """

    url: str = field(repr=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        found = re.fullmatch(_SERVER, self.url)
        if found is None:
            raise UsageError(
                "a server's ledger is named as postgresql://user:password@host:port/database, with nothing "
                "before or behind it; the port is a number. In user and password write @ as %40, : as %3A, "
                "/ as %2F, ? as %3F, # as %23 and % as %25."
            )
        user, host, database = (unquote(found[part] or "") for part in ("user", "host", "database"))
        name = f"postgresql://{user}{'@' * bool(user)}{host}/{database}"
        object.__setattr__(self, "name", printable(name, 120))

    @property
    def conninfo(self) -> str:
        """Return the address for libpq, which knows no drivers."""
        return f"postgresql://{self.url.partition('://')[2]}"

    def __str__(self) -> str:
        return self.name


LedgerAddress = Path | ServerAddress


def read_address(text: str) -> LedgerAddress:
    """Read the address that a user named; raise ``UsageError`` for a URL that is not PostgreSQL's."""
    scheme, mark, _ = text.partition("://")
    is_url = bool(mark and re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme))
    if is_url and scheme not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise UsageError(
            f"a ledger can't be reached by {scheme}://: name a file by its path alone, or a PostgreSQL "
            "database as postgresql://user:password@host/database."
        )
    return ServerAddress(text) if is_url or re.match(_LIKE_A_SERVER, text) else Path(text)


def ledger_address(chosen: LedgerAddress | None = None) -> LedgerAddress:
    """Return the ledger chosen, else ``LINKPRESS_LEDGER``'s, else the usual; raise ``UsageError`` if none."""
    if chosen is not None:
        return chosen
    if named := os.environ.get(ENVIRONMENT):
        return read_address(named)
    import platformdirs  # 15 ms, where no ledger is named

    path = Path(platformdirs.user_data_dir("linkpress", appauthor=False), "ledger.sqlite3")
    if not path.is_absolute():
        raise UsageError(
            "there is no home folder for the ledger: say where it lies with --ledger or LINKPRESS_LEDGER, or "
            "build with --no-ledger."
        )
    return path
