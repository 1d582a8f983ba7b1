"""What members set for a bot: its source of counters, and the secret for webhooks (rules/statistics#counter-source)."""

import msgspec
from litestar import Router, delete, get, put
from litestar.params import FromPath, JSONBody

from tallyroom.auth.audit import Action, record
from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.counters import CounterSource
from tallyroom.bots.repository import has_webhook_secret, store_webhook_secret
from tallyroom.bots.statistics_api.bot_lookup import build_bot_not_found, find_listed_bot, parse_id
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.feed.service import FeedService
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.vault import Vault
from tallyroom.rest.fields import WebhookSecret
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


class CounterSourceIn(msgspec.Struct, forbid_unknown_fields=True):
    """The setting of a bot that a signed-in member may change."""

    counter_source: CounterSource


class WebhookSecretOut(msgspec.Struct, rename="camel"):
    """Whether the bot has a secret, which is never shown (rules/statistics#webhook-secret)."""

    is_set: bool


class WebhookSecretIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The body that sets the secret."""

    secret: WebhookSecret


@put("/", guards=[require_developer])
async def choose_counter_source(
    bot_id: FromPath[str],
    data: JSONBody[CounterSourceIn],
    context: Injected[StatisticsContext],
    feeding: Injected[FeedService],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> BotRecord:
    """Choose the source of a bot's vote counters; the earlier history does not change."""
    bot = await find_listed_bot(context.database, context.listing, parse_id("id", bot_id))

    async def check_permission(db: Session) -> None:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        details = {"source": data.counter_source}
        await record(db, principal, Action.COUNTER_SOURCE, bot.id, details, clock=clock, id_generator=ids)

    await feeding.choose_counter_source(context.listing.workspace_id, bot.id, data.counter_source, check_permission)
    (bot_record,) = await context.record_builder.get_records(context.listing, [bot.id], with_unreported=True)
    return bot_record


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
    """Set the secret that a bot list uses to sign a bot's webhooks; no response returns it."""
    await _has_secret(db, principal.workspace_id, bot_id)
    await store_webhook_secret(db, principal.workspace_id, bot_id, vault.encrypt(data.secret))
    await record(db, principal, Action.WEBHOOK_SECRET_SET, bot_id, {}, clock=clock, id_generator=ids)


@delete("/", guards=[require_developer], status_code=204)
async def delete_webhook_secret(
    bot_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Delete the secret; signed webhooks of the bot are refused immediately."""
    if await _has_secret(db, principal.workspace_id, bot_id):
        await store_webhook_secret(db, principal.workspace_id, bot_id, None)
        await record(db, principal, Action.WEBHOOK_SECRET_DELETE, bot_id, {}, clock=clock, id_generator=ids)


async def _has_secret(db: Session, workspace_id: str, bot_id: str) -> bool:
    """Return whether the bot has a secret; raises `ValidationFailed` for a malformed ID, or `NotFound`."""
    has_secret = await has_webhook_secret(db, workspace_id, parse_id("id", bot_id))
    if has_secret is None:
        raise build_bot_not_found()
    return has_secret


member_routes = [
    Router(
        path="/v1/statistics/bots/{bot_id:str}/counter-source",
        route_handlers=[choose_counter_source],
        opt=TAKES_UNLIMITED_TOKENS,
        tags=["statistics"],
    ),
    Router(
        path="/v1/statistics/bots/{bot_id:str}/webhook-secret",
        route_handlers=[show_webhook_secret, set_webhook_secret, delete_webhook_secret],
        opt=TAKES_UNLIMITED_TOKENS,
        tags=["statistics"],
    ),
]
