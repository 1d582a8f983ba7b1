"""A write that was sent before its sender lost their role, membership or session does nothing after it."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select, update

from tallyroom.db.connection import Database
from tallyroom.db.models import ApiKey, AuditEntry, Invite, Membership, SignIn

LOSSES: dict[str, tuple[Any, int]] = {
    "their membership": (delete(Membership), 401),
    "their role": (update(Membership).values(role="viewer"), 403),
    "their session": (delete(SignIn), 401),
}
WRITES: dict[str, Callable[[httpx.AsyncClient], Any]] = {
    "a key": lambda client: client.post("/v1/keys", json={"name": "late", "environment": "production"}),
    "an invitation": lambda client: client.post("/v1/invites", json={"email": "a@example.com", "role": "viewer"}),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("write", WRITES)
async def test_a_write_that_is_outrun_is_refused(
    sign_up: Any, open_server: Any, database: Database, monkeypatch: pytest.MonkeyPatch, write: str, loss: str
) -> None:
    owner = await sign_up()
    statement, status = LOSSES[loss]
    sessions = open_server.app.state.authenticator.sessions
    resolve = sessions.resolve

    async def lose_after(token: str) -> Any:
        principal = await resolve(token)
        async with database.session(write=True) as db:
            await db.execute(statement)
        return principal

    monkeypatch.setattr(sessions, "resolve", lose_after)
    answer = await WRITES[write](owner)
    assert answer.status_code == status
    async with database.session(write=False) as db:
        for kept in (ApiKey, Invite):
            assert await db.scalar(select(func.count()).select_from(kept)) == 0
        assert list(await db.scalars(select(AuditEntry.action))) == ["workspace.create"]
