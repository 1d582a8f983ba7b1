"""Bytes change in the spool's own file; their events are set aside, the others arrive once.

See rules/safety#damaged-events.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest

from harness.clients.telemetry import logs
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, lines
from harness.stores.faulty_store import LATER, FaultyStore, stopped
from harness.stores.spool_batches import batch, claim_all, look, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.frame import FrameHeader
from tallyroom.ingest.drain.insert import DAMAGE_REASON
from tallyroom.ingest.otlp.pack import compress
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IngestBatch
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk

EVENTS = 8
"""Of one chunk, so few that SQLite keeps its body in one page, in one piece."""


@asynccontextmanager
async def reopened(path: Path, store: FaultyStore) -> AsyncIterator[Drain]:
    """A spool on a file that was closed, with its drain."""
    with closing(Spool(path, lambda _: b"")) as spool:
        drain = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
        drain.start()
        try:
            yield drain
        finally:
            await stopped(drain, 0)


async def fill(spool: Spool, scope: Scope, chunks: int) -> list[bytes]:
    """Commit chunks one after the other, and return their bodies."""
    bodies = []
    for chunk in range(chunks):
        names = [f"{chunk}-{number}" for number in range(EVENTS)]
        made = batch(spool, *(event(scope, name, actor=name, spool=spool.identity) for name in names))
        bodies.append(made.chunks[0].body)
        await put(spool, made)
    return bodies


def change(path: Path, body: bytes, edit: Callable[[bytes], bytes]) -> None:
    """Edit a body in the bytes of the file itself, which no server has open."""
    with closing(open_spool_file(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content, edited = path.read_bytes(), edit(body)
    assert body in content
    assert len(edited) == len(body)
    path.write_bytes(content.replace(body, edited))  # everywhere: SQLite leaves copies behind when it moves a row


def flipped(chance: Random) -> Callable[[bytes], bytes]:
    def edit(body: bytes) -> bytes:
        at = chance.randrange(len(body))
        return body[:at] + bytes([body[at] ^ (1 << chance.randrange(8))]) + body[at + 1 :]

    return edit


def balance(path: Path) -> tuple[int, int]:
    """How many events the spool has neither stored nor in the queue, and how many of those it stored its stock lacks."""
    [(open_,)] = look(
        path,
        "SELECT sum(CASE name WHEN 'acked' THEN value WHEN 'stored' THEN -value ELSE 0 END)"
        " - (SELECT coalesce(sum(events), 0) FROM chunk) FROM number",
    )
    [(lacking,)] = look(
        path,
        "SELECT (SELECT value FROM number WHERE name = 'stored') - (SELECT count(*) FROM dead_letter)"
        " - (SELECT coalesce(sum(events), 0) FROM stock)",
    )
    return int(open_), int(lacking)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, *range(3, 40)])
async def test_whichever_bits_flip_in_the_file_one_event_of_each_chunk_is_set_aside(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore, seed: int
) -> None:
    scope, chance = fresh_scope(), Random(seed)
    bodies = await fill(spool, scope, 5)
    spool.close()
    hit = chance.sample(range(5), 3)
    for chunk in hit:
        change(spool_path, bodies[chunk], flipped(chance))
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert (drain.dead_letter_count, drain.failure_reason) == (3, "")
    letters = look(spool_path, "SELECT workspace_id, environment, actor, reason FROM dead_letter")
    aside = {actor for _, _, actor, _ in letters}
    assert sorted(int(actor.partition("-")[0]) for actor in aside) == sorted(hit)
    assert {letter[:2] + letter[3:] for letter in letters} == {(scope.workspace_id, "production", DAMAGE_REASON)}
    every = [f"{chunk}-{number}" for chunk in range(5) for number in range(EVENTS)]
    assert sorted(event_store.names(scope)) == sorted(set(every) - aside)
    assert balance(spool_path) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"2-3"', b'"2-3x'),  # the text goes on to the end of the block: "Buffer has gone"
        (b'"2-3"', b'"2-\n"'),
        (b'"2-3"', b'"2-\0"'),
        (b'"2-3"', b'"2-\\"'),
        (b'["', b'[["'),
        (b"{}", b"{"),
        (b"]\n", b"]"),
        (b"production", b"prod\xff"),
    ],
)
@pytest.mark.parametrize("is_sealed", [True, False])
async def test_a_line_that_was_replaced_stops_nobody(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore, old: bytes, new: bytes, is_sealed: bool
) -> None:
    """By a line of another length, so that no checksum of its block fits, or in a row of an older version."""
    scope = fresh_scope()
    bodies = await fill(spool, scope, 5)
    spool.close()
    at = bodies[2].index(b'"2-3"')
    start = bodies[2].rindex(b"[", 0, at)
    spoiled = bodies[2][:start] + bodies[2][start:].replace(old, new, 1)
    with closing(open_spool_file(spool_path)) as connection:
        connection.execute("UPDATE chunk SET body = ?, seal = iif(?, seal, NULL) WHERE id = 3", (spoiled, is_sealed))
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert drain.dead_letter_count >= 1
    names = event_store.names(scope)
    every = {f"{chunk}-{number}" for chunk in range(5) for number in range(EVENTS)}
    assert len(names) == len(set(names)) == 40 - drain.dead_letter_count
    lost = {f"2-{number}" for number in range(EVENTS)} if is_sealed else {"2-3", "2-4"}
    assert every - set(names) <= lost, "a line break that is gone takes the next line along"
    assert balance(spool_path) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize("column", ["events", "bytes", "month"])
async def test_a_number_of_a_chunk_that_changed_is_corrected(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore, column: str
) -> None:
    scope = fresh_scope()
    await fill(spool, scope, 2)
    spool.close()
    with closing(open_spool_file(spool_path)) as connection:
        connection.execute(f"UPDATE chunk SET {column} = {column} - 7 WHERE id = 1")  # of this file
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert drain.dead_letter_count == 0
    assert event_store.count(scope) == 2 * EVENTS
    assert look(spool_path, "SELECT month, events FROM stock") == [(202611, 2 * EVENTS)]
    assert balance(spool_path) == (0, 0)


async def test_what_was_stored_before_its_bytes_changed_is_not_set_aside(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    """The process died between the insert and the mark; the first event of the block is the one that changed."""
    scope = fresh_scope()
    [body] = await fill(spool, scope, 1)
    assert spool.change(claim_all).result(PATIENCE) is not None
    event_store.writer.insert_events(body, f"{spool.identity}-1-1-202611-0-{EVENTS}")
    spool.close()
    change(spool_path, body, lambda body: body.replace(b'"0-0"', b'"0-9"', 1))
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert drain.dead_letter_count == 0
    assert event_store.names(scope) == [f"0-{number}" for number in range(EVENTS)]
    assert look(spool_path, "SELECT events FROM stock") == [(EVENTS,)]


async def test_a_range_that_was_taken_apart_goes_on_in_the_same_parts(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    [body] = await fill(spool, scope, 1)
    spool.close()
    change(spool_path, body, lambda body: body.replace(b'"0-5"', b'"0+5"', 1))
    store.faults = [None, *[StoreError(LATER)] * 10_000]  # the first half arrives
    async with reopened(spool_path, store) as drain:
        assert not await drain.wait_caught_up(0.5)
    assert event_store.count(scope) == EVENTS // 2
    store.faults = []
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
    assert event_store.names(scope) == [f"0-{number}" for number in range(EVENTS) if number != 5]
    assert look(spool_path, "SELECT count(*) FROM dead_letter") == [(1,)]
    assert balance(spool_path) == (0, 0)


async def test_a_request_of_opentelemetry_that_changed_is_set_aside_with_all_its_events(
    spool: Spool, spool_path: Path, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    for name in ("a", "b", "c"):
        request = logs(*({"event_name": name, "attributes": {"n": number}} for number in range(3)))
        payload = compress(request.SerializeToString())
        first = spool.reserve_seqs(3)
        frame = FrameHeader("logs", scope.workspace_id, "production", NOW_MS, first, 3, len(payload)).wrap(payload)
        chunks = [Chunk(UNMAPPED_MONTH, 3, frame, 500)]
        await put(spool, IngestBatch(scope.workspace_id, 202611, 3, first + 2, chunks))
        if name == "b":
            changed = frame
    await fill(spool, scope, 1)
    spool.close()
    change(spool_path, changed, lambda frame: frame[:-9] + bytes([frame[-9] ^ 4]) + frame[-8:])
    async with reopened(spool_path, store) as drain:
        assert await drain.wait_caught_up(PATIENCE)
        assert drain.dead_letter_count == 3
    names = event_store.names(scope)
    assert sorted(names) == sorted(["a"] * 3 + ["c"] * 3 + [f"0-{number}" for number in range(EVENTS)])
    assert look(spool_path, "SELECT DISTINCT workspace_id, reason FROM dead_letter") == [
        (scope.workspace_id, DAMAGE_REASON)
    ]
    assert balance(spool_path) == (0, 0)


async def test_an_error_that_nobody_expected_takes_a_part_apart_only_if_a_line_is_wrong(
    spool: Spool, drain: Drain, store: FaultyStore, event_store: EventStore
) -> None:
    scope = fresh_scope()
    made = batch(spool, *(event(scope, f"e{number}") for number in range(3)))
    body = made.chunks[0].body + b'["no row"]\n'
    made.chunks = [Chunk(202611, 4, body, len(body))]
    await put(spool, made)
    store.blames = lambda body: StoreError("Code: 1001. DB::Exception: std::exception") if b"no row" in body else None
    drain.start()
    assert await drain.wait_caught_up(PATIENCE)
    assert (event_store.names(scope), drain.dead_letter_count) == (["e0", "e1", "e2"], 1)


def test_the_file_of_an_older_version_gets_seals(tmp_path: Path) -> None:
    """And that version can still write to it."""
    path = tmp_path / "spool.sqlite"
    Spool(path, lambda count: b"1" * count).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("DROP VIEW intake; ALTER TABLE chunk DROP COLUMN seal;")
        connection.execute("INSERT INTO chunk (month, events, bytes, body) VALUES (202611, 1, 2, 'x')")
    Spool(path, lambda count: b"1" * count).close()
    values = (202611, 1, 2, lines([event(fresh_scope())]), 7, "[]", "[]")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        old = "INSERT INTO intake (month, events, bytes, body, last_seq, usage, replays) VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.execute(old, values)
        assert connection.execute("SELECT id, seal FROM chunk").fetchall() == [(1, None), (2, None)]
        assert connection.execute("SELECT value FROM number WHERE name = 'acked'").fetchone() == (1,)
