"""A handler that turns log records into events."""

import logging
from typing import Any

from tallyroom_client.client import Tallyroom

_MAX_TEXT = 8192
_MAX_STACKTRACE = 32_768
_OWN_LOGGER = "tallyroom_client"


class EventHandler(logging.Handler):
    """Tracks an event ``log.<level>`` for each record, with ``exception.*`` properties where there is an exception.

    Args:
        client: sends the events.
        level: the lowest level of records that become events.
    """

    def __init__(self, client: Tallyroom, level: int = logging.ERROR) -> None:
        super().__init__(level)
        self._client = client

    def emit(self, record: logging.LogRecord) -> None:
        """Track the record; the client's own records are left out, because they may be about the client's events."""
        if record.name.partition(".")[0] == _OWN_LOGGER:
            return
        try:
            self._client.track(f"log.{record.levelname.lower()}"[:128], properties=_properties(record))
        except Exception:  # noqa: BLE001 # a handler reports its own errors in one place
            self.handleError(record)


def _properties(record: logging.LogRecord) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "logger": record.name,
        "message": _clean(record.getMessage(), _MAX_TEXT),
        "file": record.filename,
        "line": record.lineno,
    }
    if record.exc_info and record.exc_info[0] is not None:
        kind, error, _ = record.exc_info
        properties["exception.type"] = f"{kind.__module__}.{kind.__qualname__}"
        properties["exception.message"] = _clean(str(error), _MAX_TEXT)
        stacktrace = logging.Formatter().formatException(record.exc_info)
        properties["exception.stacktrace"] = _clean(stacktrace[-_MAX_STACKTRACE:], _MAX_STACKTRACE)
    return properties


def _clean(text: str, max_bytes: int) -> str:
    """Return the text as UTF-8 can encode it, and no longer than fits into an event."""
    return text.encode(errors="replace")[:max_bytes].decode(errors="ignore")
