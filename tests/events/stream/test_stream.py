"""Slow clients, reads that fail, heartbeats; nothing is missed and nothing piles up."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from harness.stores.spool_batches import batch, put
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import Internal, Unavailable
from tallyroom.events.selection import EventSelection
from tallyroom.events.stream import listener as listener_module
from tallyroom.events.stream import response as response_module
from tallyroom.events.stream import stream as stream_module
from tallyroom.events.stream.queries import ArrivalQueries
from tallyroom.events.stream.response import HEARTBEAT, StreamResponse
from tallyroom.events.stream.stream import Streams
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

ALL = EventSelection()


SOMEBODY = MemberPrincipal("user", "acme", Role.VIEWER, "paid", b"")


class Sessions:
    """What a stream asks about the one who listens."""

    def __init__(self) -> None:
        self.standing = True

    async def is_still_valid(self, _principal: MemberPrincipal) -> bool:
        return self.standing

    def end(self) -> None:
        self.standing = False


class Scene:
    """Streams over a real spool, drain and store."""

    def __init__(self, store: EventStore, path: Path) -> None:
        self.spool = Spool(path, os.urandom)
        self.drain = Drain(self.spool, store.writer, SystemClock())
        self.arrivals = ArrivalNotifier(self.spool, self.drain)
        self.closing = asyncio.Event()
        self.sessions = Sessions()
        self.streams = Streams(store.reader, self.spool, self.arrivals, self.sessions, self.closing)  # type: ignore[arg-type] # all that it is asked for
        self.scope = fresh_scope()
        self.drain.start()

    async def open_stream(self, selection: EventSelection = ALL) -> AsyncGenerator[bytes, None]:
        """A stream that begins with what comes now."""
        return await self.streams.open_stream(SOMEBODY, self.scope, selection, None)

    async def send(self, *names: str, properties: bytes = b"{}", scope: Scope | None = None) -> None:
        """Accept events, as ingest/acceptance/accept.py does."""
        scope = scope or self.scope
        first = self.spool.reserve_seqs(0)
        spool = self.spool.identity
        rows = [
            event(scope, name, properties=properties, spool=spool, seq=first + number)
            for number, name in enumerate(names)
        ]
        added = batch(self.spool, *rows)
        await put(self.spool, added)
        self.arrivals.note_settled(scope, added.last_seq, None)


@pytest.fixture
async def scene(event_store: EventStore, tmp_path: Path) -> AsyncIterator[Scene]:
    scene = Scene(event_store, tmp_path / "spool.sqlite")
    yield scene
    await asyncio.to_thread(scene.drain.stop, 5)
    await asyncio.to_thread(scene.spool.close)


async def names(texts: AsyncGenerator[bytes, None], count: int) -> list[str]:
    """The names of the next events, at least `count`."""
    found: list[str] = []
    async with asyncio.timeout(30):
        while len(found) < count:
            lines = (await anext(texts)).split(b"\n")
            found += [msgspec.json.decode(line[6:])["name"] for line in lines if line.startswith(b"data: ")]
    return found


@pytest.mark.long
async def test_a_client_that_takes_too_little_reads_by_itself_and_misses_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "_MAX_QUEUED_BYTES", 1000)
    slow = await scene.open_stream()
    await anext(slow)
    waiting = asyncio.ensure_future(anext(slow))
    await asyncio.sleep(0)
    await scene.send("first")
    assert b'"first"' in await waiting
    [listener] = scene.streams._channel_by_scope[scene.scope].listeners
    sent = [f"e{number}" for number in range(300)]
    for start in range(0, 300, 30):
        await scene.send(*sent[start : start + 30])
    while listener.is_live:
        await scene.drain.wait_reached(scene.spool.last_id)
        await asyncio.sleep(0)
    assert listener._queued_bytes == 0
    assert await names(slow, 300) == sent
    await scene.send("last")
    assert await names(slow, 1) == ["last"]
    await slow.aclose()
    assert (
        scene.streams._open_count_by_workspace_id.total(),
        scene.streams._channel_by_scope,
        scene.arrivals._watches,
    ) == (0, {}, {})


async def test_a_read_that_fails_is_tried_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "_FIRST_PAUSE_SECONDS", 0.01)
    real, faults = ArrivalQueries.fetch_events, [Unavailable("busy")] * 3

    async def failing(self: ArrivalQueries, *arguments: Any) -> Any:
        if faults:
            raise faults.pop()
        return await real(self, *arguments)

    monkeypatch.setattr(ArrivalQueries, "fetch_events", failing)
    texts = await scene.open_stream()
    await anext(texts)
    heard = asyncio.ensure_future(names(texts, 2))
    await scene.send("a", "b")
    assert await heard == ["a", "b"]
    assert faults == []
    await texts.aclose()


async def test_a_read_that_will_always_fail_ends_the_stream(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(*_: Any) -> Any:
        raise Internal("a fault of ours")

    monkeypatch.setattr(ArrivalQueries, "fetch_events", failing)
    texts = await scene.open_stream()
    await anext(texts)
    heard = asyncio.ensure_future(names(texts, 1))
    await scene.send("a")
    with pytest.raises(Internal):
        await heard
    assert scene.streams._open_count_by_workspace_id.total() == 0


async def test_a_fault_of_a_read_for_all_leaves_nobody_deaf(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither who listens, nor who comes later: one reads for itself, and the channel goes on."""
    real, faults = ArrivalQueries.fetch_events, [ZeroDivisionError("a fault of ours")]

    async def failing(self: ArrivalQueries, *arguments: Any) -> Any:
        if faults:
            raise faults.pop()
        return await real(self, *arguments)

    monkeypatch.setattr(ArrivalQueries, "fetch_events", failing)
    texts = await scene.open_stream()
    await anext(texts)
    heard = asyncio.ensure_future(names(texts, 1))
    await asyncio.sleep(0)
    await scene.send("a")
    assert await heard == ["a"]
    heard = asyncio.ensure_future(names(texts, 1))
    await asyncio.sleep(0)
    await scene.send("b")
    assert await heard == ["b"]
    assert faults == []
    await texts.aclose()


