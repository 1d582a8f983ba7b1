"""A mail waits for the newest events for up to ten minutes (rules/digests#newest-events)."""

from digests.conftest import Post
from harness.builders.digest_mails import QueuedMailer, run

DAY = 86_400.0
REASON = "The newest events have not reached the event store yet."
SENTENCE = "The newest events may be missing"


async def run_for(post: Post, mailer: QueuedMailer, minutes: float) -> None:
    """Look for due mails once a second."""
    for _ in range(round(minutes * 60 / 5)):
        await run(mailer)
        post.clock.advance(5)


async def test_a_mail_is_sent_as_soon_as_all_events_are_there(post: Post) -> None:
    digest, mailer = await post.make(), post.mailer()
    post.clock.advance(DAY)
    post.reader.is_fresh = False
    await run_for(post, mailer, 9)
    assert (post.box.letters, post.renderer.made) == ([], [])
    assert await post.states(digest) == {"ann@example.com": ("waiting", 0, REASON)}
    post.reader.is_fresh = True
    await run_for(post, mailer, 0.5)
    assert await post.states(digest) == {"ann@example.com": ("sent", 1, None)}
    assert SENTENCE not in str(post.box.letters[0])


async def test_after_ten_minutes_it_is_sent_and_says_what_may_be_missing(post: Post) -> None:
    digest, mailer = await post.make(), post.mailer()
    post.clock.advance(DAY)
    post.reader.is_fresh = False
    await run_for(post, mailer, 9.9)
    assert post.box.letters == []
    await run_for(post, mailer, 0.5)
    assert await post.states(digest) == {"ann@example.com": ("sent", 1, None)}
    assert SENTENCE in str(post.box.letters[0])
    post.clock.advance(DAY - 700)
    await run_for(post, mailer, 11)
    assert len(post.box.letters) == 2


async def test_mails_of_a_workspace_keep_their_order(post: Post) -> None:
    digests, mailer = [await post.make(), await post.make()], post.mailer()
    post.clock.advance(DAY)
    post.reader.is_fresh = False
    await run(mailer)
    [first] = [digest for digest in digests if (await post.states(digest))["ann@example.com"][2] == REASON]
    post.reader.is_fresh = True
    await run(mailer)
    assert post.box.letters == []
    await run_for(post, mailer, 0.5)
    assert len(post.box.letters) == 2
    assert post.renderer.made[0][0] == first.id
