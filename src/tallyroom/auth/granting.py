"""Who may hand out, change and take away which role (rules/people#granting-roles).

Admins and owners do. Nobody grants a role above his own, and only owners touch owners.
"""

from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.errors import Forbidden
from tallyroom.db.connection import Session


async def granting_role(db: Session, principal: SessionPrincipal) -> Role:
    """The principal's role as it stands within the transaction `db`.

    Of two owners who demote each other in the same moment, the second is no owner any more.

    Raises:
        Unauthorized: his session has ended, or he is no member any more.
        Forbidden: he is neither admin nor owner any more.
    """
    return await recheck_role(db, principal, Role.ADMIN)


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
