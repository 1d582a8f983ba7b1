"""Copies metadata from a SQLite file into an empty PostgreSQL database and begins an epoch, in one transaction."""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, create_engine, func, insert, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from tallyroom.core.errors import TallyroomError
from tallyroom.db.models import EventGrant, IdempotencyKey, Model
from tallyroom.db.postgresql.migrate import run_on
from tallyroom.db.postgresql.server import may_pass
from tallyroom.db.record import MovedSpool

_ROWS_AT_ONCE = 500
_HASHED_BYTES = 16

_STAMP = text("INSERT INTO installation (id, epoch, begun) VALUES (:installation, :epoch, NULL)")
_SPOOL = text(
    "INSERT INTO spools (identity, host, path, epoch, begun, state) VALUES (:spool, :host, :path, :epoch, NULL, 'live')"
)
_SEQUENCE = text("SELECT pg_get_serial_sequence(:table, :column)")
_CONTINUE = text("SELECT setval(CAST(:sequence AS regclass), :number, false)")
_LAST_NUMBERS = text("SELECT name, seq FROM sqlite_sequence")
_HAS_LAST_NUMBERS = text("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'")


class CopyDiffers(TallyroomError):
    """A table is not the same in both databases."""


def take_over(path: Path, dsn: str, here: tuple[str, str], moved: MovedSpool, before_commit: Callable[[], None]) -> int:
    """Copy all tables, verify them, and register the spool; return the number of rows.

    Args:
        path: the file, which nobody uses; its schema is the newest.
        dsn: the database, whose schema is the newest.
        here: the host and the data directory of the spool.
        moved: the spool.
        before_commit: called when all is verified; if it raises, nothing is kept.

    Raises:
        TallyroomError: the database does not answer, has rows already, or cannot have those of the file.
        CopyDiffers: a table is not the same in both.
    """
    return run_on(dsn, partial(_take_over, path=path, here=here, moved=moved, before_commit=before_commit))


def _take_over(
    target: Connection, *, path: Path, here: tuple[str, str], moved: MovedSpool, before_commit: Callable[[], None]
) -> int:
    tables = [table for table in Model.metadata.sorted_tables if table.name != "installation"]
    engine = create_engine(f"sqlite:///{path.absolute()}", poolclass=NullPool)
    try:
        with target.begin(), engine.connect() as source:
            _refuse_rows(target, Model.metadata.sorted_tables)
            rows = sum([_copy(source, target, table) for table in tables])
            _continue_numbers(source, target, tables)
            _register(target, here, moved)
            before_commit()
    except DBAPIError as error:
        if may_pass(error):
            raise
        raise TallyroomError(f"The metadata database does not take what {path} has: {error.orig}") from error
    return rows


def _refuse_rows(target: Connection, tables: Sequence[Table]) -> None:
    for table in tables:
        if target.execute(select(func.count()).select_from(table)).scalar_one():
            raise TallyroomError(f"The metadata database is not empty: its table {table.name} has rows.")


def _copy(source: Connection, target: Connection, table: Table) -> int:
    rows = iter(source.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE}).mappings())
    sent = _Digest()
    while some := [dict(row) for row in islice(rows, _ROWS_AT_ONCE)]:
        for row in some:
            sent.add(row.values())
        target.execute(table.insert(), some)
    found = _Digest()
    for kept in target.execute(select(table), execution_options={"yield_per": _ROWS_AT_ONCE}):
        found.add(kept)
    if (found.rows, found.total) != (sent.rows, sent.total):
        raise CopyDiffers(
            f"The table {table.name} has {sent.rows:,} rows in the file, and the database has kept {found.rows:,} that "
            "are not all the same. Nothing was changed."
        )
    return sent.rows


class _Digest:
    """Two sets of rows with the same digest are the same, in whatever order they come."""

    def __init__(self) -> None:
        self.rows = 0
        self.total = 0

    def add(self, row: Any) -> None:
        hashed = sha256(repr(tuple(row)).encode(errors="surrogatepass")).digest()
        self.total += int.from_bytes(hashed[:_HASHED_BYTES], "big")
        self.rows += 1


def _continue_numbers(source: Connection, target: Connection, tables: Sequence[Table]) -> None:
    """Number new rows after all that were ever numbered in the file."""
    has_last = source.execute(_HAS_LAST_NUMBERS).scalar_one()
    last = {str(row[0]): int(row[1]) for row in source.execute(_LAST_NUMBERS)} if has_last else {}
    for table in tables:
        for column in table.primary_key:
            sequence = target.execute(_SEQUENCE, {"table": table.name, "column": column.name}).scalar_one()
            if sequence is not None:
                highest = target.execute(select(func.coalesce(func.max(column), 0))).scalar_one()
                number = max(highest, last.get(table.name, 0)) + 1
                target.execute(_CONTINUE, {"sequence": sequence, "number": number})


def _register(target: Connection, here: tuple[str, str], moved: MovedSpool) -> None:
    stamp, spool = moved.stamp, moved.identity
    target.execute(_STAMP, {"installation": stamp.installation, "epoch": stamp.epoch})
    host, folder = here
    target.execute(_SPOOL, {"spool": spool, "host": host, "path": folder, "epoch": stamp.epoch})
    keys = [{**key._asdict(), "spool": spool, "received_ms": key.at_ms} for key in moved.keys]
    grants = [
        {"workspace_id": workspace_id, "month": month, "spool": spool, "granted": events, "used": events}
        for workspace_id, month, events in moved.usage
    ]
    if keys:
        target.execute(insert(IdempotencyKey), keys)
    if grants:
        target.execute(insert(EventGrant), grants)
