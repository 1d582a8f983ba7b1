"""Who may hand out which role, as it stands within the transaction."""

import pytest
from sqlalchemy import update

from tallyroom.auth.granting import find_granting_role, grantable_roles, refuse_role_above
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.roles import Role
from tallyroom.core.errors import Forbidden
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership


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
    assert grantable_roles(own) == roles


def test_nobody_reaches_above_himself() -> None:
    allowed = {(own, other) for own in Role for other in Role if not refuses(own, other)}
    order = list(Role)
    assert allowed == {(own, other) for own in order for other in order[: order.index(own) + 1]}


def refuses(own: Role, other: Role) -> bool:
    try:
        refuse_role_above(own, other)
    except Forbidden:
        return True
    return False


@pytest.mark.parametrize(("role", "holds"), [("viewer", False), ("developer", False), ("admin", True), ("owner", True)])
async def test_the_role_of_this_moment_counts(
    database: Database,
    owner: MemberPrincipal,
    role: str,
    holds: bool,
) -> None:
    async with database.session(write=True) as db:
        await db.execute(update(Membership).where(Membership.user_id == "owner").values(role=role))
        if holds:
            assert await find_granting_role(db, owner) == role
        else:
            with pytest.raises(Forbidden):
                await find_granting_role(db, owner)
