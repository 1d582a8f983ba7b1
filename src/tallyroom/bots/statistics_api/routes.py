"""Every path of the Statistics API: below each platform for tokens, and below `/v1/statistics` for members."""

from collections.abc import Sequence

from litestar import Router
from litestar.types import ControllerRouterHandler

from tallyroom.auth.guards import require_member, require_stats_reader
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.statistics_api.bots.routes import routes as bot_routes
from tallyroom.bots.statistics_api.compare import routes as compare_routes
from tallyroom.bots.statistics_api.counter_source import routes as counter_source_routes
from tallyroom.bots.statistics_api.feed.routes import routes as feed_routes
from tallyroom.bots.statistics_api.feed.routes import sdk_routes
from tallyroom.bots.statistics_api.rankings import routes as ranking_routes
from tallyroom.bots.statistics_api.search import search_bots, search_tags
from tallyroom.bots.statistics_api.users import routes as user_routes
from tallyroom.bots.statistics_api.webhook_secret import routes as webhook_secret_routes

MIRROR = "/v1/statistics"


def build_statistics_routes(platforms: Sequence[str]) -> list[ControllerRouterHandler]:
    """Return the routes for these first path segments, which all mean the same listing (rules/statistics#paths)."""
    read_routes: list[ControllerRouterHandler] = [bot_routes, compare_routes, ranking_routes, user_routes, search_tags]
    return [
        *(Router(f"/{platform}", route_handlers=[_guard_routes(read_routes), feed_routes]) for platform in platforms),
        Router("/", route_handlers=[search_bots], guards=[require_stats_reader]),
        sdk_routes,
        Router(MIRROR, route_handlers=[*read_routes, search_bots], guards=[require_member], opt=TAKES_UNLIMITED_TOKENS),
        counter_source_routes,
        webhook_secret_routes,
    ]


def _guard_routes(read_routes: Sequence[ControllerRouterHandler]) -> Router:
    return Router("/", route_handlers=read_routes, guards=[require_stats_reader])
