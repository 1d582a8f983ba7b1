"""Treats metadata, spool and event store as one installation: checks that all three exist and belong together."""
