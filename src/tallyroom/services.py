"""The parts of one running server: opened at the start and closed, in order, at the stop."""

import asyncio
import logging
import threading
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from functools import partial

from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.stats_tokens import StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.bots.outbox import Outbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.core import failpoints, upgrade_line
from tallyroom.core.clock import Clock, SystemClock
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE
from tallyroom.core.directory_watch import DirectoryWatch
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import Ids
from tallyroom.core.settings import Settings
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.this_worker import this_worker
from tallyroom.core.vault import Vault, check_key_file, open_vault
from tallyroom.db.connection import Database
from tallyroom.db.opening import migrate_metadata, open_metadata, start_record
from tallyroom.drain.nightly import NightlyCheck
from tallyroom.drain.own_position import OwnPosition
from tallyroom.drain.soundness import Soundness
from tallyroom.drain.thread import Drain
from tallyroom.ingest.accept import Accept
from tallyroom.ingest.arrivals import Arrivals
from tallyroom.ingest.body_readers import BodyReaders
from tallyroom.ingest.cap import MonthlyCap
from tallyroom.ingest.disk import DiskWatch
from tallyroom.ingest.idempotency import Replays
from tallyroom.ingest.opening import open_arrivals, open_cap, open_idempotency_keys
from tallyroom.ingest.refusals import KEPT_REFUSALS, Refusals
from tallyroom.ingest.worker_parts import WorkerParts
from tallyroom.installation.start import Start
from tallyroom.limits.limits import Limits, Window
from tallyroom.limits.opening import open_limits
from tallyroom.notify.email import Mailer
from tallyroom.otlp.take import require_fast_protobuf
from tallyroom.scheduler.loop import Scheduler
from tallyroom.spool.queue import Spool
from tallyroom.spool.replays import forget_old_replays
from tallyroom.spool.write_ahead_log import mend_log_of
from tallyroom.statistics.feed.import_worker import ImportReader
from tallyroom.store.backend.opening import open_backend
from tallyroom.store.hidden import HiddenEvents
from tallyroom.store.migrate import migrate as migrate_store
from tallyroom.store.opening import open_reader
from tallyroom.store.read import EventReader
from tallyroom.store.removals import Removals
from tallyroom.store.set_aside import surviving
from tallyroom.store.writer import Writer

_log = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Services:
    """Everything that handlers use, opened on one data directory that only this process holds."""

    settings: Settings
    clock: Clock
    shared_clock: SharedClock
    ids: Ids
    installation: str
    database: Database
    vault: Vault
    key_cache: KeyCache
    stats_tokens: StatsTokenCache
    personal_tokens: PersonalTokenCache
    spool: Spool
    writer: Writer
    reader: EventReader
    hidden_events: HiddenEvents
    removals: Removals
    drain: Drain
    soundness: Soundness
    nightly: NightlyCheck
    outbox: Outbox
    listing_queries: ListingQueries
    disk: DiskWatch
    directory: DirectoryWatch
    cap: MonthlyCap
    arrivals: Arrivals
    accept: Accept
    replays: Replays
    limits: Limits
    window: Window
    refusals: Refusals
    mailer: Mailer
    scheduler: Scheduler
    stopping: threading.Event = field(default_factory=threading.Event)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    body_readers: BodyReaders = field(default_factory=BodyReaders)
    imports: ImportReader = field(default_factory=ImportReader)

    async def flush(self) -> None:
        """Write what is kept in memory for a while: when each key and token was last used.

        Raises:
            Unavailable: the metadata cannot be written now; everything stays in memory.
        """
        for cache in (self.key_cache, self.stats_tokens, self.personal_tokens):
            await cache.flush_last_used()

    async def flush_first_uses(self) -> None:
        """Like `flush`, but only for keys and tokens that rested: whoever tries one looks whether it was used."""
        for cache in (self.key_cache, self.stats_tokens, self.personal_tokens):
            await cache.flush_first_uses()

    async def forget_old_replays(self) -> None:
        """Delete idempotency keys older than 24 hours."""
        now_ms = self.clock.now_ms()
        await asyncio.wrap_future(self.spool.change(lambda connection: forget_old_replays(connection, now_ms)))
        await self.replays.forget()

    async def _last_flush(self) -> None:
        try:
            await self.flush()
        except Unavailable as error:
            _log.warning("when each key was last used is not kept", extra={"reason": error.message})

    async def close(self) -> None:
        """Commit, drain for as long as the settings allow, and close; events that are not drained stay on disk."""
        async with AsyncExitStack() as steps:  # run in reverse order, each regardless of the others' failures
            steps.push_async_callback(self.database.close)
            steps.push_async_callback(self.limits.close)
            steps.callback(self.writer.close)
            steps.push_async_callback(asyncio.to_thread, self.reader.close)
            steps.push_async_callback(asyncio.to_thread, self.soundness.close)
            steps.push_async_callback(asyncio.to_thread, self.nightly.stop)
            steps.push_async_callback(self.replays.close)
            steps.push_async_callback(self.cap.close)
            steps.push_async_callback(asyncio.to_thread, self.spool.close)
            steps.push_async_callback(asyncio.to_thread, self.drain.stop, self.settings.stop_seconds)
            steps.push_async_callback(self._last_flush)
            steps.push_async_callback(self.body_readers.close)
            steps.push_async_callback(self.arrivals.close)
            steps.push_async_callback(self.imports.close)


