"""A small app of the identity routes, on metadata without accounts."""

from conftest import database
from harness.servers.small_app import client, founder, open_server, server, sign_up

__all__ = ["client", "database", "founder", "open_server", "server", "sign_up"]
