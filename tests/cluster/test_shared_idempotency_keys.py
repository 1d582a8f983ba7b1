"""Of all workers, one keeps the request, whatever happens to it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from harness.stores.metadata import opened
from harness.stores.shared_metadata import SCOPE, LockedPeers, SharingWorker, all_at_once, kept, sharing
from harness.suite.patience import PATIENCE
from tallyroom.cluster import idempotency_repository
from tallyroom.cluster import shared_idempotency_keys as module
from tallyroom.core import failpoints
from tallyroom.core.errors import Unavailable
from tallyroom.storage.spool.commit_group import KeyQueue
from tallyroom.storage.spool.replays import KEEP_MS, QUEUE_KEEP_MS

Open = Callable[..., SharingWorker]
OPEN = "SELECT count(*) FROM idempotency_keys WHERE accepted IS NULL"


@pytest.fixture
async def start(
    on_both: None, metadata: Path, tmp_path: Path, fake_clock: Any
) -> AsyncIterator[Open]:  # chooses the database
    """Opens workers in this process; those that a test has not closed are closed."""
    async with AsyncExitStack() as stack:

        def begin(name: str) -> SharingWorker:
            database = opened(metadata)
            worker = SharingWorker(tmp_path / name, database, fake_clock, LockedPeers(tmp_path))
            stack.push_async_callback(worker.close)
            return worker

        yield begin
        failpoints.configure("")


@contextmanager
def away(worker: SharingWorker) -> Iterator[None]:
    """The metadata of a worker takes nothing meanwhile."""

    def session(*, write: bool) -> Any:
        raise Unavailable("away")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.database, "session", session)
        yield


@pytest.mark.long
async def test_a_request_to_two_workers_counts_once(start: Open, tmp_path: Path) -> None:
    a, b = start("a"), start("b")
    assert [await worker.send("k") for worker in (a, b, a, b)] == [202, 200, 200, 200]
    assert kept(tmp_path) == ["k"]


@pytest.mark.long
async def test_another_body_is_refused_by_every_worker(start: Open) -> None:
    a, b = start("a"), start("b")
    await a.send("k")
    assert [await worker.send("k", "another") for worker in (a, b)] == [422, 422]


async def test_a_request_that_still_runs_elsewhere_is_a_conflict(start: Open) -> None:
    a, b = start("a"), start("b")
    async with a.idempotency_registry.claim_key(SCOPE, b"k", b"body"):
        assert await b.send("k") == 409
    assert await b.send("k") == 202, "the first one kept nothing"
    assert await a.send("k") == 200


async def test_a_refused_request_may_be_sent_to_any_worker(start: Open) -> None:
    a, b = start("a"), start("b")
    with pytest.raises(ZeroDivisionError):
        async with a.idempotency_registry.claim_key(SCOPE, b"k", b"body"):
            raise ZeroDivisionError
    assert await b.send("k", "another") == 202


async def test_a_commit_that_fails_frees_the_key(start: Open) -> None:
    a, b = start("a"), start("b")
    failpoints.configure("spool.commit.before=error")
    assert await a.send("k") == 503
    failpoints.configure("")
    assert await b.send("k") == 202


@pytest.mark.long
async def test_a_key_is_free_again_after_24_hours(start: Open, fake_clock: Any) -> None:
    a, b = start("a"), start("b")
    await a.send("k")
    fake_clock.advance(KEEP_MS / 1000 - 0.001)
    assert await b.send("k") == 200
    fake_clock.advance(0.001)
    assert await b.send("k", "another") == 202
    await a.idempotency_registry.forget_old_keys()
    assert await a.database.look_up("SELECT count(*) FROM idempotency_keys") == (1,)
    fake_clock.advance(KEEP_MS / 1000)
    await a.idempotency_registry.forget_old_keys()
    assert await a.database.look_up("SELECT count(*) FROM idempotency_keys") == (0,)


QUEUE = KeyQueue("api-key", "a" * 22)


async def keys_of(worker: SharingWorker) -> list[str]:
    """Those that the metadata has, oldest first."""
    rows = await worker.database.look_up_all("SELECT key FROM idempotency_keys ORDER BY queue_position, key")
    return [key for (key,) in rows]


async def test_of_a_queue_all_workers_remember_the_newest_sixteen(start: Open) -> None:
    a, b, c = start("a"), start("b"), start("c")
    keys = [f"k{number:02}" for number in range(20)]
    for number, key in enumerate(keys):
        assert await (a, b)[number % 2].send(key, queue=QUEUE) == 202
    assert await keys_of(a) == keys[-16:]
    assert [await c.send(key, queue=QUEUE) for key in keys[-16:]] == [200] * 16
    assert await c.send(keys[0], "another", queue=QUEUE) == 202, "it is forgotten"


async def test_a_key_of_a_queue_is_remembered_for_60_days_by_every_worker(start: Open, fake_clock: Any) -> None:
    a, b = start("a"), start("b")
    assert [await a.send("k", queue=QUEUE), await a.send("single")] == [202, 202]
    fake_clock.advance(QUEUE_KEEP_MS / 1000 - 0.001)
    await b.idempotency_registry.forget_old_keys()
    assert await keys_of(a) == ["k"]
    assert await b.send("k", queue=QUEUE) == 200
    fake_clock.advance(0.001)
    assert await b.send("k", "another", queue=QUEUE) == 202


async def test_a_queue_without_new_keys_for_60_days_is_forgotten(start: Open, fake_clock: Any) -> None:
    a = start("a")
    await a.send("k", queue=QUEUE)
    fake_clock.advance(QUEUE_KEEP_MS / 1000)
    await a.idempotency_registry.forget_old_keys()
    assert await keys_of(a) == []
    assert await a.database.look_up("SELECT count(*) FROM idempotency_queues") == (0,)


async def test_all_workers_forget_the_queue_that_is_unused_for_longest(
    start: Open, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency_repository, "MAX_QUEUES", 3)
    a, b = start("a"), start("b")
    for name in ("q1", "q2", "q3", "q1-again", "q4"):
        fake_clock.advance(1)
        assert await a.send(name, queue=KeyQueue("api-key", name[:2])) == 202
    assert await b.send("other", queue=KeyQueue("other-key", "q5")) == 202
    assert sorted(await keys_of(b)) == ["other", "q1", "q1-again", "q3", "q4"]
    assert await b.send("q2", "another", queue=KeyQueue("api-key", "q2")) == 202


async def test_thirty_requests_of_a_queue_at_once_leave_no_key_open(start: Open) -> None:
    a, b = start("a"), start("b")
    keys = [f"k{number:02}" for number in range(30)]
    assert await asyncio.gather(*(a.send(key, queue=QUEUE) for key in keys)) == [202] * 30
    assert await a.database.look_up(OPEN) == (0,)
    assert {await b.send(key, queue=QUEUE) for key in keys[-16:]} <= {200}
    assert await a.send(keys[0], queue=QUEUE) in {200, 202}, "none runs for ever"


async def test_what_was_settled_later_is_of_its_queue(start: Open) -> None:
    a, b = start("a"), start("b")
    with ExitStack() as stack:
        async with a.idempotency_registry.claim_key(SCOPE, b"k", b"body", QUEUE) as (idempotent_request, _):
            await a.keep("k", idempotent_request)
            stack.enter_context(away(a))
    await a.idempotency_registry.settle_keys()
    assert await b.send("k", queue=QUEUE) == 200
    assert await a.database.look_up("SELECT queue, queue_position FROM idempotency_keys") == (QUEUE.name, 1)


async def test_while_the_metadata_is_away_no_key_is_taken(start: Open, tmp_path: Path) -> None:
    a = start("a")
    await a.send("known")
    with away(a):
        assert [await a.send(key) for key in ("k", "known")] == [503, 200], "its own spool knows one of them"
    assert kept(tmp_path) == ["known"]
    assert await a.send("k") == 202


@pytest.mark.long
async def test_what_could_not_be_recorded_is_settled_later(start: Open) -> None:
    a, b = start("a"), start("b")
    await a.idempotency_registry.settle_keys()
    with ExitStack() as stack:
        async with a.idempotency_registry.claim_key(SCOPE, b"kept", b"body") as (idempotent_request, _):
            await a.keep("kept", idempotent_request)
            stack.enter_context(away(a))
    with ExitStack() as stack, suppress(ZeroDivisionError):
        async with a.idempotency_registry.claim_key(SCOPE, b"lost", b"body"):
            stack.enter_context(away(a))
            raise ZeroDivisionError
    with away(a), pytest.raises(Unavailable):
        await a.idempotency_registry.settle_keys()
    assert [await b.send(key) for key in ("kept", "lost")] == [409, 409]
    await a.idempotency_registry.settle_keys()
    assert [await b.send(key) for key in ("kept", "lost")] == [200, 202]


async def test_settling_leaves_requests_that_still_run_alone(start: Open) -> None:
    a, b = start("a"), start("b")
    async with a.idempotency_registry.claim_key(SCOPE, b"k", b"body"):
        await a.idempotency_registry.settle_keys()
        assert await b.send("k") == 409
    assert await b.send("k") == 202


@pytest.mark.long
async def test_a_request_that_is_cancelled_half_way_is_settled_by_its_end(start: Open, tmp_path: Path) -> None:
    a, b = start("a"), start("b")
    failpoints.configure("spool.commit.before=block")
    sending = asyncio.create_task(a.send("k"))
    async with asyncio.timeout(PATIENCE):
        while not any(place.decided.is_set() for place in a.idempotency_registry._running_wait_by_key.values()):  # noqa: ASYNC110 # nobody tells
            await asyncio.sleep(0.001)
    sending.cancel()
    with suppress(asyncio.CancelledError):
        await sending
    assert [await worker.send("k") for worker in (a, b)] == [409, 409]
    failpoints.release()
    await a.close()
    assert await b.send("k") == 200
    assert kept(tmp_path) == ["k"]


@pytest.mark.long
async def test_many_requests_share_a_transaction(start: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_KEYS_PER_WRITE", 30)
    a, b = start("a"), start("b")
    names = [f"k{number}" for number in range(100)]
    both = await asyncio.gather(*(worker.send(name) for name in names for worker in (a, b)))
    assert sorted(both[::2] + both[1::2]).count(202) == 100
    assert set(both) <= {200, 202, 409}
    assert await asyncio.gather(*(worker.send(name) for name in names for worker in (a, b))) == [200] * 200


async def received(worker: SharingWorker, name: str) -> int:
    [found] = [row.received_ms for row in worker.rows if row.name == name]
    return found


@pytest.mark.long
async def test_a_request_follows_one_of_another_worker(start: Open) -> None:
    a, b = start("a"), start("b")
    await a.send("first")
    assert await b.send("second", after="first") == 202
    assert await received(b, "second") > await received(a, "first"), "though the clock stands still"


@pytest.mark.long
async def test_a_request_follows_one_that_still_runs_elsewhere(start: Open) -> None:
    a, b = start("a"), start("b")
    async with a.idempotency_registry.claim_key(SCOPE, b"first", b"body") as (idempotent_request, _):
        following = asyncio.create_task(b.send("second", after="first"))
        await seen_coming(b)
        await a.keep("first", idempotent_request)
        assert not following.done()
    assert await following == 202
    assert await received(b, "second") > await received(a, "first")


@pytest.mark.long
async def test_a_request_behind_one_that_is_refused_elsewhere_is_refused(start: Open) -> None:
    a, b = start("a"), start("b")
    with suppress(ZeroDivisionError):
        async with a.idempotency_registry.claim_key(SCOPE, b"first", b"body"):
            following = asyncio.create_task(b.send("second", after="first"))
            await seen_coming(b)
            raise ZeroDivisionError
    assert await following == 409
    assert kept(Path(b.folder).parent) == []


async def test_a_request_still_follows_one_that_comes_to_the_same_worker(start: Open) -> None:
    a = start("a")
    following = asyncio.create_task(a.send("second", after="first"))
    await seen_coming(a)
    assert await a.send("first") == 202
    assert await following == 202
    assert [row.name for row in a.rows] == ["first", "second"]


async def test_a_request_behind_one_that_a_repeat_finds_elsewhere(start: Open) -> None:
    a, b = start("a"), start("b")
    following = asyncio.create_task(b.send("second", after="first"))
    await seen_coming(b)
    await a.send("first")
    assert await b.send("first") == 200
    assert await following == 202
    assert await received(b, "second") > await received(a, "first")


async def seen_coming(worker: SharingWorker) -> None:
    """Wait until a request at this worker waits for another one, and has looked where it is."""
    async with asyncio.timeout(PATIENCE):
        while not worker.looked:  # noqa: ASYNC110 # nobody tells
            await asyncio.sleep(0.001)


def race(folder: Path, dsn: str, rounds: int) -> None:
    """Each round, all workers get the same ten keys at once."""
    with sharing(folder, dsn) as processes:
        for number in range(rounds):
            keys = [f"{number}-{each}" for each in range(10)]
            answers = list(zip(*all_at_once(processes, "send", *keys), strict=True))
            for answers_of_key in answers:
                assert answers_of_key.count(202) == 1, "one of eight"
                assert set(answers_of_key) <= {200, 202, 409}
            assert all_at_once(processes, "send", *keys) == [[200] * 10] * len(processes)
    assert kept(folder) == sorted(f"{number}-{each}" for number in range(rounds) for each in range(10))


@pytest.mark.long
def test_of_eight_processes_one_keeps_each_request(tmp_path: Path, dsn: str) -> None:
    race(tmp_path, dsn, 5)


@pytest.mark.long
def test_of_eight_processes_one_keeps_each_request_again_and_again(tmp_path: Path, dsn: str) -> None:
    race(tmp_path, dsn, 200)


def die_half_way(folder: Path, dsn: str, failing: str) -> None:
    """All get the same keys until the first worker is killed, which has one more each time; then it comes back."""
    keys: list[str] = []
    with sharing(folder, dsn, 3, failing) as (dead, *others):
        answer: Any = []
        while answer is not None:
            new = [f"{len(keys)}-{number}" for number in range(20)]
            own = f"{len(keys)}-own"
            keys += [*new, own]
            finish = [worker.begin("send", *new) for worker in others]
            answer = dead.do("send", *new, own)
            for answers_of_key in zip(*(each() for each in finish), strict=True):
                assert answers_of_key.count(202) <= 1
        assert dead.wait_for_end() == -9
        last = all_at_once(others, "send", *keys)
        assert 503 in last[0], "what the dead one has, nobody takes"
        with sharing(folder, dsn, 1):  # on the spool of the dead one
            assert {*others[0].do("send", *keys)} <= {200, 202}
            assert others[1].do("send", *keys) == [200] * len(keys)
    assert kept(folder) == sorted(keys)


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_is_killed_half_way_loses_nothing_and_doubles_nothing(
    tmp_path: Path, dsn: str, moment: str
) -> None:
    die_half_way(tmp_path, dsn, f"spool.commit.{moment}=kill")


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.parametrize("moment", ["before", "after"])
def test_kills_at_any_commit(tmp_path: Path, dsn: str, moment: str, number: int) -> None:
    die_half_way(tmp_path, dsn, f"spool.commit.{moment}=kill@{number}")
