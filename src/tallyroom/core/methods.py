"""Which HTTP methods change nothing."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""RFC 9110, 9.2.1, but for TRACE, which this server does not take."""
