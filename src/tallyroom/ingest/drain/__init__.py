"""From the spool into the event store: the drain, what deletes events again, and whether everything is there."""
