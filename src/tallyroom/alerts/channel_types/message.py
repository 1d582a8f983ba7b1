"""What an alert tells its channels."""

from typing import Any, Literal

import msgspec

MessageType = Literal["alert.fired", "alert.reminder", "alert.nodata", "alert.resolved", "test"]


class AlertMessage(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One message, as it is kept until it is delivered; it contains no secret.

    Attributes:
        type: what happened; a `test` describes an alert that does not exist.
        timestamp: the moment of the beat, in ISO 8601.
        name: the alert's name.
        value: the value at that beat; None if there is none.
        fired_at: when the incident began, in ISO 8601.
        resolved_at: when it ended; None if it has not.
        no_data_since: since when there is no value to decide by; None if there is one.
        by_hand: whether somebody resolved the incident.
        url: the address of the alert.
        event, measure: what the alert watches; None if it watches a formula.
        property: what the measure is of; None for one that needs none.
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
