"""PUT /v1/statistics/bots/:id/counter-source: what makes a bot's vote counters (rules/statistics#counter-source)."""

import msgspec
from litestar import Router, put
from litestar.params import FromPath, JSONBody

from tallyroom.auth.audit import Action, record
from tallyroom.auth.guards import require_developer
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.counters import CounterSource
from tallyroom.bots.statistics_api.bot_lookup import find_listed_bot, parse_id
from tallyroom.bots.statistics_api.context import StatisticsContext
from tallyroom.bots.statistics_api.feed.service import FeedService
from tallyroom.bots.statistics_api.records import BotRecord
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.rest.injected import Injected
from tallyroom.storage.metadata.connection import Session


class CounterSourceIn(msgspec.Struct, forbid_unknown_fields=True):
    """What a signed-in member may change of a bot; its profile comes from whoever feeds it."""

    counter_source: CounterSource


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
    """Say where the vote counters of a bot come from, from now on; the earlier history does not change."""
    bot = await find_listed_bot(context.database, context.listing, parse_id("id", bot_id))

    async def check_permission(db: Session) -> None:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        details = {"source": data.counter_source}
        await record(db, principal, Action.COUNTER_SOURCE, bot.id, details, clock=clock, id_generator=ids)

    await feeding.choose_counter_source(context.listing.workspace_id, bot.id, data.counter_source, check_permission)
    (bot_record,) = await context.record_builder.get_records(context.listing, [bot.id])
    return bot_record


routes = Router(
    path="/v1/statistics/bots/{bot_id:str}/counter-source",
    route_handlers=[choose_counter_source],
    opt=TAKES_UNLIMITED_TOKENS,
    tags=["statistics"],
)
