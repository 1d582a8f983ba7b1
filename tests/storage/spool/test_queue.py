"""Durable before anybody is told, all of a commit or nothing of it, and no id twice."""

import asyncio
import sqlite3
import threading
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from harness.stores.event_store import NOW_MS, event, fresh_scope, lines
from harness.stores.spool_batches import MONTH, batch, look, put
from tallyroom.core import failpoints
from tallyroom.core.failpoints import InjectedFault
from tallyroom.storage.spool.commit_group import IdempotentRequest
from tallyroom.storage.spool.lane import name_environment_lane
from tallyroom.storage.spool.queue import Spool, SpoolUnavailable

SCOPE = fresh_scope()
WORKSPACE = SCOPE.workspace_id


def request_with_key(key: str) -> IdempotentRequest:
    return IdempotentRequest("production", key, "print", NOW_MS)


async def let_run() -> None:
    await asyncio.sleep(0.05)


async def test_what_is_told_is_durable(spool: Spool, path: Path) -> None:
    row = event(SCOPE)
    await put(spool, batch(spool, row, idempotent_request=request_with_key("k")))
    assert look(path, "SELECT id, month, events, bytes, body FROM chunk") == [
        (1, MONTH, 1, len(lines([row])), lines([row]))
    ]
    assert look(path, "SELECT * FROM usage") == [(WORKSPACE, MONTH, 1)]
    assert look(path, "SELECT * FROM idempotency") == [(WORKSPACE, "production", "k", "print", 1, NOW_MS)]
    assert (spool.last_id, spool.acked_count, spool.waiting_bytes) == (1, 1, len(lines([row])))


def test_a_commit_is_on_the_disk(spool: Spool) -> None:
    assert spool._committer._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert spool._committer._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_nobody_is_told_before_the_commit(spool: Spool, path: Path) -> None:
    failpoints.configure("spool.commit.before=block")
    waiting = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await let_run()
    assert not waiting.done()
    assert look(path, "SELECT count(*) FROM chunk") == [(0,)]
    failpoints.release()
    await waiting
    assert look(path, "SELECT count(*) FROM chunk") == [(1,)]


async def test_the_commit_comes_before_the_answer(spool: Spool, path: Path) -> None:
    failpoints.configure("spool.commit.after=block")
    waiting = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await let_run()
    assert not waiting.done()
    assert look(path, "SELECT count(*) FROM chunk") == [(1,)]
    failpoints.release()
    await waiting


async def test_what_waits_shares_one_commit_in_the_order_of_arrival(spool: Spool, path: Path) -> None:
    rows = [event(SCOPE, f"e{number}") for number in range(10)]
    failpoints.configure("spool.commit.before=block")
    waiting = [asyncio.create_task(put(spool, batch(spool, rows[0])))]
    await let_run()
    waiting += [asyncio.create_task(put(spool, batch(spool, row))) for row in rows[1:]]
    await let_run()
    failpoints.release()
    await asyncio.gather(*waiting)
    assert look(path, "SELECT id, events, body FROM chunk ORDER BY id") == [
        (1, 1, lines(rows[:1])),
        (2, 9, lines(rows[1:])),
    ]
    assert look(path, "SELECT events FROM usage") == [(10,)]
    assert (spool.last_id, spool.acked_count) == (2, 10)


async def test_each_month_is_a_row_of_its_own(spool: Spool, path: Path) -> None:
    await put(spool, batch(spool, event(SCOPE), event(SCOPE, timestamp_ms=0), event(SCOPE)))
    assert look(path, "SELECT id, month, events FROM chunk ORDER BY id") == [(1, 202611, 2), (2, 197001, 1)]
    assert look(path, "SELECT * FROM usage") == [(WORKSPACE, MONTH, 3)]
    assert spool.last_id == 2


