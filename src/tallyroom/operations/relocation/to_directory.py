"""The move from the servers of a cluster to a data directory, where one server continues with a new spool."""

from contextlib import ExitStack
from pathlib import Path

from tallyroom.cluster.open_metadata import migrate_metadata, open_metadata_of_workers, read_survey
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    MOVING_FILE,
    hold_directory,
    mark_moving,
    read_moving_installation,
)
from tallyroom.core.ids import RandomBytes
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.files import flush_path
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.target import refuse_nonempty
from tallyroom.operations.doctor.event_balance import read_reported_counts
from tallyroom.operations.relocation.move import InstallationMove, NewSpool, NotMovable
from tallyroom.operations.relocation.spool import ReplacedSpools, make_spool, read_dead_letters_of, read_identity
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MoveDestination, SharedMetadata
from tallyroom.storage.metadata.stamp import MetadataStamp
from tallyroom.storage.spool.dead_letters import DeadLetter
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.stamp import Stamp


class MoveToDirectory(InstallationMove):
    """Moves a stopped cluster to a directory, which is new, empty, or from an earlier attempt; deletes nothing."""

    def __init__(self, target_dir: Path, settings: Settings, progress: Progress, random_bytes: RandomBytes) -> None:
        super().__init__(settings, progress)
        self._target_dir = target_dir.resolve()
        self._random_bytes = random_bytes
        self._metadata = open_metadata_of_workers(settings.db_dsn)
        self._shared_metadata: SharedMetadata
        self._last_stamp: MetadataStamp

    def _hold_directories(self, stack: ExitStack) -> Path:
        target_dir, workers_dir = self._target_dir, self._settings.data_dir
        if target_dir.is_relative_to(workers_dir.resolve()) or workers_dir.resolve().is_relative_to(target_dir):
            raise NotMovable(
                f"{target_dir} and the workers' data directory {workers_dir} must not contain each other. "
                "Choose another directory. Nothing was changed."
            )
        # Another directory must not even get a lock.
        if read_moving_installation(target_dir) is None and read_identity(target_dir) is None:
            refuse_nonempty(target_dir, may_have_lock=True)
        if workers_dir.is_dir():
            stack.enter_context(hold_directory(workers_dir))
        stack.enter_context(hold_directory(target_dir, is_moving=True))
        self._shared_metadata = self._lock_and_read_metadata(stack, target_dir / DATABASE_FILE)
        if self._shared_metadata.stamp is None:
            raise NotMovable("The metadata database has no workers' data. Nothing was changed.")
        self._last_stamp = self._shared_metadata.stamp
        return target_dir

    def _is_finished(self) -> bool:
        if (destination := self._shared_metadata.moved_to) is None:
            return False
        if destination.spool != read_identity(self._target_dir):
            moved_to = f"{destination.path} on {destination.host}"
            raise NotMovable(f"The data of these workers has moved to {moved_to}. Nothing was changed.")
        self._unmark_moving()
        return True

    def _prepare_source(self) -> None:
        if (installation := read_moving_installation(self._target_dir)) is None:
            refuse_nonempty(self._target_dir, may_have_lock=True)
        elif installation != self._last_stamp.installation:
            raise NotMovable(f"{self._target_dir} has leftovers from another move. Nothing was changed.")
        self._metadata.fence_workers(self._build_next_stamp().epoch)

    def _read_secrets(self) -> list[str]:
        return self._metadata.read_encrypted_secrets()

    def _build_next_stamp(self) -> Stamp:
        return Stamp(self._last_stamp.installation, (self._last_stamp.begun_epoch or self._last_stamp.epoch) + 1)

    def _open_source_store(self) -> Backend:
        return open_backend(self._settings)

    def _open_target_store(self) -> Backend:
        return embedded_backend(self._target_dir)

    def _claim_target(self, target: Backend) -> None:  # noqa: ARG002 # the mark is for the whole directory
        mark_moving(self._target_dir, self._last_stamp.installation)

    def _refuse_foreign_events(self, source: Writer) -> None:
        """Do nothing: each start of a worker has checked that."""

    def _move_spool(self, event_count_by_spool_month: dict[SpoolMonth, int]) -> NewSpool:
        host, _ = self._shared_metadata.location
        dead_letters: list[DeadLetter] = []
        other_host_dead_letter_count = 0
        for spool in read_survey(self._settings.db_dsn, SystemClock().now_ms).spools:
            if spool.host == host and read_identity(Path(spool.path)) == spool.identity:
                dead_letters += read_dead_letters_of(Path(spool.path), spool.identity)
            elif counts := read_reported_counts(spool):
                other_host_dead_letter_count += counts.dead_letters
        identities = {*self._shared_metadata.spools, *(spool for spool, _ in event_count_by_spool_month)}
        records = self._metadata.read_spool_records()
        replaced_spools = ReplacedSpools(identities, records, dead_letters, event_count_by_spool_month)
        identity = make_spool(self._target_dir, self._build_next_stamp(), replaced_spools, self._random_bytes)
        return NewSpool(identity, 0, len(dead_letters), other_host_dead_letter_count)

    def _move_metadata(self, spool: NewSpool) -> int:
        metadata_file = self._target_dir / DATABASE_FILE
        for suffix in ("", "-wal", "-shm"):
            metadata_file.with_name(f"{metadata_file.name}{suffix}").unlink(missing_ok=True)
        migrate_metadata(metadata_file, "")
        flush_path(self._target_dir)
        destination = MoveDestination(*self._shared_metadata.location, spool.identity)
        row_count = self._metadata.hand_over(metadata_file, self._build_next_stamp(), destination)
        failpoints.hit("move.mark.after")
        self._unmark_moving()
        return row_count

    def _unmark_moving(self) -> None:
        """Make the new directory usable, now that the old place is not."""
        (self._target_dir / MOVING_FILE).unlink(missing_ok=True)
        flush_path(self._target_dir)
