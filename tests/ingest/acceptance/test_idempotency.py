"""A repeated request is answered again and counted once, for 24 hours."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from harness.stores.event_store import fresh_scope
from tallyroom.core.errors import Conflict, IdempotencyMismatch, ValidationFailed
from tallyroom.ingest.acceptance import idempotency as module
from tallyroom.ingest.acceptance.idempotency import IdempotencyRegistry
from tallyroom.ingest.acceptance.idempotency_keys import LocalIdempotencyKeys
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.commit_group import IdempotentRequest
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file
from tallyroom.storage.spool.replays import KEEP_MS, forget_old_requests

SCOPE = fresh_scope()
DAY = KEEP_MS / 1000


@pytest.fixture
def file(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_spool_file(tmp_path / "spool.sqlite")) as connection:
        prepare_spool_file(connection, bytes)
        yield connection


@pytest.fixture
def replays(file: sqlite3.Connection, fake_clock: Any) -> IdempotencyRegistry:
    return IdempotencyRegistry(file, fake_clock, LocalIdempotencyKeys())


async def send(
    replays: IdempotencyRegistry,
    file: sqlite3.Connection,
    body: bytes = b"b",
    *,
    scope: Scope = SCOPE,
    key: bytes = b"k",
) -> int | None:
    """One request; stores its answer as the spool does. Answers what was accepted before, None for a first one."""
    async with replays.claim_key(scope, key, body) as (idempotent_request, before):
        if idempotent_request is not None:
            row = (
                scope.workspace_id,
                idempotent_request.environment,
                idempotent_request.key,
                idempotent_request.fingerprint,
                3,
                idempotent_request.at_ms,
            )
            file.execute("INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?)", row)
    return before and before.event_count


async def test_the_same_request_is_answered_again(replays: IdempotencyRegistry, file: sqlite3.Connection) -> None:
    assert [await send(replays, file) for _ in range(3)] == [None, 3, 3]


async def test_another_body_under_the_same_key_is_refused(
    replays: IdempotencyRegistry, file: sqlite3.Connection
) -> None:
    await send(replays, file)
    with pytest.raises(IdempotencyMismatch):
        await send(replays, file, b"B")
    assert await send(replays, file) == 3


async def test_a_key_belongs_to_one_environment_of_one_workspace(
    replays: IdempotencyRegistry, file: sqlite3.Connection
) -> None:
    scopes = [SCOPE, Scope(SCOPE.workspace_id, "development"), fresh_scope()]
    assert [await send(replays, file, scope=scope) for scope in scopes] == [None] * 3


async def test_a_request_that_still_runs_is_a_conflict(replays: IdempotencyRegistry, file: sqlite3.Connection) -> None:
    async with replays.claim_key(SCOPE, b"k", b"b"):
        with pytest.raises(Conflict) as refused:
            await send(replays, file)
        assert refused.value.headers == {"retry-after": "1"}
        assert await send(replays, file, key=b"other") is None


async def test_a_first_request_that_failed_may_be_sent_again(
    replays: IdempotencyRegistry, file: sqlite3.Connection
) -> None:
    with pytest.raises(ZeroDivisionError):
        async with replays.claim_key(SCOPE, b"k", b"b"):
            raise ZeroDivisionError
    assert await send(replays, file, b"another body") is None


async def test_a_key_is_free_again_after_24_hours(
    replays: IdempotencyRegistry, file: sqlite3.Connection, fake_clock: Any
) -> None:
    await send(replays, file)
    fake_clock.advance(DAY - 0.001)
    assert await send(replays, file) == 3
    fake_clock.advance(0.001)
    assert await send(replays, file, b"another body") is None


async def test_only_old_answers_are_forgotten(
    replays: IdempotencyRegistry, file: sqlite3.Connection, fake_clock: Any
) -> None:
    await send(replays, file, key=b"old")
    fake_clock.advance(1)
    await send(replays, file, key=b"new")
    fake_clock.advance(DAY - 1)
    forget_old_requests(file, fake_clock.now_ms())
    assert file.execute("SELECT key FROM idempotency").fetchall() == [("new",)]


@pytest.mark.parametrize("key", [b"k", b"!~", b"x" * 255])
async def test_a_visible_key_is_taken(replays: IdempotencyRegistry, file: sqlite3.Connection, key: bytes) -> None:
    assert [await send(replays, file, key=key) for _ in range(2)] == [None, 3]


@pytest.mark.parametrize("key", [b"", b"x" * 256, b"a b", b"\x7f", b"\x00", b"\xc3\xa9", b"\t"])
async def test_any_other_key_is_refused(replays: IdempotencyRegistry, file: sqlite3.Connection, key: bytes) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await send(replays, file, key=key)
    assert refused.value.details[0].path == ["Idempotency-Key"]


async def follow(
    replays: IdempotencyRegistry, key: bytes = b"second", after: bytes = b"first", scope: Scope = SCOPE
) -> IdempotentRequest:
    async with replays.claim_key(scope, key, b"b") as (idempotent_request, _):
        assert idempotent_request is not None
        await replays.wait_for_predecessor(scope, after, idempotent_request)
        return idempotent_request


async def started(waiting: asyncio.Task[IdempotentRequest]) -> None:
    await asyncio.sleep(0)
    assert not waiting.done()


async def test_a_request_stands_behind_one_that_is_durable(
    replays: IdempotencyRegistry, file: sqlite3.Connection
) -> None:
    await send(replays, file, key=b"first")
    assert (await follow(replays)).previous_wait is None


async def test_a_request_waits_until_one_under_way_stands_in_the_queue(replays: IdempotencyRegistry) -> None:
    async with replays.claim_key(SCOPE, b"first", b"b") as (first, _):
        assert first is not None
        waiting = asyncio.create_task(follow(replays))
        await started(waiting)
        first.commit_wait.decided.set()
        assert (await waiting).previous_wait is first.commit_wait


async def test_a_request_waits_for_one_that_comes_later(replays: IdempotencyRegistry) -> None:
    waiting = asyncio.create_task(follow(replays))
    await started(waiting)
    async with replays.claim_key(SCOPE, b"first", b"b") as (first, _):
        assert first is not None
        await started(waiting)
        first.commit_wait.decided.set()
        assert (await waiting).previous_wait is first.commit_wait


async def test_a_request_behind_one_that_is_refused_is_refused_at_once(replays: IdempotencyRegistry) -> None:
    waiting = asyncio.create_task(follow(replays))
    await started(waiting)
    with pytest.raises(ZeroDivisionError):
        async with replays.claim_key(SCOPE, b"first", b"b"):
            raise ZeroDivisionError
    with pytest.raises(Conflict, match="was refused"):
        await waiting


async def test_a_request_behind_one_that_never_comes_is_refused(
    replays: IdempotencyRegistry, file: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await send(replays, file, key=b"first")
    monkeypatch.setattr(module, "MAX_WAIT_SECONDS", 0.01)
    for scope in (fresh_scope(), Scope(SCOPE.workspace_id, "development")):
        with pytest.raises(Conflict, match="has arrived") as refused:
            await follow(replays, scope=scope)
        assert refused.value.headers == {"retry-after": "1"}
    assert not replays._awaited_wait_by_key


async def test_few_are_waited_for(replays: IdempotencyRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_AWAITED_KEYS", 1)
    waiting = asyncio.create_task(follow(replays))
    await started(waiting)
    with pytest.raises(Conflict, match="Too many"):
        await follow(replays, b"third", b"other")
    waiting.cancel()


@pytest.mark.parametrize("after", [b"", b"\xff", b"k" * 256, b"second"])
async def test_a_key_to_stand_behind_that_cannot_be_one(replays: IdempotencyRegistry, after: bytes) -> None:
    with pytest.raises(ValidationFailed, match="Idempotency-After"):
        await follow(replays, after=after)