@pytest.mark.parametrize("months", [[NOW_MS], [NOW_MS, 0]], ids=["one statement", "one transaction"])
async def test_a_failed_commit_refuses_all_and_keeps_nothing(spool: Spool, path: Path, months: list[int]) -> None:
    failpoints.configure("spool.commit.before=error")
    rows = [event(SCOPE, timestamp_ms=at) for at in months]
    puts = [put(spool, batch(spool, *rows, idempotent_request=request_with_key(f"k{number}"))) for number in range(5)]
    answers = await asyncio.gather(*puts, return_exceptions=True)
    assert [type(answer) for answer in answers] == [SpoolUnavailable] * 5
    for table in ("chunk", "usage", "idempotency"):
        assert look(path, f"SELECT count(*) FROM {table}") == [(0,)]
    assert (spool.last_id, spool.acked_count, spool.waiting_bytes) == (0, 0, 0)
    failpoints.configure("")
    await put(spool, batch(spool, event(SCOPE)))
    assert look(path, "SELECT max(id), sum(events) FROM chunk") == [(spool.last_id, 1)]


async def test_the_newest_durable_number_is_known(spool: Spool, path: Path) -> None:
    assert spool.last_seq == 0
    await put(spool, batch(spool, event(SCOPE), event(SCOPE)))
    assert spool.last_seq == 2
    failpoints.configure("spool.commit.before=error")
    with pytest.raises(SpoolUnavailable):
        await put(spool, batch(spool, event(SCOPE)))
    assert spool.last_seq == 2
    failpoints.configure("")
    await put(spool, batch(spool, event(SCOPE)))
    assert spool.last_seq == 4  # a number is never given twice
    await asyncio.to_thread(spool.close)
    with closing(Spool(path, bytes)) as again:
        assert again.last_seq == 4


async def test_a_change_that_fails_fails_alone(spool: Spool, path: Path) -> None:
    failpoints.configure("spool.commit.before=block:0.1")
    first = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await let_run()

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE number SET value = 99 WHERE name = 'acked'")
        connection.execute("INSERT INTO nosuch VALUES (1)")

    broken = spool.change(half)
    second = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await first
    await second
    with pytest.raises(sqlite3.OperationalError):
        broken.result(5)
    assert look(path, "SELECT value FROM number WHERE name = 'acked'") == [(2,)]


async def test_a_change_that_nobody_waits_for_any_more_ends_nothing(spool: Spool) -> None:
    failpoints.configure("spool.commit.before=block:0.1")
    first = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await let_run()
    assert spool.change(lambda _: None).cancel()
    await first
    assert spool.change(lambda _: 7).result(5) == 7
    await put(spool, batch(spool, event(SCOPE)))


async def test_a_change_is_durable_when_its_result_is_there(spool: Spool, path: Path) -> None:
    def change(connection: sqlite3.Connection) -> str:
        connection.execute("INSERT INTO halved VALUES (1, 2, 3)")
        return "done"

    assert await asyncio.wrap_future(spool.change(change)) == "done"
    assert look(path, "SELECT * FROM halved") == [(1, 2, 3)]


async def test_a_change_passes_the_failpoint_of_events(spool: Spool) -> None:
    failpoints.configure("spool.commit.before=error")
    assert await asyncio.wrap_future(spool.change(lambda _: 1)) == 1
    with pytest.raises(InjectedFault):
        failpoints.hit("spool.commit.before")


async def test_a_client_that_went_away_changes_nothing_for_the_others(spool: Spool, path: Path) -> None:
    failpoints.configure("spool.commit.before=block")
    gone = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    stays = asyncio.create_task(put(spool, batch(spool, event(SCOPE))))
    await let_run()
    gone.cancel()
    failpoints.release()
    await stays
    assert look(path, "SELECT sum(events) FROM chunk") == [(2,)]


async def test_ids_and_sequence_never_restart(path: Path) -> None:
    seen: list[tuple[int, int]] = []
    identities = []
    for _ in range(3):
        spool = Spool(path, lambda count: bytes([len(seen) + 1]) * count)
        identities.append(spool.identity)
        made = batch(spool, event(SCOPE), event(SCOPE))
        await put(spool, made)
        seen.append((spool.last_id, made.last_seq))
        await asyncio.wrap_future(spool.change(lambda connection: connection.execute("DELETE FROM chunk")))
        spool.close()
    assert seen == [(1, 2), (2, 4), (3, 6)]
    assert len(set(identities)) == 1
    reopened = Spool(path, lambda count: b"\x00" * count)
    assert (reopened.last_id, reopened.acked_count, reopened.waiting_bytes, reopened.reserve_seqs(1)) == (3, 6, 0, 7)
    reopened.close()


