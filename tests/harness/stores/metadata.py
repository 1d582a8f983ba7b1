"""The metadata database that a test opens: a SQLite file, or a database of PostgreSQL in its place.

``TALLYROOM_TEST_METADATA=postgresql`` puts every test on PostgreSQL that opens its database here.
"""

import asyncio
import os
import uuid
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from harness.servers.postgres import command
from tallyroom.cluster.open_metadata import open_metadata
from tallyroom.core.data_directory import DATABASE_FILE
from tallyroom.storage.metadata.connection import Database

ALL_ON_POSTGRESQL = os.environ.get("TALLYROOM_TEST_METADATA") == "postgresql"

_MOST_KEPT = 20  # each has 8 MB


class Places:
    """A server with a database for each path; those that nobody has opened for long are dropped."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._template = ""
        self._names: dict[Path, str] = {}
        self._staying: dict[Path, str] = {}

    def dsn(self, path: Path, *, stays: bool = False) -> str:
        """The database in place of the file at `path`, empty at first; one that `stays` is not dropped before the end."""
        if path in self._staying:
            return dsn_of(self._server.set(database=self._staying[path]))
        name = self._names.pop(path, None) or self._create()
        (self._staying if stays else self._names)[path] = name  # the newest is the last
        while len(self._names) > _MOST_KEPT:
            self._drop(self._names.pop(next(iter(self._names))))
        return dsn_of(self._server.set(database=name))

    def has(self, path: Path) -> bool:
        """Whether a server has its database in place of the file at `path`."""
        return path in self._staying

    def close(self) -> None:
        for name in [*self._names.values(), *self._staying.values(), self._template]:
            if name:
                self._drop(name)

    def _create(self) -> str:
        if not self._template:
            from tallyroom.cluster.postgresql.migrate import migrate  # noqa: PLC0415 # not every Python has the driver

            self._template = _name()
            _wait_for(command(self._server, f"CREATE DATABASE {self._template}"))
            migrate(dsn_of(self._server.set(database=self._template)))
        name = _name()
        _wait_for(command(self._server, f"CREATE DATABASE {name} TEMPLATE {self._template}"))
        return name

    def _drop(self, name: str) -> None:
        _wait_for(command(self._server, f"DROP DATABASE {name} WITH (FORCE)"))


_used: list[Places | None] = [None]


@contextmanager
def on_postgresql(places: Places | None) -> Iterator[None]:
    """Puts what is opened meanwhile on PostgreSQL; on SQLite if `places` is None."""
    _used.append(places)
    try:
        yield
    finally:
        _used.pop()


def is_in_a_file() -> bool:
    """Whether what is opened now is a SQLite file."""
    return _used[-1] is None


def opened(path: Path) -> Database:
    """The database of the test that is, or would be, the file at `path`; each call opens it anew."""
    places = _used[-1]
    return open_metadata(path, places.dsn(path) if places else "")


def servers_of(data: Path) -> dict[str, str]:
    """The settings that a server on this data directory takes from the tests, and not from its environment."""
    places = _used[-1]
    return {"db_dsn": places.dsn(data / DATABASE_FILE, stays=True)} if places else {}


def servers_beside(arguments: Sequence[str | Path]) -> dict[str, str]:
    """What `servers_of` has for the server on the data directory that a command names; nothing if there is none."""
    places, words = _used[-1], [*map(str, arguments), ""]
    data = Path(words[words.index("--data") + 1]) if "--data" in words else Path()
    return servers_of(data) if places and places.has(data / DATABASE_FILE) else {}


def dsn_of(database: URL) -> str:
    """A database as settings name it."""
    return database.set(drivername="postgresql").render_as_string(hide_password=False)


def _name() -> str:
    return f"tallyroom_test_{uuid.uuid4().hex}"


def _wait_for(work: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as thread:  # the test may have an event loop
        thread.submit(asyncio.run, work).result()
