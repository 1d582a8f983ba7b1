"""The move from the servers of a cluster to a data directory, where one server goes on with a new spool."""

from contextlib import ExitStack
from pathlib import Path

from tallyroom.cluster.open_metadata import migrate_metadata, open_metadata_of_workers, survey
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
from tallyroom.operations.backup.target import refuse_full
from tallyroom.operations.doctor.event_balance import read_reported_numbers
from tallyroom.operations.relocation.move import Move, NewSpool, NotMovable
from tallyroom.operations.relocation.spool import MovedSpools, make_spool, read_dead_letters_of, read_identity
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import Destination, SharedMetadata
from tallyroom.storage.metadata.stamp import MetadataStamp
from tallyroom.storage.spool.dead_letters import DeadLetter
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.stamp import Stamp


class ToDirectory(Move):
    """Moves an installation to a directory; the metadata on the server is marked afterwards, and nothing is deleted.

    Args:
        target_dir: the directory, which is new or empty, or has what an earlier attempt has left.
        settings: those of the workers, of which none runs.
        progress: told of each step.
        random_bytes: give the new spool its identity.
    """

    def __init__(self, target_dir: Path, settings: Settings, progress: Progress, random_bytes: RandomBytes) -> None:
        super().__init__(settings, progress)
        self._target_dir = target_dir.resolve()
        self._random_bytes = random_bytes
        self._metadata = open_metadata_of_workers(settings.db_dsn)
        self._shared_metadata: SharedMetadata
        self._last_stamp: MetadataStamp

    def _hold(self, stack: ExitStack) -> Path:
        target_dir, workers = self._target_dir, self._settings.data_dir
        if target_dir.is_relative_to(workers.resolve()) or workers.resolve().is_relative_to(target_dir):
            raise NotMovable(
                f"{target_dir} is, or is in, the data directory of the workers, {workers}: name another. "
                "Nothing was changed."
            )
        if (
            read_moving_installation(target_dir) is None and read_identity(target_dir) is None
        ):  # another directory must not even get a lock
            refuse_full(target_dir, may_have_lock=True)
        if workers.is_dir():
            stack.enter_context(hold_directory(workers))
        stack.enter_context(hold_directory(target_dir, is_moving=True))
        self._shared_metadata = self._hold_start_turn(stack, target_dir / DATABASE_FILE)
        if self._shared_metadata.stamp is None:
            raise NotMovable("The metadata database has no data of workers. Nothing was changed.")
        self._last_stamp = self._shared_metadata.stamp
        return target_dir

    def _is_finished(self) -> bool:
        if (departure := self._shared_metadata.moved_to) is None:
            return False
        if departure.spool != read_identity(self._target_dir):
            raise NotMovable(
                f"The data of these workers has moved to {departure.path} on {departure.host}. Nothing was changed."
            )
        self._open()
        return True

    def _prepare_source(self) -> None:
        if (installation := read_moving_installation(self._target_dir)) is None:
            refuse_full(self._target_dir, may_have_lock=True)
        elif installation != self._last_stamp.installation:
            raise NotMovable(f"{self._target_dir} has what is left of another move. Nothing was changed.")
        self._metadata.put_to_rest(self._new_stamp().epoch)

    def _read_secrets(self) -> list[str]:
        return self._metadata.read_secrets()

    def _new_stamp(self) -> Stamp:
        return Stamp(self._last_stamp.installation, (self._last_stamp.begun_epoch or self._last_stamp.epoch) + 1)

    def _source_store(self) -> Backend:
        return open_backend(self._settings)

    def _target_store(self) -> Backend:
        return embedded_backend(self._target_dir)

    def _claim_target(self, target: Backend) -> None:  # noqa: ARG002 # the mark is that of the whole directory
        mark_moving(self._target_dir, self._last_stamp.installation)

    def _check_events(self, source: Writer) -> None:
        """Nothing: each start of a worker has checked that."""

    def _move_spool(self, store_events: dict[SpoolMonth, int]) -> NewSpool:
        host, _ = self._shared_metadata.location
        dead_letters: list[DeadLetter] = []
        elsewhere_count = 0
        for spool in survey(self._settings.db_dsn, SystemClock().now_ms).spools:
            if spool.host == host and read_identity(Path(spool.path)) == spool.identity:
                dead_letters += read_dead_letters_of(Path(spool.path), spool.identity)
            elif counts := read_reported_numbers(spool):
                elsewhere_count += counts.dead_letters
        identities = {*self._shared_metadata.spools, *(spool for spool, _ in store_events)}
        old_spools = MovedSpools(identities, self._metadata.read_spool_records(), dead_letters, store_events)
        identity = make_spool(self._target_dir, self._new_stamp(), old_spools, self._random_bytes)
        return NewSpool(identity, 0, len(dead_letters), elsewhere_count)

    def _move_metadata(self, spool: NewSpool) -> int:
        file = self._target_dir / DATABASE_FILE
        for suffix in ("", "-wal", "-shm"):
            file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)
        migrate_metadata(file, "")
        flush_path(self._target_dir)
        place = Destination(*self._shared_metadata.location, spool.identity)
        rows = self._metadata.hand_over(file, self._new_stamp(), place)
        failpoints.hit("move.mark.after")
        self._open()
        return rows

    def _open(self) -> None:
        """Make the new directory usable, as the old place no longer is."""
        (self._target_dir / MOVING_FILE).unlink(missing_ok=True)
        flush_path(self._target_dir)
