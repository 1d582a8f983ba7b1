"""Alert channels: how people create and test them, and the status of each message."""
