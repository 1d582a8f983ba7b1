"""What the scheduler runs."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tallyroom.server.scheduler.cadence import Cadence


class Job(NamedTuple):
    """One piece of work that is due again and again.

    Attributes:
        name: identifies the job in the metadata, so that all servers on it share its leases; it never changes.
        cadence: when the job is due.
        run: does the work; receives the due time in milliseconds since 1970-01-01 UTC. It must bear to be repeated,
            because a server can die when the work is done and before that is recorded.
    """

    name: str
    cadence: Cadence
    run: Callable[[int], Awaitable[object]]
