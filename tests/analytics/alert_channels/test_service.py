"""How many channels there may be, and how often one may be tested (rules/alerts#channel, rules/alerts#test-message)."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import insert, select

from harness.alerting import a_message
from tallyroom.analytics.alert_channels.deliveries import list_deliveries, retry_delivery
from tallyroom.analytics.alert_channels.schemas import AlertChannelChange, AlertChannelIn
from tallyroom.analytics.alert_channels.service import MOST_CHANNELS, TESTS_PER_MINUTE, AlertChannels, list_channels
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.errors import Conflict, NotFound, RateLimited, Unauthorized
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import Ids
from tallyroom.core.vault import Vault
from tallyroom.db.connection import Database
from tallyroom.db.models import AlertChannel, Delivery
from tallyroom.limits.sliding_window import SlidingWindow
from tallyroom.notify.destination import Destinations
from tallyroom.notify.errors import NotNow
from tallyroom.notify.outbox import enqueue

BODY = AlertChannelIn(name="Hook", type="webhook", destination="https://example.com/hooks/0123456789")


class Refusing:
    """A messenger to whom nobody opens."""

    async def tell(self, *_: Any) -> None:
        raise NotNow("HTTP 503")


@pytest.fixture
def channels(database: Database, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> AlertChannels:
    monkeypatch.setattr("tallyroom.analytics.alert_channels.service.recheck_role", allowed)
    destinations = Destinations(Vault([Fernet.generate_key().decode()]), GuardedFetcher(OutboundRules()), "")
    tests = SlidingWindow("alert-channel-tests", TESTS_PER_MINUTE, fake_clock)
    return AlertChannels(database, destinations, Refusing(), fake_clock, Ids(fake_clock), "", tests)  # type: ignore[arg-type] # a stand-in


async def allowed(*_: Any) -> None:
    """The founder of these tests has no session to look up."""


async def test_a_workspace_has_room_for_100(
    channels: AlertChannels, database: Database, founder: SessionPrincipal
) -> None:
    row = {"workspace_id": founder.workspace_id, "name": "c", "type": "email", "destination": "", "preview": ""}
    rest: dict[str, Any] = {"enabled": True, "created_at_ms": 0, "updated_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(AlertChannel), [row | rest | {"id": str(at)} for at in range(MOST_CHANNELS - 1)])
    last = await channels.create(founder, BODY)
    with pytest.raises(Conflict, match="100 channels"):
        await channels.create(founder, BODY)
    async with database.session(write=True) as db:
        assert len(await list_channels(db, founder.workspace_id)) == 100
        await channels.delete(db, founder, last.id)
    await channels.create(founder, BODY)


async def test_five_tests_a_minute(channels: AlertChannels, founder: SessionPrincipal, fake_clock: Any) -> None:
    made = [await channels.create(founder, BODY) for _ in range(2)]
    for number in range(5):
        tested = await channels.test(founder, made[number % 2].id)
        assert (tested.ok, tested.error) == (False, "HTTP 503")
    with pytest.raises(RateLimited) as refusal:
        await channels.test(founder, made[0].id)
    wait = int(refusal.value.headers["retry-after"])
    assert 0 < wait <= 61
    with pytest.raises(NotFound):
        await channels.test(founder, "none")
    fake_clock.advance(wait)
    await channels.test(founder, made[0].id)


async def test_what_waits_for_a_channel_is_given_up_when_it_is_switched_off(
    channels: AlertChannels, database: Database, founder: SessionPrincipal, fake_clock: Any
) -> None:
    made = await channels.create(founder, BODY)
    async with database.session(write=True) as db:
        await enqueue(db, [made.id], a_message(), fake_clock.now_ms(), Ids(fake_clock))
    await channels.change(founder, made.id, AlertChannelChange(name="Other"))
    async with database.session(write=False) as db:
        [before] = await list_deliveries(db, founder.workspace_id, made.id)
    assert (before.status, before.error, before.alert_name) == ("waiting", None, "Too many sign-ups")
    await channels.change(founder, made.id, AlertChannelChange(enabled=False))
    async with database.session(write=True) as db:
        [after] = await list_deliveries(db, founder.workspace_id, made.id)
        assert (after.status, after.error) == ("failed", "the channel was switched off")
        with pytest.raises(Conflict, match="switched off"):
            await retry_delivery(db, founder.workspace_id, made.id, after.id, fake_clock)
    await channels.change(founder, made.id, AlertChannelChange(enabled=True))
    async with database.session(write=True) as db:
        again = await retry_delivery(db, founder.workspace_id, made.id, after.id, fake_clock)
        assert again.status == "waiting"
        due = await db.scalar(select(Delivery.next_attempt_ms))
    assert due == fake_clock.now_ms()


async def test_a_sender_who_lost_their_session_creates_nothing(
    channels: AlertChannels, database: Database, founder: SessionPrincipal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    with pytest.raises(Unauthorized):
        await channels.create(founder, BODY)
    async with database.session(write=False) as db:
        assert await list_channels(db, founder.workspace_id) == []
