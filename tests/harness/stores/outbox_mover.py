"""Moves the lines of an outbox until it is killed: the database, the event store and its reader, a failpoint."""

import asyncio
import sys
from contextlib import closing

from harness.stores.event_store import LIMITS
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.cluster.postgresql.database import PostgresqlDatabase
from tallyroom.core import failpoints
from tallyroom.core.event_server import read_event_server
from tallyroom.storage.event_store.backend.server.backend import ServerBackend
from tallyroom.storage.event_store.writer import Writer


async def _move(metadata: str, events: str, reader: str) -> None:
    with closing(Writer(ServerBackend(read_event_server(events, reader), LIMITS))) as writer:
        print("moving", flush=True)  # noqa: T201 # that is how it tells
        await ListingOutbox(PostgresqlDatabase(metadata), writer).run()


if __name__ == "__main__":
    failpoints.configure(sys.argv[4])
    asyncio.run(_move(*sys.argv[1:4]))
