"""As whom people write who are not signed in yet: never among the strangers (rules/safety#write-turns)."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from harness.clients.letters import token_in
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Invite, User
from tallyroom.storage.metadata.write_turns import STRANGERS, current_turn_owner

EMAIL, PASSWORD, NEW = "owner@example.com", "correct horse", "battery staple"
LOGIN = {"email": EMAIL, "password": PASSWORD}


class Writers(list[str]):
    """As whom the transactions that write began."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        session = database.session

        def noted(*, write: bool) -> Any:
            if write:
                self.append(current_turn_owner())
            return session(write=write)

        monkeypatch.setattr(database, "session", noted)


@pytest.fixture
async def owner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    assert (await client.post("/v1/auth/signup", json=LOGIN | {"name": "Owner"})).status_code == 201
    return client


async def user_id(database: Database) -> str:
    async with database.session(write=False) as db:
        found = await db.scalar(select(User.id).where(User.email == EMAIL))
    assert found is not None
    return found


async def invited(owner: httpx.AsyncClient) -> dict[str, str]:
    answer = await owner.post("/v1/invites", json={"email": "new@example.com", "role": "viewer"})
    owner.cookies.clear()
    invite: dict[str, str] = answer.json()
    return invite


async def sign_in(owner: httpx.AsyncClient) -> httpx.Response:
    return await owner.post("/v1/auth/login", json=LOGIN)


async def sign_out(owner: httpx.AsyncClient) -> httpx.Response:
    return await owner.post("/v1/auth/logout")


@pytest.mark.parametrize("request_", [sign_in, sign_out])
async def test_somebody_who_signs_in_or_out_writes_as_themselves(
    owner: httpx.AsyncClient,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    request_: Callable[[httpx.AsyncClient], Awaitable[httpx.Response]],
) -> None:
    writers = Writers(database, monkeypatch)
    assert (await request_(owner)).is_success
    assert writers == [await user_id(database)]


async def test_an_old_hash_is_replaced_as_its_user(
    owner: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch, server: Any
) -> None:
    passwords = server.app.state["authenticator"].passwords
    typed = "correct horse\u00a0!"
    async with database.session(write=True) as db:
        await db.execute(update(User).values(password_hash=passwords._hasher.hash(typed)))
    writers = Writers(database, monkeypatch)
    assert (await owner.post("/v1/auth/login", json={"email": EMAIL, "password": typed})).status_code == 200
    assert writers == [await user_id(database)] * 2


async def test_a_sign_in_link_is_opened_as_its_maker(
    owner: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = (await owner.post("/v1/auth/links")).json()["url"]
    owner.cookies.clear()
    writers = Writers(database, monkeypatch)
    assert (await owner.get(link)).status_code == 303
    assert writers == [await user_id(database)]


async def test_a_new_password_is_asked_for_and_set_as_its_user(
    owner: httpx.AsyncClient,
    server: Any,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    owner.cookies.clear()
    writers = Writers(database, monkeypatch)
    assert (await owner.post("/v1/auth/reset", json={"email": EMAIL})).status_code == 202
    await server.reset_requests.close()
    assert writers == [await user_id(database)]
    await server.queue.start_due()
    await server.queue.wait_until_idle()
    [letter] = [record.__dict__["text"] for record in caplog.records if record.name == "tallyroom.letters"]
    writers.clear()
    body = {"token": token_in(letter), "password": NEW}
    assert (await owner.post("/v1/auth/reset/confirm", json=body)).status_code == 204
    assert writers == [await user_id(database)]


async def test_a_newcomer_writes_as_the_workspace_that_invited_them(
    owner: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace_id = (await owner.get("/v1/auth/me")).json()["workspace"]["id"]
    invite = await invited(owner)
    writers = Writers(database, monkeypatch)
    body = {"token": invite["token"], "name": "New", "password": NEW}
    assert (await owner.post("/v1/invites/accept", json=body)).status_code == 201
    assert writers == [workspace_id]


async def test_a_signed_in_person_accepts_as_themselves(
    owner: httpx.AsyncClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite = await invited(owner)
    async with database.session(write=True) as db:
        await db.execute(update(Invite).values(email="elsewhere@example.com"))
    assert (await sign_in(owner)).status_code == 200
    writers = Writers(database, monkeypatch)
    assert (await owner.post("/v1/invites/accept", json={"token": invite["token"]})).status_code == 403
    assert writers == [await user_id(database)]


async def test_whoever_signs_up_writes_among_the_strangers(
    server: Any, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers = Writers(database, monkeypatch)
    async with server.client() as client:
        await client.post("/v1/auth/signup", json=LOGIN | {"name": "Owner"})
    assert writers == [STRANGERS]
