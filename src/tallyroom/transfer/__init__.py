"""Moves events between files and a running server, over its HTTP API."""
