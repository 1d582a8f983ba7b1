"""Whether what a guard found still holds, asked within the transaction that acts on it.

A guard looks before the transaction begins, and a write waits for its turn. Meanwhile somebody else may have taken the
member out, demoted him, ended his session or revoked the token, and been told that it is done.
"""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from tallyroom.auth import repository
from tallyroom.auth.roles import Role
from tallyroom.auth.stats_tokens import StatsRefused
from tallyroom.auth.tenant import Principal, SessionPrincipal, StatsPrincipal
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.core.methods import SAFE_METHODS
from tallyroom.db.connection import Session

_PRINCIPAL = "principal"
_LEAST = "least_role"


def remember(connection: ASGIConnection[Any, Any, Any, Any], principal: Principal, least: Role = Role.VIEWER) -> None:
    """Keep what the guard of a request has found, and the role that it asked for."""
    connection.scope["state"][_PRINCIPAL] = principal
    connection.scope["state"][_LEAST] = least


def remembered(connection: ASGIConnection[Any, Any, Any, Any]) -> Principal:
    """The principal that the guard of a request has found."""
    principal: Principal = connection.scope["state"][_PRINCIPAL]
    return principal


async def provide_db(request: Request[Any, Any, Any], transaction: SkipValidation[NamedDependency[Session]]) -> Session:
    """The dependency `db`: the transaction of the request, in which the one who asks is still who he was.

    Raises:
        Unauthorized: for a write, his session has ended, or his token was revoked, since the guard looked.
        Forbidden: for a write, his role is less than the guard asked for by now.
    """
    principal = remembered(request)
    if request.method in SAFE_METHODS:
        return transaction
    if isinstance(principal, SessionPrincipal):
        await recheck_role(transaction, principal, request.scope["state"][_LEAST])
    if isinstance(principal, StatsPrincipal):
        await refuse_revoked(transaction, principal)
    return transaction


async def recheck_role(db: Session, principal: SessionPrincipal, least: Role = Role.VIEWER) -> Role:
    """The principal's role as it stands within the transaction `db`.

    Raises:
        Unauthorized: his session has ended, or he is no member any more.
        Forbidden: his role is less than `least`.
    """
    role = await repository.role_of_session(db, principal.session_hash, principal.workspace_id)
    if role is None:
        raise Unauthorized("Sign in first.")
    refuse_below(least, role)
    return role


def refuse_below(least: Role, role: Role) -> None:
    """Refuse who has not the role `least`.

    Raises:
        Forbidden: his `role` is less.
    """
    if not role.at_least(least):
        raise Forbidden(f"This needs the role {least} or higher; you are {role}.")


async def refuse_revoked(db: Session, principal: StatsPrincipal) -> None:
    """Refuse a token of the statistics API that does not hold any more within the transaction `db`.

    A signed webhook needs no second look: all of it was there when the guard looked.

    Raises:
        StatsRefused: it was revoked.
    """
    if not principal.signs and not await repository.stats_token_holds(db, principal.token_id):
        raise StatsRefused
