"""The drain serves everybody in turns, and each event arrives once, wherever it dies; claims are counted, not timed."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, event, fresh_scope
from harness.stores.list_store import ListStore
from harness.stores.spool_batches import batch, claim_all, look, omission, put
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.claim import Claim
from tallyroom.storage.spool.event_counts import read_spool_counts
from tallyroom.storage.spool.file import open_spool_file
from tallyroom.storage.spool.lane import SHARED_LANE, name_environment_lane
from tallyroom.storage.spool.omissions import begin_omissions
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import split_lines

A, B, C = fresh_scope(), fresh_scope(), fresh_scope()
MONTHS = [
    int(datetime(year, month, 2, tzinfo=UTC).timestamp() * 1000) for year in range(2021, 2026) for month in range(1, 13)
]


class KilledError(BaseException):
    """The process dies here."""


class DeadlyStore(ListStore):
    """A store during whose inserts the process may die, before or after they are done."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.chance = chance
        self.is_deadly = True

    def insert_events(self, body: bytes, token: str) -> None:
        if self.is_deadly and self.chance.random() < 0.1:
            raise KilledError
        super().insert_events(body, token)
        if self.is_deadly and self.chance.random() < 0.1:
            raise KilledError


class Steps:
    """A drain whose steps the test takes one by one, in its own thread."""

    def __init__(self, spool: Spool, store: ListStore, clock: Any) -> None:
        self.drain = Drain(spool, store, clock)  # type: ignore[arg-type] # all that it asks of a store
        self.claim: Claim | None = self.drain._recover_open_claim()

    def take(self) -> bool:
        """Take the next step; False if there is nothing to do now."""
        if self.claim is None:
            self.claim = self.drain._claim_next()
        else:
            self.claim = self.drain._finish_claim(self.claim, self.drain._insert_range(self.claim))
        return self.claim is not None

    def take_all(self) -> None:
        while self.take():
            pass


@contextmanager
def steps(path: Path, store: ListStore, clock: Any) -> Iterator[tuple[Spool, Steps]]:
    with closing(Spool(path, lambda count: b"\x05" * count)) as spool:
        taken = Steps(spool, store, clock)
        try:
            yield spool, taken
        finally:
            taken.drain._reader.close()


async def send(spool: Spool, scope: Scope, *times_ms: int, is_bulk: bool = False) -> list[bytes]:
    """One request; its lines, as they must arrive."""
    made = batch(spool, *(event(scope, timestamp_ms=time_ms, spool=spool.identity) for time_ms in times_ms))
    made.lane = name_environment_lane(scope.workspace_id, scope.environment) if is_bulk else SHARED_LANE
    await put(spool, made)
    return [line for chunk in made.chunks for line in split_lines(chunk.body)]


def owners(store: ListStore, since: int) -> list[bool]:
    """Whether each line that came later is of A."""
    return [A.workspace_id.encode() in line for line in store.lines[since:]]


@pytest.mark.parametrize("times_ms", [MONTHS, [NOW_MS] * 60])
async def test_a_steady_stream_never_waits_for_two_claims_of_somebodys_bulk(
    tmp_path: Path, fake_clock: Any, times_ms: list[int]
) -> None:
    """B sends sixty shuffled months, or the current one, as fast as it can."""
    store = ListStore()
    with steps(tmp_path / "spool.sqlite", store, fake_clock) as (spool, taken):
        for _ in range(40):
            await send(spool, B, *times_ms, is_bulk=True)
            [line] = await send(spool, A, NOW_MS)
            fake_clock.advance(0.5)
            claim_count = 0
            while line not in store.lines:
                before = len(store.lines)
                taken.take()
                claim_count += len(store.lines) > before
            assert claim_count <= 2
        fake_clock.advance(5)
        taken.take_all()
        assert len(store.lines) == 40 * (len(times_ms) + 1)
        assert taken.drain.has_reached(spool.last_id)


async def test_history_is_gathered_into_few_inserts(tmp_path: Path, fake_clock: Any) -> None:
    store = ListStore()
    with steps(tmp_path / "spool.sqlite", store, fake_clock) as (spool, taken):
        for _ in range(40):
            await send(spool, B, *MONTHS, is_bulk=True)
            fake_clock.advance(0.1)
            taken.take_all()
        fake_clock.advance(1)
        taken.take_all()
    assert len(store.lines) == 40 * len(MONTHS)
    assert len(store.tokens) == len(MONTHS), "each month once, of forty requests"


