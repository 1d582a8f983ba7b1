"""Alert channels: how people create and test them, and what became of each message."""
