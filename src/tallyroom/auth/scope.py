"""Which environment a read is about."""

from tallyroom.auth.repository import environment_exists
from tallyroom.auth.secrets import PRODUCTION
from tallyroom.auth.tenant import KeyPrincipal, SessionPrincipal
from tallyroom.core.errors import Forbidden, ValidationFailed
from tallyroom.db.connection import Session


async def environment_of(principal: KeyPrincipal | SessionPrincipal, environment: str | None, db: Session) -> str:
    """The environment that the principal may read here; `environment` is what the request named, None if nothing.

    Raises:
        Forbidden: a key asks for another environment than its own.
        ValidationFailed: the workspace has no such environment.
    """
    if isinstance(principal, KeyPrincipal):
        if environment not in {None, principal.environment}:
            raise Forbidden(f"This key reads the environment {principal.environment} only.")
        return principal.environment
    name = PRODUCTION if environment is None else environment
    if not await environment_exists(db, principal.workspace_id, name):
        raise ValidationFailed.at(["environment"], "is not an environment of this workspace")
    return name
