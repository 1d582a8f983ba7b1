"""Opens the parts of one server on a data directory, each after the parts that it needs."""

from contextlib import ExitStack
from functools import partial

from tallyroom.auth.api_keys import KeyCache
from tallyroom.auth.stats_tokens import StatsTokenCache
from tallyroom.auth.tokens.cache import PersonalTokenCache
from tallyroom.bots.outbox import ListingOutbox
from tallyroom.bots.queries import ListingQueries
from tallyroom.cluster.open_ingest import open_arrivals, open_cap, open_idempotency_keys
from tallyroom.cluster.open_limits import open_limits
from tallyroom.cluster.open_metadata import open_metadata, start_record
from tallyroom.cluster.own_position import OwnPosition
from tallyroom.cluster.this_worker import create_worker
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core import failpoints
from tallyroom.core.clock import Clock, SystemClock
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.core.shared_clock import SharedClock
from tallyroom.core.vault import check_key_file, open_vault
from tallyroom.ingest.acceptance.accept import EventAcceptor
from tallyroom.ingest.acceptance.disk import DiskWatch
from tallyroom.ingest.acceptance.idempotency import IdempotencyRegistry
from tallyroom.ingest.drain.completeness import CompletenessCheck
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.drain.nightly_check import NightlyCheck
from tallyroom.ingest.drain.peer_progress import wait_peers_caught_up
from tallyroom.ingest.otlp.body import require_fast_protobuf
from tallyroom.ingest.refusals import KEPT_REFUSAL_COUNT, Refusals
from tallyroom.mail.email import Mailer
from tallyroom.operations.installation.store_admission import StoreAdmission
from tallyroom.operations.property_columns.opening import open_keeper
from tallyroom.queries.kept_answers.opening import open_kept_answers
from tallyroom.server.beginning import BegunParts, begin_start
from tallyroom.server.services import Services
from tallyroom.storage.directory_watch import DirectoryWatch
from tallyroom.storage.event_store.backend.gate import StoreGate
from tallyroom.storage.event_store.backend.opening import open_backend
from tallyroom.storage.event_store.hidden_events import HiddenEvents
from tallyroom.storage.event_store.opening import open_reader
from tallyroom.storage.event_store.quarantine import read_past_damage
from tallyroom.storage.event_store.removals import Removals
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue.worker import QueueWorker
from tallyroom.storage.spool.write_ahead_log import mend_spool_log


def open_services(
    settings: Settings,
    clock: Clock | None = None,
    id_generator: IdGenerator | None = None,
    *,
    accept_loss: bool = False,
) -> Services:
    """Open the data directory of `settings`, created if missing, bring its schemas up to date, and start the drain.

    Tests pass `clock` and `id_generator`. `accept_loss` continues without a lost spool, event store, part of the store,
    or key file.

    Raises:
        IncompleteInstallation: a part is missing, damaged, older or of another installation; nothing was changed.
        TallyroomError: a schema is newer than this program, the key file has no key, or protobuf is installed without
            its decoder in C.
        StoreError: the event store cannot be opened.
    """
    require_fast_protobuf()
    clock = clock or SystemClock()
    id_generator = id_generator or IdGenerator(clock)
    failpoints.configure(settings.failpoints)
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not settings.secret_keys:
        check_key_file(settings.data_dir)
    mend_spool_log(settings.data_dir / SPOOL_FILE)
    store_gate = StoreGate(open_backend(settings))
    # A failed start leaves nothing open, especially not the engine.
    with ExitStack() as exit_stack:
        begun_parts = begin_start(settings, clock, id_generator, store_gate, exit_stack, accept_loss=accept_loss)
        services = _open_parts(settings, clock, id_generator, store_gate, begun_parts, exit_stack)
        services.admission.begin()
        if accept_loss:
            services.completeness_check.accept_loss()
        services.nightly.start()
        exit_stack.pop_all()
    return services


def rehearse_start(settings: Settings) -> None:
    """Run the first, read-only part of a start, while the previous server still has the data directory.

    Raises:
        TallyroomError: a start would be refused, because the metadata do not answer or have moved away.
    """
    require_fast_protobuf()
    metadata = start_record(settings.data_dir / DATABASE_FILE, settings.db_dsn).read_metadata()
    if metadata is not None:
        metadata.refuse_moved()


