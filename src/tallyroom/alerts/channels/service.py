"""Alert channels: how they change, and how a test is sent (rules/alerts#channel, rules/alerts#test-message)."""

import asyncio
from typing import cast

import msgspec
from msgspec import UNSET

from tallyroom.alerts.channel_types.destination import ChannelType, Destinations
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.webhook import generate_secret
from tallyroom.alerts.channels import repository
from tallyroom.alerts.channels.schemas import (
    AlertChannelChange,
    AlertChannelIn,
    AlertChannelOut,
    AttemptOut,
    ChannelSecretOut,
    NewAlertChannelOut,
)
from tallyroom.alerts.delivery.message_queue import give_up_waiting
from tallyroom.alerts.delivery.messenger import Messenger
from tallyroom.auth.audit import Action, Details, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.limits.limits import RateLimit
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import AlertChannel

MAX_CHANNELS = 100  # in a workspace
TESTS_PER_MINUTE = 5  # of a workspace
_TEST_SECONDS = 20
_MINUTE_S = 60
_SAMPLES = (78, 84, 81, 90, 86, 97, 93, 104, 99, 112, 108, 120)


class AlertChannels:
    """Creates, changes and tests channels; methods that use the network open their own short transactions first."""

    def __init__(
        self,
        database: Database,
        destinations: Destinations,
        messenger: Messenger,
        clock: Clock,
        id_generator: IdGenerator,
        public_url: str,
        test_limit: RateLimit,
    ) -> None:
        self._database = database
        self._destinations = destinations
        self._messenger = messenger
        self._clock = clock
        self._id_generator = id_generator
        self._public_url = public_url
        self._test_limit = test_limit

    async def create(self, principal: MemberPrincipal, body: AlertChannelIn) -> NewAlertChannelOut:
        """Create a channel; raises `ValidationFailed` for the destination, `Conflict` above `MAX_CHANNELS`."""
        await self._destinations.check(body.type, body.destination)
        secret = generate_secret(self._id_generator) if body.type == "webhook" else None
        now_ms = self._clock.now_ms()
        channel = AlertChannel(
            id=self._id_generator.new(),
            workspace_id=principal.workspace_id,
            name=body.name,
            type=body.type,
            destination=self._destinations.encrypt(body.destination),
            preview=self._destinations.preview(body.type, body.destination),
            secret=secret and self._destinations.encrypt(secret),
            enabled=body.enabled,
            created_at_ms=now_ms,
            updated_at_ms=now_ms,
        )
        async with self._database.session(write=True) as db:
            await recheck_role(db, principal, self._clock, Role.DEVELOPER)
            if await repository.count_channels(db, principal.workspace_id) >= MAX_CHANNELS:
                raise Conflict(f"This workspace has {MAX_CHANNELS} channels, the maximum. Delete one first.")
            await repository.add_channel(db, channel)
            await self._record(db, principal, Action.ALERT_CHANNEL_CREATE, channel)
        return NewAlertChannelOut(**msgspec.structs.asdict(_channel_out(channel)), secret=secret or UNSET)

    async def change(self, principal: MemberPrincipal, channel_id: str, body: AlertChannelChange) -> AlertChannelOut:
        """Change a channel; switching it off drops its waiting messages. Raises `NotFound` or `ValidationFailed`."""
        if body.destination is not UNSET:
            async with self._database.session(write=False) as db:
                channel = await find_channel(db, principal.workspace_id, channel_id)
            await self._destinations.check(_channel_type(channel), body.destination)
        async with self._database.session(write=True) as db:
            await recheck_role(db, principal, self._clock, Role.DEVELOPER)
            channel = await find_channel(db, principal.workspace_id, channel_id)
            new_values = find_changes(channel, {"name": body.name, "enabled": body.enabled})
            new_values |= self._find_destination_changes(channel, body)
            if new_values:
                apply_changes(channel, new_values | {"updated_at_ms": self._clock.now_ms()})
                changed_names = ", ".join(name for name in new_values if name != "preview")
                await self._record(db, principal, Action.ALERT_CHANNEL_UPDATE, channel, {"changed": changed_names})
            if new_values.get("enabled") is False:
                await give_up_waiting(db, channel, self._clock.now_ms())
        return _channel_out(channel)

    async def send_test(self, principal: MemberPrincipal, channel_id: str) -> AttemptOut:
        """Send a test message, even if the channel is off; raises `NotFound` or `RateLimited`."""
        async with self._database.session(write=False) as db:
            channel = await find_channel(db, principal.workspace_id, channel_id)
        await self._test_limit.admit(principal.workspace_id)
        destination = self._destinations.decrypt(channel.type, channel.destination, channel.secret)
        try:
            async with asyncio.timeout(_TEST_SECONDS):
                await self._messenger.deliver(destination, self._build_test_message(channel), self._id_generator.new())
        except (DeliveryDeferred, DeliveryRejected) as error:
            return AttemptOut(ok=False, error=str(error))
        except TimeoutError:
            return AttemptOut(ok=False, error=f"no response within {_TEST_SECONDS} seconds")
        return AttemptOut(ok=True)

    async def replace_secret(self, db: Session, principal: MemberPrincipal, channel_id: str) -> ChannelSecretOut:
        """Replace the secret of a webhook immediately; raises `NotFound`, or `Conflict` for other channels."""
        channel = await find_channel(db, principal.workspace_id, channel_id)
        if channel.type != "webhook":
            raise Conflict("Only webhooks have a secret.")
        secret = generate_secret(self._id_generator)
        apply_changes(channel, {"secret": self._destinations.encrypt(secret), "updated_at_ms": self._clock.now_ms()})
        await self._record(db, principal, Action.ALERT_CHANNEL_SECRET, channel)
        return ChannelSecretOut(secret)

    async def delete(self, db: Session, principal: MemberPrincipal, channel_id: str) -> None:
        """Delete a channel, even if alerts use it, or raise `NotFound`."""
        channel = await find_channel(db, principal.workspace_id, channel_id)
        await give_up_waiting(db, channel, self._clock.now_ms())
        await repository.delete_channel(db, channel)
        await self._record(db, principal, Action.ALERT_CHANNEL_DELETE, channel)

    def _find_destination_changes(self, channel: AlertChannel, body: AlertChannelChange) -> dict[str, str]:
        """Return the new column values of a channel that gets another destination."""
        destination = body.destination
        if destination is UNSET or not self._destinations.is_changed(destination, channel.destination):
            return {}
        return {
            "destination": self._destinations.encrypt(destination),
            "preview": self._destinations.preview(_channel_type(channel), destination),
        }

    def _build_test_message(self, channel: AlertChannel) -> AlertMessage:
        now_ms = self._clock.now_ms()
        start_s = now_ms // 1000 - len(_SAMPLES) * _MINUTE_S
        return AlertMessage(
            type="test",
            timestamp=iso_ms(now_ms),
            alert_id=self._id_generator.new(),
            name=channel.name,
            severity="warning",
            environment="production",
            event="signup",
            measure="count",
            condition="above",
            threshold=100,
            value=_SAMPLES[-1],
            window_minutes=len(_SAMPLES),
            fired_at=iso_ms(now_ms),
            resolved_at=None,
            url=f"{self._public_url}/alerts",
            points=tuple(
                (float(start_s + minute * _MINUTE_S), float(value)) for minute, value in enumerate(_SAMPLES, start=1)
            ),
        )

    async def _record(
        self,
        db: Session,
        principal: MemberPrincipal,
        action: Action,
        channel: AlertChannel,
        more_details: Details | None = None,
    ) -> None:
        details = {"name": channel.name, "type": channel.type, **(more_details or {})}
        await record(db, principal, action, channel.id, details, clock=self._clock, id_generator=self._id_generator)


async def list_channels(db: Session, workspace_id: str) -> list[AlertChannelOut]:
    """List the channels, oldest first."""
    return [_channel_out(channel) for channel in await repository.list_channels(db, workspace_id)]


async def find_channel(db: Session, workspace_id: str, channel_id: str) -> AlertChannel:
    """Find a channel, or raise `NotFound`."""
    channel = await repository.find_channel(db, workspace_id, channel_id)
    if channel is None:
        raise NotFound("This workspace has no such alert channel.")
    return channel


def _channel_type(channel: AlertChannel) -> ChannelType:
    return cast("ChannelType", channel.type)


def _channel_out(channel: AlertChannel) -> AlertChannelOut:
    return AlertChannelOut(
        id=channel.id,
        name=channel.name,
        type=_channel_type(channel),
        destination_preview=channel.preview,
        enabled=channel.enabled,
        created_at=iso_ms(channel.created_at_ms),
    )
