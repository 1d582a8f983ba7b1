"""Environments (rules/people#environment): made by name, kept apart, deleted with all that is in them."""

import re
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from harness.clients.dashboards import make_annotation, make_segment
from harness.clients.member import add_member
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = ["name", "displayName", "retentionDays", "createdAt"]
FIRST = ["development", "production"]
OK = {"name": "x", "_actor": "a", "_actorLabel": "Label"}


def names(workspace: Workspace) -> list[str]:
    return [row["name"] for row in workspace.get("/v1/environments").json()["environments"]]


def create(workspace: Workspace, name: str = "staging", **fields: Any) -> Any:
    with workspace.client() as client:
        answer = client.post("/v1/environments", json={"name": name} | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def revoke(workspace: Workspace, key_id: str) -> None:
    with workspace.client() as client:
        assert client.delete(f"/v1/keys/{key_id}").status_code == 204


def test_a_workspace_begins_with_two(workspace: Workspace) -> None:
    environments = workspace.get("/v1/environments").json()["environments"]
    assert [list(row) for row in environments] == [FIELDS] * 2
    found = [(row["name"], row["displayName"], row["retentionDays"]) for row in environments]
    assert found == [(name, None, None) for name in FIRST]


def test_a_new_one_works_for_keys_ingest_and_reads(workspace: Workspace) -> None:
    made = create(workspace)
    assert list(made) == FIELDS
    assert (made["name"], made["displayName"], made["retentionDays"]) == ("staging", None, None)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", made["createdAt"])
    assert names(workspace) == [*FIRST, "staging"]
    key, _ = workspace.make_key("staging")
    assert key.startswith("tr_test_")
    assert workspace.send(OK, key=key).status_code == 202
    assert len(workspace.get("/v1/actors", environment="staging").json()["actors"]) == 1
    assert len(workspace.get("/v1/actors", token=key).json()["actors"]) == 1
    assert workspace.get("/v1/actors").json()["actors"] == []


@pytest.mark.parametrize("name", ["a", "0", "a" * 40, "a-b_c-9", "9lives", "a-", "a_"])
def test_names_that_are_taken(workspace: Workspace, name: str) -> None:
    create(workspace, name)
    assert name in names(workspace)


def test_people_see_another_name_than_programs_use(workspace: Workspace) -> None:
    """It may be anybody's: the name of another environment, or one that comes twice."""
    assert create(workspace, displayName="Staging, Frankfurt 🇪🇺")["displayName"] == "Staging, Frankfurt 🇪🇺"
    create(workspace, "other", displayName="production")
    with workspace.client() as client:
        for name, shown in (("staging", "production"), ("production", "Live"), ("other", None), ("staging", "é" * 80)):
            answer = client.patch(f"/v1/environments/{name}", json={"displayName": shown})
            assert (answer.status_code, answer.json()["displayName"]) == (200, shown)
            assert answer.json() in client.get("/v1/environments").json()["environments"]
        check_refusal(client.patch("/v1/environments/Live", json={"displayName": None}), 404)
    key, _ = workspace.make_key("staging")
    assert workspace.get("/v1/key", token=key).json()["environment"] == "staging"


def test_a_change_leaves_alone_what_it_does_not_name(workspace: Workspace) -> None:
    create(workspace, displayName="Staging")
    with workspace.client() as client:
        for body, shown, days in (
            ({"retentionDays": 30}, "Staging", 30),
            ({"displayName": "Before the release"}, "Before the release", 30),
            ({}, "Before the release", 30),
            ({"displayName": None, "retentionDays": None}, None, None),
        ):
            answer = client.patch("/v1/environments/staging", json=body)
            assert (answer.status_code, answer.json()["displayName"], answer.json()["retentionDays"]) == (
                200,
                shown,
                days,
            )
        entries = client.get("/v1/audit").json()["entries"]
    told = [each["details"] for each in entries if each["action"] == "environment.update"]
    assert told == [
        {"retentionDays": None, "before": 30},
        {"displayName": None, "before": "Before the release"},
        {"displayName": "Before the release", "before": "Staging"},
        {"retentionDays": 30, "before": None},
    ]


NAMELESS = ["", " ", "a" * 81, "two\nlines", "\u202e", 1, []]

WRONG: list[tuple[Any, list[str]]] = [
    ({}, ["name"]),
    *[
        ({"name": value}, ["name"])
        for value in (None, "", " ", "A", "a b", "-a", "_a", "a" * 41, "a\n", "é", "a/b", 1, [])
    ],
    *[({"name": "fine", "displayName": value}, ["displayName"]) for value in NAMELESS],
    *[({"name": "fine", field: 1}, [field]) for field in ("retentionDays", "id", "createdAt", "workspaceId")],
]


@few(5, ("body", "path"), WRONG)
def test_a_wrong_body_makes_no_environment(shared: Workspace, body: Any, path: list[str]) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/environments", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
    assert names(shared) == FIRST


def test_a_name_is_there_once(workspace: Workspace) -> None:
    create(workspace)
    with workspace.client() as client:
        for name in ("staging", *FIRST):
            check_refusal(client.post("/v1/environments", json={"name": name}), 409)
    create(sign_up(workspace.url))  # another workspace has names of its own


@pytest.mark.parametrize("days", [1, 30, 3650, None])
@pytest.mark.parametrize("name", ["production", "staging"])
def test_how_long_events_are_kept(workspace: Workspace, name: str, days: int | None) -> None:
    create(workspace)
    with workspace.client() as client:
        for each in (7, days):
            answer = client.patch(f"/v1/environments/{name}", json={"retentionDays": each})
            assert (answer.status_code, answer.json()["retentionDays"]) == (200, each)
    listed = {row["name"]: row for row in workspace.get("/v1/environments").json()["environments"]}
    assert listed[name] == answer.json()
    assert {row["retentionDays"] for other, row in listed.items() if other != name} == {None}


WRONG_CHANGES: list[tuple[Any, list[str]]] = [
    *[({"displayName": value}, ["displayName"]) for value in NAMELESS],
    *[({"retentionDays": value}, ["retentionDays"]) for value in (0, -1, 3651, 1.5, "30", True, [], 2**70)],
    *[({"retentionDays": 30, field: "x"}, [field]) for field in ("name", "createdAt", "workspaceId")],
]


@few(4, ("body", "path"), WRONG_CHANGES)
def test_a_refused_change_changes_nothing(shared: Workspace, body: Any, path: list[str]) -> None:
    with shared.client() as client:
        before = client.get("/v1/environments").json()
        refusal = check_refusal(client.patch("/v1/environments/production", json=body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [path]
        assert client.get("/v1/environments").json() == before


def test_production_and_development_stay(workspace: Workspace) -> None:
    with workspace.client() as client:
        for name in FIRST:
            check_refusal(client.delete(f"/v1/environments/{name}"), 400)
    assert names(workspace) == FIRST


@pytest.mark.long
def test_a_key_that_holds_keeps_its_environment(workspace: Workspace) -> None:
    create(workspace)
    key, key_id = workspace.make_key("staging")
    assert workspace.send(OK, key=key).status_code == 202
    with workspace.client() as client:
        check_refusal(client.delete("/v1/environments/staging"), 409)
        assert "staging" in names(workspace)
        assert len(client.get("/v1/actors?environment=staging").json()["actors"]) == 1
        revoke(workspace, key_id)
        answer = client.delete("/v1/environments/staging")
        assert (answer.status_code, answer.content) == (204, b"")
        check_refusal(client.get("/v1/actors?environment=staging"), 400)
        check_refusal(client.delete("/v1/environments/staging"), 404)
        assert [row["id"] for row in client.get("/v1/keys").json()["keys"]] == [workspace.key_id]
    assert names(workspace) == FIRST
    check_refusal(workspace.send(OK, key=key), 401)


@pytest.mark.long
def test_its_events_and_labels_go_with_it_and_nobody_elses(workspace: Workspace) -> None:
    """Who makes an environment of the same name later finds it empty."""
    other = sign_up(workspace.url)
    keys = {each.workspace_id: (create(each), each.make_key("staging"))[1] for each in (workspace, other)}
    for each in (workspace, other):
        old = OK | {"_timestamp": "2020-01-01T00:00:00Z", "_actor": "long ago"}
        assert each.send({"events": [OK, OK, old]}, key=keys[each.workspace_id][0]).status_code == 202
    assert workspace.send(OK).status_code == 202
    with workspace.client() as client:
        revoke(workspace, keys[workspace.workspace_id][1])
        assert client.delete("/v1/environments/staging").status_code == 204
        create(workspace)
        assert client.get("/v1/actors?environment=staging&timeRange=90d").json()["actors"] == []
        key, _ = workspace.make_key("staging")
        assert workspace.send({"name": "x", "_actor": "a"}, key=key).status_code == 202
        [actor] = client.get("/v1/actors?environment=staging").json()["actors"]
        assert (actor["eventCount"], actor["label"]) == (1, None)
        [production] = client.get("/v1/actors").json()["actors"]
        assert (production["eventCount"], production["label"]) == (1, "Label")
    [theirs] = other.get("/v1/actors", environment="staging").json()["actors"]
    assert (theirs["eventCount"], theirs["label"]) == (2, "Label")


@pytest.mark.long
def test_its_segments_and_annotations_go_with_it_and_no_others(workspace: Workspace) -> None:
    create(workspace)
    kept = [make_segment(workspace)["id"], make_annotation(workspace)["id"]]
    make_segment(workspace, environment="staging")
    make_annotation(workspace, environment="staging")
    with workspace.client() as client:
        assert client.delete("/v1/environments/staging").status_code == 204
    create(workspace)
    found = {
        environment: [
            row["id"]
            for kind in ("segments", "annotations")
            for row in workspace.get(f"/v1/{kind}", environment=environment).json()[kind]
        ]
        for environment in ("production", "staging")
    }
    assert found == {"production": kept, "staging": []}


@pytest.mark.long
def test_a_repeated_request_is_a_new_one_in_an_environment_of_the_same_name(workspace: Workspace) -> None:
    for _ in range(2):
        create(workspace)
        key, key_id = workspace.make_key("staging")
        answer = workspace.send({"name": "x", "_actor": "a"}, key=key, headers={"idempotency-key": "once"})
        assert (answer.status_code, answer.headers.get("idempotent-replayed")) == (202, None)
        assert len(workspace.get("/v1/actors", environment="staging").json()["actors"]) == 1
        revoke(workspace, key_id)
        with workspace.client() as client:
            assert client.delete("/v1/environments/staging").status_code == 204


@pytest.mark.long
def test_a_slow_client_does_not_write_to_what_is_gone(workspace: Workspace) -> None:
    """Its key was good when the request began; the body came after the revocation and the deletion."""
    create(workspace)
    key, key_id = workspace.make_key("staging")
    body = b'{"name":"x","_actor":"a"}'
    head = f"POST /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n"
    address = urlsplit(workspace.url)
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=30) as connection:
        # The server says "continue" when it has admitted the key and wants the body.
        connection.sendall(f"{head}expect: 100-continue\r\ncontent-length: {len(body)}\r\n\r\n".encode())
        assert b" 100 " in connection.recv(1000)
        revoke(workspace, key_id)
        with workspace.client() as client:
            assert client.delete("/v1/environments/staging").status_code == 204
        connection.sendall(body)
        assert connection.recv(1000).startswith(b"HTTP/1.1 401 ")
    create(workspace)
    assert workspace.get("/v1/actors", environment="staging").json()["actors"] == []


def test_another_workspaces_environment_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    create(stranger, "theirs")
    bodies = set()
    with workspace.client() as client:
        for name in ("theirs", "never-made", "Production", "%00", "a" * 5000):
            for answer in (
                client.delete(f"/v1/environments/{name}"),
                client.patch(f"/v1/environments/{name}", json={"retentionDays": 1}),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert "theirs" in names(stranger)


ROLES = [("viewer", 403), ("developer", 403), ("admin", 0), ("owner", 0)]


@pytest.mark.long
@pytest.mark.parametrize(("role", "refused"), ROLES)
def test_members_read_and_admins_write(server: Server, workspace: Workspace, role: str, refused: int) -> None:
    with add_member(workspace, role).client() as client:
        assert len(client.get("/v1/environments").json()["environments"]) == 2
        answers = [
            client.post("/v1/environments", json={"name": "staging"}),
            client.patch("/v1/environments/production", json={"retentionDays": 30}),
            client.delete("/v1/environments/staging"),
        ]
    assert [answer.status_code for answer in answers] == ([refused] * 3 if refused else [201, 200, 204])
