"""The plan's monthly event cap, exact under concurrency (rules/people#monthly-cap).

The one event loop of the server reserves before the commit and gives back when the commit fails; the durable count is
written in the same transaction as the events (spool/group.py), so a crash cannot part the two.
"""

import sqlite3
from collections import Counter

from tallyroom.core.errors import PlanLimit
from tallyroom.core.plans import FREE


class MonthlyCap:
    """Counts events of each workspace and UTC month of receipt.

    Args:
        connection: reads the durable counts of the spool, once.
        free_events_per_month: the cap of the plan ``free``; a paid workspace has none.
    """

    def __init__(self, connection: sqlite3.Connection, free_events_per_month: int) -> None:
        self._free_events_per_month = free_events_per_month
        self._used: Counter[tuple[str, int]] = Counter(
            {(workspace, month): events for workspace, month, events in connection.execute("SELECT * FROM usage")}
        )

    def reserve(self, workspace_id: str, plan: str, month: int, events: int) -> None:
        """Count `events`, all or none.

        Raises:
            PlanLimit: they would pass the cap of a free workspace.
        """
        used, cap = self._used[workspace_id, month], self.cap_of(plan)
        if cap is not None and used + events > cap:
            raise PlanLimit(
                f"The free plan takes {cap} events a month and {used} are used; "
                "new events are refused until next month or an upgrade."
            )
        self._used[workspace_id, month] = used + events

    def reserve_up_to(self, workspace_id: str, plan: str, month: int, events: int) -> int:
        """Count as many of `events` as the plan has room for, and return how many that are."""
        used, cap = self._used[workspace_id, month], self.cap_of(plan)
        allowed = events if cap is None else min(events, max(cap - used, 0))
        self._used[workspace_id, month] = used + allowed
        return allowed

    def give_back(self, workspace_id: str, month: int, events: int) -> None:
        """Undo a reservation whose events were not kept."""
        self._used[workspace_id, month] -= events

    def cap_of(self, plan: str) -> int | None:
        """The most events a month of a plan; None where there is no most."""
        return self._free_events_per_month if plan == FREE else None

    def used(self, workspace_id: str, month: int) -> int:
        """Events counted in a month."""
        return self._used[workspace_id, month]
