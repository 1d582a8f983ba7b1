"""The environment that a read is about, and what a principal sees (rules/people#limited-token)."""

from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.repository import environment_exists, has_environment
from tallyroom.auth.secrets import PRODUCTION
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database, Session


async def scope_of(principal: KeyPrincipal | MemberPrincipal, environment: str | None, database: Database) -> Scope:
    """Return the scope that the principal may read, for a query outside any transaction; as `environment_of`."""
    environment_name = _choose_environment(principal, environment)
    if isinstance(principal, MemberPrincipal) and not await has_environment(
        database, principal.workspace_id, environment_name
    ):
        raise _unknown_environment()
    return Scope(principal.workspace_id, environment_name)


async def environment_of(principal: KeyPrincipal | MemberPrincipal, environment: str | None, db: Session) -> str:
    """Return the environment that the principal may read; None is the default.

    Raises `Forbidden` for an environment outside a key or limited token, and `ValidationFailed` for an unknown one.
    """
    environment_name = _choose_environment(principal, environment)
    if isinstance(principal, MemberPrincipal) and not await environment_exists(
        db, principal.workspace_id, environment_name
    ):
        raise _unknown_environment()
    return environment_name


def sees_environment(principal: KeyPrincipal | MemberPrincipal, environment: str) -> bool:
    """Return True if the principal can see what belongs to this environment of the workspace."""
    return principal.environment in {None, environment}


def _choose_environment(principal: KeyPrincipal | MemberPrincipal, environment: str | None) -> str:
    if principal.environment is None:
        return PRODUCTION if environment is None else environment
    if environment not in {None, principal.environment}:
        credential = "key" if isinstance(principal, KeyPrincipal) else "token"
        raise Forbidden(f"This {credential} can only read the {principal.environment} environment.")
    return principal.environment


def _unknown_environment() -> ValidationFailed:
    return ValidationFailed.at(["environment"], "is not an environment of this workspace")
