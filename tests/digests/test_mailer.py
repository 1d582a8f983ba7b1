"""Each due time is sent once, whoever does it (rules/digests#once-for-each-due-time)."""

import asyncio
from itertools import pairwise

import pytest
from sqlalchemy import update

from digests.conftest import Post
from harness.builders.digest_mails import run
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.models import Digest

HOUR, DAY = 3600.0, 86_400.0
DAY_MS = 86_400_000


@pytest.mark.long
async def test_each_due_time_is_sent_to_each_recipient(post: Post) -> None:
    digest = await post.make("Ann@Example.com", "ben@example.com", name="Shop =?utf-8?q?x?= 🫖")
    mailer = post.mailer()
    await run(mailer)
    assert post.box.letters == []
    for _ in range(3):
        post.clock.advance(DAY)
        await run(mailer)
        await run(mailer)
    assert [str(letter["to"]) for letter in post.box.letters].count("Ann@Example.com") == 3
    assert len(post.box.letters) == 6
    dues = [sending.due_at for sending in await post.sendings(digest)]
    assert dues == ["2026-11-23T09:00:00.000Z", "2026-11-22T09:00:00.000Z", "2026-11-21T09:00:00.000Z"]
    assert await post.states(digest) == {"Ann@Example.com": ("sent", 1, None), "ben@example.com": ("sent", 1, None)}
    assert len(post.renderer.made) == 3  # once for all recipients


