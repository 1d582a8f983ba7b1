"""Search by name and tag."""
