"""analytics.events.stream with several workers: each event once, whoever took it, also after a break or a lost message."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from typing import Any, cast

import msgspec
import pytest

from harness.servers.one_of_several import SCOPE, Several, send
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.cluster import shared_arrivals
from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.core.peers import SpoolState
from tallyroom.events.selection import EventSelection
from tallyroom.events.stream.stream import Streams
from tallyroom.server.opening import open_services
from tallyroom.server.services import Services
from tallyroom.server.workers.adoption import adopt_spool

SOMEBODY = MemberPrincipal("user", "acme", Role.VIEWER, "paid", b"")


class Sessions:
    async def is_still_valid(self, _principal: MemberPrincipal) -> bool:
        return True


class Ear:
    """What a client hears, and the id with which it would continue."""

    def __init__(self, texts: AsyncGenerator[bytes, None]) -> None:
        self._texts = texts
        self._lines: list[bytes] = []
        self.id = ""

    async def actors(self, count: int) -> list[str]:
        """The actors of the next `count` events; what came with them stays for later."""
        heard: list[str] = []
        async with asyncio.timeout(60):
            while len(heard) < count:
                if not self._lines:
                    self._lines = (await anext(self._texts)).splitlines()
                line = self._lines.pop(0)
                if line.startswith(b"id: "):
                    self.id = line[4:].decode()
                elif line.startswith(b"data: "):
                    heard.append(msgspec.json.decode(line[6:])["actorKey"])
        return heard

    async def begun(self) -> None:
        """Wait for the first block."""
        self._lines = (await anext(self._texts)).splitlines()
        await self.actors(0)
        self.id = self._lines[1][4:].decode()
        self._lines = []


@pytest.fixture
async def listening() -> Callable[..., AbstractAsyncContextManager[Ear]]:
    """Opens a stream of a worker, which goes on after an id if one is given."""
    streams: dict[int, Streams] = {}

    @asynccontextmanager
    async def listen(services: Services, last_id: str | None = None) -> AsyncIterator[Ear]:
        parts = services.reader, services.spool, services.arrivals, cast("Any", Sessions()), services.closing
        of_worker = streams.setdefault(services.spool.identity, Streams(*parts))
        async with aclosing(await of_worker.open_stream(SOMEBODY, SCOPE, EventSelection(), last_id)) as texts:
            ear = Ear(texts)
            await ear.begun()
            yield ear

    return listen


Listening = Callable[..., AbstractAsyncContextManager[Ear]]


async def reported(services: Services, to: Services) -> None:
    """Wait until another worker knows what this one has acknowledged."""
    while (await to.database.peers.find_spools())[services.spool.identity].acknowledged_seq < services.spool.last_seq:  # noqa: ASYNC110 # nobody tells
        await asyncio.sleep(0.02)


@pytest.mark.long
async def test_the_events_of_all_workers_are_heard_once(several: Several, listening: Listening) -> None:
    async with several.opened("a") as a, several.opened("b") as b, several.opened("c") as c:
        await send(a, "before")
        await reported(a, b)
        async with listening(a) as ear, listening(a) as other, listening(b) as third:
            hearing = asyncio.gather(*(each.actors(9) for each in (ear, other, third)))
            for turn in range(3):
                for name, services in (("a", a), ("b", b), ("c", c)):
                    await send(services, f"{name}{turn}")
            for heard in await hearing:
                assert sorted(heard) == sorted(f"{name}{turn}" for name in "abc" for turn in range(3))
                for name in "abc":
                    assert [each for each in heard if each[0] == name] == [f"{name}{turn}" for turn in range(3)]


@pytest.mark.long
async def test_a_client_goes_on_at_another_worker(several: Several, listening: Listening) -> None:
    async with several.opened("a") as a, several.opened("b") as b:
        async with listening(a) as ear:
            first = ear.id
            await send(a, "a1")
            assert await ear.actors(1) == ["a1"]
            await send(b, "b1", "b2")
            assert await ear.actors(1) == ["b1"]
            middle = ear.id
        await send(a, "a2")
        await send(b, "b3")
        async with listening(b, middle) as ear:
            assert sorted(await ear.actors(3)) == ["a2", "b2", "b3"]
            last = ear.id
        async with listening(b, first) as ear:
            assert sorted(await ear.actors(5)) == ["a1", "a2", "b1", "b2", "b3"]
        async with listening(a, last) as ear:
            await send(b, "b4")
            assert await ear.actors(1) == ["b4"]


@pytest.mark.long
async def test_a_client_goes_on_after_an_event_wherever_it_was_taken(several: Several, listening: Listening) -> None:
    """It may know the event's own id only, from a list or from a time when one process served alone."""
    async with several.opened("a") as a, several.opened("b") as b:
        await send(a, "a1")
        await send(b, "b1")
        rows = a.writer.command("SELECT actor, id FROM events").split()
        ids = dict(zip(rows[::2], rows[1::2], strict=True))
        await send(b, "b2")
        await send(a, "a2")
        async with listening(a, ids["b1"]) as ear:
            assert sorted(await ear.actors(2)) == ["a2", "b2"]
            await send(b, "b3")
            assert await ear.actors(1) == ["b3"]
        for text in ("w1.AAAA", "nothing"):
            with pytest.raises(ValidationFailed):
                async with listening(a, text):
                    pass


@pytest.mark.long
async def test_lost_messages_are_made_up_for(
    several: Several, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a, several.opened("b") as b, listening(a) as ear:
        await send(b, "b1")
        assert await ear.actors(1) == ["b1"]
        with monkeypatch.context() as patched:
            lost: asyncio.Queue[str] = asyncio.Queue()
            patched.setattr(b.database.peers, "broadcast", lost.put)
            await send(b, "b2", "b3")
            assert b.spool.identity in msgspec.json.decode(await lost.get())
        await send(b, "b4")
        assert await ear.actors(3) == ["b2", "b3", "b4"], "the next message says that one is missing"
        monkeypatch.setattr(shared_arrivals, "_POLL_SECONDS", 0.2)
        monkeypatch.setattr(b.database.peers, "broadcast", lost.put)
        await send(b, "b5")
        assert await ear.actors(1) == ["b5"], "nobody said anything"


@pytest.mark.long
async def test_a_worker_that_comes_or_goes_is_heard_from_its_first_event_to_its_last(
    several: Several, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_arrivals, "_POLL_SECONDS", 0.2)
    async with several.opened("a") as a:
        async with listening(a) as ear:
            before = ear.id
            async with several.opened("b") as b:
                await send(b, "b1")
                assert await ear.actors(1) == ["b1"]
                between = ear.id
                await send(b, "b2")
        services = open_services(several.settings("b"))
        assert (await adopt_spool(services, lambda _: None, 30)).spool == services.spool.identity
        for last_id, missed in ((before, ["b1", "b2"]), (between, ["b2"])):
            async with listening(a, last_id) as ear:
                assert await ear.actors(len(missed)) == missed
                await send(a, "a1")
                assert await ear.actors(1) == ["a1"]
        async with listening(a) as ear:
            await send(a, "a2")
            assert await ear.actors(1) == ["a2"]


async def test_a_stream_cannot_begin_where_nobody_knows_of_the_others(
    several: Several, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several.opened("a") as a:

        async def away() -> dict[int, SpoolState]:
            raise Unavailable("away")

        monkeypatch.setattr(a.database.peers, "find_spools", away)
        with pytest.raises(Unavailable):
            async with listening(a):
                pass
