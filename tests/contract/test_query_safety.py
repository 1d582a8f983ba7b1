"""No workspace keeps another from its answers; nobody works for one who has left (rules/questions#query-costs)."""

import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from harness.clients.server_counts import measured
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

EVENTS = 90
LABELS = 6000  # in each event, all of them different
WAITING = 4

HEAVY = {
    "environment": "production",
    "timeRange": "24h",
    "type": "metric",
    "config": {"event": "big", "measure": "count", "breakdown": "labels", "limit": 50},
}
LIGHT = HEAVY | {"config": {"event": "small", "measure": "count"}}


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which few questions may wait."""
    running = Server(
        tmp_path_factory.mktemp("narrow") / "data", open_signup="true", workspace_queries_waiting=str(WAITING)
    ).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def heavy(narrow: Server) -> Workspace:
    """A workspace with a question that takes its time."""
    workspace = sign_up(narrow.url)
    for start in range(0, EVENTS, 30):
        events = [
            {"name": "big", "properties": {"labels": [f"{number}-{label}" for label in range(LABELS)]}}
            for number in range(start, start + 30)
        ]
        assert workspace.send({"events": events}).status_code == 202
    return workspace


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def ask(workspace: Workspace, body: Any) -> httpx.Response:
    with workspace.client() as client:
        return client.post("/v1/query", json=body)


@contextmanager
def asking(workspace: Workspace) -> Iterator[socket.socket]:
    """A connection on which the question was asked, and nothing read."""
    body = msgspec.json.encode(HEAVY)
    address = urlsplit(workspace.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = f"POST /v1/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {workspace.session_token}\r\n"
        length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall((head + length).encode() + body)
        yield connection


def test_a_question_ends_when_its_client_leaves(narrow: Server, heavy: Workspace) -> None:
    before = measured(narrow.url, "queries_cancelled_total")

    def leave() -> bool:
        """Ask and leave; returns whether the question was still running, which it may not on a busy machine."""
        with asking(heavy) as connection:
            until(lambda: measured(narrow.url, "queries_running") > 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        until(lambda: measured(narrow.url, "queries_running") == 0)
        return measured(narrow.url, "queries_cancelled_total") > before

    until(leave, seconds=60)


@pytest.mark.long
def test_a_crowd_of_one_workspace_waits_and_another_is_answered(heavy: Workspace) -> None:
    """Two at once, a few wait, the rest is told to ask again; nobody gets an error of the server."""
    other = sign_up(heavy.url)
    other.send({"name": "small"})
    crowd_size = 2 + WAITING + 6
    with ThreadPoolExecutor(crowd_size + 1) as crowd:
        asked = [crowd.submit(ask, heavy, HEAVY) for _ in range(crowd_size)]
        answer = crowd.submit(ask, other, LIGHT).result()
        assert answer.status_code == 200
        assert answer.json()["value"] == 1
        answers = [each.result() for each in asked]
    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) == {200, 429}
    assert statuses[200] >= 2 + WAITING
    for answer in answers:
        if answer.status_code == 429:
            assert answer.headers["retry-after"] == "1"
            assert answer.json()["error"] == "rate_limited"
