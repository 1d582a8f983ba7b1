"""`tallyroom backup`, `restore` and `verify`."""

import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock, SystemClock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.ids import IdGenerator
from tallyroom.core.load_settings import load_settings
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.make import make_backup
from tallyroom.operations.backup.manifest import Manifest
from tallyroom.operations.backup.restore import restore_backup
from tallyroom.operations.backup.verify import verify_backup
from tallyroom.operations.control_socket.reach import open_store_access
from tallyroom.storage.event_store.errors import StoreError

DataOption = Annotated[str | None, Parameter(help="Data directory (TALLYROOM_DATA, ./data).")]
BackupFolder = Annotated[Path, Parameter(help="The directory of the backup.")]

_NICENESS = 10  # so that the server goes first


class CommandFailed(TallyroomError):
    """A file or the store refused an operation of the command."""


def backup(
    folder: BackupFolder,
    /,
    *,
    data: DataOption = None,
    without_absent: Annotated[
        bool,
        Parameter(help="With several workers: leave out events queued on workers that are not running.", negative=""),
    ] = False,
) -> None:
    """Copy all data to FOLDER, which must be new or empty. The server may be running.

    FOLDER appears only when the backup is complete. It contains password hashes and events, so keep it safe. With the
    settings of several workers, which must be running, the backup has the data of all of them.
    """
    settings, clock = load_settings(os.environ, data=data), SystemClock()
    failpoints.configure(settings.failpoints)
    os.nice(_NICENESS)
    if settings.db_dsn:
        _backup_workers(folder, settings, clock, without_absent=without_absent)
        return
    with (
        report_in_one_sentence(),
        show_progress_bars() as progress,
        open_store_access(settings.data_dir, clock, settle_open_claim=True) as access,
    ):
        manifest = make_backup(
            access, settings.data_dir, folder, clock=clock, reserve_bytes=settings.disk_reserve_bytes, progress=progress
        )
    print_line(f"Backup of {settings.data} in {folder}: {_describe_contents(manifest)}.")
    if not manifest.balance.adds_up:
        print_line("The events do not add up: run `tallyroom doctor`.")


def restore(
    folder: BackupFolder,
    /,
    *,
    data: DataOption = None,
    verify: Annotated[
        bool, Parameter(help="Afterwards, read everything again and compare every count.", negative="")
    ] = False,
) -> None:
    """Create a data directory from the backup in FOLDER; the directory must be new or empty.

    Before the command writes anything, it compares every file with its hash.
    """
    settings = load_settings(os.environ, data=data)
    with report_in_one_sentence(), show_progress_bars() as progress:
        restored_backup = restore_backup(folder, settings.data_dir, must_verify=verify, progress=progress)
    print_line(f"Restored {folder} into {settings.data}: {_describe_contents(restored_backup.manifest)}.")
    if verify:
        print_line(
            f"Verified: {restored_backup.checked_part_count} parts read, both databases sound, "
            "every count matches the backup."
        )
    if settings.db_dsn:
        print_line(f"Next, with empty servers: tallyroom migrate-store --from {settings.data} --data DIR")
    else:
        print_line(f"Next: tallyroom serve --data {settings.data}")


def verify(folder: BackupFolder, /) -> None:
    """Verify the backup in FOLDER against its hashes, without restoring it."""
    with report_in_one_sentence(""), show_progress_bars() as progress:
        manifest = verify_backup(folder, progress)
    print_line(f"{folder} is complete and undamaged: {_describe_contents(manifest)}.")


@contextmanager
def report_in_one_sentence(remark: str = " The incomplete copy was removed.") -> Iterator[None]:
    """Turn an error of a file or the store, or a signal to stop, into `CommandFailed`; `remark` is about the output."""
    previous_handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except OSError as error:
        file_note = f" ({error.filename})" if error.filename else ""
        raise CommandFailed(f"{error.strerror or error}{file_note}.{remark}") from error
    except (StoreError, sqlite3.Error) as error:
        raise CommandFailed(f"{error}\n".splitlines()[0]) from error
    except KeyboardInterrupt:
        raise CommandFailed(f"Interrupted.{remark}") from None
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _backup_workers(folder: Path, settings: Settings, clock: Clock, *, without_absent: bool) -> None:
    os.umask(0o077)  # the copy that comes first is as secret as the backup
    from tallyroom.operations.relocation.workers_backup import make_workers_backup  # noqa: PLC0415 # brings the engine with it

    with report_in_one_sentence(), show_progress_bars() as progress:
        manifest, workers_copy = make_workers_backup(
            folder,
            settings,
            clock,
            progress,
            without_absent=without_absent,
            random_bytes=IdGenerator(clock).random_bytes,
        )
    print_line(
        f"Backup of {len(workers_copy.cut.counts_by_spool):,} spools in {folder}: {_describe_contents(manifest)}."
    )
    for spool in workers_copy.cut.absent_spools:
        print_line(f"Not included: the events queued in spool {spool.identity} on {spool.host}, in {spool.path}.")
    if elsewhere_count := workers_copy.other_host_dead_letter_count:
        print_line(f"Not included: {elsewhere_count:,} events that were put aside in spools on other hosts.")
    if workers_copy.missing_count_by_spool:
        print_line("The events do not add up: run `tallyroom doctor`.")


def _describe_contents(manifest: Manifest) -> str:
    balance, counts = manifest.balance, manifest.balance.counts
    events_text = (
        f"{counts.acknowledged:,} acknowledged events as of {manifest.created[:19].replace('T', ' ')} UTC"
        f" ({balance.events:,} stored, {counts.queued:,} queued)"
    )
    if not counts.acknowledged and balance.others:  # of several workers, whose spools it does not have
        events_text = f"{balance.others:,} stored events as of {manifest.created[:19].replace('T', ' ')} UTC"
    return f"{events_text}, {len(manifest.files):,} files, {decimal(manifest.total_bytes)}"


def print_line(line: str) -> None:
    """Write a line of the command's result."""
    sys.stdout.write(f"{line}\n")


class ProgressBars:
    """Shows each step of `backup.progress.Progress` as a bar that replaces the one before."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task_id = progress.add_task("", total=None, visible=False)

    def begin_step(self, name: str, total: int) -> None:
        """Begin a new step."""
        self._progress.reset(self._task_id, description=name, total=total, visible=True)

    def advance(self, amount: int) -> None:
        """Advance the current step by this much."""
        self._progress.advance(self._task_id, amount)


@contextmanager
def show_progress_bars() -> Iterator[ProgressBars]:
    """Show bars on standard error while the block runs; show nothing if standard error is not a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield ProgressBars(progress)
