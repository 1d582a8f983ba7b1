"""The client with a real server: keys, plans, wrong events, outages, and what arrives."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.sdk.hand_driven import HandDriven
from harness.servers.server import Server
from tallyroom_client import Tallyroom


def exported(workspace: Workspace) -> list[dict[str, Any]]:
    answer = workspace.get("/v1/export")
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.split(b"\n")[:-1]]


@pytest.fixture
def free_workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with room for three events."""
    server = Server(tmp_path / "data", open_signup="true", default_plan="free", free_events_per_month="3").start()
    yield sign_up(server.url)
    server.stop()


def test_what_was_tracked_is_what_is_exported(workspace: Workspace, tmp_path: Path) -> None:
    client = Tallyroom(workspace.key, workspace.url, queue=tmp_path, source="shop")
    with client.context(actor="customer-17"):
        client.track("order.placed", label="Customer 17", properties={"id": 2**53 + 1, "items": ["tea", "cup"]})
    assert client.close(60)
    (event,) = exported(workspace)
    assert event.pop("_timestamp")
    assert event == {
        "name": "order.placed",
        "_actor": "customer-17",
        "_actorLabel": "Customer 17",
        "_source": "shop",
        "properties": {"id": 2**53 + 1, "items": ["tea", "cup"]},
    }


def test_thousands_arrive_once_and_in_order(workspace: Workspace, tmp_path: Path) -> None:
    client = Tallyroom(workspace.key, workspace.url, queue=tmp_path)
    for number in range(3000):
        client.track("x", properties={"n": number})
    assert client.close(60)
    assert [event["properties"]["n"] for event in exported(workspace)] == list(range(3000))


def test_a_wrong_key_keeps_everything_until_the_key_is_right(workspace: Workspace, tmp_path: Path) -> None:
    wrong = HandDriven(workspace.url, tmp_path, key="tr_live_" + "x" * 32)
    wrong.track("a")
    wrong.clock.advance(wrong.step())
    assert wrong.kinds == ["paused"]
    wrong.sender.close()
    right = HandDriven(workspace.url, tmp_path, key=workspace.key)
    right.track("b")
    right.drain()
    right.sender.close()
    assert [event["name"] for event in exported(workspace)] == ["a", "b"]


def test_a_revoked_key_pauses_and_its_successor_goes_on(workspace: Workspace, tmp_path: Path) -> None:
    key, key_id = workspace.make_key()
    client = HandDriven(workspace.url, tmp_path, key=key)
    client.track("a")
    client.drain()
    with workspace.client() as session:
        assert session.delete(f"/v1/keys/{key_id}").status_code == 204
    client.track("b")
    assert client.step() == 60
    assert (client.problems[-1].kind, client.problems[-1].status) == ("paused", 401)
    client.sender.close()
    successor = HandDriven(workspace.url, tmp_path, key=workspace.key)
    successor.track("c")
    successor.drain()
    successor.sender.close()
    assert [event["name"] for event in exported(workspace)] == ["a", "b", "c"]


def test_a_plan_that_is_used_up_pauses_and_keeps(free_workspace: Workspace, tmp_path: Path) -> None:
    client = HandDriven(free_workspace.url, tmp_path, key=free_workspace.key)
    client.track("a", "b", "c")
    client.drain()
    client.track("d")
    assert 0 < client.step() <= 3600
    assert (client.problems[-1].kind, client.problems[-1].status) == ("paused", 402)
    assert client.queue.waiting_events == 1
    client.sender.close()


def test_the_server_names_one_wrong_event_and_the_others_arrive(workspace: Workspace, tmp_path: Path) -> None:
    client = HandDriven(workspace.url, tmp_path, key=workspace.key)
    client.track(*["good"] * 250)
    client.queue.append({"name": "wrong", "unknown": 1})
    client.track(*["good"] * 249)
    client.drain()
    client.sender.close()
    assert [event["name"] for event in exported(workspace)] == ["good"] * 499
    # The server's clock runs, and the test's stands still.
    assert (client.counters.accepted, client.counters.refused, client.kinds) == (499, 1, ["refused", "clock"])
    refused = (tmp_path / "refused" / "refused.jsonl").read_text()
    assert '"name":"wrong"' in refused


def test_send_now_needs_no_queue(workspace: Workspace) -> None:
    client = Tallyroom(workspace.key, workspace.url, queue=False)
    assert client.send_now([{"name": "a", "actor": "x"}, {"name": "b"}])
    assert [event["name"] for event in exported(workspace)] == ["a", "b"]


def test_a_server_that_is_away_for_a_while(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", open_signup="true").start()
    workspace = sign_up(server.url)
    client = HandDriven(server.url, tmp_path / "queue", key=workspace.key)
    server.kill()
    client.track("a")
    for _ in range(5):
        client.clock.advance(client.step())
    server.start()
    client.track("b")
    client.drain()
    client.sender.close()
    assert [event["name"] for event in exported(workspace)] == ["a", "b"]
    server.stop()
