"""How many channels there may be, and how often one may be tested (rules/alerts#channel, rules/alerts#test-message)."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import insert, select, update

from harness.builders.alert_messages import a_message
from tallyroom.alerts.channel_types.destination import Destinations
from tallyroom.alerts.channels.deliveries import RETRIES_PER_MINUTE, DeliveryRetrier, list_deliveries
from tallyroom.alerts.channels.schemas import AlertChannelChange, AlertChannelIn, DeliveryOut
from tallyroom.alerts.channels.service import MAX_CHANNELS, TESTS_PER_MINUTE, AlertChannels, list_channels
from tallyroom.alerts.delivery.message_queue import MessageQueue
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.clock import SystemClock
from tallyroom.core.errors import Conflict, NotFound, RateLimited, Unauthorized
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.mail.errors import DeliveryDeferred
from tallyroom.storage.limits.sliding_window import SlidingWindow
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AlertChannel, Delivery, WorkItem

BODY = AlertChannelIn(name="Hook", type="webhook", destination="https://example.com/hooks/0123456789")


class Refusing:
    """A messenger to whom nobody opens."""

    async def deliver(self, *_: Any) -> None:
        raise DeliveryDeferred("HTTP 503")


@pytest.fixture
def channels(database: Database, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> AlertChannels:
    monkeypatch.setattr("tallyroom.alerts.channels.service.recheck_role", allowed)
    destinations = Destinations(Vault([Fernet.generate_key().decode()]), GuardedFetcher(OutboundRules()), "")
    tests = SlidingWindow("alert-channel-tests", TESTS_PER_MINUTE, fake_clock)
    return AlertChannels(database, destinations, Refusing(), fake_clock, IdGenerator(fake_clock), "", tests)  # type: ignore[arg-type] # a stand-in


@pytest.fixture
def retries(database: Database, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> DeliveryRetrier:
    monkeypatch.setattr("tallyroom.alerts.channels.deliveries.recheck_role", allowed)
    return DeliveryRetrier(database, fake_clock, SlidingWindow("delivery-retries", RETRIES_PER_MINUTE, fake_clock))


async def allowed(*_: Any) -> None:
    """The founder of these tests has no session to look up."""


async def test_a_workspace_has_room_for_100(
    channels: AlertChannels, database: Database, founder: MemberPrincipal
) -> None:
    row = {"workspace_id": founder.workspace_id, "name": "c", "type": "email", "destination": "", "preview": ""}
    rest: dict[str, Any] = {"enabled": True, "created_at_ms": 0, "updated_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(AlertChannel), [row | rest | {"id": str(at)} for at in range(MAX_CHANNELS - 1)])
    last = await channels.create(founder, BODY)
    with pytest.raises(Conflict, match="100 channels"):
        await channels.create(founder, BODY)
    async with database.session(write=True) as db:
        assert len(await list_channels(db, founder.workspace_id)) == 100
        await channels.delete(db, founder, last.id)
    await channels.create(founder, BODY)


async def test_five_tests_a_minute(channels: AlertChannels, founder: MemberPrincipal, fake_clock: Any) -> None:
    made = [await channels.create(founder, BODY) for _ in range(2)]
    for number in range(5):
        tested = await channels.send_test(founder, made[number % 2].id)
        assert (tested.ok, tested.error) == (False, "HTTP 503")
    with pytest.raises(RateLimited) as refusal:
        await channels.send_test(founder, made[0].id)
    wait = int(refusal.value.headers["retry-after"])
    assert 0 < wait <= 61
    with pytest.raises(NotFound):
        await channels.send_test(founder, "none")
    fake_clock.advance(wait)
    await channels.send_test(founder, made[0].id)


async def test_what_waits_for_a_channel_is_given_up_when_it_is_switched_off(
    channels: AlertChannels, retries: DeliveryRetrier, database: Database, founder: MemberPrincipal, fake_clock: Any
) -> None:
    made, [before] = await a_channel(channels, database, founder, 1)
    await channels.change(founder, made, AlertChannelChange(name="Other"))
    assert (before.status, before.error, before.alert_name) == ("waiting", None, "Too many sign-ups")
    await channels.change(founder, made, AlertChannelChange(enabled=False))
    [after] = await listed(database, founder, made)
    assert (after.status, after.error) == ("failed", "the channel was switched off")
    with pytest.raises(Conflict, match="switched off"):
        await retries.retry(founder, made, after.id, may_resend=True)
    await channels.change(founder, made, AlertChannelChange(enabled=True))
    again = await retries.retry(founder, made, after.id, may_resend=False)
    assert again.status == "waiting"
    async with database.session(write=False) as db:
        due = await db.scalar(select(WorkItem.due_ms))
    assert due == fake_clock.now_ms()


async def test_a_sixth_retry_in_a_minute_is_refused_and_changes_nothing(
    channels: AlertChannels, retries: DeliveryRetrier, database: Database, founder: MemberPrincipal, fake_clock: Any
) -> None:
    made, found = await a_channel(channels, database, founder, 6)
    other, [elsewhere] = await a_channel(channels, database, founder, 1)
    await end(database, "failed")
    for each in found[:5]:
        await retries.retry(founder, made, each.id, may_resend=False)
    for channel, last in ((made, found[5]), (other, elsewhere)):  # the limit is the workspace's
        with pytest.raises(RateLimited) as refusal:
            await retries.retry(founder, channel, last.id, may_resend=True)
    assert [each.status for each in await listed(database, founder, other)] == ["failed"]
    fake_clock.advance(int(refusal.value.headers["retry-after"]))
    assert (await retries.retry(founder, made, found[5].id, may_resend=False)).status == "waiting"


async def test_what_was_sent_is_sent_again_only_if_the_body_says_so_and_a_refusal_does_not_count(
    channels: AlertChannels, retries: DeliveryRetrier, database: Database, founder: MemberPrincipal
) -> None:
    made, [sent] = await a_channel(channels, database, founder, 1)
    await end(database, "sent")
    for _ in range(6):
        with pytest.raises(Conflict, match="again"):
            await retries.retry(founder, made, sent.id, may_resend=False)
        with pytest.raises(NotFound):
            await retries.retry(founder, made, "none", may_resend=True)
    assert [each.status for each in await listed(database, founder, made)] == ["sent"]
    for _ in range(5):
        assert (await retries.retry(founder, made, sent.id, may_resend=True)).status == "waiting"
        await end(database, "sent")
    with pytest.raises(RateLimited):
        await retries.retry(founder, made, sent.id, may_resend=True)


async def a_channel(
    channels: AlertChannels, database: Database, founder: MemberPrincipal, messages: int
) -> tuple[str, list[DeliveryOut]]:
    """Make a channel to which some messages wait; return its id, and them."""
    made = await channels.create(founder, BODY)
    async with database.session(write=True) as db:
        for _ in range(messages):
            await MessageQueue(SystemClock(), IdGenerator()).enqueue(db, [made.id], a_message())
    return made.id, await listed(database, founder, made.id)


async def listed(database: Database, founder: MemberPrincipal, channel_id: str) -> list[DeliveryOut]:
    async with database.session(write=False) as db:
        return await list_deliveries(db, founder.workspace_id, channel_id)


async def end(database: Database, status: str) -> None:
    """Make all deliveries over."""
    async with database.session(write=True) as db:
        await db.execute(update(Delivery).values(status=status, next_attempt_ms=None))


async def test_a_sender_who_lost_their_session_creates_nothing(
    channels: AlertChannels, database: Database, founder: MemberPrincipal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    with pytest.raises(Unauthorized):
        await channels.create(founder, BODY)
    async with database.session(write=False) as db:
        assert await list_channels(db, founder.workspace_id) == []