async def test_callers_wait_only_for_what_they_read(tmp_path: Path, fake_clock: Any) -> None:
    store = ListStore()
    with steps(tmp_path / "spool.sqlite", store, fake_clock) as (spool, taken):
        await send(spool, B, *MONTHS, is_bulk=True)
        await send(spool, A, NOW_MS)
        taken.take_all()
        drain = taken.drain
        assert not drain.has_reached(spool.last_id)
        assert drain.has_reached(spool.last_id, A)
        assert not drain.has_reached(spool.last_id, B)
        assert not await drain.wait_caught_up(0)
        assert await drain.wait_caught_up(0, scope=A)
        assert await drain.wait_caught_up(0, from_ms=NOW_MS)
        assert not await drain.wait_caught_up(0, from_ms=MONTHS[-1])
        waiting = asyncio.create_task(drain.wait_caught_up(60))
        await asyncio.sleep(0)
        taken.take_all()
        assert await waiting, "a reader who waits for history gets it"


async def test_a_range_of_an_earlier_version_is_finished_as_it_was(tmp_path: Path, fake_clock: Any) -> None:
    """It has several months and everybody's chunks, and a part of it is in the store."""
    path, store = tmp_path / "spool.sqlite", ListStore()
    with closing(Spool(path, lambda count: b"\x05" * count)) as spool:
        lines = [*await send(spool, A, NOW_MS, MONTHS[0]), *await send(spool, B, MONTHS[0], MONTHS[1])]
        claim = await asyncio.wrap_future(spool.change(claim_all))
        assert claim is not None
        store.insert_events(lines[0], f"{spool.identity}-1-4-202611-0-1")
        await send(spool, A, NOW_MS)
    with closing(open_spool_file(path)) as file:
        file.execute("PRAGMA user_version = 2")
    with steps(path, store, fake_clock) as (spool, taken):
        assert taken.claim == claim
        taken.take_all()
        assert {f"{spool.identity}-1-4-202101-0-2", f"{spool.identity}-1-4-202102-0-1"} < store.tokens
    assert len(store.lines) == 5
    assert sorted(store.lines[:4]) == sorted(lines)


async def test_an_erasure_leaves_out_what_waits_between_the_chunks_of_an_open_claim(
    tmp_path: Path, fake_clock: Any
) -> None:
    path, store = tmp_path / "spool.sqlite", ListStore()
    with steps(path, store, fake_clock) as (spool, taken):
        sent = await send(spool, A, NOW_MS)
        await send(spool, A, MONTHS[0])
        sent += await send(spool, A, NOW_MS)
        taken.take()
        assert taken.claim is not None
        erased = omission(A)
        await asyncio.wrap_future(spool.change(lambda connection: begin_omissions(connection, [erased])))
    with steps(path, store, fake_clock) as (spool, taken):
        await asyncio.wrap_future(spool.change(lambda connection: begin_omissions(connection, [erased])))
        taken.take_all()
        assert store.lines == sent
        with closing(spool.open_reader()) as reader:
            assert (read_spool_counts(reader).erased, read_spool_counts(reader).queued) == (1, 0)


@pytest.mark.parametrize("begin", [0, pytest.param(12, marks=pytest.mark.long)])
async def test_wherever_the_process_dies_each_event_arrives_once(tmp_path: Path, fake_clock: Any, begin: int) -> None:
    """Random requests in random months and lanes, and deaths between and during all steps; also of the store's memory."""
    for seed in range(begin, 12 if begin == 0 else 250):
        await survives(tmp_path / f"{seed}.sqlite", fake_clock, seed)


async def survives(path: Path, clock: Any, seed: int) -> None:
    chance = Random(seed)
    store, written = DeadlyStore(chance), Counter[bytes]()
    for life in range(8):
        store.is_deadly = life < 7
        if chance.random() < 0.2:
            store.tokens.clear()  # as after a power cut
        with steps(path, store, clock) as (spool, taken):
            try:
                for _ in range(chance.randrange(40)):
                    times_ms = [chance.choice([NOW_MS, *MONTHS[:9]]) for _ in range(chance.choice([1, 1, 3, 12]))]
                    written.update(
                        await send(spool, chance.choice([A, B, C]), *times_ms, is_bulk=chance.random() < 0.4)
                    )
                    clock.advance(chance.choice([0, 0.1, 1, 3]))
                    for _ in range(chance.randrange(4)):
                        taken.take()
                if not store.is_deadly:
                    clock.advance(9)
                    taken.take_all()
                    clock.advance(9)
                    taken.take_all()
                    assert taken.drain.has_reached(spool.last_id), seed
                    assert spool.waiting_bytes == 0, seed
            except KilledError:
                continue
    assert Counter(store.lines) == written, f"{seed}: lost or twice"
    assert look(path, "SELECT count(*) FROM chunk_lane") == look(path, "SELECT count(*) FROM claim") == [(0,)]
