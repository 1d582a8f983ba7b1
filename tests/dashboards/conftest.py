"""The owner of a fresh workspace."""

from harness.small_app import founder

__all__ = ["founder"]
