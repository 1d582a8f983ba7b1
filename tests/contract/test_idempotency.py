"""Idempotency-Key: a repeated request is answered again and counted once (rules/events#idempotency).

Queues of keys: rules/events#queues. One request behind another: rules/events#idempotency-after.
"""

import socket
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, counts
from harness.clients.burst import post_request
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal, refused
from harness.servers.server import Server
from harness.suite.few import few

OK = {"name": "x", "_actor": "a"}
BATCH = {"events": [OK] * 3}
MOMENT = ago(hours=1)


def send(workspace: Workspace, body: Any, idempotency_key: str, key: str | None = None) -> httpx.Response:
    return workspace.send(body, key=key, headers={"idempotency-key": idempotency_key})


def outcome(answer: httpx.Response) -> tuple[int, Any, str | None]:
    return answer.status_code, answer.json(), answer.headers.get("idempotent-replayed")


def test_a_repeat_gets_the_same_answer_and_counts_once(workspace: Workspace) -> None:
    assert outcome(send(workspace, BATCH, "k")) == (202, {"accepted": 3}, None)
    for _ in range(3):
        assert outcome(send(workspace, BATCH, "k")) == (202, {"accepted": 3}, "true")
    assert counts(workspace) == {"a": 3}


def test_other_keys_and_no_key_are_other_requests(workspace: Workspace) -> None:
    for key in ("k", "K", "k2", "kk"):
        assert outcome(send(workspace, OK, key)) == (202, {"accepted": 1}, None)
    assert outcome(workspace.send(OK)) == (202, {"accepted": 1}, None)
    assert counts(workspace) == {"a": 5}


@few(2, "other", [OK, {"events": [OK] * 4}, {"name": "y"}, {}, {"events": [OK] * 501}])
def test_another_body_is_422(workspace: Workspace, other: Any) -> None:
    assert send(workspace, BATCH, "k").status_code == 202
    refused(workspace, other, 422, headers={"idempotency-key": "k"})
    assert outcome(send(workspace, BATCH, "k")) == (202, {"accepted": 3}, "true")
    assert counts(workspace) == {"a": 3}


def test_eight_clients_with_one_key_count_once(workspace: Workspace) -> None:
    for turn in range(5):
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _, key=f"k{turn}": send(workspace, BATCH, key), range(8)))
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses[202] >= 1
        assert statuses[202] + statuses[409] == 8
        first = [
            answer for answer in answers if answer.status_code == 202 and "idempotent-replayed" not in answer.headers
        ]
        assert len(first) == 1
        for answer in answers:
            if answer.status_code == 409:
                check_refusal(answer, 409)
    assert counts(workspace) == {"a": 15}


@pytest.mark.parametrize("key", ["k", "x" * 255, "~!#$%&'()*+,-./:;<=>?@[]^_`{|}\"\\", str(uuid.UUID(int=2**127))])
def test_any_255_visible_characters_are_a_key(shared: Workspace, key: str) -> None:
    assert outcome(send(shared, OK, key)) == (202, {"accepted": 1}, None)
    assert outcome(send(shared, OK, key)) == (202, {"accepted": 1}, "true")


@pytest.mark.parametrize("key", [b"", b"x" * 256, b"a b", b"a\tb", "é".encode(), b"\xff", b"x" * 10_000])
def test_a_bad_key_is_400(shared: Workspace, key: bytes) -> None:
    with shared.client(shared.key) as client:
        answer = client.post("/v1/events", json=OK, headers={b"idempotency-key": key})
    check_refusal(answer, 400)


@pytest.mark.parametrize(
    ("body", "status"), [({}, 400), (b"{", 400), ({"events": [OK] * 501}, 413), (BATCH | {"x": 1}, 400)]
)
def test_a_refused_request_is_not_remembered(workspace: Workspace, body: Any, status: int) -> None:
    for _ in range(2):
        refused(workspace, body, status, headers={"idempotency-key": "k"})
    assert outcome(send(workspace, BATCH, "k")) == (202, {"accepted": 3}, None)
    assert counts(workspace) == {"a": 3}


