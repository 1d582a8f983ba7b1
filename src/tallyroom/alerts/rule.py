"""What an alert watches (rules/alerts#alert)."""

from typing import Literal

import msgspec

from tallyroom.engine.filters import Filter
from tallyroom.engine.measures import Measure

Condition = Literal["above", "below", "rises", "drops", "nodata", "anomaly"]

PAST_DAYS = 14
"""How many earlier days an anomaly is compared with."""


class AlertRule(msgspec.Struct, frozen=True, kw_only=True):
    """A measure of some events over a window that ends at each beat, and the condition under which an alert fires.

    Attributes:
        filters: the alert's own filters, and those of its segment.
        threshold: None only for `nodata`, which needs none.
    """

    event: str
    measure: Measure
    property: str | None
    filters: tuple[Filter, ...]
    condition: Condition
    threshold: float | None
    window_minutes: int
