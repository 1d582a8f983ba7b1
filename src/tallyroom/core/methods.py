"""The HTTP methods that change nothing."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The safe methods of RFC 9110, 9.2.1, except TRACE, which this server does not support."""
