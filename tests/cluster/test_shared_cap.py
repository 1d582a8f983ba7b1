"""All workers together take a free workspace's events to the last one, and not one more."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from harness.stores.metadata import opened
from harness.stores.shared_metadata import SCOPE, LockedPeers, SharingWorker, all_at_once, sharing, spent
from harness.stores.spool_batches import MONTH
from tallyroom.cluster import shared_cap as module
from tallyroom.core import failpoints
from tallyroom.core.errors import Unavailable

Open = Callable[..., SharingWorker]
CAP = 1000


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for other workers, except where a test says so."""
    monkeypatch.setattr(module, "_MAX_TRIES", 1)


@pytest.fixture
async def start(on_both: None, metadata: Path, tmp_path: Path, fake_clock: Any) -> AsyncIterator[Open]:
    """Opens workers in this process, of which there are two; those that a test has not closed are closed."""
    async with AsyncExitStack() as stack:

        def begin(name: str, cap: int = CAP) -> SharingWorker:
            worker = SharingWorker(tmp_path / name, opened(metadata), fake_clock, LockedPeers(tmp_path, 2), cap)
            stack.push_async_callback(worker.close)
            return worker

        yield begin
        failpoints.configure("")


def granted(worker: SharingWorker) -> int:
    return worker.cap._granted_by_key.get((SCOPE.workspace_id, MONTH), 0)


async def used(worker: SharingWorker) -> int:
    return await worker.cap.count_used(SCOPE.workspace_id, MONTH)


async def test_one_cap_holds_over_all_workers(start: Open) -> None:
    a, b = start("a", 10), start("b", 10)
    assert [await a.count(7), await b.count(4), await b.count(3), await a.count(1), await b.count(1)] == [
        202,
        402,
        202,
        402,
        402,
    ]
    assert [await used(a), await used(b)] == [7, 3], "what the other one has counted comes with its report"
    await a.cap.report_counts()
    await b.cap.report_counts()
    assert [await used(a), await used(b)] == [10, 10]


async def test_a_worker_takes_a_block_and_asks_nobody_until_it_is_used(start: Open) -> None:
    a = start("a")
    assert not a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 1)
    assert await a.count(1) == 202
    assert granted(a) == CAP // 16, "an eighth of what is left, divided by the workers"
    assert all(a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 1) for _ in range(CAP // 16 - 1))
    assert not a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 1)


async def test_blocks_shrink_until_each_request_takes_what_it_needs(start: Open) -> None:
    a, b = start("a"), start("b")
    assert await a.count(960) == 202
    assert granted(a) == 960
    assert await b.count(3) == 202
    assert granted(b) == 3


async def test_what_is_not_used_is_given_back(start: Open, fake_clock: Any) -> None:
    a, b = start("a"), start("b")
    await a.count(1)
    await a.cap.report_counts()
    assert granted(a) > 1, "it was used just now"
    assert await b.count(CAP - 1) == 402
    await a.cap.report_counts()
    assert granted(a) <= 1
    fake_clock.advance(1)
    assert await b.count(CAP - 1) == 202


@pytest.mark.long
async def test_a_grant_in_use_is_given_back_where_there_is_little_for_others(start: Open) -> None:
    a, b = start("a"), start("b")
    await a.count(1)
    held = granted(a)
    assert await b.count(CAP - held) == 202
    await a.count(1)
    await a.cap.report_counts()
    assert granted(a) <= 2
    assert await b.count(held - 2) == 202
    assert [await a.count(1), await b.count(1)] == [402, 402]


@pytest.mark.long
async def test_a_refusal_is_known_for_a_second(start: Open, fake_clock: Any) -> None:
    a, b = start("a"), start("b")
    assert await b.count(CAP - 5) == 202
    assert await a.count(6) == 402
    with pytest.raises(Exception, match="allows 1000 events a month"):
        a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 6)
    assert not a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 5), "there may be room for these"
    fake_clock.advance(1)
    assert not a.cap.reserve(SCOPE.workspace_id, "free", MONTH, 6)


async def test_what_others_do_not_use_is_waited_for(start: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_TRIES", 10_000)
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.001)
    a, b = start("a"), start("b")
    await a.count(1)
    await a.cap.report_counts()
    waiting = asyncio.create_task(b.count(CAP - 1))
    looked, look = asyncio.Event(), b.cap._may_others_return_enough

    async def noted(*arguments: Any, **options: Any) -> bool:
        looked.set()
        return await look(*arguments, **options)

    monkeypatch.setattr(b.cap, "_may_others_return_enough", noted)
    await looked.wait()
    assert not waiting.done()
    await a.cap.report_counts()
    assert await waiting == 202
    assert await b.count(1) == 402, "nobody has anything to wait for"


