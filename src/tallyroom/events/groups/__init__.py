"""Groups: events that share the value of a registered property."""
