"""The move from a data directory to the servers of a cluster, whose worker 0 continues with the spool."""

from contextlib import ExitStack, closing
from pathlib import Path

from tallyroom.cluster.open_metadata import migrate_metadata, take_over_metadata
from tallyroom.core import failpoints
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    MOVED_FILE,
    SPOOL_FILE,
    WORKERS_FOLDER,
    hold_directory,
    mark_moved,
)
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.installation.inspection import has_any_part, inspect_installation
from tallyroom.operations.installation.refusal import refuse_incomplete
from tallyroom.operations.installation.stale_copy import refuse_stale_spool
from tallyroom.operations.relocation.move import InstallationMove, NewSpool, NotMovable
from tallyroom.operations.relocation.spool import copy_spool, read_identity
from tallyroom.operations.relocation.store import is_empty
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.migrate import migrate as migrate_store
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedSpool, SharedMetadata, SpoolRecords
from tallyroom.storage.metadata.stamp import read_secrets
from tallyroom.storage.spool.event_counts import SpoolCounts
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.stamp import Stamp

_CLAIM_EPOCH = 0  # of a stamp that only names the installation whose events a server has begun to receive


class MoveToServers(InstallationMove):
    """Moves the unused `source_dir`, which then has a mark and the newest schemas; `settings` are the workers'."""

    def __init__(self, source_dir: Path, settings: Settings, progress: Progress) -> None:
        super().__init__(settings, progress)
        self._source_dir = source_dir
        self._worker_folder = settings.data_dir / WORKERS_FOLDER / "0"
        self._shared_metadata: SharedMetadata
        self._spool_counts: SpoolCounts
        self._spool_records: SpoolRecords
        self._next_stamp: Stamp

    def _hold_directories(self, stack: ExitStack) -> Path:
        source_dir, data_dir = self._source_dir, self._settings.data_dir
        if not has_any_part(source_dir):
            raise NotMovable(f"{source_dir} has no server data. Nothing was changed.")
        if source_dir.resolve() in (data_dir.resolve(), *self._worker_folder.resolve().parents):
            raise NotMovable(f"The new data directory must not be in {source_dir}: change --data. Nothing was changed.")
        stack.enter_context(hold_directory(source_dir, is_moving=True))
        stack.enter_context(hold_directory(data_dir))
        stack.enter_context(hold_directory(self._worker_folder))
        self._shared_metadata = self._lock_and_read_metadata(stack, self._worker_folder / DATABASE_FILE)
        installation = inspect_installation(source_dir, must_check_damage=False)
        if installation.metadata.stamp is None or installation.counts.spool_counts is None:
            raise NotMovable(f"Start this version once on {source_dir}, and stop it, before you move it.")
        last_stamp, self._spool_counts = installation.metadata.stamp, installation.counts.spool_counts
        self._next_stamp = Stamp(last_stamp.installation, (installation.begun_epoch or last_stamp.epoch) + 1)
        return self._worker_folder

    def _is_finished(self) -> bool:
        shared_metadata = self._shared_metadata
        if shared_metadata.stamp is None:
            if shared_metadata.counts.user_count or shared_metadata.spools:
                raise NotMovable("The metadata database belongs to another server. Nothing was changed.")
            return False
        if shared_metadata.stamp.installation != self._next_stamp.installation:
            raise NotMovable("The metadata database belongs to another installation. Nothing was changed.")
        shared_metadata.refuse_moved()
        if not (self._source_dir / MOVED_FILE).exists():
            raise NotMovable(
                f"The metadata database already has this installation, but {self._source_dir} is not marked as moved. "
                "Nothing was changed."
            )
        return True

    def _prepare_source(self) -> None:
        refuse_incomplete(self._source_dir, is_key_given=True)
        migrate_metadata(self._source_dir / DATABASE_FILE, "")

    def _read_secrets(self) -> list[str]:
        with open_read_only(self._source_dir / DATABASE_FILE) as metadata:
            return read_secrets(metadata)

    def _build_next_stamp(self) -> Stamp:
        return self._next_stamp

    def _open_source_store(self) -> Backend:
        return embedded_backend(self._source_dir)

    def _open_target_store(self) -> Backend:
        return open_backend(self._settings)

    def _claim_target(self, target: Backend) -> None:
        if read_identity(self._worker_folder) not in {None, self._spool_counts.spool}:
            raise NotMovable(f"{self._worker_folder} has the spool of another server. Nothing was changed.")
        stamp = target.inspect_store().stamp
        if stamp is not None and stamp.installation != self._next_stamp.installation:
            raise NotMovable("The event store on the server belongs to another installation. Nothing was changed.")
        if stamp is not None and stamp.epoch > self._next_stamp.epoch:
            raise NotMovable("The event store on the server has been in use since the move. Nothing was changed.")
        with closing(Writer(target)) as writer:
            migrate_store(writer)
            if stamp is None and not is_empty(writer):
                raise NotMovable("The event store on the server already has other events. Nothing was changed.")
        if stamp is None:
            target.write_stamp(Stamp(self._next_stamp.installation, _CLAIM_EPOCH))

    def _refuse_foreign_events(self, source: Writer) -> None:
        refuse_stale_spool(self._source_dir, source)

    def _move_spool(
        self,
        event_count_by_spool_month: dict[SpoolMonth, int],  # noqa: ARG002 # the spool knows that already
    ) -> NewSpool:
        self._progress.begin_step("Copying the spool", (self._source_dir / SPOOL_FILE).stat().st_size)
        counts, advance = self._spool_counts, self._progress.advance
        self._spool_records = copy_spool(self._source_dir, self._worker_folder, self._next_stamp, advance)
        return NewSpool(counts.spool, counts.queued, counts.dead_letters)

    def _move_metadata(self, spool: NewSpool) -> int:
        def mark_source() -> None:
            mark_moved(self._source_dir, self._worker_folder)
            failpoints.hit("move.mark.after")

        moved_spool = MovedSpool(spool.identity, self._next_stamp, self._spool_records)
        source_file, worker_file = self._source_dir / DATABASE_FILE, self._worker_folder / DATABASE_FILE
        return take_over_metadata(source_file, worker_file, self._settings.db_dsn, moved_spool, mark_source)