async def test_nobody_waits_for_a_worker_that_has_died(start: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_TRIES", 10_000)
    a, b = start("a"), start("b")
    await a.count(1)
    await a.close(silently=True)
    assert await b.count(CAP - 1) == 402


async def test_requests_that_wait_take_together(start: Open) -> None:
    a, b = start("a"), start("b")
    assert await b.count(CAP - 40) == 202
    assert sorted(await asyncio.gather(*(a.count(1) for _ in range(50)))) == [202] * 40 + [402] * 10
    assert granted(a) == 40


@pytest.mark.long
async def test_what_was_not_kept_is_given_back(start: Open) -> None:
    a, b = start("a"), start("b")
    failpoints.configure("spool.commit.before=error")
    assert await a.count(CAP) == 503
    failpoints.configure("")
    await a.cap.report_counts()
    await a.cap.report_counts()
    assert await b.count(CAP) == 202


@pytest.mark.long
async def test_a_paid_workspace_is_counted_and_asks_nobody(start: Open) -> None:
    a, b = start("a"), start("b")
    assert a.cap.reserve(SCOPE.workspace_id, "paid", MONTH, 900)
    await a.cap.report_counts()
    assert await used(b) == 900
    assert [await b.count(101), await b.count(100)] == [402, 202], "the plan holds from the next request on"
    assert [await a.count(1), await a.count(5000, "paid")] == [402, 202]


async def test_the_first_part_is_taken_where_not_all_has_room(start: Open) -> None:
    a, b = start("a"), start("b")
    assert await b.count(CAP - 7) == 202

    async def take(events: int) -> int:
        while (taken := a.cap.reserve_up_to(SCOPE.workspace_id, "free", MONTH, events)) is None:
            await a.cap.make_room(SCOPE.workspace_id, "free", MONTH, events, is_part_enough=True)
        return taken

    assert [await take(3), await take(9), await take(1)] == [3, 4, 0]
    assert a.cap.reserve_up_to(SCOPE.workspace_id, "paid", MONTH, 9) == 9


async def test_a_worker_that_comes_back_gives_back_what_it_had_not_used(start: Open, fake_clock: Any) -> None:
    a, b = start("a"), start("b")
    await a.count(1)
    await a.close(silently=True)
    fake_clock.advance(1)
    assert await b.count(CAP - 1) == 402
    again = start("a")
    await again.cap.report_counts()
    fake_clock.advance(1)
    assert await b.count(CAP - 1) == 202
    assert [await again.count(1), await b.count(1)] == [402, 402]


async def test_months_are_apart(start: Open, fake_clock: Any) -> None:
    a = start("a", 1)
    assert [await a.count(1), await a.count(1)] == [202, 402]
    fake_clock.advance(31 * 86_400)
    assert [await a.count(1), await a.count(1)] == [202, 402]


async def test_a_cap_of_zero_takes_nothing(start: Open) -> None:
    assert await start("a", 0).count(1) == 402


async def test_a_stop_gives_back_everything(start: Open) -> None:
    a, b = start("a"), start("b")
    await a.count(1)
    await a.close()
    assert await b.count(CAP - 1) == 202


async def test_a_stop_that_cannot_report_owes_it(start: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object) -> None:
        raise Unavailable("Somebody else writes.")

    owed: list[None] = []
    a = start("a")
    await a.count(1)
    monkeypatch.setattr(a.cap, "report_counts", refuse)
    monkeypatch.setattr(a.cap._peers, "mark_unfinished", lambda: owed.append(None))
    await a.cap.close()
    assert owed == [None]


def race(folder: Path, dsn: str, cap: int) -> None:
    """All workers send as much as they can."""
    with sharing(folder, dsn, cap=cap) as processes:
        accepted = all_at_once(processes, "spend", 1, 3, 7)
        assert sum(accepted) == cap
        assert spent(folder) == accepted
        assert processes[0].do("granted") == cap
        assert all_at_once(processes, "spend", 1) == [0] * len(processes)


@pytest.mark.long
def test_eight_processes_take_the_cap_to_the_last_event(tmp_path: Path, dsn: str) -> None:
    race(tmp_path, dsn, 2000)


@pytest.mark.long
@pytest.mark.parametrize("cap", [1, 50, 10_000, 60_000])
def test_eight_processes_take_any_cap_to_the_last_event(tmp_path: Path, dsn: str, cap: int) -> None:
    race(tmp_path, dsn, cap)


def die_half_way(folder: Path, dsn: str, workers: int, failing: str, cap: int) -> None:
    """The first worker is killed while all send; the others go on, and then it comes back."""
    with sharing(folder, dsn, workers, failing, cap) as (dead, *others):
        first, finish = dead.begin("spend", 1, 3, 7), [worker.begin("spend", 1, 3, 7) for worker in others]
        assert first() is None
        assert dead.wait_for_end() == -9
        for each in finish:
            each()
        total, granted = sum(spent(folder)), others[0].do("granted")
        assert granted == cap, "all is granted"
        assert total <= cap
        assert all_at_once(others, "spend", 1) == [0] * len(others), "what is missing, the dead one has"
        with sharing(folder, dsn, 1, cap=cap) as [again]:  # on the spool of the dead one
            assert again.do("spend", 1) == cap - total
    assert sum(spent(folder)) == cap


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_is_killed_takes_no_more_with_it_than_its_grant(tmp_path: Path, dsn: str, moment: str) -> None:
    die_half_way(tmp_path, dsn, 3, f"spool.commit.{moment}=kill@3", 2000)


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2, 5, 10, 20])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_kills_at_any_commit(tmp_path: Path, dsn: str, moment: str, number: int) -> None:
    die_half_way(tmp_path, dsn, 8, f"spool.commit.{moment}=kill@{number}", 20_000)
