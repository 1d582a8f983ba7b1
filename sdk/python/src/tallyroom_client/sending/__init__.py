"""Sends cuts to the server, one at a time, until each has its answer."""
