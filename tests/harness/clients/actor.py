"""Reading one actor back, whatever its key is."""

from typing import Any

from harness.clients.workspace import Workspace


def actor(workspace: Workspace, key: str, **params: Any) -> Any:
    """The answer to GET /v1/actor about `key`; the session asks, about the last 90 days if nothing else is said."""
    answer = workspace.get("/v1/actor", **({"actorKey": key, "timeRange": "90d"} | params))
    assert answer.status_code == 200, answer.text
    return answer.json()


def actors(workspace: Workspace, **params: Any) -> list[Any]:
    """One page of the actor list, of the last 90 days if nothing else is said."""
    asked: dict[str, Any] = {"timeRange": "90d", "limit": 200}
    answer = workspace.get("/v1/actors", **asked | params)
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()["actors"]
    return found


def counts(workspace: Workspace, **params: Any) -> dict[str, int]:
    """Event counts by actor key."""
    return {row["actorKey"]: row["eventCount"] for row in actors(workspace, **params)}
