"""From the spool into the event store: the drain, deletions, and checks that the store is complete."""
