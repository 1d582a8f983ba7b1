"""Columns that the event store derives from the properties that queries read most (docs/decisions/0039)."""
