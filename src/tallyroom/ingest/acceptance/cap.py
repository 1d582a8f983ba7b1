"""The plan's monthly event cap, exact under concurrency (rules/people#monthly-cap).

Events are reserved on the event loop before the commit, and given back if it fails. Their transaction stores the
durable count (storage/spool/commit_group.py), so a crash cannot separate the two.
"""

import sqlite3
from abc import ABC, abstractmethod
from collections import Counter

from tallyroom.core.errors import PlanLimit
from tallyroom.storage.metadata.plans import FREE_PLAN
from tallyroom.storage.spool.usage import read_usage

WorkspaceMonth = tuple[str, int]
"""The ID of a workspace, and a UTC month of receipt."""


class MonthlyCap(ABC):
    """Counts events by workspace and UTC month of receipt; only free workspaces have a cap."""

    def __init__(self, connection: sqlite3.Connection, free_events_per_month: int) -> None:
        self._free_events_per_month = free_events_per_month
        self._count_by_key: Counter[WorkspaceMonth] = Counter(read_usage(connection))

    @abstractmethod
    def reserve(self, workspace_id: str, plan: str, month: int, event_count: int) -> bool:
        """Count all events or raise `PlanLimit`; False, with none counted, if `make_room` has to be awaited first."""

    @abstractmethod
    def reserve_up_to(self, workspace_id: str, plan: str, month: int, event_count: int) -> int | None:
        """Count as many of the events as the plan has room for; return how many, or None if `make_room` comes first."""

    @abstractmethod
    async def make_room(
        self, workspace_id: str, plan: str, month: int, event_count: int, *, is_part_enough: bool = False
    ) -> None:
        """Let this process count more events of a UTC month of receipt; others may use the room before the caller does.

        `is_part_enough` accepts less room. Raises `PlanLimit` at the cap, `Unavailable` if the room is unknown.
        """

    @abstractmethod
    def give_back(self, workspace_id: str, month: int, event_count: int) -> None:
        """Undo a reservation whose events were not kept."""

    @abstractmethod
    async def count_used(self, workspace_id: str, month: int) -> int:
        """Return how many events all processes have counted in a month; raises `Unavailable` without metadata."""

    @abstractmethod
    async def report_counts(self) -> None:
        """Report counts to other processes, and give back unneeded room; raises `Unavailable` without metadata."""

    @abstractmethod
    async def close(self) -> None:
        """Report for the last time, if possible."""

    def get_cap(self, plan: str) -> int | None:
        """Return the plan's most events per month; None if it has no cap."""
        return self._free_events_per_month if plan == FREE_PLAN else None

    def get_local_count(self, workspace_id: str, month: int) -> int:
        """Return how many events this process, and earlier ones on the spool, counted in a month."""
        return self._count_by_key[workspace_id, month]


class LocalCap(MonthlyCap):
    """The cap of a process that counts all events of the installation."""

    def reserve(self, workspace_id: str, plan: str, month: int, event_count: int) -> bool:
        """Count events, and return True."""
        used_count, cap = self._count_by_key[workspace_id, month], self.get_cap(plan)
        if cap is not None and used_count + event_count > cap:
            raise build_plan_limit_error(cap, used_count)
        self._count_by_key[workspace_id, month] = used_count + event_count
        return True

    def reserve_up_to(self, workspace_id: str, plan: str, month: int, event_count: int) -> int:
        """Count as many events as the plan has room for."""
        used_count, cap = self._count_by_key[workspace_id, month], self.get_cap(plan)
        granted_count = event_count if cap is None else min(event_count, max(cap - used_count, 0))
        self._count_by_key[workspace_id, month] = used_count + granted_count
        return granted_count

    async def make_room(
        self, workspace_id: str, plan: str, month: int, event_count: int, *, is_part_enough: bool = False
    ) -> None:
        """Do nothing: there is no more room to get."""

    def give_back(self, workspace_id: str, month: int, event_count: int) -> None:
        """Undo a reservation."""
        self._count_by_key[workspace_id, month] -= event_count

    async def count_used(self, workspace_id: str, month: int) -> int:
        """Return the number of events counted in a month."""
        return self._count_by_key[workspace_id, month]

    async def report_counts(self) -> None:
        """Do nothing: no other process counts."""

    async def close(self) -> None:
        """Do nothing."""


def build_plan_limit_error(cap: int, used_count: int) -> PlanLimit:
    """Build the error for events beyond a cap."""
    return PlanLimit(
        f"The free plan allows {cap} events a month, and {used_count} are used; "
        "new events are refused until next month or an upgrade."
    )
