"""Personal access tokens over HTTP: made once, listed without secrets, revoked (rules/people#personal-access-token)."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from harness.stores.metadata_edits import at_rest
from harness.suite.few import few
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AuditEntry, Membership, User
from tallyroom.workspaces.api_tokens.service import MAX_TOKENS

FIELDS = ["id", "name", "scopes", "environment", "prefix", "createdAt", "createdBy"]
FIELDS += ["expiresAt", "lastUsedAt", "revokedAt"]
NOW = "2026-11-20T12:00:00.000Z"
BODY = {"name": "CI", "scopes": ["read"]}


@pytest.fixture
async def owner(sign_up: Any) -> httpx.AsyncClient:
    client: httpx.AsyncClient = await sign_up("owner")
    return client


@pytest.fixture
async def colleague(owner: httpx.AsyncClient, sign_up: Any, database: Database) -> httpx.AsyncClient:
    """A developer of the owner's workspace, who is signed in there."""
    client: httpx.AsyncClient = await sign_up("colleague")
    workspace_id = (await owner.get("/v1/auth/me")).json()["workspace"]["id"]
    user_id = (await client.get("/v1/auth/me")).json()["user"]["id"]
    async with database.session(write=True) as db:
        db.add(Membership(user_id=user_id, workspace_id=workspace_id, role="developer", joined_at_ms=1))
    assert (await client.post("/v1/auth/workspace", json={"workspaceId": workspace_id})).status_code == 200
    return client


