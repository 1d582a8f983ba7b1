"""A spool and a drain before the event store, for each test that is about events on their way."""

from harness.stores.one_drain import drain, spool, spool_path, store

__all__ = ["drain", "spool", "spool_path", "store"]
