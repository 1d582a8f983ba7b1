"""The requests and answers of alert channels (rules/alerts#channel)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.alerts.channel_types.destination import ChannelType
from tallyroom.alerts.channel_types.message import MessageType
from tallyroom.rest.fields import Name

DestinationText = Annotated[str, Meta(min_length=1, max_length=2000)]
DeliveryStatus = Literal["waiting", "sent", "failed"]


class AlertChannelIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new channel; its type cannot be changed."""

    name: Name
    type: ChannelType
    destination: DestinationText
    enabled: bool = True


class AlertChannelChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same."""

    name: Name | UnsetType = UNSET
    destination: DestinationText | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class AlertChannelOut(msgspec.Struct, rename="camel"):
    """A channel; `destinationPreview` shows only enough of the destination to recognize it."""

    id: str
    name: str
    type: ChannelType
    destination_preview: str
    enabled: bool
    created_at: str


class NewAlertChannelOut(AlertChannelOut, rename="camel"):
    """A new channel; only this response has the `secret` of a webhook."""

    secret: str | UnsetType = UNSET


class AlertChannelsOut(msgspec.Struct, rename="camel"):
    """The channels of the workspace, oldest first."""

    alert_channels: list[AlertChannelOut]


class ChannelSecretOut(msgspec.Struct, rename="camel"):
    """The new secret of a webhook, shown only once."""

    secret: str


class AttemptOut(msgspec.Struct, rename="camel"):
    """The result of a test message; `error` says why it did not arrive."""

    ok: bool
    error: str | UnsetType = UNSET


class DeliveryRetryIn(msgspec.Struct, forbid_unknown_fields=True):
    """Optional body of a retry; `again` sends a message that was already sent."""

    again: bool = False


class DeliveryOut(msgspec.Struct, rename="camel"):
    """One message to the channel; `error` is from the last attempt."""

    id: str
    at: str
    type: MessageType
    alert_name: str
    status: DeliveryStatus
    attempts: int
    error: str | None


class DeliveriesOut(msgspec.Struct, rename="camel"):
    """The newest messages to the channel, newest first."""

    deliveries: list[DeliveryOut]
