"""The audit log has a deed exactly when the deed is done (rules/people#audit-log)."""

from typing import Any

import pytest
from sqlalchemy import select

from tallyroom.auth.audit import Action, Initiator, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AuditEntry, User

ADMIN = MemberPrincipal("admin", "acme", Role.ADMIN, "paid", b"")


async def entries(database: Database) -> list[AuditEntry]:
    async with database.session(write=False) as db:
        return list(await db.scalars(select(AuditEntry)))


async def test_an_entry_names_who_when_and_what(database: Database, fake_clock: Any) -> None:
    async with database.session(write=True) as db:
        details: dict[str, str | int | None] = {"name": "Änderung", "days": 3, "before": None}
        await record(
            db,
            ADMIN,
            Action.ENVIRONMENT_UPDATE,
            "staging",
            details,
            clock=fake_clock,
            id_generator=IdGenerator(fake_clock),
        )
    [entry] = await entries(database)
    assert (entry.workspace_id, entry.by_user, entry.by_email) == ("acme", "admin", "admin@example.com")
    assert (entry.at_ms, entry.action, entry.subject) == (fake_clock.now_ms(), "environment.update", "staging")
    assert entry.details == '{"name":"Änderung","days":3,"before":null}'


async def test_a_deed_that_is_undone_leaves_no_entry(database: Database, fake_clock: Any) -> None:
    async def fail() -> None:
        async with database.session(write=True) as db:
            await record(db, ADMIN, Action.KEY_CREATE, "id", {}, clock=fake_clock, id_generator=IdGenerator(fake_clock))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await entries(database) == []


async def test_the_operator_has_no_name(database: Database, fake_clock: Any) -> None:
    async with database.session(write=True) as db:
        doer = Initiator("acme", None)
        await record(
            db,
            doer,
            Action.WORKSPACE_UPDATE,
            "acme",
            {"plan": "free"},
            clock=fake_clock,
            id_generator=IdGenerator(fake_clock),
        )
    [entry] = await entries(database)
    assert (entry.by_user, entry.by_email) == (None, None)


async def test_the_address_stays_when_the_account_goes(database: Database, fake_clock: Any) -> None:
    async with database.session(write=True) as db:
        await record(db, ADMIN, Action.KEY_CREATE, "id", {}, clock=fake_clock, id_generator=IdGenerator(fake_clock))
    async with database.session(write=True) as db:
        await db.delete(await db.get_one(User, "admin"))
    [entry] = await entries(database)
    assert (entry.by_user, entry.by_email) == (None, "admin@example.com")


def test_each_action_is_a_thing_and_a_verb() -> None:
    assert all(len(action.split(".")) == 2 for action in Action)
