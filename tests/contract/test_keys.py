"""The API key table (rules/people#api-key)."""

import datetime as dt
import re
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

METADATA = ["id", "name", "environment", "kind", "prefix", "createdAt", "createdBy", "lastUsedAt", "revokedAt"]
OK = {"name": "x", "_actor": "a"}


def create(workspace: Workspace, environment: str = "production", name: str = "k") -> Any:
    with workspace.client() as client:
        answer = client.post("/v1/keys", json={"name": name, "environment": environment})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


@pytest.mark.parametrize(
    ("environment", "form"), [("production", r"tr_live_[0-9A-Za-z]{38}"), ("development", r"tr_test_[0-9A-Za-z]{38}")]
)
def test_the_form_of_a_key(workspace: Workspace, environment: str, form: str) -> None:
    key = create(workspace, environment, "Backend")
    assert list(key) == [*METADATA, "secret"]
    assert re.fullmatch(form, key["secret"])
    assert (key["name"], key["environment"], key["prefix"]) == ("Backend", environment, key["secret"][:12])
    assert key["kind"] == "secret"
    assert (key["lastUsedAt"], key["revokedAt"]) == (None, None)
    assert key["createdBy"] == workspace.get("/v1/auth/me").json()["user"]["id"]
    assert workspace.send(OK, key=key["secret"]).status_code == 202


def test_the_secret_is_shown_once(workspace: Workspace) -> None:
    key = create(workspace)
    answer = workspace.get("/v1/keys")
    assert answer.json()["keys"][0] == {name: key[name] for name in METADATA}
    assert [list(row) for row in answer.json()["keys"]] == [METADATA, METADATA]
    for secret in (key["secret"], workspace.key):
        assert secret[:12] in answer.text
        assert secret[12:] not in answer.text
        assert secret[:13] not in answer.text


def test_a_key_knows_where_it_leads(workspace: Workspace) -> None:
    with workspace.client() as client:
        assert client.patch("/v1/workspace", json={"name": "Acme", "timezone": "Europe/Berlin"}).status_code == 200
    secret, _ = workspace.make_key("development")
    answer = workspace.get("/v1/key", token=secret)
    assert answer.status_code == 200
    key = answer.json()
    assert set(key) == {"environment", "workspace", "limits", "now"}
    assert key["environment"] == "development"
    assert key["workspace"] == {"id": workspace.workspace_id, "name": "Acme", "timezone": "Europe/Berlin"}
    check_refusal(workspace.get("/v1/key"), 401)


def test_a_key_knows_what_it_may_send(workspace: Workspace) -> None:
    """One more than each limit is refused: the numbers are the rules (rules/events#sizes)."""
    limits = workspace.get("/v1/key", token=workspace.key).json()["limits"]
    assert limits == {
        "batchEvents": 500,
        "eventBytes": 65_536,
        "bodyBytes": 2_097_152,
        "nameLength": 128,
        "actorLength": 256,
        "actorLabelLength": 256,
        "sourceLength": 128,
        "propertiesDepth": 32,
    }
    texts = {
        "name": "nameLength",
        "_actor": "actorLength",
        "_actorLabel": "actorLabelLength",
        "_source": "sourceLength",
    }
    assert workspace.send({field: "x" * limits[name] for field, name in texts.items()}).status_code == 202
    too_long = {field: "x" * (limits[name] + 1) for field, name in texts.items()}
    refusal = check_refusal(workspace.send(too_long), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[field] for field in texts]
    check_refusal(workspace.send({"events": [OK] * (limits["batchEvents"] + 1)}), 413)


def test_a_key_knows_the_servers_time(workspace: Workspace) -> None:
    answer = workspace.get("/v1/key", token=workspace.key)
    now = dt.datetime.fromisoformat(answer.json()["now"])
    assert abs(now - parsedate_to_datetime(answer.headers["date"])) < dt.timedelta(seconds=2)


def test_an_ingest_key_sends_and_reads_nothing(workspace: Workspace) -> None:
    secret, key_id = workspace.make_key(kind="ingest")
    assert re.fullmatch(r"tr_live_[0-9A-Za-z]{38}", secret)
    assert workspace.send(OK, key=secret).status_code == 202
    assert workspace.get("/v1/key", token=secret).json()["environment"] == "production"
    for path in ("/v1/actors", "/v1/actors/a", "/v1/segments", "/v1/digests"):
        assert workspace.get(path, token=workspace.key).status_code == 200
        check_refusal(workspace.get(path, token=secret), 403)
    kinds = {row["id"]: row["kind"] for row in workspace.get("/v1/keys").json()["keys"]}
    assert kinds == {key_id: "ingest", workspace.key_id: "secret"}


def test_a_renamed_key_is_the_same_key(workspace: Workspace) -> None:
    key = create(workspace, name="Old")
    with workspace.client() as client:
        for body, name in (({"name": "New"}, "New"), ({}, "New"), ({"name": "New"}, "New")):
            answer = client.patch(f"/v1/keys/{key['id']}", json=body)
            assert (answer.status_code, answer.json()) == (
                200,
                {field: key[field] for field in METADATA} | {"name": name},
            )
        renames = [entry for entry in client.get("/v1/audit").json()["entries"] if entry["action"] == "key.rename"]
    assert [(entry["subject"], entry["details"]["from"]) for entry in renames] == [(key["id"], "Old")]
    assert workspace.send(OK, key=key["secret"]).status_code == 202


