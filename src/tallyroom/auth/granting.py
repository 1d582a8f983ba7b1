"""Rules for granting, changing and taking away roles (rules/people#granting-roles).

Only admins and owners may do so. Nobody grants a role above their own, and only owners can change owners.
"""

from tallyroom.auth.principals import SessionPrincipal
from tallyroom.auth.recheck import recheck_session
from tallyroom.auth.roles import Role
from tallyroom.core.errors import Forbidden
from tallyroom.storage.metadata.connection import Session


async def granting_role(db: Session, principal: SessionPrincipal) -> Role:
    """Return the principal's current role, read within the transaction `db`.

    If two owners demote each other at the same moment, the second is no longer an owner and is refused.

    Raises:
        Unauthorized: their session has ended, or they are no longer a member.
        Forbidden: they are no longer an admin or owner.
    """
    return await recheck_session(db, principal, Role.ADMIN)


def grantable(own: Role) -> list[Role]:
    """Return the roles that a member with the role `own` may grant."""
    return [role for role in Role if own.at_least(Role.ADMIN) and own.at_least(role)]


def refuse_above(own: Role, other: Role) -> None:
    """Refuse to grant, change or take away the role `other`.

    Raises:
        Forbidden: `other` is above `own`.
    """
    if not own.at_least(other):
        raise Forbidden(f"This needs the role {other}, which is above yours: {own}.")
