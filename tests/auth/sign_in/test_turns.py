"""Whose password is hashed next at each door: known people before strangers (rules/people#sign-in-turns)."""

import asyncio
import threading
from typing import Any

import httpx
import pytest

from harness.clients.letters import token_in
from tallyroom.auth.passwords import MAX_WAITING, Passwords
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database

EMAIL, PASSWORD, NEW = "owner@example.com", "correct horse", "battery staple"
HOME = "203.0.113.9"
BEHIND_PROXY = Settings(trusted_proxies="127.0.0.0/8", open_signup=True)


class HeldHashes:
    """Hashes of a server that wait until they may end, and the passwords, in the order in which their turns came."""

    def __init__(self, passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[str] = []
        self._runs, self._may_end = threading.Semaphore(0), threading.Event()
        self._hasher = passwords._hasher
        monkeypatch.setattr(passwords, "_hasher", self)

    def verify(self, password_hash: str, password: str) -> bool:
        self._wait(password)
        return self._hasher.verify(password_hash, password)

    def hash(self, password: str) -> str:
        self._wait(password)
        return self._hasher.hash(password)

    def _wait(self, password: str) -> None:
        self.order.append(password)
        self._runs.release()
        assert self._may_end.wait(60)

    async def two_run(self) -> None:
        for _ in range(2):
            await asyncio.to_thread(self._runs.acquire)

    def end(self) -> None:
        self._may_end.set()


def from_(place: str) -> dict[str, str]:
    return {"x-forwarded-for": place}


def place(number: int) -> str:
    """An address of a network of its own."""
    return f"198.18.{number}.1"


def log_in(client: httpx.AsyncClient, password: str, where: str, email: str = EMAIL) -> "asyncio.Task[httpx.Response]":
    body = {"email": email, "password": password}
    return asyncio.create_task(client.post("/v1/auth/login", json=body, headers=from_(where)))


async def wait_in_line(passwords: Passwords, count: int) -> None:
    while passwords._slots.waiting_count < count:  # noqa: ASYNC110 # nothing tells when a request has come this far
        await asyncio.sleep(0.001)


@pytest.fixture
async def client(server: Any, database: Database, fake_clock: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A browser on a server with one owner, who has signed up at home; `app.state` has the server's parts."""
    behind_proxy = type(server)(database, BEHIND_PROXY, fake_clock)
    async with behind_proxy.client() as client:
        body = {"email": EMAIL, "password": PASSWORD, "name": "Owner"}
        assert (await client.post("/v1/auth/signup", json=body, headers=from_(HOME))).status_code == 201
        client.cookies.clear()
        yield client


def passwords_of(client: httpx.AsyncClient) -> Passwords:
    passwords: Passwords = client._transport.app.state["authenticator"].passwords  # type: ignore[attr-defined] # the app of the test
    return passwords


async def test_a_familiar_place_goes_before_strangers(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = passwords_of(client)
    held = HeldHashes(passwords, monkeypatch)
    strangers = [log_in(client, f"wrong {number}", place(number)) for number in range(40)]
    await held.two_run()
    await wait_in_line(passwords, 38)
    elsewhere = log_in(client, PASSWORD, "192.0.2.1")
    await wait_in_line(passwords, 39)
    at_home = log_in(client, PASSWORD, HOME)
    await wait_in_line(passwords, 40)
    held.end()
    assert [(await each).status_code for each in (at_home, elsewhere)] == [200, 200]
    assert {(await each).status_code for each in strangers} == {401}
    assert held.order.index(PASSWORD) < 4  # behind the two that ran, beside the other of the next two
    assert held.order[-2:].count(PASSWORD) == 1  # the new place is one of the strangers


@pytest.mark.long
async def test_somebody_with_many_familiar_places_does_not_delay_others(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"email": "crowd@example.com", "password": PASSWORD, "name": "Crowd"}
    assert (await client.post("/v1/auth/signup", json=body, headers=from_(place(0)))).status_code == 201
    for number in range(20):
        assert (await log_in(client, PASSWORD, place(number), body["email"])).status_code == 200
    passwords = passwords_of(client)
    held = HeldHashes(passwords, monkeypatch)
    crowd = [log_in(client, "wrong", place(number), body["email"]) for number in range(20)]
    await held.two_run()
    await wait_in_line(passwords, 18)
    at_home = log_in(client, PASSWORD, HOME)
    await wait_in_line(passwords, 19)
    held.end()
    assert (await at_home).status_code == 200
    assert {(await each).status_code for each in crowd} == {401}
    assert held.order.index(PASSWORD) < 4


async def test_at_the_bound_strangers_get_503_which_is_no_guess_and_the_owner_comes_in(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = passwords_of(client)
    held = HeldHashes(passwords, monkeypatch)
    crowd = [log_in(client, "wrong", place(number), f"{number}@example.com") for number in range(2 + MAX_WAITING)]
    await held.two_run()
    await wait_in_line(passwords, MAX_WAITING)
    for _ in range(12):  # more than a place may guess
        refused = await log_in(client, "wrong", "192.0.2.1")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    body = {"email": "new@example.com", "password": NEW, "name": "New"}
    assert (await client.post("/v1/auth/signup", json=body, headers=from_("192.0.2.1"))).status_code == 503
    at_home = log_in(client, PASSWORD, HOME)
    await wait_in_line(passwords, MAX_WAITING + 1)
    held.end()
    assert (await at_home).status_code == 200
    assert {(await each).status_code for each in crowd} == {401}
    assert (await log_in(client, PASSWORD, "192.0.2.1")).status_code == 200


async def test_a_mailed_token_and_a_session_go_before_strangers(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    state = client._transport.app.state  # type: ignore[attr-defined] # the app of the test
    assert (await client.post("/v1/auth/reset", json={"email": EMAIL})).status_code == 202
    await state["reset_requests"].close()
    await state["queue"].start_due()
    await state["queue"].wait_until_idle()
    [letter] = [record.__dict__["text"] for record in caplog.records if record.name == "tallyroom.letters"]
    token = token_in(letter)
    passwords = passwords_of(client)
    held = HeldHashes(passwords, monkeypatch)
    strangers = [log_in(client, f"wrong {number}", place(number)) for number in range(20)]
    await held.two_run()
    await wait_in_line(passwords, 18)
    body = {"token": token, "password": NEW}
    confirmed = asyncio.create_task(client.post("/v1/auth/reset/confirm", json=body, headers=from_("192.0.2.1")))
    await wait_in_line(passwords, 19)
    held.end()
    assert (await confirmed).status_code == 204
    await asyncio.gather(*strangers)
    assert held.order.index(NEW) < 4


async def test_the_place_of_a_new_password_is_familiar_and_the_others_are_forgotten(
    client: httpx.AsyncClient, database: Database
) -> None:
    places = client._transport.app.state["authenticator"].familiar_places  # type: ignore[attr-defined] # the app of the test
    session = (await log_in(client, PASSWORD, HOME)).headers["x-session-token"]
    me = (await client.get("/v1/auth/me", headers={"authorization": f"Bearer {session}"})).json()["user"]["id"]
    assert [await places.is_familiar(database, me, each) for each in (HOME, "192.0.2.1")] == [True, False]
    headers = from_("192.0.2.1") | {"authorization": f"Bearer {session}"}
    changed = await client.post("/v1/auth/password", json={"current": PASSWORD, "new": NEW}, headers=headers)
    assert changed.status_code == 204
    assert [await places.is_familiar(database, me, each) for each in (HOME, "192.0.2.1")] == [False, True]
