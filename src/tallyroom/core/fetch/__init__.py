"""Requests to addresses from users, which never reach the server's own network."""
