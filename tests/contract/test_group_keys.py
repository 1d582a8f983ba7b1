"""Group keys: candidates, registration, the default, removal (rules/actors-and-groups#group-key)."""

import re
from functools import partial
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.at_once import at_once
from harness.clients.groups import counts, defaults, group_keys, groups, read, register, send_groups, try_register
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.suite.few import few

FIELDS = ["id", "propKey", "label", "isDefault", "createdAt"]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def change(workspace: Workspace, key_id: str, **body: Any) -> Any:
    with workspace.client() as client:
        return client.patch(f"/v1/groups/keys/{key_id}", json=body)


def remove(workspace: Workspace, key_id: str) -> int:
    with workspace.client() as client:
        return client.delete(f"/v1/groups/keys/{key_id}").status_code


def test_a_key_is_registered_and_listed(workspace: Workspace) -> None:
    assert group_keys(workspace) == {"keys": [], "candidates": []}
    send_groups(workspace, "acme")
    assert group_keys(workspace) == {"keys": [], "candidates": ["team"]}
    made = register(workspace, label="Team")
    assert list(made) == FIELDS
    assert (made["propKey"], made["label"], made["isDefault"]) == ("team", "Team", True)
    assert TIME.fullmatch(made["createdAt"])
    assert group_keys(workspace) == {"keys": [made], "candidates": []}


@pytest.mark.long
def test_what_was_acknowledged_just_before_can_be_registered(workspace: Workspace) -> None:
    for n in range(10):
        send_groups(workspace, "x", prop_key=f"k{n}")
        assert register(workspace, f"k{n}")["isDefault"] is (n == 0)


