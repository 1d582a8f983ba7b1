"""The control socket: lets a command ask the running server for what only the process with the event store can do."""
