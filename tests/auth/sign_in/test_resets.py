"""A new password by a mailed link: for the owner of the mailbox, once, within an hour (rules/people#new-passwords)."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

from harness.clients.letters import token_in
from harness.stores.metadata_edits import at_rest
from tallyroom.auth.sign_in.reset_requests import MAX_WAITING
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database

EMAIL = "owner@example.com"
OLD, NEW = "correct horse", "battery staple"
SIGNUP = {"email": EMAIL, "password": OLD, "name": "Owner"}


@pytest.fixture
async def owner(client: httpx.AsyncClient) -> httpx.AsyncClient:
    await client.post("/v1/auth/signup", json=SIGNUP)
    return client


async def log_in(client: httpx.AsyncClient, password: str) -> httpx.Response:
    return await client.post("/v1/auth/login", json={"email": EMAIL, "password": password})


async def ask(client: httpx.AsyncClient, email: str = EMAIL, **options: Any) -> httpx.Response:
    """Ask for a link, and wait until the mails that wait are sent."""
    answer = await client.post("/v1/auth/reset", json={"email": email}, **options)
    state = client._transport.app.state  # type: ignore[attr-defined] # the app of the test
    await state["reset_requests"].close()
    await state["queue"].start_due()
    await state["queue"].wait_until_idle()
    return answer


async def confirm(client: httpx.AsyncClient, token: str, password: str = NEW) -> httpx.Response:
    return await client.post("/v1/auth/reset/confirm", json={"token": token, "password": password})


def letters(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.__dict__ for record in caplog.records if record.name == "tallyroom.letters"]


async def mailed_token(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> str:
    assert (await ask(client)).status_code == 202
    return token_in(letters(caplog)[-1]["text"])


async def test_a_link_is_mailed_and_works_once(owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    assert (await ask(owner, "OWNER@example.com")).status_code == 202
    [letter] = letters(caplog)
    assert (letter["to"], letter["subject"]) == (EMAIL, "Set a new Tallyroom password")
    token = token_in(letter["text"])
    assert f"\n\nhttp://127.0.0.1:8480/reset?token={token}\n\n" in letter["text"]
    answer = await confirm(owner, token)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "set-cookie" not in answer.headers
    assert (await owner.get("/v1/auth/me")).status_code == 401
    assert [(await log_in(owner, password)).status_code for password in (OLD, NEW)] == [401, 200]
    assert (await confirm(owner, token, OLD)).status_code == 400
    assert (await log_in(owner, NEW)).status_code == 200


@pytest.mark.parametrize(("email", "writes"), [(EMAIL, True), ("nobody@example.com", False)])
async def test_a_request_for_an_unknown_address_writes_nothing(
    owner: httpx.AsyncClient, database: Database, email: str, writes: bool
) -> None:
    before = database.change_version("access")
    await ask(owner, email)
    assert (database.change_version("access") != before) == writes


async def test_a_request_for_an_unknown_address_waits_for_nobody(owner: httpx.AsyncClient, database: Database) -> None:
    async with database.session(write=True):  # nobody else can write
        assert (await ask(owner, "nobody@example.com")).status_code == 202


async def test_what_is_asked_next_tells_nobody_which_accounts_exist(
    owner: httpx.AsyncClient, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is looked up before the answers, not even for the next request of the same connection."""
    looked_up: list[str] = []
    monkeypatch.setattr(server.reset_requests, "_pause_seconds", 60.0)
    monkeypatch.setattr(server.reset_requests, "_mail_reset_link", AsyncMock(side_effect=looked_up.append))
    for email in (EMAIL, "nobody@example.com"):
        assert (await owner.post("/v1/auth/reset", json={"email": email})).status_code == 202
        assert (await owner.get("/v1/auth/me")).status_code == 200
    assert looked_up == []
    await server.reset_requests.close()
    assert looked_up == [EMAIL, "nobody@example.com"]


@pytest.mark.long
async def test_beyond_ten_thousand_requests_one_more_is_refused_whoever_it_is_for(
    owner: httpx.AsyncClient, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.reset_requests, "_pause_seconds", 60.0)
    for number in range(MAX_WAITING):
        server.reset_requests.add(f"{number}@example.com")
    for email in (EMAIL, "nobody@example.com"):
        answer = await owner.post("/v1/auth/reset", json={"email": email})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    await server.reset_requests.close()


