"""The audit log, read."""
