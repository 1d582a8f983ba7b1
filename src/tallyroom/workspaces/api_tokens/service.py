"""The rules of personal access tokens: who makes, sees and revokes them (rules/people#personal-access-token)."""

from collections.abc import Sequence

import msgspec

from tallyroom.auth.audit import Action, Details
from tallyroom.auth.credentials.repository import find_credential, list_credentials
from tallyroom.auth.credentials.service import issue, revoke, store
from tallyroom.auth.principals import SessionPrincipal, TokenScope
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.secrets import mint_personal_token
from tallyroom.auth.tokens.repository import scopes_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.core.ranges import END_MS
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PersonalToken
from tallyroom.workspaces.api_tokens import repository
from tallyroom.workspaces.api_tokens.schemas import NewTokenOut, TokenIn, TokenOut

MAX_TOKENS = 50
"""Of a member in a workspace, revoked and expired ones aside."""


async def list_tokens(db: Session, principal: SessionPrincipal) -> list[TokenOut]:
    """List the tokens of the principal, newest first; an admin sees those of all members."""
    tokens = await list_credentials(db, PersonalToken, principal.workspace_id)
    return [_out(token) for token in tokens if _may_see(principal.user_id, principal.role, token)]


async def create_token(db: Session, principal: SessionPrincipal, body: TokenIn, clock: Clock, ids: Ids) -> NewTokenOut:
    """Create a token of the principal's own.

    Raises:
        ValidationFailed: a scope appears twice, the workspace has no such environment, or the end is not in the future.
        Conflict: the principal already has as many valid tokens as they may.
    """
    own = {
        "name": body.name,
        "scopes": " ".join(_checked(body.scopes)),
        "environment": None if body.environment is None else await environment_of(principal, body.environment, db),
        "expires_at_ms": None if body.expires_at is None else _end(body.expires_at, clock),
    }
    if await repository.count_valid(db, principal.workspace_id, principal.user_id, clock.now_ms()) >= MAX_TOKENS:
        raise Conflict(f"You have {MAX_TOKENS} valid tokens, the most you may have. Revoke one first.")
    secret = mint_personal_token(ids)
    token = issue(PersonalToken, principal, secret, clock, ids, **own)
    await store(db, principal, token, Action.TOKEN_CREATE, _details(token), clock, ids)
    return NewTokenOut(**msgspec.structs.asdict(_out(token)), secret=secret)


async def revoke_token(db: Session, principal: SessionPrincipal, token_id: str, clock: Clock, ids: Ids) -> None:
    """Revoke a token permanently. It remains in the list; revoking it again changes nothing.

    Raises:
        NotFound: the principal sees no such token.
    """
    role = await recheck_role(db, principal, clock)
    token = await find_credential(db, PersonalToken, principal.workspace_id, token_id)
    if token is None or not _may_see(principal.user_id, role, token):
        raise NotFound("You have no such token.")
    await revoke(db, principal, token, Action.TOKEN_REVOKE, _details(token), clock, ids)


def _may_see(user_id: str, role: Role, token: PersonalToken) -> bool:
    return token.created_by == user_id or role.at_least(Role.ADMIN)


def _checked(scopes: Sequence[TokenScope]) -> list[TokenScope]:
    """Return the scopes in their usual order."""
    for index, scope in enumerate(scopes):
        if scope in scopes[:index]:
            raise ValidationFailed.at(["scopes", index], "is a repetition")
    return _ordered(scopes)


def _ordered(scopes: Sequence[TokenScope] | frozenset[TokenScope]) -> list[TokenScope]:
    return [scope for scope in TokenScope if scope in scopes]


def _end(text: str, clock: Clock) -> int:
    end_ms = parse_timestamp(text)
    if end_ms is None:
        raise ValidationFailed.at(["expiresAt"], "is not an ISO 8601 date-time")
    if not clock.now_ms() < end_ms <= END_MS:
        raise ValidationFailed.at(["expiresAt"], "is not in the future, or after 2100-01-01")
    return end_ms


def _details(token: PersonalToken) -> Details:
    return {
        "name": token.name,
        "scopes": token.scopes,
        "environment": token.environment,
        "expiresAt": iso_ms_or_none(token.expires_at_ms),
        "prefix": token.prefix,
        "createdBy": token.created_by,
    }


def _out(token: PersonalToken) -> TokenOut:
    return TokenOut(
        id=token.id,
        name=token.name,
        scopes=_ordered(scopes_of(token.scopes)),
        environment=token.environment,
        prefix=token.prefix,
        created_at=iso_ms(token.created_at_ms),
        created_by=token.created_by,
        expires_at=iso_ms_or_none(token.expires_at_ms),
        last_used_at=iso_ms_or_none(token.last_used_at_ms),
        revoked_at=iso_ms_or_none(token.revoked_at_ms),
    )
