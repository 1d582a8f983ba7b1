"""Ingest: from the bytes of a request to a 202, and from the spool into the event store."""
