"""Invitations in the metadata database. No function here finds an expired one."""

from collections.abc import Sequence

from sqlalchemy import delete, select

from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Invite

_SELECT_OPEN_INVITE = "SELECT 1 FROM invites WHERE token_hash = ? AND expires_at_ms > ?"


async def list_invites(db: Session, workspace_id: str, now_ms: int) -> Sequence[Invite]:
    """List the workspace's open invitations, newest first."""
    invites = await db.scalars(
        select(Invite)
        .where(Invite.workspace_id == workspace_id, Invite.expires_at_ms > now_ms)
        .order_by(Invite.created_at_ms.desc(), Invite.id.desc())
    )
    return invites.all()


async def find_invite(db: Session, workspace_id: str, invite_id: str, now_ms: int) -> Invite | None:
    """Find the open invitation with this id, if it belongs to the workspace."""
    is_invite = (Invite.workspace_id == workspace_id) & (Invite.id == invite_id)
    return await db.scalar(select(Invite).where(is_invite, Invite.expires_at_ms > now_ms))


async def find_invite_by_email(db: Session, workspace_id: str, email: str, now_ms: int) -> Invite | None:
    """Find the workspace's open invitation to this lower-case address; there is at most one."""
    is_to_address = (Invite.workspace_id == workspace_id) & (Invite.email == email)
    return await db.scalar(select(Invite).where(is_to_address, Invite.expires_at_ms > now_ms))


async def has_open_invite(database: Database, token_hash: bytes, now_ms: int) -> bool:
    """Return whether `find_invite_by_token` finds one, without a transaction."""
    return await database.look_up(_SELECT_OPEN_INVITE, token_hash, now_ms) is not None


async def find_invite_by_token(db: Session, token_hash: bytes, now_ms: int) -> Invite | None:
    """Find the open invitation whose token has this SHA-256, in any workspace."""
    return await db.scalar(select(Invite).where(Invite.token_hash == token_hash, Invite.expires_at_ms > now_ms))


async def add_invite(db: Session, invite: Invite) -> None:
    """Store a new invitation, and delete expired ones."""
    await db.execute(delete(Invite).where(Invite.expires_at_ms <= invite.created_at_ms))
    db.add(invite)
    await db.flush()


async def delete_invite(db: Session, invite: Invite) -> None:
    """Delete an invitation that was withdrawn, replaced or accepted."""
    await db.delete(invite)
    await db.flush()
