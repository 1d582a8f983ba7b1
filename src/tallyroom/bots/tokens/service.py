"""The rules of tokens of the Statistics API: the secret is shown once; a revocation is final and immediate."""

import msgspec

from tallyroom.auth.audit import Action, Details
from tallyroom.auth.credentials.repository import find_credential, list_credentials
from tallyroom.auth.credentials.service import build_credential, revoke_credential, store_credential
from tallyroom.auth.principals import MemberPrincipal, StatsScope
from tallyroom.auth.secrets import mint_stats_token
from tallyroom.bots.ids import is_id
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.rest.fields import Name
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import StatsToken


class StatsTokenIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new token; `bot_id` is required for the `bot` scope, and refused for others."""

    name: Name
    scope: StatsScope
    bot_id: str | None = None


class StatsTokenOut(msgspec.Struct, rename="camel"):
    """A token without its secret: `prefix` is the first 12 characters, times are ISO 8601."""

    id: str
    name: str
    scope: StatsScope
    bot_id: str | None
    prefix: str
    created_at: str
    created_by: str | None
    last_used_at: str | None
    revoked_at: str | None


class NewStatsTokenOut(StatsTokenOut, rename="camel"):
    """A new token; only this response has its `secret`."""

    secret: str


class StatsTokensOut(msgspec.Struct, rename="camel"):
    """All tokens of the workspace, newest first, including revoked ones."""

    stats_tokens: list[StatsTokenOut]


async def list_tokens(db: Session, workspace_id: str) -> list[StatsTokenOut]:
    """List the workspace's tokens, newest first."""
    return [_build_token_out(token) for token in await list_credentials(db, StatsToken, workspace_id)]


async def create_token(
    db: Session, principal: MemberPrincipal, body: StatsTokenIn, clock: Clock, id_generator: IdGenerator
) -> NewStatsTokenOut:
    """Create a token; its bot need not exist yet. Raises `ValidationFailed` if the bot ID does not fit the scope."""
    _check_bot_id(body)
    secret = mint_stats_token(id_generator)
    token = build_credential(
        StatsToken, principal, secret, clock, id_generator, name=body.name, scope=body.scope, bot_id=body.bot_id
    )
    await store_credential(db, principal, token, Action.STATS_TOKEN_CREATE, _audit_details(token), clock, id_generator)
    return NewStatsTokenOut(**msgspec.structs.asdict(_build_token_out(token)), secret=secret)


async def revoke_token(
    db: Session, principal: MemberPrincipal, token_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Revoke a token permanently, or raise `NotFound`. It remains in the list; revoking it again changes nothing."""
    token = await find_credential(db, StatsToken, principal.workspace_id, token_id)
    if token is None:
        raise NotFound("This workspace has no such token.")
    await revoke_credential(db, principal, token, Action.STATS_TOKEN_REVOKE, _audit_details(token), clock, id_generator)


def _check_bot_id(body: StatsTokenIn) -> None:
    if body.scope is not StatsScope.BOT:
        if body.bot_id is not None:
            raise ValidationFailed.at(["botId"], "is only valid with the bot scope")
    elif body.bot_id is None:
        raise ValidationFailed.at(["botId"], "is required for the bot scope")
    elif not is_id(body.bot_id):
        raise ValidationFailed.at(["botId"], "must be 17 to 19 digits")


def _audit_details(token: StatsToken) -> Details:
    bot_details = {"botId": token.bot_id} if token.bot_id else {}
    return {"name": token.name, "scope": token.scope, **bot_details, "prefix": token.prefix}


def _build_token_out(token: StatsToken) -> StatsTokenOut:
    return StatsTokenOut(
        id=token.id,
        name=token.name,
        scope=StatsScope(token.scope),
        bot_id=token.bot_id,
        prefix=token.prefix,
        created_at=iso_ms(token.created_at_ms),
        created_by=token.created_by,
        last_used_at=iso_ms_or_none(token.last_used_at_ms),
        revoked_at=iso_ms_or_none(token.revoked_at_ms),
    )
