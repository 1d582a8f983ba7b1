"""Who may hand out which role, as it stands within the transaction."""

import pytest
from sqlalchemy import delete, update

from tallyroom.auth.granting import grantable, granting_role, refuse_above
from tallyroom.auth.roles import Role
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.db.connection import Database
from tallyroom.db.models import Membership

OWNER = SessionPrincipal("owner", "acme", Role.OWNER, "paid", b"")


@pytest.mark.parametrize(
    ("own", "roles"),
    [
        (Role.VIEWER, []),
        (Role.DEVELOPER, []),
        (Role.ADMIN, [Role.VIEWER, Role.DEVELOPER, Role.ADMIN]),
        (Role.OWNER, list(Role)),
    ],
)
def test_what_each_role_may_hand_out(own: Role, roles: list[Role]) -> None:
    assert grantable(own) == roles


def test_nobody_reaches_above_himself() -> None:
    allowed = {(own, other) for own in Role for other in Role if not refuses(own, other)}
    order = list(Role)
    assert allowed == {(own, other) for own in order for other in order[: order.index(own) + 1]}


def refuses(own: Role, other: Role) -> bool:
    try:
        refuse_above(own, other)
    except Forbidden:
        return True
    return False


@pytest.mark.parametrize(("role", "holds"), [("viewer", False), ("developer", False), ("admin", True), ("owner", True)])
async def test_the_role_of_this_moment_counts(database: Database, role: str, holds: bool) -> None:  # noqa: FBT001
    async with database.session(write=True) as db:
        await db.execute(update(Membership).where(Membership.user_id == "owner").values(role=role))
        if holds:
            assert await granting_role(db, OWNER) == role
        else:
            with pytest.raises(Forbidden):
                await granting_role(db, OWNER)


async def test_who_was_removed_meanwhile_is_nobody(database: Database) -> None:
    async with database.session(write=True) as db:
        await db.execute(delete(Membership).where(Membership.user_id == "owner"))
        with pytest.raises(Unauthorized):
            await granting_role(db, OWNER)
