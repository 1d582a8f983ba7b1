"""Accepting on a clock that a test moves, and what is stored."""

from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from harness.clients.cookies import COOKIE
from harness.clients.letters import token_in
from harness.stores.metadata_edits import at_rest
from tallyroom.auth.throttle import Throttle
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Invite, SignIn

WEEK = 7 * 24 * 3600
NEWCOMER = {"name": "Ann", "password": "correct horse"}
GUEST = "guest@example.com"


@pytest.fixture
async def owner(sign_up: Any) -> httpx.AsyncClient:
    client: httpx.AsyncClient = await sign_up("owner")
    return client


async def keep_signed_in(client: httpx.AsyncClient, fake_clock: Any, seconds: float) -> None:
    """Let `seconds` pass, with a request now and then."""
    step = 6 * 3600
    while seconds > 0:
        fake_clock.advance(min(step, seconds))
        seconds -= step
        assert (await client.get("/v1/auth/me")).status_code == 200


async def invite(owner: httpx.AsyncClient, email: str = GUEST) -> Any:
    answer = await owner.post("/v1/invites", json={"email": email, "role": "viewer"})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def accept(server: Any, token: str, **options: Any) -> httpx.Response:
    async with server.client(**options) as client:
        answer: httpx.Response = await client.post("/v1/invites/accept", json={"token": token, **NEWCOMER})
        return answer


async def test_an_invitation_holds_for_seven_days(owner: httpx.AsyncClient, open_server: Any, fake_clock: Any) -> None:
    made = await invite(owner)
    assert (made["createdAt"], made["expiresAt"]) == ("2026-11-20T12:00:00.000Z", "2026-11-27T12:00:00.000Z")
    fake_clock.advance(WEEK - 0.001)
    assert (await accept(open_server, made["token"])).status_code == 201


@pytest.mark.long
async def test_after_seven_days_it_is_as_if_it_had_never_been(
    owner: httpx.AsyncClient, open_server: Any, fake_clock: Any, database: Database
) -> None:
    made = await invite(owner)
    await keep_signed_in(owner, fake_clock, WEEK)
    late, never = await accept(open_server, made["token"]), await accept(open_server, "tri_" + "0" * 43)
    assert (late.status_code, late.json()["message"]) == (400, never.json()["message"])
    assert (await owner.get("/v1/invites")).json() == {"invites": []}
    assert (await owner.delete(f"/v1/invites/{made['id']}")).status_code == 404
    again = await invite(owner)  # it replaces nothing, and what has run out is forgotten
    async with database.session(write=False) as db:
        assert list(await db.scalars(select(Invite.id))) == [again["id"]]
    assert (await accept(open_server, again["token"])).status_code == 201


async def test_whoever_is_overtaken_hears_that_the_token_was_used(
    owner: httpx.AsyncClient, open_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = (await invite(owner))["token"]
    was_right = Throttle.undo_token_attempt

    async def overtaken(self: Throttle, network: str) -> None:
        monkeypatch.setattr(Throttle, "undo_token_attempt", was_right)
        assert (await accept(open_server, token)).status_code == 201
        await was_right(self, network)

    monkeypatch.setattr(Throttle, "undo_token_attempt", overtaken)
    assert (await accept(open_server, token)).status_code == 400


async def test_the_token_is_not_stored(owner: httpx.AsyncClient, database: Database, tmp_path: Any) -> None:
    made = await invite(owner)
    stored = at_rest(tmp_path)
    assert made["id"].encode() in stored
    assert made["token"][4:].encode() not in stored


async def test_a_session_from_before_ends_when_a_new_person_comes_in(
    owner: httpx.AsyncClient, open_server: Any, fake_clock: Any, database: Database
) -> None:
    """Somebody else may have planted its token in the browser."""
    planted = owner.cookies[COOKIE]
    fake_clock.advance(12 * 3600)  # idle for so long that it is over
    async with open_server.client() as client:
        body = {"email": "owner@example.com", "password": "correct horse"}
        token = (await client.post("/v1/auth/login", json=body)).headers["x-session-token"]
        made = await invite(client)
    answer = await accept(open_server, made["token"], headers={"cookie": f"{COOKIE}={planted}"})
    assert answer.status_code == 201
    assert answer.headers["x-session-token"] not in {planted, token}
    async with database.session(write=False) as db:
        assert await db.scalar(select(func.count()).select_from(SignIn)) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("settings", "start"),
    [
        (Settings(open_signup=True), "http://127.0.0.1:8480/invite?token="),
        (Settings(open_signup=True, base_url="https://tally.example.com"), "https://tally.example.com/invite?token="),
    ],
)
async def test_the_mailed_link_leads_to_the_public_address(
    database: Database,
    fake_clock: Any,
    open_server: Any,
    caplog: pytest.LogCaptureFixture,
    settings: Settings,
    start: str,
) -> None:
    """Never to what the request says about its host, which anybody can write there."""
    server = type(open_server)(database, settings, fake_clock)
    async with server.client(headers={"host": "evil.example"}) as client:
        body = {"email": "owner@example.com", "password": "correct horse", "name": "Owner"}
        token = (await client.post("/v1/auth/signup", json=body)).headers["x-session-token"]
        client.headers["authorization"] = f"Bearer {token}"
        made = await invite(client)
    await server.queue.start_due()
    await server.queue.wait_until_idle()
    [letter] = [record.__dict__ for record in caplog.records if record.name == "tallyroom.letters"]
    assert letter["to"] == GUEST
    assert f"\n{start}{made['token']}\n" in letter["text"]
    assert token_in(letter["text"]) == made["token"]
