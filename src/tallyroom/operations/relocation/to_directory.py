"""The move from the servers of a cluster to a data directory, where one server goes on with a new spool."""

from contextlib import ExitStack
from pathlib import Path

from tallyroom.cluster.open_metadata import migrate_metadata, open_metadata_of_workers, survey
from tallyroom.core import failpoints
from tallyroom.core.clock import SystemClock
from tallyroom.core.data_directory import DATABASE_FILE, MOVING_FILE, hold, mark_moving, moving_into
from tallyroom.core.ids import RandomBytes
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.files import flush_one
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.target import refuse_full
from tallyroom.operations.doctor.event_balance import said_numbers
from tallyroom.operations.relocation.move import Move, NewSpool, NotMovable
from tallyroom.operations.relocation.spool import MovedSpools, dead_letters_of, identity_of, make_spool
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import Departure, SharedMetadata
from tallyroom.storage.metadata.stamp import MetadataStamp
from tallyroom.storage.spool.dead_letters import DeadLetter
from tallyroom.storage.spool.expected_counts import Heap
from tallyroom.storage.stamp import Stamp


class ToDirectory(Move):
    """Moves an installation to a directory; the metadata on the server is marked afterwards, and nothing is deleted.

    Args:
        new: the directory, which is new or empty, or has what an earlier attempt has left.
        settings: those of the workers, of which none runs.
        progress: told of each step.
        random_bytes: give the new spool its identity.
    """

    def __init__(self, new: Path, settings: Settings, progress: Progress, random_bytes: RandomBytes) -> None:
        super().__init__(settings, progress)
        self._new = new.resolve()
        self._random_bytes = random_bytes
        self._metadata = open_metadata_of_workers(settings.db_dsn)
        self._shared_metadata: SharedMetadata
        self._last: MetadataStamp

    def _hold(self, stack: ExitStack) -> Path:
        new, workers = self._new, self._settings.data_dir
        if new.is_relative_to(workers.resolve()) or workers.resolve().is_relative_to(new):
            raise NotMovable(
                f"{new} is, or is in, the data directory of the workers, {workers}: name another. Nothing was changed."
            )
        if moving_into(new) is None and identity_of(new) is None:  # another directory must not even get a lock
            refuse_full(new, may_have_lock=True)
        if workers.is_dir():
            stack.enter_context(hold(workers))
        stack.enter_context(hold(new, moving=True))
        self._shared_metadata = self._take_turn(stack, new / DATABASE_FILE)
        if self._shared_metadata.stamp is None:
            raise NotMovable("The metadata database has no data of workers. Nothing was changed.")
        self._last = self._shared_metadata.stamp
        return new

    def _is_over(self) -> bool:
        if (departure := self._shared_metadata.moved_to) is None:
            return False
        if departure.spool != identity_of(self._new):
            raise NotMovable(
                f"The data of these workers has moved to {departure.path} on {departure.host}. Nothing was changed."
            )
        self._open()
        return True

    def _put_to_rest(self) -> None:
        if (installation := moving_into(self._new)) is None:
            refuse_full(self._new, may_have_lock=True)
        elif installation != self._last.installation:
            raise NotMovable(f"{self._new} has what is left of another move. Nothing was changed.")
        self._metadata.put_to_rest(self._stamp().epoch)

    def _secrets(self) -> list[str]:
        return self._metadata.secrets()

    def _stamp(self) -> Stamp:
        return Stamp(self._last.installation, (self._last.begun_epoch or self._last.epoch) + 1)

    def _source(self) -> Backend:
        return open_backend(self._settings)

    def _target(self) -> Backend:
        return embedded_backend(self._new)

    def _claim(self, target: Backend) -> None:  # noqa: ARG002 # the mark is that of the whole directory
        mark_moving(self._new, self._last.installation)

    def _check_events(self, source: Writer) -> None:
        """Nothing: each start of a worker has checked that."""

    def _move_spool(self, store_events: dict[Heap, int]) -> NewSpool:
        host, _ = self._shared_metadata.location
        dead_letters: list[DeadLetter] = []
        elsewhere = 0
        for spool in survey(self._settings.db_dsn, SystemClock().now_ms).spools:
            if spool.host == host and identity_of(Path(spool.path)) == spool.identity:
                dead_letters += dead_letters_of(Path(spool.path), spool.identity)
            elif counts := said_numbers(spool):
                elsewhere += counts.dead_letters
        identities = {*self._shared_metadata.spools, *(spool for spool, _ in store_events)}
        old_spools = MovedSpools(identities, self._metadata.known_by_spools(), dead_letters, store_events)
        identity = make_spool(self._new, self._stamp(), old_spools, self._random_bytes)
        return NewSpool(identity, 0, len(dead_letters), elsewhere)

    def _move_metadata(self, spool: NewSpool) -> int:
        file = self._new / DATABASE_FILE
        for suffix in ("", "-wal", "-shm"):
            file.with_name(f"{file.name}{suffix}").unlink(missing_ok=True)
        migrate_metadata(file, "")
        flush_one(self._new)
        place = Departure(*self._shared_metadata.location, spool.identity)
        rows = self._metadata.hand_over(file, self._stamp(), place)
        failpoints.hit("move.mark.after")
        self._open()
        return rows

    def _open(self) -> None:
        """Make the new directory usable, as the old place no longer is."""
        (self._new / MOVING_FILE).unlink(missing_ok=True)
        flush_one(self._new)
