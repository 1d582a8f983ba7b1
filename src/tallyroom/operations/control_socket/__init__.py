"""The control socket: lets other processes ask the running server for what only it has.

A command asks for what only the process with the event store can do, and the parent of workers asks for their metrics.
"""
