"""Scheduled jobs, and when they are due: at multiples of an interval, in UTC (rules/safety#scheduled-jobs)."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple


class Cadence(NamedTuple):
    """The multiples of `interval_ms` milliseconds since 1970-01-01 UTC."""

    interval_ms: int

    def find_latest_ms(self, now_ms: int) -> int:
        """Return the last of these moments up to `now_ms`, inclusive."""
        return now_ms - now_ms % self.interval_ms

    def find_next_ms(self, ms: int) -> int:
        """Return the first of these moments after `ms`."""
        return self.find_latest_ms(ms) + self.interval_ms


class Job(NamedTuple):
    """A recurring piece of work.

    Attributes:
        name: identifies the job in the metadata, so that all servers on it share its leases; it never changes.
        run: does the work; receives the due time in milliseconds since 1970-01-01 UTC. It must be idempotent, because a
            server can die after the work and before that is recorded.
    """

    name: str
    cadence: Cadence
    run: Callable[[int], Awaitable[object]]
