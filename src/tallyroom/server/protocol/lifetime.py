"""Bounds how long a client may keep a connection where several workers accept from one socket.

A connection stays with the worker that has accepted it, and the one that was idle accepts the most. So an answer asks
its client to connect anew from time to time, and the load evens out.
"""

import asyncio
import itertools
from collections.abc import Callable
from typing import NamedTuple


class Lifetime(NamedTuple):
    """After how many requests or seconds, whichever comes first, the next answer is the last of its connection."""

    max_requests: int = 1_000
    max_seconds: float = 30.0

    def start_connection(self, loop: asyncio.AbstractEventLoop) -> Callable[[], bool]:
        """Return what counts each request of a new connection, and tells whether its answer is to be the last."""
        remaining_requests, end_time = itertools.count(self.max_requests, -1), loop.time() + self.max_seconds
        return lambda: next(remaining_requests) <= 1 or loop.time() >= end_time


def is_never_final() -> bool:
    """Tell that the client decides when it is over."""
    return False
