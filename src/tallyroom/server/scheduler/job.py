"""What the scheduler runs."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tallyroom.server.scheduler.cadence import Cadence


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
