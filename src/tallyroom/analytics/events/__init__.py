"""Events: ingest and its refusals, the list, the stream, and hiding."""
