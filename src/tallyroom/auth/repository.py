"""The look-ups behind a credential: keys, sessions and environments."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import CursorResult, bindparam, delete, or_, select, update

from tallyroom.auth.roles import Role
from tallyroom.auth.tenant import KeyPrincipal
from tallyroom.db.connection import Database, Session
from tallyroom.db.models import ApiKey, Environment, Membership, SignIn, Workspace

# As text: building and compiling it anew would cost more than running it.
_FIND_KEY = """
    SELECT api_keys.id, workspace_id, environment, plan, revoked_at_ms
    FROM api_keys JOIN workspaces ON workspaces.id = workspace_id
    WHERE secret_hash = ?
"""


class FoundKey(NamedTuple):
    """A key as it stands now; a revoked one is found too."""

    principal: KeyPrincipal
    revoked: bool


class FoundSession(NamedTuple):
    """A session with the role and plan that hold at this moment; times in milliseconds UTC."""

    user_id: str
    workspace_id: str
    role: Role
    plan: str
    last_seen_at_ms: int
    expires_at_ms: int


def find_key(database: Database, secret_hash: bytes) -> FoundKey | None:
    """The key with this SHA-256."""
    row = database.peek(_FIND_KEY, secret_hash)
    if row is None:
        return None
    *identity, revoked_at_ms = row
    return FoundKey(KeyPrincipal(*identity), revoked=revoked_at_ms is not None)


async def store_last_used(db: Session, used: Mapping[str, int]) -> None:
    """Write the newest use (milliseconds UTC) of each key id."""
    # Below the ORM, which would insist that every key still exists.
    statement = update(ApiKey).where(ApiKey.id == bindparam("key")).values(last_used_at_ms=bindparam("at_ms"))
    connection = await db.connection()
    await connection.execute(statement, [{"key": key_id, "at_ms": at_ms} for key_id, at_ms in sorted(used.items())])


async def find_session(db: Session, token_hash: bytes) -> FoundSession | None:
    """The session with this SHA-256; none when its user is no longer a member of its workspace."""
    row = (
        await db.execute(
            select(
                SignIn.user_id,
                SignIn.workspace_id,
                Membership.role,
                Workspace.plan,
                SignIn.last_seen_at_ms,
                SignIn.expires_at_ms,
            )
            .join(
                Membership,
                (Membership.user_id == SignIn.user_id) & (Membership.workspace_id == SignIn.workspace_id),
            )
            .join(Workspace, Workspace.id == SignIn.workspace_id)
            .where(SignIn.token_hash == token_hash)
        )
    ).one_or_none()
    return row and FoundSession(row[0], row[1], Role(row[2]), row[3], row[4], row[5])


async def touch_session(db: Session, token_hash: bytes, now_ms: int) -> None:
    """Note that the session is in use."""
    await db.execute(update(SignIn).where(SignIn.token_hash == token_hash).values(last_seen_at_ms=now_ms))


async def delete_session(db: Session, token_hash: bytes) -> None:
    """Forget the session, if there is one."""
    await db.execute(delete(SignIn).where(SignIn.token_hash == token_hash))


async def delete_dead_sessions(db: Session, user_id: str, now_ms: int, idle_since_ms: int) -> int:
    """Forget the user's sessions that have run out; the number of them."""
    dead = or_(SignIn.expires_at_ms <= now_ms, SignIn.last_seen_at_ms <= idle_since_ms)
    result = await db.execute(delete(SignIn).where(SignIn.user_id == user_id, dead))
    return result.rowcount if isinstance(result, CursorResult) else 0


async def environment_exists(db: Session, workspace_id: str, name: str) -> bool:
    """Whether the workspace has this environment."""
    return await db.get(Environment, (workspace_id, name)) is not None
