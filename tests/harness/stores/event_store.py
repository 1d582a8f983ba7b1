"""An event store in this process (chDB allows one directory a process) and rows for it."""

import itertools
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from tallyroom.core.ids import IdGenerator
from tallyroom.ingest.validation.wide_integers import narrow_integers
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, Backend, ReadLimits, SealedReader
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import SpoolRow, build_chunks

NOW_MS = 1_795_176_000_000  # 2026-11-20T12:00:00Z, where the fake clock stands

LIMITS = ReadLimits(seconds=5, memory_bytes=400_000_000, max_rows=MAX_RESULT_ROWS)

_seqs = itertools.count(1)


async def stay_behind(*_: object, **__: object) -> bool:
    """Replaces `wait_caught_up` of a reader: what was acknowledged last does not get there."""
    return False


def fresh_scope(environment: str = "production") -> Scope:
    """A workspace that no other test knows."""
    return Scope(str(uuid.uuid4()), environment)


def event(
    scope: Scope,
    name: str = "opened",
    *,
    actor: str = "",
    label: str = "",
    source: str = "",
    properties: bytes = b"{}",
    timestamp_ms: int = NOW_MS,
    received_ms: int = NOW_MS,
    spool: int = 1,
    seq: int | None = None,
) -> SpoolRow:
    """One row; each has a sequence number of its own unless the test gives one."""
    place = next(_seqs) if seq is None else seq
    raw = msgspec.Raw(properties)
    whose = (scope.workspace_id, scope.environment)
    stand_in = narrow_integers(properties)
    return SpoolRow(
        *whose,
        timestamp_ms,
        received_ms,
        spool,
        place,
        name,
        actor,
        label,
        source,
        raw,
        msgspec.Raw(stand_in) if stand_in else "",
    )


def lines(rows: Iterable[SpoolRow]) -> bytes:
    """Rows as the store's insert takes them."""
    return msgspec.json.Encoder().encode_lines(list(rows))


@dataclass
class EventStore:
    """A store, opened: the one in this process, or one on a server."""

    backend: Backend
    writer: Writer
    reader: EventReader
    hidden: HiddenEvents

    def insert(self, rows: list[SpoolRow]) -> None:
        """Insert rows of any months, each month with a token of its own."""
        for chunk in build_chunks(rows):
            self.writer.insert_events(chunk.body, uuid.uuid4().hex)

    def sealed(self, *, seconds: int = 5, memory_bytes: int = 400_000_000, rows: int = 10_000) -> SealedReader:
        """A sealed reader that the caller closes."""
        return self.backend.open_reader(ReadLimits(seconds=seconds, memory_bytes=memory_bytes, max_rows=rows))

    def select(self, sql: str, scope: Scope, **parameters: Any) -> list[Any]:
        """Rows of a query with `{scope}` as lists, past the pool: what a test compares with."""
        where = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
        bound = {"workspace_id": scope.workspace_id, "environment": scope.environment} | parameters
        reader = self.sealed()
        try:
            found = reader.query(sql.replace("{scope}", where), bound)
        finally:
            reader.close()
        return [list(msgspec.json.decode(line).values()) for line in found.splitlines()]

    def names(self, scope: Scope) -> list[str]:
        """The names of a scope's events in the order of their arrival."""
        return [name for (name,) in self.select("SELECT name FROM events WHERE {scope} ORDER BY seq", scope)]

    def count(self, scope: Scope) -> int:
        """How many events a scope has."""
        [[events]] = self.select("SELECT count() FROM events WHERE {scope}", scope)
        return int(events)


@contextmanager
def opened_store(backend: Backend) -> Iterator[EventStore]:
    """The store, with its tables, for as long as the block runs."""
    writer = Writer(backend)
    migrate(writer)
    hidden = HiddenEvents(writer)
    reader = EventReader(
        backend,
        LIMITS,
        connection_count=2,
        slots_per_workspace=2,
        max_waiting_per_workspace=40,
        catch_up_seconds=0.5,
        has_hidden_events=hidden.has_hidden_events,
        id_generator=IdGenerator(),
    )
    yield EventStore(backend, writer, reader, hidden)
    reader.close()
    writer.close()
