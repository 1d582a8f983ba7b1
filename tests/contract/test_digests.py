"""Digests over HTTP: what they take, what they refuse, and who sees what.

See rules/digests#digest, rules/digests#recipients, rules/digests#limits and rules/digests#preview.
"""

import html
from datetime import datetime
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_digest, make_widget
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = [
    "id",
    "dashboardId",
    "name",
    "cadence",
    "sendHour",
    "weekday",
    "dayOfMonth",
    "timezone",
    "recipients",
    "unsubscribed",
    "enabled",
    "lastSentAt",
    "nextSendAt",
]


def listed(workspace: Workspace, **params: str) -> Any:
    answer = workspace.get("/v1/digests", **params)
    assert answer.status_code == 200, answer.text
    assert list(answer.json()) == ["digests"]
    return answer.json()["digests"]


def patch(workspace: Workspace, digest_id: str, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.patch(f"/v1/digests/{digest_id}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_digest_is_made_and_listed(workspace: Workspace) -> None:
    board = make_dashboard(workspace)
    assert listed(workspace) == []
    made = make_digest(workspace, board["id"])
    assert list(made) == FIELDS
    assert made | {"id": "", "nextSendAt": ""} == {
        "id": "",
        "dashboardId": board["id"],
        "name": None,
        "cadence": "daily",
        "sendHour": 9,
        "weekday": None,
        "dayOfMonth": None,
        "timezone": "UTC",
        "recipients": ["ann@example.com"],
        "unsubscribed": [],
        "enabled": True,
        "lastSentAt": None,
        "nextSendAt": "",
    }
    due = datetime.fromisoformat(made["nextSendAt"])
    assert (due.hour, due.minute, due.second, due.microsecond) == (9, 0, 0, 0)
    assert made["nextSendAt"] > ago()
    other = make_digest(workspace, make_dashboard(workspace)["id"], name="Mine")
    assert listed(workspace) == [made, other]
    assert listed(workspace, dashboardId=board["id"]) == [made]
    check_refusal(workspace.get("/v1/digests", dashboardId="none"), 404)


def test_the_time_zone_is_the_workspaces_unless_told(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.patch("/v1/workspace", json={"timezone": "Asia/Tokyo"}).status_code == 200
        body = {"dashboardId": make_dashboard(workspace)["id"], "cadence": "daily", "recipients": ["a@example.com"]}
        made = client.post("/v1/digests", json=body).json()
    assert made["timezone"] == "Asia/Tokyo"
    assert made["nextSendAt"].endswith("T00:00:00.000Z")


@few(
    4,
    "fields",
    [
        {"cadence": "weekly", "weekday": 0},
        {"cadence": "weekly", "weekday": 6, "dayOfMonth": None},
        {"cadence": "monthly", "dayOfMonth": 31, "sendHour": 0},
        {"cadence": "monthly", "dayOfMonth": 1, "sendHour": 23, "weekday": None},
        {"name": "x" * 120},
        {"name": "=?utf-8?q?x?= <img onerror> 🫖 مجاني"},
        {"recipients": [f"user{number}@example.com" for number in range(20)]},
        {"recipients": ["Ünïcode@münchen.example"]},
        {"enabled": False},
        {"timezone": "America/St_Johns"},
    ],
)
def test_what_is_kept(shared: Workspace, fields: dict[str, Any]) -> None:
    made = make_digest(shared, make_dashboard(shared)["id"], **fields)
    assert {name: made[name] for name in fields} == fields
    assert (made["nextSendAt"] is None) == (fields.get("enabled") is False)


CRLF = "a\r\nBcc: x@example.com"
WRONG: list[tuple[Any, list[Any]]] = [
    *[({"name": value}, ["name"]) for value in ("", " ", "x" * 121, 1, CRLF, "a\n", "a\0", "a\u202eb")],
    *[({"cadence": value}, ["cadence"]) for value in (None, "", "hourly", "Daily", 1)],
    *[({"sendHour": value}, ["sendHour"]) for value in (None, -1, 24, 1.5, "9", True)],
    *[({"weekday": value}, ["weekday"]) for value in (-1, 7, "1", 0)],
    *[({"dayOfMonth": value}, ["dayOfMonth"]) for value in (0, 32, "1", 1)],
    ({"cadence": "weekly"}, ["weekday"]),
    ({"cadence": "weekly", "weekday": None}, ["weekday"]),
    ({"cadence": "weekly", "weekday": 1, "dayOfMonth": 1}, ["dayOfMonth"]),
    ({"cadence": "monthly"}, ["dayOfMonth"]),
    ({"cadence": "monthly", "dayOfMonth": 1, "weekday": 1}, ["weekday"]),
    *[({"timezone": value}, ["timezone"]) for value in ("", "Mars", "CET+1", 1, "UTC\n")],
    *[({"recipients": value}, ["recipients"]) for value in (None, [], "a@example.com", {})],
    ({"recipients": [f"user{number}@example.com" for number in range(21)]}, ["recipients"]),
    *[
        ({"recipients": ["a@example.com", value]}, ["recipients", 1])
        for value in (
            None,
            "",
            "x",
            "@",
            CRLF,
            "a@example.com\n",
            "a b@example.com",
            "a@b",
            "A@EXAMPLE.COM",
            "a@1.2.3.4",
        )
        if value != "a@b"
    ],
    ({"recipients": ["a@example.com", "x@example.com\r\nBcc: b@example.com"]}, ["recipients", 1]),
    *[({"enabled": value}, ["enabled"]) for value in (None, "true", 1)],
    *[({field: "x"}, [field]) for field in ("id", "lastSentAt", "nextSendAt", "unsubscribed", "workspaceId")],
]


@pytest.fixture(scope="module")
def quiet(server: Server) -> Workspace:
    """A workspace with one digest, in which everything is refused."""
    workspace = sign_up(server.url)
    make_digest(workspace, make_dashboard(workspace)["id"])
    return workspace


@few(4, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_and_changes_nothing(quiet: Workspace, wrong: Any, path: list[Any]) -> None:
    before = listed(quiet)
    [digest] = before
    body = {"dashboardId": digest["dashboardId"], "cadence": "daily", "recipients": ["ann@example.com"]}
    with quiet.client() as client:
        for answer in (
            client.post("/v1/digests", json=body | wrong),
            client.patch(f"/v1/digests/{digest['id']}", json={"name": "New"} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert listed(quiet) == before


@pytest.mark.parametrize("missing", ["dashboardId", "cadence", "recipients"])
def test_what_is_required(quiet: Workspace, missing: str) -> None:
    body = {"dashboardId": "none", "cadence": "daily", "recipients": ["ann@example.com"]}
    del body[missing]
    with quiet.client() as client:
        refusal = check_refusal(client.post("/v1/digests", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[missing]]


def test_a_change_keeps_what_it_does_not_name(workspace: Workspace) -> None:
    digest = make_digest(workspace, make_dashboard(workspace)["id"], cadence="weekly", weekday=1)
    assert patch(workspace, digest["id"], {}) == digest
    renamed = patch(workspace, digest["id"], {"name": "Shop"})
    assert renamed == digest | {"name": "Shop"}
    assert patch(workspace, digest["id"], {"name": None}) == digest
    with workspace.client() as client:
        refusal = check_refusal(client.patch(f"/v1/digests/{digest['id']}", json={"cadence": "monthly"}), 400)
        assert refusal["details"][0]["path"] == ["dayOfMonth"]
        answer = client.patch(f"/v1/digests/{digest['id']}", json={"dashboardId": digest["dashboardId"]})
        assert check_refusal(answer, 400)["details"][0]["path"] == ["dashboardId"]
    monthly = patch(workspace, digest["id"], {"cadence": "monthly", "dayOfMonth": 31, "sendHour": 7})
    assert (monthly["weekday"], monthly["dayOfMonth"]) == (None, 31)
    assert monthly["nextSendAt"].endswith("T07:00:00.000Z")
    daily = patch(workspace, digest["id"], {"cadence": "daily"})
    assert (daily["weekday"], daily["dayOfMonth"]) == (None, None)
    assert patch(workspace, digest["id"], {"enabled": False})["nextSendAt"] is None
    assert patch(workspace, digest["id"], {"enabled": True}) == daily
    assert listed(workspace) == [daily]


def test_recipients_are_replaced_in_their_order(workspace: Workspace) -> None:
    digest = make_digest(workspace, make_dashboard(workspace)["id"], recipients=["b@example.com", "A@example.com"])
    assert digest["recipients"] == ["b@example.com", "A@example.com"]
    changed = patch(workspace, digest["id"], {"recipients": ["a@Example.com", "c@example.com", "b@example.com"]})
    assert changed["recipients"] == ["a@Example.com", "c@example.com", "b@example.com"]
    assert listed(workspace) == [changed]


def test_a_key_sees_the_digests_of_its_environment_with_masked_addresses(workspace: Workspace) -> None:
    boards = {name: make_dashboard(workspace, environment=name)["id"] for name in ("production", "development")}
    made = {name: make_digest(workspace, board, recipients=["Ann@Example.com"]) for name, board in boards.items()}
    keys = {"production": workspace.key, "development": workspace.make_key("development")[0]}
    for name, key in keys.items():
        seen = [made[name] | {"recipients": ["A•••@Example.com"]}]
        assert workspace.get("/v1/digests", token=key).json() == {"digests": seen}
        assert workspace.get("/v1/digests", token=key, dashboardId=boards[name]).json() == {"digests": seen}
        for other in set(boards.values()) - {boards[name]}:
            check_refusal(workspace.get("/v1/digests", token=key, dashboardId=other), 404)
    viewer = add_member(workspace, "viewer")
    assert workspace.get("/v1/digests", token=viewer.session_token).json() == {"digests": [*made.values()]}


def test_digests_go_with_their_dashboard(workspace: Workspace) -> None:
    board, other = make_dashboard(workspace), make_dashboard(workspace)
    digests = [make_digest(workspace, board["id"]) for _ in range(2)]
    kept = make_digest(workspace, other["id"])
    with workspace.client() as client:
        assert client.post(f"/v1/digests/{digests[0]['id']}/send").status_code == 202
        assert client.delete(f"/v1/dashboards/{board['id']}").status_code == 204
        check_refusal(client.delete(f"/v1/digests/{digests[0]['id']}"), 404)
        assert listed(workspace) == [kept]
        answer = client.delete(f"/v1/digests/{kept['id']}")
        assert (answer.status_code, answer.content) == (204, b"")
        check_refusal(client.delete(f"/v1/digests/{kept['id']}"), 404)
    assert listed(workspace) == []


def test_another_workspaces_digest_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    board = make_dashboard(stranger)
    digest = make_digest(stranger, board["id"])
    messages = set()
    with workspace.client() as client:
        for name in (digest["id"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "a" * 5000):
            path = f"/v1/digests/{name}"
            for answer in (
                client.patch(path, json={"name": "Mine"}),
                client.delete(path),
                client.post(f"{path}/send"),
                client.get(f"{path}/sendings"),
                client.get(f"{path}/preview"),
            ):
                messages.add(check_refusal(answer, 404)["message"])
        body = {"dashboardId": board["id"], "cadence": "daily", "recipients": ["a@example.com"]}
        check_refusal(client.post("/v1/digests", json=body), 404)
        check_refusal(client.get("/v1/digests", params={"dashboardId": board["id"]}), 404)
    assert len(messages) == 1
    assert listed(stranger) == [digest]


def test_the_preview_is_the_mail_of_now(workspace: Workspace) -> None:
    for _ in range(3):
        assert workspace.send({"name": "sale", "properties": {"total": 411522.5}}).status_code == 202
    board = make_dashboard(workspace, name="Shop <b>", timeRange="24h")
    config = {"event": "sale", "measure": "sum", "property": "total", "goal": 2_469_135}
    make_widget(workspace, board["id"], type="metric", title="Revenue", config=config)
    over_time = {"event": "sale", "measure": "count", "overTime": True}
    make_widget(workspace, board["id"], type="metric", title="Sales", config=over_time)
    digest = make_digest(workspace, board["id"])
    answer = workspace.get(f"/v1/digests/{digest['id']}/preview")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert list(found) == ["subject", "html", "text"]
    assert found["subject"].startswith("Shop <b>: ")
    for written in ("1,234,567.5", "1,234,567.5 of 2,469,135", "last 3 so far"):
        assert written in found["html"]
        assert written in found["text"]
    assert "Shop &lt;b&gt;" in found["html"]
    assert 'src="data:image/png;base64,' in found["html"]
    assert "cid:" not in found["html"]


def test_the_preview_is_also_a_page_that_loads_and_runs_nothing(workspace: Workspace) -> None:
    board = make_dashboard(workspace, name='Shop "<b>', timeRange="last_week")
    digest = make_digest(workspace, board["id"])
    preview = workspace.get(f"/v1/digests/{digest['id']}/preview").json()
    page = workspace.get(f"/v1/digests/{digest['id']}/preview.html")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert "frame-ancestors 'self'" in policy
    assert page.headers["cache-control"] == "no-store"
    subject = f'<meta name="subject" content="{html.escape(preview["subject"])}">'
    added = f'\n<base target="_blank">\n{subject}'
    assert added in page.text
    assert page.text.replace(added, "") == preview["html"]


def test_the_preview_follows_the_theme_of_the_app(workspace: Workspace) -> None:
    dark_query = "@media (prefers-color-scheme: dark) {"
    digest = make_digest(workspace, make_dashboard(workspace, name=f"</title> {dark_query}")["id"])
    address = f"/v1/digests/{digest['id']}/preview.html"
    usual = workspace.get(address).text
    assert usual.count(dark_query) == 4  # its subject, its title, its heading and its style sheet
    before, _, after = usual.partition("<style>")
    for theme, query in (("auto", dark_query), ("dark", "@media all {"), ("light", "@media not all {")):
        shown = workspace.get(address, theme=theme).text
        assert shown == f"{before}<style>{after.replace(dark_query, query, 1)}"
    assert workspace.get(address, theme="pink").status_code == 400
