"""Opens the keeper of property columns for one server."""

from tallyroom.core.clock import Clock
from tallyroom.core.settings import Settings
from tallyroom.operations.property_columns.keeper import PropertyColumnKeeper
from tallyroom.storage.event_store.property_columns.reads import PropertyReads
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.waiting_chunks import MAX_CLAIM_BYTES


def open_keeper(
    settings: Settings, writer: Writer, reader: EventReader, spool: Spool, database: Database, clock: Clock
) -> PropertyColumnKeeper:
    """Let `reader` report what queries read, and return the keeper that chooses columns by it."""
    reads = PropertyReads(clock)
    reader.on_property_reads = reads.add
    return PropertyColumnKeeper(
        writer,
        reader.property_columns,
        reads,
        database,
        clock,
        lambda: spool.waiting_bytes < MAX_CLAIM_BYTES and not reader.slots.waiting_count,
        max_columns=settings.property_columns,
        min_bytes=settings.property_column_min_bytes,
    )