def test_every_spool_has_an_identity_of_its_own(tmp_path: Path) -> None:
    spools = [Spool(tmp_path / str(number), lambda count, n=number: bytes([n]) * count) for number in range(2)]  # type: ignore[misc] # mypy infers no default
    assert [spool.identity for spool in spools] == [0, 0x01010101]
    for spool in spools:
        spool.close()


async def test_usage_counts_each_workspace_and_month(spool: Spool, path: Path) -> None:
    other = fresh_scope()
    batches = [batch(spool, event(SCOPE)), batch(spool, event(other), event(other)), batch(spool, event(SCOPE))]
    batches[2].receipt_month = 202612
    await asyncio.gather(*(put(spool, each) for each in batches))
    await put(spool, batch(spool, event(SCOPE)))
    counted = {(workspace, month): events for workspace, month, events in look(path, "SELECT * FROM usage")}
    assert counted == {(WORKSPACE, 202611): 2, (other.workspace_id, 202611): 2, (WORKSPACE, 202612): 1}


async def test_whoever_listens_hears_of_each_commit_of_events(spool: Spool) -> None:
    heard: list[int] = []
    spool.on_commit = lambda: heard.append(spool.last_id)
    await put(spool, batch(spool, event(SCOPE)))
    await asyncio.wrap_future(spool.change(lambda _: None))
    await put(spool, batch(spool, event(SCOPE)))
    await asyncio.wrap_future(spool.change(lambda _: None))  # the listener is told after the caller
    assert heard == [1, 2]


async def test_what_a_change_wants_called_is_called_once_it_is_durable_and_never_if_it_fails(spool: Spool) -> None:
    called: list[str] = []

    def succeed(_: sqlite3.Connection) -> None:
        spool.call_after_commit(lambda: called.append("succeeded"))
        assert called == []

    def fail(_: sqlite3.Connection) -> None:
        spool.call_after_commit(lambda: called.append("failed"))
        raise ValueError

    futures = [spool.change(fail), spool.change(succeed), spool.change(fail)]
    outcomes = await asyncio.gather(*map(asyncio.wrap_future, futures), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ValueError, type(None), ValueError]
    assert called == ["succeeded"]


async def test_what_waits_is_known_by_lane_and_month_and_again_after_a_start(spool: Spool, path: Path) -> None:
    made = batch(spool, event(SCOPE), event(SCOPE, timestamp_ms=0))
    made.lane = name_environment_lane(SCOPE.workspace_id, SCOPE.environment)
    await asyncio.gather(put(spool, batch(spool, event(SCOPE))), put(spool, made))
    waiting = sorted(spool.waiting_chunks.list_groups())
    assert [group.lane_month for group in waiting] == [
        ("", MONTH),
        (f"{SCOPE.workspace_id}/production", 197001),
        (f"{SCOPE.workspace_id}/production", MONTH),
    ]
    spool.close()
    with closing(Spool(path, bytes)) as again:
        assert sorted(again.waiting_chunks.list_groups()) == waiting
        assert again.waiting_bytes == spool.waiting_bytes


async def test_requests_of_one_turn_share_a_commit(spool: Spool, path: Path) -> None:
    await asyncio.gather(*(put(spool, batch(spool, event(SCOPE))) for _ in range(20)))
    assert look(path, "SELECT events FROM chunk") == [(20,)]


async def test_one_that_cannot_hear_does_not_keep_it_from_the_others(spool: Spool) -> None:
    def fail(_: Exception | None) -> None:
        raise RuntimeError("its connection is gone")

    spool.add_batch(batch(spool, event(SCOPE)), fail)
    await put(spool, batch(spool, event(SCOPE)))
    assert spool.acked_count == 2