async def test_the_answer_tells_nobody_which_accounts_exist(
    owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    known, unknown = [await ask(owner, email) for email in (EMAIL, "nobody@example.com")]
    assert known.status_code == unknown.status_code == 202
    assert known.content == unknown.content
    assert known.headers == unknown.headers
    assert [letter["to"] for letter in letters(caplog)] == [EMAIL]


async def test_the_answer_does_not_wait_for_the_look_up(
    owner: httpx.AsyncClient, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Known and unknown cost the same up to the answer: nothing was looked at yet."""
    async with database.session(write=True):  # nobody else can write
        asking = asyncio.ensure_future(ask(owner))
        await asyncio.sleep(0.2)
        assert letters(caplog) == []
    assert (await asking).status_code == 202
    assert len(letters(caplog)) == 1


async def test_a_link_that_cannot_be_made_is_the_logs_business(
    owner: httpx.AsyncClient, server: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server.database, "session", lambda **_: 1 / 0)
    assert (await ask(owner)).status_code == 202
    assert "a password reset link could not be emailed" in caplog.text


async def test_the_link_leads_to_this_server_whatever_the_request_says(
    server: Any, database: Database, fake_clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    public = type(server)(database, Settings(base_url="https://stats.example.com"), fake_clock)
    async with public.client() as client:
        await client.post("/v1/auth/signup", json=SIGNUP)
        headers = {"host": "evil.example", "x-forwarded-host": "evil.example", "forwarded": "host=evil.example"}
        assert (await ask(client, headers=headers)).status_code == 202
    [letter] = letters(caplog)
    assert "https://stats.example.com/reset?token=trr_" in letter["text"]
    assert "evil" not in letter["text"]


async def test_asking_again_leaves_the_first_link_and_using_one_ends_all(
    owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = [await mailed_token(owner, caplog) for _ in range(2)]
    assert (await confirm(owner, first)).status_code == 204
    assert (await confirm(owner, second)).status_code == 400


async def test_a_changed_password_ends_the_links(owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    token = await mailed_token(owner, caplog)
    answer = await owner.post("/v1/auth/password", json={"current": OLD, "new": NEW})
    assert answer.status_code == 204
    assert (await confirm(owner, token)).status_code == 400


async def test_unknown_used_and_old_tokens_get_one_answer(
    owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, fake_clock: Any
) -> None:
    old = await mailed_token(owner, caplog)
    fake_clock.advance(3600)
    used = await mailed_token(owner, caplog)
    await confirm(owner, used)
    session = (await log_in(owner, NEW)).headers["x-session-token"]
    answers = [await confirm(owner, token) for token in (old, used, "trr_" + "x" * 43, "", "🗝", session)]
    assert {answer.status_code for answer in answers} == {400}
    assert len({answer.text for answer in answers}) == 1
    assert answers[0].json()["details"] == [{"path": ["token"], "message": "is unknown, used, or older than an hour"}]


async def test_of_eight_uses_of_a_link_one_wins(owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    token = await mailed_token(owner, caplog)
    answers = await asyncio.gather(*(confirm(owner, token, f"{NEW} {number}") for number in range(8)))
    assert sorted(answer.status_code for answer in answers) == [204] + [400] * 7
    winner = next(number for number, answer in enumerate(answers) if answer.status_code == 204)
    assert (await log_in(owner, f"{NEW} {winner}")).status_code == 200


@pytest.mark.long
@pytest.mark.parametrize("email", [EMAIL, "nobody@example.com"])
async def test_an_address_is_asked_for_three_times(owner: httpx.AsyncClient, email: str, fake_clock: Any) -> None:
    statuses = [(await ask(owner, each)).status_code for each in (email, email.upper(), email, email)]
    assert statuses == [202, 202, 202, 429]
    fake_clock.advance(1200)
    assert (await ask(owner, email)).status_code == 202


async def test_tokens_cannot_be_tried_without_end(owner: httpx.AsyncClient) -> None:
    statuses = [(await confirm(owner, f"trr_{number}")).status_code for number in range(32)]
    assert statuses == [400] * 30 + [429] * 2


async def test_who_was_locked_out_by_others_comes_in_by_a_link(
    server: Any, database: Database, fake_clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    behind_proxy = type(server)(database, Settings(trusted_proxies="127.0.0.0/8"), fake_clock)
    async with behind_proxy.client() as client:
        await client.post("/v1/auth/signup", json=SIGNUP)
        for number in range(60):
            client.headers["x-forwarded-for"] = f"198.51.100.{number}"
            await log_in(client, "wrong password")
        client.headers["x-forwarded-for"] = "203.0.113.9"
        assert (await log_in(client, OLD)).status_code == 429
        await confirm(client, await mailed_token(client, caplog))
        assert (await log_in(client, NEW)).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        ("reset", {}, ["email"]),
        ("reset", {"email": "owner"}, ["email"]),
        ("reset", {"email": "owner@example.com\r\nBcc: you@example.com"}, ["email"]),
        ("reset", {"email": EMAIL, "baseUrl": "https://evil.example"}, ["baseUrl"]),
        ("reset/confirm", {"token": "x"}, ["password"]),
        ("reset/confirm", {"password": NEW}, ["token"]),
        ("reset/confirm", {"token": "x" * 257, "password": NEW}, ["token"]),
        ("reset/confirm", {"token": "x", "password": "too short"}, ["password"]),
        ("reset/confirm", {"token": "x", "password": NEW, "email": EMAIL}, ["email"]),
    ],
)
async def test_a_wrong_field_is_named(client: httpx.AsyncClient, path: str, body: object, wrong: list[str]) -> None:
    answer = await client.post(f"/v1/auth/{path}", json=body)
    assert answer.status_code == 400
    assert [detail["path"] for detail in answer.json()["details"]] == [wrong]


async def test_mailed_tokens_are_nowhere_at_rest(
    owner: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    tokens = [await mailed_token(owner, caplog) for _ in range(3)]
    stored = at_rest(tmp_path)
    assert b"password_resets" in stored
    assert not any(token[4:].encode() in stored for token in tokens)
