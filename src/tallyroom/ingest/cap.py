"""The plan's monthly event cap, exact under concurrency (rules/people#monthly-cap).

The server's one event loop reserves events before the commit and gives them back if the commit fails. The durable count
is written in the same transaction as the events (spool/group.py), so a crash cannot separate the two.
"""

import sqlite3
from collections import Counter

from tallyroom.core.errors import PlanLimit
from tallyroom.core.plans import FREE
from tallyroom.spool.usage import read_usage


class MonthlyCap:
    """Counts events by workspace and UTC month of receipt.

    Args:
        connection: a reading connection to the spool, used once to load the durable counts.
        free_events_per_month: the cap of the plan ``free``; a paid workspace has none.
    """

    def __init__(self, connection: sqlite3.Connection, free_events_per_month: int) -> None:
        self._free_events_per_month = free_events_per_month
        self._used = Counter(read_usage(connection))

    def reserve(self, workspace_id: str, plan: str, month: int, events: int) -> None:
        """Count `events`, all or none.

        Raises:
            PlanLimit: they would exceed the cap of a free workspace.
        """
        used, cap = self._used[workspace_id, month], self.cap_of(plan)
        if cap is not None and used + events > cap:
            raise PlanLimit(
                f"The free plan allows {cap} events a month, and {used} are used; "
                "new events are refused until next month or an upgrade."
            )
        self._used[workspace_id, month] = used + events

    def reserve_up_to(self, workspace_id: str, plan: str, month: int, events: int) -> int:
        """Count as many of `events` as the plan has room for, and return that number."""
        used, cap = self._used[workspace_id, month], self.cap_of(plan)
        allowed = events if cap is None else min(events, max(cap - used, 0))
        self._used[workspace_id, month] = used + allowed
        return allowed

    def give_back(self, workspace_id: str, month: int, events: int) -> None:
        """Undo a reservation whose events were not kept."""
        self._used[workspace_id, month] -= events

    def cap_of(self, plan: str) -> int | None:
        """Return the most events a month that a plan allows; None if it has no cap."""
        return self._free_events_per_month if plan == FREE else None

    def used(self, workspace_id: str, month: int) -> int:
        """Return the number of events counted in a month."""
        return self._used[workspace_id, month]
