"""GET, PUT and DELETE /v1/statistics/bots/:id/webhook-secret (rules/statistics#webhook-secret).

The secret of a bot is stored encrypted, replaced as a whole, and never shown.
"""

import msgspec
from litestar import Router, delete, get, put
from litestar.params import FromPath, JSONBody

from tallyroom.auth.audit import Action, record
from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.repository import has_webhook_secret, store_webhook_secret
from tallyroom.bots.statistics_api.bot_lookup import build_bot_not_found, parse_id
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.rest.fields import WebhookSecret
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


class WebhookSecretOut(msgspec.Struct, rename="camel"):
    """Whether the bot has a secret; the secret itself is never shown."""

    is_set: bool


class WebhookSecretIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The body that sets the secret."""

    secret: WebhookSecret


async def _set_secret(
    db: Session,
    principal: MemberPrincipal,
    bot_id: str,
    secret: str,
    vault: Vault,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Replace the bot's secret, so that webhooks signed with the previous one are refused.

    Raises `ValidationFailed` if `bot_id` is not an id, and `NotFound` if the workspace has no such bot.
    """
    await _has_secret(db, principal.workspace_id, bot_id)
    await store_webhook_secret(db, principal.workspace_id, bot_id, vault.encrypt(secret))
    await record(db, principal, Action.WEBHOOK_SECRET_SET, bot_id, {}, clock=clock, id_generator=id_generator)


async def _delete_secret(
    db: Session, principal: MemberPrincipal, bot_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Stop accepting signed webhooks of the bot, if it has a secret; raises the errors of `_set_secret`."""
    if await _has_secret(db, principal.workspace_id, bot_id):
        await store_webhook_secret(db, principal.workspace_id, bot_id, None)
        await record(db, principal, Action.WEBHOOK_SECRET_DELETE, bot_id, {}, clock=clock, id_generator=id_generator)


async def _has_secret(db: Session, workspace_id: str, bot_id: str) -> bool:
    has_secret = await has_webhook_secret(db, workspace_id, parse_id("id", bot_id))
    if has_secret is None:
        raise build_bot_not_found()
    return has_secret


@get("/", guards=[require_member])
async def show_webhook_secret(
    bot_id: FromPath[str], db: Injected[Session], principal: Injected[MemberPrincipal]
) -> WebhookSecretOut:
    """Whether the bot has a secret for signed webhooks."""
    return WebhookSecretOut(is_set=await _has_secret(db, principal.workspace_id, bot_id))


@put("/", guards=[require_developer], status_code=204)
async def set_webhook_secret(
    bot_id: FromPath[str],
    data: JSONBody[WebhookSecretIn],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    vault: Injected[Vault],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Set the secret with which a bot list signs the webhooks of a bot; no request shows it again."""
    await _set_secret(db, principal, bot_id, data.secret, vault, clock, ids)


@delete("/", guards=[require_developer], status_code=204)
async def delete_webhook_secret(
    bot_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete the secret: signed webhooks of the bot are refused from now on."""
    await _delete_secret(db, principal, bot_id, clock, ids)


routes = Router(
    path="/v1/statistics/bots/{bot_id:str}/webhook-secret",
    route_handlers=[show_webhook_secret, set_webhook_secret, delete_webhook_secret],
    opt=TAKES_UNLIMITED_TOKENS,
    tags=["statistics"],
)