@pytest.mark.long
def test_a_property_of_any_environment_and_age_can_be_registered(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    send_groups(workspace, "x", prop_key="elsewhere", key=development)
    send_groups(workspace, "x", prop_key="ancient", _timestamp="1999-12-31T00:00:00Z")
    assert group_keys(workspace)["candidates"] == []
    assert group_keys(workspace, environment="development", timeRange="1h")["candidates"] == ["elsewhere"]
    for prop_key in ("elsewhere", "ancient"):
        register(workspace, prop_key)
    assert group_keys(workspace, environment="development")["candidates"] == []


def test_candidates_are_of_thirty_days_whatever_the_range(workspace: Workspace) -> None:
    send_groups(workspace, "x", prop_key="month", _timestamp=ago(days=29))
    send_groups(workspace, "x", prop_key="older", _timestamp=ago(days=31))
    for time_range in ("1h", "90d"):
        assert group_keys(workspace, timeRange=time_range)["candidates"] == ["month"]


@few(2, "value", [42, 4.2, ["acme"], [], True, {"id": "acme"}, None], ids=str)
def test_only_a_string_makes_a_candidate_or_a_key(workspace: Workspace, value: Any) -> None:
    send_groups(workspace, value)
    assert group_keys(workspace)["candidates"] == []
    assert check_refusal(try_register(workspace), 400)["details"][0]["path"] == ["propKey"]


def test_another_workspaces_properties_are_nobodys_business(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    send_groups(stranger, "acme")
    check_refusal(try_register(workspace), 400)
    assert group_keys(workspace)["candidates"] == []
    key = register(stranger)
    check_refusal(change(workspace, key["id"], label="mine"), 404)
    assert remove(workspace, key["id"]) == 404
    assert group_keys(stranger)["keys"] == [key]


def test_a_registered_key_is_refused(workspace: Workspace) -> None:
    send_groups(workspace, "acme")
    made = register(workspace)
    check_refusal(try_register(workspace, label="again", makeDefault=True), 409)
    assert group_keys(workspace)["keys"] == [made]


@few(
    5,
    ("body", "path"),
    [
        ({}, ["propKey"]),
        ({"propKey": ""}, ["propKey"]),
        ({"propKey": None}, ["propKey"]),
        ({"propKey": 1}, ["propKey"]),
        ({"propKey": "never"}, ["propKey"]),
        ({"propKey": "TEAM"}, ["propKey"]),
        ({"propKey": "k" * 257}, ["propKey"]),
        ({"propKey": "a\0"}, ["propKey"]),
        ({"propKey": "team", "label": "x" * 81}, ["label"]),
        ({"propKey": "team", "label": "a\nb"}, ["label"]),
        ({"propKey": "team", "label": None}, ["label"]),
        ({"propKey": "team", "makeDefault": "yes"}, ["makeDefault"]),
        ({"propKey": "team", "makeDefault": None}, ["makeDefault"]),
        ({"propKey": "team", "isDefault": True}, ["isDefault"]),
        ({"propKey": "team", "environment": "production"}, ["environment"]),
    ],
    ids=ascii,
)
def test_a_wrong_registration_is_refused(shared: Workspace, body: dict[str, Any], path: list[str]) -> None:
    send_groups(shared, "acme")
    with shared.client() as client:
        refused = check_refusal(client.post("/v1/groups/keys", json=body), 400)
    assert [detail["path"] for detail in refused["details"]] == [path]
    assert group_keys(shared)["keys"] == []


@pytest.mark.parametrize("label", ["é" * 80, "😀" * 80])
def test_a_label_has_at_most_eighty_characters(workspace: Workspace, label: str) -> None:
    send_groups(workspace, "acme")
    assert register(workspace, label=label)["label"] == label


@few(1, "body", [{}, {"label": ""}, {"label": "   "}], ids=str)
def test_without_a_label_the_property_key_is_the_label(workspace: Workspace, body: dict[str, str]) -> None:
    send_groups(workspace, "acme")
    made = register(workspace, **body)
    assert made["label"] == "team"
    assert change(workspace, made["id"], label="Team").json()["label"] == "Team"
    assert change(workspace, made["id"], label="").json() == made


@pytest.mark.long
def test_the_first_key_is_the_default_whatever_is_asked_for(workspace: Workspace) -> None:
    for prop_key in ("a", "b", "c"):
        send_groups(workspace, "x", prop_key=prop_key)
    assert register(workspace, "a", makeDefault=False)["isDefault"]
    assert not register(workspace, "b", makeDefault=False)["isDefault"]
    assert register(workspace, "c", makeDefault=True)["isDefault"]
    assert defaults(workspace) == ["c"]
    keys = {key["propKey"]: key for key in group_keys(workspace)["keys"]}
    assert list(keys) == ["a", "b", "c"]  # the oldest first
    assert change(workspace, keys["b"]["id"], makeDefault=True).json() == keys["b"] | {"isDefault": True}
    assert defaults(workspace) == ["b"]
    check_refusal(change(workspace, keys["b"]["id"], makeDefault=False, label="no"), 400)
    assert change(workspace, keys["a"]["id"], makeDefault=False).json() == keys["a"]
    assert change(workspace, keys["b"]["id"]).json() == keys["b"] | {"isDefault": True}
    assert remove(workspace, keys["b"]["id"]) == 204
    assert defaults(workspace) == ["a"]  # the oldest that remains
    assert remove(workspace, keys["c"]["id"]) == 204
    assert defaults(workspace) == ["a"]
    assert remove(workspace, keys["a"]["id"]) == 204
    assert group_keys(workspace)["keys"] == []
    assert remove(workspace, keys["a"]["id"]) == 404


@few(2, "body", [{"label": 1}, {"label": "x" * 81}, {"makeDefault": 1}, {"propKey": "x"}, {"label": None}], ids=str)
def test_a_wrong_change_changes_nothing(workspace: Workspace, body: dict[str, Any]) -> None:
    send_groups(workspace, "acme")
    made = register(workspace)
    check_refusal(change(workspace, made["id"], **body), 400)
    assert group_keys(workspace)["keys"] == [made]


@pytest.mark.long
def test_removing_a_key_leaves_the_events_and_registering_it_again_brings_all_back(workspace: Workspace) -> None:
    send_groups(workspace, "acme", "acme", "bolt", _timestamp=ago(days=60))
    first = register(workspace)
    before = groups(workspace)
    assert remove(workspace, first["id"]) == 204
    assert groups(workspace) == {"propKey": None, "groups": [], "next": None}
    check_refusal(read(workspace, "/v1/groups/acme"), 404)
    send_groups(workspace, "new")
    again = register(workspace)
    assert again["id"] != first["id"]
    assert counts(workspace) == {"acme": 2, "bolt": 1, "new": 1}
    assert [row for row in groups(workspace)["groups"] if row["groupKey"] != "new"] == before["groups"]


@pytest.mark.long
def test_a_workspace_has_at_most_twenty_keys(workspace: Workspace) -> None:
    properties = {f"k{n:02}": "x" for n in range(21)}
    assert workspace.send({"name": "x", "properties": properties}).status_code == 202
    for prop_key in list(properties)[:20]:
        register(workspace, prop_key)
    check_refusal(try_register(workspace, "k20"), 409)
    assert remove(workspace, group_keys(workspace)["keys"][0]["id"]) == 204
    register(workspace, "k20")
    assert defaults(workspace) == ["k01"]


@pytest.mark.long
def test_each_deed_is_in_the_audit_log(workspace: Workspace) -> None:
    send_groups(workspace, "x", prop_key="a")
    send_groups(workspace, "x", prop_key="b")
    a, b = register(workspace, "a"), register(workspace, "b", makeDefault=True)
    change(workspace, a["id"], label="A")
    remove(workspace, b["id"])
    log = [each for each in workspace.get("/v1/audit").json()["entries"] if each["action"].startswith("group_key")]
    assert sorted((each["action"], each["subject"]) for each in log) == sorted(
        [
            ("group_key.create", a["id"]),
            ("group_key.default", a["id"]),
            ("group_key.create", b["id"]),
            ("group_key.default", b["id"]),
            ("group_key.update", a["id"]),
            ("group_key.delete", b["id"]),
            ("group_key.default", a["id"]),
        ]
    )
    assert {each["by"]["email"] for each in log} == {workspace.email}


@pytest.mark.long
def test_there_is_one_default_whatever_happens_in_the_same_moment(workspace: Workspace) -> None:
    names = [f"k{n}" for n in range(12)]
    assert workspace.send({"name": "x", "properties": dict.fromkeys(names, "x")}).status_code == 202
    for first in range(0, 12, 6):
        three, others = names[first : first + 3], names[first + 3 : first + 6]
        made = [register(workspace, name) for name in three]
        with workspace.client() as client:
            patches = [
                partial(client.patch, f"/v1/groups/keys/{key['id']}", json={"makeDefault": True}) for key in made
            ]
            statuses = at_once(
                *patches,
                partial(client.delete, f"/v1/groups/keys/{made[0]['id']}"),
                partial(client.delete, f"/v1/groups/keys/{made[1]['id']}"),
                *(
                    partial(client.post, "/v1/groups/keys", json={"propKey": name, "makeDefault": True})
                    for name in [*others, others[0]]
                ),
            )
        assert set(statuses) <= {200, 201, 204, 404, 409}
        assert (statuses.count(201), statuses.count(204), statuses.count(409)) == (3, 2, 1)
        assert len(defaults(workspace)) == 1


@pytest.mark.long
def test_a_plan_holds_from_the_next_request_on(server: Server, workspace: Workspace) -> None:
    send_groups(workspace, "acme")
    key = register(workspace)
    for plan in ("free", "paid", "free"):
        done = tallyroom("workspace", "set-plan", workspace.workspace_id, plan, "--data", str(server.data))
        assert done.returncode == 0, done.stderr
        answers = [
            read(workspace, "/v1/groups"),
            read(workspace, "/v1/groups/acme"),
            read(workspace, "/v1/group", groupKey="acme"),
            read(workspace, "/v1/groups/keys"),
            change(workspace, key["id"], label="x"),
        ]
        if plan == "free":
            for answer in [*answers, try_register(workspace)]:
                check_refusal(answer, 402, "paid_feature")
        else:
            assert {answer.status_code for answer in answers} == {200}
            check_refusal(try_register(workspace), 409)


@pytest.mark.long
def test_a_free_workspace_counts_actors_where_a_paid_one_counts_groups(server: Server, workspace: Workspace) -> None:
    send_groups(workspace, "acme", _actor="ann")
    send_groups(workspace, "acme", _actor="bob")
    register(workspace)
    config = {"steps": [{"event": "x"}, {"event": "x"}], "count": "group"}
    body = {"environment": "production", "timeRange": "1h", "type": "funnel", "config": config}
    for plan, counted, units in (("free", "actor", 2), ("paid", "group", 1)):
        done = tallyroom("workspace", "set-plan", workspace.workspace_id, plan, "--data", str(server.data))
        assert done.returncode == 0, done.stderr
        with workspace.client() as client:
            answer = client.post("/v1/query", json=body).json()
        assert (answer["count"], answer["steps"][0]["count"]) == (counted, units)
