"""GET /v1/events/stream: each new event once, in order of arrival, after a break too (rules/questions#event-stream)."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.member import add_member
from harness.clients.stream_client import listening
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server

MOST = 20


def send(workspace: Workspace, *names: str, key: str | None = None, **fields: Any) -> None:
    assert workspace.send({"events": [{"name": name, **fields} for name in names]}, key=key).status_code == 202


def test_what_is_sent_is_heard_as_it_is_listed(workspace: Workspace) -> None:
    send(workspace, "before")
    with listening(workspace) as ear:
        assert ear.answer.headers["content-type"].startswith("text/event-stream")
        assert ear.answer.headers["cache-control"] == "no-store"
        send(workspace, "a", _actor="ann", _actorLabel="Ann", _source="web", properties={"n": 1})
        send(workspace, "b")
        heard = ear.events(2)
    assert heard == workspace.get("/v1/events", limit=2).json()["events"][::-1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ('[{"key":"n","op":"in","value":[1,2]}]', '[{"key":"n","op":"not_in","value":[1]}]'),
        ('[{"key":"n","op":"eq","value":1}]', '[{"key":"n","op":"eq","value":true}]'),
    ],
)
def test_each_listener_hears_by_its_own_filters(workspace: Workspace, ours: str, theirs: str) -> None:
    """Of lists of values, and of values that are as good as equal to a program, though not to a question."""
    with listening(workspace, filters=ours) as our, listening(workspace, filters=theirs) as their:
        for name, value in (("one", 1), ("true", True), ("two", 2), ("last", 1), ("last", True)):
            send(workspace, name, properties={"n": value})
        heard = our.names(3 if "in" in ours else 2), their.names(2)
    listed = [
        [each["name"] for each in workspace.get("/v1/events", filters=filters).json()["events"]][::-1]
        for filters in (ours, theirs)
    ]
    assert [list(each) for each in heard] == [names[: len(each)] for names, each in zip(listed, heard, strict=True)]


def test_late_and_early_events_come_in_the_order_of_arrival(workspace: Workspace) -> None:
    with listening(workspace) as ear:
        times = [ago(days=400), ago(hours=-20), ago(days=2), ago(days=40), "1970-01-01T00:00:00Z", ago()]
        events = [{"name": f"e{number}", "_timestamp": time_} for number, time_ in enumerate(times)]
        assert workspace.send({"events": events}).status_code == 202
        assert ear.names(6) == [f"e{number}" for number in range(6)]


def test_only_what_is_asked_for_is_heard(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    with ExitStack() as open_:
        ears = {
            name: open_.enter_context(listening(workspace, **params))
            for name, params in {
                "all": {},
                "name": {"name": "buy"},
                "actor": {"actor": "ann"},
                "filters": {"filters": '[{"key":"n","op":"gte","value":2}]'},
                "same filters": {"filters": '[{"key":"n","op":"gte","value":2}]'},
                "development": {"environment": "development"},
            }.items()
        }
        for number in range(3):
            for name, actor in (("see", "ann"), ("buy", "bob")):
                send(workspace, name, _actor=actor, properties={"n": number})
        send(workspace, "tried", key=development)
        heard = {name: ear.events(1 if name == "development" else 2) for name, ear in ears.items()}
        assert [event["name"] for event in heard["all"]] == ["see", "buy"]
        assert {event["name"] for event in heard["name"]} == {"buy"}
        assert {event["actorKey"] for event in heard["actor"]} == {"ann"}
        assert [(event["name"], event["properties"]["n"]) for event in heard["filters"]] == [("see", 2), ("buy", 2)]
        assert heard["same filters"] == heard["filters"]
        assert [event["name"] for event in heard["development"]] == ["tried"]


def test_another_workspace_hears_nothing_of_it(workspace: Workspace, server: Server) -> None:
    other = sign_up(server.url)
    with listening(other) as ear:
        send(workspace, "secret")
        send(other, "own")
        assert ear.names(1) == ["own"]


@pytest.mark.long
@pytest.mark.parametrize("alone", [True, False])
def test_a_client_that_comes_back_misses_and_repeats_nothing(workspace: Workspace, *, alone: bool) -> None:
    with ExitStack() as open_:
        if not alone:  # somebody else has listened all the time
            open_.enter_context(listening(workspace))
        with listening(workspace) as ear:
            send(workspace, "a", "b", "c")
            assert ear.names(2) == ["a", "b"]
            [c] = ear.events(1)
        send(workspace, "late", _timestamp=ago(days=300))
        send(workspace, *(f"e{number}" for number in range(450)))
        with listening(workspace, last_id=c["id"]) as ear:
            send(workspace, "last")
            assert ear.names(452) == ["late", *(f"e{number}" for number in range(450)), "last"]
        with listening(workspace, last_id=c["id"], name="e449") as ear:
            assert ear.names(1) == ["e449"]


def test_who_was_cut_off_before_the_first_event_misses_nothing(workspace: Workspace) -> None:
    with listening(workspace) as ear:
        send(workspace, "mark")
        ear.events(1)
    with workspace.client() as client, client.stream("GET", "/v1/events/stream") as answer:
        beginning = next(line[4:] for line in answer.iter_lines() if line.startswith("id: "))
    send(workspace, "missed")
    with listening(workspace, last_id=beginning) as ear:
        assert ear.names(1) == ["missed"]


@pytest.mark.long
def test_many_listeners_under_load_hear_each_event_once_in_order(workspace: Workspace) -> None:
    def load(sender: int) -> None:
        for number in range(30):
            send(workspace, *(f"{sender}-{number}-{each}" for each in range(7)))

    with ExitStack() as open_:
        ears = [open_.enter_context(listening(workspace)) for _ in range(4)]
        threads = [threading.Thread(target=load, args=(sender,)) for sender in range(3)]
        for thread in threads:
            thread.start()
        heard = [ear.names(3 * 30 * 7) for ear in ears]
        for thread in threads:
            thread.join()
    assert all(each == heard[0] for each in heard)
    for sender in range(3):
        own = [name for name in heard[0] if name.startswith(f"{sender}-")]
        assert own == [f"{sender}-{number}-{each}" for number in range(30) for each in range(7)]


@pytest.mark.long
def test_a_workspace_has_a_number_of_streams(workspace: Workspace, server: Server) -> None:
    with ExitStack() as open_:
        for _ in range(MOST):
            open_.enter_context(listening(workspace))
        refused = workspace.get("/v1/events/stream")
        check_refusal(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
        open_.enter_context(listening(sign_up(server.url)))
    with ExitStack() as open_:
        for _ in range(MOST):
            open_.enter_context(patiently(workspace))


@contextmanager
def patiently(workspace: Workspace) -> Iterator[None]:
    """A stream, as soon as there is a place for one."""
    deadline = time.monotonic() + 20
    with workspace.client() as client:
        while True:
            answer = client.send(client.build_request("GET", "/v1/events/stream"), stream=True)
            if answer.status_code == 200:
                break
            answer.close()
            assert time.monotonic() < deadline, "the places are never given back"
            time.sleep(0.02)
        yield
        answer.close()


@pytest.mark.long
def test_a_stream_ends_with_the_session(workspace: Workspace) -> None:
    member = add_member(workspace, "viewer")
    with listening(workspace, token=member.session_token) as ear, member.client() as client:
        assert client.post("/v1/auth/logout").status_code == 204
        assert ear.ends() == []


@pytest.mark.long
def test_a_stream_ends_with_the_membership(workspace: Workspace) -> None:
    member = add_member(workspace, "viewer")
    with listening(workspace, token=member.session_token) as ear, workspace.client() as client:
        assert client.delete(f"/v1/members/{member.user_id}").status_code == 204
        assert ear.ends() == []


def test_who_was_taken_out_hears_nothing_of_what_comes_after(workspace: Workspace) -> None:
    """Whoever removed them was told that it is done (rules/people#members)."""
    member = add_member(workspace, "viewer")
    with listening(workspace, token=member.session_token) as ear, workspace.client() as client:
        assert client.delete(f"/v1/members/{member.user_id}").status_code == 204
        send(workspace, "after")
        assert ear.ends() == []


@pytest.mark.long
def test_a_stream_ends_when_its_session_moves_to_another_workspace(workspace: Workspace) -> None:
    with workspace.client() as client:
        other = client.post("/v1/workspaces", json={"name": "other"}).json()["id"]
        with listening(workspace) as ear:
            assert client.post("/v1/auth/workspace", json={"workspaceId": other}).status_code == 200
            assert ear.ends() == []


@pytest.mark.parametrize("last_id", ["x", "", "0199e3c1-0000-4000-8000-000000000001"])
def test_what_is_no_id_of_an_event(shared: Workspace, last_id: str) -> None:
    with shared.client() as client:
        body = check_refusal(client.get("/v1/events/stream", headers={"last-event-id": last_id}), 400)
    assert body["details"][0]["path"] == ["Last-Event-ID"]


def test_a_wrong_filter_is_named(shared: Workspace) -> None:
    body = check_refusal(shared.get("/v1/events/stream", filters='[{"key":"a","op":"eq"}]'), 400)
    assert body["details"][0]["path"] == ["filters", 0, "value"]


def test_head_has_an_end(shared: Workspace) -> None:
    with shared.client() as client:
        head = client.head("/v1/events/stream")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"].startswith("text/event-stream")
        assert client.get("/v1/keys").status_code == 200  # on the same connection


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that may be stopped."""
    running = Server(tmp_path / "data", open_signup="true", trusted_proxies="127.0.0.0/8").start()
    yield running
    if running.process.poll() is None:
        running.kill()


@pytest.mark.long
def test_a_stop_ends_the_streams_and_a_start_goes_on_with_them(own: Server) -> None:
    workspace = sign_up(own.url)
    with ExitStack() as open_:
        ears = [open_.enter_context(listening(workspace)) for _ in range(5)]
        # One that never reads.
        deaf = open_.enter_context(workspace.client())
        deaf.send(deaf.build_request("GET", "/v1/events/stream"), stream=True)
        send(workspace, "a")
        assert [ear.names(1) for ear in ears] == [["a"]] * 5
        assert own.stop(9) == 0  # less than a stop waits for requests that run
        assert [ear.ends() for ear in ears] == [[]] * 5
        last_id = ears[0].last_id
    assert "ERROR" not in own.text()
    assert "Traceback" not in own.text()
    own.start()
    workspace.url = own.url
    send(workspace, "b")
    with listening(workspace, last_id=last_id) as ear:
        send(workspace, "c")
        assert ear.names(2) == ["b", "c"]


def test_an_api_key_hears_nothing(shared: Workspace) -> None:
    check_refusal(shared.get("/v1/events/stream", token=shared.key), 401)
    check_refusal(httpx.get(f"{shared.url}/v1/events/stream"), 401)
