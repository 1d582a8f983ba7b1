"""Runs pulls at fixed intervals from the first one, so that a slow pull does not shift the next ones."""

import math
import re
from collections.abc import Callable
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError

_DURATION_PATTERN: Final = re.compile(r"([1-9][0-9]{0,5})(s|m|h|d)")
_SECONDS_PER_UNIT: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class DurationUnknown(TallyroomError):
    """The text is not a duration."""


def parse_duration(text: str) -> int:
    """Return the seconds in a duration such as ``30m``, or raise `DurationUnknown`."""
    match = _DURATION_PATTERN.fullmatch(text)
    if match is None:
        raise DurationUnknown(f"{text} is not a valid duration, such as 90s, 30m, 2h or 1d.")
    return int(match[1]) * _SECONDS_PER_UNIT[match[2]]


def run_every(
    interval_seconds: float, action: Callable[[], object], clock: Clock, sleep: Callable[[float], object]
) -> None:
    """Run `action`, which must not raise, now and every `interval_seconds`, forever; skip a turn if it still runs."""
    started_at = clock.monotonic()
    while True:
        action()
        elapsed = clock.monotonic() - started_at
        sleep((math.floor(elapsed / interval_seconds) + 1) * interval_seconds - elapsed)
