"""Personal access tokens, with what their makers may currently do (rules/people#token-expiry)."""

from sqlalchemy import func, or_, select, update

from tallyroom.auth.principals import MemberPrincipal, TokenGrant, TokenScope
from tallyroom.auth.roles import Role
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Membership, PersonalToken

# Written as text: building and compiling these each time would cost more than running them.
_SELECT_BY_HASH = """
    SELECT token.id, token.created_by, token.workspace_id, role, plan, scopes, environment, expires_at_ms
    FROM personal_tokens AS token
    JOIN memberships ON memberships.user_id = token.created_by AND memberships.workspace_id = token.workspace_id
    JOIN workspaces ON workspaces.id = token.workspace_id
    WHERE secret_hash = ? AND revoked_at_ms IS NULL
"""
_SELECT_VALID = """
    SELECT 1 FROM personal_tokens
    WHERE id = ? AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?)
"""


async def find_token(database: Database, secret_hash: bytes) -> MemberPrincipal | None:
    """Find the maker of the token with this SHA-256 and what it allows; None if revoked. It may have expired."""
    row = await database.look_up(_SELECT_BY_HASH, secret_hash)
    if row is None:
        return None
    token_id, user_id, workspace_id, role, plan, scopes, environment, expires_at_ms = row
    grant = TokenGrant(token_id, scopes_of(scopes), environment, expires_at_ms, Role(role))
    return MemberPrincipal(user_id, workspace_id, grant.role, plan, b"", grant)


async def is_token_valid(database: Database, token_id: str, now_ms: int) -> bool:
    """Return True if the token exists, and is neither revoked nor expired."""
    return await database.look_up(_SELECT_VALID, token_id, now_ms) is not None


async def count_valid_tokens(db: Session, workspace_id: str, user_id: str, now_ms: int) -> int:
    """Count the tokens of a member that are neither revoked nor expired."""
    is_of_member = (PersonalToken.workspace_id == workspace_id) & (PersonalToken.created_by == user_id)
    is_unrevoked = is_of_member & PersonalToken.revoked_at_ms.is_(None)
    is_unexpired = or_(PersonalToken.expires_at_ms.is_(None), PersonalToken.expires_at_ms > now_ms)
    return await db.scalar(select(func.count()).select_from(PersonalToken).where(is_unrevoked, is_unexpired)) or 0


async def find_maker_role(db: Session, token_id: str, now_ms: int) -> Role | None:
    """Find the role of a token's maker in its workspace; None if the token is revoked, expired or deleted."""
    role = await db.scalar(
        select(Membership.role)
        .join(
            PersonalToken,
            (PersonalToken.created_by == Membership.user_id) & (PersonalToken.workspace_id == Membership.workspace_id),
        )
        .where(
            PersonalToken.id == token_id,
            PersonalToken.revoked_at_ms.is_(None),
            or_(PersonalToken.expires_at_ms.is_(None), PersonalToken.expires_at_ms > now_ms),
        )
    )
    return None if role is None else Role(role)


async def revoke_user_tokens(db: Session, user_id: str, now_ms: int) -> None:
    """Revoke all tokens of the user, in every workspace."""
    is_unrevoked = (PersonalToken.created_by == user_id) & PersonalToken.revoked_at_ms.is_(None)
    await db.execute(update(PersonalToken).where(is_unrevoked).values(revoked_at_ms=now_ms))


def scopes_of(text: str) -> frozenset[TokenScope]:
    """Return the scopes that a row of the table names."""
    return frozenset(map(TokenScope, text.split()))
