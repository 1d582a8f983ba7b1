"""The options of a funnel over HTTP: the shapes of the answers, and what is refused (rules/questions#funnel-options)."""

from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

STEPS = [{"event": "see"}, {"event": "buy"}]
LEAVE = {"event": "leave", "between": [1, 2]}


def ask(workspace: Workspace, **options: Any) -> httpx.Response:
    config = {"steps": STEPS, **options}
    with workspace.client() as client:
        return client.post(
            "/v1/query",
            json={"environment": "production", "timeRange": "24h", "type": "funnel", "config": config},
        )


@pytest.fixture(scope="module")
def visited(shared: Workspace) -> Workspace:
    """Two who see and buy, one of whom leaves in between, and one who only sees."""
    events: list[tuple[str, str, int, dict[str, Any]]] = [
        ("see", "ann", 50, {"plan": "pro", "order": 1}),
        ("buy", "ann", 40, {"order": 1}),
        ("see", "bob", 50, {"plan": "free", "order": 2}),
        ("leave", "bob", 45, {}),
        ("buy", "bob", 30, {"order": 3}),
        ("see", "cleo", 50, {"plan": "free"}),
    ]
    sent = [
        {"name": name, "_actor": actor, "_timestamp": ago(minutes=minutes), "properties": properties}
        for name, actor, minutes, properties in events
    ]
    assert shared.send({"events": sent}).status_code == 202
    return shared


@few(
    3,
    ("options", "expected"),
    [
        ({}, [3, 2]),
        ({"times": True}, [3, 2]),
        ({"breakdown": "plan"}, [3, 2]),
        ({"holding": "order"}, [2, 1]),
        ({"exclude": [LEAVE]}, [3, 1]),
        ({"exclude": [LEAVE | {"filters": [{"key": "why", "op": "exists"}]}]}, [3, 2]),
        ({"holding": "order", "exclude": [LEAVE], "times": True, "breakdown": "plan"}, [2, 1]),
    ],
)
def test_each_option_counts(visited: Workspace, options: dict[str, Any], expected: list[int]) -> None:
    answer = ask(visited, **options).json()
    assert [step["count"] for step in answer["steps"]] == expected
    fields = {"kind", "computedAt", "count", "steps"}
    assert set(answer) - {"notices"} == (fields | {"series"} if "breakdown" in options else fields)
    for steps in (answer["steps"], *(each["steps"] for each in answer.get("series", []))):
        assert ["times" in step for step in steps] == [False, "times" in options]


def test_a_breakdown_has_the_steps_of_each_label(visited: Workspace) -> None:
    answer = ask(visited, breakdown="plan").json()
    counts = {each["label"]: [step["count"] for step in each["steps"]] for each in answer["series"]}
    assert list(counts.items()) == [("free", [2, 1]), ("pro", [1, 1])]
    for each in answer["series"]:
        assert set(each) == {"label", "steps"}
        assert [set(step) for step in each["steps"]] == [set(step) for step in answer["steps"]]


def test_times_are_in_seconds(visited: Workspace) -> None:
    times = ask(visited, times=True).json()["steps"][1]["times"]
    assert len(times) == 20
    assert (times[0]["from"], times[-1]["to"]) == (pytest.approx(600, abs=60), pytest.approx(1200, abs=60))
    assert (times[0]["count"], times[-1]["count"], sum(each["count"] for each in times)) == (1, 1, 2)


@few(
    4,
    ("options", "path"),
    [
        *[
            ({"exclude": [LEAVE, LEAVE | {"between": between}]}, ["exclude", 1, "between"])
            for between in ([0, 1], [1, 1], [2, 1], [1, 3], [1], [1, 2, 3], "12", None)
        ],
        ({"exclude": [LEAVE | {"between": [1, 1.5]}]}, ["exclude", 0, "between", 1]),
        ({"exclude": [{"event": "leave"}]}, ["exclude", 0, "between"]),
        ({"exclude": [LEAVE] * 6}, ["exclude"]),
        ({"exclude": [LEAVE | {"within": 1}]}, ["exclude", 0, "within"]),
        (
            {"exclude": [LEAVE | {"filters": [{"key": "a", "op": "regex", "value": "("}]}]},
            ["exclude", 0, "filters", 0, "value"],
        ),
        ({"steps": [STEPS[0], STEPS[1] | {"between": [1, 2]}]}, ["steps", 1, "between"]),
        ({"breakdown": ""}, ["breakdown"]),
        ({"holding": 1}, ["holding"]),
        ({"times": "yes"}, ["times"]),
        ({"hold": "order"}, ["hold"]),
    ],
)
def test_what_is_no_option_is_refused(shared: Workspace, options: dict[str, Any], path: list[Any]) -> None:
    refusal = check_refusal(ask(shared, **options), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["config", *path]]
