"""Makes clients reconnect from time to time, so that the load of several workers on one socket stays balanced."""

import asyncio
import itertools
from collections.abc import Callable
from typing import NamedTuple


class Lifetime(NamedTuple):
    """After this many requests or seconds, whichever comes first, the next answer is the connection's last."""

    max_requests: int = 1_000
    max_seconds: float = 30.0

    def start_connection(self, loop: asyncio.AbstractEventLoop) -> Callable[[], bool]:
        """Return a function that counts each request of a new connection, and tells whether its answer is the last."""
        remaining_requests, end_time = itertools.count(self.max_requests, -1), loop.time() + self.max_seconds
        return lambda: next(remaining_requests) <= 1 or loop.time() >= end_time


def is_never_final() -> bool:
    """Return False: the client decides when the connection ends."""
    return False
