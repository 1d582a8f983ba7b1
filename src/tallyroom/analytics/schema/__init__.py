"""The schema: which events and properties there are."""
