"""A new password by the old one ends every other session, and only its owner gets that far."""

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from harness.clients.cookies import COOKIE
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import SignIn

EMAIL = "owner@example.com"
OLD, NEW = "correct horse", "battery staple"


@pytest.fixture
async def owner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.post("/v1/auth/signup", json={"email": EMAIL, "password": OLD, "name": "Owner"})
    return client


async def log_in(client: httpx.AsyncClient, password: str) -> httpx.Response:
    return await client.post("/v1/auth/login", json={"email": EMAIL, "password": password})


async def change(client: httpx.AsyncClient, current: str = OLD, new: str = NEW) -> httpx.Response:
    return await client.post("/v1/auth/password", json={"current": current, "new": new})


async def status(server: Any, token: str) -> int:
    async with server.client(headers={"authorization": f"Bearer {token}"}) as client:
        return int((await client.get("/v1/auth/me")).status_code)


async def test_a_changed_password_ends_every_other_session_and_renews_this_one(
    owner: httpx.AsyncClient, server: Any
) -> None:
    before = owner.cookies[COOKIE]
    async with server.client() as second:
        other = (await log_in(second, OLD)).headers["x-session-token"]
    answer = await change(owner)
    assert (answer.status_code, answer.content) == (204, b"")
    token = answer.headers["x-session-token"]
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}={token};")
    assert [await status(server, each) for each in (before, other, token)] == [401, 401, 200]
    assert (await owner.get("/v1/auth/me")).json()["user"]["email"] == EMAIL
    assert [(await log_in(owner, password)).status_code for password in (OLD, NEW)] == [401, 200]


async def test_a_script_changes_its_password_too(owner: httpx.AsyncClient, server: Any) -> None:
    headers = {"authorization": f"Bearer {owner.cookies[COOKIE]}"}
    async with server.client(headers=headers) as script:
        answer = await change(script)
    assert await status(server, answer.headers["x-session-token"]) == 200


async def test_a_wrong_current_password_changes_nothing(owner: httpx.AsyncClient) -> None:
    answer = await change(owner, "wrong password")
    assert answer.status_code == 400
    assert answer.json()["details"] == [{"path": ["current"], "message": "is not your password"}]
    assert "set-cookie" not in answer.headers
    assert (await owner.get("/v1/auth/me")).status_code == 200
    assert (await log_in(owner, OLD)).status_code == 200


async def test_the_current_password_is_guessed_ten_times(owner: httpx.AsyncClient, fake_clock: Any) -> None:
    statuses = [(await change(owner, f"wrong password {number}")).status_code for number in range(12)]
    assert statuses == [400] * 10 + [429] * 2
    answer = await change(owner)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "90")
    fake_clock.advance(90)
    assert (await change(owner)).status_code == 204


async def test_of_eight_changes_at_once_one_wins(owner: httpx.AsyncClient, server: Any) -> None:
    answers = await asyncio.gather(*(change(owner, new=f"{NEW} {number}") for number in range(8)))
    winners = [number for number, answer in enumerate(answers) if answer.status_code == 204]
    assert len(winners) == 1
    assert {answer.status_code for answer in answers} <= {204, 400, 401}
    assert (await log_in(owner, f"{NEW} {winners[0]}")).status_code == 200


async def test_a_session_that_ends_meanwhile_changes_nothing(
    owner: httpx.AsyncClient, server: Any, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = server.app.state.authenticator.passwords
    hash_password = passwords.hash

    async def end_sessions_first(*arguments: Any, **options: Any) -> str:
        async with database.session(write=True) as db:
            await db.execute(delete(SignIn))
        return str(await hash_password(*arguments, **options))

    monkeypatch.setattr(passwords, "hash", end_sessions_first)
    assert (await change(owner)).status_code == 401
    assert (await log_in(owner, OLD)).status_code == 200


async def test_a_sign_in_that_is_outrun_by_a_change_is_refused(
    owner: httpx.AsyncClient, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = server.app.state.authenticator.passwords
    verify = passwords.verify

    async def change_after(*arguments: Any, **options: Any) -> Any:
        right = await verify(*arguments, **options)
        monkeypatch.setattr(passwords, "verify", verify)
        assert (await change(owner)).status_code == 204
        return right

    monkeypatch.setattr(passwords, "verify", change_after)
    async with server.client() as second:
        assert (await log_in(second, OLD)).status_code == 401


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"current": OLD}, ["new"]),
        ({"new": NEW}, ["current"]),
        ({"current": OLD, "new": "too short"}, ["new"]),
        ({"current": OLD, "new": "x" * 257}, ["new"]),
        ({"current": "x" * 257, "new": NEW}, ["current"]),
        ({"current": OLD, "new": 1}, ["new"]),
        ({"current": None, "new": NEW}, ["current"]),
        ({"current": OLD, "new": NEW, "userId": "x"}, ["userId"]),
        ([], []),
    ],
)
async def test_a_wrong_body_changes_nothing(owner: httpx.AsyncClient, body: object, path: list[str]) -> None:
    answer = await owner.post("/v1/auth/password", json=body)
    assert answer.status_code == 400
    assert [detail["path"] for detail in answer.json()["details"]] == [path]
    assert (await log_in(owner, OLD)).status_code == 200
