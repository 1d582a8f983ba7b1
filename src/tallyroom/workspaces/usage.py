"""GET /v1/usage: how many events of the plan are used up (rules/people#usage)."""

from datetime import datetime, timedelta

import msgspec
from litestar import Router, get

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.times import datetime_from_ms, iso_ms
from tallyroom.ingest.acceptance.cap import MonthlyCap
from tallyroom.rest.injected import Injected
from tallyroom.storage.spool.row import month_of


class UsageOut(msgspec.Struct, rename="camel"):
    """The events of a UTC month, `period`, as in 2026-11; `cap` may be null, `resetsAt` begins the next month."""

    plan: str
    period: str
    used: int
    cap: int | None
    resets_at: str


_LONGEST_MONTH = timedelta(days=31)


async def build_usage(monthly_cap: MonthlyCap, workspace_id: str, plan: str, clock: Clock) -> UsageOut:
    """Return the usage of this month, counted as the cap counts events: by time of receipt, in UTC."""
    now_ms = clock.now_ms()
    month_start = datetime_from_ms(now_ms).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return UsageOut(
        plan=plan,
        period=month_start.strftime("%Y-%m"),
        used=await monthly_cap.count_used(workspace_id, month_of(now_ms)),
        cap=monthly_cap.get_cap(plan),
        resets_at=iso_ms(_to_unix_ms((month_start + _LONGEST_MONTH).replace(day=1))),
    )


def _to_unix_ms(time: datetime) -> int:
    return round(time.timestamp() * 1000)


@get("/", guards=[require_member])
async def get_usage(
    cap: Injected[MonthlyCap], principal: Injected[MemberPrincipal], clock: Injected[Clock]
) -> UsageOut:
    """The plan, how many events it has taken this month, and how many it takes."""
    return await build_usage(cap, principal.workspace_id, principal.plan, clock)


routes = Router(path="/v1/usage", route_handlers=[get_usage], opt=TAKES_UNLIMITED_TOKENS, tags=["workspaces"])
