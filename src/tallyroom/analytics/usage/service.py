"""Counts how many of the plan's monthly events are used up (rules/people#usage)."""

from datetime import datetime, timedelta

from tallyroom.analytics.usage.schemas import UsageOut
from tallyroom.core.clock import Clock
from tallyroom.core.times import iso_ms, moment
from tallyroom.ingest.cap import MonthlyCap
from tallyroom.spool.row import month_of

_LONGEST_MONTH = timedelta(days=31)


def usage(cap: MonthlyCap, workspace_id: str, plan: str, clock: Clock) -> UsageOut:
    """Return the usage of this month, counted as the cap counts events: by time of receipt, in UTC."""
    now_ms = clock.now_ms()
    start = moment(now_ms).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return UsageOut(
        plan=plan,
        period=start.strftime("%Y-%m"),
        used=cap.used(workspace_id, month_of(now_ms)),
        cap=cap.cap_of(plan),
        resets_at=iso_ms(_ms((start + _LONGEST_MONTH).replace(day=1))),
    )


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)
