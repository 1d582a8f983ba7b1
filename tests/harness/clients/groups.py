"""Group keys and groups over HTTP."""

from typing import Any

import httpx

from harness.clients.workspace import Workspace


def send_groups(
    workspace: Workspace, *values: Any, prop_key: str = "team", key: str | None = None, **event: Any
) -> None:
    """One event for each value of the property."""
    events = [{"name": "x", "properties": {prop_key: value}} | event for value in values]
    for at in range(0, len(events), 500):
        answer = workspace.send({"events": events[at : at + 500]}, key=key)
        assert answer.status_code == 202, answer.text


def try_register(workspace: Workspace, prop_key: str = "team", **body: Any) -> httpx.Response:
    """The answer to a registration."""
    with workspace.client() as client:
        return client.post("/v1/groups/keys", json={"propKey": prop_key} | body)


def register(workspace: Workspace, prop_key: str = "team", **body: Any) -> Any:
    """A new group key."""
    answer = try_register(workspace, prop_key, **body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def read(workspace: Workspace, path: str, **params: Any) -> httpx.Response:
    """A read of production, of the last 90 days if nothing else is said."""
    return workspace.get(path, **({"environment": "production", "timeRange": "90d"} | params))


def group_keys(workspace: Workspace, **params: Any) -> Any:
    """The answer to GET /v1/groups/keys."""
    answer = read(workspace, "/v1/groups/keys", **params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def groups(workspace: Workspace, **params: Any) -> Any:
    """The answer to GET /v1/groups."""
    answer = read(workspace, "/v1/groups", **params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def counts(workspace: Workspace, **params: Any) -> dict[str, int]:
    """Event counts by group id."""
    return {row["groupKey"]: row["eventCount"] for row in groups(workspace, **({"limit": 200} | params))["groups"]}


def defaults(workspace: Workspace) -> list[str]:
    """The property keys that are said to be the default."""
    return [key["propKey"] for key in group_keys(workspace)["keys"] if key["isDefault"]]
