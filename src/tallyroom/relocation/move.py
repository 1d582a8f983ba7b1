"""Moves an installation: first the event store, then the spool, and last the metadata, whose commit is the move.

Until that commit, no server starts on the new place, because its metadata has no users; from just before it, none
starts on the old one. So whenever the move is interrupted, at most one of them can be used, and another attempt goes
on.
"""

import time
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from tallyroom.backup.progress import Progress
from tallyroom.core import failpoints
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    KEY_FILE,
    MOVED_FILE,
    SPOOL_FILE,
    WORKERS_FOLDER,
    hold,
    mark_moved,
)
from tallyroom.core.database_file import reading
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.stamp import Stamp
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.db.opening import migrate_metadata, start_record, take_over
from tallyroom.db.record import KeptKey, MovedSpool, SharedMetadata, Usage
from tallyroom.db.stamp import read_secrets
from tallyroom.installation.found import has_something, look
from tallyroom.installation.overtaken import refuse_overtaken_spool
from tallyroom.installation.refusal import refuse_unless_whole
from tallyroom.relocation.spool import copy_spool, identity_of
from tallyroom.relocation.store import copy_store, is_empty
from tallyroom.store.backend.backend import Backend
from tallyroom.store.backend.opening import embedded_backend, open_backend
from tallyroom.store.migrate import migrate as migrate_store
from tallyroom.store.writer import Writer

_LOOK_SECONDS = 0.5
_CLAIM_EPOCH = 0
"""The epoch of a stamp that only says for which installation a server has begun to take the events."""


class NotMovable(TallyroomError):
    """The directory cannot move, or not to that place; nothing was changed that a server would miss."""


class Relocation(msgspec.Struct, frozen=True):
    """What has moved.

    Attributes:
        spool: the directory of the worker that has the spool now.
        events: the number of events in the event store; None if an earlier attempt had moved everything.
        queued: the number of events that wait in the spool.
        rows: the number of rows of the metadata.
    """

    spool: Path
    events: int | None = None
    queued: int = 0
    rows: int = 0


def move(old: Path, settings: Settings, progress: Progress) -> Relocation:
    """Move the installation in the data directory `old`, on which no server runs, to where the settings say.

    Args:
        old: the directory; only its mark is new afterwards, and that its schemas are the newest.
        settings: those of the servers of the cluster.
        progress: told of each step.

    Raises:
        TallyroomError: the directory or the place is not what it has to be, or a server does not answer.
        StoreError, sqlite3.Error, OSError: something cannot be read or written; another attempt goes on.
    """
    if not has_something(old):
        raise NotMovable(f"{old} has no data of a server. Nothing was changed.")
    folder = settings.data_dir / WORKERS_FOLDER / "0"
    if old.resolve() in (settings.data_dir.resolve(), *folder.resolve().parents):
        raise NotMovable(f"The new data directory must not be in {old}: name another with --data. Nothing was changed.")
    with ExitStack() as held:
        held.enter_context(hold(old, even_moved=True))
        held.enter_context(hold(settings.data_dir))
        held.enter_context(hold(folder))
        record = start_record(folder / DATABASE_FILE, settings.db_dsn)
        held.enter_context(record.turn())
        migrate_metadata(folder / DATABASE_FILE, settings.db_dsn)
        if (found := record.find()) is None:
            raise NotMovable("TALLYROOM_DB_DSN names no server.")
        return _Move(old, folder, settings, progress).run(found)


