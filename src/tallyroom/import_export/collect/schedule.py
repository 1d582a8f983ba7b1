"""Runs pulls at fixed distances from the first one, so that a slow pull does not shift the others."""

import math
import re
from collections.abc import Callable
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError

_SPAN: Final = re.compile(r"([1-9][0-9]{0,5})(s|m|h|d)")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class DurationUnknown(TallyroomError):
    """The text is not a length of time."""


def seconds_of(text: str) -> int:
    """Return the seconds in a length of time such as ``30m``.

    Raises:
        DurationUnknown: the text is not a length of time.
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        raise DurationUnknown(f"{text} is not a length of time; it looks like 90s, 30m, 2h or 1d.")
    return int(match[1]) * _SECONDS[match[2]]


def repeat(seconds: float, chore: Callable[[], object], clock: Clock, wait: Callable[[float], object]) -> None:
    """Run `chore`, which must not raise, now and then every `seconds`, forever.

    A turn that comes while the chore is still running is skipped.
    """
    first = clock.monotonic()
    while True:
        chore()
        elapsed = clock.monotonic() - first
        wait((math.floor(elapsed / seconds) + 1) * seconds - elapsed)
