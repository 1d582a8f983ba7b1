"""A spool, a store and a drain for each test."""

from harness.stores.one_drain import drain, spool, spool_path, store

__all__ = ["drain", "spool", "spool_path", "store"]
