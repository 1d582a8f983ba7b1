"""Turns the bytes of a request into acknowledged events, and moves them from the spool into the event store."""
