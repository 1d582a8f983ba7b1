"""`tallyroom migrate-store`: from a data directory to the servers of a cluster, and back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tallyroom.cli.backup import CommandFailed, print_line, report_in_one_sentence, show_progress_bars
from tallyroom.core import failpoints
from tallyroom.core.ids import IdGenerator
from tallyroom.core.load_settings import SettingsError, load_settings
from tallyroom.core.settings import PREFIX, Settings
from tallyroom.operations.backup.progress import Progress
from tallyroom.storage.event_store.errors import StoreError

_RESUME_HINT = " Run the command again to continue."
_NEEDED_SETTINGS = ("db_dsn", "events_dsn", "secret_key")
_TABLES_MATCH = "and every table is the same in both places"


def migrate_store(
    *,
    source_dir: Annotated[
        Path | None, Parameter(name="--from", help="The data directory of the server to move to the workers.")
    ] = None,
    target_dir: Annotated[
        Path | None, Parameter(name="--to", help="The new data directory to move the workers to.")
    ] = None,
    data: Annotated[str | None, Parameter(help="The data directory of the workers (TALLYROOM_DATA).")] = None,
) -> None:
    """Move all data of one server to PostgreSQL, ClickHouse and worker 0 of this host, or all data of workers back.

    Choose --from or --to, with the workers' settings in both cases. Stop all servers first. Nothing is deleted: the
    old place is marked, so that no server starts on it again. If the command is interrupted, run it again.
    """
    settings = load_settings(os.environ, data=data)
    if missing_variables := [PREFIX + name.upper() for name in _NEEDED_SETTINGS if not getattr(settings, name)]:
        raise SettingsError(f"Set {' and '.join(missing_variables)}. Nothing was changed.")
    failpoints.configure(settings.failpoints)
    if source_dir is not None and target_dir is None:
        _move_to_servers(source_dir, settings)
    elif target_dir is not None and source_dir is None:
        _move_to_directory(target_dir, settings)
    else:
        raise SettingsError("Choose --from DIR to move one server to the workers, or --to DIR to move them back.")


def _move_to_servers(source_dir: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_servers import MoveToServers  # noqa: PLC0415 # brings the ClickHouse engine with it

    with _show_move() as progress:
        relocation = MoveToServers(source_dir, settings, progress).run()
    if relocation.event_count is None:
        print_line(f"{source_dir} was already moved: its spool is in {relocation.spool_folder}.")
        return
    print_line(f"Event store: {relocation.event_count:,} events are on the server, {_TABLES_MATCH}.")
    print_line(f"Spool: {relocation.queue_length:,} events are queued for the worker of {relocation.spool_folder}.")
    print_line(f"Metadata: {relocation.row_count:,} rows are in PostgreSQL, {_TABLES_MATCH}.")
    print_line(f"{source_dir} is marked as moved. Next: tallyroom serve --data {settings.data}")


def _move_to_directory(target_dir: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_directory import MoveToDirectory  # noqa: PLC0415 # as above

    with _show_move() as progress:
        relocation = MoveToDirectory(target_dir, settings, progress, IdGenerator().random_bytes).run()
    if relocation.event_count is None:
        print_line(f"Everything was already moved to {relocation.spool_folder}.")
        return
    print_line(f"Event store: {relocation.event_count:,} events are in {target_dir}, {_TABLES_MATCH}.")
    print_line(f"Spool: new, with {relocation.dead_letter_count:,} events that the workers of this host had put aside.")
    if elsewhere_count := relocation.other_host_dead_letter_count:
        print_line(f"Not included: {elsewhere_count:,} events that were put aside in spools on other hosts.")
    print_line(f"Metadata: {relocation.row_count:,} rows are in {target_dir}, {_TABLES_MATCH}.")
    print_line("The database in PostgreSQL is marked as moved, so that no worker starts on it.")
    print_line("Next, with the same TALLYROOM_SECRET_KEY and without the database settings:")
    print_line(f"tallyroom serve --data {target_dir}")


@contextmanager
def _show_move() -> Iterator[Progress]:
    """Show progress, and say in one sentence what stopped the block."""
    with report_in_one_sentence(_RESUME_HINT), show_progress_bars() as progress:
        try:
            yield progress
        except StoreError as error:
            sentence = f"{error}\n".splitlines()[0]
            raise CommandFailed(f"{sentence} Nothing is lost.{_RESUME_HINT}") from error