async def create(client: httpx.AsyncClient, **body: Any) -> Any:
    answer = await client.post("/v1/tokens", json=BODY | body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def listed(client: httpx.AsyncClient) -> list[Any]:
    answer = await client.get("/v1/tokens")
    assert answer.status_code == 200
    return list(answer.json()["tokens"])


@pytest.mark.long
async def test_a_new_token_is_told_in_full_once(owner: httpx.AsyncClient) -> None:
    me = (await owner.get("/v1/auth/me")).json()["user"]["id"]
    end = "2027-01-01T00:00:00.000Z"
    token = await create(owner, scopes=["export", "read"], environment="development", expiresAt=end)
    assert list(token) == [*FIELDS, "secret"]
    secret = token.pop("secret")
    assert re.fullmatch(r"tr_pat_[0-9A-Za-z]{38}", secret)
    assert token == {
        "id": token["id"],
        "name": "CI",
        "scopes": ["read", "export"],
        "environment": "development",
        "prefix": secret[:12],
        "createdAt": NOW,
        "createdBy": me,
        "expiresAt": end,
        "lastUsedAt": None,
        "revokedAt": None,
    }
    answer = await owner.get("/v1/tokens")
    assert answer.json() == {"tokens": [token]}
    assert secret[12:] not in answer.text


@pytest.mark.long
async def test_secrets_are_nowhere_at_rest(owner: httpx.AsyncClient, tmp_path: Path) -> None:
    tokens = [await create(owner) for _ in range(20)]
    stored = at_rest(tmp_path)
    assert tokens[0]["prefix"].encode() in stored
    assert not any(token["secret"][7:].encode() in stored for token in tokens)
    assert not any(token["secret"][:16].encode() in stored for token in tokens)


async def test_the_list_is_newest_first_and_shows_the_last_use(
    owner: httpx.AsyncClient, open_server: Any, fake_clock: Any
) -> None:
    first = await create(owner)
    fake_clock.advance(1)
    second = await create(owner, expiresAt="2026-11-20T12:00:02Z")
    async with open_server.client(headers={"authorization": f"Bearer {first['secret']}"}) as program:
        assert (await program.get("/v1/annotations?environment=production")).status_code == 200
    await open_server.personal_tokens.flush_last_used()
    fake_clock.advance(1)
    tokens = await listed(owner)
    assert [token["id"] for token in tokens] == [second["id"], first["id"]]  # the second has expired by now
    assert [token["lastUsedAt"] for token in tokens] == [None, "2026-11-20T12:00:01.000Z"]


@pytest.mark.long
@pytest.mark.parametrize(("role", "sees_all"), [("viewer", False), ("developer", False), ("admin", True)])
async def test_a_member_has_their_own_and_an_admin_sees_all(
    owner: httpx.AsyncClient, colleague: httpx.AsyncClient, database: Database, role: str, *, sees_all: bool
) -> None:
    theirs, of_owner = await create(colleague), await create(owner)
    async with database.session(write=True) as db:
        found = await db.scalar(select(User.id).where(User.email == "colleague@example.com"))
        await db.execute(update(Membership).where(Membership.user_id == found).values(role=role))
    mine = {theirs["id"]}
    assert {token["id"] for token in await listed(colleague)} == (mine | {of_owner["id"]} if sees_all else mine)
    assert {token["id"] for token in await listed(owner)} == {theirs["id"], of_owner["id"]}
    foreign = await colleague.delete(f"/v1/tokens/{of_owner['id']}")
    assert foreign.status_code == (204 if sees_all else 404)
    assert (await colleague.delete(f"/v1/tokens/{theirs['id']}")).status_code == 204
    assert (await create(colleague))["createdBy"] == theirs["createdBy"]  # a viewer makes tokens, too


async def test_revoking_again_changes_nothing(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    token = await create(owner)
    for _ in range(2):
        answer = await owner.delete(f"/v1/tokens/{token['id']}")
        assert (answer.status_code, answer.content) == (204, b"")
        fake_clock.advance(60)
    assert [each["revokedAt"] for each in await listed(owner)] == [NOW]


async def test_another_workspaces_token_is_as_missing_as_a_missing_one(owner: httpx.AsyncClient, sign_up: Any) -> None:
    stranger = await sign_up("stranger")
    token = await create(stranger)
    ids = [token["id"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "%F0%9F%98%80", "a" * 5000]
    answers = [await owner.delete(f"/v1/tokens/{token_id}") for token_id in ids]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert [each["revokedAt"] for each in await listed(stranger)] == [None]


async def test_who_belongs_to_two_workspaces_has_tokens_of_each(colleague: httpx.AsyncClient) -> None:
    here = await create(colleague)
    workspaces = (await colleague.get("/v1/auth/me")).json()["workspaces"]
    assert len(workspaces) == 2
    for workspace in workspaces:
        await colleague.post("/v1/auth/workspace", json={"workspaceId": workspace["id"]})
        there = [token["id"] for token in await listed(colleague)]
        answer = await colleague.delete(f"/v1/tokens/{here['id']}")
        assert (answer.status_code == 204) is (here["id"] in there)


WRONG: list[tuple[dict[str, Any], list[Any]]] = [
    *[({"name": value}, ["name"]) for value in (None, "", " ", 1, "x" * 121, "a\0", "a\n")],
    *[({"scopes": value}, ["scopes"]) for value in (None, "read", [], {})],
    *[({"scopes": ["read", value]}, ["scopes", 1]) for value in ("", "Read", "admin", 1, None, "read")],
    *[({"environment": value}, ["environment"]) for value in ("", "staging", "Production", 1)],
    *[({"expiresAt": value}, ["expiresAt"]) for value in ("", "tomorrow", "2027-01-01", 1_800_000_000_000)],
    *[({"expiresAt": value}, ["expiresAt"]) for value in (NOW, "2020-01-01T00:00:00Z", "2100-01-01T00:00:00.001Z")],
    *[({field: "x"}, [field]) for field in ("id", "secret", "workspaceId", "createdBy", "scope", "expires_at")],
]


@few(10, ("wrong", "path"), WRONG)
async def test_a_wrong_body_makes_no_token(owner: httpx.AsyncClient, wrong: dict[str, Any], path: list[Any]) -> None:
    answer = await owner.post("/v1/tokens", json=BODY | wrong)
    assert answer.status_code == 400, answer.text
    assert [detail["path"] for detail in answer.json()["details"]] == [path]
    assert await listed(owner) == []


async def test_the_end_may_have_any_offset_and_null_is_never(owner: httpx.AsyncClient) -> None:
    ends = [None, "2026-11-20T12:00:00.001Z", "2027-01-01T00:00:00+02:00", "2100-01-01T00:00:00Z"]
    made = [(await create(owner, expiresAt=end, environment=None))["expiresAt"] for end in ends]
    assert made == [None, ends[1], "2026-12-31T22:00:00.000Z", "2100-01-01T00:00:00.000Z"]


@pytest.mark.long
async def test_a_member_has_room_for_50_valid_tokens(
    owner: httpx.AsyncClient, colleague: httpx.AsyncClient, fake_clock: Any
) -> None:
    made = [await create(owner, expiresAt="2026-11-20T12:00:10Z")]
    made += [await create(owner) for _ in range(MAX_TOKENS - 1)]
    for act in (lambda: fake_clock.advance(10), None):
        refused = await owner.post("/v1/tokens", json=BODY)
        assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
        if act:
            act()  # the first one expires, and leaves room
            await create(owner)
    await create(colleague)
    assert (await owner.delete(f"/v1/tokens/{made[1]['id']}")).status_code == 204
    await create(owner)


async def test_each_deed_is_in_the_audit_log(
    owner: httpx.AsyncClient, colleague: httpx.AsyncClient, database: Database
) -> None:
    token = await create(colleague, scopes=["annotate", "read"], environment="production")
    for _ in range(2):
        assert (await owner.delete(f"/v1/tokens/{token['id']}")).status_code == 204
    details = (
        f'{{"name":"CI","scopes":"read annotate","environment":"production","expiresAt":null,'
        f'"prefix":"{token["prefix"]}","createdBy":"{token["createdBy"]}"}}'
    )
    wanted = select(AuditEntry).where(AuditEntry.action.startswith("token.")).order_by(AuditEntry.id)
    async with database.session(write=False) as db:
        entries = [(each.action, each.by_email, each.subject, each.details) for each in await db.scalars(wanted)]
    assert sorted(entries) == [
        ("token.create", "colleague@example.com", token["id"], details),
        ("token.revoke", "owner@example.com", token["id"], details),
    ]
