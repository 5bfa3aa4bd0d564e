"""The ledger's tables, the same in every database, and how those of earlier versions become today's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

if TYPE_CHECKING:
    from alembic.operations import Operations

VERSION = 2
METADATA = MetaData()
_TEXT = Text().with_variant(Text(collation="C"), "postgresql")  # in the order of its code points, as SQLite's

HOLDERS = Table(
    "holders",
    METADATA,
    Column("id", Integer, Identity(), primary_key=True),
    Column("kind", _TEXT, CheckConstraint("kind IN ('volume', 'feed')"), nullable=False),
    Column("name", _TEXT, nullable=False),
    Column("title", _TEXT, nullable=False),
    Column("isbn", _TEXT),  # 13 digits
    UniqueConstraint("kind", "name"),
)


def _holder(*, primary_key: bool = False) -> Column[int]:
    holder = ForeignKey("holders.id", ondelete="CASCADE")
    return Column("holder", Integer, holder, primary_key=primary_key, autoincrement=False, nullable=False)


BUILDS = Table(
    "builds",
    METADATA,
    _holder(primary_key=True),
    Column("token", _TEXT, nullable=False),
    Column("host", _TEXT, nullable=False),
    Column("pid", BigInteger, nullable=False),
    Column("started", _TEXT, nullable=False),
    Column("beat", Double, nullable=False),  # seconds since 1970, by the database's clock
)
PUZZLES = Table(
    "puzzles",
    METADATA,
    Column("fingerprint", _TEXT, primary_key=True),
    _holder(),
    Column("slot", _TEXT, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("made", _TEXT, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("cols", Integer, nullable=False),
    Column("pairs", Integer, nullable=False),
    Column("solids", Integer, nullable=False),
    Column("board", _TEXT, nullable=False),
    Column("rule", _TEXT, nullable=False),
    Column("proof", _TEXT, nullable=False),
    Column("grade", _TEXT),
    Column("score", Integer),
    Column("recipe", _TEXT, nullable=False),
    Column("seed", _TEXT, nullable=False),
    Column("attempt", Integer, nullable=False),
    Index("puzzles_of_holder", "holder", "slot"),
    sqlite_with_rowid=False,
)


def _keep_isbns(operations: Operations) -> None:
    operations.add_column("holders", Column("isbn", _TEXT))


# What makes tables of this version out of those of the one before.
_STEPS: dict[int, Callable[[Operations], None]] = {2: _keep_isbns}
# A table of an earlier version as today's; what may only be read is not migrated.
AS_TODAY = {1: {"holders": "SELECT *, NULL AS isbn FROM main.holders"}}


def migrate(connection: Connection, version: int) -> None:
    """Make tables of an earlier version today's, in the caller's transaction."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    operations = Operations(MigrationContext.configure(connection))
    for step in range(version + 1, VERSION + 1):
        _STEPS[step](operations)
