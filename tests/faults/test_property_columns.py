"""A server dies while it adds, fills or drops property columns: answers stay, and the next start completes the work."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.servers.wall_clock import WallClock
from harness.stores.event_store import NOW_MS
from harness.stores.metadata_edits import put_beside, run_beside
from harness.suite.few import few
from harness.suite.patience import PATIENCE
from tallyroom.core.times import DAY_MS, iso_ms
from tallyroom.operations.property_columns.keeper import RETIREMENT_MS

KILLED = -9
READS = [("strings", "plan"), ("numbers", "amount")]
QUESTION = {
    "environment": "production",
    "type": "metric",
    "config": {"event": "order", "measure": "sum", "property": "amount", "breakdown": "prop:plan"},
    "timeRange": "90d",
}
ORDERS = [
    {
        "name": "order",
        "_timestamp": iso_ms(NOW_MS - days * DAY_MS),
        "properties": {"plan": f"p{days % 3}", "amount": days},
    }
    for days in range(80)
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    clock = WallClock(tmp_path / "clock").set(NOW_MS)
    server = Server(tmp_path / "data", clock=clock, open_signup="true", property_column_min_bytes="1")
    yield server.start()
    server.kill()


def send_orders(owner: Workspace) -> None:
    answer = owner.send({"events": ORDERS})
    assert answer.status_code == 202, answer.text


def ask(owner: Workspace) -> Any:
    with owner.client() as client:
        answer = client.post("/v1/query", json=QUESTION)
    assert answer.status_code == 200
    return answer.json()["rows"]


def count_columns(server: Server) -> int:
    lines = httpx.get(f"{server.url}/metrics", verify=False).text.splitlines()
    return round(float(next(line.split()[-1] for line in lines if line.startswith("tallyroom_property_columns "))))


def make_due(server: Server) -> None:
    run_beside(server.data, "UPDATE work_items SET due_ms = 0 WHERE id = 'property columns'")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def wait_for_columns(server: Server, count: int) -> None:
    """Let the job run until there are so many columns; a run that had begun before would end too early."""

    def has_columns() -> bool:
        make_due(server)
        return count_columns(server) == count

    wait_for(has_columns)


@few(3, "failpoint", ["add.before", "add.after", "fill.before", "fill.begun", "fill.after"])
def test_killed_while_columns_are_made(server: Server, failpoint: str) -> None:
    owner = sign_up(server.url)
    send_orders(owner)
    before = ask(owner)
    assert len(before) == 3
    assert server.stop() == 0
    rows = [{"map_name": name, "prop_key": key, "weight": 1e12, "read_ms": NOW_MS} for name, key in READS]
    run_beside(server.data, "DELETE FROM property_read_totals")
    put_beside(server.data, "property_read_totals", *rows)
    make_due(server)
    server.settings["failpoints"] = f"columns.{failpoint}=kill"
    server.launch()
    assert server.wait() == KILLED
    server.settings["failpoints"] = ""
    server.start()
    owner.url = server.url
    assert ask(owner) == before
    wait_for_columns(server, len(READS))
    assert ask(owner) == before
    assert server.stop() == 0


@few(1, "failpoint", ["drop.before", "drop.after", "retire.after"])
def test_killed_while_columns_go(server: Server, failpoint: str) -> None:
    owner = sign_up(server.url)
    send_orders(owner)
    before = ask(owner)
    rows = [{"map_name": name, "prop_key": key, "weight": 1e12, "read_ms": NOW_MS} for name, key in READS]
    run_beside(server.data, "DELETE FROM property_read_totals")
    put_beside(server.data, "property_read_totals", *rows)
    wait_for_columns(server, len(READS))
    assert server.stop() == 0
    server.settings["property_columns"] = "0"
    make_due(server)
    if failpoint != "retire.after":
        server.start()
        wait_for(
            lambda: not run_beside(server.data, "SELECT 1 FROM work_items WHERE id = 'property columns' AND due_ms = 0")
        )
        assert server.stop() == 0
        make_due(server)
    assert server.clock is not None
    server.clock.advance(RETIREMENT_MS / 1000)
    server.settings["failpoints"] = f"columns.{failpoint}=kill"
    server.launch()
    assert server.wait() == KILLED
    server.settings["failpoints"] = ""
    server.clock.advance(RETIREMENT_MS / 1000)
    make_due(server)
    server.start()
    owner.url = server.url
    assert ask(owner) == before
    server.clock.advance(RETIREMENT_MS / 1000)
    wait_for_columns(server, 0)
    assert ask(owner) == before
    assert server.stop() == 0
