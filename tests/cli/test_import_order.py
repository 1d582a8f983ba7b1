"""The rows of a file arrive in its order, also rows of one moment, and an export brings that order elsewhere."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.import_command import ndjson, numbers, run, run_here
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

STEPS = ["visited", "signed up", "paid"]
FUNNEL = {
    "environment": "production",
    "timeRange": "7d",
    "type": "funnel",
    "config": {"steps": [{"event": step} for step in STEPS]},
}


def walks(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Steps of 300 people in a random order, all of one moment, as in a file that has only dates."""
    source, moment = random.Random(seed), f"{ago(days=1)[:10]}T00:00:00Z"
    return [
        {
            "name": source.choice(STEPS),
            "_actor": f"p{source.randrange(300)}",
            "_timestamp": moment,
            "properties": {"row": row},
        }
        for row in range(count)
    ]


def reached(events: list[dict[str, Any]]) -> list[int]:
    """How many people took the steps of the funnel one after the other, in the order of the list."""
    at: dict[str, int] = {}
    for event in events:
        done = at.get(event["_actor"], 0)
        if done < len(STEPS) and event["name"] == STEPS[done]:
            at[event["_actor"]] = done + 1
    return [sum(done > step for done in at.values()) for step in range(len(STEPS))]


def funnel(workspace: Workspace) -> list[int]:
    with workspace.client() as client:
        answer = client.post("/v1/query", json=FUNNEL)
    assert answer.status_code == 200, answer.text
    return [step["count"] for step in answer.json()["steps"]]


def exported(workspace: Workspace, form: str = "ndjson") -> bytes:
    return workspace.get("/v1/export", format=form).content


def rows(workspace: Workspace) -> list[int]:
    """The numbers of the rows in the order of the events."""
    return [json.loads(line)["properties"]["row"] for line in exported(workspace).splitlines()]


@pytest.mark.long
@pytest.mark.parametrize("at_once", [4, 16])
def test_rows_of_one_moment_arrive_in_the_order_of_the_file(workspace: Workspace, tmp_path: Path, at_once: int) -> None:
    events = walks(8000)
    path = ndjson(tmp_path / "walks.ndjson", events)
    assert numbers(run(workspace, path, "--at-once", at_once)) == (8000, 8000, 0, 0)
    assert rows(workspace) == list(range(8000))
    assert funnel(workspace) == reached(events)


def test_rows_without_a_time_are_in_the_order_of_the_file_too(workspace: Workspace, tmp_path: Path) -> None:
    events = [{"name": "seen", "properties": {"row": row}} for row in range(6000)]
    run_here(workspace, ndjson(tmp_path / "seen.ndjson", events))
    assert rows(workspace) == list(range(6000))


@pytest.mark.long
def test_rows_that_are_refused_leave_the_others_in_order(workspace: Workspace, tmp_path: Path) -> None:
    """A batch with a refused row is sent twice; the ones behind it wait for that."""
    events = walks(10_000)
    for row in range(700, 10_000, 1500):
        events[row]["name"] = ""
    path = ndjson(tmp_path / "walks.ndjson", events)
    assert numbers(run_here(workspace, path, exits=1)) == (10_000, 9993, 0, 7)
    good = [event for event in events if event["name"]]
    assert rows(workspace) == [event["properties"]["row"] for event in good]
    assert funnel(workspace) == reached(good)


@pytest.mark.long
@pytest.mark.parametrize("form", ["ndjson", "csv", "parquet"])
def test_an_export_brings_the_order_elsewhere(server: Server, tmp_path: Path, form: str) -> None:
    here, elsewhere = sign_up(server.url), sign_up(server.url)
    events = walks(11_000)  # more than a slice of an export, or a block of Parquet
    run_here(here, ndjson(tmp_path / "walks.ndjson", events))
    path = tmp_path / f"walks.{form}"
    path.write_bytes(exported(here, form))
    assert numbers((run if form == "parquet" else run_here)(elsewhere, path)) == (11_000, 11_000, 0, 0)
    assert rows(elsewhere) == rows(here) == list(range(11_000))
    assert funnel(elsewhere) == funnel(here) == reached(events)
