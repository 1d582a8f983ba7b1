"""What was written with a change is delivered, by one worker at a time.

See rules/alerts#delivery, rules/alerts#refusals-and-retries and rules/alerts#deliveries.
"""

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from cryptography.fernet import Fernet
from sqlalchemy import update

from harness.builders.alert_messages import a_message
from harness.stores.delivery_workers import Stage, busy, gone
from harness.suite.patience import until
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.delivery import message_queue, repository
from tallyroom.alerts.delivery.message_queue import TOO_MANY_ERROR, MessageQueue, give_up_waiting
from tallyroom.core.errors import Unavailable
from tallyroom.core.vault import Vault
from tallyroom.mail.errors import DeliveryDeferred
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AlertChannel, WorkItem
from tallyroom.storage.queue.worker import LEASE_MS

HOUR = 3600


@pytest.fixture
async def stage(database: Database) -> Stage:
    return Stage(database)


async def test_a_message_is_delivered_once_to_each_channel(stage: Stage) -> None:
    await stage.channels("ab")
    await stage.write(["b", "a", "b"])
    worker = stage.worker()
    for _ in range(3):
        await stage.go(worker, seconds=10)
    assert sorted(name for name, _ in stage.post.told) == ["a", "b"]
    assert await stage.outcomes() == [("sent", 1, None)] * 2
    assert (worker.sent_count, worker.given_up_count) == (2, 0)
    [first, _] = await stage.deliveries()
    assert msgspec.json.decode(first.message, type=AlertMessage) == a_message()
    assert (first.created_at_ms, first.last_attempt_ms) == (1_795_176_000_000, 1_795_176_010_000)
    assert await stage.items() == []


async def test_a_message_goes_with_the_change_that_it_tells(stage: Stage) -> None:
    await stage.channels("a")
    with suppress(ZeroDivisionError):
        async with stage.database.session(write=True) as db:
            await MessageQueue(stage.clock, stage.id_generator).enqueue(db, ["a"], a_message())
            raise ZeroDivisionError
    assert await stage.deliveries() == []


async def test_who_is_switched_off_or_gone_is_not_told(stage: Stage) -> None:
    await stage.channels("a")
    await stage.channels("b", enabled=False)
    await stage.write(["a", "b", "nowhere"])
    assert [each.channel_id for each in await stage.deliveries()] == ["a"]
    await stage.write([])
    assert len(await stage.deliveries()) == 1


async def test_the_times_of_attempts(stage: Stage) -> None:
    await stage.channels("a")
    stage.post.answers["a"] = busy
    await stage.write(["a"])
    worker, began, seconds = stage.worker(), stage.clock.now_ms(), []
    while items := await stage.items():
        due = items[0].due_ms
        await stage.go(worker, seconds=(due - 1 - stage.clock.now_ms()) / 1000)
        assert len(stage.post.told) == len(seconds), "nothing is sent before its time"
        await stage.go(worker, seconds=0.001)
        seconds.append(round((due - began) / 1000))
    assert seconds == [0, 5, 65, 665, 4265, *range(4265 + 3 * HOUR, 24 * HOUR, 3 * HOUR)]
    assert await stage.outcomes() == [("failed", 12, "HTTP 503")]


@pytest.mark.parametrize(("random", "pause"), [(0, 4.5), (0xFFFF, 5.5)])
async def test_the_pauses_differ_by_a_tenth(stage: Stage, random: int, pause: float) -> None:
    await stage.channels("a")
    stage.post.answers["a"] = busy
    await stage.write(["a"])
    await stage.go(stage.worker(random))
    [item] = await stage.items()
    assert item.due_ms == stage.clock.now_ms() + pause * 1000


async def test_it_is_left_alone_for_as_long_as_it_says(stage: Stage) -> None:
    async def later() -> None:
        raise DeliveryDeferred("HTTP 429", retry_after_s=120)

    await stage.channels("a")
    stage.post.answers["a"] = later
    await stage.write(["a"])
    worker = stage.worker()
    await stage.go(worker)
    await stage.go(worker, seconds=119)
    assert len(stage.post.told) == 1
    del stage.post.answers["a"]
    await stage.go(worker, seconds=1)
    assert await stage.outcomes() == [("sent", 2, None)]


async def test_what_wants_to_be_left_alone_for_longer_than_a_day_is_given_up(stage: Stage) -> None:
    async def much_later() -> None:
        raise DeliveryDeferred("HTTP 429", retry_after_s=10**9)

    await stage.channels("a")
    stage.post.answers["a"] = much_later
    await stage.write(["a"])
    await stage.go(stage.worker())
    assert await stage.outcomes() == [("failed", 1, "HTTP 429")]


