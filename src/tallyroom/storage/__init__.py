"""Storage: the metadata, the event store, the spool, and the counters of limits."""
