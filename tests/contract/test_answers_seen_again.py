"""A question that is asked again has the answer of this moment (rules/questions#answers-seen-again)."""

from typing import Any

from harness.builders.moments import ago
from harness.clients.server_counts import measured
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

IN_30_DAYS = {"environment": "production", "timeRange": "30d"}
BY_DAY = {"event": "buy", "measure": "count", "overTime": True}
ACTORS = {"event": "buy", "measure": "uniq_actors", "compare": False}


def send(workspace: Workspace, *events: dict[str, Any]) -> None:
    assert workspace.send({"events": [{"name": "buy", **event} for event in events]}).status_code == 202


def ask(workspace: Workspace) -> tuple[int, int]:
    """The number of events of 30 days, by day, and of their actors."""
    with workspace.client() as client:
        answers = [
            client.post("/v1/query", json={**IN_30_DAYS, "type": "metric", "config": config}).json()
            for config in (BY_DAY, ACTORS)
        ]
    assert answers[0]["total"] == sum(point["value"] for point in answers[0]["points"])
    return answers[0]["total"], answers[1]["value"]


def test_late_hidden_shown_and_erased_events_are_in_the_next_answer(server: Server) -> None:
    workspace = sign_up(server.url)
    send(workspace, *({"_actor": f"u{day % 4}", "_timestamp": ago(days=day)} for day in range(1, 20)))
    assert ask(workspace) == (19, 4)
    hits = measured(server.url, "kept_answers_hits_total")
    assert ask(workspace) == (19, 4)
    assert measured(server.url, "kept_answers_hits_total") - hits >= 20
    assert measured(server.url, "kept_answers_bytes") > 0
    send(workspace, {"_actor": "late", "_timestamp": ago(days=9)})
    assert ask(workspace) == (20, 5)
    [event] = workspace.get("/v1/events", actor="late", **IN_30_DAYS).json()["events"]
    with workspace.client() as client:
        assert client.post(f"/v1/events/{event['id']}/hide").status_code == 204
        assert ask(workspace) == (19, 4)
        assert client.delete(f"/v1/events/{event['id']}/hide").status_code == 204
        assert ask(workspace) == (20, 5)
        assert client.delete("/v1/actors/late").status_code == 200
    assert ask(workspace) == (19, 4)
