"""Export: all events of an environment and a span of time, as one file."""
