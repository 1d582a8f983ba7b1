"""Looks into the metadata of a data directory, and changes them, beside the server on it; on either database."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from harness.stores.metadata import is_in_a_file, opened
from tallyroom.core.data_directory import DATABASE_FILE

T = TypeVar("T")

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]]
Run = Callable[..., list[tuple[Any, ...]]]

_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"


@contextmanager
def writing(data: Path) -> Iterator[Run]:
    """One transaction, which holds the write lock; yields `run` for it, with the arguments of `run_beside`."""
    runner = asyncio.Runner()
    with ThreadPoolExecutor(1) as thread:  # the test may have an event loop

        def wait_for(work: Coroutine[Any, Any, T]) -> T:
            return thread.submit(runner.run, work).result()

        stack = AsyncExitStack()
        try:
            db = wait_for(_begin(stack, data))
            yield lambda statement, values=(): wait_for(_run(db, statement, values))
        finally:
            wait_for(stack.__aexit__(*sys.exc_info()))
            thread.submit(runner.close).result()


def run_beside(data: Path, statement: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """What a statement answers; what it changes is committed, and noticed by the server.

    Args:
        data: the data directory.
        statement: SQL, with `:name` for each value.
        values: by name; of several sets, the statement is run for each.
    """
    with writing(data) as run:
        return run(statement, values)


def put_beside(data: Path, table: str, *rows: Mapping[str, Any]) -> None:
    """Insert rows, all with the same columns."""
    columns = list(rows[0])
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)})"
    run_beside(data, statement, rows)


def at_rest(data: Path) -> bytes:
    """Everything that is stored: the bytes of the files, or of all tables of PostgreSQL."""
    if is_in_a_file():
        return b"".join(path.read_bytes() for path in data.glob(f"{DATABASE_FILE}*"))
    with writing(data) as run:
        found = [(table, run(f"SELECT * FROM {table}")) for (table,) in run(_TABLES)]
    return repr(found).encode()


async def _begin(stack: AsyncExitStack, data: Path) -> AsyncSession:
    database = opened(data / DATABASE_FILE)
    stack.push_async_callback(database.close)
    return await stack.enter_async_context(database.session(write=True))


async def _run(db: AsyncSession, statement: str, values: Values) -> list[tuple[Any, ...]]:
    result = await db.execute(text(statement), values or None)
    return [tuple(row) for row in result] if result.returns_rows else []  # type: ignore[attr-defined] # what a statement answers has it
