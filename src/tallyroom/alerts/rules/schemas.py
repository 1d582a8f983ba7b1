"""The requests and answers of alerts (rules/alerts#alert)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.alerts.rule import Condition
from tallyroom.core.notices import Notices
from tallyroom.queries.config import EventName
from tallyroom.queries.filters import Filter, Filters
from tallyroom.queries.formula_parts import Formula
from tallyroom.queries.keys import Key
from tallyroom.queries.measures import Measure
from tallyroom.queries.values import Value
from tallyroom.rest.fields import Name

MAX_RECIPIENTS = 20

Severity = Literal["warning", "critical"]
Minutes = Annotated[int, Meta(ge=1, le=1440)]
ChannelIds = Annotated[tuple[str, ...], Meta(max_length=MAX_RECIPIENTS)]


class WatchedIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """What an alert watches: an event, by default its `count`, or a formula."""

    environment: str
    event: EventName | None = None
    measure: Measure | None = None
    property: Key | None = None
    filters: Filters | None = None
    formula: Formula | None = None
    segment_id: str | None = None
    condition: Condition
    threshold: float | None = None
    window_minutes: Minutes = 60


class AlertPreviewIn(WatchedIn, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """Body of a preview; `minutes` asks for the value at every minute, too."""

    minutes: bool = False


class AlertIn(WatchedIn, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """Body of a new alert."""

    name: Name
    severity: Severity = "warning"
    cooldown_minutes: Minutes = 30
    enabled: bool = True
    channel_ids: ChannelIds = ()


class AlertChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """Body of a change: absent fields stay the same, and `filters` and `channelIds` replace all entries.

    A formula replaces the event with its measure, property and filters; an event replaces the formula.
    """

    name: Name | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    event: EventName | UnsetType | None = UNSET
    measure: Measure | UnsetType | None = UNSET
    property: Key | UnsetType | None = UNSET
    filters: Filters | UnsetType | None = UNSET
    formula: Formula | UnsetType | None = UNSET
    segment_id: str | UnsetType | None = UNSET
    condition: Condition | UnsetType = UNSET
    threshold: float | UnsetType | None = UNSET
    window_minutes: Minutes | UnsetType = UNSET
    severity: Severity | UnsetType = UNSET
    cooldown_minutes: Minutes | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    channel_ids: ChannelIds | UnsetType = UNSET


class LastDeliveryOut(msgspec.Struct, rename="camel"):
    """The newest message to a channel about the open incident; `error` is from the last attempt."""

    channel_id: str
    at: str
    status: Literal["waiting", "sent", "failed"]
    error: str | None


class AlertOut(msgspec.Struct, rename="camel", kw_only=True):
    """An alert; `status`, `lastEvaluatedAt` and `lastValue` are from the last beat.

    `noDataSince` is set while an incident stays open only because there is no value. `lastDataAt` is the last
    evaluation whose window had an event; while it is null, `ok` means only that no events have arrived yet.
    `delayedSince` is the first beat since the last evaluation at which the alert kept its status, because the newest
    events had not reached the event store; null unless it is waiting for them.
    `lastDeliveries` has the status of the newest message about the open incident for each channel. With a `formula`,
    `event`, `measure`, `property` and `filters` are null.
    """

    id: str
    name: str
    environment: str
    event: str | None
    measure: str | None
    property: str | None
    filters: tuple[Filter, ...] | None
    formula: Formula | None
    segment_id: str | None
    condition: str
    threshold: Value
    window_minutes: int
    severity: str
    cooldown_minutes: int
    enabled: bool
    channel_ids: list[str]
    status: Literal["ok", "firing", "paused", "nodata"]
    no_data_since: str | None
    last_evaluated_at: str | None
    last_data_at: str | None
    delayed_since: str | None
    last_value: Value
    last_deliveries: list[LastDeliveryOut]
    created_at: str
    updated_at: str


class AlertsOut(msgspec.Struct, rename="camel"):
    """Alerts of the workspace, oldest first."""

    alerts: list[AlertOut]


class ActivityEntry(msgspec.Struct, rename="camel", kw_only=True):
    """An alert fired, resolved, or lost its value during an incident; the fields are from that moment."""

    id: str
    alert_id: str
    alert_name: str
    type: Literal["fired", "resolved", "nodata"]
    value: Value
    threshold: Value
    condition: str
    severity: str
    at: str


class ActivityOut(msgspec.Struct, rename="camel"):
    """What alerts did, newest first."""

    activity: list[ActivityEntry]


class FiringDay(msgspec.Struct, rename="camel"):
    """A day on which an alert fired at any time; `fired` is the number of incidents that began on it."""

    day: str
    fired: int


class AlertHistory(msgspec.Struct, rename="camel"):
    """The last days of an alert.

    It was created on `knownFrom`, or before the first day. `knownUntil` is the day of the last evaluation, null before
    the first one.
    """

    alert_id: str
    known_from: str
    known_until: str | None
    firing_days: list[FiringDay]


class AlertHistoryOut(msgspec.Struct, rename="camel", kw_only=True):
    """On which days, from `from` to `to`, each alert fired; days are the workspace's, such as `2026-11-20`."""

    from_: str = msgspec.field(name="from")
    to: str
    alerts: list[AlertHistory]


class PastIncidentOut(msgspec.Struct, rename="camel"):
    """An incident that would have occurred; `resolvedAt` is null if it would still be open."""

    fired_at: str
    resolved_at: str | None
    value: Value


class PastPoint(msgspec.Struct, rename="camel"):
    """The value at a beat."""

    t: str
    value: Value


class PastMinutes(msgspec.Struct, rename="camel"):
    """The values at all minutes, oldest first: each of `values` is that of as many minutes as `lengths` says."""

    values: list[Value]
    lengths: list[int]


class AlertPreviewOut(msgspec.Struct, rename="camel", kw_only=True):
    """What an alert would have done from `from` to `to`.

    `fired` counts all incidents; `incidents` has the first 500. `points` has the value of every hour, and `minutes`, if
    the request asks for it, of every minute. `notices` describe possible mistakes in the rule, such as an event that
    has never been seen.
    """

    from_: str = msgspec.field(name="from")
    to: str
    fired: int
    incidents: list[PastIncidentOut]
    points: list[PastPoint]
    minutes: PastMinutes | UnsetType = UNSET
    notices: Notices = UNSET
