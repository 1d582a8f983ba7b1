"""A board of an app whose errors jumped two hours ago, with two months of quiet hours before."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.groups import register
from harness.clients.workspace import Workspace

SPIKE_COUNT = 40
"""Errors within the hour that stands out: all of them of one shard, and most with one code."""
QUIET_COUNT = 6
"""Errors of each other hour of the last day, and of the same hour in each week before."""
HOURS_BACK = 2
WEEKS = 8
CODES = ["VOICE_TIMEOUT", "NO_PERMISSION", "RATE_LIMIT"]
MARKUP = "<img src=x onerror=window.ran=1>"
FORMULA = "=1+1"

ERRORS = {"event": "track.error", "measure": "count"}
WIDGETS: dict[str, tuple[str, dict[str, Any]]] = {
    "Errors": ("metric", ERRORS | {"overTime": True, "chart": "bar", "interval": "hour"}),
    "Codes": ("metric", ERRORS | {"breakdown": "code"}),
    "In short": ("kpi", {"items": [ERRORS | {"label": "Errors"}, {"event": "track.play", "measure": "uniq_actors"}]}),
    "Way": ("funnel", {"steps": [{"event": "track.play"}, {"event": "track.error"}]}),
    "When": ("heatmap", {"event": "track.error"}),
    "Length": ("histogram", {"event": "track.error", "property": "ms", "buckets": 5}),
    "Back": ("retention", {"cohortEvent": "track.error", "granularity": "day", "periods": 3}),
}


@cache
def spike_hour() -> datetime:
    """The start of the hour that stands out; it stays the same when the next hour begins."""
    return datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS_BACK)


def hours_since_spike() -> int:
    """How many hours have begun since the one that stands out."""
    return int((datetime.now(UTC) - spike_hour()) / timedelta(hours=1))


def make_spike_board(workspace: Workspace) -> Any:
    """Send the events, and make a board of 24 hours with a widget of every kind that has numbers."""
    send_spike(workspace)
    register(workspace, "server", label="Server")
    board = make_dashboard(workspace, name="Encore", timeRange="24h")
    for title, (kind, config) in WIDGETS.items():
        layout = {"w": 12 if kind == "kpi" else 6, "h": 2 if kind == "kpi" else 4}
        make_widget(workspace, board["id"], type=kind, title=title, config=config, layout=layout)
    with workspace.client() as client:
        return client.get(f"/v1/dashboards/{board['id']}").json()


def send_spike(workspace: Workspace) -> None:
    """Send the events."""
    events = [*_errors(), *_plays()]
    for first in range(0, len(events), 500):
        answer = workspace.send({"events": events[first : first + 500]})
        assert answer.status_code == 202, answer.text


def _errors() -> Iterator[dict[str, Any]]:
    hour = spike_hour()
    for n in range(SPIKE_COUNT):
        yield _error(hour, n, code=CODES[0] if n % 10 else CODES[1], shard="shard-2")
    for back in range(1, 22):
        for n in range(QUIET_COUNT):
            yield _error(hour - timedelta(hours=back), n, code=CODES[n % 3], shard=f"shard-{n % 3}")
    for week in range(1, WEEKS + 1):
        for n in range(QUIET_COUNT):
            yield _error(hour - timedelta(weeks=week), n, code=CODES[n % 3], shard=f"shard-{n % 3}")


def _error(hour: datetime, n: int, *, code: str, shard: str) -> dict[str, Any]:
    actor = MARKUP if n == 1 else FORMULA if n == 2 else f"user-{n}"
    properties = {"code": code, "shard": shard, "server": f"server-{n % 7}", "ms": n * 10}
    at = (hour + timedelta(minutes=n + 1)).isoformat()
    return {"name": "track.error", "_actor": actor, "_timestamp": at, "properties": properties}


def _plays() -> Iterator[dict[str, Any]]:
    at = (spike_hour() - timedelta(minutes=5)).isoformat()
    for n in range(SPIKE_COUNT * 2):
        yield {
            "name": "track.play",
            "_actor": f"user-{n}",
            "_timestamp": at,
            "properties": {"plan": "pro" if n % 2 else "free"},
        }
