"""A small app of the identity routes."""

from harness.servers.small_app import client, founder, open_server, server, sign_up

__all__ = ["client", "founder", "open_server", "server", "sign_up"]