async def test_a_final_refusal_ends_it(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    await stage.channels("a")
    stage.post.answers["a"] = gone
    await stage.write(["a"])
    worker = stage.worker()
    await stage.go(worker)
    await stage.go(worker, seconds=HOUR)
    assert await stage.outcomes() == [("failed", 1, "HTTP 410")]
    assert worker.given_up_count == 1
    [record] = caplog.records
    assert record.message == "an alert message was not delivered"
    assert "secret-address" not in str(record.__dict__)


async def test_what_fails_while_its_channel_is_switched_off_is_given_up(stage: Stage) -> None:
    async def switch_off() -> None:
        async with stage.database.session(write=True) as db:
            await db.execute(update(AlertChannel).values(enabled=False))
        raise DeliveryDeferred("HTTP 503")

    await stage.channels("a")
    stage.post.answers["a"] = switch_off
    await stage.write(["a"])
    worker = stage.worker()
    await stage.go(worker)
    await stage.go(worker, seconds=6)
    assert await stage.outcomes() == [("failed", 1, "the channel was switched off")]
    assert len(stage.post.told) == 1


async def test_what_was_given_up_during_its_attempt_does_not_come_back(stage: Stage) -> None:
    async def switch_off() -> None:
        async with stage.database.session(write=True) as db:
            channel = await db.get(AlertChannel, "a")
            assert channel is not None
            channel.enabled = False
            await give_up_waiting(db, channel, stage.clock.now_ms())
        raise DeliveryDeferred("HTTP 503")

    await stage.channels("a")
    stage.post.answers["a"] = switch_off
    await stage.write(["a"])
    worker = stage.worker()
    await stage.go(worker)
    async with stage.database.session(write=True) as db:
        await db.execute(update(AlertChannel).values(enabled=True))
    await stage.go(worker, seconds=6)
    assert await stage.outcomes() == [("failed", 0, "the channel was switched off")]
    assert len(stage.post.told) == 1
    assert await stage.items() == []


@pytest.mark.long
async def test_two_workers_share_the_deliveries(stage: Stage) -> None:
    names = "abcdefgh"
    await stage.channels(names)
    workers = [stage.worker(), stage.worker()]
    for _ in range(5):
        await stage.write(list(names))
        for _ in range(2):
            await asyncio.gather(*(worker.start_due() for worker in workers))
            await asyncio.gather(*(worker.wait_until_idle() for worker in workers))
    ids = [delivery_id for _, delivery_id in stage.post.told]
    assert len(ids) == len(set(ids)) == 40
    assert {status for status, _, _ in await stage.outcomes()} == {"sent"}
    assert sum(worker.sent_count for worker in workers) == 40


async def test_one_dead_receiver_delays_no_other(stage: Stage) -> None:
    ever = asyncio.Event()
    await stage.channels("abc")
    stage.post.answers["a"] = ever.wait
    worker = stage.worker()
    for _ in range(5):
        await stage.write(["a", "b", "c"])
    loop = asyncio.create_task(worker.run(worker.handlers))
    await until(lambda: worker.sent_count == 10)
    assert [name for name, _ in stage.post.told].count("a") == 1
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)


async def test_a_workspace_with_many_dead_receivers_delays_no_other(stage: Stage) -> None:
    dead = "abcdefghijkl"
    turns = {name: asyncio.Event() for name in dead}
    await stage.channels(dead)
    await stage.channels("z", workspace="v")
    stage.post.answers = {name: turn.wait for name, turn in turns.items()}
    for _ in range(3):
        await stage.write(list(dead))
        stage.clock.advance(1)
    worker = stage.worker()
    await worker.start_due()
    await stage.write(["z"])
    await until(lambda: len(stage.post.told) == 6)
    turns[stage.post.told[0][0]].set()
    await until(lambda: worker.sent_count == 1)
    while not await worker.start_due():  # noqa: ASYNC110 # as soon as the slot is free
        await asyncio.sleep(0.01)
    await until(lambda: len(stage.post.told) == 7)
    assert stage.post.told[6][0] == "z"
    for turn in turns.values():
        turn.set()
    await worker.wait_until_idle()


@pytest.mark.long
async def test_a_dead_mail_server_delays_no_webhook(stage: Stage) -> None:
    ever = asyncio.Event()
    mailboxes, webhooks = "abcdefghijkl", "mnopqrstuvwx"
    await stage.channels(mailboxes, "email")
    await stage.channels(webhooks)
    stage.post.answers = dict.fromkeys(mailboxes, ever.wait)
    await stage.write(list(mailboxes + webhooks))
    worker = stage.worker()
    for _ in range(4):
        await worker.start_due()
        await asyncio.sleep(0.2)
    assert {name for name, _ in stage.post.told if name in webhooks} == set(webhooks)
    assert len([name for name, _ in stage.post.told if name in mailboxes]) == 2
    assert stage.post.most_at_once <= 8
    ever.set()
    await worker.wait_until_idle()


async def test_what_a_dead_server_left_is_delivered_again_with_the_same_id(stage: Stage) -> None:
    async def die() -> None:
        raise asyncio.CancelledError  # as `kill -9` between sending and recording

    await stage.channels("a")
    stage.post.answers["a"] = die
    await stage.write(["a"])
    await stage.go(stage.worker())
    other = stage.worker()
    del stage.post.answers["a"]
    await stage.go(other, seconds=LEASE_MS / 1000 - 1)
    assert len(stage.post.told) == 1
    await stage.go(other, seconds=1)
    assert len(stage.post.told) == 2
    assert len(set(stage.post.told)) == 1
    assert await stage.outcomes() == [("sent", 1, None)]


