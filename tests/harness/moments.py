"""Moments near now, as clients write them."""

from datetime import UTC, datetime, timedelta


def ago(**span: float) -> str:
    """`ago(hours=3)` is the moment three hours ago; a negative span is in the future."""
    return (datetime.now(UTC) - timedelta(**span)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
