"""Export: all events of an environment and a time range, as one file."""
