"""What a worker of the previous version wrote is moved into the queue, once, when no worker of it has the lease."""

from typing import Any

import pytest
from sqlalchemy import select

from conftest import FakeClock
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import (
    AlertChannel,
    Dashboard,
    Delivery,
    Digest,
    DigestLetter,
    DigestSending,
    Environment,
    ScheduledJob,
    WaitingMail,
    WorkItem,
    Workspace,
)
from tallyroom.storage.queue.previous_tables import has_jobs, has_work, hold_job, move_work, record_job
from tallyroom.storage.queue.worker import LEASE_MS


class Stage:
    """Rows of the previous version, at the time of a clock."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database, self.clock = database, clock

    async def add(self, *rows: Any) -> None:
        async with self.database.session(write=True) as db:
            for row in rows:
                db.add(row)
                await db.flush()

    async def add_workspace(self) -> None:
        await self.add(
            Workspace(id="w", name="W", plan="paid", timezone="UTC", created_at_ms=0),
            Environment(workspace_id="w", name="production", created_at_ms=0),
        )

    def mail(self, mail_id: str, due_ms: int = 0, leased_until_ms: int | None = None) -> WaitingMail:
        times = {"created_at_ms": 5, "next_attempt_ms": due_ms, "leased_until_ms": leased_until_ms}
        return WaitingMail(id=mail_id, letter=f"letter {mail_id}", attempts=2, **times)

    async def has_work(self) -> bool:
        return await has_work(self.database, self.clock.now_ms(), LEASE_MS)

    async def move(self) -> dict[str, WorkItem]:
        async with self.database.session(write=True) as db:
            await move_work(db, self.clock.now_ms(), LEASE_MS)
            return {item.id: item for item in await db.scalars(select(WorkItem))}


@pytest.fixture
def stage(database: Database, fake_clock: FakeClock) -> Stage:
    return Stage(database, fake_clock)


async def test_mails_move_once_their_leases_have_ended(stage: Stage) -> None:
    now_ms = stage.clock.now_ms()
    await stage.add(stage.mail("a", 7), stage.mail("b", 7, now_ms - 1), stage.mail("c", 7, now_ms + 1))
    assert await stage.has_work()
    items = await stage.move()
    assert {item_id: (item.type, item.lane, item.due_ms, item.attempts) for item_id, item in items.items()} == {
        item_id: ("mail", item_id, 7, 2) for item_id in ("a", "b")
    }
    assert items["a"].payload == "letter a"
    stage.clock.advance(1)
    assert set(await stage.move()) == {"a", "b", "c"}
    assert not await stage.has_work()


async def test_messages_move_with_their_channel_and_stay_listed(stage: Stage) -> None:
    await stage.add_workspace()
    for kind in ("email", "slack"):
        texts = {"name": kind, "type": kind, "destination": "x", "preview": "", "secret": None, "enabled": True}
        await stage.add(AlertChannel(id=kind, workspace_id="w", created_at_ms=0, updated_at_ms=0, **texts))
        for status, due_ms in (("waiting", 9), ("sent", None)):
            row = {"message": "{}", "status": status, "attempts": 3, "error": None, "created_at_ms": 5}
            row |= {"next_attempt_ms": due_ms, "leased_until_ms": None, "last_attempt_ms": None, "alert_id": None}
            await stage.add(Delivery(id=f"{kind}-{status}", channel_id=kind, **row))
    items = await stage.move()
    assert {item_id: (item.type, item.lane, item.workspace_id, item.due_ms) for item_id, item in items.items()} == {
        "email-waiting": ("mail_delivery", "email", "w", 9),
        "slack-waiting": ("delivery", "slack", "w", 9),
    }
    async with stage.database.session(write=False) as db:
        rows = (await db.execute(select(Delivery.status, Delivery.next_attempt_ms))).all()
    assert sorted(rows) == [("sent", None), ("sent", None), ("waiting", None), ("waiting", None)]
    assert not await stage.has_work()


async def test_a_message_that_is_made_due_again_meanwhile_is_due_at_once(stage: Stage) -> None:
    await test_messages_move_with_their_channel_and_stay_listed(stage)
    async with stage.database.session(write=True) as db:
        delivery = await db.get(Delivery, "slack-waiting")
        assert delivery is not None
        delivery.next_attempt_ms = 1
    assert (await stage.move())["slack-waiting"].due_ms == 1


async def test_a_digest_moves_with_its_due_mails(stage: Stage) -> None:
    now_ms = stage.clock.now_ms()
    await stage.add_workspace()
    board = {"description": None, "icon": None, "time_range": "7d", "is_public": False, "slug": None}
    await stage.add(
        Dashboard(
            id="d", workspace_id="w", environment="production", name="D", created_at_ms=0, updated_at_ms=0, **board
        )
    )
    digest = {"name": None, "cadence": "daily", "send_hour": 9, "weekday": None, "day_of_month": None}
    digest |= {"timezone": "UTC", "enabled": True, "token_secret": "s", "last_sent_ms": None, "next_due_ms": None}
    await stage.add(
        Digest(id="g", workspace_id="w", dashboard_id="d", created_at_ms=0, updated_at_ms=0, **digest),
        DigestSending(id="s", digest_id="g", due_ms=1, created_at_ms=5),
    )
    for name, due_ms in (("due", now_ms), ("claimed", now_ms + 5 * MINUTE_MS), ("sent", None)):
        row = {"address": name, "position": 0, "status": "sent" if due_ms is None else "waiting", "attempts": 1}
        row |= {"error": None, "next_attempt_ms": due_ms, "sent_at_ms": None}
        await stage.add(DigestLetter(sending_id="s", recipient=name, **row))
    [item] = (await stage.move()).values()
    assert (item.id, item.type, item.lane, item.created_at_ms, item.due_ms) == ("s", "digest", "w", 5, now_ms)
    assert not await stage.has_work(), "the other may be in progress"
    stage.clock.advance(300)
    assert list(await stage.move()) == ["s"]
    assert not await stage.has_work()


def a_job(due_ms: int, leased_by: str | None = None, leased_until_ms: int | None = None) -> ScheduledJob:
    times = {"due_ms": due_ms, "leased_by": leased_by, "leased_until_ms": leased_until_ms, "done_ms": None}
    return ScheduledJob(name="alerts", failures=0, **times)


async def test_a_job_of_workers_is_held_and_recorded_for_both(stage: Stage) -> None:
    now_ms = stage.clock.now_ms()
    await stage.add(a_job(7))
    async with stage.database.session(write=True) as db:
        job = await hold_job(db, "alerts", now_ms, LEASE_MS, is_alone=False)
        assert job == (7, None)
        assert await hold_job(db, "alerts", now_ms, LEASE_MS, is_alone=False) == (7, None), "it is renewed"
        await record_job(db, "alerts", 99)
        row = await db.get(ScheduledJob, "alerts", populate_existing=True)
        assert row is not None
        assert (row.due_ms, row.leased_until_ms) == (99, now_ms + LEASE_MS)


async def test_a_job_that_a_worker_of_before_runs_is_left_to_it(stage: Stage) -> None:
    now_ms = stage.clock.now_ms()
    await stage.add(a_job(7, "other", now_ms + 10))
    async with stage.database.session(write=True) as db:
        assert await hold_job(db, "alerts", now_ms, LEASE_MS, is_alone=False) == (7, now_ms + 10)
        assert await hold_job(db, "alerts", now_ms + 10, LEASE_MS, is_alone=False) == (7, None)


async def test_a_lease_from_before_the_clock_was_set_back_does_not_count(stage: Stage) -> None:
    await stage.add(a_job(7, "other", stage.clock.now_ms() + DAY_MS))
    async with stage.database.session(write=True) as db:
        assert await hold_job(db, "alerts", stage.clock.now_ms(), LEASE_MS, is_alone=False) == (7, None)


async def test_a_single_server_deletes_the_job(stage: Stage) -> None:
    await stage.add(a_job(7))
    async with stage.database.session(write=True) as db:
        assert await hold_job(db, "alerts", stage.clock.now_ms(), LEASE_MS, is_alone=True) == (7, None)
        assert not await has_jobs(db, ["alerts"])
        assert await hold_job(db, "alerts", stage.clock.now_ms(), LEASE_MS, is_alone=True) is None


async def test_many_rows_move_in_several_transactions(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallyroom.storage.queue.previous_tables._MAX_ROWS", 2)
    await stage.add(*(stage.mail(name) for name in "abcde"))
    assert [len(await stage.move()) for _ in range(3)] == [2, 4, 5]