def test_a_refused_content_type_is_not_remembered(workspace: Workspace) -> None:
    refused(workspace, OK, 415, headers={"idempotency-key": "k", "content-type": "text/plain"})
    assert outcome(send(workspace, OK, "k")) == (202, {"accepted": 1}, None)


@pytest.mark.long
def test_a_request_over_the_cap_is_not_remembered(free: Workspace) -> None:
    assert free.send({"events": [OK] * 99}).status_code == 202
    refused(free, {"events": [OK] * 2}, 402, headers={"idempotency-key": "k"})
    assert outcome(send(free, OK, "k")) == (202, {"accepted": 1}, None)


@pytest.mark.long
def test_a_repeat_is_answered_when_the_cap_is_reached_since(free: Workspace) -> None:
    whole = {"events": [OK] * 60}
    assert send(free, whole, "k").status_code == 202
    assert send(free, whole, "k").status_code == 202  # nothing more is counted
    assert free.send({"events": [OK] * 40}).status_code == 202
    refused(free, OK, 402)
    assert outcome(send(free, whole, "k")) == (202, {"accepted": 60}, "true")
    refused(free, OK, 402)
    assert counts(free) == {"a": 100}


def test_keys_of_other_workspaces_and_environments_are_other_keys(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    stranger = sign_up(workspace.url)
    assert outcome(send(workspace, OK, "k")) == (202, {"accepted": 1}, None)
    assert outcome(send(workspace, BATCH, "k", key=development)) == (202, {"accepted": 3}, None)
    assert outcome(send(stranger, BATCH, "k")) == (202, {"accepted": 3}, None)
    another = workspace.make_key()[0]  # the same environment through another API key
    assert outcome(send(workspace, OK, "k", key=another)) == (202, {"accepted": 1}, "true")


def test_a_repeat_needs_a_valid_key(workspace: Workspace) -> None:
    revoked, key_id = workspace.make_key()
    assert send(workspace, OK, "k", key=revoked).status_code == 202
    with workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204
    check_refusal(send(workspace, OK, "k", key=revoked), 401)


QUEUE = "abcdefghijklmnopqr-_09"


def send_queued(
    workspace: Workspace, idempotency_key: str, queue: str = QUEUE, key: str | None = None
) -> httpx.Response:
    return workspace.send(OK, key=key, headers={"idempotency-key": idempotency_key, "idempotency-queue": queue})


def test_an_answer_says_how_long_its_key_is_remembered(workspace: Workspace) -> None:
    assert "idempotency-window" not in workspace.send(OK).headers
    for _ in range(2):
        assert send(workspace, OK, "single").headers["idempotency-window"] == "86400"
        assert send_queued(workspace, "queued").headers["idempotency-window"] == "5184000"
    first_without_a_queue = send_queued(workspace, "single")
    assert outcome(first_without_a_queue) == (202, {"accepted": 1}, "true")
    assert first_without_a_queue.headers["idempotency-window"] == "86400", "it is remembered as it came first"


def test_of_a_queue_the_newest_sixteen_keys_are_remembered(workspace: Workspace) -> None:
    keys = [f"k{number}" for number in range(17)]
    for key in keys:
        assert outcome(send_queued(workspace, key)) == (202, {"accepted": 1}, None)
    for key in keys[1:]:
        assert outcome(send_queued(workspace, key)) == (202, {"accepted": 1}, "true")
    assert outcome(send_queued(workspace, keys[0])) == (202, {"accepted": 1}, None)
    assert counts(workspace) == {"a": 18}


def test_a_queue_displaces_no_keys_of_others(workspace: Workspace) -> None:
    other_api_key = workspace.make_key()[0]
    send(workspace, OK, "single")
    send_queued(workspace, "of-another-queue", "x" * 22)
    send_queued(workspace, "of-another-api-key", key=other_api_key)
    for number in range(20):
        send_queued(workspace, f"k{number}")
    for key in ("single", "of-another-queue", "of-another-api-key"):
        assert outcome(send_queued(workspace, key)) == (202, {"accepted": 1}, "true")


@pytest.mark.parametrize(
    "queue", ["", "a" * 21, "a" * 23, "a" * 21 + "+", "a" * 21 + "=", "a" * 21 + "/", "a" * 10 + " " + "a" * 11]
)
def test_a_bad_queue_is_400(shared: Workspace, queue: str) -> None:
    refusal = check_refusal(send_queued(shared, "k", queue), 400)
    assert [detail["path"] for detail in refusal["details"]] == [["Idempotency-Queue"]]


def test_a_queue_without_a_key_is_400(shared: Workspace) -> None:
    refusal = refused(shared, OK, 400, headers={"idempotency-queue": QUEUE})
    assert [detail["path"] for detail in refusal["details"]] == [["Idempotency-Queue"]]
    refused(shared, OK, 415, headers={"idempotency-queue": QUEUE, "content-type": "text/plain"})


def test_a_queue_that_is_named_twice_is_400(shared: Workspace) -> None:
    headers = [("idempotency-key", "k"), ("idempotency-queue", QUEUE), ("idempotency-queue", QUEUE)]
    with shared.client(shared.key) as client:
        check_refusal(client.post("/v1/events", json=OK, headers=headers), 400)


def test_a_client_that_hangs_up_leaves_the_key_free(server: Server, workspace: Workspace) -> None:
    request = post_request(workspace, OK).replace(b"\r\n\r\n", b"\r\nIdempotency-Key: k\r\n\r\n", 1)
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(request[:-1])
    assert outcome(send(workspace, OK, "k")) == (202, {"accepted": 1}, None)
    assert counts(workspace) == {"a": 1}


def follow(workspace: Workspace, name: str, after: str) -> httpx.Response:
    event = {"name": name, "_actor": "a", "_timestamp": MOMENT}
    return workspace.send(event, headers={"idempotency-key": name, "idempotency-after": after})


def test_events_of_one_moment_stand_behind_those_of_the_request_that_is_named(workspace: Workspace) -> None:
    """However the requests come: each is sent before the one that it stands behind."""
    names = [f"e{number}" for number in range(4)]
    with ThreadPoolExecutor(4) as threads:
        later = []
        for name, after in zip(reversed(names[1:]), reversed(names[:-1]), strict=True):
            later.append(threads.submit(follow, workspace, name, after))
            time.sleep(0.05)  # whatever comes first, the order is that of the names; so it is most likely the other
        first = send(workspace, {"name": names[0], "_actor": "a", "_timestamp": MOMENT}, names[0])
        assert [first.status_code, *(answer.result().status_code for answer in later)] == [202] * 4
    assert [event["name"] for event in actor(workspace, "a")["timeline"]] == names[::-1]


def test_nothing_is_kept_behind_a_request_that_was_refused(workspace: Workspace) -> None:
    with ThreadPoolExecutor(1) as threads:
        later = threads.submit(follow, workspace, "second", "first")
        assert send(workspace, {"name": ""}, "first").status_code == 400
        answer = later.result()
    assert (answer.status_code, answer.headers["retry-after"]) == (409, "1")
    check_refusal(answer, 409)
    assert send(workspace, {"name": "first", "_actor": "a", "_timestamp": MOMENT}, "first").status_code == 202
    assert follow(workspace, "second", "first").status_code == 202
    assert outcome(follow(workspace, "second", "gone")) == (202, {"accepted": 1}, "true")
    assert [event["name"] for event in actor(workspace, "a")["timeline"]] == ["second", "first"]


@pytest.mark.parametrize("headers", [{"idempotency-after": "k"}, {"idempotency-after": "k", "idempotency-key": "k"}])
def test_a_request_behind_nothing_or_itself_is_400(workspace: Workspace, headers: dict[str, str]) -> None:
    refused(workspace, OK, 400, headers=headers)