async def test_a_stop_gives_up_its_leases(stage: Stage) -> None:
    began = asyncio.Event()

    async def endless() -> None:
        began.set()
        await asyncio.Event().wait()

    await stage.channels("a")
    stage.post.answers["a"] = endless
    await stage.write(["a"])
    worker = stage.worker()
    for handler in worker.handlers:
        handler.limits = handler.limits._replace(stop_seconds=0.0)
    loop = asyncio.create_task(worker.run(worker.handlers))
    await began.wait()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    del stage.post.answers["a"]
    await stage.go(stage.worker())
    assert await stage.outcomes() == [("sent", 1, None)]


async def test_a_clock_set_back_does_not_leave_a_lease_behind(stage: Stage) -> None:
    await stage.channels("a")
    await stage.write(["a"])
    async with stage.database.session(write=True) as db:
        lease_end = stage.clock.now_ms() + LEASE_MS
        await db.execute(update(WorkItem).values(due_ms=0, leased_by="other", leased_until_ms=lease_end))
    stage.clock.set_back(days=1)
    await stage.go(stage.worker())
    assert await stage.outcomes() == [("sent", 1, None)]


async def test_what_was_written_before_the_clock_was_set_back_does_not_wait_for_that_time(stage: Stage) -> None:
    await stage.channels("a")
    await stage.write(["a"])
    stage.clock.set_back(days=300)
    await stage.go(stage.worker())
    assert await stage.outcomes() == [("sent", 1, None)]


async def test_an_attempt_without_an_end_is_one_that_failed(stage: Stage) -> None:
    await stage.channels("a")
    stage.post.answers["a"] = asyncio.Event().wait
    await stage.write(["a"])
    worker = stage.worker()
    worker.handlers[0].limits = worker.handlers[0].limits._replace(attempt_seconds=0.01)
    await stage.go(worker)
    assert await stage.outcomes() == [("waiting", 1, "no response within 0 seconds")]


async def test_with_another_key_it_waits_for_the_right_one(stage: Stage) -> None:
    await stage.channels("a")
    await stage.write(["a"])
    right, stage.vault = stage.vault, Vault([Fernet.generate_key().decode()])
    await stage.go(stage.worker())
    [(status, _, error)] = await stage.outcomes()
    assert (status, error) == ("waiting", "the destination cannot be decrypted with this server's key")
    stage.vault = right
    await stage.go(stage.worker(), seconds=6)
    assert await stage.outcomes() == [("sent", 2, None)]


async def test_busy_metadata_end_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await stage.channels("a")
    await stage.write(["a"])
    worker, session, refusals = stage.worker(), stage.database.session, iter(range(2))

    def refuse(*, write: bool) -> Any:
        if next(refusals, None) is None:
            return session(write=write)
        raise Unavailable("The metadata database is busy.")

    monkeypatch.setattr(stage.database, "session", refuse)
    monkeypatch.setattr("tallyroom.storage.queue.worker._POLL_SECONDS", 0.01)
    loop = asyncio.create_task(worker.run(worker.handlers))
    await until(lambda: worker.sent_count == 1)
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    assert caplog.messages == ["the queue could not be read"] * 2
    assert await stage.outcomes() == [("sent", 1, None)]


_KEPT, _MOST_WAITING = 7, 12


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of everything that has a limit, only a few are allowed."""
    monkeypatch.setattr(repository, "MAX_DELIVERIES", _KEPT)
    monkeypatch.setattr(message_queue, "MAX_WAITING", _MOST_WAITING)


@pytest.mark.long
async def test_only_the_newest_of_a_channel_stay(stage: Stage, few: None) -> None:
    await stage.channels("ab")
    worker = stage.worker()
    stage.post.answers["b"] = busy
    for number in range(_KEPT + 5):
        stage.clock.advance(1)
        await stage.write(["a", "b"], name=str(number))
        await stage.go(worker)
    names = [msgspec.json.decode(each.message, type=AlertMessage).name for each in await stage.deliveries("a")]
    assert names == [str(number) for number in range(5, _KEPT + 5)]
    assert len(await stage.deliveries("b")) == _KEPT + 5  # none that waits is forgotten


async def test_a_receiver_that_is_dead_has_a_limit(stage: Stage, few: None) -> None:
    await stage.channels("ab")
    for _ in range(_MOST_WAITING + _KEPT + 5):
        stage.clock.advance(0.001)
        await stage.write(["a"])
    await stage.write(["a", "b"])
    found = [(each.status, each.error) for each in await stage.deliveries("a")]
    assert found == [("waiting", None)] * _MOST_WAITING + [("failed", TOO_MANY_ERROR)] * _KEPT
    assert [each.status for each in await stage.deliveries("b")] == ["waiting"]
