"""`tallyroom migrate-store` from a data directory to the servers of several workers, and back."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from harness.servers.child import WITH_HARNESS, run_child
from harness.servers.command import Done, tallyroom
from harness.servers.one_of_several import SCOPE, SECRET_KEY, Several
from tallyroom.ingest.validation.event import Event
from tallyroom.operations.relocation.tables import MOVED_TABLES
from tallyroom.server.services import Services
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.commit_group import KeyQueue

WORKER = "new/workers/0"


def contents(writer: Writer) -> dict[str, str]:
    """All rows of all tables of a store."""
    return {
        table.name: writer.command(f"SELECT {', '.join(table.columns)} FROM {table.from_clause} ORDER BY ALL")
        for table in MOVED_TABLES
    }


async def keyed(services: Services) -> int | None:
    """Two events in a request with a key of a queue, as often as it is sent."""
    queue = KeyQueue("api-key", "q" * 22)
    async with services.idempotency_registry.claim_key(SCOPE, b"two-events", b"body", queue) as claim:
        idempotent_request, before = claim
        if idempotent_request is None:
            assert before is None or before.is_queued
            return before and before.event_count
        now_ms = services.clock.now_ms()
        events = [Event("opened", actor, "", "", now_ms, b"{}") for actor in ("ann", "bob")]
        accepted = await services.acceptor.accept(SCOPE, "paid", events, now_ms, idempotent_request)
    assert await services.drain.wait_settled(30)
    return accepted


def found_alone(home: Path) -> dict[str, Any]:
    """What one server on the directory has, and then what it does with a known key and a new event.

    It is a process of its own, because this one may have another event store open.
    """
    found: dict[str, Any] = json.loads(run_child(_ALONE, home, SECRET_KEY, **WITH_HARNESS).stdout)
    return found


_ALONE = """
import asyncio, json, sys

from sqlalchemy import select

from harness.servers.one_of_several import SCOPE, send
from harness.clients.migrate_store_command import contents, keyed
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.models import Bot
from tallyroom.server.opening import open_services
from tallyroom.storage.spool.row import month_of
from tallyroom.storage.event_store.part_check import count_events_by_spool

async def look():
    home, key = sys.argv[1:]
    services = open_services(Settings(data=home, disk_reserve_bytes=0, stop_seconds=5, secret_key=key))
    try:
        numbers = services.completeness_check.count_events(is_settled=True).spool_counts
        async with services.database.session(write=False) as db:
            secrets = [bot.webhook_secret for bot in await db.scalars(select(Bot)) if bot.webhook_secret]
        found = {
            "contents": contents(services.writer),
            "spool": numbers.spool,
            "numbers": [numbers.acknowledged, numbers.left_spool, numbers.dead_letters, numbers.next_seq],
            "damaged": bool(services.completeness_check.damages.entries),
            "hidden": services.hidden_events.has_hidden_events(SCOPE),
            "used": await services.cap.count_used(SCOPE.workspace_id, month_of(services.clock.now_ms())),
            "secrets": [services.vault.decrypt(secret) for secret in secrets],
            "keyed": await keyed(services),
        }
        await send(services, "cid")
        return found | {"by_spool": list(count_events_by_spool(services.writer).items())}
    finally:
        await services.close()

print(json.dumps(asyncio.run(look())))
"""


class Relocating:
    """The move of `old`.

    Args:
        several: the servers, and the folder with `old`.
        kept: what the store in `old` has.
    """

    def __init__(self, several: Several, kept: dict[str, str]) -> None:
        self.several = several
        self.old = several.folder / "old"
        self.new = several.folder / "new"
        self.kept = kept

    def move(self, failpoint: str = "", **servers: str) -> Done:
        """The command, with other settings if given, to its end or to a failpoint that kills it."""
        words = "migrate-store", "--from", self.old, "--data", self.new
        return tallyroom(*words, servers=self.several.servers | servers, testing="true", failpoints=failpoint)

    def back(self, new: Path, failpoint: str = "") -> Done:
        """The command that moves it back to a new directory."""
        words = "migrate-store", "--to", new, "--data", self.new
        return tallyroom(*words, servers=self.several.servers, testing="true", failpoints=failpoint)

    def found(self) -> dict[str, str]:
        """What the store on the server has."""
        with closing(Writer(open_backend(self.several.settings(WORKER)))) as writer:
            return contents(writer)
