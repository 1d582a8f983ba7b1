"""The rules of the event list, and of hiding single events (rules/questions#event-list)."""

import asyncio
from collections.abc import Callable

import msgspec

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.repository import list_environments
from tallyroom.auth.roles import Role
from tallyroom.auth.scope import sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import NotFound, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.ranges import TimeRange
from tallyroom.events.list.queries import event_exists
from tallyroom.events.list.schemas import EventList, EventListPosition
from tallyroom.events.selection import EventSelection
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.newest_events import (
    StoredEvent,
    build_event_out,
    distinct_actor_keys,
    older_condition,
    query_newest_events,
)
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import StoreBehind, StoreError
from tallyroom.storage.event_store.event_id import EventPosition, position_of
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.labels import fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.removals import Removals
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class Events:
    """Lists events, hides them and shows them again; `removals` informs other workers."""

    def __init__(
        self,
        reader: EventReader,
        hidden_events: HiddenEvents,
        removals: Removals,
        window_resolver: WindowResolver,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._hidden_events = hidden_events
        self._removals = removals
        self._window_resolver = window_resolver
        self._clock = clock

    async def list_events(
        self,
        scope: Scope,
        time_range: TimeRange,
        selection: EventSelection,
        limit: int,
        cursor: str | None,
        *,
        only_hidden: bool,
    ) -> EventList:
        """Return one page of events, newest first; raise `ValidationFailed` for the cursor of another question."""
        scope_ids = msgspec.structs.astuple(scope)
        cursor_scope = ("events", *scope_ids, time_range, str(only_hidden), selection.canonical_text())
        after = decode_cursor(cursor, EventListPosition, cursor_scope) if cursor else None
        is_fresh = await self._reader.catch_up(scope=scope)
        now_ms = after.asked_ms if after else self._clock.now_ms()
        window = await self._window_resolver.resolve(time_range, scope, now_ms)
        last_ms = after.timestamp_ms if after else window.until_ms

        def build_conditions(parameters: QueryParameters) -> list[str]:
            position_conditions = (
                [older_condition(after.timestamp_ms, after.received_ms, after.spool, after.seq, parameters)]
                if after
                else []
            )
            return [*position_conditions, *selection.build_conditions(parameters)]

        query_plan = query_newest_events(build_conditions, window.from_ms, last_ms, limit + 1, only_hidden=only_hidden)
        rows = await run_query_plan(query_plan, self._reader, scope)
        page_rows = rows[:limit]
        label_by_actor = await fetch_newest_labels(self._reader, scope, distinct_actor_keys(page_rows))
        next_cursor = encode_cursor(_build_position(page_rows[-1], now_ms), cursor_scope) if len(rows) > limit else None
        notices = self._reader.notices(window.from_ms, window.until_ms, is_fresh=is_fresh)
        return EventList([build_event_out(row, label_by_actor) for row in page_rows], next_cursor, notices)

    async def find_event(
        self, principal: MemberPrincipal, database: Database, event_id: str
    ) -> tuple[Scope, EventPosition]:
        """Find the scope and position of an event that the principal may see, even if hidden.

        Raises `NotFound`, or `StoreBehind` if the event may still be on its way.
        """
        position = position_of(event_id)
        if position is not None:
            async with database.session(write=False) as db:
                environments = await list_environments(db, principal.workspace_id)
            is_fresh = await self._reader.catch_up()
            names = [environment.name for environment in environments if sees_environment(principal, environment.name)]
            for scope in [Scope(principal.workspace_id, name) for name in names]:
                if await event_exists(self._reader, scope, position):
                    return scope, position
            if not is_fresh:
                raise StoreBehind
        raise NotFound("This workspace has no such event.")

    async def hide_event(self, scope: Scope, position: EventPosition) -> None:
        """Exclude an event from every later read; raise `NotFound`, or `Unavailable` if it may be hidden or not."""
        await _change_visibility(self._hidden_events.hide, scope, position)
        await self._removals.announce()

    async def show_event(self, scope: Scope, position: EventPosition) -> None:
        """Include an event in every read again, whether it was hidden or not; raises the errors of `hide_event`."""
        await _change_visibility(self._hidden_events.show, scope, position)
        await self._removals.announce()


async def record_visibility_change(
    database: Database,
    principal: MemberPrincipal,
    action: Action,
    event_id: str,
    clock: Clock,
    id_generator: IdGenerator,
) -> None:
    """Record in advance that someone hides or shows an event; raise `Unauthorized` or `Forbidden` if they may not."""
    async with database.session(write=True) as db:
        await recheck_role(db, principal, clock, Role.DEVELOPER)
        await record(db, principal, action, event_id, {}, clock=clock, id_generator=id_generator)


async def _change_visibility(
    hide_or_show: Callable[[Scope, EventPosition], bool], scope: Scope, position: EventPosition
) -> None:
    try:
        if not await asyncio.to_thread(hide_or_show, scope, position):
            raise NotFound("This workspace has no such event.")
    except StoreError as error:
        raise Unavailable("The event store failed. Try again.") from error


def _build_position(last_event: StoredEvent, asked_ms: int) -> EventListPosition:
    position = position_of(last_event.id) or EventPosition(0, 0, 0)  # every stored event has one
    return EventListPosition(asked_ms, position.timestamp_ms, last_event.received_ms, position.spool, position.seq)