def open_services(
    settings: Settings, clock: Clock | None = None, ids: Ids | None = None, *, accept_loss: bool = False
) -> Services:
    """Open the data directory of `settings`, created if missing, bring its schemas up to date, and start the drain.

    Args:
        settings: the settings of the server.
        clock: a test's clock; the system's if None.
        ids: a test's ids; random ones if None.
        accept_loss: continue without a lost spool, event store, part of the store, or key file.

    Raises:
        NotWhole: a part is missing, damaged, older than the rest or of another installation; nothing was changed.
        TallyroomError: a schema is newer than this program, the key file holds no key, or protobuf is installed without
            its decoder in C.
        StoreError: the event store cannot be opened.
    """
    require_fast_protobuf()
    clock = clock or SystemClock()
    ids = ids or Ids(clock)
    failpoints.configure(settings.failpoints)
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not settings.secret_keys:
        check_key_file(settings.data_dir)
    data, store = settings.data_dir, open_backend(settings)
    record = start_record(data / DATABASE_FILE, settings.db_dsn)
    with ExitStack() as opened, record.turn():  # a failed start leaves nothing open, above all not the engine
        mend_log_of(data / SPOOL_FILE)
        start = Start(data, store, record, clock, ids, key_given=bool(settings.secret_keys), accept_loss=accept_loss)
        start.clear_the_way()
        services = _open(settings, clock, ids, start, opened)
        services.drain.start()
        if accept_loss:
            services.soundness.accept_loss()
        services.nightly.start()
        opened.pop_all()
    return services


def _open(settings: Settings, clock: Clock, ids: Ids, start: Start, opened: ExitStack) -> Services:
    data = settings.data_dir
    writer = Writer(start.store)
    opened.callback(writer.close)
    start.check_spool(writer)
    migrate_metadata(data / DATABASE_FILE, settings.db_dsn, upgrade_line.to_log("metadata", clock))
    surviving(writer, partial(migrate_store, writer, migrated=upgrade_line.to_log("event store", clock)))
    spool = Spool(data / SPOOL_FILE, ids.random_bytes, upgrade_line.to_log("spool", clock))
    opened.callback(spool.close)
    start.begin(spool, writer)
    worker = this_worker(settings, spool.identity, start.epoch, ids)
    database = open_metadata(data / DATABASE_FILE, settings.db_dsn, worker)
    removals = Removals(writer, partial(database.version, "removals"), database.count_removal)
    hidden = surviving(writer, partial(HiddenEvents, writer, removals.by_others))
    drain = Drain(spool, writer, clock, database.peers)
    database.peers.follow(OwnPosition(spool, drain).now)
    soundness = Soundness(spool, writer, drain, database.peers)
    opened.callback(soundness.close)
    soundness.look(seconds=0)  # a range that a crash left open may still move; a chore looks again
    writer.on_failure = soundness.suspect
    directory = DirectoryWatch(data)
    disk = DiskWatch(data, settings.disk_reserve_bytes, clock)
    spool_reader = spool.reader()
    opened.callback(spool_reader.close)
    arrivals = open_arrivals(settings.db_dsn, spool, drain, database.peers, clock)
    reader = open_reader(start.store, settings, hidden.any_in, ids)
    opened.callback(reader.close)
    reader.damages, reader.on_failure, reader.caught_up = soundness.damages, soundness.suspect, drain.caught_up
    shared_clock = SharedClock(clock, database.peers)
    limits = open_limits(settings.limits_dsn, clock, database.peers)
    parts = WorkerParts(database, spool_reader, spool.identity, clock, database.peers)
    cap = open_cap(settings.db_dsn, settings.free_events_per_month, parts)
    return Services(
        settings=settings,
        clock=clock,
        shared_clock=shared_clock,
        ids=ids,
        installation=start.installation,
        database=database,
        vault=open_vault(settings.secret_keys, data),
        key_cache=KeyCache(database, clock),
        stats_tokens=StatsTokenCache(database, clock),
        personal_tokens=PersonalTokenCache(database, clock),
        spool=spool,
        writer=writer,
        reader=reader,
        hidden_events=hidden,
        removals=removals,
        drain=drain,
        soundness=soundness,
        nightly=NightlyCheck(soundness, clock),
        outbox=Outbox(database, writer),
        listing_queries=ListingQueries(reader),
        disk=disk,
        directory=directory,
        cap=cap,
        arrivals=arrivals,
        accept=Accept(spool, cap, disk, settings.spool_max_bytes, arrivals, directory, database.peers),
        replays=Replays(spool_reader, clock, open_idempotency_keys(settings.db_dsn, parts)),
        limits=limits,
        window=limits.window("ingest", settings.ingest_rate_per_minute),
        refusals=Refusals(limits.newest_entries("refusals", KEPT_REFUSALS), clock),
        mailer=Mailer(settings.mail_server, clock, ids),
        scheduler=Scheduler(database, shared_clock, ids),
    )
