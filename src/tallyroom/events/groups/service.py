"""The rules of the group list and the group detail (rules/actors-and-groups#group-list)."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.repository import list_environments
from tallyroom.auth.scope import environment_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound, ValidationFailed
from tallyroom.core.notices import Notices
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.groups import queries, repository
from tallyroom.events.groups.queries import GroupQueries
from tallyroom.events.groups.schemas import EventType, GroupDetail, GroupList, GroupListPosition, ListedGroup
from tallyroom.queries.newest_events import build_event_out, distinct_actor_keys
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import StoreBehind
from tallyroom.storage.event_store.labels import fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import GroupKey

CANDIDATE_RANGE: TimeRange = "30d"

_REGISTRATION_CATCH_UP_SECONDS = 5.0  # a registration is rare, and people would believe a wrong refusal


class GroupsRequest(msgspec.Struct, frozen=True):
    """The groups of a request; if `prop_key` is None, the groups of the default group key."""

    principal: MemberPrincipal
    environment: str
    time_range: TimeRange
    prop_key: str | None


class CandidateKeys(NamedTuple):
    """Property keys that could become group keys, most used first, with the notices about them."""

    prop_keys: Sequence[str]
    notices: Notices


class Groups:
    """Answers about groups."""

    def __init__(self, reader: EventReader, database: Database, window_resolver: WindowResolver, clock: Clock) -> None:
        self._reader = reader
        self._database = database
        self._window_resolver = window_resolver
        self._clock = clock

    async def list_groups(
        self, groups_request: GroupsRequest, question: ActivityListQuestion, limit: int, cursor: str | None
    ) -> GroupList:
        """Return one page of groups, empty without a group key; raise `ValidationFailed`."""
        scope, prop_key = await self._resolve_scope_and_key(groups_request)
        if prop_key is None:
            return GroupList(None, [], None)
        scope_ids = (scope.workspace_id, scope.environment)
        cursor_scope = ("groups", *scope_ids, groups_request.time_range, prop_key, *question.cursor_parts())
        after_position = decode_cursor(cursor, GroupListPosition, cursor_scope) if cursor else None
        is_fresh = await self._reader.catch_up(scope=scope)
        now_ms = after_position.asked_ms if after_position else self._clock.now_ms()
        window = await self._window_resolver.resolve(groups_request.time_range, scope, now_ms)
        activities = await GroupQueries(self._reader, scope, window, prop_key).find_groups(
            question, limit + 1, after_position
        )
        page_activities = activities[:limit]
        rows = [
            ListedGroup(activity.group_key, activity.event_count, iso_ms(activity.last_ms), activity.actor_count)
            for activity in page_activities
        ]
        next_cursor = None
        if len(activities) > limit:
            last_position = page_activities[-1].build_position(now_ms, question.sort_column)
            next_cursor = encode_cursor(last_position, cursor_scope)
        return GroupList(
            prop_key, rows, next_cursor, self._reader.notices(window.from_ms, window.until_ms, is_fresh=is_fresh)
        )

    async def find_group(self, groups_request: GroupsRequest, group_key: str) -> GroupDetail:
        """Return one group.

        Raises `NotFound` without events, `StoreBehind` if they may still be on their way, and `ValidationFailed` for an
        unknown environment or key.
        """
        scope, prop_key = await self._resolve_scope_and_key(groups_request)
        is_fresh = await self._reader.catch_up(scope=scope)
        if prop_key is None or not group_key:
            raise NotFound("This group has no events in this time range.")
        window = await self._window_resolver.resolve(groups_request.time_range, scope, self._clock.now_ms())
        group_queries = GroupQueries(self._reader, scope, window, prop_key)
        totals = await group_queries.find_group_totals(group_key)
        if totals.event_count == 0 and not is_fresh:
            raise StoreBehind
        if totals.event_count == 0:
            raise NotFound("This group has no events in this time range.")
        recent_events = await group_queries.find_recent_events(group_key, totals)
        label_by_actor = await fetch_newest_labels(self._reader, scope, distinct_actor_keys(recent_events))
        return GroupDetail(
            group_key=group_key,
            prop_key=prop_key,
            last_active=iso_ms(totals.last_ms),
            event_count=totals.event_count,
            per_day=(2 * totals.event_count + totals.active_days) // (2 * totals.active_days),  # rounded half up
            first_seen=iso_ms(totals.first_ms),
            last_seen=iso_ms(totals.last_ms),
            event_types=[EventType(name, count) for name, count in totals.event_counts_by_name],
            recent=[build_event_out(event, label_by_actor) for event in recent_events],
            notices=self._reader.notices(window.from_ms, window.until_ms, is_fresh=is_fresh),
        )

    async def find_candidate_keys(self, scope: Scope, keys: Sequence[GroupKey]) -> CandidateKeys:
        """Find the property keys that had a text in the last 30 days, most used first, except those of `keys`."""
        is_fresh = await self._reader.catch_up(scope=scope)
        window = await self._window_resolver.resolve(CANDIDATE_RANGE, scope, self._clock.now_ms())
        prop_keys = await queries.find_candidate_keys(self._reader, scope, window, [key.prop_key for key in keys])
        return CandidateKeys(prop_keys, self._reader.notices(window.from_ms, window.until_ms, is_fresh=is_fresh))

    async def was_property_sent(self, workspace_id: str, prop_key: str) -> bool:
        """Return True if an event of any environment ever had a text as this property, or raise `StoreBehind`."""
        async with self._database.session(write=False) as db:
            environments = [row.name for row in await list_environments(db, workspace_id)]
        is_fresh = await self._reader.catch_up(_REGISTRATION_CATCH_UP_SECONDS)
        for environment in environments:
            if await queries.was_property_sent(self._reader, Scope(workspace_id, environment), prop_key):
                return True
        if not is_fresh:
            raise StoreBehind
        return False

    async def _resolve_scope_and_key(self, groups_request: GroupsRequest) -> tuple[Scope, str | None]:
        async with self._database.session(write=False) as db:
            environment = await environment_of(groups_request.principal, groups_request.environment, db)
            keys = await repository.list_group_keys(db, groups_request.principal.workspace_id)
        scope = Scope(groups_request.principal.workspace_id, environment)
        return scope, _choose_prop_key(keys, groups_request.prop_key)


def _choose_prop_key(keys: Sequence[GroupKey], prop_key: str | None) -> str | None:
    if not keys:
        return None
    if prop_key is None:
        return next(key.prop_key for key in keys if key.is_default)
    if prop_key not in {key.prop_key for key in keys}:
        raise ValidationFailed.at(["propKey"], "is not a group key of this workspace")
    return prop_key