def _open_parts(
    settings: Settings,
    clock: Clock,
    id_generator: IdGenerator,
    store_gate: StoreGate,
    begun_parts: BegunParts,
    exit_stack: ExitStack,
) -> Services:
    installation_start, writer, spool, number_texts, migrate_store = begun_parts
    data_dir, is_store_away = settings.data_dir, installation_start.away_error is not None
    worker = create_worker(settings, spool.identity, installation_start.epoch, id_generator)
    database = open_metadata(data_dir / DATABASE_FILE, settings.db_dsn, worker)
    removals = _build_removals(writer, database)
    open_hidden = partial(HiddenEvents, writer, removals.read_peer_version, is_store_away=is_store_away)
    hidden_events = read_past_damage(writer, open_hidden)
    drain = Drain(spool, writer, clock, database.peers)
    database.peers.publish_position(OwnPosition(spool, drain).read_position)
    completeness_check = CompletenessCheck(spool, writer, drain, database.peers)
    exit_stack.callback(completeness_check.close)
    if not is_store_away:
        # A range that a crash left open may still move; a chore checks again.
        completeness_check.compare_counts(timeout_seconds=0)
    writer.on_failure = completeness_check.examine_suspect
    directory = DirectoryWatch(data_dir)
    disk = DiskWatch(data_dir, settings.disk_reserve_bytes, clock)
    spool_reader = spool.open_reader()
    exit_stack.callback(spool_reader.close)
    arrivals = open_arrivals(settings.db_dsn, spool, drain, database.peers, clock)
    reader = open_reader(store_gate, settings, hidden_events.has_hidden_events, id_generator)
    exit_stack.callback(reader.close)
    reader.damages = completeness_check.damages
    reader.on_failure, reader.wait_caught_up = completeness_check.examine_suspect, drain.wait_caught_up
    reader.wait_peers_caught_up = partial(wait_peers_caught_up, database.peers)
    reader.is_filled_from = number_texts.is_filled_from
    shared_clock = SharedClock(clock, database.peers)
    limits = open_limits(settings.limits_dsn, clock, database.peers)
    worker_context = WorkerContext(database, spool_reader, spool.identity, clock, database.peers)
    cap = open_cap(settings.db_dsn, settings.free_events_per_month, worker_context)
    idempotency_keys = open_idempotency_keys(settings.db_dsn, worker_context)
    return Services(
        settings=settings,
        clock=clock,
        shared_clock=shared_clock,
        ids=id_generator,
        installation=installation_start.installation_id,
        database=database,
        vault=open_vault(settings.secret_keys, data_dir),
        key_cache=KeyCache(database, clock),
        stats_tokens=StatsTokenCache(database, clock),
        personal_tokens=PersonalTokenCache(database, clock),
        spool=spool,
        writer=writer,
        reader=reader,
        property_columns=open_keeper(settings, writer, reader, spool, database, shared_clock),
        hidden_events=hidden_events,
        number_texts=number_texts,
        removals=removals,
        kept_answers=open_kept_answers(settings, reader, removals),
        drain=drain,
        admission=StoreAdmission(
            installation_start, store_gate, migrate_store, hidden_events, completeness_check, drain
        ),
        completeness_check=completeness_check,
        nightly=NightlyCheck(completeness_check, clock),
        listing_outbox=ListingOutbox(database, writer),
        listing_queries=ListingQueries(reader),
        disk=disk,
        directory=directory,
        cap=cap,
        arrivals=arrivals,
        acceptor=EventAcceptor(spool, cap, disk, settings.spool_max_bytes, arrivals, directory, database.peers),
        idempotency_registry=IdempotencyRegistry(spool_reader, clock, idempotency_keys),
        limits=limits,
        window=limits.create_rate_limit("ingest", settings.ingest_rate_per_minute),
        refusals=Refusals(limits.create_newest_entries("refusals", KEPT_REFUSAL_COUNT), clock),
        mailer=Mailer(settings.mail_server, clock, id_generator),
        queue=QueueWorker(database, shared_clock, id_generator, worker_name=f"spool {spool.identity}"),
    )


def _build_removals(writer: Writer, database: Database) -> Removals:
    return Removals(
        writer,
        partial(database.change_version, "removals"),
        database.announce_removal,
        partial(database.cluster_change_version, "removals"),
        database.peers.worker_id(),
    )
