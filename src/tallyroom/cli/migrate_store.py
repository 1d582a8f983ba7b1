"""`tallyroom migrate-store`: from a data directory to the servers of a cluster, and back."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tallyroom.cli.backup import CommandFailed, in_one_sentence
from tallyroom.cli.progress_bars import bars
from tallyroom.core import failpoints
from tallyroom.core.ids import Ids
from tallyroom.core.load_settings import SettingsError, load_settings
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.progress import Progress
from tallyroom.storage.event_store.errors import StoreError

_AGAIN = " Run the command again: it goes on where it was."
_VARIABLES = {"db_dsn": "TALLYROOM_DB_DSN", "events_dsn": "TALLYROOM_EVENTS_DSN", "secret_key": "TALLYROOM_SECRET_KEY"}
_SAME = "every table is the same in both places"


def migrate_store(
    *,
    old: Annotated[
        Path | None, Parameter(name="--from", help="The data directory of a server, which moves to the workers.")
    ] = None,
    new: Annotated[
        Path | None, Parameter(name="--to", help="The new data directory of one server, to which the workers move.")
    ] = None,
    data: Annotated[str | None, Parameter(help="The data directory of the workers (TALLYROOM_DATA).")] = None,
) -> None:
    """Move all data of one server to PostgreSQL, ClickHouse and worker 0 of this host, or all data of workers back.

    Say --from or --to. The settings are those of the workers, both ways; whatever moves must be stopped. Nothing is
    deleted: the old place is marked, so that nothing starts on it again. Whenever this is interrupted, run it again.
    """
    settings = load_settings(os.environ, data=data)
    if missing := [variable for name, variable in _VARIABLES.items() if not getattr(settings, name)]:
        raise SettingsError(f"The servers are not known: set {' and '.join(missing)}. Nothing was changed.")
    failpoints.configure(settings.failpoints)
    if old is not None and new is None:
        _to_servers(old, settings)
    elif new is not None and old is None:
        _to_directory(new, settings)
    else:
        raise SettingsError("Say which way: --from DIR moves one server to the workers, --to DIR moves them back.")


def _to_servers(old: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_servers import ToServers  # noqa: PLC0415 # brings the ClickHouse engine with it

    with _moving() as progress:
        relocation = ToServers(old, settings, progress).run()
    if relocation.events is None:
        _say(f"{old} has been moved before: its spool is in {relocation.spool}.")
        return
    _say(f"Event store: {relocation.events:,} events are on the server, {_SAME}.")
    _say(f"Spool: {relocation.queue_length:,} events wait in {relocation.spool}, and are delivered by its worker.")
    _say(f"Metadata: {relocation.rows:,} rows are in PostgreSQL, {_SAME}.")
    _say(f"{old} is marked as moved. Next: tallyroom serve --data {settings.data}")


def _to_directory(new: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_directory import ToDirectory  # noqa: PLC0415 # as above

    with _moving() as progress:
        relocation = ToDirectory(new, settings, progress, Ids().random_bytes).run()
    if relocation.events is None:
        _say(f"All has been moved before: it is in {relocation.spool}.")
        return
    _say(f"Event store: {relocation.events:,} events are in {new}, {_SAME}.")
    _say(f"Spool: it is new, with {relocation.dead_letters:,} events that the workers of this host had put aside.")
    if elsewhere := relocation.dead_letters_elsewhere:
        _say(f"Without {elsewhere:,} events that were put aside, and are in spools on other hosts.")
    _say(f"Metadata: {relocation.rows:,} rows are in {new}, {_SAME}.")
    _say("The database in PostgreSQL is marked as moved, so that no worker starts on it.")
    _say("Next, with the same TALLYROOM_SECRET_KEY and without the settings of the databases:")
    _say(f"tallyroom serve --data {new}")


@contextmanager
def _moving() -> Iterator[Progress]:
    """Show progress, and say in one sentence what stopped the block."""
    with in_one_sentence(_AGAIN), bars() as progress:
        try:
            yield progress
        except StoreError as error:
            sentence = f"{error}\n".splitlines()[0]
            raise CommandFailed(f"{sentence} Nothing is lost.{_AGAIN}") from error


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
