"""Fixtures that every test may ask for."""

import gc
import os
import shutil
import ssl
import sys
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import URL

from harness.clients.workspace import Workspace, sign_up
from harness.servers.app_code import AppCode
from harness.servers.app_code import app_code as run_app_code
from harness.servers.child import Interpreter, interpreter
from harness.servers.events_server import ALL_ON_A_SERVER, FrontServer, front_server
from harness.servers.one_of_several import Several
from harness.servers.postgres import fresh_database, postgres
from harness.servers.postgres import migrate as migrate_postgres
from harness.servers.redis import RedisServer, redis_server
from harness.servers.server import Server
from harness.stores.event_store import LIMITS, EventStore, opened_store
from harness.stores.metadata import ALL_ON_POSTGRESQL, Places, on_postgresql, opened
from harness.suite.embedded_only import EMBEDDED_ONLY
from harness.suite.examples import load_profiles
from harness.suite.reaching import no_process_starts, starts_nothing
from harness.suite.sqlite_only import SQLITE_ONLY
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.event_store.tables import SCOPED_TABLES
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.migrate import migrate as migrate_metadata

load_profiles()


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now_ms: int = 1_795_176_000_000) -> None:
        self._now_ms = now_ms
        self._monotonic = 1000.0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now_ms += round(seconds * 1000)
        self._monotonic += seconds

    def set_back(self, *, days: float) -> None:
        """Set the wall clock back; time passed all the same."""
        self._now_ms -= round(days * 86_400_000)


