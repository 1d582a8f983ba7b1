"""Metadata that more than one resource needs: keys, sessions, people, workspaces and environments."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import CursorResult, bindparam, delete, func, or_, select, update

from tallyroom.auth.principals import KeyKind, KeyPrincipal, StatsPrincipal, StatsScope
from tallyroom.auth.roles import Role
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import (
    ApiKey,
    Environment,
    Membership,
    PasswordReset,
    PersonalToken,
    SignIn,
    StatsToken,
    User,
    Workspace,
)

# Written as text: building and compiling these each time would cost more than running them.
_FIND_KEY = """
    SELECT api_keys.id, workspace_id, environment, plan, kind, revoked_at_ms
    FROM api_keys JOIN workspaces ON workspaces.id = workspace_id
    WHERE secret_hash = ?
"""
_FIND_STATS_PRINCIPAL = """
    SELECT id, workspace_id, scope, bot_id FROM stats_tokens WHERE secret_hash = ? AND revoked_at_ms IS NULL
"""
_FIND_SESSION = """
    SELECT user_id, workspace_id, role, plan, last_seen_at_ms, expires_at_ms
    FROM sessions JOIN memberships USING (user_id, workspace_id) JOIN workspaces ON workspaces.id = workspace_id
    WHERE token_hash = ?
"""
_FIND_SECRETS = """
    SELECT workspace_id, webhook_secret FROM bots JOIN workspaces ON workspaces.id = workspace_id
    WHERE bots.id = ? AND webhook_secret IS NOT NULL ORDER BY workspaces.created_at_ms, workspaces.id
"""
_FIND_ENVIRONMENT = "SELECT 1 FROM environments WHERE workspace_id = ? AND name = ?"


class KeyState(NamedTuple):
    """The current state of a key; revoked keys are found, too."""

    principal: KeyPrincipal
    is_revoked: bool


class SessionState(NamedTuple):
    """A session with the current role and plan; times in milliseconds UTC."""

    user_id: str
    workspace_id: str
    role: Role
    plan: str
    last_seen_at_ms: int
    expires_at_ms: int


async def find_key(database: Database, secret_hash: bytes) -> KeyState | None:
    """Find the key with this SHA-256, revoked or not."""
    row = await database.look_up(_FIND_KEY, secret_hash)
    if row is None:
        return None
    return KeyState(KeyPrincipal(row[0], row[1], row[2], row[3], KeyKind(row[4])), is_revoked=row[5] is not None)


async def find_stats_token(database: Database, secret_hash: bytes) -> StatsPrincipal | None:
    """Find the principal of the statistics token with this SHA-256; None if it is unknown or revoked."""
    row = await database.look_up(_FIND_STATS_PRINCIPAL, secret_hash)
    return None if row is None else StatsPrincipal(row[0], row[1], StatsScope(row[2]), row[3])


async def is_stats_token_valid(db: Session, token_id: str) -> bool:
    """Return True if the token of the Statistics API exists and is not revoked."""
    valid_token = select(StatsToken.id).where(StatsToken.id == token_id, StatsToken.revoked_at_ms.is_(None))
    return await db.scalar(valid_token) is not None


async def find_webhook_secrets(database: Database, bot_id: str) -> list[tuple[str, str]]:
    """List the workspaces that have a webhook secret for the bot, each with its encrypted secret, oldest first."""
    return [(workspace_id, secret) for workspace_id, secret in await database.look_up_all(_FIND_SECRETS, bot_id)]


async def store_last_used(
    db: Session, table: type[ApiKey | StatsToken | PersonalToken], last_used_ms_by_id: Mapping[str, int]
) -> None:
    """Write the latest use (milliseconds UTC) of each id in `table`."""
    # Bypasses the ORM, which would insist that every row still exists.
    statement = update(table).where(table.id == bindparam("used")).values(last_used_at_ms=bindparam("at_ms"))
    uses = [{"used": row_id, "at_ms": at_ms} for row_id, at_ms in sorted(last_used_ms_by_id.items())]
    await (await db.connection()).execute(statement, uses)


async def find_session(database: Database, token_hash: bytes) -> SessionState | None:
    """Find the session with this SHA-256; None if its user is no longer a member of its workspace."""
    row = await database.look_up(_FIND_SESSION, token_hash)
    return None if row is None else SessionState(row[0], row[1], Role(row[2]), row[3], row[4], row[5])


async def has_environment(database: Database, workspace_id: str, name: str) -> bool:
    """Return what `environment_exists` returns, without a transaction."""
    return await database.look_up(_FIND_ENVIRONMENT, workspace_id, name) is not None


async def find_session_role(db: Session, token_hash: bytes, workspace_id: str) -> Role | None:
    """Find the workspace role of the user whose session has this SHA-256; None without a session or a role."""
    role = await db.scalar(
        select(Membership.role)
        .join(SignIn, SignIn.user_id == Membership.user_id)
        .where(SignIn.token_hash == token_hash, Membership.workspace_id == workspace_id)
    )
    return None if role is None else Role(role)


async def touch_session(db: Session, token_hash: bytes, now_ms: int) -> None:
    """Note that the session is in use."""
    await db.execute(update(SignIn).where(SignIn.token_hash == token_hash).values(last_seen_at_ms=now_ms))


async def set_session_workspace(db: Session, token_hash: bytes, workspace_id: str) -> None:
    """Make this workspace, of which the user is a member, the current one of the session."""
    await db.execute(update(SignIn).where(SignIn.token_hash == token_hash).values(workspace_id=workspace_id))


async def delete_session(db: Session, token_hash: bytes) -> bool:
    """Delete the session; return False if there is none."""
    return await db.scalar(delete(SignIn).where(SignIn.token_hash == token_hash).returning(SignIn.user_id)) is not None


async def delete_sessions(db: Session, user_id: str) -> None:
    """Delete all sessions of the user."""
    await db.execute(delete(SignIn).where(SignIn.user_id == user_id))


async def delete_expired_sessions(db: Session, user_id: str, now_ms: int, idle_since_ms: int) -> int:
    """Delete the user's expired sessions; return their number."""
    is_expired = or_(SignIn.expires_at_ms <= now_ms, SignIn.last_seen_at_ms <= idle_since_ms)
    result = await db.execute(delete(SignIn).where(SignIn.user_id == user_id, is_expired))
    return result.rowcount if isinstance(result, CursorResult) else 0


