"""What is common to keys and tokens."""

from sqlalchemy import select

from harness.servers.one_of_several import Several
from tallyroom.auth.audit import Action
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.workspaces import set_up_workspace
from tallyroom.core.settings import Settings
from tallyroom.storage.metadata.models import ApiKey, AuditEntry, User


async def test_a_revocation_that_is_repeated_is_a_change_of_access_again(several: Several) -> None:
    """The first answer may have been that not every worker knows of it."""
    async with several.opened("a") as services:
        database, clock, id_generator = services.database, services.clock, services.ids
        async with database.session(write=True) as db:
            [user] = await db.scalars(select(User))
            workspace = await set_up_workspace(
                db, "W", user.id, settings=Settings(), clock=clock, id_generator=id_generator
            )
            principal = MemberPrincipal(user.id, workspace.id, Role.OWNER, "paid", b"")
            key = build_credential(
                ApiKey, principal, "tr_live_key", clock, id_generator, name="key", environment="production"
            )
            await store_credential(db, principal, key, Action.KEY_CREATE, {}, clock, id_generator)
        for _ in range(2):
            before = database.change_version("access")
            async with database.session(write=True) as db:
                [key] = await db.scalars(select(ApiKey))
                await revoke_credential(db, principal, key, Action.KEY_REVOKE, {}, clock, id_generator)
            assert database.change_version("access") != before
        async with database.session(write=False) as db:
            actions = [entry.action for entry in await db.scalars(select(AuditEntry))]
        assert actions.count(Action.KEY_REVOKE) == 1
