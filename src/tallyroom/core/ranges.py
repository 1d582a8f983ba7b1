"""The rolling windows that a question may cover (rules/questions#window)."""

from typing import Literal

from tallyroom.core.times import HOUR_MS

TimeRange = Literal["1h", "24h", "7d", "30d", "90d"]

DEFAULT_RANGE: TimeRange = "7d"

RANGE_MS: dict[TimeRange, int] = {
    "1h": HOUR_MS,
    "24h": 24 * HOUR_MS,
    "7d": 7 * 24 * HOUR_MS,
    "30d": 30 * 24 * HOUR_MS,
    "90d": 90 * 24 * HOUR_MS,
}
