"""Sign-in, sign-out and what a session is worth in between."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from harness.clients.cookies import COOKIE
from harness.stores.metadata_edits import at_rest
from tallyroom.core.errors import Unavailable
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership

SIGNUP = {"email": "owner@example.com", "password": "correct horse", "name": "Owner"}
LOGIN = {"email": "owner@example.com", "password": "correct horse"}


@pytest.fixture
async def owner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.post("/v1/auth/signup", json=SIGNUP)
    return client


async def log_in(client: httpx.AsyncClient, **change: object) -> httpx.Response:
    return await client.post("/v1/auth/login", json={**LOGIN, **change})


async def status(client: httpx.AsyncClient, token: str) -> int:
    client.cookies.clear()
    return (await client.get("/v1/auth/me", headers={"authorization": f"Bearer {token}"})).status_code


async def test_signing_in_answers_the_identity_cookie_and_token(owner: httpx.AsyncClient) -> None:
    owner.cookies.clear()
    response = await log_in(owner, email="OWNER@example.com")
    assert response.status_code == 200
    token = response.headers["x-session-token"]
    attributes = response.headers["set-cookie"].split("; ")
    assert attributes[0] == f"{COOKIE}={token}"
    assert {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=1209600"} <= set(attributes)
    assert (await owner.get("/v1/auth/me")).json() == response.json()
    assert await status(owner, token) == 200


async def test_unknown_account_and_wrong_password_look_the_same(owner: httpx.AsyncClient) -> None:
    wrong = await log_in(owner, password="wrong password")
    unknown = await log_in(owner, email="nobody@example.com")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert "set-cookie" not in wrong.headers


async def test_a_sign_in_that_nobody_could_judge_does_not_count(
    owner: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> None:
        raise Unavailable("away")

    with monkeypatch.context() as patched:
        patched.setattr(database, "session", away)
        assert {(await log_in(owner)).status_code for _ in range(40)} == {503}
    assert (await log_in(owner, password="wrong password")).status_code == 401
    assert (await log_in(owner)).status_code == 200


async def test_every_sign_in_has_a_new_token(owner: httpx.AsyncClient) -> None:
    tokens = {(await log_in(owner)).headers["x-session-token"] for _ in range(3)}
    assert len(tokens) == 3


async def test_a_token_from_before_the_sign_in_is_dead_after_it(owner: httpx.AsyncClient) -> None:
    before = owner.cookies[COOKIE]
    after = (await log_in(owner)).headers["x-session-token"]
    assert await status(owner, before) == 401
    assert await status(owner, after) == 200


async def test_a_failed_sign_in_leaves_the_session_alone(owner: httpx.AsyncClient) -> None:
    await log_in(owner, password="wrong password")
    assert (await owner.get("/v1/auth/me")).status_code == 200


async def test_signing_out_ends_this_session_only(owner: httpx.AsyncClient, server: Any) -> None:
    async with server.client() as second:
        other = (await log_in(second)).headers["x-session-token"]
    token = owner.cookies[COOKIE]
    response = await owner.post("/v1/auth/logout")
    assert (response.status_code, response.content) == (204, b"")
    assert "Max-Age=0" in response.headers["set-cookie"]
    assert await status(owner, token) == 401
    assert await status(owner, other) == 200


NO_SESSION = ["", "nonsense", "trs_" + "0" * 43]


@pytest.mark.parametrize("token", NO_SESSION)
async def test_signing_out_without_a_session_only_clears_the_cookie(owner: httpx.AsyncClient, token: str) -> None:
    mine = owner.cookies[COOKIE]
    owner.cookies.clear()
    for headers in ({"cookie": f"{COOKIE}={token}"}, {"authorization": f"Bearer {token}"}, {}):
        response = await owner.post("/v1/auth/logout", headers=headers)
        assert (response.status_code, response.content) == (204, b"")
        assert {f'{COOKIE}=""', "Max-Age=0", "Path=/"} <= set(response.headers["set-cookie"].split("; "))
    assert await status(owner, mine) == 200


async def test_signing_out_twice_or_too_late_clears_the_cookie(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    headers = {"cookie": f"{COOKIE}={owner.cookies[COOKIE]}"}
    for _ in range(2):
        fake_clock.advance(13 * 3600)
        owner.cookies.clear()
        response = await owner.post("/v1/auth/logout", headers=headers)
        assert response.status_code == 204
        assert "Max-Age=0" in response.headers["set-cookie"]


async def test_a_session_ends_when_it_is_idle(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    fake_clock.advance(12 * 3600 - 1)
    assert (await owner.get("/v1/auth/me")).status_code == 200
    fake_clock.advance(12 * 3600)
    assert (await owner.get("/v1/auth/me")).status_code == 401


async def test_a_session_in_use_ends_after_fourteen_days(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    token = owner.cookies[COOKIE]  # by header: the client itself would drop the cookie in real time
    for _ in range(27):
        fake_clock.advance(12 * 3600 - 1)
        assert await status(owner, token) == 200
    fake_clock.advance(12 * 3600 - 1)
    assert await status(owner, token) == 200
    fake_clock.advance(28)
    assert await status(owner, token) == 401


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}])
async def test_another_site_can_sign_nobody_out_in_or_up(owner: httpx.AsyncClient, headers: dict[str, str]) -> None:
    for path, body in (("logout", None), ("login", LOGIN), ("signup", SIGNUP)):
        response = await owner.post(f"/v1/auth/{path}", json=body, headers=headers)
        assert (response.status_code, response.json()["error"]) == (403, "forbidden")
        assert "set-cookie" not in response.headers
    assert (await owner.get("/v1/auth/me", headers=headers)).status_code == 200


async def test_a_script_signs_out_from_wherever_it_runs(owner: httpx.AsyncClient) -> None:
    token = owner.cookies[COOKIE]
    owner.cookies.clear()
    headers = {"authorization": f"Bearer {token}", "origin": "https://tool.example"}
    assert (await owner.post("/v1/auth/logout", headers=headers)).status_code == 204
    assert await status(owner, token) == 401


@pytest.mark.parametrize(("seconds", "status"), [(599, 303), (600, 404)])
async def test_a_link_opens_for_ten_minutes(
    owner: httpx.AsyncClient, fake_clock: Any, seconds: int, status: int
) -> None:
    made = (await owner.post("/v1/auth/links")).json()
    assert made["expiresAt"] == "2026-11-20T12:10:00.000Z"
    fake_clock.advance(seconds)
    assert (await owner.get(made["url"])).status_code == status


async def test_under_https_the_cookie_is_secure(server: Any, database: Database, fake_clock: Any) -> None:
    secure = type(server)(database, Settings(base_url="https://testserver"), fake_clock)
    async with secure.client() as client:
        response = await client.post("/v1/auth/signup", json=SIGNUP)
    attributes = response.headers["set-cookie"].split("; ")
    assert attributes[0].startswith(f"__Host-{COOKIE}=trs_")
    assert {"Secure", "HttpOnly", "Path=/"} <= set(attributes)


async def test_a_user_without_a_workspace_cannot_sign_in(owner: httpx.AsyncClient, database: Database) -> None:
    async with database.session(write=True) as db:
        await db.execute(delete(Membership))
    assert (await owner.get("/v1/auth/me")).status_code == 401
    assert (await log_in(owner)).status_code == 403


async def test_tokens_and_passwords_are_nowhere_at_rest(owner: httpx.AsyncClient, tmp_path: Path) -> None:
    tokens = [(await log_in(owner)).headers["x-session-token"] for _ in range(20)]
    stored = at_rest(tmp_path)
    assert b"owner@example.com" in stored  # the log was read too
    assert b"correct horse" not in stored
    assert not any(token.encode() in stored for token in tokens)


async def test_nobody_is_nobody(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1/auth/me")
    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
