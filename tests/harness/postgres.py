"""A real PostgreSQL for the tests that need one: the machine's, or one of the package `pgserver`.

Only the programs of that package are used. Its Python side would, for root, make a user and change the permissions of
folders; here root becomes `nobody`, in a folder of its own.
"""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from harness.patience import PATIENCE
from tallyroom.db.upgrade import upgrade

T = TypeVar("T")

DSN = "TALLYROOM_TEST_POSTGRES_DSN"

_DRIVER = "postgresql+asyncpg"


@contextmanager
def postgres() -> Iterator[URL]:
    """A server on which databases can be made: that of TALLYROOM_TEST_POSTGRES_DSN, else a new one."""
    if sys.version_info >= (3, 13):
        pytest.skip("pgserver and asyncpg are not installed on Python 3.13 and newer (pyproject.toml)")
    if dsn := os.environ.get(DSN):
        yield make_url(dsn).set(drivername=_DRIVER)
        return
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg")))  # a short path, for the socket
        yield stack.enter_context(_started(home))


@contextmanager
def _started(home: Path) -> Iterator[URL]:
    programs, user = _programs(home), {}
    if os.geteuid() == 0:  # as which PostgreSQL refuses to run
        nobody = pwd.getpwnam("nobody")
        os.chown(home, nobody.pw_uid, nobody.pw_gid)
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data, log = home / "data", home / "log"
    quick = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--username=postgres"]
    run: dict[str, Any] = {"cwd": home, "stderr": subprocess.STDOUT} | user
    subprocess.run([programs / "initdb", *quick, "--pgdata", data], stdout=subprocess.DEVNULL, check=True, **run)
    settings = ["listen_addresses=", f"unix_socket_directories={home}", "fsync=off", "max_connections=50"]
    options = [word for setting in settings for word in ("-c", setting)]
    with log.open("wb") as output:
        server = subprocess.Popen([programs / "postgres", "-D", data, *options], stdout=output, **run)
    try:
        _wait(programs, home, server, log)
        yield URL.create(_DRIVER, username="postgres", database="postgres", query={"host": str(home)})
    finally:
        server.send_signal(signal.SIGINT)  # it ends the connections that are left, and stops
        server.wait(PATIENCE)


def _programs(home: Path) -> Path:
    """The folder of `initdb` and `postgres`; a copy for root, whose own folders nobody else may be able to enter."""
    spec = find_spec("pgserver")
    assert spec is not None, "pgserver is a development dependency: make install"
    assert spec.submodule_search_locations is not None
    package = Path(spec.submodule_search_locations[0])
    if os.geteuid() == 0:
        for part in ("pgserver/pginstall", "pgserver.libs"):  # the programs look for libraries beside themselves
            if (package.parent / part).exists():
                shutil.copytree(package.parent / part, home / part, symlinks=True)
        package = home / "pgserver"
    return package / "pginstall" / "bin"


def _wait(programs: Path, home: Path, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    ask: list[str | Path] = [programs / "pg_isready", "--quiet", "--host", home]
    while subprocess.run(ask, check=False).returncode != 0:
        if server.poll() is not None or time.monotonic() > deadline:
            raise AssertionError("PostgreSQL did not start:\n" + log.read_text(encoding="utf-8"))
        time.sleep(0.02)


@contextmanager
def fresh_database(server: URL, make: Callable[[Connection], None]) -> Iterator[URL]:
    """A database with the tables that `make` makes in it; it is dropped in the end."""
    name = f"tallyroom_test_{uuid.uuid4().hex}"
    asyncio.run(command(server, f"CREATE DATABASE {name}"))
    database = server.set(database=name)
    try:
        asyncio.run(in_transaction(database, make))
        yield database
    finally:
        asyncio.run(command(server, f"DROP DATABASE {name} WITH (FORCE)"))


def migrate(connection: Connection) -> None:
    """Make all tables by the migrations."""
    upgrade(connection, "PostgreSQL")


async def in_transaction(database: URL, run: Callable[[Connection], T]) -> T:
    """What `run` answers about a database, to which it may do anything."""
    engine = create_async_engine(database, poolclass=NullPool)
    async with engine.begin() as connection:
        found = await connection.run_sync(run)
    await engine.dispose()
    return found


async def command(server: URL, statement: str) -> None:
    """Run a statement that no transaction can have."""
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()
