"""Attempts, pauses and the end of them (rules/digests#attempts, rules/digests#unsubscribing)."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from digests.conftest import Post
from harness.builders.digest_mails import run
from tallyroom.core.errors import Unavailable
from tallyroom.digests.recipients import unsubscribe
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import DigestLetter, WorkItem
from tallyroom.storage.queue.item import ClaimedItem, Done, NewItem
from tallyroom.storage.queue.repository import enqueue
from tallyroom.storage.queue.worker import LEASE_MS

DAY = 86_400.0
LATER = "451 try again later"


def token(letter: object) -> str:
    return str(letter).strip("<>").rpartition("/")[2]


@pytest.mark.long
async def test_a_mail_that_is_not_taken_now_comes_again_after_ever_longer_pauses(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(DAY)
    post.box.refusals = [LATER] * 5
    mailer = post.mailer()
    attempts = []
    for _ in range(180):
        await run(mailer)
        [(status, number, _)] = (await post.states(digest)).values()
        attempts.append(number)
        if status == "sent":
            break
        post.clock.advance(60)
    # at once and 5 s later; then after 1, 10, 60 and 60 minutes
    assert [attempts.count(number) for number in (2, 3, 4, 5, 6)] == [1, 10, 60, 60, 1]
    assert len(post.box.letters) == 1


@pytest.mark.long
async def test_after_24_hours_it_is_given_up(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    digest = await post.make()
    post.clock.advance(DAY)
    post.box.refusals = [LATER] * 100
    mailer = post.mailer()
    for _ in range(50):
        await run(mailer)
        post.clock.advance(1800)
    [(status, attempts, error)] = [(await post.states(digest))["ann@example.com"]]
    assert status == "failed" or "try again later" in (error or "")
    first = (await post.sendings(digest))[-1].mails[0]
    assert first.status == "failed"
    assert "try again later" in (first.error or "")
    assert first.attempts >= 20
    assert attempts <= first.attempts
    assert "a digest email was not delivered" in [record.message for record in caplog.records]


async def test_a_mail_that_waited_while_no_server_ran_is_not_sent_after_24_hours(post: Post) -> None:
    digest = await post.make(enabled=False)
    await post.request_sending(digest)
    post.clock.advance(DAY + 1)
    await run(post.mailer())
    assert post.box.letters == []
    assert await post.states(digest) == {"ann@example.com": ("failed", 0, "it was not delivered within 24 hours")}


async def test_one_that_is_refused_for_good_does_not_hold_up_the_others(post: Post) -> None:
    digest = await post.make("ann@example.com", "ben@example.com")
    post.clock.advance(DAY)
    post.box.refusals = ["550 no such user"]
    mailer = post.mailer()
    await run(mailer)
    assert (mailer.sent_count, mailer.given_up_count) == (1, 1)
    states = sorted(status for status, _, _ in (await post.states(digest)).values())
    assert states == ["failed", "sent"]
    assert any("550" in str(error) for _, _, error in (await post.states(digest)).values())
    post.clock.advance(3600)
    await run(post.mailer())
    assert post.box.attempts == 2


async def test_an_address_to_which_no_mail_can_go_fails_alone(post: Post) -> None:
    digest = await post.make("ann@example.com", "ben@example.com")
    async with post.database.session(write=True) as db:
        connection = await db.connection()
        await connection.exec_driver_sql("UPDATE digest_recipients SET address = 'nobody' WHERE recipient LIKE 'ann%'")
    post.clock.advance(DAY)
    await run(post.mailer())
    states = await post.states(digest)
    assert states["nobody"][0] == "failed"
    assert states["ben@example.com"][0] == "sent"


async def test_an_attempt_of_which_nothing_is_known_is_made_again_with_the_same_message_id(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(DAY)
    await run(post.mailer())
    now_ms = post.clock.now_ms()
    async with post.database.session(write=True) as db:  # as a death between the server's yes and the mark leaves it
        [letter] = (await db.scalars(select(DigestLetter))).all()
        letter.status, letter.attempts = "waiting", 0
        new_item = NewItem(letter.sending_id, "digest", lane="w", created_at_ms=now_ms)
        await enqueue(db, new_item, now_ms + LEASE_MS)
    await run(post.mailer())
    assert len(post.box.letters) == 1
    post.clock.advance(LEASE_MS / 1000)
    await run(post.mailer())
    first, second = post.box.letters
    assert first["message-id"] == second["message-id"]
    assert first["list-unsubscribe"] == second["list-unsubscribe"]
    assert await post.states(digest) == {"ann@example.com": ("sent", 1, None)}


async def test_who_unsubscribes_meanwhile_gets_nothing_more(post: Post) -> None:
    digest = await post.make("ann@example.com", "ben@example.com")
    post.clock.advance(DAY)
    await run(post.mailer())
    [link] = [letter["list-unsubscribe"] for letter in post.box.letters if letter["to"] == "ann@example.com"]
    await post.request_sending(digest)
    assert await unsubscribe(post.database, token(link), post.clock)
    await run(post.mailer())
    assert {name: state[0] for name, state in (await post.states(digest)).items()} == {
        "ann@example.com": "dropped",
        "ben@example.com": "sent",
    }
    await post.request_sending(digest)
    await run(post.mailer())
    assert list(await post.states(digest)) == ["ben@example.com"]


async def test_each_recipient_has_their_own_link(post: Post) -> None:
    await post.make("ann@example.com", "ben@example.com")
    post.clock.advance(DAY)
    await run(post.mailer())
    links = {str(letter["list-unsubscribe"]) for letter in post.box.letters}
    assert len(links) == 2
    for letter in post.box.letters:
        assert letter["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        body = letter.get_body(("plain",))
        assert body is not None
        assert str(letter["list-unsubscribe"]).strip("<>") in body.get_content()


async def test_a_busy_database_sends_nothing_twice(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.make(*(f"user{number}@example.com" for number in range(8)))
    post.clock.advance(DAY)
    mailer, session, refusals = post.mailer(), post.database.session, iter(range(1))

    def refuse_once_after_a_letter(*, write: bool) -> Any:
        if post.box.letters and next(refusals, None) is not None:
            raise Unavailable("The metadata database is busy.")
        return session(write=write)

    monkeypatch.setattr(post.database, "session", refuse_once_after_a_letter)
    for _ in range(4):
        await run(mailer)
        post.clock.advance(6)
    ids = [str(letter["message-id"]) for letter in post.box.letters]
    assert len(set(ids)) == 8
    assert len(ids) <= 9, "only the one whose result was not recorded comes again"


async def test_a_mail_that_joins_a_sending_that_is_done_is_sent(post: Post) -> None:
    digest = await post.make("ann@example.com", "ben@example.com")
    post.clock.advance(DAY)
    mailer = post.mailer()
    await mailer.claim_due_digests(0)
    async with post.database.session(write=True) as db:  # as one that a worker of an earlier version is sending
        later_ms = post.clock.now_ms() + 300_000
        is_ben = DigestLetter.recipient == "ben@example.com"
        await db.execute(update(DigestLetter).where(is_ben).values(next_attempt_ms=later_ms))
        [item] = [
            ClaimedItem(row.id, "digest", row.lane, row.workspace_id, "", 0, row.created_at_ms)
            for row in await items(db)
        ]
    assert await mailer.run(item) == Done()
    async with post.database.session(write=True) as db:  # it becomes due just before that is recorded
        await db.execute(update(DigestLetter).where(is_ben).values(next_attempt_ms=None))
        await delete_all(db)
        await mailer.record(db, item, Done())
    await run(mailer)
    assert {status for status, _, _ in (await post.states(digest)).values()} == {"sent"}
    assert len(post.box.letters) == 2


async def items(db: Session) -> Sequence[WorkItem]:
    return (await db.scalars(select(WorkItem))).all()


async def delete_all(db: Session) -> None:
    await db.execute(delete(WorkItem))
