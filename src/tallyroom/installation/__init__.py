"""Metadata, spool and event store as one thing: whether all three are there and belong together."""