async def test_what_was_missed_is_sent_once(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(10.5 * DAY)
    await run(post.mailer())
    assert len(post.box.letters) == 1
    assert [sending.due_at for sending in await post.sendings(digest)] == ["2026-11-30T09:00:00.000Z"]


@pytest.mark.long
@pytest.mark.parametrize("days", [10, 250])
async def test_two_mailers_share_all_due_times(post: Post, days: int) -> None:
    digests = [await post.make(send_hour=hour) for hour in (0, 6, 12, 18)]
    first, second = post.mailer(), post.mailer()
    for _ in range(days):
        post.clock.advance(DAY)
        await asyncio.gather(run(first), run(second))
    assert len(post.box.letters) == len({str(letter["message-id"]) for letter in post.box.letters}) == 4 * days
    for digest in digests:
        found = [(sending.due_at, [mail.status for mail in sending.mails]) for sending in await post.sendings(digest)]
        assert len(found) >= min(days, 50)  # the newest are listed
        assert all(statuses == ["sent"] for _, statuses in found)


@pytest.mark.long
async def test_time_travel_over_two_years_claims_each_due_time_once(post: Post) -> None:
    digest = await post.make(cadence="weekly", weekday=0, send_hour=2, timezone="Europe/Berlin")
    began = post.clock.now_ms()
    mailer = post.mailer()
    for step in range(2 * 104):
        post.clock.advance((3.5 * DAY, 3 * DAY + 5 * HOUR, 4 * DAY - 5 * HOUR)[step % 3])
        await mailer.claim_due_digests(0)
    async with post.database.session(write=False) as db:
        connection = await db.connection()
        rows = await connection.exec_driver_sql("SELECT due_ms FROM digest_sendings ORDER BY due_ms")
        dues = [row[0] for row in rows]
    assert len(dues) == len(set(dues))
    assert {after - before for before, after in pairwise(dues)} <= {
        7 * DAY_MS + shift for shift in (-3_600_000, 0, 3_600_000)
    }
    assert dues[-1] > post.clock.now_ms() - 8 * DAY_MS
    assert dues[0] > post.clock.now_ms() - 98 * DAY_MS  # older ones are forgotten
    assert began < dues[0]
    assert digest.next_send_at


@pytest.mark.long
async def test_a_request_sends_at_once_and_always(post: Post) -> None:
    digest = await post.make(enabled=False)
    mailer = post.mailer()
    for _ in range(3):
        await post.request_sending(digest)
        await mailer.send()
    post.clock.advance(3 * DAY)
    await run(mailer)
    assert len(post.box.letters) == 3
    assert len({sending.due_at for sending in await post.sendings(digest)}) == 3


@pytest.mark.long
async def test_a_request_at_the_due_time_itself_takes_nothing_from_the_calendar(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(21 * HOUR)  # 9:00 the next day
    await post.request_sending(digest)
    await run(post.mailer())
    assert len(post.box.letters) == 2


async def test_a_digest_that_cannot_be_made_waits(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(DAY)
    post.renderer.failures = [RateLimited("Too many questions.", 1), Unavailable("The event store is away.")]
    mailer = post.mailer()
    await run(mailer)
    post.clock.advance(6)
    await run(mailer)
    assert await post.states(digest) == {"ann@example.com": ("waiting", 2, "The event store is away.")}
    post.clock.advance(61)
    await run(mailer)
    assert await post.states(digest) == {"ann@example.com": ("sent", 3, None)}


async def test_a_digest_that_fails_does_not_hold_up_others(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    await post.make("ann@example.com")
    await post.make("ben@example.com")
    post.clock.advance(DAY)
    post.renderer.failures = [ZeroDivisionError()]
    await run(post.mailer())
    assert len(post.box.letters) == 1
    assert [record.message for record in caplog.records if record.name.startswith("tallyroom")] == ["an attempt failed"]


async def test_an_unknown_time_zone_does_not_hold_up_others(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    digest = await post.make("ann@example.com")
    await post.make("ben@example.com")
    async with post.database.session(write=True) as db:
        await db.execute(update(Digest).where(Digest.id == digest.id).values(timezone="Mars/Base"))
    post.clock.advance(DAY)
    await run(post.mailer())
    assert [str(letter["to"]) for letter in post.box.letters] == ["ben@example.com"]
    assert [record.message for record in caplog.records if record.name.startswith("tallyroom")] == [
        "a digest could not be claimed"
    ]


@pytest.mark.long
async def test_a_clock_that_was_a_year_ahead_for_a_moment_silences_no_digest(post: Post) -> None:
    for cadence in ({}, {"cadence": "weekly", "weekday": 1}, {"cadence": "monthly", "day_of_month": 31}):
        await post.make(**cadence)
    mailer = post.mailer()
    post.clock.advance(365 * DAY)
    await mailer.claim_due_digests(0)  # their mails wait for a time that is a year away
    post.clock.set_back(days=365)
    await run(mailer)
    assert len(post.box.letters) == 3
    for _ in range(31):
        post.clock.advance(DAY)
        await run(mailer)
    assert len(post.box.letters) == 3 + 31 + 5 + 1


async def test_a_clock_set_back_sends_nothing_again(post: Post) -> None:
    digest = await post.make()
    mailer = post.mailer()
    post.clock.advance(DAY)
    await run(mailer)
    post.clock.set_back(days=1)
    async with post.database.session(write=True) as db:
        await db.execute(update(Digest).where(Digest.id == digest.id).values(next_due_ms=post.clock.now_ms()))
    for _ in range(2):
        post.clock.advance(DAY / 2)
        await run(mailer)
    dues = [sending.due_at for sending in await post.sendings(digest)]
    assert len(dues) == len(set(dues))
    assert len(post.box.letters) == len(dues)


async def test_a_stop_finishes_what_is_being_handed_in(post: Post) -> None:
    digest = await post.make(*(f"user{number}@example.com" for number in range(5)))
    post.clock.advance(DAY)
    mailer = post.mailer()
    await mailer.claim_due_digests(0)
    running = asyncio.create_task(mailer.queue.run([mailer]))
    await asyncio.to_thread(post.box.arrives)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    states = [state for state, _, _ in (await post.states(digest)).values()]
    assert states.count("sent") == len(post.box.letters) < 5
    assert states.count("waiting") == 5 - len(post.box.letters)
    await run(post.mailer())  # of the next start
    assert len({str(letter["message-id"]) for letter in post.box.letters}) == len(post.box.letters) == 5


@pytest.mark.long
async def test_a_backlog_of_one_workspace_delays_no_other(post: Post) -> None:
    mine = [await post.make(f"ann{number}@example.com") for number in range(8)]
    async with post.database.session(write=True) as db:
        other = await set_up_workspace(
            db, "Other", "founder", settings=Settings(), clock=post.clock, id_generator=post.id_generator
        )
    elsewhere = MemberPrincipal("founder", other.id, Role.OWNER, "paid", b"")
    await Post(post.database, elsewhere, post.clock, post.box).make("ben@example.com")
    post.clock.advance(DAY)
    await run(post.mailer())
    order = [str(letter["to"]) for letter in post.box.letters]
    assert len(order) == len(mine) + 1
    assert order.index("ben@example.com") <= 2
