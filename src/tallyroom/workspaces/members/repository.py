"""The members of a workspace in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Select, delete, func, select

from tallyroom.auth.roles import Role
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Invite, Membership, User


class Member(NamedTuple):
    """A user and their membership in the workspace."""

    user: User
    membership: Membership


async def list_members(db: Session, workspace_id: str) -> Sequence[Member]:
    """List the workspace's members in the order in which they joined."""
    rows = await db.execute(_select_members(workspace_id).order_by(Membership.joined_at_ms, Membership.user_id))
    return [Member(row[0], row[1]) for row in rows]


async def find_member(db: Session, workspace_id: str, user_id: str) -> Member | None:
    """Find the member with this user id."""
    row = (await db.execute(_select_members(workspace_id).where(Membership.user_id == user_id))).one_or_none()
    return row and Member(row[0], row[1])


async def count_owners(db: Session, workspace_id: str) -> int:
    """Count the workspace's owners."""
    is_owner = (Membership.workspace_id == workspace_id) & (Membership.role == Role.OWNER)
    return await db.scalar(select(func.count()).select_from(Membership).where(is_owner)) or 0


async def remove_member(db: Session, membership: Membership) -> None:
    """Remove a member from the workspace; their sessions there are deleted as well."""
    await db.delete(membership)
    await db.flush()


async def delete_invites(db: Session, membership: Membership, *, kept_roles: Sequence[Role]) -> Sequence[Invite]:
    """Delete a member's invitations to roles other than these; return the deleted ones."""
    is_by_member = (Invite.workspace_id == membership.workspace_id) & (Invite.created_by == membership.user_id)
    return (
        await db.scalars(delete(Invite).where(is_by_member, Invite.role.not_in(kept_roles)).returning(Invite))
    ).all()


def _select_members(workspace_id: str) -> Select[User, Membership]:
    return (
        select(User, Membership)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.workspace_id == workspace_id)
    )
