"""Logs that a start has migrated a database to the schema of this version."""

import logging
from collections.abc import Callable

from tallyroom.core.clock import Clock

_log = logging.getLogger(__name__)

OnMigration = Callable[[object, object], None]  # called once a database is migrated, with its old and its new schema


def ignore_migration(_before: object, _after: object) -> None:
    """Do nothing, for a copy that no server uses."""


def build_migration_logger(database_name: str, clock: Clock) -> OnMigration:
    """Return a callback that logs the migration of a database, which begins now."""
    started_at = clock.monotonic()

    def log_migration(previous_schema: object, new_schema: object) -> None:
        seconds = round(clock.monotonic() - started_at, 3)
        _log.info(
            "a database was migrated",
            extra={"database": database_name, "from": previous_schema, "to": new_schema, "seconds": seconds},
        )

    return log_migration
