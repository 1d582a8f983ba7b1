"""Workers watch for each other, say from where on they tell everything, and tell no one unasked."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

import msgspec
import pytest

from conftest import FakeClock
from harness.stores.event_store import event, fresh_scope
from harness.stores.peers import FewPeers
from harness.stores.spool_batches import batch, put
from tallyroom.cluster import shared_arrivals as module
from tallyroom.cluster.open_ingest import open_arrivals
from tallyroom.cluster.shared_arrivals import ArrivalReport, ReportQueue, SharedArrivals
from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import MAX_MESSAGE_BYTES, SpoolState
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

OTHER = 7


@dataclass
class Told(FewPeers):
    """Peers that keep what they are told."""

    number: int = 2
    messages: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)
    known: dict[int, SpoolState] = field(default_factory=dict)
    is_away: bool = False
    hearer: Callable[[str], None] | None = None

    async def broadcast(self, message: str) -> None:
        if self.is_away:
            raise Unavailable("away")
        await self.messages.put(message)

    async def find_spools(self) -> Mapping[int, SpoolState]:
        return dict(self.known)

    def subscribe(self, hearer: Callable[[str], None]) -> None:
        self.hearer = hearer


@pytest.fixture
def peers() -> Told:
    return Told()


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_SEND_WATCHES_SECONDS", "_POLL_SECONDS", "_ANNOUNCE_SECONDS"):
        monkeypatch.setattr(module, name, 0.01)


@pytest.fixture
async def arrivals(spool: Spool, drain: Drain, peers: Told, fake_clock: FakeClock) -> AsyncIterator[SharedArrivals]:
    arrivals = SharedArrivals(spool, drain, peers, fake_clock)
    yield arrivals
    await arrivals.close()


async def told(peers: Told) -> tuple[int, list[list[str]], list[list[object]]]:
    async with asyncio.timeout(20):
        spool, watched, arrived = msgspec.json.decode(await peers.messages.get())
    return spool, watched, arrived


def asked(*scopes: Scope) -> str:
    return msgspec.json.encode([OTHER, [[each.workspace_id, each.environment] for each in scopes], []]).decode()


def news(scope: Scope, after: int, last_seq: int, days: list[int] | None, spool: int = OTHER) -> str:
    row = [scope.workspace_id, scope.environment, after, last_seq, days]
    return msgspec.json.encode([spool, [], [row]]).decode()


async def accept(spool: Spool, arrivals: SharedArrivals, scope: Scope) -> int:
    """One event of a day, accepted as ingest/acceptance/accept.py does."""
    seq = spool.reserve_seqs(0)
    added = batch(spool, event(scope, "a", spool=spool.identity, seq=seq))
    await put(spool, added)
    arrivals.note_settled(scope, added.last_seq, frozenset({3}))
    return added.last_seq


async def next_of(following: ReportQueue) -> ArrivalReport:
    async with asyncio.timeout(20):
        return await following.wait_for_report()


def test_a_process_alone_shares_nothing(spool: Spool, drain: Drain, fake_clock: FakeClock) -> None:
    assert type(open_arrivals("", spool, drain, FewPeers(), fake_clock)) is ArrivalNotifier


async def test_what_others_watch_is_announced_as_long_as_they_do(
    spool: Spool, drain: Drain, peers: Told, arrivals: SharedArrivals, fake_clock: FakeClock
) -> None:
    drain.start()
    scope = fresh_scope()
    await accept(spool, arrivals, scope)
    assert peers.messages.empty()
    assert peers.hearer is not None
    peers.hearer(asked(scope))
    since = spool.last_seq
    first = await accept(spool, arrivals, scope)
    await accept(spool, arrivals, fresh_scope())
    assert await told(peers) == (spool.identity, [], [[scope.workspace_id, scope.environment, since, first, [3]]])
    second = await accept(spool, arrivals, scope)
    assert (await told(peers))[2] == [[scope.workspace_id, scope.environment, first, second, [3]]]
    fake_clock.advance(11)
    assert arrivals._announce_task is not None
    async with asyncio.timeout(20):
        await arrivals._announce_task
    assert arrivals._watches == {}
    arrivals.receive_message(asked(scope))
    third = await accept(spool, arrivals, scope)
    assert (await told(peers))[2] == [[scope.workspace_id, scope.environment, second, third, [3]]]


async def test_that_nothing_came_is_said_too_but_not_before_all_is_stored(
    spool: Spool, drain: Drain, peers: Told, arrivals: SharedArrivals, fake_clock: FakeClock
) -> None:
    scope = fresh_scope()
    await accept(spool, arrivals, scope)
    arrivals.receive_message(asked(scope))
    since = spool.last_seq
    elsewhere = await accept(spool, arrivals, fresh_scope())
    fake_clock.advance(3)
    for _ in range(10):
        await asyncio.sleep(0.01)
    assert peers.messages.empty(), "the drain stands still"
    drain.start()
    assert (await told(peers))[2] == [[scope.workspace_id, scope.environment, since, elsewhere, []]]


async def test_a_refused_request_says_nothing_about_those_before_it(
    spool: Spool, drain: Drain, arrivals: SharedArrivals
) -> None:
    settled = arrivals.settled_seq
    arrivals.note_settled(fresh_scope(), settled + 9, None, is_kept=False)
    assert arrivals.settled_seq == settled


async def test_what_is_followed_is_asked_for_again_and_again(
    spool: Spool, peers: Told, arrivals: SharedArrivals
) -> None:
    one, other = fresh_scope(), fresh_scope()
    following = arrivals.follow(one)
    for _ in range(2):
        assert await told(peers) == (spool.identity, [[one.workspace_id, one.environment]], [])
    arrivals.follow(other)
    while len((await told(peers))[1]) < 2:
        pass
    arrivals.unfollow(following)
    while len((await told(peers))[1]) > 1:
        pass


async def test_reports_of_one_environment_are_collected(spool: Spool, arrivals: SharedArrivals) -> None:
    scope = fresh_scope()
    following = arrivals.follow(scope)
    arrivals.receive_message(news(fresh_scope(), 0, 5, [1]))
    arrivals.receive_message(news(scope, 0, 5, [1], spool=spool.identity))
    arrivals.receive_message("no message")
    arrivals.receive_message(news(scope, 2, 5, [1]))
    arrivals.receive_message(news(scope, 5, 8, [2]))
    arrivals.receive_message(news(scope, 0, 1, None, spool=8))
    assert await next_of(following) == ArrivalReport(OTHER, 2, 8, frozenset({1, 2}))
    assert await next_of(following) == ArrivalReport(8, 0, 1, None)


@pytest.mark.parametrize(
    ("earlier", "later", "both"),
    [
        ((2, 5, {1}), (5, 8, {2}), (2, 8, {1, 2})),
        ((2, 5, {1}), (6, 8, {2}), (2, 8, None)),
        ((5, 5, set()), (2, 8, {2}), (2, 8, {2})),
        ((2, 8, {1}), (5, 5, set()), (2, 8, {1})),
        ((2, 5, None), (5, 8, {2}), (2, 8, None)),
    ],
)
def test_two_reports_become_one(
    earlier: tuple[int, int, set[int] | None],
    later: tuple[int, int, set[int] | None],
    both: tuple[int, int, set[int] | None],
) -> None:
    one, other, united = (
        ArrivalReport(OTHER, after, last, None if days is None else frozenset(days))
        for after, last, days in (earlier, later, both)
    )
    assert one.combine(other) == united


async def test_what_nobody_told_is_found_at_the_second_look(peers: Told, arrivals: SharedArrivals) -> None:
    peers.known = {
        arrivals._own_spool_id: SpoolState(9, 9, 1, is_used=True),
        OTHER: SpoolState(6, 4, 2, is_used=True),
        8: SpoolState(3, 3, 3, is_used=False),
    }
    following = arrivals.follow(fresh_scope())
    assert await next_of(following) == ArrivalReport(OTHER, 4, 4, frozenset())
    peers.known[OTHER] = SpoolState(6, 6, 2, is_used=False)
    while (report := await next_of(following)).last_seq < 6:
        assert report.spool_id == OTHER
    assert report == ArrivalReport(OTHER, 6, 6, frozenset())


async def test_messages_are_short_enough_and_those_that_cannot_be_sent_are_lost(
    spool: Spool, peers: Told, arrivals: SharedArrivals
) -> None:
    scopes = [fresh_scope() for _ in range(300)]
    peers.is_away = True
    for scope in scopes:
        arrivals.follow(scope)
    await asyncio.sleep(0.03)
    peers.is_away = False
    found: set[str] = set()
    while len(found) < 300:
        async with asyncio.timeout(20):
            message = await peers.messages.get()
        assert len(message) <= MAX_MESSAGE_BYTES
        found |= {workspace_id for workspace_id, _ in msgspec.json.decode(message)[1]}
    assert found == {each.workspace_id for each in scopes}
