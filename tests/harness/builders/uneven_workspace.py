"""A workspace whose numbers are uneven: primes, money, what is below zero, what is large, and days with nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from harness.clients.dashboards import (
    make,
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
)
from harness.clients.workspace import Workspace

PEOPLE = ["ana", "bo", "cem", "dua", "eli", "fay", "gus", "hoa", "ivo", "jun", "kai"]
TEAMS = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove"]
PLANS = ["pro", "free", "team", "trial"]
DAYS = [1, 2, 3, 5, 8, 13, 21, 28, 33, 37, 41, 47, 53]
"""How many days ago something happened: on the sixth, and before most others, nothing did."""
GUILD = 205_680_187_394_752_513
"""A whole number that no double holds."""
VIEWS, CARTS, ORDERS, REFUNDS = 12_007, 211, 613, 37

ORDER, VIEW = {"event": "order.placed"}, {"event": "page.viewed"}
COUNTED = ORDER | {"measure": "count"}
MONEY = ORDER | {"measure": "sum", "property": "total"}
EURO = {"unit": "EUR", "decimals": 2}
WIDGETS: dict[str, tuple[str, dict[str, Any]]] = {
    "Orders": ("metric", COUNTED | {"good": "up"}),
    "Revenue": ("metric", MONEY | {"display": EURO | {"goal": 12_345}}),
    "Weight": ("metric", {"event": "page.viewed", "measure": "sum", "property": "bytes"}),
    "Balance": ("metric", {"event": "order.refunded", "measure": "sum", "property": "total"}),
    "Ratio": ("metric", ORDER | {"measure": "avg", "property": "ratio"}),
    "Nothing": ("metric", {"event": "order.lost", "measure": "avg", "property": "total"}),
    "Orders by day": ("metric", COUNTED | {"overTime": True, "compare": "previous", "display": {"goal": 19}}),
    "Basket by day": ("metric", ORDER | {"measure": "avg", "property": "total", "overTime": True, "display": EURO}),
    "Views by day": ("metric", VIEW | {"measure": "count", "overTime": True, "chart": "bar"}),
    "Plans": ("metric", COUNTED | {"breakdown": "plan", "rest": "both"}),
    "Buyers": ("metric", MONEY | {"breakdown": "_actor", "limit": 5}),
    "Plans by day": ("metric", COUNTED | {"breakdown": "plan", "overTime": True, "limit": 3, "rest": "other"}),
    "Conversion": (
        "formula",
        {"a": COUNTED, "b": VIEW | {"measure": "count"}, "expression": "a / b * 100", "display": {"unit": "%"}},
    ),
    "Basket by plan": ("formula", {"a": MONEY, "b": COUNTED, "expression": "a / b", "breakdown": "plan"}),
    "Basket over time": ("formula", {"a": MONEY, "b": COUNTED, "expression": "a / b", "overTime": True}),
    "In short": (
        "kpi",
        {
            "items": [
                COUNTED | {"label": "Orders", "good": "up"},
                VIEW | {"measure": "uniq_actors", "label": "People"},
                {"event": "order.refunded", "measure": "sum", "property": "total", "label": "Refunded", "good": "down"},
                VIEW | {"measure": "max", "property": "bytes", "label": "Largest"},
                {"event": "order.lost", "measure": "count", "label": "Lost"},
            ],
            "sparklines": True,
        },
    ),
    "Newest": (
        "table",
        ORDER
        | {"columns": ["time", "event", "actor", "prop:total", "prop:guild", "prop:order_id", "prop:plan"], "rows": 7},
    ),
    "Way": ("funnel", {"steps": [VIEW, {"event": "cart.filled"}, ORDER], "times": True, "breakdown": "team"}),
    "Back": (
        "retention",
        {"cohortEvent": "order.placed", "returnEvent": "page.viewed", "granularity": "week", "periods": 8},
    ),
    "How long": (
        "histogram",
        ORDER | {"property": "ms", "percentiles": True, "buckets": 13, "display": {"unit": "ms"}},
    ),
    "When": ("heatmap", VIEW),
    "Words": ("note", {"text": "Numbers of **one** shop."}),
}
"""A widget of every kind and shape by its title, but for the external one."""


@dataclass
class Numbered:
    """What was made: the dashboard with its widgets, its public twin, and what alerts, digests and segments there are."""

    workspace: Workspace
    board: Any = None
    alert: Any = None
    digest: Any = None
    segments: list[Any] = field(default_factory=list)
    annotations: int = 0

    def ask(self, path: str, body: Any = None, **params: Any) -> Any:
        """What the API answers to a GET, or with a body to a POST."""
        with self.workspace.client() as client:
            answer = client.get(path, params=params) if body is None else client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def query(self, config: dict[str, Any], *, kind: str = "metric", **asked: Any) -> Any:
        """What the API answers to a question about production."""
        return self.ask("/v1/query", {"environment": "production", "type": kind, "config": config} | asked)


def fill(workspace: Workspace, outside: str) -> Numbered:
    """Send the events, and make everything that shows numbers of them.

    Args:
        workspace: an empty one.
        outside: the URL of a value of another service.
    """
    made = Numbered(workspace)
    events = list(_happened())
    for first in range(0, len(events), 500):
        answer = workspace.send({"events": events[first : first + 500]})
        assert answer.status_code == 202, answer.text
    make(workspace, "/v1/groups/keys", {"propKey": "team", "label": "Team"})
    _make_board(made, outside)
    made.segments = [
        make_segment(workspace, name=name, filters=[{"key": "plan", "op": "eq", "value": value}])
        for name, value in (("Pros", "pro"), ("Nobody", "none"))
    ]
    usual = {"event": "order.failed", "windowMinutes": 60, "threshold": 12.5}
    made.alert = make_alert(workspace, name="Orders fail", **usual)
    money = {"measure": "sum", "property": "total", "condition": "below", "threshold": -10_000, "windowMinutes": 120}
    make_alert(workspace, name="Money goes", event="order.refunded", **money)
    make_annotation(workspace, label="Sale", time=_at(2, 11))
    make_annotation(workspace, label="Outage", time=_at(45, 11), timeEnd=_at(45, 13))
    made.annotations = 2
    return made


def _make_board(made: Numbered, outside: str) -> None:
    workspace = made.workspace
    host = outside.split("/")[2]
    source = make_external_source(workspace, name="Help desk", host=host)["id"]
    external = {"sourceId": source, "url": outside, "valuePath": "open", "valueType": "number"}
    board = make_dashboard(workspace, name="Shop", timeRange="30d", isPublic=True)["id"]
    for title, (kind, config) in (WIDGETS | {"Tickets": ("external", external)}).items():
        shown = {"layout": {"w": 6, "h": 4}, "publishRows": kind == "table"}
        make_widget(workspace, board, type=kind, title=title, config=config, **shown)
    with workspace.client() as client:
        made.board = client.get(f"/v1/dashboards/{board}").json()
    mailed = make_dashboard(workspace, name="By mail", timeRange="30d")["id"]
    for title in ("Orders", "Plans", "In short"):
        kind, config = WIDGETS[title]
        make_widget(workspace, mailed, type=kind, title=title, config=config)
    made.digest = make_digest(workspace, mailed, name="Morning")


def _at(days: int, hour: int, minute: int = 0, second: int = 0) -> str:
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    moment = midnight - timedelta(days=days) + timedelta(hours=hour, minutes=minute, seconds=second)
    return moment.isoformat().replace("+00:00", "Z")


def _happened() -> Iterator[dict[str, Any]]:
    """Everything that happened, each as it is sent."""
    for n in range(VIEWS):
        at = _at(DAYS[n * n % 13], 2 + n * 7 % 9, n % 60)
        properties = {"bytes": 1_009 + n * 7_919 % 99_991, "team": TEAMS[n % 7]}
        yield {"name": "page.viewed", "_actor": PEOPLE[n * n % 11], "_timestamp": at, "properties": properties}
    for n in range(CARTS):
        at = _at(DAYS[n * 5 % 13], 12, n % 60, n % 59)
        yield {
            "name": "cart.filled",
            "_actor": PEOPLE[n * n % 7],
            "_timestamp": at,
            "properties": {"team": TEAMS[n % 5]},
        }
    for n in range(ORDERS):
        who = PEOPLE[n * n % 5]
        properties = {
            "total": (n * 7_919 % 99_991) / 100,
            "ms": 31 + n * n * 31 % 4_987,
            "ratio": (1 + n % 17) / 100_003,
            "team": TEAMS[n % 3],
            "guild": GUILD + 2 * n,
            "order_id": GUILD + 4 * n,
        } | ({} if n % 23 == 0 else {"plan": PLANS[n * n % 4 if n % 2 else n % 3]})
        at = _at(DAYS[n * n % 11], 13 + n % 9, n % 60, n % 59)
        yield {
            "name": "order.placed",
            "_actor": who,
            "_actorLabel": who.title(),
            "_timestamp": at,
            "properties": properties,
        }
    for n in range(REFUNDS):
        at = _at(DAYS[n % 13], 15, n)
        properties = {"total": -(n * 7_919 % 99_991) / 100, "team": TEAMS[n % 2]}
        yield {"name": "order.refunded", "_actor": PEOPLE[n % 3], "_timestamp": at, "properties": properties}
    for _ in range(17):
        yield {"name": "order.failed", "properties": {"team": "amber"}}
