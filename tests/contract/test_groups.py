"""The group list and the group detail over HTTP (rules/actors-and-groups#group)."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from harness.builders.moments import ago
from harness.clients.groups import counts, groups, read, register, send_groups
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ODD = ["/", "a/b", "a//b", "//", "%", "%2F", "%25", "%zz", " ", "a b", "+", "?", "a?b=c", "#", "&", ";", "me@x.org"]
ODD += ["😀", "é", "e\u0301", "日本", "'", '"', "\\", "\\n", "\t", "a\nb", "\x7f", "null", "0", "-1", "true", "KEYS"]
ODD += ["{scope}", "x" * 256, "x" * 3000, "a/../b", "keys/x", "keys%2Fx"]
NORMALISED = [".", "..", "keys", "/..", "../x"]  # URL clients may change these in a path
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(scope="module")
def odd(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    send_groups(workspace, *ODD, *NORMALISED)
    register(workspace)
    return workspace


def check_group(answer: Any, group: str) -> None:
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["groupKey"], found["eventCount"]) == (group, 1)
    assert [each["properties"] for each in found["recent"]] == [{"team": group}]


def test_every_odd_id_is_a_group(odd: Workspace) -> None:
    assert counts(odd) == dict.fromkeys(ODD + NORMALISED, 1)


@few(3, "group", ODD, ids=lambda group: ascii(group)[:30])
def test_an_odd_id_in_the_path(odd: Workspace, group: str) -> None:
    check_group(read(odd, f"/v1/groups/{quote(group, safe='')}"), group)


@few(2, "group", NORMALISED + ODD[::7], ids=lambda group: ascii(group)[:30])
def test_an_odd_id_in_the_query(odd: Workspace, group: str) -> None:
    check_group(read(odd, "/v1/group", groupKey=group), group)


def test_a_path_is_decoded_once(odd: Workspace) -> None:
    check_group(read(odd, "/v1/groups/%252F"), "%2F")
    check_group(read(odd, "/v1/groups/%2F"), "/")
    check_group(read(odd, "/v1/groups/%61%20%62"), "a b")
    check_refusal(read(odd, "/v1/groups/%25252F"), 404)


@pytest.mark.parametrize("path", ["%ff", "%c3%28", "%ed%a0%80"])
def test_a_path_that_is_not_utf8_is_400(odd: Workspace, path: str) -> None:
    assert check_refusal(read(odd, f"/v1/groups/{path}"), 400)["details"][0]["path"] == ["groupKey"]


def test_the_path_of_the_keys_is_never_a_group(odd: Workspace) -> None:
    assert list(read(odd, "/v1/groups/keys").json()) == ["keys", "candidates"]


@pytest.mark.parametrize("group", ["\0", "a\0", "x" * 5000], ids=lambda group: ascii(group)[:10])
def test_an_id_that_nobody_has_is_404(odd: Workspace, group: str) -> None:
    check_refusal(read(odd, f"/v1/groups/{quote(group, safe='')}"), 404)
    check_refusal(read(odd, "/v1/group", groupKey=group), 404)


def test_without_a_group_key_the_list_is_empty_and_no_error(workspace: Workspace) -> None:
    send_groups(workspace, "acme")
    empty = {"propKey": None, "groups": [], "next": None}
    assert groups(workspace) == groups(workspace, propKey="team") == empty
    check_refusal(read(workspace, "/v1/groups/acme"), 404)


def test_only_a_string_that_is_the_same_is_in_a_group(workspace: Workspace) -> None:
    values = ["42", "42", 42, ["42"], [42], {"42": "42"}, True, "true", "", None, "acme", "Acme", "acme "]
    send_groups(workspace, *values)
    assert workspace.send({"name": "none"}).status_code == 202
    register(workspace)
    assert counts(workspace) == {"42": 2, "true": 1, "acme": 1, "Acme": 1, "acme ": 1}
    for nobody in ("ACME", "4", '["42"]', "42 "):
        check_refusal(read(workspace, "/v1/group", groupKey=nobody), 404)


def test_the_list_counts_the_actors_of_each_group_without_anonymous_events(workspace: Workspace) -> None:
    for actor in ("ann", "ann", "bob"):
        send_groups(workspace, "a", _actor=actor)
    send_groups(workspace, "a", "b")
    register(workspace)
    assert {row["groupKey"]: row["actorCount"] for row in groups(workspace)["groups"]} == {"a": 2, "b": 0}


def test_the_list_goes_by_event_count_then_id(workspace: Workspace) -> None:
    send_groups(workspace, *["b"] * 3, *["a"] * 3, *["c"] * 4, "Z", "é")
    send_groups(workspace, "b", _timestamp=ago(days=3))
    register(workspace)
    found = groups(workspace)
    assert list(found) == ["propKey", "groups", "next"]
    assert [list(row) for row in found["groups"]] == [["groupKey", "eventCount", "lastSeen", "actorCount"]] * 5
    assert [(row["groupKey"], row["eventCount"]) for row in found["groups"]] == [
        ("b", 4),
        ("c", 4),
        ("a", 3),
        ("Z", 1),
        ("é", 1),
    ]
    assert all(TIME.fullmatch(row["lastSeen"]) for row in found["groups"])
    assert (found["propKey"], found["next"]) == ("team", None)
    assert counts(workspace, timeRange="24h") == {"c": 4, "a": 3, "b": 3, "Z": 1, "é": 1}


def test_a_cursor_fits_into_a_url_however_long_the_ids(workspace: Workspace) -> None:
    """Servers and clients take URLs of some thousand bytes; an id may have 64 KiB."""
    long = ["\1" * 10_000, *("x" * 60_000 + end for end in "ab")]
    send_groups(workspace, *long)
    register(workspace)
    found, cursor = [], {}
    for _ in long:
        page = groups(workspace, limit=1, **cursor)
        found += [row["groupKey"] for row in page["groups"]]
        cursor = {"cursor": page["next"]}
        assert len(page["next"] or "") < 4000
    assert sorted(found) == long
    assert cursor == {"cursor": None}


@pytest.mark.long
def test_fifty_rows_and_never_more_than_two_hundred(workspace: Workspace) -> None:
    send_groups(workspace, *(f"g{n:03}" for n in range(250)))
    register(workspace)
    sizes = {limit: len(groups(workspace, limit=limit)["groups"]) for limit in (1, 50, 199, 200, 201, 10**30)}
    assert sizes == {1: 1, 50: 50, 199: 199, 200: 200, 201: 200, 10**30: 200}
    assert len(groups(workspace)["groups"]) == 50
    first = groups(workspace, limit=200)
    second = groups(workspace, limit=200, cursor=first["next"])
    assert [row["groupKey"] for row in first["groups"] + second["groups"]] == [f"g{n:03}" for n in range(250)]
    assert second["next"] is None
    assert [row["groupKey"] for row in groups(workspace, q="G24")["groups"]] == [f"g24{n}" for n in range(10)]


WRONG: list[dict[str, Any]] = [
    *({"limit": limit} for limit in ("0", "-1", "x", "", "1.5", "٣")),
    {"cursor": "x"},
    {"propKey": "plan"},
    {"propKey": "TEAM"},
    {"propKey": ""},
]
ASKED_WRONG: list[dict[str, Any]] = [
    *({"timeRange": range_} for range_ in ("", "8d", "7D", "7", "All")),
    *({"environment": environment} for environment in ("", "nowhere", "Production", "*")),
    {"nonsense": "1"},
    {"prop_key": "team"},
]


@pytest.fixture(scope="module")
def acme(server: Server) -> Workspace:
    """A workspace with one group, acme, by the key team."""
    workspace = sign_up(server.url)
    send_groups(workspace, "acme")
    register(workspace)
    return workspace


@few(5, "params", WRONG + ASKED_WRONG, ids=str)
def test_a_wrong_question_about_the_list_is_400(acme: Workspace, params: dict[str, Any]) -> None:
    refused = check_refusal(read(acme, "/v1/groups", **params), 400)
    assert refused["details"][0]["path"] == list(params)


@pytest.mark.parametrize("path", ["/v1/groups/acme", "/v1/groups/nobody", "/v1/group?groupKey=acme", "/v1/groups/keys"])
@pytest.mark.parametrize("params", ASKED_WRONG, ids=str)
def test_a_wrong_question_about_a_group_or_the_keys_is_400(acme: Workspace, path: str, params: dict[str, Any]) -> None:
    path, _, group = path.partition("?groupKey=")
    asked = {"groupKey": group} if group else {}
    assert check_refusal(read(acme, path, **asked, **params), 400)["details"][0]["path"] == list(params)


@pytest.mark.parametrize("path", ["/v1/groups", "/v1/groups/acme", "/v1/groups/keys"])
def test_environment_and_range_are_needed(acme: Workspace, path: str) -> None:
    for given in ({}, {"environment": "production"}, {"timeRange": "7d"}):
        refused = check_refusal(acme.get(path, **given), 400)
        first = next(name for name in ("environment", "timeRange") if name not in given)
        assert [detail["path"] for detail in refused["details"]] == [[first]]


def test_the_id_in_the_query_is_needed(acme: Workspace) -> None:
    check_refusal(read(acme, "/v1/group"), 400)
    check_refusal(read(acme, "/v1/group", groupKey=""), 400)


def test_the_detail_has_everything_that_was_sent(workspace: Workspace) -> None:
    sent = '{"team":"acme","n":1.50,"big":12345678901234567890,"list":[1,"a",null],"deep":{"é":"\\u00e9"},"n2":null}'
    named = {"_actor": "ann", "_actorLabel": "Ann", "_source": "web"}
    event = json.dumps({"name": "paid"} | named)[:-1] + ',"properties":' + sent + "}"
    assert workspace.send(event.encode()).status_code == 202
    send_groups(workspace, "acme", _timestamp=ago(hours=1))
    register(workspace)
    answer = read(workspace, "/v1/groups/acme")
    assert sent in answer.text
    found = answer.json()
    assert list(found) == [
        "groupKey",
        "propKey",
        "lastActive",
        "eventCount",
        "perDay",
        "firstSeen",
        "lastSeen",
        "eventTypes",
        "recent",
    ]
    newest, older = found["recent"]
    assert list(newest) == ["id", "name", "source", "timestamp", "properties", "actorKey", "actorLabel"]
    assert [newest[field] for field in ("name", "source", "actorKey", "actorLabel")] == ["paid", "web", "ann", "Ann"]
    assert [older[field] for field in ("name", "source", "actorKey", "actorLabel")] == ["x", None, None, None]
    assert (found["groupKey"], found["propKey"], found["eventCount"]) == ("acme", "team", 2)
    assert found["lastActive"] == found["lastSeen"] == newest["timestamp"]
    assert found["firstSeen"] == older["timestamp"]
    assert found["eventTypes"] == [{"name": "paid", "count": 1}, {"name": "x", "count": 1}]
    assert workspace.send({"name": "later", "_actor": "ann", "_actorLabel": "Anna"}).status_code == 202
    assert read(workspace, "/v1/groups/acme").json()["recent"][0]["actorLabel"] == "Anna"


def test_a_range_without_events_is_404(workspace: Workspace) -> None:
    send_groups(workspace, "acme", _timestamp=ago(days=2))
    register(workspace)
    assert read(workspace, "/v1/groups/acme", timeRange="7d").json()["perDay"] == 1
    check_refusal(read(workspace, "/v1/groups/acme", timeRange="24h"), 404)
    assert groups(workspace, timeRange="24h")["groups"] == []


def test_another_registered_property_can_be_asked_for(workspace: Workspace) -> None:
    properties = {"team": "acme", "plan": "gold"}
    assert workspace.send({"name": "x", "properties": properties}).status_code == 202
    register(workspace)
    check_refusal(read(workspace, "/v1/groups", propKey="plan"), 400)
    register(workspace, "plan")
    assert (groups(workspace)["propKey"], counts(workspace)) == ("team", {"acme": 1})
    assert (groups(workspace, propKey="plan")["propKey"], counts(workspace, propKey="plan")) == ("plan", {"gold": 1})
    assert read(workspace, "/v1/groups/gold", propKey="plan").json()["propKey"] == "plan"
    check_refusal(read(workspace, "/v1/groups/gold"), 404)


def test_a_key_holds_in_every_environment_and_each_has_its_own_groups(workspace: Workspace) -> None:
    send_groups(workspace, "acme", "acme")
    send_groups(workspace, "acme", "dev", key=workspace.make_key("development")[0])
    register(workspace)
    assert counts(workspace) == {"acme": 2}
    assert counts(workspace, environment="development") == {"acme": 1, "dev": 1}
    check_refusal(read(workspace, "/v1/groups/dev"), 404)


def test_another_workspaces_groups_are_not_there(acme: Workspace) -> None:
    stranger = sign_up(acme.url)
    send_groups(stranger, "theirs", "acme", "acme")
    register(stranger)
    assert counts(acme) == {"acme": 1}
    check_refusal(read(acme, "/v1/groups/theirs"), 404)
    cursor = groups(stranger, limit=1)["next"]
    check_refusal(read(acme, "/v1/groups", cursor=cursor), 400)


def test_an_api_key_does_not_read_groups(acme: Workspace) -> None:
    for path in ("/v1/groups", "/v1/groups/acme", "/v1/groups/keys"):
        check_refusal(read(acme, path, token=acme.key), 401)
