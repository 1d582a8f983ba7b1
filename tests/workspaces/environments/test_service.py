"""Deleting an environment when something comes in between."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.secrets import hash_secret
from tallyroom.auth.sessions import SessionStore
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.errors import Conflict, Forbidden, TallyroomError, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import ApiKey, AuditEntry, Dashboard, Environment, Membership, User
from tallyroom.workspaces.environments.schemas import EnvironmentIn
from tallyroom.workspaces.environments.service import create_environment, delete_environment

Meanwhile = Callable[[], Awaitable[None]]


class Erasure:
    """Remembers what it was asked to erase; something may happen meanwhile."""

    def __init__(self, meanwhile: Meanwhile | None = None) -> None:
        self.erased: list[Scope] = []
        self._meanwhile = meanwhile

    async def erase_environment(self, scope: Scope) -> int:
        self.erased.append(scope)
        if self._meanwhile is not None:
            await self._meanwhile()
        return 0


@pytest.fixture
async def principal(database: Database, fake_clock: Any) -> MemberPrincipal:
    """The owner of a workspace that has an environment `staging`."""
    id_generator = IdGenerator(fake_clock)
    async with database.session(write=True) as db:
        db.add(User(id="owner", email="owner@example.com", name="Owner", password_hash="", created_at_ms=0))
        await db.flush()
        made = await set_up_workspace(
            db, "w", "owner", settings=Settings(), clock=fake_clock, id_generator=id_generator
        )
        token = await SessionStore(database, fake_clock, id_generator).create(db, "owner", made.id)
        owner = MemberPrincipal("owner", made.id, Role.OWNER, "paid", hash_secret(token))
        await create_environment(db, owner, EnvironmentIn("staging"), fake_clock, id_generator)
    return owner


async def names(database: Database) -> list[str]:
    async with database.session(write=False) as db:
        return sorted(await db.scalars(select(Environment.name)))


async def delete(database: Database, erasure: Erasure, principal: MemberPrincipal, clock: Any) -> None:
    await delete_environment(database, erasure, principal, "staging", clock, IdGenerator(clock))  # type: ignore[arg-type] # all that it is asked for


async def test_the_events_go_before_the_name_is_free(
    database: Database, principal: MemberPrincipal, fake_clock: Any
) -> None:
    async def look() -> None:
        assert "staging" in await names(database)

    erasure = Erasure(look)
    await delete(database, erasure, principal, fake_clock)
    assert erasure.erased == [Scope(principal.workspace_id, "staging")]
    assert await names(database) == ["development", "production"]


async def test_a_store_that_cannot_erase_keeps_it_and_the_log_has_the_attempt(
    database: Database, principal: MemberPrincipal, fake_clock: Any
) -> None:
    async def fail() -> None:
        raise Unavailable("not now")

    with pytest.raises(Unavailable):
        await delete(database, Erasure(fail), principal, fake_clock)
    assert "staging" in await names(database)
    await delete(database, Erasure(), principal, fake_clock)
    assert "staging" not in await names(database)
    async with database.session(write=False) as db:
        actions = list(await db.scalars(select(AuditEntry.action)))
    assert actions.count("environment.delete") == 2


async def add_key(database: Database, workspace_id: str) -> None:
    async with database.session(write=True) as db:
        key = ApiKey(
            id="k",
            workspace_id=workspace_id,
            environment="staging",
            name="k",
            prefix="p",
            secret_hash=b"",
            created_at_ms=0,
        )
        db.add(key)


async def add_dashboard(database: Database, workspace_id: str) -> None:
    async with database.session(write=True) as db:
        dashboard = Dashboard(
            id="d",
            workspace_id=workspace_id,
            name="d",
            environment="staging",
            time_range="7d",
            is_public=False,
            created_at_ms=0,
            updated_at_ms=0,
        )
        db.add(dashboard)


async def demote(database: Database) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(Membership).values(role="viewer"))


@pytest.mark.parametrize(
    ("happens", "refusal"), [("add_key", Conflict), ("add_dashboard", Conflict), ("demote", Forbidden)]
)
async def test_what_happens_meanwhile_counts(
    database: Database, principal: MemberPrincipal, fake_clock: Any, happens: str, refusal: type[TallyroomError]
) -> None:
    """A key or dashboard made while the events went keeps the environment, and so does the loss of the role."""

    async def meanwhile() -> None:
        if happens == "demote":
            await demote(database)
        else:
            await (add_key if happens == "add_key" else add_dashboard)(database, principal.workspace_id)

    with pytest.raises(refusal):
        await delete(database, Erasure(meanwhile), principal, fake_clock)
    assert "staging" in await names(database)
