"""Environments in the metadata database. The workspace is always the caller's."""

from sqlalchemy import ColumnElement, delete, func, select, update

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import (
    AlertActivity,
    ApiKey,
    Dashboard,
    Environment,
    IdempotencyKey,
    IdempotencyQueue,
)


async def find_environment(db: Session, workspace_id: str, name: str) -> Environment | None:
    """Find the workspace's environment of this name."""
    return await db.get(Environment, (workspace_id, name))


async def add_environment(db: Session, environment: Environment) -> None:
    """Store a new environment."""
    db.add(environment)
    await db.flush()


async def list_environments_with_retention(db: Session) -> list[tuple[str, str]]:
    """List (workspace id, name) of every environment in any workspace that does not keep its events forever."""
    query = select(Environment.workspace_id, Environment.name).where(Environment.retention_days.is_not(None))
    return [(row[0], row[1]) for row in await db.execute(query)]


async def count_live_keys(db: Session, environment: Environment) -> int:
    """Count the environment's keys that are not revoked."""
    statement = (
        select(func.count()).select_from(ApiKey).where(_is_in(environment, ApiKey), ApiKey.revoked_at_ms.is_(None))
    )
    return await db.scalar(statement) or 0


async def count_dashboards(db: Session, environment: Environment) -> int:
    """Count the dashboards that show the environment."""
    statement = select(func.count()).select_from(Dashboard).where(_is_in(environment, Dashboard))
    return await db.scalar(statement) or 0


async def delete_environment(db: Session, environment: Environment) -> None:
    """Delete an environment with what depends on it; the history of its alerts stays in the workspace."""
    await db.execute(update(AlertActivity).where(_is_in(environment, AlertActivity)).values(environment=None))
    api_key_ids = select(ApiKey.id).where(_is_in(environment, ApiKey))
    await db.execute(delete(IdempotencyQueue).where(IdempotencyQueue.api_key_id.in_(api_key_ids)))
    await db.execute(delete(ApiKey).where(_is_in(environment, ApiKey), ApiKey.revoked_at_ms.is_not(None)))
    await db.execute(delete(IdempotencyKey).where(_is_in(environment, IdempotencyKey)))
    await db.delete(environment)
    await db.flush()


def _is_in(
    environment: Environment, table: type[AlertActivity | ApiKey | Dashboard | IdempotencyKey]
) -> ColumnElement[bool]:
    return (table.workspace_id == environment.workspace_id) & (table.environment == environment.name)
