"""A write that was sent before its sender lost their role, membership or session does nothing after it."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select, update

from harness.suite.few import few
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Annotation, ApiKey, AuditEntry, Invite, Membership, PersonalToken, SignIn

LOSSES: dict[str, tuple[Any, int]] = {
    "their membership": (delete(Membership), 401),
    "their role": (update(Membership).values(role="viewer"), 403),
    "their session": (delete(SignIn), 401),
}
WRITES: dict[str, Callable[[httpx.AsyncClient], Any]] = {
    "a key": lambda client: client.post("/v1/keys", json={"name": "late", "environment": "production"}),
    "an invitation": lambda client: client.post("/v1/invites", json={"email": "a@example.com", "role": "viewer"}),
}


@few(2, "loss", LOSSES)
@pytest.mark.parametrize("write", WRITES)
async def test_a_write_that_is_outrun_is_refused(
    sign_up: Any, open_server: Any, database: Database, monkeypatch: pytest.MonkeyPatch, write: str, loss: str
) -> None:
    owner = await sign_up()
    statement, status = LOSSES[loss]
    sessions = open_server.app.state.authenticator.sessions
    resolve = sessions.resolve_token

    async def lose_after(token: str) -> Any:
        principal = await resolve(token)
        async with database.session(write=True) as db:
            await db.execute(statement)
        return principal

    monkeypatch.setattr(sessions, "resolve_token", lose_after)
    answer = await WRITES[write](owner)
    assert answer.status_code == status
    async with database.session(write=False) as db:
        for kept in (ApiKey, Invite):
            assert await db.scalar(select(func.count()).select_from(kept)) == 0
        assert list(await db.scalars(select(AuditEntry.action))) == ["workspace.create"]


ENDS: dict[str, tuple[Any, int]] = {
    "the membership of its maker": (delete(Membership), 401),
    "the role of its maker": (update(Membership).values(role="viewer"), 403),
    "its validity": (update(PersonalToken).values(revoked_at_ms=1), 401),
    "its time": (None, 401),
}


@pytest.mark.parametrize("loss", ENDS)
async def test_a_write_by_a_token_that_is_outrun_is_refused(
    sign_up: Any, open_server: Any, database: Database, monkeypatch: pytest.MonkeyPatch, fake_clock: Any, loss: str
) -> None:
    owner = await sign_up()
    body = {"name": "t", "scopes": ["annotate"], "expiresAt": "2026-11-20T12:00:05Z"}
    secret = (await owner.post("/v1/tokens", json=body)).json()["secret"]
    statement, status = ENDS[loss]
    tokens = open_server.app.state.authenticator.personal_token_cache
    authenticate = tokens.authenticate

    async def lose_after(authorization: bytes) -> Any:
        principal = await authenticate(authorization)
        if statement is None:
            fake_clock.advance(5)
        else:
            async with database.session(write=True) as db:
                await db.execute(statement)
        return principal

    monkeypatch.setattr(tokens, "authenticate", lose_after)
    mark = {"environment": "production", "label": "v1", "time": "2026-11-20T12:00:00Z"}
    async with open_server.client(headers={"authorization": f"Bearer {secret}"}) as program:
        assert (await program.post("/v1/annotations", json=mark)).status_code == status
    async with database.session(write=False) as db:
        assert await db.scalar(select(func.count()).select_from(Annotation)) == 0
