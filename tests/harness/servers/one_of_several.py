"""Workers of one installation, each opened in the process of the test, on one metadata database and one event server."""

from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from sqlalchemy import insert, select

from harness.servers.events_server import FrontServer
from tallyroom.core.settings import Settings
from tallyroom.ingest.validation.event import Event
from tallyroom.server.opening import open_services
from tallyroom.server.services import Services
from tallyroom.storage.event_store.part_check import count_events_by_spool
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.models import User
from tallyroom.storage.spool.commit_group import IdempotentRequest

SCOPE = Scope("019aa0b0-0000-7000-8000-000000000000", "production")

SECRET_KEY = urlsafe_b64encode(bytes(32)).decode()
"""That of all workers."""


class Several:
    """Settings of the workers in the directories of a folder.

    Args:
        folder: has a directory for each worker.
        dsn: the metadata.
        server: has the events.

    Attributes:
        servers: the settings of all workers, by which they find their data.
    """

    def __init__(self, folder: Path, dsn: str, server: FrontServer) -> None:
        self.folder = folder
        self.dsn = dsn
        self.servers = {"db_dsn": dsn, "secret_key": SECRET_KEY} | server.settings()

    def settings(self, name: str) -> Settings:
        """Those of the worker in the directory of that name."""
        own = Settings(data=str(self.folder / name), disk_reserve_bytes=0, stop_seconds=5)
        return msgspec.structs.replace(own, **self.servers)

    @asynccontextmanager
    async def opened(self, name: str, *, accept_loss: bool = False) -> AsyncIterator[Services]:
        """A worker that has joined the others, without chores of its own."""
        services = open_services(self.settings(name), accept_loss=accept_loss)
        try:
            await services.database.join_workers()
            await _add_owner(services)
            yield services
        finally:
            await services.close()

    async def once(self, name: str, *, accept_loss: bool = False) -> tuple[int, int]:
        """A start, an event and a stop: the identity of the spool, and how many of its events the store holds."""
        async with self.opened(name, accept_loss=accept_loss) as services:
            await send(services, "ann")
            return services.spool.identity, count_events_by_spool(services.writer)[services.spool.identity]


async def send(services: Services, *actors: str, key: str = "") -> None:
    """A request with an event of each actor, which are then in the store; with an idempotency key if given."""
    now_ms = services.clock.now_ms()
    idempotent_request = IdempotentRequest(SCOPE.environment, key, "fingerprint", now_ms) if key else None
    events = [Event("opened", actor, "", "", now_ms, b"{}") for actor in actors]
    assert await services.acceptor.accept(SCOPE, "paid", events, now_ms, idempotent_request) == len(actors)
    assert await services.drain.wait_settled(30)


async def _add_owner(services: Services) -> None:
    """Where events are, somebody owns them, or a start takes the metadata for lost."""
    owner = {"id": "ann", "email": "ann@example.com", "name": "Ann", "password_hash": "", "created_at_ms": 5}
    async with services.database.session(write=True) as db:
        if not (await db.execute(select(User))).first():
            await db.execute(insert(User).values(owner))
