"""Founding a workspace."""

from typing import Any

from sqlalchemy import select

from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AuditEntry, Environment, Membership


async def test_it_has_an_owner_two_environments_and_an_entry_in_its_log(database: Database, fake_clock: Any) -> None:
    settings = Settings(default_plan="free")
    async with database.session(write=True) as db:
        made = await set_up_workspace(
            db, "New", "viewer", settings=settings, clock=fake_clock, id_generator=IdGenerator(fake_clock)
        )
    assert (made.name, made.plan, made.timezone, made.created_at_ms) == ("New", "free", "UTC", fake_clock.now_ms())
    async with database.session(write=False) as db:
        memberships = (await db.scalars(select(Membership).where(Membership.workspace_id == made.id))).all()
        names = set(await db.scalars(select(Environment.name).where(Environment.workspace_id == made.id)))
        entries = (await db.scalars(select(AuditEntry))).all()
    assert [(membership.user_id, membership.role, membership.joined_at_ms) for membership in memberships] == [
        ("viewer", "owner", fake_clock.now_ms())
    ]
    assert names == {"production", "development"}
    assert [(entry.workspace_id, entry.by_user, entry.action, entry.subject) for entry in entries] == [
        (made.id, "viewer", "workspace.create", made.id)
    ]
