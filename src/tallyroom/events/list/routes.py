"""GET /v1/events, …/refusals, and POST and DELETE …/:id/hide; `POST /v1/events` is ingest/post_events.py."""

from typing import Annotated, Literal

from litestar import Router, delete, get, post
from litestar.di import Provide
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.audit import Action
from tallyroom.auth.guards import require_developer, require_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tokens.scopes import TAKES_TOKENS, TAKES_UNLIMITED_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import TimeRange
from tallyroom.events.list.schemas import EventList, RefusalList
from tallyroom.events.list.service import Events, record_visibility_change
from tallyroom.events.parameters import Actor, Cursor, Environment, FiltersText, Limit, Name, parse_page_limit
from tallyroom.events.selection import parse_selection
from tallyroom.ingest.refusals import Refusals
from tallyroom.rest.injected import Injected
from tallyroom.rest.time_ranges import provide_time_range
from tallyroom.storage.metadata.connection import Database


@get("/", guards=[require_member])
async def list_events(
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    events: Injected[Events],
    time_range: Injected[TimeRange],
    environment: Environment = None,
    limit: Limit = None,
    cursor: Cursor = None,
    name: Name = None,
    actor: Actor = None,
    filters: FiltersText = None,
    hidden: Annotated[
        Literal["true", "false"], QueryParameter(name="hidden", description="`true` to list the hidden events instead.")
    ] = "false",
) -> EventList:
    """Events of a time range, newest first."""
    selection, max_events = await parse_selection(name, actor, filters), parse_page_limit(limit)
    scope = await scope_of(principal, environment, database)
    return await events.list_events(scope, time_range, selection, max_events, cursor, only_hidden=hidden == "true")


@get("/refusals", guards=[require_member], opt=TAKES_UNLIMITED_TOKENS)
async def list_refusals(principal: Injected[MemberPrincipal], refusals: Injected[Refusals]) -> RefusalList:
    """The last 100 refused requests of the workspace's keys, to find out why events are not arriving."""
    return RefusalList(await refusals.list_recent(principal.workspace_id))


@post("/{event_id:str}/hide", guards=[require_developer], status_code=204)
async def hide_event(
    event_id: FromPath[str],
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    events: Injected[Events],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Hide an event from every count, list, label and export."""
    scope, position = await events.find_event(principal, database, event_id)
    await record_visibility_change(database, principal, Action.EVENT_HIDE, event_id, clock, ids)
    await events.hide_event(scope, position)


@delete("/{event_id:str}/hide", guards=[require_developer], status_code=204)
async def show_event(
    event_id: FromPath[str],
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    events: Injected[Events],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Show a hidden event again."""
    scope, position = await events.find_event(principal, database, event_id)
    await record_visibility_change(database, principal, Action.EVENT_SHOW, event_id, clock, ids)
    await events.show_event(scope, position)


routes = Router(
    "/v1/events",
    route_handlers=[list_events, list_refusals, hide_event, show_event],
    dependencies={"time_range": Provide(provide_time_range, sync_to_thread=False)},
    opt=TAKES_TOKENS,
    tags=["events"],
)
