"""How long to wait before a retry: as long as the server says, or increasingly longer."""

from email.utils import parsedate_to_datetime
from random import Random
from typing import Final

import httpx

_FIRST_PAUSE_SECONDS: Final = 0.2
_MAX_PAUSE_SECONDS: Final = 10.0
_MAX_RETRY_AFTER_SECONDS: Final = 86_400.0  # by then, a Tallyroom server has forgotten the idempotency keys


def read_retry_after(answer: httpx.Response, now_ms: int) -> float | None:
    """Return the seconds in `Retry-After`, which has either seconds or an HTTP date (RFC 9110, 10.2.3)."""
    header: str = answer.headers.get("retry-after", "")
    if header.isascii() and header.isdecimal():
        return min(float(header), _MAX_RETRY_AFTER_SECONDS)
    try:
        retry_at: float = parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return min(max(retry_at - now_ms / 1000, 0.0), _MAX_RETRY_AFTER_SECONDS)


def backoff_seconds(attempt_count: int, random: Random) -> float:
    """Return the seconds to wait after this many attempts, if the server does not say; 0 for the first."""
    return min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** min(attempt_count, 10)) * random.uniform(0.5, 1)
