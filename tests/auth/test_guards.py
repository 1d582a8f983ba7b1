"""Guard by guard, credential by credential: who gets in."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, Request, Response, route
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from harness.builders.listing import bare_bot, signature
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.guards import GUARDS, provide_principal
from tallyroom.auth.metrics_guard import MetricsGuard
from tallyroom.auth.sessions import SessionStore
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.vault import Vault
from tallyroom.storage.metadata.connection import Database

BOT, OTHER_BOT = "264811613708746752", "264811613708746753"
SECRET = "whs_a secret of acme"
TOKEN_LIMIT, WEBHOOK_LIMIT = 20, 30  # as conftest.py sets them

WHO = ["nobody", "key", "viewer", "developer", "admin", "owner", "expired", "reader", "writer", "bot", "personal"]

NONE = [401] * 3
"""What tokens of the Statistics API are elsewhere. A personal access token is refused unless a route takes it."""

ALLOWED = {  #                 nobody  key viewer developer admin owner expired, tokens: read write bot, personal
    "public": [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
    "require_scraper": [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],  # on the server's own machine
    "require_session": [401, 401, 200, 200, 200, 200, 401, *NONE, 403],
    "require_member": [401, 401, 200, 200, 200, 200, 401, *NONE, 403],
    "require_developer": [401, 401, 403, 200, 200, 200, 401, *NONE, 403],
    "require_admin": [401, 401, 403, 403, 200, 200, 401, *NONE, 403],
    "require_key": [401, 200, 401, 401, 401, 401, 401, *NONE, 401],
    "require_member_or_key": [401, 200, 200, 200, 200, 200, 401, *NONE, 403],
    "require_paid_member": [401, 401, 200, 200, 200, 200, 401, *NONE, 403],
    "require_paid_developer": [401, 401, 403, 200, 200, 200, 401, *NONE, 403],
    "require_stats_reader": [401, 401, 401, 401, 401, 401, 401, 200, 200, 200, 401],
    "require_stats_feeder": [401, 401, 401, 401, 401, 401, 401, 403, 200, 200, 401],
    "require_vote_sender": [401, 401, 401, 401, 401, 401, 401, 403, 200, 200, 401],
}


def handler_for(guard: Any) -> HTTPRouteHandler:
    paths = [f"/{guard.__name__}", f"/{guard.__name__}/{{bot_id:str}}"]

    @route(paths, http_method=["GET", "POST"], guards=[guard], status_code=200)
    async def answer(request: Request[Any, Any, Any]) -> str:
        return type(await provide_principal(request)).__name__

    return answer


def refused(_request: Any, error: TallyroomError) -> Response[str]:
    return Response(error.slug, status_code=error.status)


@pytest.fixture
async def client(authenticator: Authenticator) -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(
        [handler_for(guard) for guard in GUARDS],
        state=State({"authenticator": authenticator, "metrics_guard": MetricsGuard(Settings())}),
        exception_handlers={TallyroomError: refused},
        openapi_config=None,
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://stats.example.com") as client:  # type: ignore[arg-type] # httpx describes ASGI more loosely
        yield client


@pytest.fixture
async def credentials(
    sessions: SessionStore, database: Database, fake_clock: Any, mint: Any, mint_stats: Any, mint_personal: Any
) -> dict[str, str | None]:
    async with database.session(write=True) as db:
        expired = await sessions.create(db, "owner", "acme")
    fake_clock.advance(13 * 3600)
    async with database.session(write=True) as db:
        made = {role: await sessions.create(db, role, "acme") for role in ("viewer", "developer", "admin", "owner")}
    tokens = {"reader": ("read", None), "writer": ("write", None), "bot": ("bot", BOT)}
    made |= {who: (await mint_stats(*token))[1] for who, token in tokens.items()}
    personal = (await mint_personal(scopes="read write annotate export"))[1]
    return {"nobody": None, "key": (await mint())[1], "expired": expired, "personal": personal, **made}


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
    people = {"viewer", "developer", "admin", "owner"}
    # A key or token in the cookie is nothing.
    expected = [
        status if who in people or guard in {"public", "require_scraper"} else 401
        for who, status in zip(WHO, ALLOWED[guard], strict=True)
    ]
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
    assert told == ["NoneType", "KeyPrincipal", "MemberPrincipal"]


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


STATISTICS = ["require_stats_reader", "require_stats_feeder", "require_vote_sender"]


@pytest.mark.parametrize(("guard", "of_others"), [(STATISTICS[0], 200), (STATISTICS[1], 403), (STATISTICS[2], 403)])
async def test_a_token_of_one_bot_feeds_that_bot_and_reads_all(
    client: httpx.AsyncClient, credentials: dict[str, str | None], guard: str, of_others: int
) -> None:
    async def ask(who: str, bot_id: str) -> int:
        headers = {"authorization": str(credentials[who])}
        return (await client.post(f"/{guard}/{bot_id}", headers=headers)).status_code

    others = (OTHER_BOT, "x", BOT + "0")
    assert [await ask("bot", bot_id) for bot_id in (BOT, *others)] == [200, *[of_others] * 3]
    assert [await ask("writer", bot_id) for bot_id in (BOT, *others)] == [200] * 4


@pytest.mark.parametrize("guard", STATISTICS)
async def test_two_headers_are_no_token(
    client: httpx.AsyncClient, credentials: dict[str, str | None], guard: str
) -> None:
    token = str(credentials["writer"])
    assert (await client.post(f"/{guard}", headers=[("authorization", token)])).status_code == 200
    assert (await client.post(f"/{guard}", headers=[("authorization", token)] * 2)).status_code == 401


@pytest.mark.parametrize("guard", STATISTICS)
async def test_each_token_has_its_own_calls_and_only_admitted_ones_count(
    client: httpx.AsyncClient, credentials: dict[str, str | None], fake_clock: Any, guard: str
) -> None:
    async def ask(who: str) -> int:
        return (await client.post(f"/{guard}", headers={"authorization": str(credentials[who])})).status_code

    for _ in range(TOKEN_LIMIT):
        assert await ask("writer") == 200
    for _ in range(60):
        assert await ask("writer") == 429
        fake_clock.advance(1)
    assert await ask("bot") == 200
    fake_clock.advance(1)
    assert await ask("writer") == 200


@pytest.fixture
async def listed(database: Database, vault: Vault) -> None:
    """acme shares a secret with the list of the bot."""
    async with database.session(write=True) as db:
        db.add(bare_bot("acme", BOT, webhook_secret=vault.encrypt(SECRET)))


def signed(clock: Any, body: bytes = b"{}") -> dict[str, str]:
    return {"x-topgg-signature": signature(SECRET, clock.now_ms() // 1000, body)}


@pytest.mark.usefixtures("listed")
async def test_a_signature_is_for_votes_alone(
    client: httpx.AsyncClient, credentials: dict[str, str | None], fake_clock: Any
) -> None:
    statuses = {}
    for guard in ALLOWED:
        answer = await client.post(f"/{guard}/{BOT}", headers=signed(fake_clock), content=b"{}")
        statuses[guard] = answer.status_code
    assert [guard for guard, status in statuses.items() if status == 200] == [
        "public",
        "require_scraper",
        "require_vote_sender",
    ]


@pytest.mark.usefixtures("listed")
async def test_a_wrong_signature_is_401_whatever_the_token(
    client: httpx.AsyncClient, credentials: dict[str, str | None], fake_clock: Any
) -> None:
    token = {"authorization": str(credentials["writer"])}
    right = signed(fake_clock)
    for headers in (
        {"x-topgg-signature": ""} | token,
        signed(fake_clock, b"other") | token,
        [*right.items(), *right.items(), *token.items()],
    ):
        answer = await client.post(f"/require_vote_sender/{BOT}", headers=headers, content=b"{}")
        assert answer.status_code == 401
    assert (await client.post("/require_vote_sender", headers=right, content=b"{}")).status_code == 401
    answer = await client.post(f"/require_vote_sender/{BOT}", headers=right | token, content=b"{}")
    assert (answer.status_code, answer.text) == (200, "StatsPrincipal")


@pytest.mark.usefixtures("listed")
async def test_signed_webhooks_are_counted_apart_from_tokens(
    client: httpx.AsyncClient, credentials: dict[str, str | None], fake_clock: Any
) -> None:
    async def send(headers: dict[str, str]) -> int:
        return (await client.post(f"/require_vote_sender/{BOT}", headers=headers, content=b"{}")).status_code

    token = {"authorization": str(credentials["bot"])}
    for _ in range(2 * WEBHOOK_LIMIT):
        assert await send(signed(fake_clock, b"forged")) == 401  # which use nothing up
    statuses = [await send(signed(fake_clock)) for _ in range(WEBHOOK_LIMIT + 2)]
    assert statuses == [200] * WEBHOOK_LIMIT + [429] * 2
    assert [await send(token) for _ in range(TOKEN_LIMIT + 1)] == [200] * TOKEN_LIMIT + [429]
