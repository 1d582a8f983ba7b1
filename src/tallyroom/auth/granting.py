"""Rules for granting, changing and taking away roles (rules/people#granting-roles)."""

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_session_role
from tallyroom.auth.roles import Role
from tallyroom.core.errors import Forbidden
from tallyroom.storage.metadata.connection import Session


async def find_granting_role(db: Session, principal: MemberPrincipal) -> Role:
    """Return the principal's current role, read within the transaction `db`; raises `Forbidden` below admin."""
    return await recheck_session_role(db, principal, Role.ADMIN)


def grantable_roles(own_role: Role) -> list[Role]:
    """Return the roles that a member with the role `own_role` may grant."""
    return [role for role in Role if own_role.at_least(Role.ADMIN) and own_role.at_least(role)]


def refuse_role_above(own_role: Role, other_role: Role) -> None:
    """Raise `Forbidden` if `other_role`, which someone wants to grant, change or remove, is above `own_role`."""
    if not own_role.at_least(other_role):
        raise Forbidden(f"This needs the {other_role} role, which is above yours ({own_role}).")
