"""How long to wait before a server is asked again: as long as it says, or ever longer."""

from email.utils import parsedate_to_datetime
from random import Random
from typing import Final

import httpx

_FIRST_PAUSE: Final = 0.2
_MAX_PAUSE: Final = 10.0
_MAX_RETRY_AFTER: Final = 86_400.0  # beyond it a Tallyroom server has forgotten the idempotency keys


def told_by(answer: httpx.Response, now_ms: int) -> float | None:
    """How many seconds `Retry-After` says to wait: it is a number of them, or an HTTP date (RFC 9110, 10.2.3)."""
    header: str = answer.headers.get("retry-after", "")
    if header.isascii() and header.isdecimal():
        return min(float(header), _MAX_RETRY_AFTER)
    try:
        until: float = parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(until - now_ms / 1000, 0.0), _MAX_RETRY_AFTER)


def usual_pause(attempt: int, chance: Random) -> float:
    """Seconds to wait after this many attempts, when nobody says; the first is 0."""
    return min(_MAX_PAUSE, _FIRST_PAUSE * 2.0 ** min(attempt, 10)) * chance.uniform(0.5, 1)
