"""The message of an alert to its channels."""

from typing import Any, Literal

import msgspec

MessageType = Literal["alert.fired", "alert.reminder", "alert.nodata", "alert.resolved", "test"]


class AlertMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One message, as it is stored until it is delivered; it contains no secret.

    Attributes:
        type: a `test` describes an alert that does not exist.
        timestamp: the moment of the beat, in ISO 8601; `value` is from that beat.
        fired_at, resolved_at: the start and the end of the incident, in ISO 8601; None if it has not ended.
        no_data_since: when the value was lost that the condition needs; None if there is one.
        by_hand: whether someone resolved the incident.
        event, measure: None if the alert watches a formula.
        formula: as the alert has it; None if it watches a measure.
        points: the value at the end of each minute of the last window, with its seconds since 1970 UTC, for a chart.
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
