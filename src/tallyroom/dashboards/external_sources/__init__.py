"""External sources: trusted hosts that External widgets may fetch from."""
