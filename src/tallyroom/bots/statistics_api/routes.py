"""Every path of the Statistics API: below each platform for tokens, and below `/v1/statistics` for members."""

from collections.abc import Sequence

from litestar import Router
from litestar.types import ControllerRouterHandler

from tallyroom.auth.guards import require_member, require_stats_reader
from tallyroom.auth.tokens.scopes import TAKES_UNLIMITED_TOKENS
from tallyroom.bots.statistics_api.bots.routes import routes as bot_routes
from tallyroom.bots.statistics_api.compare import routes as compare_routes
from tallyroom.bots.statistics_api.context import MEMBERS_PATH
from tallyroom.bots.statistics_api.feed.routes import routes as feed_routes
from tallyroom.bots.statistics_api.feed.routes import sdk_routes
from tallyroom.bots.statistics_api.member_settings import member_routes
from tallyroom.bots.statistics_api.rankings import routes as ranking_routes
from tallyroom.bots.statistics_api.search import search_bots, search_tags, show_users_bots


def build_statistics_routes(platforms: Sequence[str]) -> list[ControllerRouterHandler]:
    """Return the routes for these first path segments, which all mean the same listing (rules/statistics#paths)."""
    handlers: list[ControllerRouterHandler] = [bot_routes, compare_routes, ranking_routes, show_users_bots, search_tags]

    def guard(route_handlers: Sequence[ControllerRouterHandler]) -> Router:
        return Router("/", route_handlers=route_handlers, guards=[require_stats_reader])

    return [
        *(Router(f"/{platform}", route_handlers=[guard(handlers), feed_routes]) for platform in platforms),
        guard([search_bots]),
        sdk_routes,
        Router(
            MEMBERS_PATH,
            route_handlers=[*handlers, search_bots],
            guards=[require_member],
            opt=TAKES_UNLIMITED_TOKENS,
        ),
        *member_routes,
    ]
