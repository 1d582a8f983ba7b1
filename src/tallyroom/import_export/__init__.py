"""Moves events and bots between files, other listings and a running server, over HTTP."""