async def environment_exists(db: Session, workspace_id: str, name: str) -> bool:
    """Return True if the workspace has this environment."""
    return await db.get(Environment, (workspace_id, name)) is not None


async def list_environments(db: Session, workspace_id: str) -> Sequence[Environment]:
    """List the workspace's environments, sorted by name."""
    environments = await db.scalars(
        select(Environment).where(Environment.workspace_id == workspace_id).order_by(Environment.name)
    )
    return environments.all()


async def find_user(db: Session, user_id: str) -> User | None:
    """Find the user with this id."""
    return await db.get(User, user_id)


async def find_user_by_email(db: Session, email: str) -> User | None:
    """Find the user with this lower-case address."""
    return await db.scalar(select(User).where(User.email == email))


async def find_email(db: Session, user_id: str) -> str | None:
    """Find the user's address."""
    return await db.scalar(select(User.email).where(User.id == user_id))


async def add_user(db: Session, user: User) -> None:
    """Store a new user."""
    db.add(user)
    await db.flush()


async def store_password(db: Session, user_id: str, password_hash: str) -> None:
    """Replace the hash of the user's password."""
    await db.execute(update(User).where(User.id == user_id).values(password_hash=password_hash))


async def add_reset(db: Session, reset: PasswordReset, now_ms: int) -> None:
    """Store a permission to set a new password, and delete expired ones."""
    await db.execute(delete(PasswordReset).where(PasswordReset.expires_at_ms <= now_ms))
    db.add(reset)
    await db.flush()


async def is_reset_valid(db: Session, token_hash: bytes, now_ms: int) -> bool:
    """Return True if the permission with this SHA-256 to set a new password exists and has not expired."""
    is_valid = (PasswordReset.token_hash == token_hash) & (PasswordReset.expires_at_ms > now_ms)
    return await db.scalar(select(PasswordReset.user_id).where(is_valid)) is not None


async def replace_password_hash(db: Session, user_id: str, old_hash: str, new_hash: str) -> bool:
    """Store another hash of the same password; return False if `old_hash` is no longer the user's."""
    statement = update(User).where(User.id == user_id, User.password_hash == old_hash).values(password_hash=new_hash)
    return await db.scalar(statement.returning(User.id)) is not None


async def delete_resets(db: Session, user_id: str) -> None:
    """Delete all permissions to set a new password for the user."""
    await db.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))


async def find_membership(db: Session, user_id: str, workspace_id: str) -> Membership | None:
    """Find the user's membership in the workspace."""
    return await db.get(Membership, (user_id, workspace_id))


async def list_workspaces_and_roles(db: Session, user_id: str) -> Sequence[tuple[Workspace, str]]:
    """List the user's workspaces with their role in each, oldest first."""
    rows = await db.execute(
        select(Workspace, Membership.role)
        .join(Membership, Membership.workspace_id == Workspace.id)
        .where(Membership.user_id == user_id)
        .order_by(Workspace.created_at_ms, Workspace.id)
    )
    return [(row[0], row[1]) for row in rows]


async def add_membership(db: Session, membership: Membership) -> None:
    """Store a new member."""
    db.add(membership)
    await db.flush()


async def find_workspace(db: Session, workspace_id: str) -> Workspace | None:
    """Find the workspace with this id."""
    return await db.get(Workspace, workspace_id)


async def add_workspace(db: Session, workspace: Workspace, environment_names: Sequence[str]) -> None:
    """Store a new workspace with its first environments."""
    db.add(workspace)
    await db.flush()
    for name in environment_names:
        db.add(Environment(workspace_id=workspace.id, name=name, created_at_ms=workspace.created_at_ms))
    await db.flush()


async def find_workspaces(db: Session, id_or_name: str) -> Sequence[Workspace]:
    """Find the workspaces with this id or name, oldest first; names may repeat."""
    is_match = or_(Workspace.id == id_or_name, Workspace.name == id_or_name)
    return (await db.scalars(select(Workspace).where(is_match).order_by(Workspace.created_at_ms, Workspace.id))).all()


async def list_workspaces(db: Session) -> Sequence[tuple[Workspace, int]]:
    """List all workspaces of the server with the number of their members, oldest first."""
    member_count = select(func.count()).where(Membership.workspace_id == Workspace.id).scalar_subquery()
    rows = await db.execute(select(Workspace, member_count).order_by(Workspace.created_at_ms, Workspace.id))
    return [(row[0], row[1]) for row in rows]
