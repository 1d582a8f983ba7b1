"""The request and answer of `POST /v1/events`, for the API reference; validation/exact.py decides."""

import datetime as dt
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tallyroom.core.event_limits import (
    MAX_ACTOR_LENGTH,
    MAX_EVENTS,
    MAX_LABEL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SOURCE_LENGTH,
)


class EventIn(msgspec.Struct, forbid_unknown_fields=True):
    """One event as a client sends it."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, description="What happened.")]
    properties: Annotated[dict[str, Any], Meta(description="Any keys, with any JSON values.")] = {}
    actor: Annotated[str, Meta(max_length=MAX_ACTOR_LENGTH, description="Who did it.")] = msgspec.field(
        default="", name="_actor"
    )
    actor_label: Annotated[str, Meta(max_length=MAX_LABEL_LENGTH, description="Display name of the actor.")] = (
        msgspec.field(default="", name="_actorLabel")
    )
    source: Annotated[str, Meta(max_length=MAX_SOURCE_LENGTH, description="Where the event was sent from.")] = (
        msgspec.field(default="", name="_source")
    )
    timestamp: Annotated[
        dt.datetime | msgspec.UnsetType, Meta(description="When it happened; the time of receipt by default.")
    ] = msgspec.field(default=msgspec.UNSET, name="_timestamp")


class EventBatch(msgspec.Struct, forbid_unknown_fields=True):
    """Several events: the server accepts all or none of them."""

    events: Annotated[list[EventIn], Meta(min_length=1, max_length=MAX_EVENTS)]


class AcceptedOut(msgspec.Struct, frozen=True):
    """The number of events that are now durable."""

    accepted: int
