"""Guard by guard, credential by credential: who gets in."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, Request, Response, route
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.guards import GUARDS, provide_principal
from tallyroom.auth.sessions import SessionStore
from tallyroom.core.errors import TallyroomError
from tallyroom.db.connection import Database

WHO = ["nobody", "key", "viewer", "developer", "admin", "owner", "expired"]

ALLOWED = {  #                 nobody  key viewer developer admin owner expired
    "public": [200, 200, 200, 200, 200, 200, 200],
    "require_session": [401, 401, 200, 200, 200, 200, 401],
    "require_member": [401, 401, 200, 200, 200, 200, 401],
    "require_developer": [401, 401, 403, 200, 200, 200, 401],
    "require_admin": [401, 401, 403, 403, 200, 200, 401],
    "require_key": [401, 200, 401, 401, 401, 401, 401],
    "require_member_or_key": [401, 200, 200, 200, 200, 200, 401],
    "require_paid_member": [401, 401, 200, 200, 200, 200, 401],
    "require_paid_developer": [401, 401, 403, 200, 200, 200, 401],
}


def handler_for(guard: Any) -> HTTPRouteHandler:
    @route(f"/{guard.__name__}", http_method=["GET", "POST"], guards=[guard], status_code=200)
    async def answer(request: Request[Any, Any, Any]) -> str:
        return type(await provide_principal(request)).__name__

    return answer


def refused(_request: Any, error: TallyroomError) -> Response[str]:
    return Response(error.slug, status_code=error.status)


@pytest.fixture
async def client(authenticator: Authenticator) -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(
        [handler_for(guard) for guard in GUARDS],
        state=State({"authenticator": authenticator}),
        exception_handlers={TallyroomError: refused},
        openapi_config=None,
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://stats.example.com") as client:
        yield client


@pytest.fixture
async def credentials(sessions: SessionStore, database: Database, fake_clock: Any, mint: Any) -> dict[str, str | None]:
    async with database.session(write=True) as db:
        expired = await sessions.create(db, "owner", "acme")
    fake_clock.advance(13 * 3600)
    async with database.session(write=True) as db:
        made = {role: await sessions.create(db, role, "acme") for role in ("viewer", "developer", "admin", "owner")}
    return {"nobody": None, "key": (await mint())[1], "expired": expired, **made}


def test_every_guard_has_a_row() -> None:
    assert [guard.__name__ for guard in GUARDS] == list(ALLOWED)


@pytest.mark.parametrize("guard", ALLOWED)
async def test_who_gets_in_by_bearer(client: httpx.AsyncClient, credentials: dict[str, str | None], guard: str) -> None:
    statuses = []
    for who in WHO:
        credential = credentials[who]
        headers = {"authorization": f"Bearer {credential}"} if credential else {}
        # A Bearer request carries nothing that a browser would send by itself: its origin does not matter.
        headers |= {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
        statuses.append((await client.post(f"/{guard}", headers=headers)).status_code)
    assert statuses == ALLOWED[guard]


@pytest.mark.parametrize("guard", ALLOWED)
async def test_who_gets_in_by_cookie(client: httpx.AsyncClient, credentials: dict[str, str | None], guard: str) -> None:
    expected = list(ALLOWED[guard])
    if guard in {"require_key", "require_member_or_key"}:
        expected[1] = 401  # a key in the cookie is nothing
    statuses = []
    for who in WHO:
        credential = credentials[who]
        headers = {"cookie": f"tallyroom_session={credential}"} if credential else {}
        statuses.append((await client.get(f"/{guard}", headers=headers)).status_code)
    assert statuses == expected


async def test_the_principal_is_told(client: httpx.AsyncClient, credentials: dict[str, str | None]) -> None:
    told = []
    for who in ("nobody", "key", "viewer"):
        guard = "public" if who == "nobody" else "require_member_or_key"
        told.append((await client.get(f"/{guard}", headers={"authorization": f"Bearer {credentials[who]}"})).text)
    assert told == ["NoneType", "KeyPrincipal", "SessionPrincipal"]


async def test_another_scheme_does_not_hide_the_cookie(
    client: httpx.AsyncClient, credentials: dict[str, str | None]
) -> None:
    headers = {"authorization": "Basic dTpw", "cookie": f"tallyroom_session={credentials['viewer']}"}
    assert (await client.get("/require_member", headers=headers)).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://stats.example.com"}, 200),
        ({"origin": "http://stats.example.com:80"}, 200),
        ({"origin": "https://stats.example.com"}, 403),
        ({"origin": "http://stats.example.com:8080"}, 403),
        ({"origin": "http://example.com"}, 403),
        ({"origin": "http://stats.example.com.evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://[broken"}, 403),
        ({"origin": "http://stats.example.com:99999999"}, 403),
        ({"origin": "https://evil.example", "sec-fetch-site": "same-origin"}, 403),
        ({"origin": "http://stats.example.com", "sec-fetch-site": "cross-site"}, 403),
    ],
)
async def test_a_write_by_cookie_must_come_from_here(
    client: httpx.AsyncClient, credentials: dict[str, str | None], headers: dict[str, str], status: int
) -> None:
    headers = {**headers, "cookie": f"tallyroom_session={credentials['developer']}"}
    assert (await client.post("/require_developer", headers=headers)).status_code == status
    assert (await client.get("/require_developer", headers=headers)).status_code == 200


async def test_without_a_session_a_foreign_write_is_just_unauthorized(client: httpx.AsyncClient) -> None:
    response = await client.post("/require_developer", headers={"origin": "https://evil.example"})
    assert response.status_code == 401
