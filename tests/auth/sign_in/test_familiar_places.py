"""Where the owner of an account has been, it stays open, however many strangers guess (rules/people#guessing)."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tallyroom.auth.throttle import Throttle
from tallyroom.core.settings import Settings
from tallyroom.storage.limits.local import LocalAttemptLimits
from tallyroom.storage.metadata.connection import Database

EMAIL, PASSWORD, NEW = "owner@example.com", "correct horse", "battery staple"
HOME, CAFE = "203.0.113.9", "192.0.2.1"
BEHIND_PROXY = Settings(trusted_proxies="127.0.0.0/8", open_signup=True)


@pytest.fixture
async def client(server: Any, database: Database, fake_clock: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A browser whose owner has just signed up at home."""
    behind_proxy = type(server)(database, BEHIND_PROXY, fake_clock)
    async with behind_proxy.client() as client:
        body = {"email": EMAIL, "password": PASSWORD, "name": "Owner"}
        answer = await client.post("/v1/auth/signup", json=body, headers={"x-forwarded-for": HOME})
        assert answer.status_code == 201
        yield client


async def sign_in(client: httpx.AsyncClient, place: str, password: str = PASSWORD) -> int:
    client.cookies.clear()
    body = {"email": EMAIL, "password": password}
    return (await client.post("/v1/auth/login", json=body, headers={"x-forwarded-for": place})).status_code


async def close(client: httpx.AsyncClient) -> None:
    """Guess from everywhere, until the account is closed for strangers."""
    guesses = [await sign_in(client, f"198.18.{number}.1", "wrong") for number in range(51)]
    assert guesses == [401] * 50 + [429]
    assert await sign_in(client, "198.51.100.1") == 429


def throttle_of(client: httpx.AsyncClient) -> Throttle:
    throttle: Throttle = client._transport.app.state["throttle"]  # type: ignore[attr-defined] # the app of the test
    return throttle


async def change_password(client: httpx.AsyncClient, place: str) -> None:
    body = {"current": PASSWORD, "new": NEW}
    assert (await client.post("/v1/auth/password", json=body, headers={"x-forwarded-for": place})).status_code == 204


async def test_after_a_sign_up(client: httpx.AsyncClient) -> None:
    await close(client)
    assert await sign_in(client, HOME) == 200


async def test_after_a_restart(client: httpx.AsyncClient, fake_clock: Any) -> None:
    assert await sign_in(client, CAFE) == 200
    throttle_of(client)._attempt_limits = LocalAttemptLimits(fake_clock)
    await close(client)
    assert await sign_in(client, HOME) == 200


async def test_after_a_change_of_password_only_where_it_was_changed(client: httpx.AsyncClient) -> None:
    await change_password(client, CAFE)
    await close(client)
    assert await sign_in(client, HOME, NEW) == 429
    assert await sign_in(client, CAFE, NEW) == 200


async def test_a_familiar_place_may_not_guess_either(client: httpx.AsyncClient) -> None:
    assert [await sign_in(client, HOME, "wrong") for _ in range(12)] == [401] * 10 + [429] * 2
    assert await sign_in(client, HOME) == 429
