"""Sign-up: once, by one, unless the server is open (rules/people#sign-up)."""

import asyncio
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import func, select

from harness.clients.cookies import COOKIE
from harness.suite.few import few
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Environment, User

BODY = {"email": "owner@example.com", "password": "correct horse", "name": "Owner"}


async def test_the_first_user_owns_a_workspace(client: httpx.AsyncClient, database: Database) -> None:
    response = await client.post("/v1/auth/signup", json=BODY)
    assert response.status_code == 201
    body = response.json()
    workspace = body["workspace"]
    assert UUID(body["user"].pop("id")).version == 7
    assert body == {
        "user": {"email": "owner@example.com", "name": "Owner"},
        "workspace": {"id": workspace["id"], "name": "Owner's workspace", "plan": "paid", "timezone": "UTC"},
        "role": "owner",
        "workspaces": [{**workspace, "role": "owner"}],
    }
    async with database.session(write=False) as db:
        names = set(await db.scalars(select(Environment.name)))
    assert names == {"production", "development"}


async def test_signing_up_signs_in(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/auth/signup", json=BODY)
    cookie = response.headers["set-cookie"]
    token = response.headers["x-session-token"]
    assert cookie.startswith(f"{COOKIE}={token};")
    me = await client.get("/v1/auth/me")
    assert (me.status_code, me.json()) == (200, response.json())


async def test_the_workspace_can_be_named(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/auth/signup", json={**BODY, "workspaceName": "Acme"})
    assert response.json()["workspace"]["name"] == "Acme"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Calcutta", "UTC"])
async def test_the_workspace_takes_the_time_zone(client: httpx.AsyncClient, zone: str) -> None:
    response = await client.post("/v1/auth/signup", json={**BODY, "timezone": zone})
    assert (response.status_code, response.json()["workspace"]["timezone"]) == (201, zone)


async def test_who_named_an_unknown_time_zone_may_sign_up_with_another(client: httpx.AsyncClient) -> None:
    for zone, status in (("Mars/Olympus", 400), ("Europe/Berlin", 201)):
        response = await client.post("/v1/auth/signup", json={**BODY, "timezone": zone})
        assert response.status_code == status


async def test_the_second_user_needs_an_invitation(client: httpx.AsyncClient) -> None:
    await client.post("/v1/auth/signup", json=BODY)
    for email in ("second@example.com", "owner@example.com"):
        response = await client.post("/v1/auth/signup", json={**BODY, "email": email})
        assert (response.status_code, response.json()["error"]) == (403, "forbidden")


async def test_anybody_is_told_who_may_sign_up(client: httpx.AsyncClient) -> None:
    for told in ({"first": True, "open": True}, {"first": False, "open": False}):
        response = await client.get("/v1/auth/signup")
        assert (response.status_code, response.json()) == (200, told)
        await client.post("/v1/auth/signup", json=BODY)


async def test_an_open_server_says_so(sign_up: Any) -> None:
    client = await sign_up("first")
    assert (await client.get("/v1/auth/signup")).json() == {"first": False, "open": True}


async def test_of_eight_first_users_exactly_one_wins(server: Any, database: Database) -> None:
    async def attempt(number: int) -> int:
        async with server.client() as client:
            body = {**BODY, "email": f"user{number}@example.com"}
            return int((await client.post("/v1/auth/signup", json=body)).status_code)

    statuses = await asyncio.gather(*(attempt(number) for number in range(8)))
    assert sorted(statuses) == [201] + [403] * 7
    async with database.session(write=False) as db:
        assert await db.scalar(select(func.count()).select_from(User)) == 1


async def test_on_an_open_server_everybody_gets_an_own_workspace(sign_up: Any) -> None:
    first, second = await sign_up("first"), await sign_up("second")
    one, two = (await first.get("/v1/auth/me")).json(), (await second.get("/v1/auth/me")).json()
    assert one["workspace"]["id"] != two["workspace"]["id"]
    assert (two["role"], len(two["workspaces"])) == ("owner", 1)


@pytest.mark.parametrize("email", ["owner@example.com", "OWNER@Example.COM"])
async def test_an_address_has_one_account(sign_up: Any, open_server: Any, email: str) -> None:
    await sign_up("owner")
    async with open_server.client() as client:
        response = await client.post("/v1/auth/signup", json={**BODY, "email": email})
    assert (response.status_code, response.json()["error"]) == (409, "conflict")


async def test_eight_sign_ups_with_one_address_make_one_account(open_server: Any) -> None:
    async def attempt() -> int:
        async with open_server.client() as client:
            return int((await client.post("/v1/auth/signup", json=BODY)).status_code)

    statuses = await asyncio.gather(*(attempt() for _ in range(8)))
    assert sorted(statuses) == [201] + [409] * 7


async def test_the_plan_is_the_servers_default(server: Any, database: Database, fake_clock: Any) -> None:
    free = type(server)(database, Settings(default_plan="free"), fake_clock)
    async with free.client() as client:
        response = await client.post("/v1/auth/signup", json=BODY)
    assert response.json()["workspace"]["plan"] == "free"


@few(
    5,
    ("change", "path", "message"),
    [
        ({"password": "short"}, ["password"], "must have 10 or more characters"),
        ({"password": "x" * 257}, ["password"], "must have 256 or fewer characters"),
        ({"password": 1234567890}, ["password"], "must be a string, not an integer"),
        ({"password": None}, ["password"], "must be a string, not null"),
        ({"name": ""}, ["name"], "must not be empty"),
        ({"name": " "}, ["name"], "must contain a visible character and no control characters"),
        ({"name": "a\nb"}, ["name"], "must contain a visible character and no control characters"),
        ({"name": "a\n"}, ["name"], "must contain a visible character and no control characters"),
        *[
            ({"name": f"a{mark}b"}, ["name"], "must contain a visible character and no control characters")
            for mark in ("\x85", "\x9b", "\u2028", "\u2029", "\u202e", "\u2066")  # line ends, and turned letters
        ],
        ({"name": "x" * 121}, ["name"], "must have 120 or fewer characters"),
        ({"workspaceName": ""}, ["workspaceName"], "must not be empty"),
        ({"workspaceName": 1}, ["workspaceName"], "must be a string or null, not an integer"),
        ({"timezone": 1}, ["timezone"], "must be a string, not an integer"),
        *[
            ({"timezone": zone}, ["timezone"], f"is not an IANA time zone, such as Europe/Berlin or UTC{hint}")
            for zone, hint in (("Mars/Olympus", ""), ("", ""), ("Berlin", "; did you mean Europe/Berlin?"))
        ],
        ({"email": "owner"}, ["email"], "is not an email address"),
        ({"email": "a@b@example.com"}, ["email"], "is not an email address"),
        ({"email": "a b@example.com"}, ["email"], "is not an email address"),
        ({"email": "a\r\n@example.com"}, ["email"], "is not an email address"),
        ({"email": "a@example.com\n"}, ["email"], "is not an email address"),
        ({"email": "@example.com"}, ["email"], "is not an email address"),
        ({"email": "a" * 250 + "@b.de"}, ["email"], "must have 254 or fewer characters"),
        ({"role": "owner"}, ["role"], "is not a known field"),
        ({"workspace_name": "snake"}, ["workspace_name"], "is not a known field; did you mean workspaceName?"),
    ],
)
async def test_a_wrong_field_is_named(
    client: httpx.AsyncClient, change: dict[str, object], path: list[str], message: str
) -> None:
    response = await client.post("/v1/auth/signup", json={**BODY, **change})
    body = response.json()
    assert (response.status_code, body["error"]) == (400, "validation_failed")
    assert body["details"] == [{"path": path, "message": message}]
    assert body["message"] == f"{path[0]} {message}"


@pytest.mark.parametrize("missing", ["email", "password", "name"])
async def test_a_missing_field_is_named(client: httpx.AsyncClient, missing: str) -> None:
    response = await client.post("/v1/auth/signup", json={key: BODY[key] for key in BODY if key != missing})
    assert response.json()["details"] == [{"path": [missing], "message": "is required"}]
