"""Workers in processes of their own that move the lines of one outbox until they are killed."""

import asyncio
import os
import subprocess
import sys
from contextlib import closing

from harness.child import WITH_HARNESS
from harness.store import LIMITS
from tallyroom.bots.outbox import Outbox
from tallyroom.core import failpoints
from tallyroom.core.event_server import read_event_server
from tallyroom.db.postgresql.database import PostgresqlDatabase
from tallyroom.store.backend.server.backend import ServerBackend
from tallyroom.store.writer import Writer


class MovingProcess:
    """A worker that moves lines.

    Args:
        metadata: the database with the outbox.
        events: the settings of the event store.
        failpoint: where it dies by itself.
    """

    def __init__(self, metadata: str, events: dict[str, str], failpoint: str) -> None:
        words = [sys.executable, "-W", "error", "-m", "harness.moving", metadata, *events.values(), failpoint]
        self._process = subprocess.Popen(words, env=os.environ | WITH_HARNESS, stdout=subprocess.PIPE)
        assert self._process.stdout
        self._process.stdout.readline()

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()
        with self._process:
            pass


async def _move(metadata: str, events: str, reader: str) -> None:
    with closing(Writer(ServerBackend(read_event_server(events, reader), LIMITS))) as writer:
        print("moving", flush=True)  # noqa: T201 # that is how it tells
        await Outbox(PostgresqlDatabase(metadata), writer).run()


if __name__ == "__main__":
    failpoints.configure(sys.argv[4])
    asyncio.run(_move(*sys.argv[1:4]))
