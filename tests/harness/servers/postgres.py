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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from harness.servers.network import Node
from harness.servers.worker_processes import runs, workers_of
from harness.suite.patience import PATIENCE, wait_until
from tallyroom.storage.metadata.upgrade import upgrade

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
    with new_postgres() as server:
        yield server.url


class PostgresServer:
    """A server on a Unix socket, in a folder of its own.

    Args:
        home: the folder, whose path is short.
        node: where in a network it listens, too.
    """

    def __init__(self, home: Path, node: Node | None = None) -> None:
        self._home = home
        self._node = node
        self._data = home / "data"
        self._programs, self._as = _programs(home), _as_somebody()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> URL:
        there = {"host": self._node.address} if self._node else {"query": {"host": str(self._home)}}
        return URL.create(_DRIVER, username="postgres", database="postgres", **there)

    def make(self) -> "PostgresServer":
        """Make the data; nothing of it is synced to the disk, so it survives all but a loss of power."""
        if self._as:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._home, nobody.pw_uid, nobody.pw_gid)
        quick = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--username=postgres"]
        self._run("initdb", *quick, "--pgdata", self._data)
        if self._node:
            with (self._data / "pg_hba.conf").open("a", encoding="utf-8") as rules:
                rules.write("host all all samenet trust\n")
        return self

    def start(self, *, as_standby: bool = False) -> "PostgresServer":
        """Start, and return when it answers; a standby only lets everybody read."""
        if as_standby:
            (self._data / "standby.signal").touch()
        listens = self._node.address if self._node else ""
        settings = [
            f"listen_addresses={listens}",
            f"unix_socket_directories={self._home}",
            "fsync=off",
            "max_connections=100",
        ]
        options = [word for setting in settings for word in ("-c", setting)]
        words = [
            *(self._node.command if self._node else ()),
            *self._as,
            self._programs / "postgres",
            "-D",
            self._data,
            *options,
        ]
        with (self._home / "log").open("ab") as log:
            self._process = subprocess.Popen([*map(str, words)], cwd=self._home, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while subprocess.run([self._programs / "pg_isready", "-q", "-h", self._home], check=False).returncode != 0:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError("PostgreSQL did not start:\n" + (self._home / "log").read_text(encoding="utf-8"))
            time.sleep(0.02)
        return self

    def promote(self) -> None:
        """Let a standby take changes, too."""
        self._run("pg_ctl", "promote", "--pgdata", self._data)

    def cut_all(self) -> None:
        """End all connections."""
        asyncio.run(
            command(self.url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname <> 'postgres'")
        )

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let it stand still while a block runs: it takes connections, and answers nobody."""
        assert self._process is not None
        everyone = [self._process.pid, *workers_of(self._process.pid, "postgres")]
        _signal_all(everyone, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal_all(everyone, signal.SIGCONT)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End the connections that are left, and stop; by SIGKILL it ends at once."""
        assert self._process is not None
        backends = workers_of(self._process.pid, "postgres")
        self._process.send_signal(number)
        self._process.wait(PATIENCE)
        wait_until(lambda: not any(runs(backend) for backend in backends))  # they keep the next start waiting

    def _run(self, program: str, *words: str | Path) -> None:
        command = [*self._as, self._programs / program, *words]
        done = subprocess.run(command, cwd=self._home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def new_postgres(node: Node | None = None) -> Iterator[PostgresServer]:
    """A new server, whatever DSN the environment names, at a node of a network if there is one."""
    if sys.version_info >= (3, 13):
        pytest.skip("pgserver and asyncpg are not installed on Python 3.13 and newer (pyproject.toml)")
    with tempfile.TemporaryDirectory(prefix="pg") as home:  # a short path, for the socket
        server = PostgresServer(Path(home), node).make().start()
        try:
            yield server
        finally:
            server.stop()


def _as_somebody() -> list[str]:
    """For root, as whom PostgreSQL refuses to run, the words by which a command becomes `nobody`."""
    if os.geteuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]


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


def _signal_all(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a connection or a job that has ended meanwhile
            os.kill(pid, number)
