"""From the bytes of a request to acknowledged events, and from the spool into the event store."""
