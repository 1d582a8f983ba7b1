"""The rules of personal access tokens: who creates, sees and revokes them (rules/people#personal-access-token)."""

from collections.abc import Sequence

import msgspec

from tallyroom.auth.audit import Action, Details
from tallyroom.auth.credentials.repository import find_credential, list_credentials
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import MemberPrincipal, TokenScope
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.secrets import mint_personal_token
from tallyroom.auth.tokens.repository import scopes_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import END_MS
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PersonalToken
from tallyroom.workspaces.api_tokens import repository
from tallyroom.workspaces.api_tokens.schemas import NewTokenOut, TokenIn, TokenOut

MAX_TOKENS = 50
"""The most valid tokens of a member in a workspace."""


async def list_tokens(db: Session, principal: MemberPrincipal) -> list[TokenOut]:
    """List the tokens of the principal, newest first; an admin sees the tokens of all members."""
    tokens = await list_credentials(db, PersonalToken, principal.workspace_id)
    return [_build_token_out(token) for token in tokens if _may_see(principal.user_id, principal.role, token)]


async def create_token(
    db: Session, principal: MemberPrincipal, body: TokenIn, clock: Clock, id_generator: IdGenerator
) -> NewTokenOut:
    """Create a token for the principal.

    Raises `ValidationFailed` if a scope is repeated, the environment is unknown or the end is not in the future, and
    `Conflict` if the principal has `MAX_TOKENS`.
    """
    columns = {
        "name": body.name,
        "scopes": " ".join(_parse_scopes(body.scopes)),
        "environment": None if body.environment is None else await environment_of(principal, body.environment, db),
        "expires_at_ms": None if body.expires_at is None else _parse_expiry_ms(body.expires_at, clock),
    }
    if await repository.count_valid_tokens(db, principal.workspace_id, principal.user_id, clock.now_ms()) >= MAX_TOKENS:
        raise Conflict(f"You have {MAX_TOKENS} valid tokens, the most you may have. Revoke one first.")
    secret = mint_personal_token(id_generator)
    token = build_credential(PersonalToken, principal, secret, clock, id_generator, **columns)
    await store_credential(db, principal, token, Action.TOKEN_CREATE, _build_audit_details(token), clock, id_generator)
    return NewTokenOut(**msgspec.structs.asdict(_build_token_out(token)), secret=secret)


async def revoke_token(
    db: Session, principal: MemberPrincipal, token_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Revoke a token permanently; it remains in the list, and revoking it again changes nothing.

    Raises `NotFound` if the principal cannot see the token.
    """
    role = await recheck_role(db, principal, clock)
    token = await find_credential(db, PersonalToken, principal.workspace_id, token_id)
    if token is None or not _may_see(principal.user_id, role, token):
        raise NotFound("You have no such token.")
    await revoke_credential(db, principal, token, Action.TOKEN_REVOKE, _build_audit_details(token), clock, id_generator)


def _may_see(user_id: str, role: Role, token: PersonalToken) -> bool:
    return token.created_by == user_id or role.at_least(Role.ADMIN)


def _parse_scopes(scopes: Sequence[TokenScope]) -> list[TokenScope]:
    """Return the scopes in their usual order."""
    for index, scope in enumerate(scopes):
        if scope in scopes[:index]:
            raise ValidationFailed.at(["scopes", index], "is a repetition")
    return _order_scopes(scopes)


def _order_scopes(scopes: Sequence[TokenScope] | frozenset[TokenScope]) -> list[TokenScope]:
    return [scope for scope in TokenScope if scope in scopes]


def _parse_expiry_ms(text: str, clock: Clock) -> int:
    expires_at_ms = parse_timestamp(text)
    if expires_at_ms is None:
        raise ValidationFailed.at(["expiresAt"], "is not an ISO 8601 date-time")
    if not clock.now_ms() < expires_at_ms <= END_MS:
        raise ValidationFailed.at(["expiresAt"], "is not in the future, or after 2100-01-01")
    return expires_at_ms


def _build_audit_details(token: PersonalToken) -> Details:
    return {
        "name": token.name,
        "scopes": token.scopes,
        "environment": token.environment,
        "expiresAt": iso_ms_or_none(token.expires_at_ms),
        "prefix": token.prefix,
        "createdBy": token.created_by,
    }


def _build_token_out(token: PersonalToken) -> TokenOut:
    return TokenOut(
        id=token.id,
        name=token.name,
        scopes=_order_scopes(scopes_of(token.scopes)),
        environment=token.environment,
        prefix=token.prefix,
        created_at=iso_ms(token.created_at_ms),
        created_by=token.created_by,
        expires_at=iso_ms_or_none(token.expires_at_ms),
        last_used_at=iso_ms_or_none(token.last_used_at_ms),
        revoked_at=iso_ms_or_none(token.revoked_at_ms),
    )
