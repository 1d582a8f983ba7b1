"""`tallyroom migrate-store`: from a data directory to the servers of a cluster."""

import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tallyroom.cli.backup import CommandFailed, in_one_sentence
from tallyroom.cli.bars import bars
from tallyroom.core import failpoints
from tallyroom.core.load_settings import SettingsError, load_settings
from tallyroom.store.errors import StoreError

_AGAIN = " Run the command again: it goes on where it was."
_NEEDED = {"db_dsn": "TALLYROOM_DB_DSN", "events_dsn": "TALLYROOM_EVENTS_DSN", "secret_key": "TALLYROOM_SECRET_KEY"}


def migrate_store(
    *,
    old: Annotated[Path, Parameter(name="--from", help="The data directory of the server, which must be stopped.")],
    data: Annotated[str | None, Parameter(help="The new data directory, for the workers (TALLYROOM_DATA).")] = None,
) -> None:
    """Move all data of an embedded server to PostgreSQL and ClickHouse, and its spool to worker 0 of this host.

    The settings are those of the workers. Nothing is deleted: the old directory is marked, so that no server starts on
    it again. Whenever this is interrupted, run it again.
    """
    settings = load_settings(os.environ, data=data)
    if missing := [variable for name, variable in _NEEDED.items() if not getattr(settings, name)]:
        raise SettingsError(f"The new place is not known: set {' and '.join(missing)}. Nothing was changed.")
    failpoints.configure(settings.failpoints)
    from tallyroom.relocation.move import move  # noqa: PLC0415 # brings the ClickHouse engine with it

    with in_one_sentence(_AGAIN), bars() as progress:
        try:
            moved = move(old, settings, progress)
        except StoreError as error:
            said = f"{error}\n".splitlines()[0]
            raise CommandFailed(f"{said} Nothing is lost.{_AGAIN}") from error
    if moved.events is None:
        sys.stdout.write(f"{old} has been moved before: its spool is in {moved.spool}.\n")
        return
    sys.stdout.write(
        f"Event store: {moved.events:,} events are on the server, every table is the same in both.\n"
        f"Spool: {moved.queued:,} events wait in {moved.spool}, and are delivered by its worker.\n"
        f"Metadata: {moved.rows:,} rows are in PostgreSQL, every table is the same in both.\n"
        f"{old} is marked as moved. Next: tallyroom serve --data {settings.data}\n"
    )