@few(2, "body", [{"name": ""}, {"name": None}, {"name": "x" * 121}, {"kind": "ingest"}, {"environment": "development"}])
def test_a_wrong_change_changes_nothing(workspace: Workspace, body: Any) -> None:
    with workspace.client() as client:
        before = client.get("/v1/keys").json()
        refusal = check_refusal(client.patch(f"/v1/keys/{workspace.key_id}", json=body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [list(body)]
        assert client.get("/v1/keys").json() == before


@pytest.mark.long
def test_secrets_differ(workspace: Workspace) -> None:
    assert len({create(workspace)["secret"][8:] for _ in range(20)}) == 20


def test_a_development_key_writes_to_development_only(workspace: Workspace) -> None:
    key = create(workspace, "development")["secret"]
    assert workspace.send(OK, key=key).status_code == 202
    assert len(workspace.get("/v1/actors", environment="development").json()["actors"]) == 1
    assert workspace.get("/v1/actors", environment="production").json()["actors"] == []


@pytest.mark.parametrize(
    ("rounds", "method", "path", "body", "status"),
    [(20, "POST", "/v1/events", OK, 202), (4, "GET", "/v1/actors", None, 200)],
)
def test_revocation_holds_for_the_very_next_request(
    workspace: Workspace, rounds: int, method: str, path: str, body: Any, status: int
) -> None:
    """Again and again, on connections that stay open."""
    with workspace.client() as owner, workspace.client() as program:
        for _ in range(rounds):
            key = owner.post("/v1/keys", json={"name": "k", "environment": "production"}).json()
            program.headers["authorization"] = f"Bearer {key['secret']}"
            assert program.request(method, path, json=body).status_code == status
            assert owner.delete(f"/v1/keys/{key['id']}").status_code == 204
            check_refusal(program.request(method, path, json=body), 401)


def test_a_revoked_key_stays_listed_and_others_live_on(workspace: Workspace) -> None:
    key = create(workspace)
    with workspace.client() as client:
        for _ in range(2):  # a second time changes nothing
            answer = client.delete(f"/v1/keys/{key['id']}")
            assert (answer.status_code, answer.content) == (204, b"")
            revoked = {row["id"]: row["revokedAt"] for row in client.get("/v1/keys").json()["keys"]}
            assert revoked == {key["id"]: revoked[key["id"]], workspace.key_id: None}
            assert revoked[key["id"]] is not None
    assert workspace.send(OK).status_code == 202


MALFORMED = [
    "nonsense",
    "0",
    "null",
    "%00",
    "%F0%9F%98%80",
    "a" * 5000,
    "..%2F",
    "%2F",
    "a%2Fb",
    "'",
    "{key_id}",
    "%ff",
]


def test_a_foreign_key_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    """No answer tells that the key exists elsewhere."""
    stranger = sign_up(workspace.url)
    ids = [stranger.key_id, "019aa0b0-0000-7000-8000-000000000000", stranger.key_id.upper(), *MALFORMED[:6]]
    bodies = set()
    with workspace.client() as client:
        for key_id in ids:
            for answer in (client.delete(f"/v1/keys/{key_id}"), client.patch(f"/v1/keys/{key_id}", json={"name": "n"})):
                body = check_refusal(answer, 404)
                bodies.add((body["message"], str(body["details"])))
    assert len(bodies) == 1
    assert stranger.send(OK).status_code == 202
    assert [row["id"] for row in workspace.get("/v1/keys").json()["keys"]] == [workspace.key_id]


@few(4, "key_id", MALFORMED)
def test_a_malformed_id_is_404(shared: Workspace, key_id: str) -> None:
    with shared.client() as client:
        check_refusal(client.delete(f"/v1/keys/{key_id}"), 404)


WRONG: list[tuple[Any, list[str]]] = [
    ({"environment": "production"}, ["name"]),
    ({"name": "k"}, ["environment"]),
    *[({"name": value, "environment": "production"}, ["name"]) for value in (None, "", " ", 1, [], "x" * 121, "a\0")],
    *[({"name": "k", "environment": value}, ["environment"]) for value in (None, "", "staging", "Production", 1, [])],
    *[({"name": "k", "environment": "production", "kind": value}, ["kind"]) for value in (None, "publishable", "", 1)],
    *[({"name": "k", "environment": "production", field: "x"}, [field]) for field in ("id", "secret", "workspaceId")],
]


@few(2, ("body", "path"), WRONG)
def test_a_wrong_body_makes_no_key(shared: Workspace, body: Any, path: list[str]) -> None:
    with shared.client() as client:
        before = client.get("/v1/keys").json()
        refusal = check_refusal(client.post("/v1/keys", json=body), 400)
        assert [detail["path"] for detail in refusal["details"]] == [path]
        assert client.get("/v1/keys").json() == before
