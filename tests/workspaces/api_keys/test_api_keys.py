"""API keys over HTTP: made once, listed without secrets, revoked at once."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from harness.stores.metadata import opened
from harness.stores.metadata_edits import at_rest
from harness.suite.few import few
from tallyroom.auth.api_keys import KeyCache, KeyRefused
from tallyroom.auth.principals import KeyKind
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership

FIELDS = {"id", "name", "environment", "kind", "prefix", "createdAt", "createdBy", "lastUsedAt", "revokedAt"}


@pytest.fixture
async def owner(sign_up: Any) -> httpx.AsyncClient:
    client: httpx.AsyncClient = await sign_up("owner")
    return client


async def create(client: httpx.AsyncClient, environment: str = "production", name: str = "k") -> Any:
    response = await client.post("/v1/keys", json={"name": name, "environment": environment})
    assert response.status_code == 201
    return response.json()


async def listed(client: httpx.AsyncClient) -> list[Any]:
    response = await client.get("/v1/keys")
    assert response.status_code == 200
    return list(response.json()["keys"])


def bearer(key: Any) -> bytes:
    return f"Bearer {key['secret']}".encode()


@pytest.mark.parametrize(("environment", "start"), [("production", "tr_live_"), ("development", "tr_test_")])
async def test_a_new_key_is_told_in_full_once(owner: httpx.AsyncClient, environment: str, start: str) -> None:
    key = await create(owner, environment, "Backend")
    secret = key.pop("secret")
    me = (await owner.get("/v1/auth/me")).json()
    assert secret.startswith(start)
    assert key == {
        "id": key["id"],
        "name": "Backend",
        "environment": environment,
        "kind": "secret",
        "prefix": secret[:12],
        "createdAt": "2026-11-20T12:00:00.000Z",
        "createdBy": me["user"]["id"],
        "lastUsedAt": None,
        "revokedAt": None,
    }
    response = await owner.get("/v1/keys")
    assert response.json() == {"keys": [key]}
    assert secret not in response.text


async def test_a_new_key_authenticates(owner: httpx.AsyncClient, open_server: Any) -> None:
    key = await create(owner, "development")
    principal = await open_server.key_cache.authenticate(bearer(key))
    assert (principal.key_id, principal.environment) == (key["id"], "development")


async def test_the_server_knows_the_kind_of_a_key(owner: httpx.AsyncClient, open_server: Any) -> None:
    body = {"name": "k", "environment": "production", "kind": "ingest"}
    key = (await owner.post("/v1/keys", json=body)).json()
    assert (await open_server.key_cache.authenticate(bearer(key))).kind is KeyKind.INGEST


async def test_a_new_name_is_seen_by_another_opening_of_the_metadata_at_once(
    owner: httpx.AsyncClient, tmp_path: Path
) -> None:
    key, other = await create(owner), opened(tmp_path / "metadata.sqlite")
    assert (await owner.patch(f"/v1/keys/{key['id']}", json={"name": "Bot"})).status_code == 200
    assert await other.look_up("SELECT name FROM api_keys") == ("Bot",)
    await other.close()


async def test_the_list_is_newest_first_and_shows_the_last_use(
    owner: httpx.AsyncClient, open_server: Any, fake_clock: Any
) -> None:
    first = await create(owner)
    fake_clock.advance(1)
    second = await create(owner)
    await open_server.key_cache.authenticate(bearer(first))
    await open_server.key_cache.flush_last_used()
    keys = await listed(owner)
    assert [key["id"] for key in keys] == [second["id"], first["id"]]
    assert [key["lastUsedAt"] for key in keys] == [None, "2026-11-20T12:00:01.000Z"]
    assert all(set(key) == FIELDS for key in keys)


@pytest.mark.long
async def test_revocation_holds_for_the_next_request_everywhere(
    owner: httpx.AsyncClient, open_server: Any, tmp_path: Path, fake_clock: Any
) -> None:
    other = opened(tmp_path / "metadata.sqlite")
    caches = [open_server.key_cache, KeyCache(other, fake_clock)]
    for _ in range(20):
        key = await create(owner)
        for cache in caches:
            await cache.authenticate(bearer(key))
        assert (await owner.delete(f"/v1/keys/{key['id']}")).status_code == 204
        for cache in caches:
            with pytest.raises(KeyRefused):
                await cache.authenticate(bearer(key))
    await other.close()


async def test_revoking_again_changes_nothing(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    key = await create(owner)
    for _ in range(2):
        response = await owner.delete(f"/v1/keys/{key['id']}")
        assert (response.status_code, response.content) == (204, b"")
        fake_clock.advance(60)
    assert [key["revokedAt"] for key in await listed(owner)] == ["2026-11-20T12:00:00.000Z"]


async def test_another_workspaces_key_is_as_missing_as_a_missing_one(owner: httpx.AsyncClient, sign_up: Any) -> None:
    stranger = await sign_up("stranger")
    key = await create(stranger)
    ids = [key["id"], "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "%F0%9F%98%80", "a" * 5000]
    answers = [await owner.delete(f"/v1/keys/{key_id}") for key_id in ids]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert await listed(owner) == []
    assert [each["revokedAt"] for each in await listed(stranger)] == [None]


@pytest.mark.parametrize(("role", "may_write"), [("viewer", False), ("developer", True), ("admin", True)])
async def test_members_read_and_developers_write(
    owner: httpx.AsyncClient,
    database: Database,
    role: str,
    may_write: bool,
) -> None:
    key = await create(owner)
    async with database.session(write=True) as db:
        await db.execute(update(Membership).values(role=role))
    assert len(await listed(owner)) == 1
    made = await owner.post("/v1/keys", json={"name": "k", "environment": "production"})
    renamed = await owner.patch(f"/v1/keys/{key['id']}", json={"name": "n"})
    gone = await owner.delete(f"/v1/keys/{key['id']}")
    assert [made.status_code, renamed.status_code, gone.status_code] == ([201, 200, 204] if may_write else [403] * 3)


async def test_a_key_is_no_session(owner: httpx.AsyncClient, open_server: Any) -> None:
    key = await create(owner)
    headers = {"authorization": f"Bearer {key['secret']}"}
    async with open_server.client(headers=headers) as program:
        answers = [
            await program.get("/v1/keys"),
            await program.post("/v1/keys", json={"name": "k", "environment": "production"}),
            await program.patch(f"/v1/keys/{key['id']}", json={"name": "n"}),
            await program.delete(f"/v1/keys/{key['id']}"),
        ]
    assert [answer.status_code for answer in answers] == [401] * 4


@few(
    2,
    ("body", "path"),
    [
        ({"name": "k"}, ["environment"]),
        ({"environment": "production"}, ["name"]),
        ({"name": "k", "environment": "staging"}, ["environment"]),
        ({"name": "k", "environment": "Production"}, ["environment"]),
        ({"name": "k", "environment": 1}, ["environment"]),
        ({"name": "", "environment": "production"}, ["name"]),
        ({"name": "x" * 121, "environment": "production"}, ["name"]),
        ({"name": "k", "environment": "production", "id": "x"}, ["id"]),
        ({"name": "k", "environment": "production", "workspaceId": "x"}, ["workspaceId"]),
        ([], []),
    ],
)
async def test_a_wrong_body_is_refused_and_makes_nothing(
    owner: httpx.AsyncClient, body: object, path: list[str]
) -> None:
    response = await owner.post("/v1/keys", json=body)
    assert response.status_code == 400
    assert [detail["path"] for detail in response.json()["details"]] == [path]
    assert await listed(owner) == []


async def test_a_name_counts_characters(owner: httpx.AsyncClient) -> None:
    assert (await create(owner, name="🗝" * 120))["name"] == "🗝" * 120


@pytest.mark.long
async def test_secrets_are_nowhere_at_rest(owner: httpx.AsyncClient, tmp_path: Path) -> None:
    keys = [await create(owner) for _ in range(100)]
    stored = at_rest(tmp_path)
    assert keys[0]["prefix"].encode() in stored
    assert not any(key["secret"][8:].encode() in stored for key in keys)
    assert not any(key["secret"][:16].encode() in stored for key in keys)
