"""What people do to the rows of public tables, each with the entry of the audit log that it leaves."""

from collections.abc import Callable
from typing import Any

import httpx

from harness.clients.member import Member

Deed = Callable[[httpx.Client, Member], tuple[str, Any]]

BOARD = {"name": "Board", "environment": "production"}
TABLE = {"type": "table", "title": "Newest", "config": {"columns": ["time"]}, "publishRows": True}
METRIC = {"type": "metric", "config": {"event": "x", "measure": "count"}}


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None


def card(client: httpx.Client, board: Any, **fields: Any) -> Any:
    return ok(client.post(f"/v1/dashboards/{board['id']}/widgets", json=TABLE | fields))


def of_rows(card: Any, board: Any, **fields: Any) -> tuple[str, Any]:
    details = {"name": card["title"], "dashboard": BOARD["name"], "dashboardId": board["id"], "isPublic": False}
    return card["id"], details | fields


def dashboard_publish_rows(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    card(client, board)
    card(client, board, publishRows=False)
    untitled = card(client, board, title="")
    ok(client.patch(f"/v1/dashboards/{board['id']}", json={"isPublic": True}))
    return board["id"], BOARD | {"rowsOf": f"Newest, {untitled['id']}"}


def widget_publish_rows(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    table = card(client, board, publishRows=False)
    for _again in range(2):
        ok(client.patch(f"/v1/widgets/{table['id']}", json={"publishRows": True, "title": "Orders"}))
    return of_rows(table, board, name="Orders")


def widget_publish_rows_at_once(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))
    card(client, board, publishRows=False)
    return of_rows(card(client, board), board, isPublic=True)


def widget_withhold_rows(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD | {"isPublic": True}))
    table = card(client, board)
    for _again in range(2):
        ok(client.patch(f"/v1/widgets/{table['id']}", json={"publishRows": False}))
    return of_rows(table, board, isPublic=True)


def widget_withhold_rows_by_type(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    table = card(client, board)
    for body in (METRIC, {"title": "Count"}):
        ok(client.patch(f"/v1/widgets/{table['id']}", json=body))
    return of_rows(table, board)


def widget_withhold_rows_by_deletion(client: httpx.Client, _: Member) -> tuple[str, Any]:
    board = ok(client.post("/v1/dashboards", json=BOARD))
    table, other = card(client, board), card(client, board, publishRows=False)
    for widget in (table, other):
        ok(client.delete(f"/v1/widgets/{widget['id']}"))
    return of_rows(table, board)


DEEDS_OF_ROWS: list[tuple[str, Deed]] = [
    ("dashboard.publish", dashboard_publish_rows),
    ("widget.publish_rows", widget_publish_rows),
    ("widget.publish_rows", widget_publish_rows_at_once),
    ("widget.withhold_rows", widget_withhold_rows),
    ("widget.withhold_rows", widget_withhold_rows_by_type),
    ("widget.withhold_rows", widget_withhold_rows_by_deletion),
]
