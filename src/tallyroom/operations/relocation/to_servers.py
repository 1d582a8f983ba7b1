"""The move from a data directory to the servers of a cluster, whose worker 0 goes on with the spool."""

from contextlib import ExitStack, closing
from pathlib import Path

from tallyroom.cluster.open_metadata import migrate_metadata, take_over
from tallyroom.core import failpoints
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    MOVED_FILE,
    SPOOL_FILE,
    WORKERS_FOLDER,
    hold,
    mark_moved,
)
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.installation.inspection import has_something, look
from tallyroom.operations.installation.refusal import refuse_unless_whole
from tallyroom.operations.installation.stale_copy import refuse_overtaken_spool
from tallyroom.operations.relocation.move import Move, NewSpool, NotMovable
from tallyroom.operations.relocation.spool import copy_spool, identity_of
from tallyroom.operations.relocation.store import is_empty
from tallyroom.storage.database_file import reading
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.migrate import migrate as migrate_store
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import KnownBySpools, MovedSpool, SharedMetadata
from tallyroom.storage.metadata.stamp import read_secrets
from tallyroom.storage.spool.event_counts import SpoolNumbers
from tallyroom.storage.spool.expected_counts import Heap
from tallyroom.storage.stamp import Stamp

_CLAIM_EPOCH = 0
"""The epoch of a stamp that only says for which installation a server has begun to take the events."""


class ToServers(Move):
    """Moves the installation in a directory, of which only the mark is new afterwards, and that its schemas are.

    Args:
        old: the directory, on which no server runs.
        settings: those of the workers; their data directory is the new one.
        progress: told of each step.
    """

    def __init__(self, old: Path, settings: Settings, progress: Progress) -> None:
        super().__init__(settings, progress)
        self._old = old
        self._folder = settings.data_dir / WORKERS_FOLDER / "0"
        self._shared_metadata: SharedMetadata
        self._numbers: SpoolNumbers
        self._records: KnownBySpools
        self._next: Stamp

    def _hold(self, stack: ExitStack) -> Path:
        old, data = self._old, self._settings.data_dir
        if not has_something(old):
            raise NotMovable(f"{old} has no data of a server. Nothing was changed.")
        if old.resolve() in (data.resolve(), *self._folder.resolve().parents):
            raise NotMovable(
                f"The new data directory must not be in {old}: name another with --data. Nothing was changed."
            )
        stack.enter_context(hold(old, moving=True))
        stack.enter_context(hold(data))
        stack.enter_context(hold(self._folder))
        self._shared_metadata = self._take_turn(stack, self._folder / DATABASE_FILE)
        installation = look(old, check=False)
        if installation.metadata.stamp is None or installation.counts.numbers is None:
            raise NotMovable(f"Start this version once on {old}, and stop it, before you move it.")
        last, self._numbers = installation.metadata.stamp, installation.counts.numbers
        self._next = Stamp(last.installation, (installation.begun_epoch or last.epoch) + 1)
        return self._folder

    def _is_over(self) -> bool:
        shared_metadata = self._shared_metadata
        if shared_metadata.stamp is None:
            if shared_metadata.holdings.users or shared_metadata.spools:
                raise NotMovable("The metadata database is another server's. Nothing was changed.")
            return False
        if shared_metadata.stamp.installation != self._next.installation:
            raise NotMovable("The metadata database is that of another installation. Nothing was changed.")
        shared_metadata.refuse_moved()
        if not (self._old / MOVED_FILE).exists():
            raise NotMovable(
                f"The metadata database has this installation already, although {self._old} is not marked as moved. "
                "Nothing was changed."
            )
        return True

    def _put_to_rest(self) -> None:
        refuse_unless_whole(self._old, key_given=True)
        migrate_metadata(self._old / DATABASE_FILE, "")

    def _secrets(self) -> list[str]:
        with reading(self._old / DATABASE_FILE) as metadata:
            return read_secrets(metadata)

    def _stamp(self) -> Stamp:
        return self._next

    def _source(self) -> Backend:
        return embedded_backend(self._old)

    def _target(self) -> Backend:
        return open_backend(self._settings)

    def _claim(self, target: Backend) -> None:
        if identity_of(self._folder) not in {None, self._numbers.spool}:
            raise NotMovable(f"{self._folder} has the spool of another server. Nothing was changed.")
        stamp = target.find().stamp
        if stamp is not None and stamp.installation != self._next.installation:
            raise NotMovable("The event store on the server is that of another installation. Nothing was changed.")
        if stamp is not None and stamp.epoch > self._next.epoch:
            raise NotMovable("The event store on the server has been in use since it was moved. Nothing was changed.")
        with closing(Writer(target)) as writer:
            migrate_store(writer)
            if stamp is None and not is_empty(writer):
                raise NotMovable("The event store on the server has events of others. Nothing was changed.")
        if stamp is None:
            target.stamp(Stamp(self._next.installation, _CLAIM_EPOCH))

    def _check_events(self, source: Writer) -> None:
        refuse_overtaken_spool(self._old, source)

    def _move_spool(self, store_events: dict[Heap, int]) -> NewSpool:  # noqa: ARG002 # it knows that already
        self._progress.begin("Copying the spool", (self._old / SPOOL_FILE).stat().st_size)
        numbers = self._numbers
        self._records = copy_spool(self._old, self._folder, self._next, self._progress.advance)
        return NewSpool(numbers.spool, numbers.queued, numbers.dead_letters)

    def _move_metadata(self, spool: NewSpool) -> int:
        def mark() -> None:
            mark_moved(self._old, self._folder)
            failpoints.hit("move.mark.after")

        moved_spool = MovedSpool(spool.identity, self._next, self._records)
        return take_over(
            self._old / DATABASE_FILE, self._folder / DATABASE_FILE, self._settings.db_dsn, moved_spool, mark
        )
