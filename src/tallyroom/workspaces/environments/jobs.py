"""The server's job for environments: it deletes events that are older than `retentionDays`."""

import logging
import sqlite3

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.times import retention_start_ms
from tallyroom.ingest.drain.retention import RetentionEraser
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.workspaces.environments import repository

_log = logging.getLogger(__name__)


async def delete_old_events(database: Database, retention_eraser: RetentionEraser, clock: Clock) -> None:
    """Delete expired events in every environment; if one environment fails, the next run tries it again.

    Raises `Unavailable` if events are still waiting for the event store; then nothing was deleted.
    """
    async with database.session(write=False) as db:
        workspace_ids_and_names = await repository.list_environments_with_retention(db)
    if not workspace_ids_and_names:
        return
    last_seq = await retention_eraser.wait_for_drained_seq()
    for workspace_id, name in workspace_ids_and_names:
        try:
            async with database.session(write=False) as db:  # again, because it may have been extended meanwhile
                environment = await repository.find_environment(db, workspace_id, name)
            if environment is not None and environment.retention_days is not None:
                retained_from_ms = retention_start_ms(environment.retention_days, clock.now_ms())
                if deleted_count := await retention_eraser.expire(
                    Scope(workspace_id, name), retained_from_ms, last_seq
                ):
                    _log.info("old events deleted", extra={"workspaceId": workspace_id, "events": deleted_count})
        except (StoreError, sqlite3.Error, TallyroomError):
            _log.exception("old events could not be deleted", extra={"workspaceId": workspace_id})
