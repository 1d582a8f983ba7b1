"""A request that comes whole goes the short way, one that dawdles the usual way: the answers are the same."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from harness.clients.workspace import Workspace
from harness.servers.server import Server
from harness.suite.few import few
from harness.suite.patience import PATIENCE
from tallyroom.server.protocol.shortcut import MAX_BODY_REST_SECONDS

GOOD = b'{"name":"sent","_actor":"ann","properties":{"n":1.10,"list":["a"]}}'
BATCH = json.dumps({"events": [{"name": f"e{number}"} for number in range(500)]}).encode()

CASES: dict[str, tuple[bytes, dict[str, str]]] = {
    "one event": (GOOD, {}),
    "a batch": (BATCH, {}),
    "white space": (b" \r\n" + GOOD + b"\n", {}),
    "not JSON": (b"{", {}),
    "no body": (b"", {}),
    "an unknown field": (b'{"name":"n","color":"red"}', {}),
    "a bad time": (b'{"name":"n","_timestamp":"yesterday"}', {}),
    "too many events": (json.dumps({"events": [{"name": "n"}] * 501}).encode(), {}),
    "a large event": (json.dumps({"name": "n", "properties": {"text": "x" * 65_536}}).encode(), {}),
    "beyond the short way": (
        json.dumps({"events": [{"name": "n", "properties": {"t": "x" * 60_000}}] * 10}).encode(),
        {},
    ),
    "another type": (GOOD, {"Content-Type": "text/plain"}),
    "another encoding": (GOOD, {"Content-Encoding": "br"}),
    "no key": (GOOD, {"Authorization": ""}),
    "an unknown key": (GOOD, {"Authorization": "Bearer tr_live_" + "x" * 38}),
    "an idempotency key": (GOOD, {"Idempotency-Key": "once"}),
    "a key that is none": (GOOD, {"Idempotency-Key": "two words"}),
    "the last request": (GOOD, {"Connection": "close"}),
    "an expectation": (GOOD, {"Expect": "100-continue"}),
}


class Line:
    """A kept-alive connection that sends requests in pieces."""

    def __init__(self, server: Server, workspace: Workspace) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self._workspace = workspace

    def send(self, body: bytes, headers: dict[str, str], pause: float | None) -> tuple[int, dict[str, str], Any]:
        """Send head and body together, or with a pause between; status, headers without the changing ones, body."""
        sent = {
            "Host": "x",
            "X-Forwarded-For": self._workspace.ip,
            "Authorization": f"Bearer {self._workspace.key}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        } | headers
        head = "POST /v1/events HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value)
        if pause is None:
            self._socket.sendall(head.encode() + b"\r\n" + body)
        else:
            self._socket.sendall(head.encode() + b"\r\n")
            time.sleep(pause)
            self._socket.sendall(body)
        return self._answer()

    def _answer(self) -> tuple[int, dict[str, str], Any]:
        with self._socket.makefile("rb") as reader:  # one for both answers, which may come together
            status, found = _head(reader)
            if status == 100:
                status, found = _head(reader)
            body = json.loads(reader.read(int(found["content-length"])))
        for changing in ("date", "x-request-id"):
            assert found.pop(changing)
        if body.pop("requestId", None):
            del found["content-length"]  # a later request id may be longer
        return status, found, body

    def close(self) -> None:
        self._socket.close()


def _head(reader: Any) -> tuple[int, dict[str, str]]:
    return int(reader.readline().split()[1]), dict(_headers(reader))


def _headers(reader: Any) -> Iterator[tuple[str, str]]:
    while line := reader.readline().decode().rstrip("\r\n"):
        name, _, value = line.partition(": ")
        yield name, value


@pytest.fixture
def known(workspace: Workspace) -> Workspace:
    """A workspace whose key the server remembers."""
    assert workspace.send(GOOD).status_code == 202
    return workspace


@few(6, "case", CASES)
def test_whole_or_in_pieces_the_answer_is_the_same(server: Server, known: Workspace, case: str) -> None:
    body, headers = CASES[case]
    found = []
    for pause in (None, None, 0.0, 2 * MAX_BODY_REST_SECONDS):
        with closing(Line(server, known)) as line:
            found.append(line.send(body, headers, pause))
    _first_use_of_an_idempotency_key, *answers = found
    assert answers == [answers[0]] * 3


def test_one_connection_takes_both_ways_in_turn(server: Server, known: Workspace) -> None:
    with closing(Line(server, known)) as line:
        for pause in (None, 2 * MAX_BODY_REST_SECONDS, 0.0, None):
            assert line.send(GOOD, {}, pause)[0] == 202
            assert line.send(b"{", {}, pause)[0] == 400
    assert known.get("/v1/actors/ann").json()["eventCount"] == 5


def test_refusals_are_listed_whichever_way_they_came(server: Server, known: Workspace) -> None:
    with closing(Line(server, known)) as line:
        for pause in (None, 2 * MAX_BODY_REST_SECONDS):
            line.send(b"{", {}, pause)
    refusals = known.get("/v1/events/refusals").json()["refusals"]
    assert [(each["status"], each["error"]) for each in refusals] == [(400, "validation_failed")] * 2
    assert len({each["requestId"] for each in refusals}) == 2