async def test_a_closed_spool_takes_nothing(path: Path) -> None:
    spool = Spool(path, lambda count: b"\x01" * count)
    made = batch(spool, event(SCOPE))
    spool.close()
    with pytest.raises(SpoolUnavailable):
        await put(spool, made)


async def test_who_changes_a_closed_spool_does_not_wait_for_ever(path: Path) -> None:
    spool = Spool(path, lambda count: b"\x01" * count)
    spool.close()
    with pytest.raises(SpoolUnavailable):
        spool.change(lambda _: None).result(timeout=5)


async def test_changes_that_race_with_the_end_are_made_or_refused(path: Path) -> None:
    spool = Spool(path, lambda count: b"\x01" * count)
    futures: list[Future[int]] = []
    enough = threading.Event()

    def change() -> None:
        while not enough.is_set():
            futures.append(spool.change(lambda _: 1))

    changing = [threading.Thread(target=change) for _ in range(3)]
    for thread in changing:
        thread.start()
    await asyncio.sleep(0.02)
    spool.close()
    await asyncio.sleep(0.02)
    enough.set()
    for thread in changing:
        thread.join()
    assert {type(future.exception(timeout=5)) for future in futures} == {type(None), SpoolUnavailable}


async def test_closing_commits_what_waits(path: Path) -> None:
    spool = Spool(path, lambda count: b"\x01" * count)
    waiting = [asyncio.create_task(put(spool, batch(spool, event(SCOPE)))) for _ in range(20)]
    await asyncio.sleep(0)
    spool.close()
    await asyncio.gather(*waiting)
    assert look(path, "SELECT sum(events) FROM chunk") == [(20,)]


async def test_what_stands_behind_a_lost_request_is_lost_too(spool: Spool, path: Path) -> None:
    first, second, third = request_with_key("1"), request_with_key("2"), request_with_key("3")
    second.previous_wait, third.previous_wait = first.commit_wait, second.commit_wait
    failpoints.configure("spool.commit.before=error@1")
    with pytest.raises(SpoolUnavailable, match="could not be made durable"):
        await put(spool, batch(spool, event(SCOPE), idempotent_request=first))
    failpoints.configure("")
    later = [put(spool, batch(spool, event(SCOPE), idempotent_request=each)) for each in (second, third)]
    kept = event(SCOPE, "other")
    done = await asyncio.gather(*later, put(spool, batch(spool, kept)), return_exceptions=True)
    assert [str(error) for error in done[:2]] == [
        "The preceding request failed, so this one was not stored. Retry both, in order."
    ] * 2
    assert done[2] is None
    assert look(path, "SELECT events, body FROM chunk") == [(1, lines([kept]))]


async def test_requests_of_one_commit_are_settled_in_order_whether_lost_or_not(spool: Spool) -> None:
    lost, late = request_with_key("1"), request_with_key("2")
    late.previous_wait, lost.commit_wait.is_lost = lost.commit_wait, True
    gate, settled = threading.Event(), [asyncio.get_running_loop().create_future() for _ in range(2)]
    outcomes: list[type[Exception] | None] = []
    held = spool.change(lambda _: gate.wait(20))
    for outcome, added in zip(
        settled, (batch(spool, event(SCOPE)), batch(spool, event(SCOPE), idempotent_request=late)), strict=True
    ):

        def settle(error: Exception | None, outcome: asyncio.Future[None] = outcome) -> None:
            outcomes.append(None if error is None else type(error))
            outcome.set_result(None)

        spool.add_batch(added, settle)
    gate.set()
    await asyncio.gather(asyncio.wrap_future(held), *settled)
    assert outcomes == [None, SpoolUnavailable]


async def test_a_request_and_what_stands_behind_it_share_a_commit(spool: Spool, path: Path) -> None:
    first, second = request_with_key("1"), request_with_key("2")
    second.previous_wait = first.commit_wait
    await asyncio.gather(*(put(spool, batch(spool, event(SCOPE), idempotent_request=each)) for each in (first, second)))
    assert look(path, "SELECT events FROM chunk") == [(2,)]
    assert first.commit_wait.decided.is_set()
