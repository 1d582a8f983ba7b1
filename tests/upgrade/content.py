"""What the maker of the fixture puts into a server: events, boards, alerts, a digest, bots, people and tokens."""

from typing import Any

BIG = 9_007_199_254_740_993
"""2^53 + 1, which no double is."""

ANN, BEN = "ann@example.com", "ben@example.com"
MEMBER, MEMBER_PASSWORD = "dev@example.com", "cafe\u0301\u00a0au lait 1847"
"""A developer whose password has a space of another kind and an accent of its own."""

BOTS = ("432610292342587392", "583807014896140293", "646937666251915264")
BOT_SECRET = "a secret of the list"
VOTERS = tuple(str(205_680_187_394_752_512 + number) for number in range(4))


def _event(name: str, time: str, actor: str = "", **properties: Any) -> dict[str, Any]:
    return {"name": name, "_timestamp": time, "_actor": actor, "_source": "web", "properties": properties}


PRODUCTION = [
    _event("order.placed", "2026-10-30T10:00:00Z", "ann", amount=BIG, server_id="north", plan="pro"),
    _event("order.placed", "2026-10-30T11:00:00Z", "ben", amount=BIG + 2, server_id="north", plan="free"),
    _event("order.placed", "2026-11-18T10:00:00Z", "ann", amount=BIG, server_id="south", plan="pro"),
    _event("order.placed", "2026-11-18T11:00:00Z", "cid", amount=BIG + 4, server_id="south", plan="free"),
    _event("order.placed", "2026-11-20T07:50:00Z", "ann", amount=10, server_id="north", plan="pro"),
    _event("order.placed", "2026-11-20T07:55:00Z", "ben", amount=20.5, server_id="north", plan="free"),
    _event("order.placed", "2026-11-20T07:58:00Z", "cid", amount=12, server_id="north", plan="free"),
    *[_event("visit", f"2026-10-{day}T09:00:00Z", "ann", path="/") for day in (28, 29, 30)],
    *[_event("visit", f"2026-11-{day}T09:00:00Z", "ben", path="/prices") for day in (17, 18, 19)],
    *[_event("visit", f"2026-11-20T07:5{minute}:00Z", "cid", path="/") for minute in (5, 6, 7)],
    _event("visit", "2026-11-20T07:40:00Z", path="/"),
    {**_event("visit", "2026-11-20T07:59:00Z", "ann", path="/"), "_actorLabel": "Ann of the harbor"},
]
"""Seven orders and eleven visits, in October and November."""

PROBES = [_event("visit", f"2026-11-1{day}T12:00:00Z", "ben", path="/probe") for day in (1, 2)]
"""What is hidden afterwards."""

ERASED = [_event("visit", f"2026-{month}-15T12:00:00Z", "erin", path="/") for month in (10, 11)]
"""What is erased afterwards."""

DEVELOPMENT = [
    _event("visit", f"2026-{month}-12T1{hour}:00:00Z", "dora", path="/") for month in (10, 11) for hour in (1, 2)
]

WAITING = [
    _event("order.placed", "2026-10-31T12:00:00Z", "ann", amount=BIG, server_id="north", plan="pro"),
    _event("visit", "2026-11-19T12:00:00Z", "ben", path="/"),
    _event("visit", "2026-11-20T07:59:30Z", "fay", path="/late"),
]
"""What waits in the spool of production when the server ends, and below in that of development."""

WAITING_DEVELOPMENT = [_event("visit", f"2026-{month}-13T12:00:00Z", "dora", path="/late") for month in (10, 11)]

COUNTED = {
    "production": {"order.placed": 8, "visit": 13},
    "development": {"visit": 6},
    "amount": 5 * BIG + 6 + 42.5,
    "ann": {"eventCount": 8, "label": "Ann of the harbor", "firstSeen": "2026-10-28T09:00:00.000Z"},
    "hidden": 2,
    "used": 31,
}
"""By hand: the events of each name that are left, the sum of the orders, the events of an actor, those of the month."""

SPAN = {"from": "2026-10-01T00:00:00Z", "to": "2026-12-01T00:00:00Z"}

TABLE = {"columns": ["time", "event", "actor", "prop:amount", "prop:plan"], "event": "order.placed", "rows": 20}
FORMULA = {
    "a": {"event": "order.placed", "measure": "count"},
    "b": {"event": "visit", "measure": "count"},
    "expression": "a / b",
}
WIDGETS: list[tuple[str, dict[str, Any]]] = [
    ("table", TABLE),
    ("table", {"columns": ["time", "prop:amount"], "filters": [{"key": "amount", "op": "eq", "value": BIG}]}),
    ("metric", {"event": "order.placed", "measure": "sum", "property": "amount"}),
    ("metric", {"event": "order.placed", "measure": "sum", "property": "amount", "overTime": True}),
    ("metric", {"event": "order.placed", "measure": "count", "breakdown": "amount"}),
    ("metric", {"event": "visit", "measure": "count", "overTime": True, "interval": "week", "breakdown": "path"}),
    ("formula", FORMULA),
    ("kpi", {"items": [{"event": "visit", "measure": "uniq_actors", "label": "Visitors"}]}),
    ("funnel", {"steps": [{"event": "visit"}, {"event": "order.placed"}]}),
    ("retention", {"cohortEvent": "visit", "granularity": "week"}),
    ("histogram", {"event": "order.placed", "property": "amount"}),
    ("heatmap", {"event": "visit"}),
    ("note", {"text": "Made by hand"}),
]
"""What each of two boards has: the first is public, the second was public once."""

ALERTS: dict[str, dict[str, Any]] = {
    "told": {"event": "order.placed", "condition": "above", "threshold": 2, "cooldownMinutes": 60},
    "average": {
        "event": "order.placed",
        "measure": "avg",
        "property": "amount",
        "condition": "above",
        "threshold": 1,
        "windowMinutes": 1440,
        "cooldownMinutes": 1440,
    },
    "paused": {"event": "visit", "condition": "above", "threshold": 0, "enabled": False},
    "formula": {"formula": FORMULA, "condition": "above", "threshold": 100},
}
"""The first two fire at 08:02, by the three orders since 07:50; the first resolves at 08:50."""

WAITING_ALERT = {"event": "visit", "condition": "above", "threshold": 4, "windowMinutes": 30, "cooldownMinutes": 60}
"""Fires at 08:03, by the five visits since 07:40, when nobody takes its messages; it resolves at 08:25."""
