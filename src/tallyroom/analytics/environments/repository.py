"""Environments in the metadata database. The workspace is always the caller's own."""

from sqlalchemy import ColumnElement, delete, func, select

from tallyroom.db.connection import Session
from tallyroom.db.models import ApiKey, Environment


async def find_environment(db: Session, workspace_id: str, name: str) -> Environment | None:
    """The workspace's environment of this name."""
    return await db.get(Environment, (workspace_id, name))


async def add_environment(db: Session, environment: Environment) -> None:
    """Store a new environment."""
    db.add(environment)
    await db.flush()


async def count_live_keys(db: Session, environment: Environment) -> int:
    """How many keys of the environment are not revoked."""
    live = select(func.count()).select_from(ApiKey).where(_of(environment), ApiKey.revoked_at_ms.is_(None))
    return await db.scalar(live) or 0


async def delete_environment(db: Session, environment: Environment) -> None:
    """Forget an environment and its revoked keys, which have nowhere to belong any more."""
    await db.execute(delete(ApiKey).where(_of(environment), ApiKey.revoked_at_ms.is_not(None)))
    await db.delete(environment)
    await db.flush()


def _of(environment: Environment) -> ColumnElement[bool]:
    return (ApiKey.workspace_id == environment.workspace_id) & (ApiKey.environment == environment.name)
