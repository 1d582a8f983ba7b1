"""Paths of the actor endpoints.

An actor key may contain any characters. In a path it arrives as sent (front.py) and is decoded once, here. For keys
that URL clients normalize (`.`, `..`), there is `/v1/actor?actorKey=`.
"""

from typing import Annotated

from litestar import Router, delete, get
from litestar.di import Provide
from litestar.params import FromPath, QueryParameter

from tallyroom.auth.guards import require_developer, require_member_or_key
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.scope import scope_of
from tallyroom.auth.tokens.scopes import TAKES_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import TimeRange
from tallyroom.events.activity_list import ActivityListQuestion, ActorSort
from tallyroom.events.actors import service
from tallyroom.events.actors.schemas import ActorDetail, ActorList, Erased
from tallyroom.events.actors.service import Actors
from tallyroom.events.parameters import Cursor, Environment, FiltersText, Limit, parse_page_limit
from tallyroom.events.selection import parse_selection
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.rest.injected import Injected
from tallyroom.rest.path_as_sent import AS_SENT, decode_id
from tallyroom.rest.time_ranges import provide_time_range
from tallyroom.storage.metadata.connection import Database

KeyInQuery = Annotated[str, QueryParameter(name="actorKey", min_length=1)]


@get("/actors", guards=[require_member_or_key])
async def list_actors(
    principal_or_key: Injected[KeyPrincipal | MemberPrincipal],
    database: Injected[Database],
    actors: Injected[Actors],
    time_range: Injected[TimeRange],
    environment: Environment = None,
    limit: Limit = None,
    q: Annotated[
        str | None,
        QueryParameter(name="q", description="Text to find in the key or the label, ignoring case."),
    ] = None,
    sort: Annotated[
        ActorSort,
        QueryParameter(name="sort", description="Most events, latest `lastSeen` or latest `firstSeen` first."),
    ] = "events",
    filters: FiltersText = None,
    cursor: Cursor = None,
) -> ActorList:
    """Actors with their counts and times in the time range, busiest first by default."""
    scope = await scope_of(principal_or_key, environment, database)
    question = ActivityListQuestion(await parse_selection(None, None, filters), q or "", sort)
    return await actors.list_actors(scope, time_range, question, parse_page_limit(limit), cursor)


@get("/actors/{actor_key:str}", guards=[require_member_or_key])
async def get_actor(
    principal_or_key: Injected[KeyPrincipal | MemberPrincipal],
    database: Injected[Database],
    actors: Injected[Actors],
    time_range: Injected[TimeRange],
    actor_key: FromPath[str],
    environment: Environment = None,
) -> ActorDetail:
    """One actor's totals and newest events in the time range."""
    scope = await scope_of(principal_or_key, environment, database)
    return await actors.find_actor(scope, time_range, decode_id("actorKey", actor_key))


@get("/actor", guards=[require_member_or_key])
async def get_actor_by_query(
    principal_or_key: Injected[KeyPrincipal | MemberPrincipal],
    database: Injected[Database],
    actors: Injected[Actors],
    time_range: Injected[TimeRange],
    actor_key: KeyInQuery,
    environment: Environment = None,
) -> ActorDetail:
    """Same as with the key in the path, for keys that a URL client would alter."""
    return await actors.find_actor(await scope_of(principal_or_key, environment, database), time_range, actor_key)


@delete("/actors/{actor_key:str}", guards=[require_developer], status_code=200)
async def erase_actor(
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    erasure: Injected[Erasure],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
    actor_key: FromPath[str],
    environment: Environment = None,
) -> Erased:
    """Delete an actor's events and label. This cannot be undone."""
    key = decode_id("actorKey", actor_key)
    return Erased(
        await service.erase_actor(database, erasure, principal, environment, key, clock=clock, id_generator=ids)
    )


@delete("/actor", guards=[require_developer], status_code=200)
async def erase_actor_by_query(
    principal: Injected[MemberPrincipal],
    database: Injected[Database],
    erasure: Injected[Erasure],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
    actor_key: KeyInQuery,
    environment: Environment = None,
) -> Erased:
    """Same as with the key in the path, for keys that a URL client would alter."""
    return Erased(
        await service.erase_actor(database, erasure, principal, environment, actor_key, clock=clock, id_generator=ids)
    )


routes = Router(
    "/v1",
    route_handlers=[list_actors, get_actor, get_actor_by_query, erase_actor, erase_actor_by_query],
    dependencies={"time_range": Provide(provide_time_range, sync_to_thread=False)},
    opt=AS_SENT | TAKES_TOKENS,
    tags=["actors"],
)
