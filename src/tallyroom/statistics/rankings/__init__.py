"""Rankings of all bots."""
