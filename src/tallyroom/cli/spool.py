"""`tallyroom spool`: delivers the spool of a worker that will not come back."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from tallyroom.core.data_directory import SPOOL_FILE, hold_directory
from tallyroom.core.load_settings import SettingsError, load_settings

spool_app = App(name="spool", help="Deliver the events in the spool of a removed worker.")

_PATIENCE_SECONDS = 60.0


@spool_app.command
def adopt(
    directory: Annotated[Path, Parameter(help="The directory of the removed worker, or a copy of it.")], /
) -> None:
    """Deliver the events queued in a spool, complete what other workers are waiting for, and retire the spool.

    Use the same settings as the running workers. Afterwards, no worker can start on the directory again.
    """
    settings = load_settings(os.environ, data=str(directory))
    if not settings.db_dsn:
        raise SettingsError(
            "Only the spool of one of several workers can be adopted: set TALLYROOM_DB_DSN and the workers' other "
            "settings."
        )
    if not (directory / SPOOL_FILE).exists():
        raise SettingsError(f"{directory} has no spool ({SPOOL_FILE}). Nothing was changed.")
    from tallyroom.server.serve import open_directory  # noqa: PLC0415 # loading it takes most of a start
    from tallyroom.server.workers.adoption import adopt_spool  # noqa: PLC0415 # as above

    with hold_directory(settings.data_dir):
        adoption = asyncio.run(
            adopt_spool(open_directory(settings, accept_loss=False), _report_remaining, _PATIENCE_SECONDS)
        )
    successor = "Another worker" if adoption.keeper_spool_id else "The next worker that starts"
    remark = f"{directory} is no longer needed"
    if adoption.dead_letters:
        remark = f"{adoption.dead_letters:,} events that were put aside are still in {directory}"
    sys.stdout.write(
        f"The spool {adoption.spool} is empty: {adoption.events:,} events were delivered. {successor} is responsible "
        f"for all events that came through it. {remark}.\n"
    )


def _report_remaining(event_count: int) -> None:
    sys.stderr.write(f"{event_count:,} events are left.\n")
