"""A due time is claimed once (rules/digests#once-for-each-due-time)."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from digests.conftest import Post
from harness.builders.digest_mails import run
from tallyroom.digests import repository
from tallyroom.digests.due_times import HISTORY_MS, claim_due_time, create_sending_now
from tallyroom.storage.metadata.models import DigestSending

DAY = 86_400.0


async def test_many_claims_at_once_make_one_sending(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(DAY)

    async def claim() -> bool:
        async with post.database.session(write=True) as db:
            return await claim_due_time(db, digest.id, post.clock, post.id_generator) is not None

    assert sum(await asyncio.gather(*(claim() for _ in range(20)))) == 1
    assert len(await post.sendings(digest)) == 1


async def test_the_database_refuses_a_second_row_for_a_due_time(post: Post) -> None:
    digest = await post.make()
    rows = [DigestSending(id=name, digest_id=digest.id, due_ms=7, created_at_ms=0) for name in "ab"]
    with pytest.raises(IntegrityError):
        async with post.database.session(write=True) as db:
            await repository.add_rows(db, *rows)


async def test_requests_in_one_millisecond_are_apart(post: Post) -> None:
    digest = await post.make()
    async with post.database.session(write=True) as db:
        placed = await repository.find_digest_with_dashboard(db, digest.id)
        assert placed is not None
        made = [await create_sending_now(db, placed.digest, post.clock, post.id_generator) for _ in range(3)]
    now = post.clock.now_ms()
    assert [sending.due_ms for sending in made] == [now + 1, now + 2, now + 3]  # the whole minute is the calendar's


async def test_old_sendings_are_forgotten(post: Post) -> None:
    digest = await post.make()
    post.clock.advance(DAY)
    await post.mailer().claim_due_digests(0)
    post.clock.advance(HISTORY_MS / 1000 + DAY)
    await post.mailer().claim_due_digests(0)
    assert len(await post.sendings(digest)) == 1


async def test_a_digest_without_recipients_is_due_and_sends_nothing(post: Post) -> None:
    digest = await post.make()
    async with post.database.session(write=True) as db:
        [recipient] = await repository.list_recipients(db, [digest.id])
        recipient.unsubscribed_ms = 1
    post.clock.advance(DAY)
    await run(post.mailer())
    assert post.box.letters == []
    assert [sending.mails for sending in await post.sendings(digest)] == [[]]
