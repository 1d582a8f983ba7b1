"""The rules of personal access tokens: who creates, sees and revokes them (rules/people#personal-access-token)."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.auth.audit import Action, Details
from tallyroom.auth.credentials.repository import find_credential, list_credentials
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import MemberPrincipal, TokenScope
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.auth.secrets import mint_personal_token
from tallyroom.auth.tokens.repository import count_valid_tokens, scopes_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import END_MS
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.rest.fields import Name
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PersonalToken

MAX_TOKENS = 50  # the most valid tokens of a member in a workspace


class TokenIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a token's creation; without `environment` it sees all, and without `expiresAt` it never expires."""

    name: Name
    scopes: Annotated[list[TokenScope], Meta(min_length=1)]
    environment: str | None = None
    expires_at: str | None = None


class TokenOut(msgspec.Struct, rename="camel"):
    """A token without its secret: `prefix` is the first 12 characters, `createdBy` a user's ID, times are ISO 8601."""

    id: str
    name: str
    scopes: list[TokenScope]
    environment: str | None
    prefix: str
    created_at: str
    created_by: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewTokenOut(TokenOut, rename="camel"):
    """A new token, with its secret."""

    secret: str


class TokensOut(msgspec.Struct, rename="camel"):
    """Personal access tokens, newest first, revoked and expired ones included."""

    tokens: list[TokenOut]


async def list_tokens(db: Session, principal: MemberPrincipal) -> list[TokenOut]:
    """List the tokens of the principal, newest first; an admin sees the tokens of all members."""
    tokens = await list_credentials(db, PersonalToken, principal.workspace_id)
    return [_build_token_out(token) for token in tokens if _may_see(principal.user_id, principal.role, token)]


async def create_token(
    db: Session, principal: MemberPrincipal, body: TokenIn, clock: Clock, id_generator: IdGenerator
) -> NewTokenOut:
    """Create a token for the principal; raises `ValidationFailed`, and `Conflict` above `MAX_TOKENS`."""
    columns = {
        "name": body.name,
        "scopes": " ".join(_parse_scopes(body.scopes)),
        "environment": None if body.environment is None else await environment_of(principal, body.environment, db),
        "expires_at_ms": None if body.expires_at is None else _parse_expiry_ms(body.expires_at, clock),
    }
    if await count_valid_tokens(db, principal.workspace_id, principal.user_id, clock.now_ms()) >= MAX_TOKENS:
        raise Conflict(f"You have {MAX_TOKENS} valid tokens, the maximum. Revoke one first.")
    secret = mint_personal_token(id_generator)
    token = build_credential(PersonalToken, principal, secret, clock, id_generator, **columns)
    await store_credential(db, principal, token, Action.TOKEN_CREATE, _build_audit_details(token), clock, id_generator)
    return NewTokenOut(**msgspec.structs.asdict(_build_token_out(token)), secret=secret)


async def revoke_token(
    db: Session, principal: MemberPrincipal, token_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Revoke a token permanently, or raise `NotFound` if the principal cannot see it. It remains in the list."""
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
            raise ValidationFailed.at(["scopes", index], "appears twice")
    return _order_scopes(scopes)


def _order_scopes(scopes: Sequence[TokenScope] | frozenset[TokenScope]) -> list[TokenScope]:
    return [scope for scope in TokenScope if scope in scopes]


def _parse_expiry_ms(text: str, clock: Clock) -> int:
    expires_at_ms = parse_timestamp(text)
    if expires_at_ms is None:
        raise ValidationFailed.at(["expiresAt"], "is not an ISO 8601 date-time")
    if not clock.now_ms() < expires_at_ms <= END_MS:
        raise ValidationFailed.at(["expiresAt"], "must be in the future, and no later than 2100-01-01")
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
