"""The message of an alert to its channels."""

from typing import Any, Literal

import msgspec

MessageType = Literal["alert.fired", "alert.reminder", "alert.nodata", "alert.resolved", "test"]


class AlertMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One message as it is stored until it is delivered, without secrets; times are ISO 8601.

    `timestamp` and `value` are from the beat. `event` and `measure` are None if the alert watches a `formula`. `points`
    are the values of the last window, minute by minute, with their seconds since 1970 UTC.
    """

    type: MessageType
    timestamp: str
    alert_id: str
    name: str
    severity: Literal["warning", "critical"]
    environment: str
    event: str | None
    measure: str | None
    condition: str
    threshold: int | float | None
    value: int | float | None
    window_minutes: int
    fired_at: str
    resolved_at: str | None
    url: str
    property: str | None = None
    formula: dict[str, Any] | None = None
    no_data_since: str | None = None
    by_hand: bool = False
    points: tuple[tuple[float, float], ...] = ()
