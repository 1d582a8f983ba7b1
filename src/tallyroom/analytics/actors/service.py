"""The rules of the actor list, the actor detail and the erasure (specification, "Actor"; contract 6)."""

import msgspec

from tallyroom.analytics.actors.queries import ActorQueries
from tallyroom.analytics.actors.schemas import Activity, ActorDetail, ActorList, ActorRow, Page, TimelineEvent
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.ranges import RANGE_MS, TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.ingest.drain import Drain
from tallyroom.store.read import EventReader
from tallyroom.store.scope import Scope

READ_YOUR_WRITES_SECONDS = 0.5


class Actors:
    """Answers about actors.

    Args:
        reader: the event store.
        drain: a question waits for it, so that it sees what was acknowledged before (contract 4).
        clock: the end of the rolling window.
    """

    def __init__(self, reader: EventReader, drain: Drain, clock: Clock) -> None:
        self._reader = reader
        self._drain = drain
        self._clock = clock

    async def list(
        self, scope: Scope, time_range: TimeRange, limit: int, q: str | None, cursor: str | None
    ) -> ActorList:
        """One page of actors, busiest first, then by key.

        Raises:
            ValidationFailed: the cursor is not one of this list.
        """
        after = decode_cursor(cursor, Page) if cursor else None
        queries = await self._queries(scope, time_range, after.until_ms if after else None)
        found = await queries.busiest(limit + 1, q, after)
        page = found[:limit]
        labels = await queries.labels([row.actor for row in page]) if page else {}
        rows = [_row(activity, labels.get(activity.actor)) for activity in page]
        return ActorList(rows, self._next(queries, page[-1]) if len(found) > limit else None)

    async def detail(self, scope: Scope, time_range: TimeRange, actor: str) -> ActorDetail:
        """One actor with the timeline.

        Raises:
            NotFound: the actor has no event in the range.
        """
        queries = await self._queries(scope, time_range, None)
        activity = await queries.one(actor) if actor else None
        if activity is None:
            raise NotFound("This actor has no event in the range.")
        labels = await queries.labels([actor])
        timeline = [
            TimelineEvent(
                moment.id,
                moment.name,
                iso_ms(moment.timestamp_ms),
                moment.source or None,
                msgspec.Raw(moment.properties.encode()),
            )
            for moment in await queries.timeline(actor)
        ]
        return ActorDetail(**msgspec.structs.asdict(_row(activity, labels.get(actor))), timeline=timeline)

    async def _queries(self, scope: Scope, time_range: TimeRange, until_ms: int | None) -> ActorQueries:
        await self._drain.caught_up(READ_YOUR_WRITES_SECONDS)
        end = self._clock.now_ms() if until_ms is None else until_ms
        return ActorQueries(self._reader, scope, end - RANGE_MS[time_range], end)

    @staticmethod
    def _next(queries: ActorQueries, last: Activity) -> str:
        return encode_cursor(Page(queries.until_ms, last.event_count, last.actor))


def _row(activity: Activity, label: str | None) -> ActorRow:
    return ActorRow(activity.actor, label, activity.event_count, iso_ms(activity.first_ms), iso_ms(activity.last_ms))