class _Move:
    def __init__(self, old: Path, folder: Path, settings: Settings, progress: Progress) -> None:
        self._old = old
        self._folder = folder
        self._settings = settings
        self._progress = progress
        found = look(old, check=False)
        if found.metadata.stamp is None or found.counts.numbers is None:
            raise NotMovable(f"Start this version once on {old}, and stop it, before you move it.")
        last = found.metadata.stamp
        self._stamp = Stamp(last.installation, (found.begun or last.epoch) + 1)
        self._numbers = found.counts.numbers

    def run(self, there: SharedMetadata) -> Relocation:
        if self._is_over(there):
            return Relocation(self._folder)
        refuse_unless_whole(self._old, key_given=True)
        migrate_metadata(self._old / DATABASE_FILE, "")
        self._refuse_other_key()
        self._refuse_other_spool()
        target = open_backend(self._settings)
        self._refuse_other_events(target)
        events = self._move_events(target)
        target.stamp(self._stamp)
        failpoints.hit("move.store.after")
        rows = self._move_rest()
        failpoints.hit("move.metadata.after")
        return Relocation(self._folder, events, self._numbers.queued, rows)

    def _is_over(self, there: SharedMetadata) -> bool:
        """Return whether an earlier attempt has moved everything.

        Raises:
            NotMovable: somebody else uses the metadata database.
        """
        if there.stamp is None:
            if there.holdings.users or there.spools:
                raise NotMovable("The metadata database is another server's. Nothing was changed.")
            return False
        if there.stamp.installation != self._stamp.installation:
            raise NotMovable("The metadata database is that of another installation. Nothing was changed.")
        if not (self._old / MOVED_FILE).exists():
            raise NotMovable(
                f"The metadata database has this installation already, although {self._old} is not marked as moved. "
                "Nothing was changed."
            )
        return True

    def _refuse_other_key(self) -> None:
        vault = Vault(self._settings.secret_keys)
        with reading(self._old / DATABASE_FILE) as metadata:
            secrets = read_secrets(metadata)
        for secret in secrets:
            try:
                vault.decrypt(secret)
            except SecretUnreadable as error:
                raise NotMovable(
                    "TALLYROOM_SECRET_KEY is not the key with which secrets were stored: set it to the one that the "
                    f"server had, or to what is in {self._old / KEY_FILE}. Nothing was changed."
                ) from error

    def _refuse_other_spool(self) -> None:
        if identity_of(self._folder) not in {None, self._numbers.spool}:
            raise NotMovable(f"{self._folder} has the spool of another server. Nothing was changed.")

    def _refuse_other_events(self, target: Backend) -> None:
        """Refuse a database that is not empty, unless an earlier attempt has begun to fill it."""
        stamp = target.find().stamp
        if stamp is not None and stamp.installation != self._stamp.installation:
            raise NotMovable("The event store on the server is that of another installation. Nothing was changed.")
        if stamp is not None and stamp.epoch > self._stamp.epoch:
            raise NotMovable("The event store on the server has been in use since it was moved. Nothing was changed.")
        with closing(Writer(target)) as writer:
            migrate_store(writer)
            if stamp is None and not is_empty(writer):
                raise NotMovable("The event store on the server has events of others. Nothing was changed.")
        if stamp is None:
            target.stamp(Stamp(self._stamp.installation, _CLAIM_EPOCH))

    def _move_events(self, target: Backend) -> int:
        with closing(Writer(embedded_backend(self._old))) as source, closing(Writer(target)) as writer:
            refuse_overtaken_spool(self._old, source)
            migrate_store(source)
            return copy_store(source, writer, self._progress, lambda: time.sleep(_LOOK_SECONDS))

    def _move_rest(self) -> int:
        self._progress.begin("Copying the spool", (self._old / SPOOL_FILE).stat().st_size)
        known = copy_spool(self._old, self._folder, self._stamp, self._progress.advance)
        failpoints.hit("move.spool.after")
        moved = MovedSpool(
            self._numbers.spool,
            self._stamp,
            [KeptKey(*key) for key in known.keys],
            [Usage(*usage) for usage in known.usage],
        )

        def mark() -> None:
            mark_moved(self._old, self._folder)
            failpoints.hit("move.mark.after")

        return take_over(self._old / DATABASE_FILE, self._folder / DATABASE_FILE, self._settings.db_dsn, moved, mark)
