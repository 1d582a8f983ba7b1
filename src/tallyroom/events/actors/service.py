"""The rules of the actor list, the actor detail and erasure (rules/actors-and-groups#actor-list)."""

import hashlib

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.events.activity_list import ActivityListQuestion
from tallyroom.events.actors.queries import ActorQueries
from tallyroom.events.actors.schemas import ActorActivityRow, ActorDetail, ActorList, ActorListPosition, TimelineEvent
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.queries.activity import ActorRow
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import StoreBehind
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class Actors:
    """Answers about actors."""

    def __init__(self, reader: EventReader, window_resolver: WindowResolver, clock: Clock) -> None:
        self._reader = reader
        self._window_resolver = window_resolver
        self._clock = clock

    async def list_actors(
        self, scope: Scope, time_range: TimeRange, question: ActivityListQuestion, limit: int, cursor: str | None
    ) -> ActorList:
        """Return one page of actors; raise `ValidationFailed` for the cursor of another question."""
        cursor_scope = ("actors", scope.workspace_id, scope.environment, time_range, *question.cursor_parts())
        after_position = decode_cursor(cursor, ActorListPosition, cursor_scope) if cursor else None
        now_ms = after_position.asked_ms if after_position else self._clock.now_ms()
        queries = await self._build_queries(scope, time_range, now_ms)
        activities = await queries.find_actors(question, limit + 1, after_position)
        page_activities = activities[:limit]
        label_by_actor_key = await queries.find_newest_labels([row.actor for row in page_activities])
        rows = [_build_row(activity, label_by_actor_key.get(activity.actor)) for activity in page_activities]
        next_cursor = None
        if len(activities) > limit:
            last_activity = page_activities[-1]
            sort_value = getattr(last_activity, question.sort_column)
            next_cursor = encode_cursor(ActorListPosition(now_ms, sort_value, last_activity.actor), cursor_scope)
        return ActorList(rows, next_cursor, queries.notices())

    async def find_actor(self, scope: Scope, time_range: TimeRange, actor_key: str) -> ActorDetail:
        """Return one actor with the timeline.

        Raises `NotFound` if the actor has no event in the range, and `StoreBehind` if it may still be on its way.
        """
        queries = await self._build_queries(scope, time_range, self._clock.now_ms())
        timeline_rows = await queries.find_timeline(actor_key) if actor_key else []
        if not timeline_rows and not queries.is_fresh:
            raise StoreBehind
        if not timeline_rows:
            raise NotFound("This actor has no events in this time range.")
        activity = await queries.find_activity(actor_key, timeline_rows)
        label_by_actor_key = await queries.find_newest_labels([actor_key])
        timeline = [
            TimelineEvent(
                event.id,
                event.name,
                iso_ms(event.timestamp_ms),
                event.source or None,
                msgspec.Raw(event.properties.encode()),
            )
            for event in timeline_rows
        ]
        row = _build_row(activity, label_by_actor_key.get(actor_key))
        return ActorDetail(**msgspec.structs.asdict(row), timeline=timeline, notices=queries.notices())

    async def _build_queries(self, scope: Scope, time_range: TimeRange, now_ms: int) -> ActorQueries:
        is_fresh = await self._reader.catch_up(scope=scope)
        window = await self._window_resolver.resolve(time_range, scope, now_ms)
        return ActorQueries(self._reader, scope, window, is_fresh=is_fresh)


async def erase_actor(
    database: Database,
    erasure: Erasure,
    principal: MemberPrincipal,
    environment: str | None,
    actor_key: str,
    *,
    clock: Clock,
    id_generator: IdGenerator,
) -> int:
    """Delete all data of an actor; return the number of events.

    The audit log gets the SHA-256 of the key, so that only people who know the key can find the entry. Raises
    `ValidationFailed` for an unknown environment, and `Unavailable` if the event store cannot erase now.
    """
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        scope = Scope(principal.workspace_id, await environment_of(principal, environment, db))
        details = {"actorSha256": hashlib.sha256(actor_key.encode()).hexdigest()}
        await record(
            db, principal, Action.ACTOR_ERASE, scope.environment, details, clock=clock, id_generator=id_generator
        )
    return await erasure.erase_actor(scope, actor_key)


def _build_row(activity: ActorActivityRow, label: str | None) -> ActorRow:
    return ActorRow(activity.actor, label, activity.event_count, iso_ms(activity.first_ms), iso_ms(activity.last_ms))
