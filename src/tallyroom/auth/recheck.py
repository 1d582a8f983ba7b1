"""Checks again, within the transaction that acts on it, that a guard's findings still hold.

While a write waits for its turn, the member may be removed or demoted, or the session or token may end.
"""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from tallyroom.auth import repository
from tallyroom.auth.principals import MemberPrincipal, Principal, StatsPrincipal
from tallyroom.auth.roles import Role
from tallyroom.auth.stats_tokens import StatsRefused
from tallyroom.auth.tokens.cache import TokenRefused
from tallyroom.auth.tokens.repository import find_maker_role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Forbidden, Unauthorized
from tallyroom.rest.methods import SAFE_METHODS
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.write_turns import STRANGERS, set_write_turn_owner

_PRINCIPAL_KEY = "principal"
_MIN_ROLE_KEY = "least_role"


def remember_principal(
    connection: ASGIConnection[Any, Any, Any, Any], principal: Principal, min_role: Role = Role.VIEWER
) -> None:
    """Keep the principal that a request's guard has found, and the required role; writes take the workspace's turns."""
    set_write_turn_owner(STRANGERS if principal is None else principal.workspace_id)
    connection.scope["state"][_PRINCIPAL_KEY] = principal
    connection.scope["state"][_MIN_ROLE_KEY] = min_role


def remembered_principal(connection: ASGIConnection[Any, Any, Any, Any]) -> Principal:
    """Return the principal that the request's guard has found."""
    principal: Principal = connection.scope["state"][_PRINCIPAL_KEY]
    return principal


async def provide_db(
    request: Request[Any, Any, Any],
    transaction: SkipValidation[NamedDependency[Session]],
    clock: SkipValidation[NamedDependency[Clock]],
) -> Session:
    """Provide the dependency `db`: the request's transaction, in which the guard's findings still hold for a write."""
    principal = remembered_principal(request)
    if request.method in SAFE_METHODS:
        return transaction
    if isinstance(principal, MemberPrincipal):
        await recheck_role(transaction, principal, clock, request.scope["state"][_MIN_ROLE_KEY])
    if isinstance(principal, StatsPrincipal):
        await refuse_revoked_stats_token(transaction, principal)
    return transaction


async def recheck_role(db: Session, principal: MemberPrincipal, clock: Clock, min_role: Role = Role.VIEWER) -> Role:
    """Return the current role of the principal or of the token's maker; raises `Unauthorized` or `Forbidden`."""
    if principal.token_grant is None:
        return await recheck_session_role(db, principal, min_role)
    role = await find_maker_role(db, principal.token_grant.token_id, clock.now_ms())
    if role is None:
        raise TokenRefused
    refuse_role_below(min_role, role)
    return role


async def recheck_session_role(db: Session, principal: MemberPrincipal, min_role: Role) -> Role:
    """Recheck the role of a signed-in person, and refuse personal access tokens."""
    role = await repository.find_session_role(db, principal.session_hash, principal.workspace_id)
    if role is None:
        raise Unauthorized("Sign in first.")
    refuse_role_below(min_role, role)
    return role


def refuse_role_below(min_role: Role, role: Role) -> None:
    """Raise `Forbidden` if `role` is lower than `min_role`."""
    if not role.at_least(min_role):
        raise Forbidden(f"This needs the {min_role} role or higher; yours is {role}.")


async def refuse_revoked_stats_token(db: Session, principal: StatsPrincipal) -> None:
    """Raise `StatsRefused` if the token was revoked, read within the transaction `db`."""
    if not principal.is_webhook_sender and not await repository.is_stats_token_valid(db, principal.token_id):
        raise StatsRefused
