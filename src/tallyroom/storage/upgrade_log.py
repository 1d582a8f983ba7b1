"""The line in the log about a database that a start has brought to the schema of this version."""

import logging
from collections.abc import Callable

from tallyroom.core.clock import Clock

_log = logging.getLogger(__name__)

Migrated = Callable[[object, object], None]
"""Called once a database is migrated, with the schema that it had and the one that it has."""


def unlogged(_before: object, _after: object) -> None:
    """Say nothing, as for a copy that nobody serves."""


def to_log(database: str, clock: Clock) -> Migrated:
    """Return what logs the migration of a database, which begins now."""
    begin = clock.monotonic()

    def line(before: object, after: object) -> None:
        seconds = round(clock.monotonic() - begin, 3)
        _log.info(
            "a database was migrated", extra={"database": database, "from": before, "to": after, "seconds": seconds}
        )

    return line
