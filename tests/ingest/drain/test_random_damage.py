"""spool and drain: whatever changes in the spool, no event is stored changed or twice, and the queue goes on.

A store of lists takes the place of the real one, so that many spools can be damaged. See rules/safety#damaged-events.
"""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from harness.clients.telemetry import logs
from harness.stores.event_store import NOW_MS, event, fresh_scope
from harness.stores.faulty_store import stopped
from harness.stores.list_store import ListStore
from harness.stores.spool_batches import batch, claim_all, claim_range, put
from harness.suite.patience import PATIENCE
from tallyroom.core.clock import SystemClock
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.frame import FrameHeader, map_frames
from tallyroom.ingest.otlp.pack import compress
from tallyroom.storage.spool.commit_group import IngestBatch
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH, Chunk, split_lines
from tallyroom.storage.spool.seal import BLOCK_BYTES

CHUNKS = 6
RECORDS = [
    "UPDATE chunk SET events = {value} WHERE id = {chunk}",
    "UPDATE chunk SET bytes = {value} WHERE id = {chunk}",
    "UPDATE chunk SET month = {value} WHERE id = {chunk}",
    "UPDATE claim SET first_id = {value}",
    "UPDATE claim SET last_id = {value}",
    "UPDATE claim_copy SET last_id = {value}",
    "UPDATE claim_copy SET checksum = {value}",
    "DELETE FROM claim",
    "UPDATE sqlite_sequence SET seq = {value}",
    "UPDATE number SET value = {value} WHERE name = 'last_id'",
    "UPDATE number SET value = {value} WHERE name = 'next_seq'",
    "UPDATE usage SET events = {value}",
]
VALUES = ["0", "-1", "1", "2", "3", "5", "100", "'x'", "2.5", "1000000000000", "9007199254740993"]


async def fill(spool: Spool) -> list[list[bytes]]:
    """Chunks of lines, of several blocks, and one of requests; return the lines of each."""
    scope, written = fresh_scope(), []
    for chunk in range(CHUNKS - 1):
        properties = b'{"text":"%s"}' % (b"y" * (50 * chunk))
        rows = [event(scope, f"{chunk}-{number}", spool=spool.identity, properties=properties) for number in range(60)]
        made = batch(spool, *rows)
        written.append(split_lines(made.chunks[0].body))
        await put(spool, made)
    frames = []
    for number in range(40):
        payload = compress(logs({"event_name": f"f{number}", "attributes": {"n": number}}).SerializeToString())
        seq = spool.reserve_seqs(1)
        frames.append(FrameHeader("logs", scope.workspace_id, "production", NOW_MS, seq, 1, len(payload)).wrap(payload))
    chunks = [Chunk(UNMAPPED_MONTH, 1, frame, 400) for frame in frames]
    await put(spool, IngestBatch(scope.workspace_id, 202611, len(frames), seq, chunks))
    months = map_frames(b"".join(frames), spool.identity)
    assert months is not None
    written.append([line for _, body in months.values() for line in split_lines(body)])
    return written


def spoiled(text: bytes, chance: Random) -> bytes:
    """A text with some changed bytes, or a sector that is empty, garbage or a copy of another."""
    now = bytearray(text)
    kind = chance.randrange(5)
    if kind < 2:
        for _ in range(chance.choice([1, 1, 2, 3, 8])):
            now[chance.randrange(len(now))] ^= chance.randrange(1, 256)
        return bytes(now)
    size = chance.choice([16, 512, BLOCK_BYTES])
    start = chance.randrange(max(len(now) // size, 1)) * size
    source = chance.randrange(max(len(now) // size, 1)) * size
    stop = min(start + size, len(now))
    sector = [bytes(size), chance.randbytes(size), bytes(now[source : source + size]).ljust(size, b"\0")][kind - 2]
    now[start:stop] = sector[: stop - start]
    return bytes(now)


def damage(path: Path, chance: Random) -> set[int]:
    """Change the file in a few places; return the chunks whose bodies or seals are hit."""
    hit: set[int] = set()
    with closing(open_spool_file(path)) as connection:
        for _ in range(chance.choice([1, 1, 2, 3])):
            chunk = chance.randrange(CHUNKS) + 1
            if chance.random() < 0.5:
                change = chance.choice(RECORDS).format(value=chance.choice(VALUES), chunk=chunk)
                connection.execute(change)
                continue
            column = chance.choice(["body", "body", "seal"])
            (text,) = connection.execute(f"SELECT {column} FROM chunk WHERE id = ?", (chunk,)).fetchone()  # our own
            now = spoiled(text, chance)
            if now != text:
                hit.add(chunk - 1)
                connection.execute(f"UPDATE chunk SET {column} = ? WHERE id = ?", (now, chunk))
    return hit


@pytest.mark.parametrize("begin", [0, pytest.param(20, marks=pytest.mark.long)])
async def test_whatever_changes_no_event_is_stored_changed_or_twice(tmp_path: Path, begin: int) -> None:
    for seed in range(begin, 20 if begin == 0 else 600):
        await survives(tmp_path / f"{seed}.sqlite", seed)


async def survives(path: Path, seed: int) -> None:
    chance, store = Random(seed), ListStore()
    with closing(Spool(path, chance.randbytes)) as spool:
        written = await fill(spool)
        if chance.random() < 0.6:
            claim = await asyncio.wrap_future(spool.change(claim_all))
            assert claim == claim_range(1, CHUNKS)
            if chance.random() < 0.5:
                lines = [line for chunk in written for line in chunk]
                store.insert_events(b"".join(lines), f"{spool.identity}-1-{CHUNKS}-202611-0-{len(lines)}")
    inserted = bool(store.lines)
    hit = damage(path, chance)
    with closing(Spool(path, chance.randbytes)) as spool:
        drain = Drain(spool, store, SystemClock())  # type: ignore[arg-type] # all that it asks of a store
        drain.start()
        try:
            rows = batch(spool, event(fresh_scope(), "after", spool=spool.identity))
            await put(spool, rows)
            assert await drain.wait_settled(PATIENCE), f"{seed}: {drain.failure_reason}"
        finally:
            await stopped(drain, 0)
        assert spool.waiting_bytes == 0, seed
    every = Counter(line for chunk in written for line in chunk) + Counter(split_lines(rows.chunks[0].body))
    stored = Counter(store.lines)
    assert not stored - every, f"{seed}: changed or twice"
    lost = every - stored
    lost_chunks = {number for number, chunk in enumerate(written) if lost.keys() & set(chunk)}
    assert lost_chunks <= hit, f"{seed}: lost without damage"
    with closing(sqlite3.connect(path)) as connection:
        (letters,) = connection.execute("SELECT count(*) FROM dead_letter").fetchone()
    assert inserted or letters == sum(lost.values()), f"{seed}: an event is neither stored nor put aside, or both"
