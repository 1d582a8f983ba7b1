"""`tallyroom migrate-store`: from a data directory to the servers of a cluster, and back."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tallyroom.cli.backup import CommandFailed, report_in_one_sentence
from tallyroom.cli.progress_bars import show_progress_bars
from tallyroom.core import failpoints
from tallyroom.core.ids import IdGenerator
from tallyroom.core.load_settings import SettingsError, load_settings
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.progress import Progress
from tallyroom.storage.event_store.errors import StoreError

_RESUME_HINT = " Run the command again: it goes on where it was."
_VARIABLE_BY_SETTING = {
    "db_dsn": "TALLYROOM_DB_DSN",
    "events_dsn": "TALLYROOM_EVENTS_DSN",
    "secret_key": "TALLYROOM_SECRET_KEY",
}
_TABLES_MATCH = "every table is the same in both places"


def migrate_store(
    *,
    source_dir: Annotated[
        Path | None, Parameter(name="--from", help="The data directory of a server, which moves to the workers.")
    ] = None,
    target_dir: Annotated[
        Path | None, Parameter(name="--to", help="The new data directory of one server, to which the workers move.")
    ] = None,
    data: Annotated[str | None, Parameter(help="The data directory of the workers (TALLYROOM_DATA).")] = None,
) -> None:
    """Move all data of one server to PostgreSQL, ClickHouse and worker 0 of this host, or all data of workers back.

    Say --from or --to. The settings are those of the workers, both ways; whatever moves must be stopped. Nothing is
    deleted: the old place is marked, so that nothing starts on it again. Whenever this is interrupted, run it again.
    """
    settings = load_settings(os.environ, data=data)
    if missing_variables := [
        variable for name, variable in _VARIABLE_BY_SETTING.items() if not getattr(settings, name)
    ]:
        raise SettingsError(f"The servers are not known: set {' and '.join(missing_variables)}. Nothing was changed.")
    failpoints.configure(settings.failpoints)
    if source_dir is not None and target_dir is None:
        _move_to_servers(source_dir, settings)
    elif target_dir is not None and source_dir is None:
        _move_to_directory(target_dir, settings)
    else:
        raise SettingsError("Say which way: --from DIR moves one server to the workers, --to DIR moves them back.")


def _move_to_servers(source_dir: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_servers import MoveToServers  # noqa: PLC0415 # brings the ClickHouse engine with it

    with _show_move() as progress:
        relocation = MoveToServers(source_dir, settings, progress).run()
    if relocation.event_count is None:
        _print_line(f"{source_dir} has been moved before: its spool is in {relocation.spool_folder}.")
        return
    _print_line(f"Event store: {relocation.event_count:,} events are on the server, {_TABLES_MATCH}.")
    _print_line(
        f"Spool: {relocation.queue_length:,} events wait in {relocation.spool_folder}, and are delivered by its worker."
    )
    _print_line(f"Metadata: {relocation.row_count:,} rows are in PostgreSQL, {_TABLES_MATCH}.")
    _print_line(f"{source_dir} is marked as moved. Next: tallyroom serve --data {settings.data}")


def _move_to_directory(target_dir: Path, settings: Settings) -> None:
    from tallyroom.operations.relocation.to_directory import MoveToDirectory  # noqa: PLC0415 # as above

    with _show_move() as progress:
        relocation = MoveToDirectory(target_dir, settings, progress, IdGenerator().random_bytes).run()
    if relocation.event_count is None:
        _print_line(f"All has been moved before: it is in {relocation.spool_folder}.")
        return
    _print_line(f"Event store: {relocation.event_count:,} events are in {target_dir}, {_TABLES_MATCH}.")
    _print_line(
        f"Spool: it is new, with {relocation.dead_letter_count:,} events that the workers of this host had put aside."
    )
    if elsewhere_count := relocation.other_host_dead_letter_count:
        _print_line(f"Without {elsewhere_count:,} events that were put aside, and are in spools on other hosts.")
    _print_line(f"Metadata: {relocation.row_count:,} rows are in {target_dir}, {_TABLES_MATCH}.")
    _print_line("The database in PostgreSQL is marked as moved, so that no worker starts on it.")
    _print_line("Next, with the same TALLYROOM_SECRET_KEY and without the settings of the databases:")
    _print_line(f"tallyroom serve --data {target_dir}")


@contextmanager
def _show_move() -> Iterator[Progress]:
    """Show progress, and say in one sentence what stopped the block."""
    with report_in_one_sentence(_RESUME_HINT), show_progress_bars() as progress:
        try:
            yield progress
        except StoreError as error:
            sentence = f"{error}\n".splitlines()[0]
            raise CommandFailed(f"{sentence} Nothing is lost.{_RESUME_HINT}") from error


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
