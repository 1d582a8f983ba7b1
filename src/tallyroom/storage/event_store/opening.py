"""Opens the readers of the event store according to the settings."""

from collections.abc import Callable

from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import question_limits
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


def open_reader(
    backend: Backend, settings: Settings, has_hidden_events: Callable[[Scope], bool], id_generator: IdGenerator
) -> EventReader:
    """Open the pool of sealed readers."""
    return EventReader(
        backend,
        question_limits(settings),
        connection_count=settings.read_connections,
        slots_per_workspace=settings.workspace_queries,
        max_waiting_per_workspace=settings.workspace_queries_waiting,
        catch_up_seconds=settings.fresh_wait_ms / 1000,
        has_hidden_events=has_hidden_events,
        id_generator=id_generator,
    )
