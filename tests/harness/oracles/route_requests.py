"""The request of each row of the table of routes, and what its path names."""

import re
import uuid
from collections import defaultdict
from collections.abc import Callable

import httpx

from harness.builders.alert_messages import make_channel
from harness.clients.dashboards import (
    make_alert,
    make_annotation,
    make_dashboard,
    make_digest,
    make_external_source,
    make_segment,
    make_widget,
)
from harness.clients.workspace import Workspace
from harness.oracles.rights import RouteCase

MADE: dict[str, Callable[[Workspace], str]] = {
    "key_id": lambda workspace: workspace.make_key()[1],
    "stats_token_id": lambda workspace: workspace.make_stats_token()[1],
    "token_id": lambda workspace: workspace.make_token("read")[1],
    "dashboard_id": lambda workspace: make_dashboard(workspace)["id"],
    "public_id": lambda workspace: make_dashboard(workspace, isPublic=True)["id"],
    "slug": lambda workspace: make_dashboard(workspace, isPublic=True)["slug"],
    "widget_id": lambda workspace: make_widget(workspace, make_dashboard(workspace)["id"])["id"],
    "annotation_id": lambda workspace: make_annotation(workspace)["id"],
    "digest_id": lambda workspace: make_digest(workspace, make_dashboard(workspace)["id"])["id"],
    "alert_id": lambda workspace: make_alert(workspace)["id"],
    "segment_id": lambda workspace: make_segment(workspace)["id"],
    "external_source_id": lambda workspace: make_external_source(workspace)["id"],
    "channel_id": lambda workspace: make_channel(workspace)["id"],
    "webhook_id": lambda workspace: make_channel(workspace, type="webhook", destination="https://example.com")["id"],
}
"""What a path of the table may name."""


def make_named(workspace: Workspace, row: RouteCase) -> dict[str, str]:
    """What the path of the row names."""
    return {name: MADE[name](workspace) for name in re.findall(r"\{(\w+)\}", row.ask)}


def ask(client: httpx.Client, row: RouteCase, made: dict[str, str] | None = None, query: str = "") -> httpx.Response:
    """The request of the row."""
    new = uuid.uuid4().hex
    body = row.body and {name: value.format(new=new) if value == "{new}" else value for name, value in row.body.items()}
    return client.request(row.method, path_of(row, made or {}) + query, json=body)


def path_of(row: RouteCase, made: dict[str, str]) -> str:
    return (row.ask or row.path).format_map(defaultdict(lambda: "none", made))
