"""The control socket: other processes ask the running server for its metrics and for what only its store can do."""
