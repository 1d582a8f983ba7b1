"""Requests to addresses that people name, which never reach the server's own network."""
