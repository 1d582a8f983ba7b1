"""GET /v1/usage tells exactly what the cap counts (rules/people#usage)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal, refused

OK = {"name": "ok", "_actor": "a"}


def usage(workspace: Workspace) -> Any:
    answer = workspace.get("/v1/usage")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_fresh_workspace_has_used_nothing(workspace: Workspace) -> None:
    now = datetime.now(UTC)
    next_month = (now.replace(day=1) + timedelta(days=31)).replace(day=1)
    assert usage(workspace) == {
        "plan": "paid",
        "period": now.strftime("%Y-%m"),
        "used": 0,
        "cap": None,
        "resetsAt": next_month.strftime("%Y-%m-01T00:00:00.000Z"),
    }


def test_the_free_plan_tells_its_cap(free: Workspace) -> None:
    assert free.send({"events": [OK] * 99}).status_code == 202
    refused(free, {"events": [OK] * 2}, 402)
    found = usage(free)
    assert (found["plan"], found["used"], found["cap"]) == ("free", 99, 100)


@pytest.mark.long
def test_every_event_counts_where_it_was_received_whatever_its_time(workspace: Workspace) -> None:
    assert workspace.send(OK | {"_timestamp": "2001-01-01T00:00:00Z"}).status_code == 202
    assert workspace.send({"events": [OK] * 3}, key=workspace.make_key("development")[0]).status_code == 202
    refused(workspace, {"events": [OK, {"name": ""}]}, 400)
    with workspace.client() as client:
        assert client.delete("/v1/actors/a").json() == {"erased": 1}
    assert usage(workspace)["used"] == 4
    assert usage(sign_up(workspace.url))["used"] == 0


def test_it_is_exact_under_forty_clients(workspace: Workspace) -> None:
    with ThreadPoolExecutor(40) as threads:
        list(threads.map(lambda _: workspace.send({"events": [OK] * 7}), range(40)))
    assert usage(workspace)["used"] == 280


def test_a_key_does_not_read_it(workspace: Workspace) -> None:
    check_refusal(workspace.get("/v1/usage", token=workspace.key), 401)
