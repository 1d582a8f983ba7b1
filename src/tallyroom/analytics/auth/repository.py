"""Users, their workspaces and memberships in the metadata database."""

from collections.abc import Sequence

from sqlalchemy import exists, select

from tallyroom.db.connection import Session
from tallyroom.db.models import Environment, Membership, User, Workspace


async def any_user(db: Session) -> bool:
    """Whether anybody has signed up yet."""
    return bool(await db.scalar(select(exists().select_from(User))))


async def find_user(db: Session, user_id: str) -> User | None:
    """The user with this id."""
    return await db.get(User, user_id)


async def find_user_by_email(db: Session, email: str) -> User | None:
    """The user with this lower-case address."""
    return await db.scalar(select(User).where(User.email == email))


async def list_memberships(db: Session, user_id: str) -> Sequence[tuple[Workspace, str]]:
    """The user's workspaces with his role in each, oldest first."""
    rows = await db.execute(
        select(Workspace, Membership.role)
        .join(Membership, Membership.workspace_id == Workspace.id)
        .where(Membership.user_id == user_id)
        .order_by(Workspace.created_at_ms, Workspace.id)
    )
    return [(row[0], row[1]) for row in rows]


async def add_user(db: Session, user: User) -> None:
    """Store a new user."""
    db.add(user)
    await db.flush()


async def add_workspace(db: Session, workspace: Workspace, environments: Sequence[str], owner: Membership) -> None:
    """Store a new workspace with its first environments and its owner."""
    db.add(workspace)
    await db.flush()
    db.add(owner)
    for name in environments:
        db.add(Environment(workspace_id=workspace.id, name=name, created_at_ms=workspace.created_at_ms))
    await db.flush()
