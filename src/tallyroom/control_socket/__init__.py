"""The control socket: how a command asks the running server for what only the owner of the event store can do."""
