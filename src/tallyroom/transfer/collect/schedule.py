"""When the next pull is due: at fixed distances from the first, so that a slow pull shifts none of the others."""

import math
import re
from collections.abc import Callable
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError

_SPAN: Final = re.compile(r"([1-9][0-9]{0,5})(s|m|h|d)")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class SpanUnknown(TallyroomError):
    """A span of time is not understood."""


def seconds_of(text: str) -> int:
    """The seconds of a span such as ``30m``.

    Raises:
        SpanUnknown: it is none.
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        raise SpanUnknown(f"{text} is no span of time; it looks like 90s, 30m, 2h or 1d.")
    return int(found[1]) * _SECONDS[found[2]]


def repeat(seconds: float, chore: Callable[[], object], clock: Clock, wait: Callable[[float], object]) -> None:
    """Run `chore` now and every so many seconds, for ever; it does not raise.

    A turn that comes while the chore still runs is left out.
    """
    first = clock.monotonic()
    while True:
        chore()
        passed = clock.monotonic() - first
        wait((math.floor(passed / seconds) + 1) * seconds - passed)
