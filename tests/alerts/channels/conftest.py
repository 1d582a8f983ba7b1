"""The owner of a fresh workspace."""

from harness.servers.small_app import founder

__all__ = ["founder"]