async def test_a_stream_ends_before_what_comes_after_its_session(scene: Scene) -> None:
    sent: asyncio.Queue[Any] = asyncio.Queue()
    response = StreamResponse(await scene.open_stream(), asyncio.Event().wait)  # type: ignore[arg-type] # all that it is asked for
    serving = asyncio.ensure_future(response({}, None, sent.put))  # type: ignore[arg-type] # all that it is asked for
    async with asyncio.timeout(20):
        assert (await sent.get())["status"] == 200
        assert (await sent.get())["body"].startswith(b"retry: ")
        await scene.send("before")
        assert b'"before"' in (await sent.get())["body"]
        scene.sessions.end()
        await scene.send("after")
        await serving
    assert sent.get_nowait() == {"type": "http.response.body", "body": b"", "more_body": False}
    assert sent.empty()
    assert scene.streams._open_count_by_workspace_id.total() == 0


async def test_one_question_for_all_that_listen(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = ArrivalQueries.fetch_events, []

    async def counted(self: ArrivalQueries, *arguments: Any) -> Any:
        asked.append(arguments)
        return await real(self, *arguments)

    monkeypatch.setattr(ArrivalQueries, "fetch_events", counted)
    selections = [ALL, ALL, EventSelection("a"), EventSelection(actor="nobody")]
    texts = [await scene.open_stream(each) for each in selections]
    for each in texts:
        await anext(each)
    heard = [asyncio.ensure_future(names(each, 1)) for each in texts[:3]]
    silent = asyncio.ensure_future(anext(texts[3]))
    await asyncio.sleep(0)
    await scene.send("a", scope=fresh_scope())
    await scene.send("a")
    assert await asyncio.gather(*heard) == [["a"], ["a"], ["a"]]
    assert len(asked) == 1
    assert not silent.done()
    silent.cancel()
    await asyncio.gather(silent, return_exceptions=True)
    for each in texts:
        await each.aclose()


async def test_a_quiet_stream_beats_and_ends_when_it_is_over(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_module, "HEARTBEAT_SECONDS", 0.01)
    sent: list[Any] = []
    beaten = asyncio.Event()

    async def send(message: Any) -> None:
        sent.append(message)
        if message.get("body") == HEARTBEAT:
            beaten.set()

    async def receive() -> Any:
        await asyncio.Event().wait()

    response = StreamResponse(await scene.open_stream(), scene.closing.wait)  # type: ignore[arg-type] # all that it is asked for
    serving = asyncio.ensure_future(response({}, receive, send))  # type: ignore[arg-type] # it looks at no field of it
    async with asyncio.timeout(10):
        await beaten.wait()
        scene.closing.set()
        await serving
    assert sent[1]["body"].startswith(b"retry: 2000\nid: ")
    assert sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
    assert scene.streams._open_count_by_workspace_id.total() == 0
