"""Tokens of the Statistics API: shown once, revoked at once, and nothing at /v1 (rules/statistics#tokens)."""

import re
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.stores.metadata_edits import at_rest
from harness.suite.few import few

METADATA = ["id", "name", "scope", "botId", "prefix", "createdAt", "createdBy", "lastUsedAt", "revokedAt"]
BOT = "264811613708746752"


def create(workspace: Workspace, **body: Any) -> Any:
    with workspace.client() as client:
        answer = client.post("/v1/stats-tokens", json={"name": "t", "scope": "read"} | body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def listed(workspace: Workspace) -> list[Any]:
    return list(workspace.get("/v1/stats-tokens").json()["statsTokens"])


@pytest.mark.parametrize(
    ("scope", "bot"), [("read", {}), ("write", {}), ("bot", {"botId": BOT}), ("read", {"botId": None})]
)
def test_the_form_of_a_token(workspace: Workspace, scope: str, bot: dict[str, str | None]) -> None:
    token = create(workspace, name="Website", scope=scope, **bot)
    assert list(token) == [*METADATA, "secret"]
    assert re.fullmatch(r"tr_stats_[0-9A-Za-z]{38}", token["secret"])
    assert (token["name"], token["scope"], token["botId"]) == ("Website", scope, bot.get("botId"))
    assert token["prefix"] == token["secret"][:12]
    assert (token["lastUsedAt"], token["revokedAt"]) == (None, None)
    assert token["createdBy"] == workspace.get("/v1/auth/me").json()["user"]["id"]


def test_the_secret_is_shown_once_and_stored_nowhere(server: Server, workspace: Workspace) -> None:
    tokens = [create(workspace) for _ in range(3)]
    answer = workspace.get("/v1/stats-tokens")
    assert answer.json() == {"statsTokens": [{name: each[name] for name in METADATA} for each in reversed(tokens)]}
    stored = at_rest(server.data)
    for token in tokens:
        assert token["prefix"].encode() in stored
        assert token["secret"][13:].encode() not in stored
        assert token["secret"][13:] not in answer.text


def test_a_revoked_token_stays_listed(workspace: Workspace) -> None:
    token, other = create(workspace), create(workspace)
    with workspace.client() as client:
        for _ in range(2):  # a second time changes nothing
            answer = client.delete(f"/v1/stats-tokens/{token['id']}")
            assert (answer.status_code, answer.content) == (204, b"")
    revoked = {each["id"]: each["revokedAt"] for each in listed(workspace)}
    assert revoked[token["id"]] is not None
    assert revoked[other["id"]] is None


@pytest.mark.parametrize("token_id", ["nonsense", "%00", "%F0%9F%98%80", "a" * 5000, "a%2Fb", "'", "%ff"])
def test_a_malformed_id_is_404(shared: Workspace, token_id: str) -> None:
    with shared.client() as client:
        check_refusal(client.delete(f"/v1/stats-tokens/{token_id}"), 404)


def test_a_foreign_token_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    token = create(stranger)
    with workspace.client() as client:
        missing = client.delete("/v1/stats-tokens/019aa0b0-0000-7000-8000-000000000000")
        foreign = client.delete(f"/v1/stats-tokens/{token['id']}")
    assert check_refusal(foreign, 404)["message"] == check_refusal(missing, 404)["message"]
    assert [each["revokedAt"] for each in listed(stranger)] == [None]
    assert listed(workspace) == []


WRONG: list[tuple[Any, list[str]]] = [
    ({"scope": "read"}, ["name"]),
    ({"name": "t"}, ["scope"]),
    *[({"name": value, "scope": "read"}, ["name"]) for value in (None, "", " ", 1, "x" * 121, "a\0")],
    *[({"name": "t", "scope": value}, ["scope"]) for value in (None, "", "Read", "admin", "read,write", 1, [])],
    ({"name": "t", "scope": "bot"}, ["botId"]),
    ({"name": "t", "scope": "bot", "botId": None}, ["botId"]),
    *[({"name": "t", "scope": scope, "botId": BOT}, ["botId"]) for scope in ("read", "write")],
    *[
        ({"name": "t", "scope": "bot", "botId": value}, ["botId"])
        for value in ("", "1" * 16, "1" * 20, BOT + "\n", "x" * 18, "٢" * 18, "-" + "1" * 17, int(BOT))
    ],
    *[({"name": "t", "scope": "read", field: "x"}, [field]) for field in ("id", "secret", "workspaceId", "bot_id")],
]


@few(7, ("body", "path"), WRONG)
def test_a_wrong_body_makes_no_token(shared: Workspace, body: Any, path: list[str]) -> None:
    before = listed(shared)
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/stats-tokens", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
    assert listed(shared) == before


@pytest.mark.parametrize("form", ["{}", "Bearer {}"])
def test_a_token_opens_nothing_of_the_analytics_api(workspace: Workspace, form: str) -> None:
    header = {"authorization": form.format(create(workspace, scope="write")["secret"])}
    with workspace.client() as client:
        for method, path in [
            ("GET", "/v1/actors"),
            ("GET", "/v1/stats-tokens"),
            ("POST", "/v1/events"),
            ("GET", "/v1/auth/me"),
            ("GET", "/v1/segments"),
        ]:
            check_refusal(client.request(method, path, headers=header), 401)
