"""The dashboard of the demo: one widget of each kind over the flights, a group key and a public link."""

from typing import Any, NamedTuple

import httpx

from demo.server import Owner

DEPARTED = "flight.departed"
CANCELLED = "flight.cancelled"
ON_TIME_FILTER = {"key": "arrival_delay", "op": "lte", "value": 0}
USUAL_DELAY_FILTERS = [
    {"key": "arrival_delay", "op": "gte", "value": -60},
    {"key": "arrival_delay", "op": "lt", "value": 180},
]
"""All but a hundredth of the delays; the longest one was 21 hours."""

GROUP_KEY = {"propKey": "airline", "label": "Airline"}

NAME = "Flights from New York"
DESCRIPTION = "Who flies, how late, and who comes back."
TIME_RANGE = "90d"

NOTE_TEXT = """**Every flight that left New York's airports in 2013**, moved forward so that the last one departed now.

Hours of the day are moved as well. A cancelled flight stands at its scheduled time."""

DIGEST = {"name": "New York weekly", "cadence": "weekly", "weekday": 1, "enabled": False}
"""To look at: the demo has no mail server."""

SMALL, MEDIUM, LARGE = 2, 4, 6

# Title, type, config, width in twelfths and height.
WIDGETS: list[tuple[str, str, dict[str, Any], int, int]] = [
    (
        "At a glance",
        "kpi",
        {
            "sparklines": True,
            "items": [
                {"event": DEPARTED, "measure": "count", "label": "Departures", "good": "up"},
                {"event": CANCELLED, "measure": "count", "label": "Cancellations", "good": "down"},
                {
                    "event": DEPARTED,
                    "measure": "median",
                    "property": "arrival_delay",
                    "label": "Median delay, minutes",
                    "good": "down",
                },
                {
                    "event": DEPARTED,
                    "measure": "p95",
                    "property": "arrival_delay",
                    "label": "95 % arrive within, minutes",
                    "good": "down",
                },
                {"event": DEPARTED, "measure": "uniq_actors", "label": "Aircraft"},
            ],
        },
        12,
        SMALL,
    ),
    (
        "Departures a day",
        "metric",
        {"event": DEPARTED, "measure": "count", "overTime": True, "chart": "area", "compare": "previous", "good": "up"},
        8,
        MEDIUM,
    ),
    (
        "Busiest destinations",
        "metric",
        {"event": DEPARTED, "measure": "count", "breakdown": "destination", "limit": 7},
        4,
        MEDIUM,
    ),
    (
        "Cancelled, of a hundred flights",
        "formula",
        {
            "a": {"event": CANCELLED, "measure": "count"},
            "b": {"events": "all", "measure": "count"},
            "expression": "a / b * 100",
            "overTime": True,
            "display": {"unit": "%"},
        },
        4,
        MEDIUM,
    ),
    (
        "Median delay by airport, minutes",
        "metric",
        {
            "event": DEPARTED,
            "measure": "median",
            "property": "arrival_delay",
            "breakdown": "origin",
            "overTime": True,
            "interval": "week",
        },
        8,
        MEDIUM,
    ),
    (
        "Back in the air after a cancellation",
        "funnel",
        {
            "steps": [{"event": CANCELLED}, {"event": DEPARTED}, {"event": DEPARTED, "filters": [ON_TIME_FILTER]}],
            "windowHours": 72,
        },
        5,
        MEDIUM,
    ),
    (
        "Aircraft that come back, by week",
        "retention",
        {"cohortEvent": DEPARTED, "granularity": "week", "periods": 6},
        7,
        MEDIUM,
    ),
    (
        "Delay at arrival, minutes",
        "histogram",
        {"event": DEPARTED, "property": "arrival_delay", "buckets": 24, "filters": USUAL_DELAY_FILTERS},
        6,
        MEDIUM,
    ),
    ("When flights are cancelled", "heatmap", {"event": CANCELLED}, 6, MEDIUM),
    (
        "The latest departures",
        "table",
        {
            "event": DEPARTED,
            "columns": ["time", "actor", "prop:origin", "prop:destination", "prop:arrival_delay"],
            "rows": 9,
        },
        12,
        LARGE,
    ),
    ("About these numbers", "note", {"text": NOTE_TEXT}, 12, SMALL),
]


class DashboardPaths(NamedTuple):
    """Where the dashboard is: for members, for programs, and for everybody as a page and as JSON."""

    page: str
    path: str
    public_page: str
    public_path: str


def make_dashboard(url: str, owner: Owner) -> DashboardPaths:
    """Register the group key, make the dashboard and its weekly email, and publish it.

    Raises:
        httpx.HTTPStatusError: the server refuses a part of it.
    """
    with open_session(url, owner) as client:
        _post(client, "/v1/groups/keys", GROUP_KEY)
        body = {"name": NAME, "description": DESCRIPTION, "timeRange": TIME_RANGE, "isPublic": True}
        dashboard = _post(client, "/v1/dashboards", body)
        for title, kind, config, width, height in WIDGETS:
            widget: dict[str, Any] = {"title": title, "type": kind, "config": config}
            widget["layout"] = {"w": width, "h": height}
            widget["publishRows"] = kind == "table"  # everybody may see flights
            _post(client, f"/v1/dashboards/{dashboard['id']}/widgets", widget)
        _post(client, "/v1/digests", DIGEST | {"dashboardId": dashboard["id"], "recipients": [owner.email]})
    page = f"/d/{dashboard['id']}"
    slug = dashboard["slug"]
    return DashboardPaths(page, f"/v1/dashboards/{dashboard['id']}", f"/p/{slug}", f"/v1/public/dashboards/{slug}")


def fetch_answers(url: str, dashboard_paths: DashboardPaths) -> dict[str, Any]:
    """What each widget shows to everybody, by its title.

    Raises:
        httpx.HTTPStatusError: a widget cannot be answered.
    """
    page = httpx.get(url + dashboard_paths.public_path).raise_for_status().json()
    return {
        widget["title"]: httpx.post(f"{url}{dashboard_paths.public_path}/widgets/{widget['id']}/data")
        .raise_for_status()
        .json()
        for widget in page["widgets"]
    }


def open_session(url: str, owner: Owner) -> httpx.Client:
    """A client that is signed in as the owner."""
    return httpx.Client(base_url=url, headers={"authorization": f"Bearer {owner.session}"})


def _post(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(path, json=body).raise_for_status().json()
    return answer
