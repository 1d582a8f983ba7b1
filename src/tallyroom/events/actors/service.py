"""The rules of the actor list, the actor detail and erasure (rules/actors-and-groups#actor-list)."""

import hashlib

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import SessionPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import environment_of
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.ids import Ids
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.events.actors.queries import ActorQueries
from tallyroom.events.actors.schemas import Activity, ActorDetail, ActorList, Page, TimelineEvent
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.queries.activity import ActorRow
from tallyroom.queries.workspace_windows import Windows
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class Actors:
    """Answers about actors.

    Args:
        reader: the event store.
        windows: finds the window of a time range.
        clock: the time.
    """

    def __init__(self, reader: EventReader, windows: Windows, clock: Clock) -> None:
        self._reader = reader
        self._windows = windows
        self._clock = clock

    async def list(
        self, scope: Scope, time_range: TimeRange, limit: int, q: str | None, cursor: str | None
    ) -> ActorList:
        """Return one page of actors, busiest first, then by key.

        Raises:
            ValidationFailed: the cursor belongs to another question.
        """
        question = ("actors", scope.workspace_id, scope.environment, time_range, q or "")
        after = decode_cursor(cursor, Page, question) if cursor else None
        now_ms = after.asked_ms if after else self._clock.now_ms()
        queries = await self._queries(scope, time_range, now_ms)
        activities = await queries.busiest(limit + 1, q, after)
        page = activities[:limit]
        labels = await queries.labels([row.actor for row in page])
        rows = [_row(activity, labels.get(activity.actor)) for activity in page]
        last = Page(now_ms, page[-1].event_count, page[-1].actor) if len(activities) > limit else None
        return ActorList(rows, encode_cursor(last, question) if last else None, queries.notices())

    async def detail(self, scope: Scope, time_range: TimeRange, actor: str) -> ActorDetail:
        """Return one actor with the timeline.

        Raises:
            NotFound: the actor has no event in the range.
        """
        queries = await self._queries(scope, time_range, self._clock.now_ms())
        moments = await queries.timeline(actor) if actor else []
        if not moments:
            raise NotFound("This actor has no event in the range.")
        activity = await queries.activity(actor, moments)
        labels = await queries.labels([actor])
        timeline = [
            TimelineEvent(
                moment.id,
                moment.name,
                iso_ms(moment.timestamp_ms),
                moment.source or None,
                msgspec.Raw(moment.properties.encode()),
            )
            for moment in moments
        ]
        row = _row(activity, labels.get(actor))
        return ActorDetail(**msgspec.structs.asdict(row), timeline=timeline, notices=queries.notices())

    async def _queries(self, scope: Scope, time_range: TimeRange, now_ms: int) -> ActorQueries:
        fresh = await self._reader.fresh()
        window = await self._windows.find(time_range, scope, now_ms)
        return ActorQueries(self._reader, scope, window, fresh=fresh)


async def erase_actor(
    database: Database,
    erasure: Erasure,
    principal: SessionPrincipal,
    environment: str | None,
    actor: str,
    *,
    clock: Clock,
    ids: Ids,
) -> int:
    """Delete all data of an actor; return the number of events.

    The audit log gets the SHA-256 of the key: anybody who knows the key can find out that it was erased, and nobody
    else can read it.

    Raises:
        ValidationFailed: the workspace has no such environment.
        Unavailable: the event store cannot erase now; try again later.
    """
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        scope = Scope(principal.workspace_id, await environment_of(principal, environment, db))
        details = {"actorSha256": hashlib.sha256(actor.encode()).hexdigest()}
        await record(db, principal, Action.ACTOR_ERASE, scope.environment, details, clock=clock, ids=ids)
    return await erasure.erase_actor(scope, actor)


def _row(activity: Activity, label: str | None) -> ActorRow:
    return ActorRow(activity.actor, label, activity.event_count, iso_ms(activity.first_ms), iso_ms(activity.last_ms))
