"""Paths of the group endpoints, all of them for paid workspaces.

A group id may contain any characters. In a path it arrives as sent (front.py) and is decoded once, here.
`/v1/groups/keys` is always the list of group keys, so for the group of this id, and ids that URL clients normalize
(`.`, `..`), there is `/v1/group?groupKey=`.
"""

from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.di import Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from tallyroom.auth.guards import require_paid_developer, require_paid_member
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.tokens.scopes import TAKES_TOKENS, TAKES_UNLIMITED_TOKENS
from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import TimeRange
from tallyroom.events.activity_list import ActivityListQuestion, GroupSort
from tallyroom.events.groups import registration
from tallyroom.events.groups.schemas import (
    GroupDetail,
    GroupKeyChange,
    GroupKeyIn,
    GroupKeyOut,
    GroupKeysOut,
    GroupList,
)
from tallyroom.events.groups.service import Groups, GroupsRequest
from tallyroom.events.parameters import Cursor, FiltersText, Limit, parse_page_limit
from tallyroom.events.selection import parse_selection
from tallyroom.rest.injected import Injected
from tallyroom.rest.path_as_sent import AS_SENT, decode_id
from tallyroom.rest.time_ranges import provide_required_range
from tallyroom.storage.metadata.connection import Database, Session

Environment = Annotated[str, QueryParameter(name="environment", description="The environment of the events.")]
PropKey = Annotated[
    str | None, QueryParameter(name="propKey", description="A registered group key; the default key by default.")
]


@get("/groups/keys", guards=[require_paid_member])
async def list_group_keys(
    database: Injected[Database],
    groups: Injected[Groups],
    principal: Injected[MemberPrincipal],
    environment: Environment,
    time_range: Injected[TimeRange],  # noqa: ARG001 # required as by every read of groups, but candidates are those of 30 days
) -> GroupKeysOut:
    """The registered group keys, and the string properties of the last 30 days that could be registered."""
    return await registration.list_group_keys(database, groups, principal, environment)


@post("/groups/keys", guards=[require_paid_developer], opt=TAKES_UNLIMITED_TOKENS, status_code=201)
async def register_group_key(
    data: JSONBody[GroupKeyIn],
    database: Injected[Database],
    groups: Injected[Groups],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> GroupKeyOut:
    """Register a string property as a group key; the first one is the default."""
    return await registration.register_group_key(database, groups, principal, data, clock, ids)


@patch("/groups/keys/{key_id:str}", guards=[require_paid_developer], opt=TAKES_UNLIMITED_TOKENS)
async def change_group_key(
    key_id: FromPath[str],
    data: JSONBody[GroupKeyChange],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> GroupKeyOut:
    """Change the label of a group key, or make it the default."""
    return await registration.change_group_key(db, principal, key_id, data, clock, ids)


@delete("/groups/keys/{key_id:str}", guards=[require_paid_developer], opt=TAKES_UNLIMITED_TOKENS, status_code=204)
async def remove_group_key(
    key_id: FromPath[str],
    db: Injected[Session],
    principal: Injected[MemberPrincipal],
    clock: Injected[Clock],
    ids: Injected[IdGenerator],
) -> None:
    """Remove a group key. The events stay, and if it was the default, the oldest remaining key becomes the default."""
    await registration.remove_group_key(db, principal, key_id, clock, ids)


@get("/groups", guards=[require_paid_member])
async def list_groups(
    groups: Injected[Groups],
    principal: Injected[MemberPrincipal],
    environment: Environment,
    time_range: Injected[TimeRange],
    prop_key: PropKey = None,
    limit: Limit = None,
    q: Annotated[str | None, QueryParameter(name="q", description="Text to find in the ID, ignoring case.")] = None,
    sort: Annotated[GroupSort, QueryParameter(name="sort", description="Most events or latest `lastSeen` first.")] = (
        "events"
    ),
    filters: FiltersText = None,
    cursor: Cursor = None,
) -> GroupList:
    """Groups, busiest first by default; an empty list if no group key is registered."""
    groups_request = GroupsRequest(principal, environment, time_range, prop_key)
    question = ActivityListQuestion(await parse_selection(None, None, filters), q or "", sort)
    return await groups.list_groups(groups_request, question, parse_page_limit(limit), cursor)


@get("/groups/{group_key:str}", guards=[require_paid_member])
async def get_group(
    groups: Injected[Groups],
    principal: Injected[MemberPrincipal],
    group_key: FromPath[str],
    environment: Environment,
    time_range: Injected[TimeRange],
    prop_key: PropKey = None,
) -> GroupDetail:
    """One group's totals and newest events in the time range."""
    groups_request = GroupsRequest(principal, environment, time_range, prop_key)
    return await groups.find_group(groups_request, decode_id("groupKey", group_key))


@get("/group", guards=[require_paid_member])
async def get_group_by_query(
    groups: Injected[Groups],
    principal: Injected[MemberPrincipal],
    group_key: Annotated[str, QueryParameter(name="groupKey", min_length=1)],
    environment: Environment,
    time_range: Injected[TimeRange],
    prop_key: PropKey = None,
) -> GroupDetail:
    """Same as with the ID in the path, for IDs that a URL client would alter."""
    groups_request = GroupsRequest(principal, environment, time_range, prop_key)
    return await groups.find_group(groups_request, group_key)


routes = Router(
    path="/v1",
    route_handlers=[
        list_group_keys,
        register_group_key,
        change_group_key,
        remove_group_key,
        list_groups,
        get_group,
        get_group_by_query,
    ],
    dependencies={"time_range": Provide(provide_required_range, sync_to_thread=False)},
    opt=AS_SENT | TAKES_TOKENS,
    tags=["groups"],
)
