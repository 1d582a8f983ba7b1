"""Who may hand out, change and take away which role (contract 2).

Admins and owners do. Nobody grants a role above his own, and only owners touch owners.
"""

from tallyroom.auth.repository import find_membership
from tallyroom.auth.roles import Role
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.db.connection import Session


async def granting_role(db: Session, principal: SessionPrincipal) -> Role:
    """The principal's role as it stands within the transaction `db`.

    The guard looked before the transaction began. Somebody else may have been faster: of two owners who demote each
    other in the same moment, the second is no owner any more.

    Raises:
        Unauthorized: he is no member any more.
        Forbidden: he is neither admin nor owner any more.
    """
    membership = await find_membership(db, principal.user_id, principal.workspace_id)
    if membership is None:
        raise Unauthorized("Sign in first.")
    role = Role(membership.role)
    if not role.at_least(Role.ADMIN):
        raise Forbidden(f"This needs the role {Role.ADMIN} or higher; you are {role}.")
    return role


def grantable(own: Role) -> list[Role]:
    """The roles that a member with the role `own` may hand out."""
    return [role for role in Role if own.at_least(Role.ADMIN) and own.at_least(role)]


def refuse_above(own: Role, other: Role) -> None:
    """Refuse to grant, change or take away the role `other`.

    Raises:
        Forbidden: it is above the role `own`.
    """
    if not own.at_least(other):
        raise Forbidden(f"This is about the role {other}, which is above yours: {own}.")
