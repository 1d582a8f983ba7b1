"""The data directory of a server that ran, with something of everything that moves; each test works on a copy."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.clients.migrate_store_command import Relocating
from harness.servers.child import WITH_HARNESS, run_child
from harness.servers.one_of_several import Several
from harness.suite.once import made_once

_RUN = """
import asyncio, json, os, sys
from pathlib import Path
from sqlalchemy import insert
from harness.servers.one_of_several import SCOPE, SECRET_KEY
from harness.builders.owner import add_owner
from harness.clients.migrate_store_command import contents
from tallyroom.bots.feed import CounterPost, FeedBatch, ListingFeed, ProfileChange
from tallyroom.bots.repository import store_webhook_secret
from tallyroom.bots.votes import Vote
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.models import Workspace
from tallyroom.ingest.validation.event import Event
from tallyroom.ingest.validation.wide_integers import narrow_integers
from tallyroom.server.opening import open_services
from tallyroom.storage.spool.commit_group import IdempotentRequest
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.scope import Scope

home = Path(sys.argv[1])
DAY = 24 * 3600 * 1000

async def anybody(_):
    pass

async def send(services, scope, events, key=""):
    now_ms = services.clock.now_ms()
    idempotent_request = IdempotentRequest(scope.environment, key, "fingerprint", now_ms) if key else None
    await services.acceptor.accept(scope, "free", events, now_ms, idempotent_request)

async def run():
    settings = Settings(data=str(home / "data"), disk_reserve_bytes=0, secret_key=SECRET_KEY)
    services = open_services(settings)
    now_ms = services.clock.now_ms()
    properties = [b'{"a": 0.1, "guild": "g1"}', b'{"n": 123456789012345678901234567890, "l": [1, "x"], "o": {"q": true}}',
                  b'{"t": "\\\\u0000\\\\n\\\\"", "b": false}', b'{}']
    events = [
        Event(f"name{n % 3}", f"actor{n % 7}" if n % 5 else "", f"Label {n}" if n % 4 else "", "sdk",
              now_ms - n % 24 * 10 * DAY, properties[n % 4], has_long_numbers=n % 4 == 1,
              narrowed=narrow_integers(properties[n % 4]))
        for n in range(200)
    ]
    await send(services, SCOPE, events, key="k1")
    await send(services, Scope(SCOPE.workspace_id, "staging"), events[:40])
    await send(services, Scope("of-nobody", "production"), events[:2])
    async with services.database.session(write=True) as db:
        await db.execute(insert(Workspace).values(
            id=SCOPE.workspace_id, name="W", plan="free", timezone="UTC", created_at_ms=5))
    feed = ListingFeed(services.database, services.listing_outbox, services.listing_queries, services.clock)
    posts = [CounterPost("1", now_ms - n * DAY, {"server_count": n, "monthly_votes": 2}) for n in range(40)]
    votes = [Vote("1", f"user{n}", now_ms - n * DAY, 1, f"v{n}") for n in range(40)]
    moving = asyncio.create_task(services.listing_outbox.run())
    await feed.write_batch(SCOPE.workspace_id, FeedBatch([ProfileChange("1", {"name": "Bot"})], posts, votes), anybody)
    assert await services.listing_outbox.wait_until_stored(30)
    async with services.database.session(write=True) as db:
        await store_webhook_secret(db, SCOPE.workspace_id, "1", services.vault.encrypt("hush"))
    moving.cancel()
    assert await services.drain.wait_settled(30)
    services.hidden_events.hide(SCOPE, EventPosition(now_ms, services.spool.identity, 1))
    add_owner(home / "data")
    (home / "contents.json").write_text(json.dumps(contents(services.writer)))
    with services.drain.held(5):
        await send(services, SCOPE, events[:5])
        os._exit(0)

asyncio.run(run())
"""


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory whose server was killed with five events in the queue, and what its store has."""
    return made_once(tmp_path_factory, "embedded", lambda home: run_child(_RUN, home, **WITH_HARNESS))


@pytest.fixture
def relocating(ran: Path, several: Several) -> Relocating:
    """A copy of that directory, and the servers to which it moves."""
    shutil.copytree(ran / "data", several.folder / "old", symlinks=True)
    kept: dict[str, Any] = json.loads((ran / "contents.json").read_text())
    return Relocating(several, kept)
