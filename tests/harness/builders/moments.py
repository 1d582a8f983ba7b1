"""Moments: near now, as clients write them, and any, as the engine counts them."""

from datetime import UTC, datetime, timedelta


def ago(**span: float) -> str:
    """`ago(hours=3)` is the moment three hours ago; a negative span is in the future."""
    return (datetime.now(UTC) - timedelta(**span)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ms(text: str) -> int:
    """Return the Unix time in milliseconds of a date and time in UTC, as in "2026-03-29T01:00"."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)
