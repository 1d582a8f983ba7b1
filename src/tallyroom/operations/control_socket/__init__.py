"""The control socket: lets others ask the running server for what it alone has.

A command asks for what only the process with the event store can do, and the parent of workers for their numbers.
"""
