"""For tests of the drain: a store whose faults the test chooses, and how a drain is stopped."""

import asyncio
from collections.abc import Callable

from harness.suite.patience import PATIENCE
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.writer import Writer

LATER = "Code: 252. DB::Exception: Too many parts"
NEVER = "Code: 27. DB::Exception: Cannot parse input"
UNKNOWN = "Code: 49. DB::Exception: Logical error"


class FaultyStore:
    """A writer whose answers a test chooses.

    Args:
        writer: the real one.
        faults: what the first inserts raise; None passes.
    """

    def __init__(self, writer: Writer, faults: list[Exception | None] | None = None) -> None:
        self.real = writer.insert_events
        self.backend = writer.backend
        self.has_event = writer.has_event
        self.derive_labels = writer.derive_labels
        self.burned: set[str] = set()
        self.burns = False
        self.faults = faults or []
        self.after: list[Exception] = []
        self.blames: Callable[[bytes], Exception | None] = lambda _: None
        self.sent: list[tuple[str, bytes]] = []

    def insert_events(self, body: bytes, token: str) -> None:
        self.sent.append((token, body))
        if self.faults and (fault := self.faults.pop(0)):
            if self.burns:
                self.burned.add(token)
            raise fault
        if fault := self.blames(body):
            raise fault
        if token in self.burned:
            return
        self.real(body, token)
        if self.after:
            raise self.after.pop()


async def stopped(drain: Drain, seconds: float = PATIENCE) -> None:
    """Stop `drain` without holding up the event loop."""
    await asyncio.to_thread(drain.stop, seconds)
