"""Copies the installation of several running workers into a data directory of one server, as of one moment.

The tables of the event store are cloned on its server, and then the metadata is read in one snapshot; both are valid if
nothing was deleted in between. So the copy has everything that was acknowledged before it began. Of later events, it
has none, or only whole requests.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from socket import gethostname

import msgspec

from tallyroom.cluster.open_metadata import check_metadata, copy_metadata_snapshot, migrate_metadata, start_record
from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, measure_free_bytes
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.core.ids import RandomBytes
from tallyroom.core.settings import Settings
from tallyroom.operations.backup.make import NoRoom
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.relocation.cut import ConsistentCut, CutFinder
from tallyroom.operations.relocation.spool import ReplacedSpools, make_spool, read_dead_letters_of
from tallyroom.operations.relocation.store import copy_tables
from tallyroom.operations.relocation.tables import MOVED_TABLES, MovedTable
from tallyroom.storage.event_store.backend.opening import embedded_backend, open_backend
from tallyroom.storage.event_store.clones import Clones, drop_all_clones
from tallyroom.storage.event_store.migrate import migrate, newest_version, read_version
from tallyroom.storage.event_store.part_check import count_events_by_spool_month
from tallyroom.storage.event_store.tables import EVENTS, HIDDEN_EVENTS
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import SpoolRecords
from tallyroom.storage.stamp import Stamp

_MAX_ATTEMPTS = 5
_CLONE_NAME_BYTES = 6


class CopiedWorkers(msgspec.Struct, frozen=True):
    """The result of a copy."""

    cut: ConsistentCut
    event_count: int
    missing_count_by_spool: dict[int, int]  # how many included events the store lacks; negative if it has too many
    dead_letter_count: int  # in the copy

    @property
    def other_host_dead_letter_count(self) -> int:
        """The number of dead letters in spools of other hosts, which are not in the copy."""
        return sum(counts.dead_letters for counts in self.cut.counts_by_spool.values()) - self.dead_letter_count


def copy_workers(
    copy_dir: Path,
    settings: Settings,
    clock: Clock,
    progress: Progress,
    *,
    without_absent: bool,
    random_bytes: RandomBytes,
) -> CopiedWorkers:
    """Fill the data directory `copy_dir`, which is empty and held by this process.

    `without_absent` excludes what is queued in the spools of workers that are away. Raises `WorkerAbsent`, or
    `Unavailable` if the event store does not accept the workers' events, or something is always being deleted.
    """
    check_metadata(copy_dir / DATABASE_FILE, settings.db_dsn)
    migrate_metadata(copy_dir / DATABASE_FILE, "")
    cut_finder = CutFinder(settings, clock, without_absent=without_absent)
    stamp = _read_stamp(settings)
    with closing(Writer(open_backend(settings))) as source:
        if read_version(source) != newest_version():
            raise TallyroomError("The event store has another version's schema. Use the workers' version.")
        drop_all_clones(source)  # leftovers of an interrupted backup
        progress.begin_step("Waiting for the workers", 1)
        clone_name = random_bytes(_CLONE_NAME_BYTES).hex()
        captured = _capture_moment(copy_dir, settings.db_dsn, stamp, source, cut_finder, clone_name)
        with captured as (clones, cut, spool_records):
            failpoints.hit("backup.copy")
            _refuse_without_room(copy_dir, settings, clones.count_bytes())
            with closing(Writer(embedded_backend(copy_dir))) as target:
                migrate(target)
                event_count = copy_tables(source, target, progress, partial(_find_clone, clones=clones, cut=cut))
                event_count_by_month = count_events_by_spool_month(target)
    local_spools = [spool for spool in cut.all_spools if spool.host == gethostname()]
    letters = [letter for spool in local_spools for letter in read_dead_letters_of(Path(spool.path), spool.identity)]
    identities = {spool.identity for spool in cut.all_spools} | {spool for spool, _ in event_count_by_month}
    make_spool(copy_dir, stamp, ReplacedSpools(identities, spool_records, letters, event_count_by_month), random_bytes)
    embedded_backend(copy_dir).write_stamp(stamp)
    missing_counts = {spool: cut.count_expected(spool) for spool in cut.counts_by_spool}
    for (spool, _), spool_event_count in event_count_by_month.items():
        if spool in missing_counts:
            missing_counts[spool] -= spool_event_count
    missing_counts = {spool: count for spool, count in missing_counts.items() if count}
    return CopiedWorkers(cut, event_count, missing_counts, len(letters))


def _read_stamp(settings: Settings) -> Stamp:
    shared_metadata = start_record(Path(settings.data) / DATABASE_FILE, settings.db_dsn).read_metadata()
    if shared_metadata is None or shared_metadata.stamp is None:
        raise TallyroomError("No worker has started on the metadata database yet, so there is nothing to copy.")
    shared_metadata.refuse_moved()
    return Stamp(shared_metadata.stamp.installation, shared_metadata.stamp.epoch)


@contextmanager
def _capture_moment(
    copy_dir: Path, dsn: str, stamp: Stamp, source: Writer, cut_finder: CutFinder, clone_name: str
) -> Iterator[tuple[Clones, ConsistentCut, SpoolRecords]]:
    """Clone the event store and copy the metadata as of one moment; drop the clones when the block ends."""
    clones = Clones(source, clone_name)
    try:
        for _ in range(_MAX_ATTEMPTS):
            cut = cut_finder.find_cut()
            clones.create(table.name for table in MOVED_TABLES)
            is_valid = partial(cut_finder.is_valid, cut)
            spool_records = copy_metadata_snapshot(dsn, copy_dir / DATABASE_FILE, stamp, is_valid)
            if spool_records is not None:
                yield clones, cut, spool_records
                return
            clones.drop()
        raise Unavailable("Events are constantly being erased. Make the backup later.")
    finally:
        clones.drop()


def _find_clone(table: MovedTable, clones: Clones, cut: ConsistentCut) -> MovedTable:
    row_condition = cut.sql_condition() if table.name in {EVENTS, HIDDEN_EVENTS} else table.row_condition
    return table._replace(name=clones.clone_name(table.name), row_condition=row_condition)


def _refuse_without_room(copy_dir: Path, settings: Settings, max_bytes: int) -> None:
    """Refuse a copy that does not fit, or would keep the workers of this host from accepting events."""
    data_dir = settings.data_dir
    is_same_disk = data_dir.is_dir() and data_dir.stat().st_dev == copy_dir.stat().st_dev
    reserve, free = settings.disk_reserve_bytes if is_same_disk else 0, measure_free_bytes(copy_dir)
    if free < max_bytes + reserve:
        remark = f", of which the workers reserve {reserve:,} (TALLYROOM_DISK_RESERVE_BYTES)" if reserve else ""
        raise NoRoom(f"The backup needs up to {max_bytes:,} bytes, and the disk has {free:,} free{remark}.")
