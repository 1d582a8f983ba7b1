"""API keys and tokens in the metadata database. The workspace is always the caller's own."""

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm.attributes import flag_modified

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import ApiKey, PersonalToken, StatsToken

Credential = TypeVar("Credential", ApiKey, PersonalToken, StatsToken)


async def list_credentials(db: Session, table: type[Credential], workspace_id: str) -> Sequence[Credential]:
    """List the workspace's credentials of one kind, newest first."""
    newest_first = table.created_at_ms.desc(), table.id.desc()
    return (await db.scalars(select(table).where(table.workspace_id == workspace_id).order_by(*newest_first))).all()


async def find_credential(
    db: Session, table: type[Credential], workspace_id: str, credential_id: str
) -> Credential | None:
    """Find the credential with this id, if it belongs to the workspace."""
    return await db.scalar(select(table).where(table.workspace_id == workspace_id, table.id == credential_id))


async def count_unrevoked(db: Session, table: type[Credential], workspace_id: str) -> int:
    """Count the workspace's credentials of one kind that are not revoked."""
    is_unrevoked = (table.workspace_id == workspace_id) & table.revoked_at_ms.is_(None)
    return await db.scalar(select(func.count()).select_from(table).where(is_unrevoked)) or 0


def mark_revocation_changed(credential: ApiKey | PersonalToken | StatsToken) -> None:
    """Store again when a credential was revoked, which counts as a change of access."""
    flag_modified(credential, "revoked_at_ms")


async def add_credential(db: Session, credential: ApiKey | PersonalToken | StatsToken) -> None:
    """Store a new credential."""
    db.add(credential)
    await db.flush()
