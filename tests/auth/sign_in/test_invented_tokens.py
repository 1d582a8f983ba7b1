"""A token that names nothing opens no transaction, so that nobody who invents one can delay others."""

from typing import Any

import httpx
import pytest

from tallyroom.core.errors import Unavailable
from tallyroom.storage.metadata.connection import Database

INVENTED = "0" * 43
SIGNUP = {"email": "owner@example.com", "password": "correct horse", "name": "Owner"}
BEARER = {"headers": {"authorization": f"Bearer trs_{INVENTED}"}}
PERSON = {"name": "New", "password": "battery staple"}
DIGEST = f"0198c5a2-0000-7000-8000-000000000000.{'0' * 32}"

REQUESTS: dict[str, tuple[str, str, dict[str, Any], int]] = {
    "a session by header": ("POST", "/v1/auth/logout", BEARER, 204),
    "a session by cookie": ("POST", "/v1/auth/logout", {"cookies": {"tallyroom_session": f"trs_{INVENTED}"}}, 204),
    "a session, to write": ("POST", "/v1/keys", BEARER | {"json": {"name": "k", "environment": "production"}}, 401),
    "a session, to end all": ("DELETE", "/v1/auth/sessions", BEARER, 401),
    "a sign-in link": ("GET", f"/sign-in/trl_{INVENTED}", {}, 404),
    "a mailed link": (
        "POST",
        "/v1/auth/reset/confirm",
        {"json": {"token": f"trr_{INVENTED}", "password": "battery staple"}},
        400,
    ),
    "an invitation": ("POST", "/v1/invites/accept", {"json": PERSON | {"token": f"tri_{INVENTED}"}}, 400),
    "a digest, to look": ("GET", f"/unsubscribe/{DIGEST}", {}, 200),
    "a digest, to leave it": ("POST", f"/unsubscribe/{DIGEST}", {}, 200),
    "an address": ("POST", "/v1/auth/reset", {"json": {"email": "unknown@example.com"}}, 202),
    "a wrong password": ("POST", "/v1/auth/login", {"json": {"email": SIGNUP["email"], "password": "wrong"}}, 401),
    "a sign-up": ("POST", "/v1/auth/signup", {"json": SIGNUP | {"email": "new@example.com"}}, 403),
    "no token at all": ("GET", "/v1/auth/signup", {}, 200),
}


@pytest.mark.parametrize("request_", REQUESTS)
async def test_what_names_nothing_opens_no_transaction(
    server: Any, client: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    assert (await client.post("/v1/auth/signup", json=SIGNUP)).status_code == 201

    def away(**_: object) -> None:
        raise Unavailable("away")

    monkeypatch.setattr(database, "session", away)
    method, path, options, status = REQUESTS[request_]
    async with server.client() as stranger:
        stranger.cookies.update(options.get("cookies", {}))
        sent = {name: value for name, value in options.items() if name != "cookies"}
        assert (await stranger.request(method, path, **sent)).status_code == status
    await server.reset_requests.close()
