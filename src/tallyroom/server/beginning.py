"""Begins a start: brings all parts up to date and begins its epoch, while no other process starts."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from tallyroom.cluster.open_metadata import migrate_metadata, start_record
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE
from tallyroom.core.ids import IdGenerator
from tallyroom.core.settings import Settings
from tallyroom.operations.installation.start import InstallationStart
from tallyroom.storage import upgrade_log
from tallyroom.storage.event_store.backend.gate import StoreGate
from tallyroom.storage.event_store.column_fill import FillProgress
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS
from tallyroom.storage.event_store.quarantine import read_past_damage
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.queue import Spool


class BegunParts(NamedTuple):
    """What a start has opened under the start lock; the other parts are this server's own."""

    installation_start: InstallationStart
    writer: Writer
    spool: Spool
    number_texts: FillProgress
    migrate_store: Callable[[Writer], None]


def begin_start(
    settings: Settings,
    clock: Clock,
    id_generator: IdGenerator,
    store_gate: StoreGate,
    exit_stack: ExitStack,
    *,
    accept_loss: bool,
) -> BegunParts:
    """Bring all existing parts up to date, open the spool, and begin the epoch of this start.

    Raises as `open_services` does; `exit_stack` closes what is open.
    """
    database_file = settings.data_dir / DATABASE_FILE
    installation_record = start_record(database_file, settings.db_dsn)
    store_gate.check_server()
    with installation_record.hold_start_lock():
        installation_start = InstallationStart(
            settings.data_dir,
            store_gate,
            installation_record,
            clock,
            id_generator,
            is_key_given=bool(settings.secret_keys),
            accept_loss=accept_loss,
        )
        installation_start.quarantine_unusable()
        is_store_away = installation_start.away_error is not None
        if is_store_away:
            store_gate.close_gate()
        writer = Writer(store_gate, connects_now=not is_store_away)
        exit_stack.callback(writer.close)
        installation_start.check_spool(writer)
        migrate_metadata(database_file, settings.db_dsn, upgrade_log.build_migration_logger("metadata", clock))
        number_texts = FillProgress(NUMBER_TEXTS)
        migrate_store = partial(_migrate_store, clock, number_texts)
        if not is_store_away:
            migrate_store(writer)
        spool = _open_spool(settings, clock, id_generator, exit_stack)
        installation_start.begin_epoch(spool, writer)
    return BegunParts(installation_start, writer, spool, number_texts, migrate_store)


def _open_spool(settings: Settings, clock: Clock, id_generator: IdGenerator, exit_stack: ExitStack) -> Spool:
    spool = Spool(
        settings.data_dir / SPOOL_FILE,
        id_generator.random_bytes,
        upgrade_log.build_migration_logger("spool", clock),
    )
    exit_stack.callback(spool.close)
    return spool


def _migrate_store(clock: Clock, number_texts: FillProgress, writer: Writer) -> None:
    read_past_damage(
        writer, partial(migrate, writer, on_migration=upgrade_log.build_migration_logger("event store", clock))
    )
    number_texts.refresh(writer.command)
