"""GET /v1/usage: how many events of the plan are used (rules/people#usage)."""

import msgspec
from litestar import Router, get

from tallyroom.auth.guards import require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.times import iso_ms, month_bounds_ms
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


async def build_usage(monthly_cap: MonthlyCap, workspace_id: str, plan: str, clock: Clock) -> UsageOut:
    """Return the usage of this month, counted as the cap counts events: by time of receipt, in UTC."""
    month = month_of(clock.now_ms())
    _, last_ms = month_bounds_ms(month)
    return UsageOut(
        plan=plan,
        period=f"{month // 100}-{month % 100:02}",
        used=await monthly_cap.count_used(workspace_id, month),
        cap=monthly_cap.get_cap(plan),
        resets_at=iso_ms(last_ms + 1),
    )


@get("/", guards=[require_member])
async def get_usage(
    cap: Injected[MonthlyCap], principal: Injected[MemberPrincipal], clock: Injected[Clock]
) -> UsageOut:
    """The plan, this month's number of events, and the monthly cap."""
    return await build_usage(cap, principal.workspace_id, principal.plan, clock)


routes = Router(path="/v1/usage", route_handlers=[get_usage], opt=TAKES_UNLIMITED_TOKENS, tags=["workspaces"])
