"""Groups: what events belong to, by the value of a registered property."""