def pytest_configure(config: pytest.Config) -> None:
    """Hundreds of starts: where the environment forbids to keep compiled modules beside the source, keep them elsewhere.

    Those of the tests themselves too, whose compiling would take longer than finding them.
    """
    _forget_settings()
    _read_certificates_once()
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(config.cache.mkdir("compiled"))
        sys.dont_write_bytecode = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test-fast` runs, and leave out what PostgreSQL or an event server has nothing to do with."""
    for item in items:
        for start, reason in SQLITE_ONLY.items() if ALL_ON_POSTGRESQL else ():
            if item.nodeid.startswith(start):
                item.add_marker(pytest.mark.skip(f"only on SQLite: it {reason}"))
        for start, reason in EMBEDDED_ONLY.items() if ALL_ON_A_SERVER else ():
            if item.nodeid.startswith(start):
                item.add_marker(pytest.mark.skip(f"only with the store in this process: it {reason}"))
        if isinstance(item, pytest.Function) and starts_nothing(item):
            item.add_marker(pytest.mark.fast)


def pytest_collection_finish() -> None:
    """The tests themselves are no garbage: to look through all of them again and again takes a tenth of the time."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Hold a test to its mark."""
    with no_process_starts() if item.get_closest_marker("fast") else nullcontext():
        return (yield)


def _forget_settings() -> None:
    """Whoever runs the tests may have a server of their own, a proxy, a narrow terminal, or a language without files.

    What they say to the tests themselves, such as `TALLYROOM_TEST_SEED`, stays.
    """
    for name in list(os.environ):
        is_setting = name.startswith("TALLYROOM_") and not name.startswith("TALLYROOM_TEST_")
        if is_setting or name.startswith("LC_") or name.lower().endswith("_proxy") or name == "COLUMNS":
            del os.environ[name]
    os.environ["LANG"] = "C.UTF-8"


def _read_certificates_once() -> None:
    """Each client of httpx would spend 20 ms on reading whom it trusts, though hardly any asks over https."""
    transport: Any = httpx._transports.default
    read = transport.create_ssl_context

    @cache
    def kept(_: str | None, **options: Any) -> ssl.SSLContext:
        context: ssl.SSLContext = read(**options)
        return context

    transport.create_ssl_context = lambda **options: kept(os.environ.get("SSL_CERT_FILE"), **options)


@pytest.fixture
def fake_clock() -> FakeClock:
    """2026-11-20T12:00:00Z, and only `advance` moves it."""
    return FakeClock()


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One real server for every test that can share it: each takes a workspace of its own."""
    servers = request.getfixturevalue("shared_events_server").settings() if ALL_ON_A_SERVER else {}
    running = Server(
        tmp_path_factory.mktemp("server") / "data",
        servers=servers,
        open_signup="true",
        trusted_proxies="127.0.0.0/8",
        metrics_open="true",  # its clients say that they come from many addresses
    ).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def child(request: pytest.FixtureRequest) -> Iterator[Interpreter]:
    """An interpreter of its own for the module, in which its `PRELUDE` has run."""
    with interpreter(request.module.PRELUDE) as started:
        yield started


@pytest.fixture(scope="session")
def app_code() -> Iterator[AppCode]:
    """The code of the web app, without a browser."""
    with run_app_code() as code:
        yield code


@pytest.fixture
def workspace(server: Server) -> Workspace:
    """A fresh workspace of plan `paid` with a production key."""
    return sign_up(server.url)


@pytest.fixture(scope="session")
def new_metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty metadata database; copying it takes a tenth of the time that it takes to make one."""
    path = tmp_path_factory.mktemp("metadata") / "metadata.sqlite"
    migrate_metadata(path)
    return path


@pytest.fixture
def metadata(new_metadata: Path, tmp_path: Path) -> Path:
    """An empty metadata database of its own."""
    return Path(shutil.copy2(new_metadata, tmp_path))


@pytest.fixture
async def database(metadata: Path) -> AsyncIterator[Database]:
    """The metadata database, opened."""
    database = opened(metadata)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def event_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    """The one event store that this process may open; each test takes a workspace of its own."""
    if ALL_ON_A_SERVER:
        yield request.getfixturevalue("served_store")
        return
    with opened_store(EmbeddedBackend(tmp_path_factory.mktemp("store") / "events")) as store:
        yield store


@pytest.fixture(scope="session")
def shared_events_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontServer]:
    """A server of events that stays as it is."""
    with front_server(tmp_path_factory.mktemp("events") / "server") as server:
        yield server


@pytest.fixture
def events_server(shared_events_server: FrontServer) -> Iterator[FrontServer]:
    """The same, for a test that causes faults, which end with it; each takes a database of its own."""
    yield shared_events_server
    shared_events_server.let()


@pytest.fixture
def dsn(postgresql_places: Places, tmp_path: Path) -> str:
    """A database of PostgreSQL for the metadata of one test."""
    return postgresql_places.dsn(tmp_path / "metadata.sqlite")


@pytest.fixture
def several(dsn: str, events_server: FrontServer, tmp_path: Path) -> Several:
    """Workers that share a new metadata database and a new database of events."""
    return Several(tmp_path, dsn, events_server)


@pytest.fixture(scope="session")
def served_store(shared_events_server: FrontServer) -> Iterator[EventStore]:
    """An event store on that server; each test takes a workspace of its own."""
    with opened_store(ServerBackend(shared_events_server.fresh(), LIMITS)) as store:
        yield store


@pytest.fixture
def emptied_store(event_store: EventStore) -> EventStore:
    """The event store without what earlier tests left in it: a deletion or a fill looks at every part there is."""
    for table in SCOPED_TABLES:
        event_store.writer.command(f"TRUNCATE TABLE {table}")
    return event_store


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """A real PostgreSQL."""
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_places(postgres_server: URL) -> Iterator[Places]:
    """A real PostgreSQL with a database for each file that it stands in for."""
    places = Places(postgres_server)
    yield places
    places.close()


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    """A real Redis that stays as it is; each test takes names of its own."""
    with redis_server() as server:
        yield server


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A real Redis that the test may empty, stop and start."""
    with redis_server() as server:
        yield server


if ALL_ON_POSTGRESQL:

    @pytest.fixture(scope="session", autouse=True)
    def _all_on_postgresql(postgresql_places: Places) -> Iterator[None]:
        with on_postgresql(postgresql_places):
            yield


@pytest.fixture(params=["sqlite", "postgresql"])
def on_both(request: pytest.FixtureRequest) -> Iterator[None]:
    """The test runs twice, and what it opens is first in SQLite and then in PostgreSQL."""
    with on_postgresql(None if request.param == "sqlite" else request.getfixturevalue("postgresql_places")):
        yield


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: URL) -> Iterator[URL]:
    """A metadata database in PostgreSQL, made by the migrations; each test takes a workspace of its own."""
    with fresh_database(postgres_server, migrate_postgres) as database:
        yield database
